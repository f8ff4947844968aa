"""What the schema of the API promises, for tests that hold the API to it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from rest_framework.response import Response

from tests.api import examples
from tournaments.api.urls import urlpatterns

ROOT = "urn:api"
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """One operation: its `operationId`, its address, and what the schema says of it."""

    name: str
    method: str
    path: str
    described: dict[str, Any]


@cache
def schema() -> dict[str, Any]:
    """The schema as clients get it."""
    made = SchemaGenerator().get_schema(request=None, public=True)
    return json.loads(OpenApiJsonRenderer().render(made))


@cache
def operations() -> tuple[Operation, ...]:
    """Every operation of the schema."""
    return tuple(_operations())


def _operations() -> Iterator[Operation]:
    for path, methods in schema()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield Operation(methods[method]["operationId"], method, path, methods[method])


def operation_of(route: str, method: str) -> Operation:
    """The operation of a route by its name in `tournaments/api/urls.py`."""
    path = "/api/v1/" + re.sub(r"<\w+:\w+>", "{}", _patterns()[route])
    return next(found for found in operations() if (found.method, _shape(found.path)) == (method, path))


def _shape(path: str) -> str:
    return re.sub(r"{\w+}", "{}", path)


def fault_of(content: dict[str, Any], value: Any) -> str:
    """Why a value is not as the schema of a `content` has it; empty where it is."""
    converted = _as_json_schema(content.get("schema", {}))
    error = best_match(Draft202012Validator(converted, registry=_registry()).iter_errors(value))
    return f"{error.json_path}: {error.message[:300]}" if error else ""


def assert_as_described(route: str, method: str, answer: Response, sent: Any) -> None:
    """An answer, and the body that it answers, are as the schema has them; with EXAMPLES set, both are noted."""
    operation = operation_of(route, method)
    media = (answer.get("Content-Type") or "").split(";")[0]
    documented = operation.described["responses"]
    told = documented.get(str(answer.status_code)) or documented.get(f"{answer.status_code // 100}XX")
    assert told is not None, f"{operation.name} answers {answer.status_code}, of which the schema knows nothing"
    contents = told.get("content", {})
    assert bool(answer.getvalue()) == bool(contents) and media in ("", *contents), (operation.name, media)
    said = value_of(answer)
    if media.endswith("json"):
        assert not (fault := fault_of(contents[media], said)), (operation.name, fault)
    asked = operation.described.get("requestBody", {}).get("content", {}).get("application/json")
    if asked and answer.status_code < 300:
        assert not (fault := fault_of(asked, sent)), (operation.name, fault)
    if answer.status_code < 300:
        examples.note(operation.name, sent if asked else None, str(answer.status_code), said)


def value_of(answer: Response) -> Any:
    """What an answer says: JSON as its value, text as it is; None where it is neither."""
    media = answer.get("Content-Type") or ""
    body = answer.getvalue()
    if "json" in media:
        return json.loads(body)
    return body.decode() if media.startswith("text/") else None


@cache
def _patterns() -> dict[str, str]:
    return {pattern.name: str(pattern.pattern) for pattern in urlpatterns}


@cache
def _registry() -> Registry:
    return Registry().with_resource(ROOT, DRAFT202012.create_resource(_as_json_schema(schema())))


def _as_json_schema(node: Any) -> Any:
    """OpenAPI 3.0 as JSON Schema: `nullable` becomes a choice, references find the schema."""
    if isinstance(node, list):
        return [_as_json_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": ROOT + node["$ref"]}
    plain = {key: _as_json_schema(value) for key, value in node.items() if key not in ("nullable", "example")}
    return {"anyOf": [plain, {"type": "null"}]} if node.get("nullable") is True else plain
