"""Fixtures of the API's tests."""

import json
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from tests.api.scenes import token_client
from tournaments.accounts.models import User
from tournaments.audits import engine_gate


@pytest.fixture(autouse=True)
def fresh_throttles() -> Iterator[None]:
    """Each test counts its requests from zero."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def as_() -> Callable[[User], APIClient]:
    """A client that carries a token with all scopes."""
    return lambda user: token_client(user, "read", "play", "judge", "organize")


@pytest.fixture
def visitor() -> APIClient:
    """A client that carries nothing."""
    return APIClient()


@pytest.fixture
def any_json_is_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs are the engine's business; here a log is any JSON."""

    def fault(document: bytes, game: str, catalogs: object = ()) -> dict[str, object] | None:
        try:
            json.loads(document)
        except ValueError:
            return {"code": "not_json", "message": "", "path": "", "n": None}
        return None

    monkeypatch.setattr(engine_gate, "log_fault", fault)
