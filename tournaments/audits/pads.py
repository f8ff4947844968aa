"""Score pads: the counters that a player notes turn by turn, submitted as a log.

The entries of such a log only claim the counters at the end of each turn. The engine checks their arithmetic and
limits; the best verdict it can give is `plausible`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from engine import face
from tournaments.accounts.models import User
from tournaments.audits.access import SEATS
from tournaments.audits.models import MoveLog
from tournaments.audits.rulesets import ruleset_of
from tournaments.audits.services import submit_log
from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import catalog_of
from tournaments.play.models import Game, Match

MAX_TURNS = 300
MOST = 9_999  # the highest value of a counter
LONGEST_TURN = 36_000  # seconds


def seats_of(match: Match) -> list[str]:
    """The letters that logs use for the seats of a match, such as `["A", "B"]`."""
    return list(SEATS[: match.seats.count()])


def submit_pad(*, game: Game, turns: Sequence[Any], by: User, now: datetime) -> MoveLog:
    """Submit a score pad as a log of its game and queue its audit. Idempotent, as `submit_log` is.

    A turn is `{"by": "A", "claims": {"A.pv": 12}, "seconds": 40}`; `seconds`, its duration, can be left out. The log
    has no decklists, because a player who notes points must not see the opponent's list. Raises InvalidInput
    `pad_unreadable`.
    """
    match = game.match
    event = match.round.stage.event
    seats = seats_of(match)
    verb, facts = face.audits.pad_of(event.game, seats)
    if not turns or len(turns) > MAX_TURNS or not all(_is_turn(turn, seats, facts) for turn in turns):
        raise InvalidInput("pad_unreadable", _("This score pad cannot be read."))
    entrants = match.seats.order_by("number").values_list("entrant__public_id", flat=True)
    catalog = catalog_of(event)
    document = {
        "format": 1,
        "game": event.game,
        "ruleset": ruleset_of(event),
        "catalog": {"id": catalog.id, "sha256": catalog.sha256},
        "match": {
            "event": event.public_id,
            "round": match.round.number,
            "table": match.table or 0,
            "game": game.number,
        },
        "seats": {letter: {"player": player} for letter, player in zip(seats, entrants, strict=True)},
        "recorded_by": {"who": "seats", "when": "live"},
        "moves": [_entry(n, verb, turn) for n, turn in enumerate(turns, 1)],
    }
    return submit_log(game=game, document=face.audits.canonical(document), by=by, now=now)


def _is_turn(turn: Any, seats: Sequence[str], facts: Sequence[str]) -> bool:
    if not isinstance(turn, Mapping) or not set(turn) <= {"by", "claims", "seconds"} or turn.get("by") not in seats:
        return False
    claims, seconds = turn.get("claims"), turn.get("seconds", 0)
    if not isinstance(claims, Mapping) or not claims or not set(claims) <= set(facts):
        return False
    # `type` and not `isinstance`: JSON's true and false are ints in Python.
    whole = all(type(value) is int and 0 <= value <= MOST for value in claims.values())
    return whole and type(seconds) is int and 0 <= seconds <= LONGEST_TURN


def _entry(n: int, verb: str, turn: Mapping[str, Any]) -> dict[str, Any]:
    pace = {"x": {"seconds": turn["seconds"]}} if turn.get("seconds") else {}
    return {"n": n, "by": turn["by"], "do": verb, "claims": dict(turn["claims"]), **pace}
