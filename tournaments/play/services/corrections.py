"""Corrections of results that count: after the end of the event, and what they mean for pairings made since."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments.accounts.models import User
from tournaments.events.models import Event
from tournaments.play.models import Match
from tournaments.play.services.events import reopen_event
from tournaments.play.services.results import override_result


def correct_after_end(
    *,
    match: Match,
    by: User,
    games: Sequence[Any],
    now: datetime,
    reason: str,
    kind: str = Match.Kind.PLAYED,
    seen: int | None = None,
    acknowledged: bool = False,
) -> None:
    """Reopen the finished event of a match and correct its result: both, or neither. The reason is that of both.

    An event that somebody has reopened meanwhile is just corrected. `seen` and `acknowledged` as in `override_result`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(stages__rounds=match.round_id)
        if event.status == Event.Status.FINISHED:
            reopen_event(event=event, by=by, now=now, reason=reason)
        override_result(
            match=match,
            by=by,
            games=games,
            kind=kind,
            reason=reason,
            seen=seen,
            acknowledged=acknowledged,
            now=now,
        )
