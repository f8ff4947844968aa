"""The start of the game: heroes, opening hands and mulligans, who starts (STN-DEB)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.core.context import Context
from engine.core.effects import force
from engine.core.errors import Malformed, Violation
from engine.core.game import Dealer, Move
from engine.core.hidden import drawn, noted_draw
from engine.core.log import Entry
from engine.core.state import State
from engine.core.verbs import arguments, card_ref, missing, no_chance, not_by, over
from engine.games.stellar_nexus.mat import DECK, DESENGAGEMENT, HERO, PV, SEATS, VEILED
from engine.games.stellar_nexus.moves.base import Reasons, StellarVerb, prepared
from engine.games.stellar_nexus.moves.drawing import misdrawn

HAND_SIZE = 6  # STN-DEB-2
FREE_MULLIGANS = 2  # STN-DEB-2
HIDDEN = "?"


def opening_size(state: State, seat: str) -> int:
    """How many cards the opening hand has after the mulligans made so far (STN-DEB-2)."""
    made = state.memory.get("mulligans", []).count(seat)
    return HAND_SIZE - max(0, made - FREE_MULLIGANS)


def start(ctx: Context) -> None:
    """The first turn begins once it is known who starts and no hero is hidden (STN-DEB-1)."""
    state = ctx.state
    if state.first is not None and not any(state.zones[VEILED[seat]] for seat in SEATS):
        ctx.emit("turn", 1, state.first, DESENGAGEMENT)


def unveil(ctx: Context, seat: str) -> None:
    """Put a hero face up in its place: it gives its PV (STN-HER-1)."""
    obj = ctx.state.zones[VEILED[seat]][0]
    card = ctx.state.card(obj)
    ctx.emit("move", obj, HERO[seat], -1)
    force.enter(ctx, obj)
    if card is not None and card.figures["pv"]:
        ctx.emit("counter", PV[seat], card.figures["pv"])


class SetUp(StellarVerb):
    """What the verbs of the set-up share."""

    def opening(self, state: State, move: Move, rule: str, **args: Any) -> Reasons:
        """Why it is not the set-up any more, or cannot be told (STN-DEB)."""
        reasons = over(self.game, state) + not_by(move, *SEATS)
        if prepared(state):
            reasons.append(Violation(rule, {"seat": move.by, **args}, why="late"))
        elif state.unknown:
            facts = ("turn.phase", "turn.first", *(f"memory.{note}" for note in ("chosen", "ready", "mulligans")))
            reasons += [reason for fact in facts if fact in state.unknown for reason in missing(rule, fact)]
        return reasons

    def preparing(self, state: State) -> tuple[str, ...]:
        """The seats that may still be preparing: both, while the set-up lasts."""
        return SEATS if state.result is None and not prepared(state) else ()


class Hero(SetUp):
    """`hero`: put the registered hero on the field, face up or hidden (STN-DEB-1, STN-HER-2)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: its ref, or "?" where it stays hidden."""
        no_chance(entry)
        ref = arguments(entry, ("card",), ("card",))["card"]
        return Move(entry.by, entry.do, {"card": HIDDEN if ref == HIDDEN else card_ref(state, ref, "args.card")})

    def check(self, state: State, move: Move) -> Reasons:
        """Once, first of all, and only the hero of the list."""
        reasons = self.opening(state, move, "STN-DEB-1")
        if move.by in SEATS and not reasons:
            if state.noted("chosen", move.by):
                reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="chosen"))
            elif move.args["card"] not in (HIDDEN, *(state.refs[obj] for obj in state.zones[VEILED[move.by]])):
                reasons.append(Violation("STN-HER-2", {"card": move.args["card"], "seat": move.by}, why="list"))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Notes the choice."""
        ctx.emit("note", "chosen", move.by)
        if move.args["card"] != HIDDEN:
            unveil(ctx, move.by)

    def candidates(self, state: State) -> Iterator[Move]:
        """For each seat that has not chosen: face up, or hidden."""
        for seat in self.preparing(state):
            if not state.noted("chosen", seat):
                for obj in state.zones[VEILED[seat]]:
                    yield Move(seat, "hero", {"card": state.refs[obj]})
                    yield Move(seat, "hero", {"card": HIDDEN})


class Reveal(SetUp):
    """`reveal`: turn a hidden hero face up, once it is known who starts (STN-DEB-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.card`: the hero."""
        no_chance(entry)
        ref = arguments(entry, ("card",), ("card",))["card"]
        return Move(entry.by, entry.do, {"card": card_ref(state, ref, "args.card")})

    def check(self, state: State, move: Move) -> Reasons:
        """A hero hidden until now, the one of the list, and not before it is known who starts."""
        reasons = self.opening(state, move, "STN-DEB-1")
        if move.by in SEATS and not reasons:
            hidden = [state.refs[obj] for obj in state.zones[VEILED[move.by]]]
            if not hidden:
                reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="shown"))
            elif state.first is None:
                reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="early"))
            elif move.args["card"] not in hidden:
                reasons.append(Violation("STN-HER-2", {"card": move.args["card"], "seat": move.by}, why="list"))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Turns it over; after the last of them the first turn begins."""
        unveil(ctx, move.by)
        start(ctx)

    def candidates(self, state: State) -> Iterator[Move]:
        """One for each hidden hero."""
        for seat in self.preparing(state) if state.first is not None else ():
            for obj in state.zones[VEILED[seat]]:
                yield Move(seat, "reveal", {"card": state.refs[obj]})


class Keep(SetUp):
    """`keep`: draw the opening hand and keep it (STN-DEB-2)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """One recorded draw; of a hand nobody noted the cards are unknown."""
        arguments(entry, ())
        if entry.n == 0 and entry.chance is None:
            return Move(entry.by, entry.do, {})
        due = self.most(state, entry.by) if entry.by in SEATS else 0
        return Move(entry.by, entry.do, {}, noted_draw(state, entry, due))

    def check(self, state: State, move: Move) -> Reasons:
        """Once a seat, after its hero, of as many cards as the mulligans leave."""
        due = opening_size(state, move.by) if move.by in SEATS else HAND_SIZE
        refs = drawn(move)[0] if move.chance else ()
        said: dict[str, str | int] = {"count": len(refs), "max": due}
        reasons = self.opening(state, move, "STN-DEB-2", **said)
        if move.by not in SEATS or reasons:
            return reasons
        if not state.noted("chosen", move.by):
            reasons.append(Violation("STN-DEB-1", {"seat": move.by}, why="hero"))
        if state.noted("ready", move.by):
            reasons.append(Violation("STN-DEB-2", {**said, "seat": move.by}, why="kept"))
        elif move.chance is not None and len(refs) != self.most(state, move.by):
            reasons.append(Violation("STN-DEB-2", said))
        return reasons + self.more(state, move, said) + misdrawn(state, move.by, refs)

    def most(self, state: State, seat: str) -> int:
        """How many cards are drawn now."""
        return min(opening_size(state, seat), len(state.zones[DECK[seat]]))

    def more(self, state: State, move: Move, said: dict[str, str | int]) -> Reasons:
        """What a mulligan asks beside."""
        return []

    def run(self, ctx: Context, move: Move) -> None:
        """Draws the hand."""
        ctx.draw(move.by, drawn(move)[0])
        ctx.emit("note", "ready", move.by)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The cards of the hand."""
        count = self.most(state, move.by)
        return replace(move, chance=(("draw", tuple(dealer.deal(state.drawable(move.by), count))),))

    def candidates(self, state: State) -> Iterator[Move]:
        """One for each seat with a hero and without a hand."""
        for seat in self.preparing(state):
            waits = state.noted("chosen", seat) and not state.noted("ready", seat)
            if waits and not self.more(state, Move(seat, self.name, {}), {}):
                yield Move(seat, self.name, {})

    name = "keep"


class Mulligan(Keep):
    """`mulligan`: a hand is drawn and put back, and the library shuffled; two for nothing (STN-DEB-2)."""

    name = "mulligan"

    def more(self, state: State, move: Move, said: dict[str, str | int]) -> Reasons:
        """A hand of no card cannot be given up."""
        return [] if opening_size(state, move.by) else [Violation("STN-DEB-2", {**said, "seat": move.by}, why="empty")]

    def run(self, ctx: Context, move: Move) -> None:
        """The cards come and go: what is left of it is that the next hand may be smaller."""
        ctx.emit("note", "mulligans", move.by)


class FirstPlayer(StellarVerb):
    """`first_player`: who starts (STN-DEB-3). The winner of a roll chooses; after a game, who lost it."""

    def parse(self, state: State, entry: Entry) -> Move:
        """`args.first`: who starts, the winner of the roll if it is left out; the roll is the chance `first_player`."""
        args = arguments(entry, ("first",))
        chance = entry.chance or ()
        rolled = entry.by == "table" and not (entry.n == 0 and entry.chance is None)
        if [kind for kind, _ in chance] != ["first_player"] * rolled or any(seat not in SEATS for _, seat in chance):
            raise Malformed("missing_chance", "the table rolls who chooses: a chance first_player", path="chance")
        first = args.get("first", chance[0][1] if chance else None)
        if first not in SEATS:
            raise Malformed("unknown_seat", "first is A or B", path="args.first")
        return Move(entry.by, entry.do, {"first": first}, chance if rolled else None)

    def check(self, state: State, move: Move) -> Reasons:
        """Once, when both hands are kept: by the table, or by the last loser."""
        reasons = over(self.game, state) + not_by(move, "table", *SEATS)
        facts = ("turn.phase", "turn.first", "memory.ready", "memory.loser")
        unsaid = [fact for fact in facts if fact in state.unknown]
        why = self.undue(state, move.by, sure=not unsaid)
        if why:
            reasons.append(Violation("STN-DEB-3", {"by": move.by, "chooser": self.chooser(state)}, why=why))
        else:
            reasons += [reason for fact in unsaid for reason in missing("STN-DEB-3", fact)]
        return reasons

    def due(self, state: State, by: str) -> bool:
        """Whether it is the moment, and theirs to say."""
        return by == self.chooser(state) and all(state.noted("ready", seat) for seat in SEATS)

    def undue(self, state: State, by: str, *, sure: bool) -> str:
        """Which reason of STN-DEB-3 there is against it: said already, the hands, somebody else's to say."""
        if prepared(state) or state.first is not None:
            return "said"
        if not sure or self.due(state, by):
            return ""
        return "chooser" if by != self.chooser(state) else "hands"

    def chooser(self, state: State) -> str:
        """The last loser, or the table that rolls."""
        return str(state.memory.get("loser", ["table"])[0])

    def run(self, ctx: Context, move: Move) -> None:
        """Records it; the first turn begins if no hero is hidden."""
        ctx.emit("first", move.args["first"])
        start(ctx)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """A coin, where the table rolls one."""
        return replace(move, chance=(("first_player", dealer.pick(SEATS)),)) if move.by == "table" else move

    def candidates(self, state: State) -> Iterator[Move]:
        """Either seat, until it is said."""
        if state.result is None and not prepared(state) and state.first is None:
            by = self.chooser(state)
            yield from (Move(by, "first_player", {"first": seat}) for seat in SEATS if self.due(state, by))
