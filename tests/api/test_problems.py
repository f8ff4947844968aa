"""Error responses: one shape for all of them, and strict, bounded request bodies."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import override_settings
from django.utils import translation
from rest_framework import serializers
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.fields import BooleanField
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from tests.api.scenes import published, registering, token_client
from tests.api.test_permissions import ALL_SCOPES, ROUTES, call, views
from tests.cast import Cast
from tests.contracts.project import ROOT
from tournaments.accounts.models import User
from tournaments.api import throttles
from tournaments.api.parsers import read_json
from tournaments.api.serializers.base import BoundedList, Input
from tournaments.api.throttles import UploadThrottle
from tournaments.events import services

Client = Callable[[User], APIClient]


def is_problem(answer: Response, status: int, code: str) -> bool:
    """Check that a response is a problem document with this status and code, complete and of the right media type."""
    content = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert sorted(content) == ["code", "detail", "details", "status", "title", "type"]
    assert isinstance(content["detail"], str) and isinstance(content["details"], list)
    assert (answer.status_code, content["status"], content["code"]) == (status, status, code), content
    return True


def test_a_refusal_by_a_service_keeps_its_code_and_status(cast: Cast, as_: Client) -> None:
    scene = registering(cast)
    answer = as_(cast.organizer).post(scene.at("events/{event}/steps/"), {"step": "check_in"}, format="json")
    assert is_problem(answer, 409, "event_state")


@pytest.mark.parametrize("body", [{}, {"given_name": None}, {"given_name": ""}])
def test_a_field_that_is_missing_or_empty_says_what_to_enter(cast: Cast, as_: Client, body: dict[str, object]) -> None:
    scene = registering(cast)
    answer = as_(cast.organizer).put(scene.at("entrants/{entrant}/name/"), body, format="json")
    assert is_problem(answer, 422, "invalid")
    assert "Enter a first name or a nickname." in str(answer.json())


def test_the_message_is_in_the_requested_language_but_the_code_is_not(cast: Cast, visitor: APIClient) -> None:
    answer = visitor.get("/api/v1/events/none/", HTTP_ACCEPT_LANGUAGE="fr")
    assert is_problem(answer, 404, "not_found")
    assert answer["Content-Language"] == "fr"


def test_every_fault_of_a_body_is_reported(cast: Cast, as_: Client) -> None:
    body = {"games": [2, 99, "x"], "kind": "magic", "gmaes": 1}
    answer = as_(cast.player).post(published(cast).at("matches/{match}/report/"), body, format="json")
    assert is_problem(answer, 422, "invalid")
    assert {fault["field"] for fault in answer.json()["details"]} == {"games[1]", "games[2]", "kind", "gmaes"}


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "a", "name": "b", "preset": "star-safir"}',
        b'{"name": NaN}',
        b'{"name": 1e999}',
        b'{"name": "\\ud800"}',
        b'{"name": "a\\u0000", "preset": "star-safir"}',
        b'{"\\u0000": 1}',
        b'{"name": ' + b"[" * 17 + b"]" * 17 + b"}",
        b"[" * 200_000,
        b'{"capacity": ' + b"9" * 19 + b"}",
        b"\xff",
        b"{",
        b"",
    ],
    ids=[
        "twice",
        "nan",
        "infinite",
        "surrogate",
        "nul",
        "nul in a key",
        "deep",
        "very deep",
        "digits",
        "latin",
        "cut",
        "empty",
    ],
)
def test_a_body_that_is_not_strict_json_is_malformed(cast: Cast, as_: Client, body: bytes) -> None:
    answer = as_(cast.organizer).post("/api/v1/events/", body, content_type="application/json")
    assert is_problem(answer, *((400, "malformed") if body else (422, "invalid")))


def test_at_most_twenty_unknown_keys_are_reported(cast: Cast, as_: Client) -> None:
    scene = registering(cast)
    body = {f"key {n:04} {'x' * 200}": n for n in range(1000)}
    answer = as_(cast.organizer).post(scene.at("events/{event}/entrants/"), body, format="json")
    assert is_problem(answer, 422, "invalid")
    assert len(answer.json()["details"]) <= 21 and len(answer.content) < 5_000


def every_input(kind: type[Input] = Input) -> Iterator[type[Input]]:
    """Yield every request body of the API."""
    for found in kind.__subclasses__():
        yield found
        yield from every_input(found)


def test_every_list_in_a_body_checks_its_length_before_its_items() -> None:
    lists = [
        (f"{body.__name__}.{name}", field)
        for body in every_input()
        for name, field in body().fields.items()
        if isinstance(field, serializers.ListField | serializers.ListSerializer)
    ]
    assert len(lists) > 10
    for name, field in lists:
        assert field.max_length is not None, name
        assert isinstance(field, BoundedList | serializers.ListSerializer), name


@pytest.mark.parametrize("body", [b"[]", b"null", b"3", b'"x"'])
def test_json_that_is_not_an_object_is_invalid(cast: Cast, as_: Client, body: bytes) -> None:
    answer = as_(cast.organizer).post("/api/v1/events/", body, content_type="application/json")
    assert is_problem(answer, 422, "invalid")


def test_a_body_that_is_too_large_gets_a_413(cast: Cast, as_: Client) -> None:
    body = b'{"name": "' + b"x" * 600_000 + b'"}'
    answer = as_(cast.organizer).post("/api/v1/events/", body, content_type="application/json")
    assert is_problem(answer, 413, "too_large")
    log = as_(cast.player).post(
        published(cast).at("matches/{match}/games/1/logs/"), b" " * (9 << 20), content_type="application/json"
    )
    assert is_problem(log, 413, "too_large")


def test_a_wrong_media_type_method_or_address_gets_a_problem_document(cast: Cast, as_: Client) -> None:
    client = as_(cast.organizer)
    assert is_problem(client.post("/api/v1/events/", {"name": "x"}), 415, "unsupported_media_type")
    assert is_problem(client.put("/api/v1/presets/", {}, format="json"), 405, "method_not_allowed")
    assert is_problem(client.get("/api/v1/presets/", HTTP_ACCEPT="text/html"), 406, "not_acceptable")
    assert is_problem(client.get("/api/v1/events/e-x/rounds/99999999999999999999/"), 404, "not_found")
    for address in ("/api/v1/nothing/", "/api/v1/events"):
        assert is_problem(client.get(address), 404, "not_found")
        assert is_problem(APIClient().post(address), 404, "not_found")


@pytest.mark.parametrize("address", ["nowhere/", "matches/%0A/", "bulk-audits/a%0Ab/changes/", "%0A", "m%C3%A9/"])
def test_every_unknown_address_gets_a_problem_document(visitor: APIClient, address: str) -> None:
    answer = visitor.get(f"/api/v1/{address}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_method_that_does_not_exist_gets_a_405(cast: Cast) -> None:
    client = APIClient()
    client.force_login(cast.organizer)
    assert is_problem(client.delete("/api/v1/events/"), 405, "method_not_allowed")


def test_a_bug_gets_a_problem_document_without_its_traceback(
    cast: Cast, as_: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def bug(**_options: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(services, "create_event", bug)
    client = as_(cast.organizer)
    body = {"name": "x", "preset": "star-safir"}
    with pytest.raises(RuntimeError):
        client.post("/api/v1/events/", body, format="json")
    client.raise_request_exception = False
    answer = client.post("/api/v1/events/", body, format="json")
    assert is_problem(answer, 500, "server_error")
    assert "secret" not in answer.content.decode() and "the secret of the house" in caplog.text


def test_too_many_requests_get_a_429_with_retry_after(cast: Cast, as_: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UploadThrottle, "rate", "1/min")
    address = published(cast).at("matches/{match}/games/1/logs/")
    first, second = (as_(cast.player).post(address, b"{", content_type="application/json") for _time in range(2))
    assert is_problem(first, 422, "log_unreadable")
    assert is_problem(second, 429, "throttled")
    assert 1 <= int(second["Retry-After"]) <= 61
    assert as_(cast.player).get(address).status_code == 200


THROTTLES = [each for each in vars(throttles).values() if isinstance(each, type) and getattr(each, "scope", None)]
BOUNDED = [each for each in THROTTLES if each.__module__ == throttles.__name__ and not each.__name__.startswith("_")]


@pytest.mark.parametrize("throttle", BOUNDED, ids=lambda each: each.scope)
@pytest.mark.usefixtures("any_json_is_a_log")
def test_a_throttle_limits_one_account_within_its_own_scope(
    throttle: type[UserRateThrottle], cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "rate", "1/min")
    route = next(
        route
        for route in ROUTES
        if views()[route.name, route.method].throttle is throttle and 200 <= route.answer < 300
    )
    scene, client = route.scene(cast), token_client(getattr(cast, route.right), *ALL_SCOPES)
    first, second = (call(client, route, scene) for _time in range(2))
    assert first.status_code == route.answer
    assert is_problem(second, 429, "throttled") and 1 <= int(second["Retry-After"]) <= 61
    assert client.get("/api/v1/me/").status_code == 200, "other scopes go on"
    other = token_client(cast.opponent, *ALL_SCOPES)
    assert call(other, route, scene).status_code != 429, "so do others"


@pytest.mark.parametrize("throttle", [AnonRateThrottle, UserRateThrottle])
def test_visitors_and_accounts_have_a_general_rate_limit(
    throttle: type[SimpleRateThrottle], cast: Cast, as_: Client, visitor: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "rate", "2/min", raising=False)
    client = visitor if throttle is AnonRateThrottle else as_(cast.player)
    answers = [client.get("/api/v1/presets/") for _time in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert is_problem(answers[2], 429, "throttled")
    assert as_(cast.opponent).get("/api/v1/presets/").status_code == 200


def test_every_rate_limit_is_in_the_docs() -> None:
    section = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").split("## Limits\n")[1].split("\n## ")[0]
    told = set(re.findall(r"^\| `(\w+)` \| (\d+/\w+) \|", section, re.MULTILINE))
    assert told == {(throttle.scope, throttle.rate) for throttle in BOUNDED}


@override_settings(DEBUG=True)
def test_refusals_are_the_same_under_debug(cast: Cast, visitor: APIClient) -> None:
    assert is_problem(visitor.get("/api/v1/events/none/"), 404, "not_found")


@pytest.mark.parametrize(
    ("language", "malformed", "missing", "wrong"),
    [
        ("fr", "NaN n’est pas un nombre", "Ce champ est obligatoire.", "Il faut true ou false."),
        ("it", "NaN non è un numero", "Questo campo è obbligatorio.", "Serve true o false."),
    ],
)
def test_what_is_wrong_with_a_body_is_said_in_one_language(language: str, malformed: str, missing: str, wrong: str):
    with translation.override(language):
        with pytest.raises(ParseError, match=malformed):
            read_json(b'{"a": NaN}')
        with pytest.raises(ValidationError) as caught:
            BooleanField().run_validation("perhaps")
        assert caught.value.detail == [wrong] and str(BooleanField().error_messages["required"]) == missing
