"""Every refusal of Altered gives the rule, the reason and the message that fit the situation."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.report.audit import audit
from engine.core.table.context import Context
from engine.core.text.registry import rulebook
from tests.engine import scenario as runner
from tests.engine.altered.cast import catalog, header

GAME = "altered"
LAID: tuple[dict[str, Any], ...] = (
    {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]},
    {"by": "table", "do": "adventure"},
)
PASS_A, PASS_B = {"by": "A", "do": "pass"}, {"by": "B", "do": "pass"}
EXPAND_A, EXPAND_B = ({"by": seat, "do": "expand", "args": {"card": None}} for seat in "AB")


def draw(*refs: str) -> list[dict[str, Any]]:
    return [{"draw": list(refs)}]


def play(card: str, expedition: str | None = None, by: str = "A") -> dict[str, Any]:
    return {"by": by, "do": "play", "args": {"card": card, **({"expedition": expedition} if expedition else {})}}


def quick(card: str, by: str = "A") -> dict[str, Any]:
    return {"by": by, "do": "quick", "args": {"card": card}}


def cleanup(card: str, by: str = "A") -> dict[str, Any]:
    return {"by": by, "do": "cleanup", "args": {"card": card}}


def mana3(*cards: str, by: str = "A", drawn: int = 6) -> dict[str, Any]:
    return {"by": by, "do": "mana3", "args": {"cards": list(cards or "???")}, "chance": draw(*["?"] * drawn)}


def board(phase: str = "apres-midi", memory: dict[str, Any] | None = None, **sides: Any) -> dict[str, Any]:
    return {"game": GAME, "given": {"seats": sides, "turn": {"phase": phase}, "memory": memory or {}}}


SETUP = {"game": GAME, "log": True}
FULL = {"reserve": ["P-1-1-100", "P-1-1-010", "P-1-1-001"]}
MORNING, NIGHT = board("matin"), board("nuit", A=FULL, B=FULL)
THREE = {**EXPAND_A, "chance": draw("?", "?", "?")}
GONE: dict[str, Any] = {"passed": ["B"]}

# Position, moves of which the last is refused, rule, reason, message.
REFUSED: tuple[tuple[dict[str, Any], tuple[dict[str, Any], ...], str, str, str], ...] = (
    (board("matin", A={"exp_heros": ["E-TAP"]}), (quick("A/exp_heros/1"),), "ALT-1.2.4.c", "phase",
     "E-TAP: quick actions are played in the afternoon; the current phase is matin."),
    (board(B={"exp_heros": ["E-TAP"]}), (quick("B/exp_heros/1", "B"),), "ALT-1.2.4.c", "turn",
     "E-TAP: B plays quick actions on their own turn, and it is A’s turn."),
    (board(memory=GONE, B={"exp_heros": ["E-TAP"]}), (quick("B/exp_heros/1", "B"),), "ALT-1.2.4.c", "passed",
     "E-TAP: B has already passed, so no more quick actions today."),
    (board(A={"exp_heros": ["E-TAP"]}, B={"exp_heros": ["E-MUTE"]}), (quick("A/exp_heros/1"),), "ALT-1.2.4.c",
     "forbidden", "E-TAP: E-MUTE stops A from using it."),
    (board(A={"exp_heros": ["E-FIRST"]}), (quick("A/exp_heros/1"),), "ALT-1.2.4.c", "condition",
     "The condition of E-FIRST’s quick action is not met."),
    (board(A={"exp_heros": ["E-GIVE"]}), (quick("A/exp_heros/1"),), "ALT-1.2.5.c", "parts",
     "A cannot pay the whole cost of E-GIVE’s action."),
    (board(A={"landmarks": ["R-1-1"]}), (quick("A/landmarks/1"),), "ALT-1.2.4.d", "",
     "R-1-1 has no ability that can be used there (A/landmarks/1)."),
    (board(), (quick("A/reserve/4"),), "ALT-1.2.4.d", "empty", "A has no card there (A/reserve/4)."),
    (board(B={"exp_heros": ["E-TAP"]}), (quick("B/exp_heros/1"),), "ALT-1.2.4.d", "owner",
     "E-TAP is not A’s card to use."),
    (board(A={"hand": ["E-TAP"]}), (quick("E-TAP"),), "ALT-1.2.4.d", "hand",
     "E-TAP is in A’s hand: a quick action is used in play, a support in the Reserve."),
    (board(A={"exp_heros": ["E-TAP epuise"]}), (quick("A/exp_heros/1"),), "ALT-1.2.5.d", "",
     "E-TAP is already exhausted: A cannot exhaust it to pay."),
    ({**board(A={"reserve": ["P-1-1-100 epuise"]}), "ruleset": "altered-2025@1"}, (play("A/reserve/1", "heros"),),
     "ALT-2.4.5", "", "P-1-1-100 is exhausted in the Reserve: A cannot play it."),
    ({**board(A={"reserve": ["E-HELP epuise"], "exp_heros": ["P-1-1-100"]}), "ruleset": "altered-2025@1"},
     (quick("A/reserve/1"),), "ALT-2.4.5", "support", "E-HELP is exhausted in the Reserve: A cannot use its support."),
    (board(A={"reserve": ["E-SCOUT"]}),
     ({"by": "A", "do": "play", "args": {"card": "A/reserve/1", "expedition": "heros", "scout": True}},),
     "ALT-5.1.1.b", "scout", "E-SCOUT: A cannot play it from there for a Scout cost."),
    (SETUP, (LAID[0], LAID[0]), "ALT-1.3.1", "named", "The first player is already known."),
    (SETUP, (LAID[1], LAID[1]), "ALT-1.3.1", "laid", "The three Tumult cards are already in place."),
    (SETUP, (LAID[0], LAID[1], mana3(), mana3(by="B"), {"by": "table", "do": "first_player",
     "chance": [{"first_player": "A"}]}), "ALT-1.3.1", "named", "The first player is already known."),
    (MORNING, (mana3(),), "ALT-1.3.1", "phase",
     "A draws the opening hand before the first day; the current phase is matin."),
    (SETUP, (LAID[1], mana3()), "ALT-1.3.1", "start",
     "Too early for A to draw: nobody has said who the first player is."),
    (SETUP, (LAID[0], mana3()), "ALT-1.3.1", "tumults", "Too early for A to draw: the Tumult cards are not in place."),
    (SETUP, (*LAID, mana3(), mana3()), "ALT-1.3.1", "again", "A has already drawn an opening hand."),
    (SETUP, (*LAID, mana3(by="B")), "ALT-1.3.1", "order", "A is the first player and draws before B."),
    (MORNING, ({"by": "table", "do": "adventure"},), "ALT-1.3.1", "late", "The set-up is over."),
    (SETUP, (*LAID, mana3(drawn=5)), "ALT-1.3.1.d", "draw", "A’s opening draw is 6, not 5."),
    (SETUP, (*LAID, mana3("?", "?")), "ALT-1.3.1.d", "mana", "A puts 3 cards into mana to start with, not 2."),
    (board(), (EXPAND_A,), "ALT-1.3.2.b", "phase",
     "A draws and adds to mana in the morning; the current phase is apres-midi."),
    (MORNING, (EXPAND_A, EXPAND_A), "ALT-1.3.2.b", "again", "A has already drawn and chosen a mana card this morning."),
    (MORNING, (EXPAND_B,), "ALT-1.3.2.b", "order", "A is the first player and announces before B."),
    (MORNING, (THREE,), "ALT-1.3.2.b", "draw", "A’s morning draw is 2, not 3."),
    (MORNING, (PASS_A,), "ALT-1.3.2.d", "phase", "A passes in the afternoon; the current phase is matin."),
    (board(), (PASS_B,), "ALT-1.3.2.d", "turn", "B cannot pass: it is A’s turn."),
    (board(memory=GONE), (PASS_B,), "ALT-1.3.2.d", "passed", "B has already passed today."),
    (board(A=FULL), (cleanup("A/reserve/1"),), "ALT-4.2.5", "phase",
     "A discards surplus cards at night; the current phase is apres-midi."),
    (NIGHT, (cleanup("A/reserve/4"),), "ALT-4.2.5", "empty", "A has no card there (A/reserve/4)."),
    (NIGHT, (cleanup("B/reserve/1"),), "ALT-4.2.5", "owner", "P-1-1-100 is not A’s card to discard."),
    (NIGHT, (cleanup("A/reserve/1"), cleanup("A/reserve/1")), "ALT-4.2.5", "named",
     "P-1-1-100 is already on its way to A’s discard."),
    (board("nuit", A={"landmarks": ["R-1-1"], **FULL}), (cleanup("A/landmarks/1"),), "ALT-4.2.5", "kept",
     "A keeps R-1-1: there are not too many cards where it is."),
    (NIGHT, (cleanup("B/reserve/1", "B"),), "ALT-4.2.5", "order", "A is the first player and discards before B."),
    (board("matin", A={"hand": ["R-1-1"]}), (play("R-1-1"),), "ALT-5.1.1.b", "phase",
     "R-1-1: A plays cards in the afternoon; the current phase is matin."),
    (board(B={"hand": ["R-1-1"]}), (play("R-1-1", by="B"),), "ALT-5.1.1.b", "turn",
     "B cannot play R-1-1: it is A’s turn."),
    (board(memory=GONE, B={"hand": ["R-1-1"]}), (play("R-1-1", by="B"),), "ALT-5.1.1.b", "passed",
     "R-1-1: B has already passed and plays no more cards today."),
    (board(), (play("A/reserve/1"),), "ALT-5.1.1.b", "empty", "A has no card there (A/reserve/1)."),
    (board(A={"reserve": ["J-111"]}), (play("A/reserve/1", "heros"),), "ALT-5.1.1.b", "kind",
     "J-111: A plays only Characters, Spells and Permanents."),
    (board(A={"reserve": ["R-1-1"]}, B={"exp_heros": ["E-BAR"]}), (play("A/reserve/1"),), "ALT-5.1.1.b", "forbidden",
     "R-1-1: E-BAR stops A from playing it."),
    (board(A={"reserve": ["E-NEVER"]}), (play("A/reserve/1", "heros"),), "ALT-5.1.1.b", "itself",
     "E-NEVER says that A cannot play it from there."),
    (board(A={"hand": ["P-1-1-000"]}), (play("P-1-1-000"),), "ALT-5.2.1.a", "expedition",
     "P-1-1-000 is a Character: say which expedition it joins."),
    (board(A={"hand": ["R-1-1"]}), (play("R-1-1", "heros"),), "ALT-5.2.1.a", "joins",
     "R-1-1 is not a Character: it does not join an expedition."),
    (board(A={"hand": ["X-AIM"]}), (play("X-AIM"),), "ALT-5.2.3.b", "none", "X-AIM has no possible target."),
    (board(A={"hand": ["X-AIM"], "exp_heros": ["P-1-1-000", "P-1-1-000"]}), (play("X-AIM"),
     {"by": "A", "do": "answer", "args": {"pick": "A/hero"}}), "ALT-5.2.3.b", "",
     "A/hero cannot be the target of X-AIM."),
    (board(A={"hand": ["X-PICK"]}), (play("X-PICK"),), "ALT-5.2.3.c", "none",
     "X-PICK has no mode whose targets can be chosen."),
)  # fmt: skip


@pytest.mark.parametrize(("where", "moves", "rule", "why", "sentence"), REFUSED)
def test_a_refusal_gives_the_right_rule_reason_and_message(
    where: dict[str, Any], moves: tuple[dict[str, Any], ...], rule: str, why: str, sentence: str
) -> None:
    document = {**where, "moves": list(moves)}
    state = runner.start(document)
    reasons = runner.play(document, state, Context(state))
    assert [(reason.rule, reason.why) for reason in reasons] == [(rule, why)]
    assert rulebook(GAME).message(reasons[0], "en") == sentence


PAD = (("back", 0, "A’s expedition does not go back from 1 to 0 from one day to the next."),
       ("leap", 3, "A’s expedition advances at most one region a day, not from 1 to 3."))  # fmt: skip


@pytest.mark.parametrize(("why", "steps", "sentence"), PAD)
def test_a_score_pad_that_does_not_add_up_gives_the_right_reason(why: str, steps: int, sentence: str) -> None:
    seats = {seat: {"deck": {"commander": "H", "main": {"P-0-0-111": 3}}} for seat in "AB"}
    noted = ((1, {"A.heros": 0}), (2, {"A.heros": 1}), (3, {"A.heros": steps}))
    moves = [{"n": n, "by": "A", "do": "pass", "claims": claims} for n, claims in noted]
    report = audit(header(seats=seats, moves=moves), catalogs=[catalog()])
    assert report.first_illegal is not None
    (reason,) = report.first_illegal.violations
    assert (reason.rule, reason.why, rulebook(GAME).message(reason, "en")) == ("ALT-1.3.2.e", why, sentence)


def test_every_reason_in_the_register_has_a_refusal_case() -> None:
    own = (rule for rule in rulebook(GAME).rules.values() if rule.id.startswith("ALT-"))
    known = [(rule.id, why) for rule in own for why in rule.whys]
    given = {*((rule, why) for _, _, rule, why, _ in REFUSED), *(("ALT-1.3.2.e", why) for why, _, _ in PAD)}
    assert [reason for reason in known if reason not in given] == []
