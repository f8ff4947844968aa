"""Sessions are compatible with Django's in both directions, and an expired session does not sign in."""

from datetime import timedelta

import pytest
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.cast import Cast
from tests.web.pages import address, signed_in
from tournaments.accounts.sessions import SessionStore

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("writer", "reader"), [(db.SessionStore, SessionStore), (SessionStore, db.SessionStore)])
def test_sessions_are_compatible_with_djangos_in_both_directions(
    writer: type[db.SessionStore], reader: type[db.SessionStore]
) -> None:
    written = writer()
    written["seat"] = 7
    written.save()
    assert reader(written.session_key)["seat"] == 7


def test_an_expired_or_unknown_session_is_empty_and_gets_a_new_key(cast: Cast) -> None:
    client = signed_in(cast.player)
    assert client.get(address("account")).status_code == 200
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get(address("account")).status_code == 302
    store = SessionStore("x" * 32)
    store["seat"] = 1
    store.save()
    assert store.session_key != "x" * 32
    assert Client().get(address("account")).status_code == 302
