"""Saint Seiya's side of the effect interpreter: what the core asks of a game, for a table of two to five seats.

There is one host for each number of seats (`host`). The modules in `moves` add the steps of the turn to `TURN_STEPS`,
and must be imported before a host is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.core.context import Context
from engine.core.effects.host import Host, Place, Source, Stack, Step
from engine.core.effects.interpreter import equip
from engine.core.effects.language import Tree
from engine.core.effects.values import object_at
from engine.core.state import COMMON, State
from engine.games.saint_seiya.effects.operations import PLAIN, STEPS, TARGETED
from engine.games.saint_seiya.moves.mat import FLAMES, GONE, IN_PLAY, RESERVE, SAPPHIRES, TERRAIN, player
from engine.games.saint_seiya.vocabulary import FACING

ON_TABLE = ("wound", "freeze", "heal")  # operations on a player's cards in play or marked
FROM_TERRAIN = ("remove",)  # operations on cards of the terrain alone
# The rule to cite when an answer names something that the operation cannot take.
CITED = {
    "destroy": "SSD-EFF-4", "wound": "SSD-EFF-4", "freeze": "SSD-EFF-4", "remove": "SSD-RET-1", "acquire": "SSD-ACQ-2",
}  # fmt: skip
TURN_STEPS: dict[str, Step] = {}  # steps of the turn, added by `moves`


class SeiyaHost(Host):
    """What the interpreter needs to know about Saint Seiya at one table."""

    piles = ("reserve_discard", "reserve", "hand", "discard")
    veiled = ("reserve", "hand", "discard")

    def __init__(self, seats: tuple[str, ...]) -> None:
        super().__init__()
        self.seats = seats
        # Areas and slots do not matter here: nothing in this game is near or next to anything else.
        common = {path: Place(COMMON, 0, 0) for path in TERRAIN}
        mine = {f"{seat}/{zone}": Place(seat, 0, 0) for seat in seats for zone in (*IN_PLAY, "marked")}
        self.in_play = {**common, **{path: spot for path, spot in mine.items() if not path.endswith("/marked")}}
        cards = {f"{seat}/{zone}": Place(seat, 0, 0) for seat in seats for zone in ("hand", "discard")}
        self.places = {**common, **mine, **cards, GONE: Place(COMMON, 0, 0), RESERVE: Place(COMMON, 0, 0)}
        self.zones = {
            "terrain": TERRAIN,
            **{zone: tuple(f"{seat}/{zone}" for seat in seats) for zone in (*IN_PLAY, "marked")},
            "reserve_discard": (GONE,),
            "reserve": (RESERVE,),
            **{zone: tuple(f"{seat}/{zone}" for seat in seats) for zone in ("hand", "discard")},
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

    def acts(self, state: State, obj: int) -> bool:
        """Whether the lasting effects of a card are in force where it is.

        Those of characters are in force on the terrain (SSD-TER-1), those of armours and relics in play.
        """
        card = state.card(obj)
        return (card is not None and card.kind in FACING) == (state.where[obj] in TERRAIN)

    def allowed(self, state: State, giver: Source, operation: Tree, pool: list[str], got: Sequence[str]) -> list[str]:
        """Keep the options that an operation may take (SSD-EFF-4, SSD-ACQ-2).

        `remove` takes cards of the terrain, `acquire` any that is not its player's already, other operations those of
        the players. Tokens are put on, and taken off, only cards in play or marked.
        """
        kept = []
        for option in pool:
            obj = object_at(state, option)
            whose = player(state, obj)
            if operation["op"] == "acquire":
                fits = whose != giver.seat
            elif operation["op"] in ON_TABLE and state.where[obj].partition("/")[2] not in (*IN_PLAY, "marked"):
                fits = False
            else:
                fits = (state.where[obj] in TERRAIN) == (operation["op"] in FROM_TERRAIN) and whose != COMMON
                fits = fits or (operation["op"] in FROM_TERRAIN and state.where[obj] in TERRAIN)
            if fits:
                kept.append(option)
        return kept

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


@cache
def host(seats: tuple[str, ...]) -> SeiyaHost:
    """Return the host of a table; the same one for the same seats."""
    return SeiyaHost(seats)


# The fields of the frames of this game, with their kinds (`core.naming`).
FRAMES: dict[str, dict[str, str]] = {
    "give_up": {"seat": "seat", "left": "number", "from": "text"},
    "give_up_by": {"src": "source", "left": "number", "from": "text"},
    "mise_en_jeu": {"obj": "object", "seat": "seat"},
    "entretien": {"seat": "seat"},
    "shift": {},
    "fill": {},
    "pass_turn": {"seat": "seat"},
}
