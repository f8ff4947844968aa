"""The OpenAPI schema of the API, for tests that check requests and responses against it."""

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
    """One operation: its `operationId`, HTTP method and path, and its description in the schema."""

    name: str
    method: str
    path: str
    described: dict[str, Any]


@cache
def schema() -> dict[str, Any]:
    """The schema, as clients get it."""
    made = SchemaGenerator().get_schema(request=None, public=True)
    return json.loads(OpenApiJsonRenderer().render(made))


@cache
def operations() -> tuple[Operation, ...]:
    """Every operation in the schema."""
    return tuple(_operations())


def _operations() -> Iterator[Operation]:
    for path, methods in schema()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield Operation(methods[method]["operationId"], method, path, methods[method])


def operation_of(route: str, method: str) -> Operation:
    """Return the operation of a route and method. `route` is its name in `tournaments/api/urls.py`."""
    path = "/api/v1/" + re.sub(r"<\w+:\w+>", "{}", _patterns()[route])
    return next(found for found in operations() if (found.method, _shape(found.path)) == (method, path))


def _shape(path: str) -> str:
    return re.sub(r"{\w+}", "{}", path)


def fault_of(content: dict[str, Any], value: Any) -> str:
    """Return why a value does not match the schema of a `content`; an empty string if it does."""
    converted = _as_json_schema(content.get("schema", {}))
    error = best_match(Draft202012Validator(converted, registry=_registry()).iter_errors(value))
    return f"{error.json_path}: {error.message[:300]}" if error else ""


def assert_as_described(route: str, method: str, answer: Response, sent: Any) -> None:
    """Check a response, and the request body it answers, against the schema.

    If the environment variable EXAMPLES is set, both are saved as an example (see `tests.api.examples`).
    """
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
    """Return the content of a response: the value of JSON, the text of text; None for anything else."""
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
    """Convert OpenAPI 3.0 to JSON Schema: `nullable` becomes `anyOf`, and references point into the registry."""
    if isinstance(node, list):
        return [_as_json_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": ROOT + node["$ref"]}
    plain = {key: _as_json_schema(value) for key, value in node.items() if key not in ("nullable", "example")}
    return {"anyOf": [plain, {"type": "null"}]} if node.get("nullable") is True else plain
