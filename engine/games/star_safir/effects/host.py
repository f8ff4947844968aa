"""Star Safir's side of the effect interpreter: what the core asks of a game, answered by the rules of this one.

`HOST` is shared by all states. The modules in `moves` add their own agenda steps to it (`fight`, `calcul`, ...), so it
is complete only once they are imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.abilities.language import Tree
from engine.core.cards.card import Card
from engine.core.effects import force, triggers
from engine.core.effects.destruction import batch
from engine.core.effects.host import Choice, Host, Place, Seen, Source, Stack
from engine.core.effects.interpreter import equip
from engine.core.effects.values import object_at
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import State
from engine.games.star_safir.effects import keywords, moments, places
from engine.games.star_safir.effects.places import IN_PLAY, PLACES, ZONES, free
from engine.games.star_safir.moves.mat import COUNTERS, PI, PV, PV_GOAL, SEATS, THREE, destroy, gain, vacated

KEPT = ("live", "form", "inert", "spent")  # notes about a card, cleared when it leaves play
PUT = ("return", "resurrect", "move", "control")  # operations that place cards one after the other
UNSEEN = ("destroy", "return", "silence")  # operations that can take a face-down card (I-SAF-31)

# The rule to cite when an answer names something that the operation cannot take.
CITED = {
    "silence": "SAF-VII-Silence",
    "return": "SAF-VII-Renvoyer",
    "resurrect": "SAF-VII-Ressusciter",
    "move": "SAF-VII-Deplacer",
    "swap": "SAF-VII-Deplacer",
}


class SafirHost(Host):
    """What the interpreter needs to know about Star Safir; `HOST` is the only instance."""

    seats = SEATS
    places = PLACES
    zones = ZONES
    in_play = IN_PLAY
    counters = COUNTERS

    def __init__(self) -> None:
        super().__init__()
        equip(self)
        self.targeted["destroy"] = _destroy
        self.targeted["resurrect"] = _resurrect
        self.targeted["silence"] = _silence
        self.targeted["block"] = _block

    def decided(self, state: State) -> bool:
        """Whether a player has the PV to win (SAF-I-1); effects still waiting are then dropped."""
        points = state.counters
        return state.result is not None or points[PV["A"]] >= PV_GOAL or points[PV["B"]] >= PV_GOAL

    def forget(self, ctx: Context, obj: int) -> None:
        """Clear the notes about a card that leaves play."""
        super().forget(ctx, obj)
        self.renew(ctx, obj)

    def renew(self, ctx: Context, obj: int) -> None:
        """Clear what a card did before it left play or came back, unless I-SAF-12 still counts it."""
        state = ctx.state
        did = [note for note in keywords.DONE if state.noted(note, obj)]
        # `returned` stays under either option, so that later moves of this card are known to depend on I-SAF-12.
        if did and not state.noted("returned", obj):
            ctx.emit("note", "returned", obj)
        for note in did if state.terms.options["I-SAF-12"] == "new" else ():
            # A card with «Double ATK» may be noted twice.
            while state.noted(note, obj):
                ctx.emit("clear", note, obj)

    def expire(self, stack: Stack, obj: int) -> None:
        """Use up a magic whose stated duration is over (I-SAF-02)."""
        state = stack.ctx.state
        card = state.card(obj)
        if card is None or "/magics/" not in state.where[obj] or force.lasts(state, obj):
            return
        stays = any(keyword.get("kw") == "En jeu" for keyword in card.keywords)
        if not stays and state.terms.options["I-SAF-02"] == "discard":
            frames = triggers.leaving(state, obj)
            destroy(stack.ctx, obj)
            force.leave(stack, obj)
            if frames:
                self.set_off(stack, frames)

    def set_off(self, stack: Stack, frames: Sequence[Frame]) -> None:
        """Queue what events trigger at one moment, one player's effects first (I-SAF-32)."""
        moments.notice(stack.ctx, frames)
        super().set_off(stack, moments.ordered(stack.ctx, frames) if len(frames) > 1 else frames)

    def each(self, ctx: Context, objs: list[int]) -> list[int]:
        """Order the cards that `each` goes through: one player's first (I-SAF-32)."""
        return moments.in_turn(ctx, objs, matters=True)

    def reached_unseen(self, state: State, giver: Source, selector: Tree, card: Seen) -> bool:
        """Whether a selector takes a face-down card, of which only its being a magic is known (I-SAF-31)."""
        return card.obj >= 0 and moments.unseen(state, giver, selector, card.obj)

    def reach(self, giver: Source, selector: Tree) -> str:
        """Return how far a selector reaches: "here", "adjacent" or "any".

        If the card does not say, a magic reaches its own territory and other cards reach all of them (SAF-VIII-6).
        """
        return str(selector.get("in", "here" if "/magics/" in giver.path else "any"))

    def near(self, giver: Source, selector: Tree, place: Place) -> bool:
        """Whether a place is within reach: beside the source, in its territory, or in one next to it."""
        if selector.get("beside"):
            return places.neighbours(giver.area, giver.slot, place.area, place.slot)
        within = self.reach(giver, selector)
        if within == "any":
            return True
        return place.area == giver.area if within == "here" else places.next_to(giver.area, place.area)

    def floor(self, state: State) -> int | None:
        """Return the smallest value of a figure: 0, or None for no limit (I-SAF-21)."""
        return 0 if state.terms.options["I-SAF-21"] == "floor0" else None

    def floored(self, ctx: Context) -> None:
        """Record that a figure would be below 0 (I-SAF-21)."""
        ctx.depend_on("I-SAF-21")

    def allowed(self, state: State, giver: Source, operation: Tree, pool: list[str], got: Sequence[str]) -> list[str]:
        """Keep the options that «Silence», destruction, «Déplacer», «Ressusciter» and bonuses may take."""
        name = operation["op"]
        if name not in UNSEEN:
            pool = [option for option in pool if not _face_down(state, option)]
        if operation["of"].get("take") == "all":
            # An option in a discard reads "A/T1/discard/REF": its territory says whose it is.
            pool = sorted(pool, key=lambda option: moments.later(state, PLACES[option.split("/discard/")[0]].seat))
        # A bonus never applies to its own source.
        if name == "buff" and not operation["of"].get("self"):  # SAF-VIII-5
            return [option for option in pool if option != state.where[giver.obj]]
        test = ALLOWED.get(name)
        return pool if test is None else [option for option in pool if test(state, giver, operation, got, option)]

    def choosing(self, ctx: Context, giver: Source, operation: Tree, pool: Sequence[str], got: Sequence[str]) -> None:
        """Record the interpretations that a choice of targets depends on.

        I-SAF-25 where the effect of a fighter or commander meets a «Rempart» or «Rempart+»; I-SAF-32 where cards of
        both players are put somewhere one after the other.
        """
        if operation["op"] in PUT and operation["of"].get("take") == "all" and len({option[0] for option in pool}) > 1:
            ctx.depend_on("I-SAF-32")
        # What a magic may pass is written in the rules; I-SAF-25 is about the other cards.
        if "/magics/" in giver.path or operation["op"] != "destroy":
            return
        if any(_behind(ctx.state, giver, operation, got, option, ("Rempart", "Rempart+")) for option in pool):
            ctx.depend_on("I-SAF-25")

    def cited(self, operation: Tree) -> str:
        """Return the rule to cite when an answer is not one of the options."""
        selector = operation.get("of")
        # The frames `place` and `token` ask for a slot and have no selector.
        if selector is None:
            return "SAF-II-1"
        if selector.get("beside"):
            return "SAF-VII-AdjacentCombattant"
        if selector.get("in") == "adjacent":
            return "SAF-VII-AdjacentTerritoire"
        return CITED.get(operation["op"], "SAF-VIII-6")

    def gain(self, ctx: Context, path: str, points: int) -> None:
        """Add PI up to the cap (SAF-VI.4-5), or PV."""
        gain(ctx, path, points)

    def lose(self, stack: Stack, giver: Source, path: str, points: int) -> None:
        """Take points away, down to 0; with I-SAF-04 `refuse`, a larger loss is left to a ruling instead."""
        ctx = stack.ctx
        loss = min(points, ctx.state.counters[path])
        if loss < points:
            ctx.depend_on("I-SAF-04")
            if ctx.state.terms.options["I-SAF-04"] == "refuse":
                ctx.doubt(ctx.state.refs[giver.obj] or "I-SAF-04")
                return
        if loss:
            ctx.emit("counter", path, -loss)

    def discards(self, stack: Stack, giver: Source, seat: str) -> tuple[str, Sequence[str]]:
        """Return who chooses the territory of a discarded card, and the territories to choose from, as text (I-SAF-24).

        It is the territory of the source; for a commander, which has none, its player chooses.
        """
        stack.ctx.depend_on("I-SAF-24")
        owner = stack.ctx.state.terms.options["I-SAF-24"] == "owner"
        lands = THREE if owner or not giver.area else (giver.area,)
        return seat if owner else giver.seat, [str(t) for t in lands]

    def pile(self, state: State, obj: int, to: str) -> str:
        """Return the discard of the owner's territory with this number."""
        return f"{state.owners[obj]}/T{to}/discard"

    def dies(self, stack: Stack, obj: int, cause: str, *, passive: bool) -> bool:
        """Transform a card in place (SAF-VII-Transfo) or move it to its owner's discard there (SAF-II-3).

        Return whether the card counts as destroyed.
        """
        territory = PLACES[stack.ctx.state.where[obj]].area
        program = force.active(stack.ctx.state, obj)
        # Once transformed, a card shows its other face, which has no `into`: it can transform only once.
        if program is not None and program.into is not None and not passive:
            return keywords.transform(stack.ctx, obj)
        destroy(stack.ctx, obj)
        force.leave(stack, obj)
        if cause == "sacrifice":
            vacated(stack.ctx, territory)
        return True

    def passive(self, ctx: Context, cause: str) -> bool:
        """Whether this destruction triggers nothing and cannot be cancelled: a sacrifice, by I-SAF-09."""
        if cause != "sacrifice":
            return False
        ctx.depend_on("I-SAF-09")
        return ctx.state.terms.options["I-SAF-09"] == "no"

    def keyword_choices(self, stack: Stack, frame: Frame) -> list[Choice]:
        """Return the keywords that may cancel a destruction: «Seconde Vie» and «Vol vie»."""
        if frame["event"] != "destroyed":
            return []
        state = stack.ctx.state
        found = [Choice("Seconde Vie", False)] if keywords.second_life(stack.ctx, frame["obj"]) else []
        prices = keywords.payers(state, frame)
        return [*found, Choice("Vol vie", True, prices, "SAF-VII-VolVie")] if prices else found

    def replace(self, stack: Stack, frame: Frame, name: str, price: str | None) -> bool:
        """Use «Seconde Vie», or «Vol vie» if there is a `price` (the slot of the fighter to destroy instead).

        Return whether the card is saved.
        """
        if price is not None:
            return keywords.pay(stack, price)
        keywords.spend(stack.ctx, frame["obj"])
        return True

    def slots(self, ctx: Context, frame: Frame) -> list[str]:
        """Return the free fighter slots for a card; one that goes back to its owner follows I-SAF-29."""
        state, obj, how = ctx.state, int(frame["obj"]), frame["how"]
        place = PLACES[state.where[obj]]
        if how == "move":
            return destinations(state, state.where[obj], frame)
        if how == "resurrect":
            return free(state, place.seat, (place.area,))
        back = state.owners[obj] == frame["by"]
        anywhere = back and state.terms.options["I-SAF-29"] == "owner"
        # Back to its owner's side, as when control of it ends.
        if back:
            ctx.depend_on("I-SAF-29")
        return free(state, frame["by"], THREE if anywhere else (place.area,))

    def placed(self, stack: Stack, frame: Frame, path: str) -> None:
        """Note what the turn remembers of a card just placed; by I-SAF-20 it may be a replacement."""
        ctx, state, obj, how = stack.ctx, stack.ctx.state, int(frame["obj"]), frame["how"]
        if how == "move" or (how == "swap" and PLACES[frame["from"]].area != PLACES[path].area):
            ctx.emit("note", "moved", obj)
            keywords.depend_on_return(ctx, obj)
        if how == "resurrect":
            self.renew(ctx, obj)
        if how in ("resurrect", "token"):
            ctx.emit("note", "arrived", obj)
        seat, territory = PLACES[path].seat, PLACES[path].area
        # Only the player in turn earns the PI of a replacement, and a swap fills no slot that was free.
        if how == "swap" or state.seat != seat or not state.noted("sacrificed", territory):
            return
        ctx.depend_on("I-SAF-20")
        if state.terms.options["I-SAF-20"] == "any":
            ctx.emit("clear", "sacrificed", territory)
            gain(ctx, PI[seat], 1)

    def unplaced(self, stack: Stack, frame: Frame) -> None:
        """Discard a card that goes back to a full territory of its owner, in that territory (I-SAF-29)."""
        ctx, state, obj = stack.ctx, stack.ctx.state, int(frame["obj"])
        if frame["how"] not in ("control", "home") or state.owners[obj] != frame["by"]:
            return
        frames = triggers.leaving(state, obj)
        destroy(ctx, obj)
        force.leave(stack, obj)
        if frames:
            self.set_off(stack, frames)

    def token_slots(self, state: State, giver: Source, card: Card) -> list[str] | None:
        """Return the free slots for a token: in the territory of the source, or anywhere on its side for a commander.

        None if the card is not a token.
        """
        if card.kind != "jeton":
            return None
        return free(state, giver.seat, (giver.area,) if giver.area else THREE)

    def cancelled(self, state: State, seat: str) -> list[int]:
        """Return the commander, whose effects a card may cancel (SAF-III-7)."""
        return list(state.zones[f"{seat}/commander"])


def _face_down(state: State, option: str) -> bool:
    """Whether an option is a magic slot that holds an unidentified card."""
    return "/magics/" in option and state.refs[object_at(state, option)] is None


def _silenceable(state: State, giver: Source, operation: Tree, got: Sequence[str], option: str) -> bool:
    """Whether «Silence» may take a card: an opposing one not silenced yet (SAF-VII-Silence)."""
    return PLACES[option].seat != giver.seat and not force.silenced(state, object_at(state, option))


def _exposed(state: State, giver: Source, operation: Tree, got: Sequence[str], option: str) -> bool:
    """Whether no «Rempart+», among cards not taken yet, shields this one (SAF-VII-RempartPlus, I-SAF-25)."""
    # A magic may pass «Rempart», but must destroy «Rempart+» first.
    strict = "/magics/" not in giver.path and state.terms.options["I-SAF-25"] == "both"
    return not _behind(state, giver, operation, got, option, ("Rempart", "Rempart+") if strict else ("Rempart+",))


def _behind(
    state: State, giver: Source, operation: Tree, got: Sequence[str], option: str, words: tuple[str, ...]
) -> bool:
    """Whether a fighter with one of these keywords must be destroyed before this one.

    An effect that takes all destroys them at once (SAF-VII-RempartOrder); nobody is shielded from their own player.
    """
    place = PLACES[option]
    if place.seat == giver.seat or operation["of"].get("take") == "all" or "/fighters/" not in option:
        return False
    first = keywords.shield(state, place.seat, place.area, words)
    return first is not None and state.where[first] != option and state.where[first] not in got


def _movable(state: State, giver: Source, operation: Tree, got: Sequence[str], option: str) -> bool:
    """Whether a fighter may change territory and has a slot to go to (SAF-VII-Deplacer)."""
    return bool(destinations(state, option, operation)) and keywords.mobile(state, object_at(state, option))


def _swappable(state: State, giver: Source, operation: Tree, got: Sequence[str], option: str) -> bool:
    """Whether two fighters may swap: of one player, and free to move if territories differ (SAF-VII-Deplacer)."""
    if not got:
        return True
    one, two = PLACES[got[0]], PLACES[option]
    mobile = all(keywords.mobile(state, object_at(state, path)) for path in (got[0], option))
    return one.seat == two.seat and (one.area == two.area or mobile)


def _comes_back(state: State, giver: Source, operation: Tree, got: Sequence[str], option: str) -> bool:
    """Whether a card may be resurrected: a fighter or token, never a magic (SAF-VII-Ressusciter)."""
    card = state.card(object_at(state, option))
    return card is not None and card.kind in ("combattant", "jeton")


ALLOWED = {
    "silence": _silenceable,
    "destroy": _exposed,
    "move": _movable,
    "swap": _swappable,
    "resurrect": _comes_back,
}


def destinations(state: State, option: str, operation: Tree) -> list[str]:
    """Return the free slots that a fighter may be moved to, in other territories of its player."""
    place = PLACES[option]
    near = operation.get("to", "any") == "adjacent"
    lands = [t for t in THREE if t != place.area and (not near or places.next_to(place.area, t))]
    return free(state, place.seat, lands)


def _destroy(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Destroy all targets at once; I-SAF-32 says whose cards may be saved first."""
    objs = [object_at(stack.ctx.state, option) for option in got]
    stack.push(batch(moments.in_turn(stack.ctx, objs), "effect"))


def _resurrect(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Put each card in a slot that its player chooses.

    Among copies in a discard, one that has nothing counted against it is taken (I-SAF-12).
    """
    state = stack.ctx.state
    # Frames are a stack: pushed in reverse, the first target is placed first.
    for option in reversed(got):
        pile, _, ref = option.rpartition("/")
        copies = [obj for obj in reversed(state.zones[pile]) if state.refs[obj] == ref]
        obj = keywords.freshest(state, copies)
        frame = {"step": "place", "obj": obj, "how": "resurrect", "by": giver.seat, "from": option, "to": "any"}
        stack.push(frame)


def _silence(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Silence cards for as long as I-SAF-30 says."""
    ctx, state = stack.ctx, stack.ctx.state
    ctx.depend_on("I-SAF-30")
    # 0 stands for as long as the card is in play.
    end = state.turn if state.terms.options["I-SAF-30"] == "turn" else 0
    for option in got:
        ctx.emit("lasting", ("silence", object_at(state, option), "", 0, end, giver.obj), -1)


def _block(stack: Stack, giver: Source, operation: Tree, got: Sequence[str]) -> None:
    """Block fighters, or whole territories (SAF-VII-BloquerCombattant, SAF-VII-BloquerTerritoire)."""
    ctx, state = stack.ctx, stack.ctx.state
    end = HOST.until(state, giver.seat, operation.get("for", "opposing_turn"))
    for option in got:
        target: Any = option if option in ZONES["territory"] else object_at(state, option)
        ctx.emit("lasting", ("lock" if target == option else "block", target, "", 0, end, giver.obj), -1)


HOST = SafirHost()
