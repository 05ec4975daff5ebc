"""Names: litestar needs to know only that a struct is a component; its exact shape is filled in afterwards."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.openapi.spec import Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition


class StructNames(OpenAPISchemaPlugin):
    """Makes every struct a component of its own name, without fields."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Structs, and nothing around them."""
        return not field_definition.is_union and field_definition.is_subclass_of(msgspec.Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """The empty component."""
        schema: Schema = schema_creator.create_component_schema(
            field_definition, required=[], property_fields={}
        )
        return schema
