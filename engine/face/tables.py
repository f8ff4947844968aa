"""How a game lies on the table, and how its moves are entered: from the `table.toml` and the `taps` of its package."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from engine.core.text.registry import module, package


@dataclass(frozen=True)
class Table:
    """Where the zones of a game lie, and what its moves are made of.

    `lines` are the lines of zones of one seat, from the middle of the table outwards; zones that no line has are piles.
    `facing` is a common row of slots, and the zone whose cards face one of them: these lie opposite it. `track` is a
    common row of regions along which each seat moves two counters (`walkers`) towards each other. If `unlisted`,
    players get cards that are on nobody's list.

    `moves` are the verbs that a form can enter, with the kind of each argument: "number", "numbers", "card", "place",
    "places", "payment", or the words to choose from.
    """

    lines: tuple[tuple[str, ...], ...] = ()
    facing: tuple[str, str] | None = None
    track: str = ""
    walkers: tuple[str, ...] = ()
    unlisted: bool = False
    moves: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@cache
def table_of(game: str) -> Table:
    """The table of a game. Raises Unsupported `unknown_game`."""
    read = tomllib.loads(files(package(game)).joinpath("table.toml").read_text(encoding="utf-8"))
    facing = read.get("facing")
    return Table(
        tuple(map(tuple, read["lines"])),
        (facing[0], facing[1]) if facing else None,
        read.get("track", ""),
        tuple(read.get("walkers", ())),
        read.get("unlisted", False),
        read["moves"],
    )


@cache
def _taps(game: str) -> ModuleType | None:
    """The module `taps` of a game whose moves name places by coordinates; None for the others."""
    return module(game, "taps") if find_spec(f"{package(game)}.taps") else None


def places_named(
    args: Mapping[str, Any], by: str, board: Mapping[str, Any], kinds: Mapping[str, str]
) -> tuple[list[str], dict[str, Any]]:
    """The places that the coordinates among the arguments of a move name, and the other arguments.

    `kinds` are the kinds of cards by ref.
    """
    own = _taps(board["game"])
    found: tuple[list[str], dict[str, Any]] = own.places(args, by, board, kinds) if own else ([], dict(args))
    return found


def aims(move: Mapping[str, Any], board: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """Pairs of places, from each card that acts to its aim, for a move that says so by coordinates; None for others."""
    own = _taps(board["game"])
    found: list[tuple[str, str]] | None = own.aims(move, board) if own else None
    return found
