"""What a merge of two entries joined, taken apart again: for rounds that were paired before it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournaments.common.models import LedgerEntry
from tournaments.play.models import Seat


class Line(NamedTuple):
    """A bye without a table that a merge took away: its round, its kind, the games that it counted as won."""

    round: int
    kind: str
    won: int


class Merged(NamedTuple):
    """A merge as its ledger entry tells it: the entry that went, the one that stayed, which rounds went over, and the
    lines that gave way.
    """

    gone: str
    kept: str
    rounds: frozenset[int]
    lines: tuple[tuple[str, Line], ...]


def lines_of(seats: QuerySet[Seat]) -> list[Line]:
    """The byes of these seats."""
    rows = seats.order_by("round__number").values_list("round__number", "match__kind", "games_won")
    return [Line(number, kind, won or 0) for number, kind, won in rows]


def as_told(rounds: Iterable[int], lines: Iterable[tuple[str, Line]]) -> dict[str, Any]:
    """What the ledger keeps of a merge after it: opaque ids and figures."""
    return {"rounds": sorted(rounds), "lines": [[player, *line] for player, line in lines]}


def read_merge(object_: str, before: Any, after: Any) -> Merged | None:
    """A merge from its ledger entry; None from one that told too little, before it was kept."""
    if not isinstance(after, dict) or "rounds" not in after:
        return None
    lines = tuple((player, Line(*line)) for player, *line in after["lines"])
    return Merged(before["entrant"], object_, frozenset(after["rounds"]), lines)


def merges_after(chain: str, number: int) -> list[Merged]:
    """The merges of an event after a ledger entry, the newest first."""
    entries = LedgerEntry.objects.filter(chain=chain, code="entrant.merged", number__gt=number).order_by("-number")
    read = (read_merge(entry.object, entry.before, entry.after) for entry in entries)
    return [merged for merged in read if merged is not None]


def take_apart(told: dict[str, Any], number: int, merged: Merged) -> None:
    """Change what round `number` of a first Swiss stage was paired from, as `inputs_of` tells it: as before a merge."""
    for played, round_ in enumerate(told["rounds"], 1):
        if played in merged.rounds:
            for match in round_["matches"]:
                match["a"], match["b"] = (_before(match[seat], merged) for seat in ("a", "b"))
        round_["matches"] += [
            {"a": player, "b": None, "score": f"{line.won}-0-0", "kind": line.kind}
            for player, line in merged.lines
            if line.round == played
        ]
    here = number in merged.rounds
    kept = next(player for player in told["players"] if player["id"] == merged.kept)
    told["players"].append({**kept, "id": merged.gone, "dropped": kept["dropped"] if here else True})
    if here:
        kept["dropped"] = True
        told["pairs"] = [[_before(player, merged) for player in pair] for pair in told["pairs"]]
        told["bye"] = _before(told["bye"], merged)


def _before(player: str | None, merged: Merged) -> str | None:
    return merged.gone if player == merged.kept else player
