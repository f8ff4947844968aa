"""Staff actions on feature matches: name one, with a delay, and withdraw it.

A match with a player who opted out of streams cannot be a feature match.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.audits.models import Feature
from tournaments.audits.watching import entrants_off_stream
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.play.models import Match

DELAY = 5  # minutes, by default
LEAST, MOST = 1, 60  # minutes; never 0, because both hands are secret while the game lasts


def name_feature(*, match: Match, delay: int, by: User, now: datetime) -> Feature:
    """Let the public follow a match with a delay of `delay` minutes, or change the delay of a feature match.

    Raises InvalidInput `delay_invalid`, Refusal `nothing_to_follow` for a bye or a game that the engine does not know,
    and `keeps_off_streams` if a player of the match opted out of streams.
    """
    event = match.round.stage.event
    if not LEAST <= delay <= MOST:
        raise InvalidInput("delay_invalid", _("The delay can be 1 to 60 minutes."))
    if match.table is None or not event.has_engine:
        raise Refusal("nothing_to_follow", _("No game of this match can be recorded, so none can be followed."))
    with transaction.atomic():
        # Only the match's own row is locked, not the round, stage and event joined to it.
        match = Match.objects.select_for_update(of=("self",)).select_related("round__stage__event").get(pk=match.pk)
        if entrants_off_stream(match):
            raise Refusal(
                "keeps_off_streams",
                _("A player of this match does not want to be on stream, so it cannot be followed."),
            )
        feature, new = Feature.objects.get_or_create(
            match=match, defaults={"delay": delay, "named_by": by, "named_at": now}
        )
        if new or feature.delay != delay:
            feature.delay, feature.named_by, feature.named_at = delay, by, now
            feature.save(update_fields=["delay", "named_by", "named_at"])
            _record(match, by, "feature.named", now, {"delay": delay})
    return feature


def withdraw_feature(*, match: Match, by: User, now: datetime) -> None:
    """Stop showing a match, including its finished games, to the public. Idempotent."""
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match.pk)
        gone, _rows = Feature.objects.filter(match=match).delete()
        if gone:
            _record(match, by, "feature.withdrawn", now, {})


def _record(match: Match, by: User, code: str, now: datetime, after: dict[str, int]) -> None:
    chain = match.round.stage.event.public_id
    ledger.record(chain=chain, actor=by.public_id, code=code, object=match.public_id, now=now, after=after)
