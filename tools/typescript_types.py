"""Write the types of the TypeScript client from the schema of the API: `python -m tools.typescript_types`.

`clients/typescript/src/schema.ts` has an interface for each component of the schema, what each operation takes and
answers (`Operations`), and where it is (`OPERATIONS`).
"""

import json
import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "clients" / "typescript" / "src" / "schema.ts"
METHODS = ("get", "post", "put", "patch", "delete")
WIDTH = 120
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
HEAD = """\
// Written by tools/typescript_types.py from the schema of the API: do not edit.

export type Binary = Blob | string;
"""

Node = Mapping[str, Any]


def main() -> None:
    """Write the file from the schema as it is now."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
    import django

    django.setup()
    TARGET.write_text(typescript(current_schema()), encoding="utf-8")


def current_schema() -> dict[str, Any]:
    """Return the schema of the API, as clients get it. Django must be set up."""
    from drf_spectacular.generators import SchemaGenerator
    from drf_spectacular.renderers import OpenApiJsonRenderer

    schema: dict[str, Any] = json.loads(OpenApiJsonRenderer().render(SchemaGenerator().get_schema(None, public=True)))
    return schema


def typescript(schema: Node) -> str:
    """Return the text of the file for an OpenAPI schema."""
    components = sorted(schema["components"]["schemas"].items())
    found = sorted(operations(schema), key=lambda operation: operation[2]["operationId"])
    taken = "".join(taking(path, described) for _method, path, described in found)
    places = "".join(
        f"  {described['operationId']}: [{quoted(method.upper())}, {quoted(path)}],\n"
        for method, path, described in found
    )
    return "\n".join([
        HEAD,
        *(component(name, node) for name, node in components),
        "/** What each operation takes and answers. */",
        f"export interface Operations {{\n{taken}}}\n",
        "/** The method and the path of each operation. */",
        f"export const OPERATIONS = {{\n{places}}} as const;\n",
    ])


def operations(schema: Node) -> Iterator[tuple[str, str, Node]]:
    """Yield the method, the path and the description of each operation."""
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                yield method, path, methods[method]


def component(name: str, node: Node) -> str:
    """The declaration of a component: an interface for an object, else a type."""
    said = "" if "enum" in node else doc(node, "")  # the description of an enum only repeats its values
    if node.get("type") == "object" and "properties" in node:
        return f"{said}export interface {name} {block(node, '')}\n"
    return f"{said}export type {name} = {type_of(node, '')};\n"


def taking(path: str, described: Node) -> str:
    """The entry of an operation in `Operations`."""
    parts = [*parameters(described, "path"), *parameters(described, "query")]
    if body := described.get("requestBody"):
        optional = "" if body.get("required") or "application/json" not in body["content"] else "?"
        parts.append(f"body{optional}: {content_type(body['content'])}")
    args = f"{{ {'; '.join(parts)} }}" if parts else "{}"
    return (
        f"{doc(described, '  ')}  {described['operationId']}: {{\n"
        f"    args: {args};\n"
        f"    answer: {answered(described['responses'])};\n"
        "  };\n"
    )


def parameters(described: Node, where: str) -> Iterator[str]:
    """Yield the property with the parameters of the path or of the query, if there are any."""
    found = [each for each in described.get("parameters", ()) if each["in"] == where]
    if found:
        inner = "; ".join(
            f"{key(each['name'])}{'' if each.get('required') else '?'}: {type_of(each['schema'], '')}" for each in found
        )
        optional = "" if any(each.get("required") for each in found) else "?"
        yield f"{where}{optional}: {{ {inner} }}"


def answered(responses: Node) -> str:
    """The type of the successful responses."""
    return union(
        content_type(each["content"]) if each.get("content") else "null"
        for status, each in responses.items()
        if status.startswith("2")
    )


def content_type(content: Node) -> str:
    """The type of a body: of JSON what it holds, of text a string, of a file its bytes."""
    return union(_media_type(media, each) for media, each in content.items())


def _media_type(media: str, content: Node) -> str:
    if media == "application/json":
        return type_of(content.get("schema", content), "    ")
    return "string" if media.startswith("text/") else "Binary"


def type_of(node: Node, indent: str) -> str:
    """The type of a schema; `indent` is that of the line it is in."""
    plain = _without_null(node, indent)
    return union([plain, "null"]) if node.get("nullable") else plain


def _without_null(node: Node, indent: str) -> str:
    if "$ref" in node:
        return str(node["$ref"]).rpartition("/")[2]
    if "enum" in node:
        return union(quoted(value) for value in node["enum"])
    if "oneOf" in node:
        return union(type_of(each, indent) for each in node["oneOf"])
    if "allOf" in node:
        return " & ".join(type_of(each, indent) for each in node["allOf"])
    if node.get("type") == "array":
        inner = type_of(node["items"], indent)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if node.get("type") == "object":
        if node.get("properties"):
            return block(node, indent)
        further = node.get("additionalProperties")
        inner = type_of(further, indent) if isinstance(further, Mapping) else "unknown"
        return f"{{ [name: string]: {inner} }}"  # there is a component named Record
    return PLAIN.get(node.get("type", ""), "unknown")


def block(node: Node, indent: str) -> str:
    """The properties of an object, in braces."""
    required = set(node.get("required", ()))
    deeper = indent + "  "
    lines = [
        f"{doc(each, deeper)}{deeper}{key(name)}{'' if name in required else '?'}: {type_of(each, deeper)};\n"
        for name, each in node["properties"].items()
    ]
    return f"{{\n{''.join(lines)}{indent}}}"


def doc(node: Node, indent: str) -> str:
    """The description of a schema or an operation as a comment; empty if it has none."""
    said = str(node.get("description", "")).strip()
    if not said or said.startswith("* `"):  # the latter lists the values of an enum
        return ""
    if len(said) < WIDTH - len(indent) - 8 and "\n" not in said:
        return f"{indent}/** {said} */\n"
    paragraphs = [re.sub(r"\s+", " ", each) for each in said.split("\n\n")]
    lines = "\n\n".join(textwrap.fill(each, WIDTH - len(indent) - 3) for each in paragraphs).splitlines()
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


def union(types: Iterable[str]) -> str:
    """Any of these types."""
    found = dict.fromkeys(types)
    return "unknown" if "unknown" in found else " | ".join(found)


def key(name: str) -> str:
    """The name of a property, quoted if it has to be."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else quoted(name)


def quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
