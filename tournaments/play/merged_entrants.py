"""Undo merges of entrants on paper, to verify rounds that were paired before the merge.

A merge gives one entrant's rounds to the other. The pairing of an earlier round knew both, so its inputs must show both
again. What is needed for that is stored in the merge's ledger entry.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournaments.common.models import LedgerEntry
from tournaments.play.models import Seat


class Line(NamedTuple):
    """A one-seat match (a missed round or a bye) that a merge removed: round, kind, and games counted as won."""

    round: int
    kind: str
    won: int


class Merged(NamedTuple):
    """A merge as its ledger entry describes it.

    `gone` and `kept` are public ids, `rounds` the rounds that passed from one to the other, and `lines` the removed
    lines with the entrant each belonged to.
    """

    gone: str
    kept: str
    rounds: frozenset[int]
    lines: tuple[tuple[str, Line], ...]


def lines_of(seats: QuerySet[Seat]) -> list[Line]:
    """The lines that these seats make."""
    rows = seats.order_by("round__number").values_list("round__number", "match__kind", "games_won")
    return [Line(number, kind, won or 0) for number, kind, won in rows]


def ledger_values(rounds: Iterable[int], lines: Iterable[tuple[str, Line]]) -> dict[str, Any]:
    """The `after` value of a merge's ledger entry: opaque ids and numbers only."""
    return {"rounds": sorted(rounds), "lines": [[player, *line] for player, line in lines]}


def read_merge(object_: str, before: Any, after: Any) -> Merged | None:
    """Read a merge from its ledger entry; None for old entries that do not say which rounds were merged."""
    if not isinstance(after, dict) or "rounds" not in after:
        return None
    lines = tuple((player, Line(*line)) for player, *line in after["lines"])
    return Merged(before["entrant"], object_, frozenset(after["rounds"]), lines)


def merges_after(chain: str, number: int) -> list[Merged]:
    """The merges in an event after ledger entry `number`, newest first."""
    entries = LedgerEntry.objects.filter(chain=chain, code="entrant.merged", number__gt=number).order_by("-number")
    read = (read_merge(entry.object, entry.before, entry.after) for entry in entries)
    return [merged for merged in read if merged is not None]


def undo_merge(inputs: dict[str, Any], number: int, merged: Merged) -> None:
    """Undo one merge in the inputs of round `number`, in place. For a first Swiss stage only.

    `inputs` is what `pairing_inputs.inputs_of` returns. Undo several merges newest first.
    """
    for played, round_ in enumerate(inputs["rounds"], 1):
        if played in merged.rounds:
            for match in round_["matches"]:
                match["a"], match["b"] = (_before(match[seat], merged) for seat in ("a", "b"))
        round_["matches"] += [
            {"a": player, "b": None, "score": f"{line.won}-0-0", "kind": line.kind}
            for player, line in merged.lines
            if line.round == played
        ]
    # At most one of the two was seated in round `number`; the other counts as dropped.
    here = number in merged.rounds
    kept = next(player for player in inputs["players"] if player["id"] == merged.kept)
    inputs["players"].append({**kept, "id": merged.gone, "dropped": kept["dropped"] if here else True})
    if here:
        kept["dropped"] = True
        inputs["pairs"] = [[_before(player, merged) for player in pair] for pair in inputs["pairs"]]
        inputs["bye"] = _before(inputs["bye"], merged)


def _before(player: str | None, merged: Merged) -> str | None:
    return merged.gone if player == merged.kept else player
