"""The logs contain no secrets of links."""

import logging
import re

import pytest
from django.test import Client
from django.urls import get_resolver

from tournaments.common.logs import SECRET_PARTS, HideSecrets, routes

SECRET = "b0w-HI7_hidden"
NAMED = [route for route in routes(get_resolver().url_patterns) if set(re.findall(r"(\w+)>", route)) & SECRET_PARTS]
NOT_SECRET = re.compile(
    r"\w+_id|pk|n|number|key|kind|name|action|what|step|form|table|role|account|provider|pair|game|catalog|ref|who|other"
    r"|uidb64"
)
"""The names of parts of addresses that are ids, numbers and choices."""


def _logged(message: str, *args: object) -> str:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, message, args, None)
    assert HideSecrets().filter(record)
    return record.getMessage()


def _address(route: str) -> str:
    """An address of this route, with `SECRET` for its secrets."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda part: SECRET if part[1] in SECRET_PARTS else "e-2zkgy5", route)


@pytest.mark.parametrize("route", NAMED)
@pytest.mark.parametrize(
    "message", ["Not Found: %s", "Method Not Allowed (POST): %s?next=/", '"GET /under%s HTTP/1.1"']
)
def test_the_secret_of_no_address_is_logged(route: str, message: str) -> None:
    logged = _logged(message, _address(route))
    assert SECRET not in logged and "…" in logged
    assert _address(route).partition(SECRET)[0] in logged, "what is not secret stays"


def test_all_kinds_of_secret_addresses_are_among_those_tested() -> None:
    beginnings = {route.partition("/")[0] for route in NAMED}
    assert beginnings >= {"link", "reset", "address", "letters", "claim", "join", "feed", "seat", "team"}
    assert beginnings >= {"invitation", "entry-invitation"}


def test_every_part_of_an_address_is_known_to_be_secret_or_not() -> None:
    parts = {name for route in routes(get_resolver().url_patterns) for name in re.findall(r"<(?:\w+:)?(\w+)>", route)}
    assert {name for name in parts - SECRET_PARTS if not NOT_SECRET.fullmatch(name)} == set()


@pytest.mark.parametrize("name", ["code", "state", "token"])
def test_secrets_in_a_query_are_not_logged(name: str) -> None:
    assert _logged(f"Bad Request: /openid/club/back/?{name}={SECRET}&x=1") == (
        f"Bad Request: /openid/club/back/?{name}=…&x=1"
    )


def test_a_refused_request_is_logged_without_its_secret(client: Client, caplog: pytest.LogCaptureFixture, db) -> None:
    with caplog.at_level(logging.WARNING, "django.request"):
        assert client.get(f"/feed/u-2zkgy5/{SECRET}/events.ics").status_code == 404
    (record,) = [record for record in caplog.records if record.name == "django.request"]
    assert HideSecrets().filter(record)
    assert record.getMessage() == "Not Found: /feed/u-2zkgy5/…/events.ics"


def test_other_log_messages_are_unchanged() -> None:
    assert _logged("job %s done", 7) == "job 7 done"
    assert _logged("Not Found: /e/e-2zkgy5/standings/") == "Not Found: /e/e-2zkgy5/standings/"
