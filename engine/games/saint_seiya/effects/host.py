"""Saint Seiya's side of the effect interpreter: what the core asks of a game, for a table of two to five seats.

There is one host for each number of seats (`host`). The modules in `moves` add the steps of the turn to `TURN_STEPS`,
and must be imported before a host is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.effects import force, values
from engine.core.effects.host import Host, Place, Seen, Source, Stack, Step
from engine.core.effects.interpreter import equip
from engine.core.effects.values import object_at
from engine.core.table.context import Context
from engine.core.table.state import COMMON, State
from engine.games.saint_seiya import scoring
from engine.games.saint_seiya.effects.operations import PLAIN, STEPS, TARGETED
from engine.games.saint_seiya.moves.mat import (
    FLAMES,
    GONE,
    IN_PLAY,
    RESERVE,
    SAPPHIRES,
    TERRAIN,
    alongside,
    at_the,
    beside,
    player,
)
from engine.games.saint_seiya.moves.prices import doubled
from engine.games.saint_seiya.vocabulary import COSMOS, FACING, FORCE, NARROW, RANKS, RELATED, TYPES

OWN_PILES = ("hand", "discard", "aside", "destroyed", "deck")

FROM_TERRAIN = ("remove", "swap")  # operations on cards of the terrain alone
ANYWHERE = ("shuffle_in", "buff", "open")  # operations on cards of the terrain as well as on those of the players
BARRED = {"acquire": "acquire", "wound": "wound", "heal": "heal"}  # what a card in force may forbid to operations
# The rule to cite when an answer names something that the operation cannot take.
CITED = {
    "destroy": "SSD-EFF-4", "wound": "SSD-EFF-4", "freeze": "SSD-EFF-4", "remove": "SSD-RET-1", "acquire": "SSD-ACQ-2",
    "discard": "SSD-DEF-1",
}  # fmt: skip
TURN_STEPS: dict[str, Step] = {}  # steps of the turn, added by `moves`


class SeiyaHost(Host):
    """What the interpreter needs to know about Saint Seiya at one table."""

    piles = ("reserve_discard", "reserve", *OWN_PILES)
    veiled = ("reserve", "hand", "discard")
    held = ("hand",)
    keys = frozenset((*NARROW, *RELATED))
    derived = (FORCE, COSMOS)

    def __init__(self, seats: tuple[str, ...]) -> None:
        super().__init__()
        self.seats = seats
        # Areas and slots do not matter here: what confronts what, and what lies next to what, `suits` knows.
        common = {path: Place(COMMON, 0, 0) for path in TERRAIN}
        mine = {f"{seat}/{zone}": Place(seat, 0, 0) for seat in seats for zone in (*IN_PLAY, "marked")}
        self.in_play = {**common, **{path: spot for path, spot in mine.items() if not path.endswith("/marked")}}
        cards = {f"{seat}/{zone}": Place(seat, 0, 0) for seat in seats for zone in OWN_PILES}
        self.places = {**common, **mine, **cards, GONE: Place(COMMON, 0, 0), RESERVE: Place(COMMON, 0, 0)}
        self.zones = {
            "terrain": TERRAIN,
            **{zone: tuple(f"{seat}/{zone}" for seat in seats) for zone in (*IN_PLAY, "marked")},
            "reserve_discard": (GONE,),
            "reserve": (RESERVE,),
            **{zone: tuple(f"{seat}/{zone}" for seat in seats) for zone in OWN_PILES},
        }
        self.counters = {
            "flames": dict.fromkeys((*seats, COMMON), FLAMES),
            "sapphires": dict.fromkeys((*seats, COMMON), SAPPHIRES),
        }
        equip(self)
        self.steps.update({**STEPS, **TURN_STEPS})
        self.plain.update(PLAIN)
        self.targeted.update(TARGETED)

    def decided(self, state: State) -> bool:
        """Whether the last Flame is gone (I-SSD-09); effects still waiting are then dropped."""
        return state.result is not None or (FLAMES not in state.unknown and not state.counters[FLAMES])

    def lasts_here(self, state: State, obj: int, static: Tree) -> bool:
        """Whether a static of a card is in force where the card is.

        Those of characters are in force on the terrain (SSD-TER-1), those of armours and relics in play, unless the
        static says `while`.
        """
        card = state.card(obj)
        usual = "terrain" if card is not None and card.kind in FACING else "play"
        there = "terrain" if state.where[obj] in TERRAIN else "play"
        return str(static.get("while", usual)) == there

    def suits(self, state: State, giver: Source, selector: Tree, card: Seen) -> bool:
        """Whether a known card is of the sort, and lies where, the game's own keys of a selector ask for."""
        return _of_sort(state, giver, selector, state.terms.cards[str(card.ref)]) and _lies(
            state, giver, selector, card
        )

    def added(self, state: State, obj: int, key: str) -> int:
        """Return what a card in force adds by doubling a value: the printed one, or all of it (I-SSD-21)."""
        if not doubled(state, obj, key):
            return 0
        whole = state.terms.options["I-SSD-21"] == "whole"
        return values.printed(state, obj, key) + (values.bonus(state, obj, key) if whole else 0)

    def allowed(self, state: State, giver: Source, operation: Tree, pool: list[str], got: Sequence[str]) -> list[str]:
        """Keep the options that an operation may take (SSD-EFF-4, SSD-ACQ-2).

        `remove` and `swap` take cards of the terrain, `acquire` any that is not its player's already, most others those
        of the players. No operation does to a card what another card forbids.
        """
        return [option for option in pool if _takes(state, giver, operation, object_at(state, option))]

    def follows(self, ctx: Context, operation: Tree) -> bool:
        """Whether what comes after «puis» happens although what comes before could not be done (I-SSD-14)."""
        if not operation.get("puis"):
            return False
        ctx.depend_on("I-SSD-14")
        return ctx.state.terms.options["I-SSD-14"] == "anyway"

    def cited(self, operation: Tree) -> str:
        """Return the rule that says which cards an operation may take."""
        return CITED.get(str(operation.get("op")), "LOG-answer")

    def gain(self, ctx: Context, path: str, points: int) -> None:
        """Add to a counter, up to its largest value."""
        high = ctx.state.terms.bounds[path][1]
        room = points if high is None else min(points, high - ctx.state.counters[path])
        if room:
            ctx.emit("counter", path, room)

    def lose(self, stack: Stack, giver: Source, path: str, points: int) -> None:
        """Take from a counter, down to 0."""
        loss = min(points, stack.ctx.state.counters[path])
        if loss:
            stack.ctx.emit("counter", path, -loss)


def _takes(state: State, giver: Source, operation: Tree, obj: int) -> bool:
    """Whether an operation may take a card, by where it is, whose it is, and what cards in force forbid."""
    what, whose, there = str(operation["op"]), player(state, obj), state.where[obj] in TERRAIN
    if what in BARRED and values.forbidding(state, BARRED[what], force.seen(state, obj)) is not None:
        return False
    if what == "acquire":
        return whose != giver.seat
    if what == "heal":
        return state.where[obj] == f"{whose}/marked"
    if what in ANYWHERE and operation.get("to") != "deck":
        return True
    return there if what in FROM_TERRAIN else whose != COMMON


def _of_sort(state: State, giver: Source, selector: Tree, known: Card) -> bool:
    """Whether a card has the name, class, rank and type that a selector asks for."""
    if not scoring.fits(selector, known) or ("type" in selector and known.kind not in TYPES[selector["type"]]):
        return False
    if "not_named" in selector and selector["not_named"] in known.name:
        return False
    return not selector.get("above") or _above(state, giver, known)


def _lies(state: State, giver: Source, selector: Tree, card: Seen) -> bool:
    """Whether a card lies where a selector asks for, as seen from the card that the effect comes from."""
    if selector.get("faced") and state.hosts.get(giver.obj) != card.obj:
        return False
    if selector.get("beside") and card.path not in beside(giver.path):
        return False
    if "top" in selector and card.obj not in state.zones[card.path][::-1][: selector["top"]]:
        return False
    if "spot" in selector and card.path != at_the(state, selector["spot"]):
        return False
    return not selector.get("alongside") or alongside(state, giver.obj, card.obj)


def _above(state: State, giver: Source, known: Card) -> bool:
    """Whether a card is of the rank right above that of the card the effect is about."""
    it = None if giver.it is None or giver.it[2] is None else state.terms.cards[giver.it[2]].words.get("rank")
    rank = known.words.get("rank")
    return it in RANKS and rank in RANKS and RANKS.index(rank) == RANKS.index(it) + 1


@cache
def host(seats: tuple[str, ...]) -> SeiyaHost:
    """Return the host of a table; the same one for the same seats."""
    return SeiyaHost(seats)


# The fields of the frames of this game, with their kinds (`core.table.naming`).
FRAMES: dict[str, dict[str, str]] = {
    "players": {"src": "source", "ops": "operations"},
    "give_up": {"seat": "seat", "left": "number", "from": "text"},
    "give_up_by": {"src": "source", "left": "number", "from": "text"},
    "mise_en_jeu": {"obj": "object", "seat": "seat"},
    "entretien": {"seat": "seat"},
    "shift": {},
    "fill": {"slot": "text?"},
    "pass_turn": {"seat": "seat"},
}
