"""Fixtures for the API tests."""

import json
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from engine import face
from tests.api.scenes import token_client
from tournaments.accounts.models import User


@pytest.fixture(autouse=True)
def fresh_throttles() -> Iterator[None]:
    """Let each test start with empty rate-limit counters."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def as_() -> Callable[[User], APIClient]:
    """A function that returns a client with a token of all scopes for a user."""
    return lambda user: token_client(user, "read", "play", "judge", "organize")


@pytest.fixture
def visitor() -> APIClient:
    """A client without credentials."""
    return APIClient()


@pytest.fixture
def any_json_is_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept any JSON as a log: whether a log is valid is the engine's business, and is tested there."""

    def fault(document: bytes, game: str, language: str, catalogs: object = ()) -> dict[str, object] | None:
        try:
            json.loads(document)
        except ValueError:
            return {"code": "not_json", "message": "", "path": "", "n": None}
        return None

    monkeypatch.setattr(face.audits, "log_fault", fault)
    monkeypatch.setattr(face.audits, "ruleset_in", lambda document: "safir-v2@1")
