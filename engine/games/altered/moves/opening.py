"""The set-up: the first player, the Tumult cards between the expeditions, the opening hands (I-ALT-05, I-ALT-06)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.effects.hidden_cards import effect_chance, undrawn
from engine.core.effects.interpreter import resolve
from engine.core.table.chance import Dealer
from engine.core.table.context import Context, deal_top
from engine.core.table.game import Move, Wanted
from engine.core.table.log import Entry
from engine.core.table.state import State
from engine.core.table.verbs import arguments, card_ref, missing, not_by, over
from engine.core.text.errors import Malformed, Violation
from engine.games.altered.effects.host import HOST
from engine.games.altered.mat import DECK, MANA, PREPARATION, SEATS, TUMULTES, into_mana, option, turn_up
from engine.games.altered.moves.base import AlteredVerb, Reasons, announced, noted_first, nothing, waiting
from engine.games.altered.moves.turn import first_morning

CARDS, ORBS = 6, 3  # I-ALT-06


class TableVerb(AlteredVerb):
    """Base class of what the table does before the opening hands."""

    def before(self, state: State, move: Move, *, done: bool, fact: str, why: str) -> Reasons:
        """Return why the table may not do this: it is already `done`, or the set-up is over.

        `why` is the reason of ALT-1.3.1 that says it is done; `fact` is the fact that tells whether it is, which a
        declared position may leave out.
        """
        reasons = over(self.game, state) + not_by(move, "table")
        for unsaid in ("turn.phase", fact):
            reasons += missing("ALT-1.3.1", unsaid) if unsaid in state.unknown else []
        if not reasons and (done or state.phase != PREPARATION):
            reasons.append(Violation("ALT-1.3.1", why=why if done else "late"))
        return reasons


class FirstPlayer(TableVerb):
    """`first_player`: the seat that has the initiative on the first day, as recorded."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read the one recorded chance. Raises Malformed, code `missing_chance`."""
        nothing(entry)
        # Entry 0 is a question (`ask`): the seat may be left open.
        if entry.n == 0 and entry.chance is None:
            return Move(entry.by, entry.do, {})
        chance = entry.chance or ()
        if [kind for kind, _ in chance] != ["first_player"] or chance[0][1] not in SEATS:
            raise Malformed("missing_chance", "first_player needs the seat that goes first", path="chance")
        return Move(entry.by, entry.do, {}, chance)

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is done once, before the opening hands."""
        return self.before(state, move, done=state.first is not None, fact="turn.first", why="named")

    def run(self, ctx: Context, move: Move) -> None:
        """Record the first player."""
        if move.chance:
            ctx.emit("first", move.chance[0][1])

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Pick one of the two seats."""
        return replace(move, chance=(("first_player", dealer.pick(SEATS, "first_player")),))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move until the first player is known."""
        if state.phase == PREPARATION and state.first is None and state.result is None and wanted.seat("table"):
            yield Move("table", "first_player", {})


class Adventure(TableVerb):
    """`adventure`: lay the three Tumult cards between the starting regions (I-ALT-05)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry without arguments; if the cards lie face up, the chance records each card and its side."""
        nothing(entry)
        return Move(entry.by, entry.do, {}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that it is done once, before the opening hands."""
        return self.before(state, move, done="laid" in state.memory, fact="memory.laid", why="laid")

    def run(self, ctx: Context, move: Move) -> None:
        """Lay the cards face down, or turn them up at once (I-ALT-05)."""
        ctx.emit("note", "laid", 1)
        resolve(ctx, move, [{"step": "lay"}] if option(ctx, "I-ALT-05") == "shown" else [])

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move until the cards are laid."""
        if state.phase == PREPARATION and "laid" not in state.memory and state.result is None and wanted.seat("table"):
            yield Move("table", "adventure", {})


def _lay(stack: object, frame: object) -> None:
    ctx: Context = stack.ctx  # type: ignore[attr-defined]
    for obj in list(ctx.state.zones[TUMULTES]):
        turn_up(ctx, obj)


HOST.steps["lay"] = _lay


class Mana3(AlteredVerb):
    """`mana3`: draw the opening hand of six cards and turn three of them into orbs (I-ALT-06)."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read `args.cards`, the three cards, "?" for a card nobody saw.

        The chance is the draw, if recorded, then the chance of noon.
        """
        args = arguments(entry, ("cards",), ("cards",))
        refs = args["cards"]
        if not isinstance(refs, list) or len(refs) > CARDS:
            raise Malformed("wrong_type", "cards must be a list of refs", path="args.cards")
        for index, ref in enumerate(refs):
            if ref != "?":
                card_ref(state, ref, f"args.cards[{index}]")
        return Move(entry.by, entry.do, {"cards": list(refs)}, effect_chance(state, entry))

    def check(self, state: State, move: Move) -> Reasons:
        """Check that the table is set up, that the player has not drawn yet, and that the cards are possible."""
        reasons = self.moment(state, move, PREPARATION, "ALT-1.3.1")
        unsaid = [fact for fact in ("turn.first", "memory.laid", "memory.ready") if fact in state.unknown]
        if reasons or unsaid:
            return reasons or missing("ALT-1.3.1", unsaid[0])
        if state.first is None or "laid" not in state.memory:
            return [Violation("ALT-1.3.1", {"seat": move.by}, why="start" if state.first is None else "tumults")]
        reasons = self.in_order(state, move, "ready", "ALT-1.3.1")
        due, cards = min(CARDS, len(state.zones[DECK[move.by]])), move.args["cards"]
        noted = noted_first(move)
        if len(cards) != ORBS:
            args: dict[str, str | int] = {"seat": move.by, "mana": ORBS, "count": len(cards)}
            return [*reasons, Violation("ALT-1.3.1.d", args, why="mana")]
        if noted is not None and len(noted) != due:
            args = {"seat": move.by, "max": due, "count": len(noted)}
            return [*reasons, Violation("ALT-1.3.1.d", args, why="draw")]
        refs = ["?"] * due if noted is None else list(noted)
        return reasons + undrawn(state, move.by, refs) + self.among(move, refs)

    def among(self, move: Move, left: list[str]) -> Reasons:
        """Return why the three cards are not among those drawn (`left`); while chance is open, no card can be named."""
        for ref in move.args["cards"]:
            # A named card may be one of the unnamed cards drawn, and an unnamed one any of those left.
            if ref in left or "?" in left or ref == "?":
                left.remove(ref if ref in left else "?" if "?" in left else left[0])
            else:
                return [Violation("LOG-hand", {"card": ref, "seat": move.by})]
        return [] if move.chance is not None or set_of(move) == ["?"] else [
            Violation("LOG-hand", {"card": next(ref for ref in move.args["cards"] if ref != "?"), "seat": move.by})
        ]  # fmt: skip

    def run(self, ctx: Context, move: Move) -> None:
        """Draw, then make the orbs; once both players have, the first day begins."""
        ctx.depend_on("I-ALT-06")
        noted = noted_first(move)
        ctx.draw(move.by, ("?",) * min(CARDS, len(ctx.state.zones[DECK[move.by]])) if noted is None else noted)
        # Named cards first: an unnamed orb may be any card of the hand, so it makes the whole hand unknown.
        for ref in sorted(move.args["cards"], key=lambda ref: ref == "?"):
            into_mana(ctx, move.by, ref, MANA[move.by])
        begins = [first_morning(ctx)] if announced(ctx, move.by, "ready") else []
        rest = move.chance[1:] if move.chance and noted is not None else move.chance
        resolve(ctx, replace(move, chance=rest), begins)

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Deal six cards and pick three of them."""
        refs = deal_top(state, move.by, CARDS, dealer)
        left = list(refs)
        cards = []
        for _ in range(ORBS):
            cards.append(dealer.pick(left, "choice"))
            left.remove(cards[-1])
        drawn_ = ("draw", tuple(refs))
        # What the trial deals (the reactions at noon) replaces the chance, so the opening draw is put back in front.
        closed = super().close(state, replace(move, args={"cards": cards}, chance=(drawn_,)), dealer)
        return closed if closed.chance == (drawn_,) else replace(closed, chance=(drawn_, *(closed.chance or ())))

    def conceal(self, move: Move) -> Move:
        """Hide the cards: orbs lie face down."""
        return super().conceal(replace(move, args={"cards": ["?"] * len(move.args["cards"])}))

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield one move for each player who may draw now, with three unseen cards."""
        if state.phase != PREPARATION or state.first is None or "laid" not in state.memory or state.result is not None:
            return
        for seat in wanted.among(waiting(state, "ready")):
            yield Move(seat, "mana3", {"cards": ["?"] * ORBS})


def set_of(move: Move) -> list[str]:
    """Return the distinct cards of a move, in order."""
    return list(dict.fromkeys(move.args["cards"]))
