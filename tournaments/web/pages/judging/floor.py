"""What happens at the tables of a round besides results: judge calls, turns after time, penalty losses."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.events.procedures import Ending
from tournaments.judging.models import Call
from tournaments.judging.selectors import calls_in, end_of, end_turns, minutes_lost
from tournaments.play.models import Clock, Loss, Match, Round
from tournaments.play.services.clock import face
from tournaments.web.pages.judging.call_lines import judge_name


class Mark(NamedTuple):
    """A badge for a table: its words, its look, and the icon that replaces the words where room is short."""

    words: str
    look: str
    icon: str


@dataclass(frozen=True)
class TableFloor:
    """What happens at a table.

    `next_turn` is the turn after time that can be noted next (0 for none), `next_words` the words for it, and `turns`
    how many turns are played after time.
    """

    badges: tuple[Mark, ...] = ()
    next_turn: int = 0
    next_words: str = ""
    turns: int = 0


NOTHING = TableFloor()


def floor_of(round_: Round, clock: Clock | None, now: datetime, matches: QuerySet[Match]) -> dict[int, TableFloor]:
    """What happens at these tables of a round, by match key; empty unless the round is being played.

    The number of queries does not grow with the number of tables.
    """
    if round_.status != Round.Status.PUBLISHED:
        return {}
    end = end_of(round_)
    noted = {match: turn.turn for match, turn in end_turns(round_).items()}
    calls = {call.match_id: call for call in calls_in(round_)}
    losses: dict[int, list[Loss]] = {}
    for loss in Loss.objects.filter(seat__round=round_).prefetch_related("seat", "entrant__member_set__person"):
        if loss.seat is not None:  # the filter leaves out those without a seat
            losses.setdefault(loss.seat.match_id, []).append(loss)
    over = clock is not None and face(clock, now).seconds_left < 0
    floor = {}
    for match in matches.filter(table__isnull=False).values_list("pk", flat=True):
        turn, call = noted.get(match, 0), calls.get(match)
        badges = [Mark(turn_words(end, turn), "warn", "turn")] if turn else []
        badges += [_call_badge(call, now)] if call else []
        badges += [Mark(_loss_badge(loss), "warn", "loss") for loss in losses.get(match, ())]
        coming = turn + 1 if (turn or over) and turn < end.count else 0
        floor[match] = TableFloor(tuple(badges), coming, turn_words(end, coming) if coming else "", end.count)
    return floor


def turn_words(end: Ending, turn: int) -> str:
    """The words for a turn after time, such as “turn 2 of 5”; a day or a round of the table, as the procedures say."""
    words = {
        "turn": _("turn %(n)d of %(most)d"),
        "day": _("day %(n)d of %(most)d"),
        "table_round": _("last round %(n)d of %(most)d"),
    }
    return words[end.unit] % {"n": turn, "most": end.count}


def _call_badge(call: Call, now: datetime) -> Mark:
    if call.claimed_by is not None:
        words = _("%(name)s is at the table") if call.arrived_at else _("%(name)s is on the way")
        return Mark(words % {"name": judge_name(call.claimed_by)}, "info", "judge")
    minutes = minutes_lost(call, now)
    words = ngettext("waiting for a judge: %(n)d minute", "waiting for a judge: %(n)d minutes", minutes)
    return Mark(words % {"n": minutes}, "bad", "call")


def _loss_badge(loss: Loss) -> str:
    if loss.what == Loss.What.MATCH:
        return _("penalty: %(name)s") % {"name": loss.entrant.full_name}
    return _("game %(game)d lost: %(name)s") % {"game": loss.game or 0, "name": loss.entrant.full_name}
