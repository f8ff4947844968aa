"""A match played again, by a ruling: its result is taken away. In a bracket also once its round is closed."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.play.effects import Effect
from tournaments.play.models import Match, Round
from tournaments.play.services.results import void_result
from tournaments.play.services.rounds import discard_draft, has_begun, reopen_round, unpublish_round


def replay_match(*, match: Match, by: User, now: datetime, note: str = "", acknowledged: bool = False) -> None:
    """Have a match played again, as `void_result` does.

    A closed round of a bracket is opened again for it. The next round is taken back, since its matches wait for this
    one: that is said first (`affects_later`) and done when `acknowledged`. Refused (`next_round_begun`) once something
    was done there: then the match is played again as it stands, and its result corrected.
    """
    with transaction.atomic():
        Event.objects.select_for_update().get(stages__rounds=match.round_id)
        round_ = Round.objects.select_related("stage").get(pk=match.round_id)
        if round_.stage.is_bracket and round_.status == Round.Status.CLOSED:
            _take_back_next(round_, by, now, acknowledged)
            reopen_round(round_=round_, by=by, now=now)
        void_result(match=match, by=by, now=now, note=note)


def can_be_replayed(match: Match) -> bool:
    """Whether `replay_match` would do it now, as far as the rounds tell."""
    round_ = match.round
    if match.seats.count() < 2:
        return False
    if round_.status != Round.Status.CLOSED:
        return True
    if not round_.stage.is_bracket or round_.stage.event.stages.filter(
        number__gt=round_.stage.number, started_at__isnull=False
    ):
        return False
    later = list(round_.stage.rounds.filter(number__gt=round_.number).order_by("number"))
    return not later or (len(later) == 1 and later[0].status != Round.Status.CLOSED and not has_begun(later[0]))


def _take_back_next(round_: Round, by: User, now: datetime, acknowledged: bool) -> None:
    later = list(round_.stage.rounds.filter(number__gt=round_.number).order_by("number"))
    if not later:
        return
    following = later[0]
    if len(later) > 1 or following.status == Round.Status.CLOSED or has_begun(following):
        raise Refusal("next_round_begun", _("The next round has begun: correct the result once it is played again."))
    if not acknowledged:
        effect = Effect("taken_back", "", "")
        raise Refusal(
            "affects_later",
            _("What was played since stands on this result: look at what changes, then confirm it."),
            details=[effect.as_json()],
        )
    if following.status == Round.Status.PUBLISHED:
        unpublish_round(round_=following, by=by, now=now)
    discard_draft(round_=following, by=by, now=now)
