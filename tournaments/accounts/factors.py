"""The second factors of an account and the browsers it is signed in on, both stored by allauth."""

from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from tournaments.accounts.addresses import tell_of_change
from tournaments.accounts.models import User

SECOND = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""The kinds that are asked for after a password. Recovery codes only stand in for one of these."""


def remove_second_factors(*, user: User, now: datetime) -> int:
    """Remove every second factor of somebody who lost theirs, and write to them; return how many there were.

    Recovery codes are removed too. Browsers that are signed in stay so.
    """
    with transaction.atomic():
        found = Authenticator.objects.filter(user=user)
        removed: int = found.filter(type__in=SECOND).count()
        found.delete()
        if removed:
            tell_of_change(user=user, change="factors_removed", now=now)
    return removed


def factors_as_data(user: User) -> list[dict[str, Any]]:
    """What is stored about the second factors of an account, without their secrets."""
    return [
        {
            "kind": factor.type,
            "name": str(factor.data.get("name", "")),
            "added": factor.created_at.isoformat(),
            "last_used": factor.last_used_at.isoformat() if factor.last_used_at else None,
        }
        for factor in Authenticator.objects.filter(user=user).order_by("pk")
    ]


def forget_browser(*, session_key: str | None) -> None:
    """Forget a browser that signs out."""
    UserSession.objects.filter(session_key=session_key).delete()


def forget_ended_browsers() -> None:
    """Forget the browsers whose sessions are deleted."""
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def browsers_as_data(user: User) -> list[dict[str, Any]]:
    """What is stored about the browsers that an account is signed in on."""
    return [
        {"browser": session.user_agent, "address": session.ip, "since": session.created_at.isoformat()}
        for session in UserSession.objects.filter(user=user).order_by("pk")
    ]
