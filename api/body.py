"""Bodies: decoded once, straight from the bytes to the struct a handler names."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, ClassVar, TypeVar

import msgspec
from litestar.dto import AbstractDTO, DTOConfig
from litestar.dto.data_structures import DTOFieldDefinition
from litestar.openapi.spec import Reference, Schema
from litestar.typing import FieldDefinition

from api.allowed import of_a_body
from api.faults import BodyMalformed, JsonBroken, NotJson
from api.seats import NOTHING_SENT
from rulesets.writing import in_words

T = TypeVar("T")

JSON = "application/json"


class JsonBody(AbstractDTO[Any]):
    """Decodes a JSON body into the struct of the handler's `data`."""

    config: ClassVar[DTOConfig] = DTOConfig()

    def decode_bytes(self, value: bytes) -> Any:
        """The struct of the bytes. Raises `NotJson`, `JsonBroken` or `BodyMalformed`."""
        connection = self.asgi_connection
        kind = connection.route_handler.parsed_data_field.annotation
        if value is not NOTHING_SENT:
            expect(connection.scope["headers"], JSON)
        return read(kind, value)

    @classmethod
    def create_for_field_definition(cls, *args: Any, **kwargs: Any) -> None:
        """Nothing is prepared: the struct is decoded as it is."""

    @classmethod
    def is_supported_model_type_field(cls, field_definition: FieldDefinition) -> bool:
        """Any struct is."""
        return field_definition.is_subclass_of(msgspec.Struct)

    @classmethod
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:
        """None: see `create_for_field_definition`."""
        del model_type
        yield from ()

    @classmethod
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        """None is, for the same reason."""
        del field_definition
        return False

    @classmethod
    def create_openapi_schema(
        cls, field_definition: FieldDefinition, handler_id: str, schema_creator: Any
    ) -> Reference | Schema:
        """The struct's own schema."""
        del handler_id
        schema: Reference | Schema = schema_creator.for_field_definition(field_definition)
        return schema


def read(kind: type[T], body: bytes) -> T:
    """A JSON text as a struct. Raises `JsonBroken` for no JSON, `BodyMalformed` for the wrong one."""
    try:
        return _decoder(kind)(body)
    except msgspec.ValidationError as error:
        raise BodyMalformed(f"This body cannot be used: {of_a_body(kind, in_words(error))}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise JsonBroken(f"The body is not JSON: {error}") from None


def expect(headers: Any, *media_types: str) -> None:
    """Raise `NotJson` where the body does not say it is one of these media types."""
    for name, value in headers:
        if name == b"content-type":
            if value == b"application/json" and JSON in media_types:
                return
            if value.split(b";")[0].strip().lower().decode("latin-1") in media_types:
                return
            break
    raise NotJson(f"Send the body as {' or '.join(media_types)} (header Content-Type)")


def _decoder(kind: type[T]) -> Callable[[bytes], T]:
    decode = _decoders.get(kind)
    if decode is None:
        decode = _decoders[kind] = msgspec.json.Decoder(kind).decode
    return decode


_decoders: dict[type[Any], Callable[[bytes], Any]] = {}
