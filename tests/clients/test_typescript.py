"""The types of the TypeScript client are those of the API."""

from tests.api.contract import operations, schema
from tools.typescript_types import TARGET, type_of, typescript


def test_the_types_of_the_client_are_what_the_schema_says_today() -> None:
    assert TARGET.read_text(encoding="utf-8") == typescript(schema()), "run python -m tools.typescript_types"


def test_every_operation_has_its_types_and_its_place() -> None:
    written = TARGET.read_text(encoding="utf-8")
    for operation in operations():
        assert f"\n  {operation.name}: {{\n" in written
        assert f'\n  {operation.name}: ["{operation.method.upper()}", "{operation.path}"],\n' in written


def test_a_schema_becomes_the_type_of_its_values() -> None:
    text, number = {"type": "string"}, {"type": "integer"}
    assert type_of({"type": "array", "items": {**text, "nullable": True}}, "") == "(string | null)[]"
    assert type_of({"oneOf": [{"enum": ["a", "b"]}, {"enum": [""]}]}, "") == '"a" | "b" | ""'
    assert type_of({"allOf": [{"$ref": "#/components/schemas/Report"}], "nullable": True}, "") == "Report | null"
    assert type_of({"type": "object", "additionalProperties": number}, "") == "{ [name: string]: number }"
    assert type_of({"nullable": True}, "") == "unknown"
    body = {"type": "object", "properties": {"n": number, "a-b": {**text, "description": "Why."}}, "required": ["n"]}
    assert type_of(body, "") == '{\n  n: number;\n  /** Why. */\n  "a-b"?: string;\n}'
