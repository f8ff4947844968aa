"""Opening hands and the mulligan (chapter V)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core.effects import force, triggers
from engine.core.effects.hidden_cards import drawn, draws, unlisted
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref
from engine.core.text.errors import Malformed, Violation
from engine.games.star_safir.moves.base import Reasons, prepared
from engine.games.star_safir.moves.mat import LANCEMENT, SEATS
from engine.games.star_safir.moves.preparation import SetUp

HAND = 5  # SAF-V-1


class Keep(SetUp):
    """`keep`: draw the opening hand of 5 and keep it (SAF-V-1)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the one draw, "?" for each card that nobody noted; there are no arguments."""
        arguments(entry, ())
        hand = ("draw", ("?",) * opening(state, entry.by))
        return Move(entry.by, entry.do, {}, draws(state, entry, 1) if entry.chance else (hand,))

    def check(self, state: State, move: Move) -> Reasons:
        """Refuse before the first player is known, a second hand, and cards that the list cannot give."""
        reasons = self.hand(state, move)
        if move.chance is not None and move.by in SEATS:
            reasons += unlisted(state, move.by, drawn(move)[0], {})
        return reasons

    def hand(self, state: State, move: Move) -> Reasons:
        """Return what speaks against `keep` and `mulligan` alike: the moment, or a first draw that is not 5 cards."""
        reasons = self.opening(state, move)
        if move.by not in SEATS:
            return reasons
        if prepared(state) or state.noted("ready", move.by):
            reasons.append(Violation("SAF-V-2", {"seat": move.by}, why="kept"))
        declared = state.terms.options["I-SAF-27"] == "declared"
        if declared and state.zones[f"{move.by}/commander"] and not state.noted("declared", move.by):
            reasons.append(Violation("SAF-IV-2", {"seat": move.by}, ("I-SAF-27",), why="undeclared"))
        if move.chance is not None and not state.noted("ready", move.by):
            count, due = len(drawn(move)[0]), opening(state, move.by)
            # The size of an undeclared deck is unknown, and a hand from it may be smaller than 5.
            unsaid = f"{move.by}/deck" in state.unknown and count <= HAND
            if count != due and not unsaid:
                reasons.append(Violation("SAF-V-1", {"count": count, "max": due}))
        return reasons

    def run(self, ctx: Context, move: Move) -> None:
        """Draw the hand; once both seats have theirs, the first turn begins."""
        ctx.draw(move.by, drawn(move)[0])
        self.ready(ctx, move.by)

    def ready(self, ctx: Context, seat: str) -> None:
        """Note that a seat has its hand, and start the first turn once both have.

        A commander that was not declared is in play (I-SAF-27).
        """
        if ctx.state.zones[f"{seat}/commander"]:
            ctx.depend_on("I-SAF-27")
        ctx.emit("note", "ready", seat)
        if all(ctx.state.noted("ready", other) for other in SEATS):
            ctx.emit("turn", 1, ctx.state.first, LANCEMENT)
            self.started(ctx)

    def started(self, ctx: Context) -> None:
        """Resolve what commanders do at the start of the game, such as other starting PI (SAF-V-3)."""
        state = ctx.state
        if not force.acting(state, "triggers", "start_game"):
            return
        stack = Stack(ctx)
        leaders = [obj for seat in SEATS for obj in state.zones[f"{seat}/commander"]]
        triggers.after(stack, *(("start_game", force.seen(state, obj)) for obj in leaders))
        resolve(ctx, Move("table", "keep", {}), started=stack)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal 5 cards from the deck."""
        return replace(move, chance=(("draw", tuple(dealer.deal(state.unseen[move.by], HAND))),))

    def seats(self, state: State) -> Iterator[str]:
        """Yield the seats that may take their hand now."""
        for seat in self.preparing(state):
            waits = state.terms.options["I-SAF-27"] == "declared" and state.zones[f"{seat}/commander"]
            if not state.noted("ready", seat) and (not waits or state.noted("declared", seat)):
                yield seat

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move for each seat without a hand."""
        return (Move(seat, "keep", {}) for seat in wanted.among(self.seats(state)))


def opening(state: State, seat: str) -> int:
    """Return how many cards an opening hand has (SAF-V-1), fewer from a smaller deck."""
    return min(HAND, len(state.zones[f"{seat}/deck"])) if seat in SEATS else HAND


class Mulligan(Keep):
    """`mulligan`: draw 5, shuffle `back` cards into the deck and draw as many again (SAF-V-2).

    `back` is a number of cards, or their refs.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.back` and the two draws.

        `back` is a number, or a list of refs with "?" for a card that nobody noted. Draws are "?" where they are not
        noted.
        """
        back = arguments(entry, ("back",), ("back",))["back"]
        if isinstance(back, list):
            back = tuple("?" if ref == "?" else card_ref(state, ref, "args.back") for ref in back)
        elif type(back) is not int:
            raise Malformed("wrong_type", "back must be a number of cards or a list of refs", path="args.back")
        number_back = back if isinstance(back, int) else len(back)
        unseen = (("draw", ("?",) * opening(state, entry.by)), ("draw", ("?",) * max(0, min(HAND, number_back))))
        return Move(entry.by, entry.do, {"back": back}, draws(state, entry, 2) if entry.chance else unseen)

    def check(self, state: State, move: Move) -> Reasons:
        """Check as `keep`, that as many cards are drawn as went back, and that these were in the hand."""
        reasons = self.hand(state, move)
        back = move.args["back"]
        number_back = back if isinstance(back, int) else len(back)
        if not 1 <= number_back <= HAND:
            return [*reasons, Violation("SAF-V-2", {"back": number_back, "max": HAND}, why="number")]
        if move.chance is None or move.by not in SEATS:
            return reasons
        first, again = drawn(move)
        if len(again) != number_back or number_back > len(first):
            reasons.append(Violation("SAF-V-2", {"back": number_back, "again": len(again)}, why="again"))
        used: dict[str, int] = {}
        reasons += unlisted(state, move.by, first, used)
        if isinstance(back, int):
            used = {}  # nobody noted which cards stayed: any of them may be drawn again
        else:
            reasons += _sent_back(state, move.by, list(first), back, used)
        return reasons + unlisted(state, move.by, again, used)

    def run(self, ctx: Context, move: Move) -> None:
        """Draw the hand, send the cards back and draw again."""
        first, again = drawn(move)
        ctx.draw(move.by, first)
        for obj in _returned(ctx, move.by, move.args["back"]):
            if ctx.state.refs[obj] is not None:
                ctx.emit("hide", obj)
            ctx.emit("move", obj, f"{move.by}/deck", -1)
        ctx.draw(move.by, again)
        self.ready(ctx, move.by)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal 5 cards, send the first `back` of them back, and deal as many from the deck as it then is."""
        first = dealer.deal(state.unseen[move.by], HAND)
        back = tuple(first[: move.args["back"]])
        deck = dict(state.unseen[move.by])
        # The cards that went back may be drawn again, those that stayed may not.
        for ref in first[len(back) :]:
            if ref != "?":
                deck[ref] -= 1
        again = tuple(dealer.deal(deck, len(back)))
        return replace(move, args={"back": back}, chance=(("draw", tuple(first)), ("draw", again)))

    def conceal(self, move: Move) -> Move:
        """Show only how many cards went back."""
        back = move.args["back"]
        args = {"back": back if isinstance(back, int) else len(back)}
        return replace(super().conceal(move), args=args)

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield a move for each number of cards; which ones they are depends on the draw, which is open."""
        for seat in wanted.among(self.seats(state)):
            for back in range(1, HAND + 1):
                yield Move(seat, "mulligan", {"back": back})


def _sent_back(state: State, seat: str, hand: list[str], back: Sequence[str], used: dict[str, int]) -> Reasons:
    """Return why these cards cannot have been sent back.

    `used` counts the known cards of the hand by ref; those that went back are taken out of it.
    """
    reasons: Reasons = []
    for ref in back:
        if ref in hand:
            hand.remove(ref)
            if ref in used:
                used[ref] -= 1
        # One of the unknown cards of the hand turns out to be this one, if the list has a copy left.
        elif "?" in hand:
            hand.remove("?")
            reasons += unlisted(state, seat, (ref,), dict(used))
        else:
            reasons.append(Violation("LOG-hand", {"card": ref, "seat": seat}))
    return reasons


def _returned(ctx: Context, seat: str, back: int | Sequence[str]) -> list[int]:
    """Return the objects sent back; a known card whose ref is named, or a hidden one.

    A bare number does not say which cards went back, so those that stay are hidden again too.
    """
    state = ctx.state
    hand = list(state.zones[f"{seat}/hand"])
    if isinstance(back, int):
        for obj in hand if back < len(hand) else ():
            if state.refs[obj] is not None:
                ctx.emit("hide", obj)
        return hand[len(hand) - back :]
    found: list[int] = []
    for ref in back:
        wanted = [obj for obj in hand if state.refs[obj] == (None if ref == "?" else ref)]
        obj = (wanted or [obj for obj in hand if state.refs[obj] is None])[0]
        hand.remove(obj)
        found.append(obj)
    return found
