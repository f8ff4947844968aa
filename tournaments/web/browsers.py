"""Keeps the notifications of a browser on when a password is changed there, which gives the browser another session."""

from typing import Any

from allauth.account.signals import password_changed, password_set
from allauth.usersessions.models import UserSession
from django.http import HttpRequest

from tournaments.accounts.models import User
from tournaments.notices.devices import keep_device
from tournaments.web.pages.account.notices import KEPT_IN_SESSION


def follow() -> None:
    """Connect the signals. Those of allauth, which add the new session to the list of browsers, come first."""
    for signal in (password_changed, password_set):
        signal.connect(_keep)


def _keep(request: HttpRequest, user: User, **_more: Any) -> None:
    device = request.session.get(KEPT_IN_SESSION)
    session = UserSession.objects.filter(session_key=request.session.session_key).first()
    if device and session:
        keep_device(user=user, public_id=device, session=session)
