"""One case for each reason to refuse a move of Stellar Nexus: position, moves, rule, reason and message.

The messages here have refs and raw phase names, which a report replaces by the names that readers know.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Entry = dict[str, Any]


class Refusal(NamedTuple):
    """A case: the last of `moves` is refused. Without a position (`given`) the log begins at the set-up."""

    rule: str
    why: str
    moves: tuple[Entry, ...]
    says: str
    given: dict[str, Any] | None = None
    options: dict[str, str] = {}


def _entry(by: str, do: str, **args: Any) -> Entry:
    return {"by": by, "do": do, **({"args": args} if args else {})}


def _attack(pick: str = "A/field/1") -> Entry:
    return _entry("A", "attack", creature=pick)


def _block(pick: str = "B/field/1", attacker: str = "A/field/1") -> Entry:
    return _entry("B", "block", creature=pick, attacker=attacker)


def _given(phase: str, a: dict[str, Any], b: dict[str, Any] | None = None, **memory: Any) -> dict[str, Any]:
    return {"seats": {"A": a, "B": b or {}}, "turn": {"phase": phase}, "memory": memory}


def _hero(seat: str, card: str = "H-20") -> Entry:
    return _entry(seat, "hero", card=card)


ATTACKERS, BLOCKERS = _entry("A", "attack", done=True), _entry("B", "block", done=True)
ONE = {"field": ["C-1-1-1"]}
BOTH_HEROES = (_hero("A"), _hero("B"))
HANDS = (*BOTH_HEROES, _entry("A", "keep"), _entry("B", "keep"))
ROLL = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
# Two free mulligans to 6 cards, then one card less for each: after eight none is left (STN-DEB-2).
ALL_MULLIGANS = tuple(_entry("A", "mulligan") for _ in range(8))
MAIN = _given("principale1", {})
FIGHT = _given("attaque", ONE, ONE)
USE = _entry("A", "activate", card="A/field/1")

REFUSALS = (
    Refusal("STN-PHA-1", "setup", (_entry("A", "end_phase"),), "The game has not started: the set-up is not over."),
    Refusal("STN-PHA-1", "turn", (_entry("B", "end_turn"),), "It is A’s turn, not B’s.", MAIN),
    Refusal("STN-PHA-1", "undrawn", (_entry("A", "end_phase"),),
            "A has not drawn yet: the turn begins with the draw.", _given("desengagement", {})),
    Refusal("STN-PHA-1", "begun", (_entry("A", "begin_turn"),), "A has already drawn this turn.", MAIN),
    Refusal("STN-PHA-1", "early", (_attack(),), "It is too early for this (phase: principale1).",
            _given("principale1", ONE)),
    Refusal("STN-PHA-1", "over", (_attack(),),
            "The attack phase is over (phase: principale2).", _given("principale2", ONE)),
    Refusal("STN-PHA-1", "last", (_entry("A", "end_phase"),),
            "This is the last phase: end the turn instead.", _given("finale", {})),
    Refusal("STN-PHA-1", "declared", (_attack(), ATTACKERS, _attack("A/field/2")),
            "A’s attack is already declared: no attacker can be added.",
            _given("attaque", {"field": ["C-1-1-1", "C-1-2-2"]})),
    Refusal("STN-PHA-1", "fought", (_attack(), ATTACKERS, BLOCKERS, _attack("A/field/2")),
            "A has already attacked this turn.", _given("attaque", {"field": ["C-1-1-1", "C-1-2-2"]})),
    Refusal("STN-PHA-1", "undeclared", (_attack(), _block()), "A has not finished declaring an attack.", FIGHT),
    Refusal("STN-PHA-1", "defender", (_attack(), ATTACKERS, _entry("A", "block", done=True)),
            "B blocks, not A.", FIGHT),
    Refusal("STN-PHA-1", "fighting", (_attack(), _entry("A", "end_turn")),
            "The attack is not over: the fight comes first.", FIGHT),
    Refusal("STN-CRE-1", "turn", (_entry("B", "play", card="C-0-1-1"),),
            "C-0-1-1 is played on its player’s own turn, and it is A’s turn.",
            _given("principale1", {}, {"hand": ["C-0-1-1"]})),
    Refusal("STN-CRE-1", "", (_entry("A", "play", card="C-0-1-1"),),
            "C-0-1-1 can be played only in a main phase of its player’s own turn (phase: attaque).",
            _given("attaque", {"hand": ["C-0-1-1"]})),
    Refusal("STN-CRE-1", "forbidden", (_entry("A", "play", card="C-0-1-1"),), "P-BAN forbids playing C-0-1-1.",
            _given("principale1", {"hand": ["C-0-1-1"]}, {"field": ["P-BAN"]})),
    Refusal("STN-EPH-1", "forbidden", (_entry("A", "play", card="E-0"),), "P-BAN forbids casting E-0.",
            _given("principale1", {"hand": ["E-0"]}, {"field": ["P-BAN"]})),
    Refusal("STN-PHA-1", "setup", (*HANDS, _entry("A", "play", card="C-0-1-1")),
            "The game has not started: the set-up is not over."),
    Refusal("STN-EQU-1", "", (_entry("A", "play", card="Q-0", on="A/field/1"),),
            "Q-0 can be put on a creature only in a main phase of its player’s own turn (phase: attaque).",
            _given("attaque", {**ONE, "hand": ["Q-0"]})),
    Refusal("STN-EQU-1", "turn", (_entry("B", "play", card="Q-0", on="A/field/1"),),
            "Q-0 is put down on its player’s own turn, and it is A’s turn.",
            _given("principale1", ONE, {"hand": ["Q-0"]})),
    Refusal("STN-EQU-1", "gone", (_entry("A", "play", card="Q-0", on="A/field/3"),),
            "Q-0 goes on a creature, and there is none there (A/field/3).", _given("principale1", {"hand": ["Q-0"]})),
    Refusal("STN-EQU-1", "served", (_entry("A", "activate", card="A/equipment/1"),),
            "Only B uses Q-ACT, because they control the equipped creature.",
            _given("principale1", {"equipment": [{"ref": "Q-ACT", "on": "B/field/1"}]}, ONE)),
    Refusal("STN-EQU-1", "forbidden", (_entry("A", "play", card="Q-0", on="A/field/1"),),
            "P-BAN forbids putting Q-0 down.",
            _given("principale1", {**ONE, "hand": ["Q-0"]}, {"field": ["P-BAN"]})),
    Refusal("STN-RSS-2", "", (_entry("A", "play", card="C-H2"), _entry("A", "answer", pick="A/resources/9")),
            "Dissonance is mandatory: “A/resources/9” is not one of the resources A chooses from.",
            _given("principale1", {"hand": ["C-H2"], "resources": ["RP-K", "RP-K2"]})),
    Refusal("STN-RSS-2", "affinity", (_entry("A", "play", card="C-1-1-1"), _entry("A", "answer", pick="A/hero")),
            "“A/hero” is not a resource whose affinity A is offered.",
            _given("principale1", {"hand": ["C-1-1-1"], "resources": ["RP-K"]})),
    Refusal("STN-HER-2", "list", (_hero("A", "H-30"),), "H-30 is not the hero on A’s list."),
    Refusal("STN-CAP-1", "", (USE,), "C-1-1-1 has no ability to activate.", _given("principale1", ONE)),
    Refusal("STN-CAP-1", "used", (USE, USE), "A-GAIN has already used its ability this turn.",
            _given("principale1", {"field": ["A-GAIN"], "ready": 2})),
    Refusal("STN-CAP-1", "turn", (_entry("B", "activate", card="B/field/1"),),
            "A-GAIN can use its ability only on B’s own turn.",
            _given("principale1", {}, {"field": ["A-GAIN"], "ready": 1}), {"I-STN-13": "own"}),
    Refusal("STN-CAP-1", "side", (_entry("A", "activate", card="B/field/1"),),
            "A-GAIN belongs to B’s side: an opponent cannot use its ability.",
            _given("principale1", {"ready": 1}, {"field": ["A-GAIN"], "ready": 1})),
    Refusal("STN-CAP-1", "silenced", (_entry("A", "play", card="X-MUTE"), USE), "A-GAIN has lost its abilities.",
            _given("principale1", {"hand": ["X-MUTE"], "field": ["A-GAIN"], "ready": 1})),
    Refusal("STN-CAP-1", "forbidden", (USE,), "P-BAN forbids using the ability of A-GAIN.",
            _given("principale1", {"field": ["A-GAIN"], "ready": 1}, {"field": ["P-BAN"]})),
    Refusal("STN-CAP-2", "", (_entry("A", "activate", card="A-GAIN"),),
            "A-GAIN is not on the field: its ability cannot be used.", _given("principale1", {"hand": ["A-GAIN"]})),
    Refusal("STN-CAP-2", "nothing", (USE,), "There is no card there (A/field/1).", MAIN),
    Refusal("STN-DEB-1", "late", (_hero("A"),), "The game has started: heroes are no longer chosen or revealed.", MAIN),
    Refusal("STN-DEB-1", "chosen", (_hero("A"), _hero("A")), "A has already chosen a hero."),
    Refusal("STN-DEB-1", "hero", (_entry("A", "keep"),), "A chooses a hero before drawing a hand."),
    Refusal("STN-DEB-1", "shown", (_hero("A"), _entry("A", "reveal", card="H-20")), "A has no hidden hero to reveal."),
    Refusal("STN-DEB-1", "early", (_hero("A", "?"), _entry("A", "reveal", card="H-20")),
            "It is not known yet who starts: A reveals the hero after that."),
    Refusal("STN-DEB-2", "", (_hero("A"), {"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 5}]}),
            "Cards in the opening hand: 5 (after these mulligans it should have 6)."),
    Refusal("STN-DEB-2", "late", (_entry("A", "keep"),), "The game has started: opening hands are kept.", MAIN),
    Refusal("STN-DEB-2", "kept", (_hero("A"), _entry("A", "keep"), _entry("A", "keep")),
            "A has already kept an opening hand."),
    Refusal("STN-DEB-2", "empty", (_hero("A"), *ALL_MULLIGANS, _entry("A", "mulligan")),
            "A has no card left to put back: no further mulligan."),
    Refusal("STN-DEB-3", "said", (*HANDS, ROLL, ROLL), "It is already settled who starts."),
    Refusal("STN-DEB-3", "hands", (ROLL,), "Who goes first is settled once both players have kept a hand."),
    Refusal("STN-DEB-3", "chooser", (*HANDS, _entry("A", "first_player", first="A")),
            "It is for table to decide who goes first, not A."),
    Refusal("STN-PIL-1", "", (_entry("A", "play", card="E-0"), {**_entry("A", "play", card="C-0-1-1"), "resp": True}),
            "C-0-1-1 cannot respond: only instants and abilities are put on the pile.",
            _given("principale1", {"hand": ["E-0", "C-0-1-1"]})),
    Refusal("STN-PIL-1", "turn", (_entry("A", "play", card="E-0"), {**_entry("A", "play", card="E-1"), "resp": True}),
            "Only B may respond now.", _given("principale1", {"hand": ["E-0", "E-1"], "ready": 1}),
            {"I-STN-10": "opponent"}),
    Refusal("STN-CRE-2", "", (_attack(),), "C-1-1-1 came into play this turn: it cannot attack yet.",
            _given("principale1", ONE, arrived=["A/field/1"])),
    Refusal("STN-CRE-3", "", (_attack(), _block()), "C-1-1-1 is exhausted: it can neither attack nor block.",
            _given("attaque", ONE, {"field": [{"ref": "C-1-1-1", "marks": {"engaged": 1}}]})),
    Refusal("LOG-list", "", ({"by": "B", "do": "begin_turn", "chance": [{"draw": ["H-20"]}, {"resource": ["R-K"]}]},),
            "H-20 is not in the list registered by B.", MAIN),
    Refusal("STN-CBT-1", "nobody", (_attack("A/field/4"),), "There is no creature there (A/field/4).", FIGHT),
    Refusal("STN-CBT-1", "side", (_attack("B/field/1"),), "B/field/1 is not a creature of the attacker.", FIGHT),
    Refusal("STN-CBT-1", "twice", (_attack(), _attack()), "A/field/1 is already attacking.", FIGHT),
    Refusal("STN-CBT-1", "empty", (ATTACKERS,), "No attacker has been named.", FIGHT),
    Refusal("STN-CBT-1", "forbidden", (_attack(),), "P-CALM keeps A/field/1 from attacking.",
            _given("attaque", ONE, {"field": ["P-CALM"]})),
    Refusal("STN-CBT-3", "nobody", (_attack(), ATTACKERS, _block("B/field/4")),
            "There is no creature there (B/field/4).", FIGHT),
    Refusal("STN-CBT-3", "side", (_attack(), ATTACKERS, _block("A/field/1")),
            "A/field/1 is on the wrong side: the defender’s creatures block the attacker’s.", FIGHT),
    Refusal("STN-CBT-3", "twice", (_attack(), ATTACKERS, _block(), _block()),
            "B/field/1 is already blocking an attacker.", FIGHT),
    Refusal("STN-CBT-3", "target", (_attack(), ATTACKERS, _block(attacker="A/field/2")),
            "A/field/2 is not attacking: it cannot be blocked.",
            _given("attaque", {"field": ["C-1-1-1", "C-1-2-2"]}, ONE)),
    Refusal("STN-CBT-3", "forbidden", (_attack(), ATTACKERS, _block()), "P-RUSH keeps B/field/1 from blocking.",
            _given("attaque", {"field": ["P-RUSH"]}, ONE)),
    Refusal("STN-CBT-3", "next",
            (_attack(), ATTACKERS, _block(), _block("B/field/2"), BLOCKERS, _entry("A", "answer", pick="B/hero")),
            "“B/hero” is not a blocker that A can face next.",
            _given("attaque", {"field": ["C-1-5-5"]}, {"field": ["C-1-1-1", "C-1-2-2"]}), {"I-STN-19": "attacker"}),
    Refusal("STN-DIV-3", "", (_entry("A", "play", card="C-2-1-1"),),
            "Not enough resources: C-2-1-1 costs 2 (A’s ready resources: 1).",
            _given("principale1", {"hand": ["C-2-1-1"], "ready": 1})),
    Refusal("STN-DIV-3", "engaged", (USE,), "A-GAIN is exhausted: its ability cannot be used until it is readied.",
            _given("principale1", {"field": [{"ref": "A-GAIN", "marks": {"engaged": 1}}], "ready": 1})),
)  # fmt: skip
