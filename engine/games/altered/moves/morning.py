"""`expand`: the two draws of a morning, and the card that may become an orb (ALT-1.3.2.b)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.effects.hidden_cards import drawn, effect_chance, possible, undrawn
from engine.core.effects.host import Stack
from engine.core.effects.interpreter import resolve
from engine.core.table.agenda import Frame
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, missing
from engine.core.text.errors import Violation
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import (
    DECK,
    DISCARD,
    DRAWN,
    HAND,
    MANA,
    MATIN,
    SPENT,
    into_mana,
    option,
    supply,
)
from engine.games.altered.moves.base import AlteredVerb, Reasons, announced, noted_first, unread_acts, waiting
from engine.games.altered.moves.turn import morning_reactions
from engine.games.altered.vocabulary import JETON


class Expand(AlteredVerb):
    """`expand`: draw two cards, then put one card of the hand into mana, or none.

    Example, with a draw nobody recorded and an orb nobody saw: `{"by": "A", "do": "expand", "args": {"card": "?"}}`.
    """

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.card`: a ref, "?" if nobody saw the card, null for none. An unrecorded draw is unknown."""
        card = arguments(entry, ("card",), ("card",))["card"]
        if card not in (None, "?"):
            card_ref(state, card, "args.card")
        return Move(entry.by, entry.do, {"card": card}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is the morning, once a player, with a possible draw and a card that can be in that hand."""
        reasons = self.moment(state, move, MATIN, "ALT-1.3.2.b")
        reasons = reasons or self.in_order(state, move, "expanded", "ALT-1.3.2.b")
        if reasons:
            return reasons
        unsaid = [fact for fact in (DECK[move.by], "turn.first") if fact in state.unknown]
        if unsaid:
            return missing("ALT-1.3.2.b", unsaid[0])
        due = min(DRAWN, drawable(state, move.by))
        noted = noted_first(move) if due else None
        if noted is not None and len(noted) != due and not unread_acts(state):
            args: dict[str, str | int] = {"seat": move.by, "max": due, "count": len(noted)}
            return [Violation("ALT-1.3.2.b", args, why="draw")]
        # A log that records no draw drew unseen cards; with chance left open (`ask`, candidates) there is no draw yet.
        refs = ["?"] * due if noted is None and move.chance is not None else list(noted or ())
        # If the discard is shuffled in first, the deck as it lies says nothing about the draw.
        whole = len(state.zones[DECK[move.by]]) >= due
        return (undrawn(state, move.by, refs) if whole else []) + self.held(state, move, refs)

    def held(self, state: State, move: Move, refs: list[str]) -> Reasons:
        """Return why the card put into mana cannot be in the hand after the draw."""
        ref, hand = move.args["card"], state.zones[HAND[move.by]]
        if ref is None or ref in refs or ref in possible(state, move.by):
            return []
        if HAND[move.by] in state.unknown:
            return missing("ALT-1.3.2.b", HAND[move.by])
        veiled = "?" in refs or any(state.refs[obj] is None for obj in hand)
        some = bool(hand or refs) if move.chance is not None else bool(hand) or drawable(state, move.by) > 0
        if (ref == "?" and some) or (ref != "?" and veiled and state.unseen.get(move.by, {ref: 1}).get(ref)):
            return []
        return [Violation("LOG-hand", {"card": ref, "seat": move.by})]

    def run(self, ctx: Context, move: Move) -> None:
        """Draw and make the orb; once both players have, it is noon."""
        resolve(ctx, move, [{"step": "expand", "by": move.by, "card": move.args["card"]}])

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal the draws; a card nobody saw is picked among them, or from the hand if nothing is drawn."""
        if move.args["card"] != "?":
            return super().close(state, move, dealer)
        closed = super().close(state, replace(move, args={"card": None}), dealer)
        refs = [ref for found in drawn(closed)[:1] for ref in found] or possible(state, move.by)
        return replace(closed, args={"card": dealer.pick(refs, "choice")})

    def conceal(self, move: Move) -> Move:
        """Hide the card: orbs lie face down."""
        card = move.args["card"]
        return super().conceal(replace(move, args={"card": None if card is None else "?"}))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield no card, each card that is or may be in the hand, and one unseen card."""
        if state.phase != MATIN or state.agenda or state.result is not None:
            return
        for seat in wanted.among(waiting(state, "expanded")):
            yield Move(seat, "expand", {"card": None})
            yield from (Move(seat, "expand", {"card": ref}) for ref in possible(state, seat))
            if state.zones[HAND[seat]] or drawable(state, seat):
                yield Move(seat, "expand", {"card": "?"})


def noted_count(ctx: Context) -> int:
    """Return how many cards are drawn: two, or as many as were recorded if `unread_acts`."""
    kind, noted = ctx.supply[0] if ctx.supply and unread_acts(ctx.state) else ("", ())
    return len(noted) if kind == "draw" else DRAWN


def drawable(state: State, seat: str) -> int:
    """Return how many cards a player can draw: those of the deck, then of the discard (I-ALT-12)."""
    count = len(state.zones[DECK[seat]])
    if count >= DRAWN or state.terms.options["I-ALT-12"] != "shuffle":
        return count
    cards = [state.card(obj) for obj in state.zones[DISCARD[seat]]]
    return count + sum(1 for card in cards if card is None or card.kind != JETON)


def _expand(stack: Stack, frame: Frame) -> None:
    ctx, seat, card = stack.ctx, str(frame["by"]), frame["card"]
    count = supply(ctx, seat, noted_count(ctx))
    if count:
        ctx.draw(seat, ctx.chance_draw(seat, count))
    if card is not None:
        ready = option(ctx, "I-ALT-07") == "ready"
        into_mana(ctx, seat, card, MANA[seat] if ready else SPENT[seat])
    if announced(ctx, seat, "expanded"):
        stack.push({"step": "noon"})
        morning_reactions(stack, "drawn")


HOST.steps["expand"] = _expand
