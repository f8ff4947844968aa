"""Have a match played again after a ruling. Unlike voiding a result, this can undo rounds of a bracket."""

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
    """Void the result of a match, so that it is played again (see `void_result`).

    In a bracket, the match may be of a closed round. That round is then opened again, and the next one is taken back,
    because its players depend on this match: refused (`affects_later`) unless `acknowledged`. Once something was done
    in the next round, this is refused (`next_round_begun`): the match can still be played again while its result
    stands, and the result corrected afterwards.
    """
    with transaction.atomic():
        # The steps below lock the event too; locked here, nothing changes between them.
        Event.objects.select_for_update().get(stages__rounds=match.round_id)
        round_ = Round.objects.select_related("stage").get(pk=match.round_id)
        if round_.stage.is_bracket and round_.status == Round.Status.CLOSED:
            _take_back_next(round_, by, now, acknowledged)
            reopen_round(round_=round_, by=by, now=now)
        void_result(match=match, by=by, now=now, note=note)


def can_be_replayed(match: Match, now: datetime) -> bool:
    """Whether `replay_match` would be possible at `now`, as far as the state of the rounds tells."""
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
    return not later or (len(later) == 1 and later[0].status != Round.Status.CLOSED and not has_begun(later[0], now))


def _take_back_next(round_: Round, by: User, now: datetime, acknowledged: bool) -> None:
    later = list(round_.stage.rounds.filter(number__gt=round_.number).order_by("number"))
    if not later:
        return
    following = later[0]
    if len(later) > 1 or following.status == Round.Status.CLOSED or has_begun(following, now):
        raise Refusal(
            "next_round_begun", _("The next round has begun: correct the result once the match has been played again.")
        )
    if not acknowledged:
        effect = Effect("taken_back", "", "")
        raise Refusal(
            "affects_later",
            _("Later matches depend on this result: look at what changes, then confirm it."),
            details=[effect.as_json()],
        )
    if following.status == Round.Status.PUBLISHED:
        unpublish_round(round_=following, by=by, now=now)
    discard_draft(round_=following, by=by, now=now)
