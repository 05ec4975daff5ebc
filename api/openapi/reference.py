"""The reference page: every route, its parameters, bodies and answers, as plain HTML that works without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

Schema = dict[str, Any]

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: .25rem; }
h2 { margin-top: 3rem; } h3 { margin-top: 2rem; } summary { cursor: pointer; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top; }
"""


def page(document: Schema) -> str:
    """The page of a description."""
    return "\n".join(_lines(document))


def _lines(document: Schema) -> Iterator[str]:
    title = escape(f"{document['info']['title']} {document['info']['version']}")
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>{STYLE}</style></head><body><h1>{title}</h1>"
    yield f"<p>{_prose(document['info']['description'])}</p>"
    yield '<p>For tools: <a href="/schema/openapi.json">openapi.json</a>, '
    yield 'and for the live feeds <a href="/schema/asyncapi.json">asyncapi.json</a></p>'
    for tag in _tags(document):
        yield f"<h2>{escape(tag.capitalize())}</h2>"
        for path, method, operation in _operations(document, tag):
            yield from _operation(path, method, operation)
    yield "<h2>Shapes</h2>"
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield f'<details id="{escape(name)}"><summary><code>{escape(name)}</code>'
        yield f" {_prose(schema.get('description', '').partition(chr(10))[0])}</summary>{_json(schema)}</details>"
    yield "</body></html>"


def _tags(document: Schema) -> Iterable[str]:
    return dict.fromkeys(
        tag
        for item in document["paths"].values()
        for operation in item.values()
        for tag in operation.get("tags", ())
    )


def _operations(document: Schema, tag: str) -> Iterator[tuple[str, str, Schema]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if tag in operation.get("tags", ()):
                yield path, method, operation


def _operation(path: str, method: str, operation: Schema) -> Iterator[str]:
    yield f'<h3 id="{operation["operationId"]}"><code>{method.upper()} {escape(path)}</code></h3>'
    yield f"<p>{_prose(operation.get('description', ''))}</p>"
    if parameters := operation.get("parameters"):
        yield "<table>"
        for parameter in parameters:
            yield f"<tr><td><code>{escape(parameter['name'])}</code></td><td>{escape(parameter['in'])}</td>"
            yield f"<td>{_prose(parameter.get('description', ''))}</td></tr>"
        yield "</table>"
    if body := operation.get("requestBody"):
        yield from _content("Send", body)
    for status, answer in operation["responses"].items():
        if status != "default":
            yield from _content(f"Answer {status}", answer)


def _content(heading: str, holder: Schema) -> Iterator[str]:
    for media_type, content in holder.get("content", {}).items():
        yield f"<p>{heading}, <code>{escape(media_type)}</code>: {_name(content.get('schema', {}))}</p>"
        for title, example in content.get("examples", {}).items():
            yield f"<details><summary>{escape(title)}</summary>{_json(example['value'])}</details>"


def _name(schema: Schema) -> str:
    name = schema.get("$ref", "").rpartition("/")[2]
    return f'<a href="#{escape(name)}">{escape(name)}</a>' if name else escape(str(schema.get("type", "")))


def _prose(text: str) -> str:
    """Words as HTML; what stands between backticks is code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _json(value: Any) -> str:
    return f"<pre>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"
