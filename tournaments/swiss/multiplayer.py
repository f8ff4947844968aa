"""Standings of tables with 2 to 5 players, scored by rank or by victory points.

This is the scheme `multiplayer`, described in docs/tiebreaks.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tournaments.swiss.columns import Column, Part, common, ranks
from tournaments.swiss.field import SwissError
from tournaments.swiss.standings import Figure, Row, whole

NAME = "multiplayer"
TERMS = ("rank_points", "tables_won", "victory_share")
LARGEST = 5
MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """One player at a table. Ranks start at 1 and equal ones are shared; without ranks, the victory points decide."""

    player: str
    points: int = 0
    rank: int | None = None


Table = tuple[Place, ...]


def standings(players: Sequence[str], rounds: Sequence[Sequence[Table]]) -> tuple[Row, ...]:
    """The standings, first rank first, equal ranks in the order of ids.

    `rounds` are lists of tables. Raises `SwissError` `unknown_player`, `duplicate_player`, `paired_twice`,
    `table_size`, `bad_rank` or `bad_points`, with the path.
    """
    parts: dict[str, dict[str, list[Part]]] = {player: {name: [] for name in TERMS} for player in players}
    if len(parts) < len(players):
        raise SwissError("duplicate_player", "a player is listed twice", "players")
    for number, tables in enumerate(rounds, start=1):
        seen: set[str] = set()
        for index, table in enumerate(tables):
            path = f"rounds[{number - 1}].tables[{index}]"
            levels = _checked(table, parts, seen, path)
            for seat, place in enumerate(table):
                for name, part in zip(TERMS, _parts(table, levels, seat, number), strict=True):
                    if part is not None:
                        parts[place.player][name].append(part)
    order = sorted(parts)
    columns = [_column(name, [parts[player][name] for player in order]) for name in TERMS]
    return tuple(_row(rank, order[i], i, columns) for i, rank in ranks(range(len(order)), columns).items())


def _row(rank: int, player: str, number: int, columns: Sequence[Column]) -> Row:
    """One row. The record counts tables won (alone or shared) and all others."""
    figures = tuple(
        Figure(name, column.of(number), column.how, column.parts(number))
        for name, column in zip(TERMS, columns, strict=True)
    )
    tables, won, _shares = figures
    byes = sum(part.note == "bye" for part in tables.parts)
    firsts = len(won.parts)
    return Row(
        rank,
        player,
        whole(tables.value),
        {figure.name: figure.value for figure in figures},
        (firsts, len(tables.parts) - byes - firsts, 0),
        byes,
        figures,
    )


def _checked(table: Table, known: Mapping[str, object], seen: set[str], path: str) -> list[int]:
    """Validate a table and return the rank of each place, as given or by victory points."""
    if not 1 <= len(table) <= LARGEST:
        raise SwissError("table_size", f"a table has 1 to {LARGEST} players", path)
    for place in table:
        if place.player not in known:
            raise SwissError("unknown_player", f"{place.player} is not a player of the event", path)
        if place.player in seen:
            raise SwissError("paired_twice", f"{place.player} plays twice in one round", path)
        if not 0 <= place.points <= MOST_POINTS:
            raise SwissError("bad_points", f"victory points are from 0 to {MOST_POINTS:,}", path)
        seen.add(place.player)
    given = [place.rank for place in table]
    if given == [None] * len(table):
        return [1 + sum(other.points > place.points for other in table) for place in table]
    levels = [rank for rank in given if rank is not None]
    # Ranks must be shared the way they are counted: 1, 2, 2, 4 is valid, 1, 2, 2, 3 is not.
    if levels != [1 + sum(other < rank for other in levels) for rank in levels] or len(levels) < len(table):
        raise SwissError("bad_rank", "the ranks of a table are 1, 2, … without a gap, equal ones shared, or none", path)
    return levels


def _parts(table: Table, levels: Sequence[int], seat: int, number: int) -> tuple[Part, Part | None, Part | None]:
    """What a table gives a seat: rank points, its part of the first place, and its share of the victory points."""
    size, level, points = len(table), levels[seat], table[seat].points
    if size == 1:
        return Part(Fraction(1), round=number, note="bye"), None, None
    behind, equal = sum(other > level for other in levels), levels.count(level)
    # 1 for the first, 0 for the last whatever the size of the table. Tied players share the mean of their places.
    middle = Fraction(2 * behind + equal - 1, 2 * (size - 1))
    won = Part(Fraction(1, equal), round=number) if level == 1 else None
    total = sum(place.points for place in table)
    if total:
        share = Part(Fraction(points, total), round=number, got=points, of=total)
    else:
        # Nobody scored victory points: equal shares.
        share = Part(Fraction(1, size), round=number)
    return Part(middle, round=number, got=level, of=size), won, share


def _column(name: str, parts: Sequence[Sequence[Part]]) -> Column:
    """Add up the parts; for the shares of victory points, take their mean."""
    values = [sum((part.value for part in each), Fraction(0)) for each in parts]
    how = "mean" if name == "victory_share" else "sum"
    if how == "mean":
        values = [value / len(each) if each else value for value, each in zip(values, parts, strict=True)]
    unit = common(value.denominator for value in values) or 1
    return Column([value * unit for value in values], unit, how, lambda i: tuple(parts[i]))


def tables_of(data: Any) -> tuple[list[str], list[list[Table]]]:
    """Read players and rounds from JSON.

    The shape is `{"players": [{"id"}], "rounds": [{"tables": [[{"player", "points"?, "rank"?}]]}]}`. Raises
    `SwissError` `bad_input`, `bad_player`, `bad_round` or `bad_place` with the path of the first defect.
    """
    if not isinstance(data, dict) or not isinstance(data.get("players"), list):
        raise SwissError("bad_input", "the input is an object with players and rounds", "players")
    players = [_id(entry, f"players[{i}]") for i, entry in enumerate(data["players"])]
    rounds = data.get("rounds", [])
    if not isinstance(rounds, list):
        raise SwissError("bad_input", "rounds is a list", "rounds")
    return players, [_round(entry, f"rounds[{i}]") for i, entry in enumerate(rounds)]


def _id(entry: Any, path: str) -> str:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"]:
        raise SwissError("bad_player", "a player is an object with an id", path)
    return str(entry["id"])


def _round(entry: Any, path: str) -> list[Table]:
    tables = entry.get("tables") if isinstance(entry, dict) else None
    if not isinstance(tables, list) or not all(isinstance(table, list) for table in tables):
        raise SwissError("bad_round", "a round is an object with tables, lists of places", path)
    return [
        tuple(_place(place, f"{path}.tables[{i}][{seat}]") for seat, place in enumerate(table))
        for i, table in enumerate(tables)
    ]


def _place(entry: Any, path: str) -> Place:
    if not isinstance(entry, dict) or not isinstance(entry.get("player"), str) or entry.keys() - {"player", *_WHOLE}:
        raise SwissError("bad_place", "a place is an object with player, points and rank", path)
    for name in _WHOLE:
        value = entry.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int):
            raise SwissError("bad_place", f"{name} is a whole number", f"{path}.{name}")
    return Place(**entry)


_WHOLE = ("points", "rank")


def shown(row: Row) -> dict[str, Any]:
    """A row as JSON."""
    return {
        "rank": row.rank,
        "player": row.player,
        "points": float(row.points),
        **{name: float(value) for name, value in row.terms.items()},
        "exact": {name: str(value) for name, value in row.terms.items()},
        "won": row.record[0],
        "tables": sum(row.record),
        "byes": row.byes,
    }
