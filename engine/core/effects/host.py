"""What the interpreter asks of a game: its places, its counters, its keywords, and where cards go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from engine.core.agenda import Frame, Stack, Step
    from engine.core.cards import Card
    from engine.core.context import Context
    from engine.core.effects.language import Tree
    from engine.core.state import State


class Place(NamedTuple):
    """Where a path is: whose side, which area of it (0: none, so near everything), which slot (0: no slot)."""

    seat: str
    area: int
    slot: int


class Seen(NamedTuple):
    """A card as an effect sees it; `figures` and `keywords` are those it had if it left, None while it is there."""

    obj: int
    path: str
    ref: str | None
    figures: Mapping[str, int] | None = None
    keywords: Sequence[str] | None = None


class Source(NamedTuple):
    """The card an effect comes from, with its player and its place when the effect began.

    `it` is the card that the event, the replacement or `each` is about, as the values of a `Seen`; `x` the number paid.
    """

    obj: int
    seat: str
    area: int
    slot: int
    path: str
    it: Sequence[Any] | None = None
    x: int = 0


class Choice(NamedTuple):
    """A replacement that applies to an event: its name, whether it may be declined, what may be paid for it.

    The name is a keyword, or the place of the card whose ability it is: then `giver` and `ability` are given.
    `prices` are options of which one is chosen, `rule` is cited where an answer names another.
    """

    name: str
    optional: bool
    prices: Sequence[str] = ()
    rule: str = "LOG-answer"
    giver: Source | None = None
    ability: Tree | None = None


Plain = Callable[["Stack", Source, "Tree"], None]
Targeted = Callable[["Stack", Source, "Tree", Sequence[str]], None]


class Host:
    """A game as the interpreter sees it. A game makes one subclass, and one instance of it, which its states carry.

    `places` are the paths an effect may name; `zones` those of each word of a selector's `zone`, the first word being
    the default; `piles` the zones whose cards are named by ref, `veiled` those of them whose cards may be unknown,
    `in_play` the paths where effects are in force.
    `counters` gives the path of each counter by seat. `steps`, `plain` and `targeted` hold what `interpreter.equip`
    gives; a game adds its own, or puts its own in the place of one.
    """

    seats: tuple[str, ...] = ()
    places: Mapping[str, Place] = {}
    zones: Mapping[str, tuple[str, ...]] = {}
    piles: tuple[str, ...] = ("discard",)
    veiled: tuple[str, ...] = ()
    in_play: Mapping[str, Place] = {}
    counters: Mapping[str, Mapping[str, str]] = {}

    def __init__(self) -> None:
        self.steps: dict[str, Step] = {}
        self.plain: dict[str, Plain] = {}
        self.targeted: dict[str, Targeted] = {}

    # Turns and seats.

    def affected(self, seat: str, who: str) -> tuple[str, ...]:
        """The seats that "controller", "opponent" or "both" means to a player."""
        others = tuple(other for other in self.seats if other != seat)
        return {"controller": (seat,), "opponent": others}.get(who, self.seats)

    def decided(self, state: State) -> bool:
        """Whether the game is over, so that what effects have left to do is not done."""
        return state.result is not None

    def until(self, state: State, seat: str, word: str) -> int | str:
        """When what begins now ends: the number of its last turn, or as `force` says. Turns alternate."""
        mine = state.seat == seat
        numbers = {"turn": 0, "opposing_turn": 1 if mine else 2, "own_turn": 2 if mine else 1}
        if word in numbers:
            return state.turn + numbers[word]
        return {"permanent": 0, "while_source": -1}.get(word, word)

    def forget(self, ctx: Context, obj: int) -> None:
        """The notes about an object end when it leaves play."""
        for key in ("live", "form", "inert"):
            if key in ctx.state.memory and ctx.state.noted(key, obj):
                ctx.emit("clear", key, obj)

    def expire(self, stack: Stack, obj: int) -> None:
        """What a card set going for a while is over."""

    def player(self, state: State, obj: int) -> str:
        """Whose effects those of a card in play are."""
        return self.places[state.where[obj]].seat

    def added(self, state: State, obj: int, key: str) -> int:
        """What the marks on a card add to one of its figures."""
        return 0

    def going(self, giver: Source, ability: Tree) -> Frame:
        """The frame of an ability that an event sets going."""
        return {"step": "do", "ops": ability["do"], "src": list(giver)}

    def set_off(self, stack: Stack, frames: Sequence[Frame]) -> None:
        """What events set going, at least one frame, is resolved next, the first of it first."""
        for frame in reversed(frames):
            stack.push(frame)

    def acts(self, state: State, obj: int) -> bool:
        """Whether the effects of a card in play are in force where it is."""
        return True

    def left(self, stack: Stack, obj: int) -> None:
        """A card just left play: what goes with it."""

    # What a selector reaches.

    def reach(self, giver: Source, selector: Tree) -> str:
        """How far a selector goes where the card does not say: "here", "adjacent" or "any"."""
        return str(selector.get("in", "any"))

    def near(self, giver: Source, selector: Tree, place: Place) -> bool:
        """Whether a place is within the reach of a selector."""
        return True

    def each(self, ctx: Context, objs: list[int]) -> list[int]:
        """The order in which something is done to several cards one after the other: that of their places."""
        return objs

    def reached_unseen(self, state: State, giver: Source, selector: Tree, card: Seen) -> bool:
        """Whether a selector takes a card that nobody has identified, in a place it reaches."""
        return False

    def floor(self, state: State) -> int | None:
        """Below which no figure goes."""
        return 0

    def floored(self, ctx: Context) -> None:
        """A figure would be below the floor: the interpretation this leans on."""

    def allowed(self, state: State, giver: Source, operation: Tree, pool: list[str], got: Sequence[str]) -> list[str]:
        """What an operation may take next, of what its selector reaches, after what it already has."""
        return pool

    def choosing(self, ctx: Context, giver: Source, operation: Tree, pool: Sequence[str], got: Sequence[str]) -> None:
        """An operation is about to take from what its selector reaches: the interpretations this leans on."""

    def cited(self, operation: Tree) -> str:
        """The rule that an answer outside of the options breaks first of all; a frame of `place` or `token` too."""
        return "LOG-answer"

    # What operations do.

    def gain(self, ctx: Context, path: str, points: int) -> None:
        """Add to a counter, within its bounds."""
        raise NotImplementedError

    def lose(self, stack: Stack, giver: Source, path: str, points: int) -> None:
        """Take from a counter, within its bounds."""
        raise NotImplementedError

    def hand(self, seat: str) -> str:
        """The path of a hand."""
        return f"{seat}/hand"

    def deck(self, seat: str) -> str:
        """The path of a deck."""
        return f"{seat}/deck"

    def discards(self, stack: Stack, giver: Source, seat: str) -> tuple[str, Sequence[str]]:
        """Where a card discarded from a hand may go, and who says it where there are several."""
        raise NotImplementedError

    def pile(self, state: State, obj: int, to: str) -> str:
        """The path of such a place for an object."""
        raise NotImplementedError

    def dies(self, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
        """What is destroyed goes where it goes, or changes its face; whether that counts as a destruction."""
        raise NotImplementedError

    def passive(self, ctx: Context, cause: str) -> bool:
        """Whether a destruction of this cause is neither replaced nor triggers anything; asked where it matters."""
        return False

    def keyword_choices(self, stack: Stack, frame: Frame) -> list[Choice]:
        """The keywords that replace the event of a `would` frame."""
        return []

    def replace(self, stack: Stack, frame: Frame, name: str, price: str | None) -> bool:
        """Carry a keyword's replacement out; whether the event is replaced."""
        raise NotImplementedError

    def slots(self, ctx: Context, frame: Frame) -> list[str]:
        """Where the object of a `place` frame may be put."""
        raise NotImplementedError

    def placed(self, stack: Stack, frame: Frame, path: str) -> None:
        """What follows when it was put there."""

    def unplaced(self, stack: Stack, frame: Frame) -> None:
        """What follows when there was no place for it."""

    def token_slots(self, state: State, giver: Source, card: Card) -> list[str] | None:
        """Where a token may be made; None if the card is no token."""
        raise NotImplementedError

    def cancelled(self, state: State, seat: str) -> list[int]:
        """The objects whose effects `cancel` silences."""
        raise NotImplementedError
