"""No address, query or form makes the site fail, whatever is written in it."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from tests.api import scenes
from tests.api.scenes import Scene, token_client
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tests.web.routes import PATTERNS
from tournaments.api.urls import urlpatterns as of_api

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
HUGE = (2**31, 2**63 - 1, 2**63, "9" * 5000)
TEXTS = ("%00", "@%00", "e-%00", "%FF%FE", "%ED%A0%80", "a" * 3000)
SLUGS = ("-", "x" * 3000)
HOSTILE: dict[str, tuple[Any, ...]] = {"int": HUGE, "slug": SLUGS}


def _addresses(patterns: list[Any], scene: Scene) -> Iterator[str]:
    """The addresses of routes, each of their parameters hostile in turn and the others those of the scene."""
    real = {"event_id": scene.event.public_id, "match_id": scene.match.public_id, "log_id": scene.log}
    real["entrant_id"] = scene.entrant.public_id
    for route in (str(pattern.pattern) for pattern in patterns):
        kinds = {name: kind for kind, name in PARAMETER.findall(route)}
        usual = {name: real.get(name, 1 if kind == "int" else "x") for name, kind in kinds.items()}
        for name, kind in kinds.items():
            for value in HOSTILE.get(kind, TEXTS):
                yield PARAMETER.sub("{\\2}", route).format_map({**usual, name: value})


def _failed(reader: Client, addresses: Iterable[str]) -> list[str]:
    """Those of the addresses at which the site fails."""
    reader.raise_request_exception = False
    failed = []
    for where in addresses:
        cache.clear()  # rate limits are counted in the cache
        if reader.get(where).status_code >= 500:
            failed.append(where[:90])
    return failed


@pytest.mark.slow
@pytest.mark.parametrize("role", ["visitor", "organizer"])
def test_no_parameter_of_a_page_address_makes_it_fail(cast: Cast, role: str) -> None:
    reader = Client() if role == "visitor" else signed_in(cast.organizer)
    assert _failed(reader, (f"/{where}" for where in _addresses(PATTERNS, scenes.audited(cast)))) == []


@pytest.mark.slow
@pytest.mark.parametrize("role", ["visitor", "organizer"])
def test_no_parameter_of_an_api_address_makes_it_fail(cast: Cast, role: str) -> None:
    reader = APIClient() if role == "visitor" else token_client(cast.organizer, "read", "organize", "judge", "play")
    addresses = _addresses(of_api, scenes.audited(cast))
    assert _failed(reader, (f"/api/v1/{where}" for where in addresses)) == []


@pytest.mark.parametrize("where", ["/e/e-%00/", "/players/%00/", "/players/@%00/", "/verify/%00/"])
def test_an_address_with_nul_is_not_found(where: str) -> None:
    assert Client().get(where).status_code == 404


def test_a_query_with_nul_is_refused(cast: Cast) -> None:
    event = scenes.running(cast).event
    for where in ("/", "/events/", address("event", event.public_id), address("sign_in")):
        for name in ("find", "q", "page", "next", "n", "status", "since", "%00"):
            assert Client().get(f"{where}?{name}=a%00b").status_code in (400, 404), (where, name)
    answer = token_client(cast.organizer, "read").get("/api/v1/events/?find=a%00b&status=%00&since=%00")
    assert answer.status_code < 500


def test_a_form_with_nul_is_refused_and_changes_nothing(cast: Cast) -> None:
    event = scenes.draft(cast).event
    for sent in ({"name": "a\x00"}, {"name": "a", "place": "\x00"}, {"name": "a", "\x00": "a"}):
        answer = signed_in(cast.organizer).post(address("staff_details", event.public_id), sent)
        assert answer.status_code == 400 and "NUL" in answer.content.decode()
    event.refresh_from_db()
    assert event.name != "a"


@pytest.mark.parametrize("path", ["/api/v1/events/e-%00/", "/api/v1/nothing/", "/api/v1/leagues/%00/namesakes/"])
def test_the_api_answers_an_address_that_leads_nowhere_as_a_problem(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"
