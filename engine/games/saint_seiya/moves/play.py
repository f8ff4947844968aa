"""Cards put in play from hand, and the armour in play moved to confront a card."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from engine.core.cards.card import Card
from engine.core.effects import force, triggers
from engine.core.effects.hidden_cards import effect_chance, held, possible
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.effects.values import has
from engine.core.table import places
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, in_hand
from engine.core.text.errors import Violation
from engine.core.text.interrupt import each
from engine.games.saint_seiya.effects.host import TURN_STEPS
from engine.games.saint_seiya.moves.base import Reasons, SeiyaVerb, active, label, unknown
from engine.games.saint_seiya.moves.mat import (
    LOCKED,
    TERRAIN,
    arrive,
    barred,
    doubt,
    faceable,
    note_once,
    own_effect,
    put,
    unread,
    welcome,
)
from engine.games.saint_seiya.moves.prices import obtainable
from engine.games.saint_seiya.vocabulary import CHANNELS, COSMOS, FACING, FIGHTS, FORCE, RELIQUE, WORN

ONE_AT_A_TIME = "SSD-JOU-2"


class FromHand(SeiyaVerb, ABC):
    """Base of the verbs that put a card from hand in play."""

    kinds: tuple[str, ...] = ()
    expected = "character"  # the reason of SSD-JOU-1 for a card of another kind
    known: tuple[str, ...] = ("card",)

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card` (a ref) and, for a character, `args.facing` (the place of the card it confronts)."""
        chance = effect_chance(state, entry)
        args = arguments(entry, self.known, self.known)
        found = {"card": card_ref(state, args["card"], "args.card")}
        if "facing" in self.known:
            found["facing"] = places.read(state, args["facing"], TERRAIN, "facing")
        return Move(entry.by, entry.do, found, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check the moment, the kind of card, that it is in hand, and where it goes."""
        reasons = self.moment(state, move, waits=ONE_AT_A_TIME)
        if move.by not in state.terms.seats:
            return reasons
        card = state.terms.cards[move.args["card"]]
        if card.kind not in self.kinds:
            return [*reasons, Violation("SSD-JOU-1", {"card": card.ref}, why=self.expected)]
        if "facing" in move.args:
            reasons += facing(state, card.ref, move.args["facing"])
        return reasons + held(state, move.by, card.ref)

    def zone(self) -> str:
        """Return the zone of the seat where the card goes."""
        return "play"

    def run(self, ctx: Context, move: Move) -> None:
        """Put the card down; its Mise en Jeu may then be used at once (SSD-EFF-2)."""
        state, seat, stack = ctx.state, move.by, Stack(ctx)
        obj, named = in_hand(state, seat, move.args["card"])
        assert obj is not None, "checked"
        if not named:
            ctx.emit("name", obj, move.args["card"])
        path = f"{seat}/{self.zone()}"
        if self.zone() == "armour":
            # `put` and not an effect: the armour's own Défausser does not happen (SSD-EQU-1).
            for worn in list(state.zones[path]):
                put(stack, worn, f"{seat}/discard")
        ctx.emit("move", obj, path, -1)
        if "facing" in move.args:
            ctx.emit("attach", obj, places.at(state, move.args["facing"]))
        arrive(ctx, obj)
        welcome(ctx, obj, seat)
        doubt(ctx, obj)
        stack.push({"step": "mise_en_jeu", "obj": obj, "seat": seat})
        resolve(ctx, move, started=stack)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every card of this kind that is, or may be, in hand, wherever it may go."""
        seat = wanted.seat(active(state))
        if seat is None:
            return
        for ref in each(possible(state, seat)):
            card = state.terms.cards[ref]
            if card.kind in self.kinds:
                yield from (Move(seat, self.name(), {"card": ref, **args}) for args in self.targets(state, card))

    @abstractmethod
    def name(self) -> str:
        """Return the name of the verb."""

    def targets(self, state: State, card: Card) -> Iterator[dict[str, str]]:
        """Yield the arguments that the move has besides `card`."""
        yield {}


def facing(state: State, ref: str, name: str) -> Reasons:
    """Return why no card can face this place: not the terrain, empty, without cost, or forbidden by a card."""
    if name not in TERRAIN:
        return [Violation("SSD-JOU-1", {"card": ref, "place": name[:40]}, why="terrain")]
    target = places.at(state, name)
    if target is None:
        empty = Violation("SSD-JOU-1", {"card": ref, "place": name}, why="empty")
        return unknown(state, "SSD-JOU-1", name) or [empty]
    if not faceable(state, target):
        return [Violation("SSD-COU-3", {"card": label(state, name)})]
    guard = barred(state, "face", target)
    if guard is None:
        return []
    return [Violation("SSD-EFF-6", {"card": ref, "target": label(state, name), "other": guard}, why="guard")]


class Play(FromHand):
    """`play`: put a character in play, facing a card of the terrain (SSD-JOU-1)."""

    kinds = FACING
    known = ("card", "facing")

    def name(self) -> str:
        """Return the name of the verb."""
        return "play"

    def targets(self, state: State, card: Card) -> Iterator[dict[str, str]]:
        """Yield every card that may be faced."""
        yield from ({"facing": slot} for slot in TERRAIN if not facing(state, card.ref, slot))


class Equip(FromHand):
    """`equip`: put an armour in play; the one before is discarded without its effects (SSD-EQU-1)."""

    kinds = WORN
    expected = "armour"

    def name(self) -> str:
        """Return the name of the verb."""
        return "equip"

    def zone(self) -> str:
        """Return the zone of the armour."""
        return "armour"


class Relic(FromHand):
    """`relic`: put a relic in its zone (SSD-JOU-1)."""

    kinds = (RELIQUE,)
    expected = "relic"

    def name(self) -> str:
        """Return the name of the verb."""
        return "relic"

    def zone(self) -> str:
        """Return the zone of relics."""
        return "relics"


class Engage(SeiyaVerb):
    """`engage`: move the armour in play to face a card of the terrain; it stays equipped (SSD-JOU-4)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.facing`: the place of the card to confront."""
        chance = effect_chance(state, entry)
        args = arguments(entry, ("facing",), ("facing",))
        return Move(entry.by, entry.do, {"facing": places.read(state, args["facing"], TERRAIN, "facing")}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check that an armour is in play, and that it may face this card and does not face it already."""
        reasons = self.moment(state, move, waits=ONE_AT_A_TIME)
        if move.by not in state.terms.seats:
            return reasons
        path = f"{move.by}/armour"
        worn = state.zones[path]
        if not worn:
            none = Violation("SSD-JOU-4", {"card": "-", "seat": move.by}, why="none")
            return reasons + (unknown(state, "SSD-JOU-4", path) or [none])
        if state.hosts.get(worn[0], -1) == places.at(state, move.args["facing"]):
            args = {"card": label(state, path), "place": move.args["facing"][:40]}
            reasons.append(Violation("SSD-JOU-1", args, why="already"))
        return reasons + facing(state, label(state, path), move.args["facing"])

    def run(self, ctx: Context, move: Move) -> None:
        """Let the armour confront the card from here on."""
        (worn,) = ctx.state.zones[f"{move.by}/armour"]
        ctx.emit("attach", worn, places.at(ctx.state, move.args["facing"]))
        resolve(ctx, move)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield every card of the terrain that the armour may face and does not face yet."""
        seat = wanted.seat(active(state))
        if seat is None:
            return
        for worn in state.zones[f"{seat}/armour"]:
            for slot in TERRAIN:
                if not facing(state, "", slot) and state.hosts.get(worn, -1) != places.at(state, slot):
                    yield Move(seat, "engage", {"facing": slot})


def _mise_en_jeu_step(stack: Stack, frame: Frame) -> None:
    """Offer the Mise en Jeu of a card just put down, if it has one and may use it (SSD-EFF-2, SSD-VER-1, SSD-VER-2).

    A card that the engine cannot read may have one: what it does is left to a ruling.
    """
    state, obj, seat = stack.ctx.state, int(frame["obj"]), str(frame["seat"])
    unsaid = unread(state, obj)
    if not unsaid and (not own_effect(state, obj, seat, "mise_en_jeu") or not _permitted(state, obj)):
        return
    if "picked" not in frame:
        stack.ask(frame, seat, ["yes"], "SSD-EFF-2", optional=True)
    elif frame["picked"] is not None and unsaid:
        doubt(stack.ctx, obj)
    elif frame["picked"] is not None:
        lock(stack.ctx, obj)
        triggers.push(stack, own_effect(state, obj, seat, "mise_en_jeu"))


def binding(state: State, obj: int) -> str:
    """Return the keyword by which a card's Mise en Jeu binds it, "" if it has none."""
    return next((keyword for keyword in LOCKED if _printed(state, obj, keyword) or has(state, obj, keyword)), "")


def _printed(state: State, obj: int, keyword: str) -> bool:
    own = force.own_program(state, obj)
    return own is not None and keyword in own.keywords


def _permitted(state: State, obj: int) -> bool:
    """Whether a card could do what its Mise en Jeu would oblige it to (SSD-VER-1, SSD-VER-2)."""
    keyword, target = binding(state, obj), state.hosts.get(obj)
    if not keyword:
        return True
    return target is not None and obtainable(state, target, FORCE if keyword == FIGHTS else COSMOS)


def lock(ctx: Context, obj: int) -> None:
    """Bind a card to one way to acquire; by Force, also cards of the same name facing the same target.

    See SSD-VER-1 and, for Cosmos, SSD-VER-2, which binds the card alone.
    """
    state, keyword = ctx.state, binding(ctx.state, obj)
    if not keyword:
        return
    note_once(ctx, obj, LOCKED[keyword])
    # Only the lock by Force extends to others of the same name (SSD-VER-2).
    if keyword == CHANNELS:
        return
    card, target = state.card(obj), state.hosts.get(obj)
    for other in state.attached(target) if target is not None else ():
        twin = state.card(other)
        if card is not None and twin is not None and twin.name == card.name:
            note_once(ctx, other, LOCKED[keyword])


TURN_STEPS["mise_en_jeu"] = _mise_en_jeu_step
