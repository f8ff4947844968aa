"""What the tests that run on every game need to know of each: test cards, default positions, decks, possible moves.

`KITS` has one `Kit` for each game, `LISTS` what the deck scenarios need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.table.game import Move
from engine.core.table.state import State
from tests.engine import cast, domain
from tests.engine.altered import cast as altered
from tests.engine.altered import domain as altered_domain
from tests.engine.altered import lists
from tests.engine.saint_seiya import cast as seiya
from tests.engine.saint_seiya import domain as seiya_domain
from tests.engine.stellar_nexus import cast as stellar
from tests.engine.stellar_nexus import domain as stellar_domain
from tests.engine.wakfu import cast as wakfu
from tests.engine.wakfu import domain as wakfu_domain

NOTES = ("attacked", "arrived", "sacrificed", "moved")


@dataclass(frozen=True)
class Kit:
    """One game under test.

    - `prefix`: the start of its rule ids (`SAF`); `lines`: the number of lines of its rule text.
    - `catalog`, `header`, `filler`: its test cards, the header of a log, and filler cards for a deck.
    - `side`, `common`, `turn`, `memory`: the defaults of a declared position.
    - `every_argument`, `turn_moves`: every move that can be written in a position with the given cards.
    - `plainly_legal`: a second, naive reading of the rule text, from the judge's board.
    - `drawn`: the card that every draw gives in the move counts of `test_perft.py`.
    """

    game: str
    ruleset: str
    prefix: str
    lines: int
    catalog: Callable[[], Catalog]
    header: Callable[..., dict[str, Any]]
    side: Callable[[dict[str, Any]], dict[str, Any]]
    filler: Callable[[int], Sequence[str]]
    every_argument: Callable[[State, Sequence[str]], Iterator[Move]]
    turn_moves: Callable[[State, str, Sequence[str]], Iterator[Move]]
    plainly_legal: Callable[[State, dict[str, Any], Move], bool]
    drawn: str
    turn: Mapping[str, Any]
    memory: Mapping[str, Any]
    common: Callable[[dict[str, Any]], dict[str, Any]] = dict

    @property
    def folder(self) -> str:
        """The name of the package of the game, and of its folders and files of test data."""
        return self.game.replace("-", "_")


def _safir_side(given: dict[str, Any]) -> dict[str, Any]:
    """Return one side of a declared position: by default an empty mat, 10 hidden cards in hand and 20 in the deck."""
    territory: dict[str, list[Any]] = {"fighters": [None] * 3, "magics": [None] * 3, "discard": []}
    filled: dict[str, Any] = {"pv": 0, "pi": 0, "hand": 10, "deck": 20, "commander": None, "aside": None}
    filled |= {f"T{t}": dict(territory) for t in (1, 2, 3)}
    for key, value in given.items():
        filled[key] = filled[key] | value if isinstance(value, dict) else value
    return filled


def _safir_filler(count: int) -> Sequence[str]:
    """Return `count` filler fighters, two copies each."""
    return [f"F-{atk}-9-{n}" for atk in (9, 8) for n in cast.FIGURES for _ in (1, 2)][:count]


SAFIR = Kit(
    game="star-safir",
    ruleset="safir-v2@1",
    prefix="SAF",
    lines=416,
    catalog=cast.catalog,
    header=cast.header,
    side=_safir_side,
    filler=_safir_filler,
    every_argument=lambda state, refs: domain.every_argument(refs),
    turn_moves=lambda state, seat, refs: domain.turn_moves(seat, refs),
    plainly_legal=domain.plainly_legal,
    drawn="M-1",
    turn={"n": 5, "seat": "A", "phase": "invocation", "first": "A"},
    memory={note: [] for note in NOTES},
)
WAKFU = Kit(
    game="wakfu",
    ruleset="wakfu-2008@1",
    prefix="WAK",
    lines=85,
    catalog=wakfu.catalog,
    header=wakfu.header,
    side=wakfu.side,
    filler=wakfu.filler,
    every_argument=wakfu_domain.every_argument,
    turn_moves=wakfu_domain.turn_moves,
    plainly_legal=wakfu_domain.plainly_legal,
    drawn="G-0",
    turn={"n": 5, "seat": "A", "phase": "invocation", "first": "A"},
    memory={"shared": [], "won": [], "ready": []},
)
STELLAR = Kit(
    game="stellar-nexus",
    ruleset="stellar-1.4@1",
    prefix="STN",
    lines=278,
    catalog=stellar.catalog,
    header=stellar.header,
    side=stellar.side,
    filler=stellar.filler,
    every_argument=stellar_domain.every_argument,
    turn_moves=stellar_domain.turn_moves,
    plainly_legal=stellar_domain.plainly_legal,
    drawn="C-0-1-1",
    turn={"n": 5, "seat": "A", "phase": "principale1", "first": "A"},
    memory={note: [] for note in stellar.NOTES},
)
ALTERED = Kit(
    game="altered",
    ruleset="altered-2024@1",
    prefix="ALT",
    lines=182,
    catalog=altered.catalog,
    header=altered.header,
    side=altered.side,
    filler=altered.filler,
    every_argument=altered_domain.every_argument,
    turn_moves=altered_domain.turn_moves,
    plainly_legal=altered_domain.plainly_legal,
    drawn="P-3-2-000",
    turn={"n": 3, "seat": "A", "phase": "apres-midi", "first": "A"},
    memory={note: [] for note in altered.NOTES},
    common=altered.common,
)
SEIYA = Kit(
    game="saint-seiya",
    ruleset="seiya-base@1",
    prefix="SSD",
    lines=152,
    catalog=seiya.catalog,
    header=seiya.header,
    side=seiya.side,
    filler=seiya.filler,
    every_argument=seiya_domain.every_argument,
    turn_moves=seiya_domain.turn_moves,
    plainly_legal=seiya_domain.plainly_legal,
    drawn="H",
    turn={"n": 5, "seat": "A", "phase": "principale", "first": "A"},
    memory={"ready": []},
    common=seiya.common,
)
KITS: Mapping[str, Kit] = {kit.game: kit for kit in (SAFIR, SEIYA, STELLAR, WAKFU, ALTERED)}


@dataclass(frozen=True)
class Lists:
    """What deck scenarios need of a game: the cards they name, and filler cards."""

    catalog: Callable[[], Catalog]
    filler: Callable[[int], Sequence[str]]


# The deck rules of Altered need rarities and several factions, which its test cards for play do not have.
LISTS: Mapping[str, Lists] = {
    **{kit.game: Lists(kit.catalog, kit.filler) for kit in KITS.values()},
    "altered": Lists(lists.catalog, lists.filler),
}
