"""Standings as JSON: ratios as decimals and as exact fractions, and figures broken down into their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournaments.swiss.columns import Part
from tournaments.swiss.field import Field, SwissError
from tournaments.swiss.standings import SwissRow


@dataclass(frozen=True, slots=True)
class Cut:
    """The players who continue after a round of the Swiss part.

    All others keep the rank they had after round `after`.
    """

    after: int
    advancing: frozenset[str]


def shown(row: SwissRow) -> dict[str, Any]:
    """A row with its figures, the counts behind them, and the opponents in the order they were met."""
    crosstable = row.table.crosstable
    tally = crosstable.tallies[row.number]
    terms = row.terms
    return {
        "rank": row.rank,
        "player": row.player,
        "points": row.points if isinstance(row.points, int) else float(row.points),
        **{name: float(value) for name, value in terms.items()},
        "exact": {name: str(value) for name, value in terms.items()},
        "won": tally.won,
        "lost": tally.lost,
        "drawn": tally.drawn,
        "byes": tally.byes,
        "rounds": tally.rounds,
        "game_points": tally.game_points,
        "games": tally.games,
        "opponents": [crosstable.name(other) for other in crosstable.met[row.number]],
    }


def opened(row: SwissRow) -> dict[str, Any]:
    """The figures of a row, each with its exact value, its parts, and how these combine."""
    return {
        "figures": [
            {
                "name": figure.name,
                "value": str(figure.value),
                "how": figure.how,
                "parts": [part_of(part) for part in figure.parts],
            }
            for figure in row.explain
        ]
    }


def part_of(part: Part) -> dict[str, Any]:
    """A part as JSON, without empty values."""
    fields = {
        "round": part.round or None,
        "player": part.player or None,
        "value": str(part.value),
        "got": part.got,
        "of": part.of,
        "note": part.note or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def cut_of(data: dict[str, Any], field: Field) -> Cut | None:
    """Read the cut `{"cut": {"after": 9, "advancing": ["P1", …]}}`, if any. Raises `SwissError` `bad_cut`."""
    cut = data.get("cut")
    if cut is None:
        return None
    if not isinstance(cut, dict) or cut.keys() != {"after", "advancing"}:
        raise SwissError("bad_cut", "a cut is an object with after and advancing", "cut")
    after, advancing = cut["after"], cut["advancing"]
    # In Python True is an int.
    if isinstance(after, bool) or not isinstance(after, int) or not 0 <= after <= len(field.rounds):
        raise SwissError("bad_cut", "a cut comes after one of the rounds", "cut.after")
    if not isinstance(advancing, list) or not all(isinstance(player, str) for player in advancing):
        raise SwissError("bad_cut", "who advances is a list of ids", "cut.advancing")
    return Cut(after, frozenset(advancing))
