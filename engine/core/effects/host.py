"""What the interpreter asks of a game, and the stack of frames that it resolves with the answers.

`Host` and `Stack` share a module because each needs the other: a stack resolves a frame by a step of its host, and a
step pushes frames onto the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.core.text.errors import Malformed

MAX_FRAMES = 500  # frames resolved in one move, the answers it waits for included; stops endless loops of effects


class Place(NamedTuple):
    """Where a path is: whose side, which area of it (0: none, so near everything), which slot (0: no slot)."""

    seat: str
    area: int
    slot: int


class Seen(NamedTuple):
    """A card as an effect sees it.

    `figures` and `keywords` are those it had when it left play; they are None for a card that is still there.
    """

    obj: int
    path: str
    ref: str | None
    figures: Mapping[str, int] | None = None
    keywords: Sequence[str] | None = None


class Source(NamedTuple):
    """The card an effect comes from, with its player and its place when the effect began.

    `it` is the card that the event, the replacement or the operation `each` is about, as the values of a `Seen`. `x` is
    the number that was paid.
    """

    obj: int
    seat: str
    area: int
    slot: int
    path: str
    it: Sequence[Any] | None = None
    x: int = 0


class Choice(NamedTuple):
    """A replacement that applies to an event: its name, whether it may be declined, and what may be paid for it.

    The name is a keyword, or the place of the card with the ability; in the second case `giver` and `ability` are set.
    One of `prices` is chosen; `rule` is cited if an answer names something else.
    """

    name: str
    optional: bool
    prices: Sequence[str] = ()
    rule: str = "LOG-answer"
    giver: Source | None = None
    ability: Tree | None = None


Step = Callable[["Stack", Frame], None]
Plain = Callable[["Stack", Source, Tree], None]
Targeted = Callable[["Stack", Source, Tree, Sequence[str]], None]


class Host:
    """A game as the interpreter sees it. Each game makes one subclass and one instance of it, which its states carry.

    - `places`: the paths that an effect may name.
    - `zones`: by word of a selector's `zone`, the paths it means; the first word is the default.
    - `piles`: the zones whose cards are named by ref; `veiled`: those of them whose cards may be unknown; `held`: those
      that a player holds and shows when an effect takes all cards of a sort from them.
    - `in_play`: the paths where effects are in force.
    - `counters`: by counter, its path for each seat.
    - `keys`: the keys of a selector that only this game has, which `suits` reads.
    - `derived`: figures that no card states and `added` works out, for cards without marks too.
    - `steps`, `plain`, `targeted`: what `interpreter.equip` registers. A game adds its own, or replaces some.
    """

    seats: tuple[str, ...] = ()
    places: Mapping[str, Place] = {}
    zones: Mapping[str, tuple[str, ...]] = {}
    piles: tuple[str, ...] = ("discard",)
    veiled: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
    in_play: Mapping[str, Place] = {}
    counters: Mapping[str, Mapping[str, str]] = {}
    derived: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.steps: dict[str, Step] = {}
        self.plain: dict[str, Plain] = {}
        self.targeted: dict[str, Targeted] = {}

    # Turns and seats.

    def affected(self, seat: str, who: str) -> tuple[str, ...]:
        """Return the seats that "controller", "opponent" or "both" means for a player."""
        others = tuple(other for other in self.seats if other != seat)
        return {"controller": (seat,), "opponent": others}.get(who, self.seats)

    def decided(self, state: State) -> bool:
        """Return whether the game is over, so that waiting effects are dropped."""
        return state.result is not None

    def until(self, state: State, seat: str, word: str) -> int | str:
        """Return when an effect that begins now ends: the number of its last turn, or an end as in `force`.

        This default assumes that turns alternate between two players.
        """
        mine = state.seat == seat
        numbers = {"turn": 0, "opposing_turn": 1 if mine else 2, "own_turn": 2 if mine else 1}
        if word in numbers:
            return state.turn + numbers[word]
        return {"permanent": 0, "while_source": -1}.get(word, word)

    def forget(self, ctx: Context, obj: int) -> None:
        """Remove the notes about an object that leaves play."""
        for key in ("live", "form", "inert"):
            if key in ctx.state.memory and ctx.state.noted(key, obj):
                ctx.emit("clear", key, obj)

    def expire(self, stack: Stack, obj: int) -> None:
        """Called when a lasting effect of a card has ended."""

    def player(self, state: State, obj: int) -> str:
        """Return the player whose effects those of a card in play are."""
        return self.places[state.where[obj]].seat

    def made(self, ctx: Context, obj: int) -> None:
        """Called when an effect has made a token. By default its text does nothing."""
        ctx.emit("note", "inert", obj)

    def added(self, state: State, obj: int, key: str) -> int:
        """Return what the marks on a card add to one of its figures, or a derived figure as a whole."""
        return 0

    def going(self, giver: Source, ability: Tree) -> Frame:
        """Return the frame of a triggered ability."""
        return {"step": "do", "ops": ability["do"], "src": list(giver)}

    def set_off(self, stack: Stack, frames: Sequence[Frame]) -> None:
        """Resolve what events triggered before anything else, first frame first. There is at least one frame."""
        for frame in reversed(frames):
            stack.push(frame)

    def acts(self, state: State, obj: int) -> bool:
        """Return whether the effects of a card in play are in force where it is."""
        return True

    def lasts_here(self, state: State, obj: int, static: Tree) -> bool:
        """Return whether a static ability of a card in play is in force where the card is."""
        return True

    def left(self, stack: Stack, obj: int) -> None:
        """Called when a card has just left play, for what goes with it."""

    # What a selector reaches.

    def reach(self, giver: Source, selector: Tree) -> str:
        """Return how far a selector reaches: "here", "adjacent" or "any".

        A game overrides this to set its own default.
        """
        return str(selector.get("in", "any"))

    def near(self, giver: Source, selector: Tree, place: Place) -> bool:
        """Return whether a place is within the reach of a selector."""
        return True

    def named_by(self, giver: Source, word: str, path: str) -> bool:
        """Return whether the `at` of an operation, such as "here", means this place."""
        return True

    def each(self, ctx: Context, objs: list[int]) -> list[int]:
        """Return the order in which something is done to several cards one by one: by default that of their places."""
        return objs

    def suits(self, state: State, giver: Source, selector: Tree, card: Seen) -> bool:
        """Return whether a known card is what the game's own keys of a selector ask for."""
        return True

    def reached_unseen(self, state: State, giver: Source, selector: Tree, card: Seen) -> bool:
        """Return whether a selector takes a card that nobody has identified, in a place it reaches."""
        return False

    def floor(self, state: State) -> int | None:
        """Return the value below which no figure goes, or None."""
        return 0

    def floored(self, ctx: Context) -> None:
        """Called when a figure would be below the floor, to record the interpretation that this depends on."""

    def allowed(self, state: State, giver: Source, operation: Tree, pool: list[str], got: Sequence[str]) -> list[str]:
        """Return the part of `pool` that an operation may take next, after what it already took."""
        return pool

    def choosing(self, ctx: Context, giver: Source, operation: Tree, pool: Sequence[str], got: Sequence[str]) -> None:
        """Called before an operation takes from what its selector reaches.

        A game uses it to record the interpretations that the choice depends on.
        """

    def follows(self, ctx: Context, operation: Tree) -> bool:
        """Return whether what an operation says under `then` happens although it could not take what it asks for."""
        return False

    def cited(self, operation: Tree) -> str:
        """Return the rule to cite for an answer that is not an option.

        `operation` may also be a `place` or `token` frame.
        """
        return "LOG-answer"

    # What operations do.

    def gain(self, ctx: Context, path: str, points: int) -> None:
        """Add to a counter, within its bounds."""
        raise NotImplementedError

    def lose(self, stack: Stack, giver: Source, path: str, points: int) -> None:
        """Take from a counter, within its bounds."""
        raise NotImplementedError

    def hand(self, seat: str) -> str:
        """Return the path of a seat's hand."""
        return f"{seat}/hand"

    def deck(self, seat: str) -> str:
        """Return the path of a seat's deck."""
        return f"{seat}/deck"

    def discards(self, stack: Stack, giver: Source, seat: str) -> tuple[str, Sequence[str]]:
        """Return where a card discarded from a hand may go, and who chooses if there are several places."""
        raise NotImplementedError

    def pile(self, state: State, obj: int, to: str) -> str:
        """Return the path of such a place for an object."""
        raise NotImplementedError

    def dies(self, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
        """Move a destroyed card where it goes, or change its face. Returns whether that counts as a destruction."""
        raise NotImplementedError

    def passive(self, ctx: Context, cause: str) -> bool:
        """Return whether a destruction of this cause can be neither replaced nor trigger anything.

        Only asked when the answer matters, so that a game can record the interpretation it depends on.
        """
        return False

    def keyword_choices(self, stack: Stack, frame: Frame) -> list[Choice]:
        """Return the keywords that may replace the event of a `would` frame."""
        return []

    def replace(self, stack: Stack, frame: Frame, name: str, price: str | None) -> bool:
        """Carry out the replacement of a keyword. Returns whether the event is replaced."""
        raise NotImplementedError

    def slots(self, ctx: Context, frame: Frame) -> list[str]:
        """Return where the object of a `place` frame may be put."""
        raise NotImplementedError

    def placed(self, stack: Stack, frame: Frame, path: str) -> None:
        """Called when the object of a frame has been put in place."""

    def unplaced(self, stack: Stack, frame: Frame) -> None:
        """Called when there was no place for the object of a frame."""

    def token_slots(self, state: State, giver: Source, card: Card) -> list[str] | None:
        """Return where a token may be made, or None if the card is not a token."""
        raise NotImplementedError

    def cancelled(self, state: State, seat: str) -> list[int]:
        """Return the objects whose effects the operation `cancel` silences."""
        raise NotImplementedError


class Stack:
    """The frames of one move while they are being resolved, last in, first out.

    `made` counts the frames resolved so far. A frame that waits for a choice stores the count, so that the bound
    `MAX_FRAMES` applies to a move together with all the answers it waits for.
    """

    __slots__ = ("ctx", "frames", "host", "made")

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.host = host_of(ctx.state)
        self.frames: list[Frame] = list(ctx.state.agenda)
        self.made: int = self.frames[-1].get("made", 0) if self.frames else 0

    def push(self, frame: Frame) -> None:
        """Put a frame on top of the stack, to be resolved before all the others."""
        self.frames.append(frame)

    def run(self) -> None:
        """Resolve frames until the stack is empty, a frame waits for a choice, or the game is decided.

        Raises Malformed, code `endless_effects`, after more than `MAX_FRAMES` frames.
        """
        frames, host, state = self.frames, self.host, self.ctx.state
        while frames:
            frame = frames[-1]
            if "ask" in frame:
                if frame.get("made") != self.made:
                    frames[-1] = {**frame, "made": self.made}
                break
            frames.pop()
            self.made += 1
            if self.made > MAX_FRAMES:
                raise Malformed("endless_effects", f"effects go on beyond {MAX_FRAMES} steps in one move")
            host.steps[frame["step"]](self, frame)
            if host.decided(state):
                frames.clear()
        left = tuple(frames)
        if left != state.agenda:  # most moves leave nothing behind, and should cause no event
            self.ctx.emit("agenda", left)

    def ask(self, frame: Frame, by: str, options: Sequence[str], rule: str, *, optional: bool = False) -> None:
        """Have seat `by` choose among `options`, then resume `frame` with the choice under `picked`.

        A single mandatory option is picked at once. With no options at all, `picked` is None. `rule` is cited if the
        answer names something else.
        """
        if len(options) == 1 and not optional:
            self.push({**frame, "picked": options[0]})
            # The log may still contain an answer to it, which is then accepted without effect.
            self.ctx.taken.append((by, options[0]))
        elif options:
            self.push({**frame, "ask": {"by": by, "options": list(options), "optional": optional, "rule": rule}})
        else:
            self.push({**frame, "picked": None})


def host_of(state: State) -> Host:
    """Return the host of a state's game."""
    return state.terms.host  # type: ignore[return-value]  # `cast` would be one more call, at every figure of a card
