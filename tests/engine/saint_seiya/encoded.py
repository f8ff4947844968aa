"""What the encoded cards of the base set do, worked out by hand from the printed cards, one small position each.

A card is written `c51`: the number of the list. In every position, if it does not say otherwise, no player has a card
but for five unknown ones in the draw pile, and `PLAIN` lies in all six places of the terrain: a Chevalier d'Argent of
rank Peu Commun that costs 6 by Force and 5 by Cosmos and does nothing there. `HERO` is a Héros of Force 1, `KNIGHT` a
Chevalier of Force 3 and Cosmos 1, `BARE` one of Force 2 without Cosmos; none of them does anything where it is used.
Entries are those of a log; `then` are all facts that differ at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PLAIN, HERO, KNIGHT, BARE, COMMON, ARMOUR = "c51", "c1", "c39", "c49", "c61", "c23"
Entry = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One position: the card, what is proven, what both sides have, what happens, and what must have changed."""

    ref: str
    proves: str
    moves: tuple[Entry, ...]
    a: dict[str, Any] = field(default_factory=dict)
    b: dict[str, Any] = field(default_factory=dict)
    common: dict[str, Any] = field(default_factory=dict)
    then: dict[str, Any] = field(default_factory=dict)
    refused: tuple[str, ...] = ()  # the rules that the last entry breaks
    options: dict[str, str] = field(default_factory=dict)


def play(card: str, slot: int = 1) -> Entry:
    """A puts a character down, facing a place of the terrain."""
    return {"by": "A", "do": "play", "args": {"card": card, "facing": f"common/terrain/{slot}"}}


def equip(card: str) -> Entry:
    """A puts an armour on."""
    return {"by": "A", "do": "equip", "args": {"card": card}}


def use(effect: str, at: str = "play/1", *chance: Any) -> Entry:
    """A uses the effect of a card in play."""
    return {"by": "A", "do": "effect", "args": {"card": f"A/{at}", "effect": effect}, "chance": list(chance)}


def win(slot: int = 3, *chance: Any, by: str = "force") -> Entry:
    """A acquires a card of the terrain with all cards that confront it."""
    return {"by": "A", "do": "acquire", "args": {"card": f"common/terrain/{slot}", "by": by}, "chance": list(chance)}


def say(pick: str | None = "yes", *chance: Any, by: str = "A") -> Entry:
    """A choice is made."""
    return {"by": by, "do": "answer", "args": {"pick": pick}, "chance": list(chance)}


def end(seat: str) -> Entry:
    """A player with five cards in hand ends the turn; a card of the reserve comes to the terrain."""
    return {"by": seat, "do": "end_turn", "chance": [{"reveal": [PLAIN]}]}


def heal(healer: str, on: str) -> Entry:
    """A spends 1 Soin of a card in play on one of A's marked cards."""
    return {"by": "A", "do": "heal", "args": {"with": f"A/{healer}", "on": f"A/{on}"}}


def come(card: str, *chance: Any) -> tuple[Entry, ...]:
    """A card comes to the third place of the terrain: Docrates (`COMMON`) clears it of the one card of low rank."""
    return (use("défausser", "play/1", {"reveal": [card]}, *chance),)


def drawn(*refs: str) -> dict[str, Any]:
    """Return the chance of a draw."""
    return {"draw": list(refs)}


def terrain(*cards: str | None, at: int = 3, **more: Any) -> dict[str, Any]:
    """Return the common zones with these cards from a place of the terrain on; `PLAIN` lies in the others."""
    row: list[str | None] = [PLAIN] * 6
    row[at - 1 : at - 1 + len(cards)] = cards
    return {"terrain": row, **more}


def fight(count: int, card: str = KNIGHT, slot: int = 3) -> dict[str, Any]:
    """Return A's cards in play that confront the card of a place."""
    return {"play": [f"{card} @common/terrain/{slot}"] * count}


def won(ref: str, *used: str, slot: int = 3, **more: Any) -> dict[str, Any]:
    """Return the changes when A acquires a card by Force with cards that `used` shows afterwards."""
    return {f"common/terrain/{slot}": None, "A/discard": [ref], "A/play": list(used), **more}


def arrived(ref: str | None, **more: Any) -> dict[str, Any]:
    """Return the changes when a card comes to the terrain by `come`."""
    found = {"A/play": [], "A/discard": [COMMON], "common/terrain/3": ref, "common/reserve": 9}
    return {**found, "common/reserve_discard": ["c72"], **more}


USED, FOUGHT = f"{KNIGHT} used", f"{KNIGHT} fought used"
FACES = "@common/terrain/1"
ONE = {"A/deck": 4}  # a card drawn
COMING = terrain("c72")  # the terrain that `come` needs


def laid(card: str, hand: int = 0) -> dict[str, Any]:
    """Return the changes when A puts a character down, with `hand` cards left in hand."""
    return {"A/play": [f"{card} {FACES}"], "A/hand": hand}


def shed(card: str, *more: dict[str, Any]) -> dict[str, Any]:
    """Return the changes when A discards the armour in play for its effect, with further ones that replace them."""
    found: dict[str, Any] = {"A/armour": None, "A/discard": [card]}
    for changes in more:
        found |= changes
    return found


CASES: tuple[Case, ...] = (
    # Armours that make a hero evolve.
    *(
        Case(f"c{n + 5}", "two identical heroes of the hand make one of the next rank",
             (use("défausser", "armour"), say(f"A/hand/c{n}"), say(f"A/hand/c{n}")),
             {"armour": f"c{n + 5}", "hand": [f"c{n}", f"c{n}", "c89"], "aside": [f"c{n + 10}"]},
             then=shed(f"c{n + 5}", {"A/hand": 1, "A/destroyed": [f"c{n}", f"c{n}"], "A/aside": [],
                                     "A/discard": [f"c{n + 5}", f"c{n + 10}"]}))
        for n in range(1, 6)
    ),
    Case("c6", "two heroes of different ranks make none", (use("défausser", "armour"), say(None)),
         {"armour": "c6", "hand": ["c1", "c11"], "aside": ["c11"]}, then=shed("c6")),
    Case("c6", "the armour of one hero does nothing for another", (use("défausser", "armour"), say(None)),
         {"armour": "c6", "hand": ["c2", "c2"], "aside": ["c12"]}, then=shed("c6")),
    # Heroes of the second rank.
    Case("c11", "a Seiya in the discard lets it draw", (play("c11"), say("yes", drawn(HERO))),
         {"hand": ["c11"], "discard": ["c1"]}, then={**laid("c11", hand=1), **ONE}),
    Case("c11", "without one it draws nothing", (play("c11"), say()), {"hand": ["c11"], "discard": ["c2"]},
         then=laid("c11")),
    Case("c12", "a Shiryu of the hand is wounded for a card", (play("c12"), say(), say("A/hand/c2", drawn(HERO))),
         {"hand": ["c12", "c2", "c1"]}, then={**laid("c12", hand=2), "A/marked": ["c2 wound"], **ONE}),
    Case("c12", "without another Shiryu nothing is drawn", (play("c12"), say(), say(None)), {"hand": ["c12", "c1"]},
         then=laid("c12", hand=1)),
    Case("c13", "beside another Hyoga it draws, and both of one name have to fight",
         (play("c13"), say("yes", drawn(HERO))), {"hand": ["c13"], "play": [f"c3 {FACES}"]},
         then={"A/play": [f"c3 fights {FACES}", f"c13 fights {FACES}"], "A/hand": 1, **ONE}),
    Case("c13", "a Hyoga that confronts another card does not help", (play("c13"), say()),
         {"hand": ["c13"], "play": ["c3 @common/terrain/2"]},
         then={"A/play": ["c3 @common/terrain/2", f"c13 fights {FACES}"], "A/hand": 0}),
    Case("c14", "it draws and has to acquire a character by Cosmos", (play("c14"), say("yes", drawn(HERO))),
         {"hand": ["c14"]}, then={"A/play": [f"c14 channels {FACES}"], "A/hand": 1, **ONE}),
    Case("c14", "facing an armour it may not", (play("c14"), say()), {"hand": ["c14"]}, common=terrain(ARMOUR, at=1),
         refused=("LOG-answer",)),
    Case("c15", "a character of the discard is destroyed for a card", (play("c15"), say("yes", drawn(HERO))),
         {"hand": ["c15"], "discard": ["c1", ARMOUR]},
         then={**laid("c15", hand=1), "A/discard": [ARMOUR], "A/destroyed": ["c1"], **ONE}),
    # Athéna and Pope.
    Case("c16", "when it comes all players draw and all wounded characters are healed",
         come("c16", drawn(HERO), drawn(HERO)), {"play": [COMMON], "marked": ["c1 wound", "c39 frost wound"]},
         {"marked": ["c2 wound", "c3 frost"]}, COMING,
         arrived("c16", **{"A/hand": 1, "A/deck": 4, "B/hand": 1, "B/deck": 4, "A/marked": [], "B/marked": ["c3 frost"],
                           "A/discard": [COMMON, "c1", "c39"], "B/discard": ["c2"]})),
    Case("c17", "it goes back to the reserve with the Chevaliers d'Or of the terrain discard",
         come("c17", {"reveal": [PLAIN]}), {"play": [COMMON]}, {"destroyed": ["c33"]},
         terrain("c72", reserve_discard=["c31", "c44", "c31"]),
         arrived(PLAIN, **{"common/reserve_discard": ["c44", "c72"], "common/reserve": 11})),
    Case("c17", "and with those that were destroyed, if «retirées du jeu» means them too",
         come("c17", {"reveal": [PLAIN]}), {"play": [COMMON]}, {"destroyed": ["c33", "c1"]},
         terrain("c72", reserve_discard=["c31"]),
         arrived(PLAIN, **{"common/reserve": 11, "B/destroyed": ["c1"]}), options={"I-SSD-20": "destroyed"}),
    Case("c17", "it stays if the reserve is empty, or it would come back for ever", come("c17"),
         {"play": [COMMON]}, common=terrain("c72", reserve=1), then=arrived("c17", **{"common/reserve": 0})),
    # Armures d'Or.
    Case("c18", "a character of the draw pile goes to the hand", (use("défausser", "armour"), say("c33")),
         {"armour": "c18", "deck": ["c33", ARMOUR, "c1"]}, then=shed("c18", {"A/hand": 1, "A/deck": 2})),
    Case("c19", "a character of the two lowest ranks gains 2 Force", (use("défausser", "armour"), win()),
         {"armour": "c19", "play": ["c1 @common/terrain/3", KNIGHT]}, common=terrain("c89"),
         then=shed("c19", won("c89", "c1 used", KNIGHT), {"A/discard": ["c19", "c89"]})),
    Case("c20", "it changes places with an Armure d'Or that an opponent wears", (equip("c20"), say()),
         {"hand": ["c20"]}, {"armour": "c27"}, then={"A/hand": 0, "A/armour": "c27", "B/armour": "c20"}),
    Case("c20", "an armour of bronze is not one", (equip("c20"), say()), {"hand": ["c20"]}, {"armour": "c6"},
         then={"A/hand": 0, "A/armour": "c20"}),
    Case("c21", "of three cards of the draw pile an opponent wounds a character; the others go to the hand",
         (use("défausser", "armour", {"reveal": ["c1", ARMOUR, "c39"]}), say("A/deck/c39", by="B")),
         {"armour": "c21"}, then=shed("c21", {"A/deck": 2, "A/hand": 2, "A/marked": ["c39 wound"]})),
    Case("c21", "without a character all three go to the hand",
         (use("défausser", "armour", {"reveal": [ARMOUR, ARMOUR, "c6"]}),), {"armour": "c21"},
         then=shed("c21", {"A/deck": 2, "A/hand": 3})),
    Case("c21", "the discard goes under a pile of less than three",
         (use("défausser", "armour", {"reveal": ["c1", "c21", ARMOUR]}),),
         {"armour": "c21", "deck": 1, "discard": [ARMOUR, ARMOUR]},
         then=shed("c21", {"A/deck": 1, "A/hand": 2, "A/marked": ["c1 wound"], "A/discard": []})),
    Case("c22", "a Chevalier of the hand is wounded, and one in play gains 4 Force",
         (use("défausser", "armour"), say("A/hand/c83"), win()),
         {"armour": "c22", "hand": ["c83", HERO], "play": [f"{BARE} @common/terrain/3", HERO]},
         then=shed("c22", won(PLAIN, f"{BARE} used", HERO),
                   {"A/discard": ["c22", PLAIN], "A/hand": 1, "A/marked": ["c83 wound"]})),
    Case("c22", "without a Chevalier in hand no one gains Force", (use("défausser", "armour"), say(None), win()),
         {"armour": "c22", "hand": [HERO], "play": [f"{BARE} @common/terrain/3"]}, refused=("SSD-VAL-1",)),
    Case("c22", "one does, if what follows «puis» happens anyway", (use("défausser", "armour"), say(None), win()),
         {"armour": "c22", "hand": [HERO], "play": [f"{BARE} @common/terrain/3"]}, options={"I-SSD-14": "anyway"},
         then=shed("c22", won(PLAIN, f"{BARE} used"), {"A/discard": ["c22", PLAIN]})),
    Case("c23", "two cards are drawn", (use("défausser", "armour", drawn(HERO, HERO)),), {"armour": "c23"},
         then=shed("c23", {"A/hand": 2, "A/deck": 3})),
    Case("c24", "for a character of the hand all of one's own gain 1 Force",
         (use("défausser", "armour"), say("A/hand/c2"), win()),
         {"armour": "c24", "hand": ["c2", ARMOUR], "play": [f"{BARE} @common/terrain/3"] * 2},
         then=shed("c24", won(PLAIN, *[f"{BARE} used"] * 2), {"A/discard": ["c24", "c2", PLAIN], "A/hand": 1})),
    Case("c24", "not those that are played later",
         (use("défausser", "armour"), say("A/hand/c2"), play(BARE, 3), win()),
         {"armour": "c24", "hand": ["c2", BARE], "play": [f"{BARE} @common/terrain/3"]}, refused=("SSD-VAL-1",)),
    Case("c24", "or those too, if «all your characters» are all of the turn",
         (use("défausser", "armour"), say("A/hand/c2"), play(BARE, 3), win()),
         {"armour": "c24", "hand": ["c2", BARE], "play": [f"{BARE} @common/terrain/3"]}, options={"I-SSD-22": "turn"},
         then=shed("c24", won(PLAIN, *[f"{BARE} used"] * 2), {"A/discard": ["c24", "c2", PLAIN], "A/hand": 0})),
    Case("c25", "a wounded character is destroyed, whoever it belongs to",
         (use("défausser", "armour"), say("B/marked/1")), {"armour": "c25", "marked": ["c1 wound"]},
         {"marked": ["c39 wound", "c2 frost"]},
         then=shed("c25", {"B/marked": ["c2 frost"], "B/destroyed": ["c39"]})),
    Case("c26", "a character of the hand is destroyed, one of the terrain acquired, and the armour leaves",
         (equip("c26"), say(), say("A/hand/c1"), say("common/terrain/4")), {"hand": ["c26", "c1", ARMOUR]},
         common={"terrain": ["c27", "c27", "c27", "c86", "c87", "c27"]},
         then={"A/hand": 1, "A/destroyed": ["c1"], "common/terrain/4": None, "A/discard": ["c86"],
               "common/reserve": 11}),
    Case("c26", "without a character in hand nothing happens", (equip("c26"), say(), say(None)),
         {"hand": ["c26", ARMOUR]},
         then={"A/hand": 1, "A/armour": "c26"}),
    Case("c27", "cards of the three lowest ranks leave the terrain, which is filled",
         (use("défausser", "armour", {"reveal": ["c72"]}, {"reveal": ["c73"]}),), {"armour": "c27"},
         common={"terrain": ["c27", "c88", ARMOUR, "c27", "c61", "c39"]},
         then=shed("c27", {"common/terrain/2": "c73", "common/terrain/5": "c72", "common/reserve": 8,
                             "common/reserve_discard": ["c61", "c88"]})),
    Case("c28", "one's own wounded Chevaliers are healed", (use("défausser", "armour"),),
         {"armour": "c28", "marked": ["c1 wound", "c83 wound:2", "c39 frost"]}, {"marked": ["c83 wound"]},
         then=shed("c28", {"A/marked": ["c1 wound", "c39 frost"], "A/discard": ["c28", "c83"]})),
    Case("c29", "a player wounds all characters of the hand and draws as many cards",
         (use("défausser", "armour"), say("B", {"reveal": [HERO, HERO, ARMOUR]}, drawn("c2", "c2"))),
         {"armour": "c29"}, {"hand": [HERO, "?", "?"]},
         then=shed("c29", {"B/hand": 3, "B/deck": 3, "B/marked": [f"{HERO} wound", f"{HERO} wound"]})),
    # Chevaliers d'Or.
    Case("c30", "an armour of the discard goes to the hand", (use("blesser"),),
         {"play": ["c30"], "discard": ["c1", "c6"]},
         then={"A/play": [], "A/marked": ["c30 wound"], "A/discard": ["c1"], "A/hand": 1}),
    Case("c31", "it has 2 Force more against the first card", (win(1),), fight(1, "c31", 1),
         common=terrain("c80", at=1), then=won("c80", "c31 used", slot=1)),
    Case("c31", "but not against the second", (win(2),), fight(1, "c31", 2), common=terrain("c80", at=2),
         refused=("SSD-VAL-1",)),
    Case("c32", "it has 2 Force more while the Flames are even", (win(),), fight(1, "c32"), common=terrain("c80"),
         then=won("c80", "c32 used")),
    Case("c32", "and none while they are odd", (win(),), fight(1, "c32"), common=terrain("c80", flames=11),
         refused=("SSD-VAL-1",)),
    Case("c32", "but 2 Cosmos then", (win(by="cosmos"),), fight(1, "c32"), common=terrain("c80", flames=11),
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c32 used"]}),
    Case("c32", "all who fought it are wounded", (win(),), fight(3), common=terrain("c32"),
         then=won("c32", **{"A/marked": [f"{KNIGHT} wound"] * 3, "common.flames": 11})),
    Case("c33", "one who fought it is destroyed", (win(), say("A/play/1")),
         {"play": [f"{KNIGHT} @common/terrain/3"] * 3 + [KNIGHT]}, common=terrain("c33"),
         then=won("c33", FOUGHT, FOUGHT, KNIGHT, **{"A/destroyed": [KNIGHT], "common.flames": 11})),
    Case("c34", "it has 1 Force more against the last card", (win(6),), fight(1, "c34", 6),
         common=terrain("c61", at=6), then=won("c61", "c34 used", slot=6)),
    Case("c34", "but not against the fifth, if the sixth place is empty", (win(5),), fight(1, "c34", 5),
         common=terrain("c89", None, at=5), refused=("SSD-VAL-1",)),
    Case("c34", "unless the last card is the one in the last place that is filled", (win(5),), fight(1, "c34", 5),
         common=terrain("c89", None, at=5), options={"I-SSD-16": "card"}, then=won("c89", "c34 used", slot=5)),
    Case("c34", "and 1 Cosmos more", (win(6, by="cosmos"),), fight(1, "c34", 6), common=terrain("c80", at=6),
         then={"common/terrain/6": None, "A/hand": 1, "A/play": ["c34 used"]}),
    Case("c35", "a character in the discard of a player is wounded", (play("c35"), say(), say("B/discard/c1")),
         {"hand": ["c35"], "discard": ["c2"]}, {"discard": ["c1", ARMOUR]},
         then={**laid("c35"), "B/discard": [ARMOUR], "B/marked": ["c1 wound"]}),
    Case("c36", "Shiryu has twice the Force beside it", (win(),),
         {"play": ["c36 @common/terrain/3", "c12 @common/terrain/3"]}, common=terrain("c44"),
         then=won("c44", "c36 used", "c12 used")),
    Case("c36", "not facing another card", (win(),),
         {"play": ["c36 @common/terrain/3", "c12 @common/terrain/2"]}, common=terrain("c44"), refused=("SSD-VAL-1",)),
    Case("c36", "and twice the Cosmos", (win(by="cosmos"),),
         {"play": ["c36 @common/terrain/3", "c12 @common/terrain/3"]}, common=terrain("c43"),
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c36 used", "c12 used"]}),
    Case("c36", "when it comes each player may take a hero of the discard back",
         (*come("c36"), say("A/discard/c1"), say(None, by="B")), {"play": [COMMON], "discard": ["c1", "c39"]},
         {"discard": ["c2"]}, COMING, arrived("c36", **{"A/discard": ["c39", COMMON], "A/hand": 1})),
    Case("c37", "an opponent discards a card of the hand", (play("c37"), say(), say("c2", by="B")),
         {"hand": ["c37"]}, {"hand": ["c2", "c3"], "armour": "c6"},
         then={**laid("c37"), "B/hand": 1, "B/discard": ["c2"]}),
    Case("c38", "it has 1 Cosmos more for each Chevalier d'Or of the terrain", (win(by="cosmos"),), fight(1, "c38"),
         common={"terrain": ["c31", PLAIN, "c62", "c39", PLAIN, PLAIN]},
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c38 used"]}),
    Case("c38", "when it comes beside another one a Flame goes", come("c38"), {"play": [COMMON]},
         common={"terrain": ["c31", PLAIN, "c72", PLAIN, PLAIN, PLAIN]}, then=arrived("c38", **{"common.flames": 11})),
    Case("c38", "alone it takes none", come("c38"), {"play": [COMMON]}, common=COMING, then=arrived("c38")),
    Case("c39", "a character beside it is acquired as well", (win(), say("common/terrain/4")), fight(3),
         common={"terrain": ["c44", "c45", "c39", "c44", "c44", "c44"]},
         then=won("c39", USED, USED, USED, **{"common/terrain/4": None, "A/discard": ["c39", "c44"],
                                              "common.flames": 11})),
    Case("c39", "to the hand, if that is where a card goes that is acquired for free", (win(),), fight(3),
         common={"terrain": ["c44", ARMOUR, "c39", "c44", "c44", "c44"]}, options={"I-SSD-17": "hand"},
         then=won("c39", USED, USED, USED, **{"common/terrain/4": None, "A/hand": 1, "common.flames": 11})),
    Case("c40", "it is wounded when it is acquired", (win(),), fight(3), common=terrain("c40"),
         then=won("c40", USED, USED, USED, **{"A/discard": [], "A/marked": ["c40 wound"], "common.flames": 11})),
    Case("c40", "with a Hyoga it can be acquired by Cosmos", (win(by="cosmos"),),
         {"play": ["c3 @common/terrain/3", *["c58 @common/terrain/3"] * 3]}, common=terrain("c40"),
         then={"common/terrain/3": None, "A/play": ["c3 used", *["c58 used"] * 3], "A/marked": ["c40 wound"],
               "common.flames": 11}),
    Case("c40", "by nobody else", (win(by="cosmos"),), fight(3, "c58"), common=terrain("c40"), refused=("SSD-COU-1",)),
    Case("c40", "and nobody may help, if the cost is for Hyoga alone", (win(by="cosmos"),),
         {"play": ["c3 @common/terrain/3", *["c58 @common/terrain/3"] * 3]}, common=terrain("c40"),
         options={"I-SSD-19": "alone"}, refused=("SSD-COU-1",)),
    Case("c41", "each opponent wounds two characters of the hand",
         (win(), say("B/hand/c1", by="B"), say("B/hand/c1", by="B")), fight(3), {"hand": ["c1", "c1", ARMOUR]},
         terrain("c41"), won("c41", USED, USED, USED, **{"B/hand": 1, "B/marked": ["c1 wound"] * 2,
                                                         "common.flames": 11})),
    # Chevaliers d'Argent.
    Case("c42", "Seiya has 1 Cosmos more beside it", (win(by="cosmos"),),
         {"play": ["c42 @common/terrain/3", "c1 @common/terrain/3"]}, common=terrain("c77"),
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c42 used", "c1 used"]}),
    Case("c42", "not facing another card", (win(by="cosmos"),),
         {"play": ["c42 @common/terrain/3", "c1 @common/terrain/2"]}, common=terrain("c77"), refused=("SSD-VAL-1",)),
    Case("c43", "when it comes all players discard the armour they wear", come("c43"),
         {"play": [COMMON], "armour": "c6"}, {"armour": ARMOUR}, COMING,
         arrived("c43", **{"A/armour": None, "A/discard": [COMMON, "c6"], "B/armour": None, "B/discard": [ARMOUR]})),
    Case("c44", "a wounded character of one's own is destroyed for two cards",
         (use("défausser", "play/1", drawn(HERO, HERO)),), {"play": ["c44"], "marked": ["c1 wound"]},
         {"marked": ["c2 wound"]},
         then={"A/play": [], "A/discard": ["c44"], "A/marked": [], "A/destroyed": ["c1"], "A/hand": 2, "A/deck": 3}),
    Case("c44", "without one no card is drawn", (use("défausser"),), {"play": ["c44"], "marked": ["c1 frost"]},
         then={"A/play": [], "A/discard": ["c44"]}),
    Case("c44", "when it comes each player destroys a wounded character", (*come("c44"), say("A/marked/2")),
         {"play": [COMMON], "marked": ["c1 wound", "c2 wound"]}, {"marked": ["c3 wound"]}, COMING,
         arrived("c44", **{"A/marked": ["c1 wound"], "A/destroyed": ["c2"], "B/marked": [], "B/destroyed": ["c3"]})),
    Case("c45", "those of the two lowest ranks who fought it are wounded", (win(),),
         {"play": ["c1 @common/terrain/3", "c83 @common/terrain/3", f"{KNIGHT} @common/terrain/3"]},
         common=terrain("c45"), then=won("c45", FOUGHT, **{"A/marked": ["c83 wound", "c1 wound"]})),
    Case("c46", "two cards of the terrain change places, with what confronts them",
         (play("c46", 2), say(), say("common/terrain/2"), say("common/terrain/5")), {"hand": ["c46"]},
         common={"terrain": [PLAIN, "c44", PLAIN, PLAIN, "c45", PLAIN]},
         then={"A/hand": 0, "A/play": ["c46 @common/terrain/5"], "common/terrain/2": "c45",
               "common/terrain/5": "c44"}),
    Case("c46", "or without it, if a card that moves is lost",
         (play("c46", 2), say(), say("common/terrain/2"), say("common/terrain/5")), {"hand": ["c46"]},
         common={"terrain": [PLAIN, "c44", PLAIN, PLAIN, "c45", PLAIN]}, options={"I-SSD-08": "lose"},
         then={"A/hand": 0, "A/play": ["c46"], "common/terrain/2": "c45", "common/terrain/5": "c44"}),
    Case("c47", "a wounded character is destroyed", (win(),), fight(2), {"marked": ["c1 wound"]}, terrain("c47"),
         won("c47", USED, USED, **{"B/marked": [], "B/destroyed": ["c1"]})),
    Case("c48", "its player sees the hand of an opponent and wounds a character there",
         (use("défausser", "play/1", {"look": ["c1", "c2", ARMOUR]}), say("B/hand/c2")), {"play": ["c48"]},
         {"hand": ["?", "?", "?"]},
         then={"A/play": [], "A/discard": ["c48"], "B/hand": 2, "B/marked": ["c2 wound"]}),
    Case("c49", "cards of the three lowest ranks leave the terrain, which is filled",
         (win(3, {"reveal": ["c31"]}, {"reveal": ["c32"]}),), fight(2),
         common={"terrain": ["c39", "c88", "c49", "c31", ARMOUR, "c31"]},
         then=won("c49", USED, USED, **{"common/terrain/3": "c31", "common/terrain/2": "c32", "common/reserve": 8,
                                        "common/reserve_discard": ["c88"]})),
    Case("c50", "a character of the terrain costs 3 Force less", (use("détruire"), say("common/terrain/3"), win()),
         {"play": ["c50", f"{KNIGHT} @common/terrain/3"]},
         then=won(PLAIN, USED, **{"A/destroyed": ["c50"]})),
    Case("c50", "until the end of the turn",
         (use("détruire"), say("common/terrain/3"), end("A"), end("B"), play(KNIGHT, 5), win(5)),
         {"play": ["c50"], "hand": [KNIGHT, *[HERO] * 4]}, {"hand": [HERO] * 5}, refused=("SSD-VAL-1",)),
    Case("c50", "or as long as it is on the terrain",
         (use("détruire"), say("common/terrain/3"), end("A"), end("B"), play(KNIGHT, 5), win(5)),
         {"play": ["c50"], "hand": [KNIGHT, *[HERO] * 4]}, {"hand": [HERO] * 5}, options={"I-SSD-15": "lasting"},
         then=won(PLAIN, USED, slot=5, **{"A/destroyed": ["c50"], "A/hand": 4, "common/reserve": 8,
                                          "common/reserve_discard": [PLAIN, PLAIN], "turn": [7, "A", "principale"]})),
    Case("c51", "Shun has 1 Cosmos more beside it", (win(by="cosmos"),),
         {"play": ["c51 @common/terrain/3", "c4 @common/terrain/3"]}, common=terrain("c80"),
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c51 used", "c4 used"]}),
    Case("c51", "a character of the discard goes to the hand, but not itself", (use("défausser"),),
         {"play": ["c51"], "discard": ["c1", ARMOUR]},
         then={"A/play": [], "A/discard": [ARMOUR, "c51"], "A/hand": 1}),
    Case("c51", "or itself, if a card may take itself back", (use("défausser"), say("A/discard/c51")),
         {"play": ["c51"], "discard": ["c1", ARMOUR]}, options={"I-SSD-18": "itself"},
         then={"A/play": [], "A/discard": ["c1", ARMOUR], "A/hand": 1}),
    Case("c52", "each opponent shuffles an Athéna of the hand into the reserve",
         (use("blesser"), say("B/hand/c16", by="B")), {"play": ["c52"]}, {"hand": ["c16", "c1"]},
         then={"A/play": [], "A/marked": ["c52 wound"], "B/hand": 1, "common/reserve": 11}),
    Case("c52", "a Flame goes when it comes", come("c52"), {"play": [COMMON]}, common=COMING,
         then=arrived("c52", **{"common.flames": 11})),
    Case("c53", "a hero of the lowest rank in hand is destroyed for one of the next, from those aside",
         (use("blesser"), say("A/hand/c1")), {"play": ["c53"], "hand": ["c1", "c39"], "aside": ["c11", "c11"]},
         then={"A/play": [], "A/marked": ["c53 wound"], "A/hand": 1, "A/destroyed": ["c1"], "A/aside": ["c11"],
               "A/discard": ["c11"]}),
    Case("c54", "armours of the terrain can be acquired by Force, at their cost by Cosmos",
         (use("défausser"), win()), {"play": ["c54", *[f"{KNIGHT} @common/terrain/3"] * 2]}, common=terrain(ARMOUR),
         then={"A/play": [USED, USED], "A/discard": ["c54", ARMOUR], "common/terrain/3": None}),
    Case("c54", "otherwise they cannot", (win(),), fight(2), common=terrain(ARMOUR), refused=("SSD-COU-1",)),
    Case("c55", "the top card of the reserve goes to the discard", (win(3, {"pick": "common/reserve/c31"}),), fight(2),
         common=terrain("c55"), then=won("c55", USED, USED, **{"A/discard": ["c55", "c31"], "common/reserve": 9})),
    Case("c56", "an armour of the terrain goes to the discard", (use("détruire"),), {"play": ["c56"]},
         common=terrain(ARMOUR),
         then={"A/play": [], "A/destroyed": ["c56"], "common/terrain/3": None, "A/discard": [ARMOUR]}),
    Case("c57", "those with Cosmos who fought it are wounded", (win(),),
         {"play": [f"{KNIGHT} @common/terrain/3"] * 2 + [f"{BARE} @common/terrain/3"]}, common=terrain("c57"),
         then=won("c57", f"{BARE} fought used", **{"A/marked": [f"{KNIGHT} wound"] * 2})),
    Case("c58", "those without Cosmos who fought it are wounded", (win(),),
         {"play": [f"{KNIGHT} @common/terrain/3"] * 2 + [f"{BARE} @common/terrain/3"]}, common=terrain("c58"),
         then=won("c58", FOUGHT, FOUGHT, **{"A/marked": [f"{BARE} wound"]})),
    Case("c59", "opponents discard all armours of the hand", (win(3, {"reveal": ["c1", ARMOUR, "c6"]}),), fight(2),
         {"hand": ["?", "?", "?"]}, terrain("c59"),
         won("c59", USED, USED, **{"B/hand": 1, "B/discard": ["c6", ARMOUR]})),
    # Chevaliers without a constellation, Fantômes and Noirs.
    Case("c60", "the discard is shuffled into the draw pile", (play("c60"), say()),
         {"hand": ["c60"], "discard": ["c1", "c1", ARMOUR]}, then={**laid("c60"), "A/discard": [], "A/deck": 8}),
    Case("c60", "Ikki has 1 Cosmos more beside it", (win(by="cosmos"),),
         {"play": ["c60 @common/terrain/3", "c5 @common/terrain/3"]}, common=terrain("c77"),
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c60 used", "c5 used"]}),
    Case("c61", "cards of the two lowest ranks leave the terrain, which is filled",
         (use("défausser", "play/1", {"reveal": ["c44"]}),), {"play": ["c61"]}, common=COMING,
         then=arrived("c44")),
    Case("c62", "a card is drawn and one discarded, from play or from the hand",
         (play("c62"), say("yes", drawn("c2")), say("A/play/1")), {"hand": ["c62", "c1"]},
         then={"A/hand": 2, "A/discard": ["c62"], **ONE}),
    Case("c62", "Hyoga has 1 Cosmos more beside it", (win(by="cosmos"),),
         {"play": ["c62 @common/terrain/3", "c3 @common/terrain/3"]}, common=terrain("c77"),
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c62 used", "c3 used"]}),
    Case("c63", "a Chevalier Fantôme of the terrain is acquired", (use("défausser"),), {"play": ["c63"]},
         common=terrain("c64"), then={"A/play": [], "A/discard": ["c63", "c64"], "common/terrain/3": None}),
    Case("c63", "when it comes each player destroys a character of the hand",
         (*come("c63"), say("A/hand/c1"), say("B/hand/c2", by="B")), {"play": [COMMON], "hand": ["c1", ARMOUR]},
         {"hand": ["c2", "c39"]}, COMING,
         arrived("c63", **{"A/hand": 1, "A/destroyed": ["c1"], "B/hand": 1, "B/destroyed": ["c2"]})),
    Case("c64", "two characters may not fight it", (win(),), fight(2), common=terrain("c64"), refused=("SSD-TER-1",)),
    Case("c64", "three may", (win(),), fight(3), common=terrain("c64"), then=won("c64", USED, USED, USED)),
    Case("c65", "a card of the hand is discarded to fight it", (win(), say("c1")),
         {**fight(1), "hand": ["c1", "c2"]}, common=terrain("c65"),
         then=won("c65", USED, **{"A/hand": 1, "A/discard": ["c65", "c1"]})),
    Case("c65", "with an empty hand it cannot be fought", (win(),), fight(1), common=terrain("c65"),
         refused=("SSD-TER-1",)),
    Case("c66", "no other Chevalier can be acquired", (win(),), fight(2), common=terrain("c61", "c66"),
         refused=("SSD-VER-3",)),
    Case("c66", "not by an effect either", (use("défausser"),), {"play": ["c63"]}, common=terrain("c64", "c66"),
         then={"A/play": [], "A/discard": ["c63", "c66"], "common/terrain/4": None}),
    Case("c66", "it can itself be acquired, and so can others", (win(), win(1)),
         {"play": [f"{KNIGHT} @common/terrain/3", f"{KNIGHT} {FACES}"]}, common={
             "terrain": ["c86", PLAIN, "c66", PLAIN, PLAIN, PLAIN]},
         then=won("c66", USED, USED, **{"common/terrain/1": None, "A/discard": ["c66", "c86"]})),
    Case("c67", "a player puts a destroyed hero of the lowest rank on the draw pile", (play("c67"), say(), say("B")),
         {"hand": ["c67"]}, {"destroyed": ["c1", "c11", "c39"]},
         then={**laid("c67"), "B/destroyed": ["c11", "c39"], "B/deck": 6}),
    Case("c68", "when it comes each player may wound a character of the hand for a card",
         (*come("c68"), say("A/hand/c1", drawn("c2")), say(None, by="B")), {"play": [COMMON], "hand": ["c1"]},
         {"hand": ["c3"]}, COMING, arrived("c68", **{"A/marked": ["c1 wound"], "A/deck": 4})),
    Case("c69", "it has 1 Force more beside Spica", (win(),),
         {"play": ["c69 @common/terrain/3", "c70 @common/terrain/3"]}, common=terrain("c61"),
         then=won("c61", "c69 used", "c70 used")),
    Case("c70", "alone it has not", (win(),), fight(1, "c70"), common=terrain("c69"), refused=("SSD-VAL-1",)),
    Case("c71", "a Chevalier Noir in the discard of an opponent is acquired", (use("défausser"),),
         {"play": ["c71"], "discard": ["c72"]}, {"discard": ["c71", "c73", "c1"]},
         then={"A/play": [], "A/discard": ["c72", "c71", "c73"], "B/discard": ["c71", "c1"]}),
    *(
        Case(f"c{n + 71}", "it costs 2 Force less for the hero it is the shadow of", (win(),),
             {"play": [f"c{n} @common/terrain/3", "c69 @common/terrain/3"]}, common=terrain(f"c{n + 71}"),
             then=won(f"c{n + 71}", f"c{n} used", "c69 used"))
        for n in range(1, 6)
    ),
    Case("c72", "but not for another hero", (win(),),
         {"play": ["c2 @common/terrain/3", "c69 @common/terrain/3"]}, common=terrain("c72"), refused=("SSD-VAL-1",)),
    # Chevaliers d'Acier and de Bronze.
    Case("c77", "the Chevaliers that fought beside it are not wounded", (win(),),
         {"play": ["c77 @common/terrain/3", "c83 @common/terrain/3", "c1 @common/terrain/3",
                   *[f"{KNIGHT} @common/terrain/3"] * 2]}, common=terrain("c32"),
         then=won("c32", "c83 fought used", FOUGHT, FOUGHT,
                  **{"A/marked": ["c1 wound", "c77 wound"], "common.flames": 11})),
    Case("c77", "nor do they wound themselves for an effect", (use("blesser", "play/2"),),
         {"play": ["c77 @common/terrain/3", "c83 @common/terrain/3"]}, refused=("SSD-EFF-3",)),
    Case("c78", "it has 1 Force more for each hero of the second rank beside it", (win(),),
         {"play": ["c78 @common/terrain/3", "c11 @common/terrain/3", "c12 @common/terrain/3", "c1"]},
         common=terrain("c44"), then=won("c44", "c78 used", "c11 used", "c12 used", "c1")),
    Case("c79", "the Chevalier it confronts costs 1 Cosmos less for each hero beside it", (win(by="cosmos"),),
         {"play": ["c79 @common/terrain/3", "c11 @common/terrain/3", "c12 @common/terrain/3"]}, common=terrain("c62"),
         then={"common/terrain/3": None, "A/hand": 1, "A/play": ["c79 used", "c11 used", "c12 used"]}),
    Case("c79", "but not by Force", (win(),),
         {"play": ["c79 @common/terrain/3", "c11 @common/terrain/3", "c12 @common/terrain/3"]}, common=terrain("c61"),
         refused=("SSD-VAL-1",)),
    Case("c80", "each opponent discards a hero of the hand", (use("défausser"), say("B/hand/c1", by="B")),
         {"play": ["c80"]}, {"hand": ["c39", "c1"]},
         then={"A/play": [], "A/discard": ["c80"], "B/hand": 1, "B/discard": ["c1"]}),
    Case("c81", "opponents wound all heroes of the second rank in the discard", (use("défausser"),),
         {"play": ["c81"], "discard": ["c11"]}, {"discard": ["c11", "c1", "c11", "c83"]},
         then={"A/play": [], "A/discard": ["c11", "c81"], "B/discard": ["c1", "c83"],
               "B/marked": ["c11 wound"] * 2}),
    Case("c82", "each opponent discards the armour in play", (use("défausser"),), {"play": ["c82"], "armour": "c6"},
         {"armour": ARMOUR}, then={"A/play": [], "A/discard": ["c82"], "B/armour": None, "B/discard": [ARMOUR]}),
    Case("c83", "each opponent wounds a Chevalier of the hand", (use("blesser"), say("B/hand/c39", by="B")),
         {"play": ["c83"]}, {"hand": ["c39", "c1"]},
         then={"A/play": [], "A/marked": ["c83 wound"], "B/hand": 1, "B/marked": ["c39 wound"]}),
    Case("c83", "one who seems to have none may say so", (use("blesser"), say(None, by="B")), {"play": ["c83"]},
         {"hand": ["?", "c1"]}, then={"A/play": [], "A/marked": ["c83 wound"]}),
    Case("c84", "a hero of the second rank in a discard changes places with a destroyed one of the lowest",
         (use("défausser"), say("B")), {"play": ["c84"]}, {"discard": ["c11", "c39"], "destroyed": ["c1", "c44"]},
         then={"A/play": [], "A/discard": ["c84"], "B/discard": ["c39", "c1"], "B/destroyed": ["c44", "c11"]}),
    Case("c84", "not without a destroyed one", (use("défausser"), say("B")), {"play": ["c84"]},
         {"discard": ["c11"], "destroyed": ["c44"]}, then={"A/play": [], "A/discard": ["c84"]}),
    Case("c85", "a wounded character of one's own is healed", (play("c85"), say()),
         {"hand": ["c85"], "marked": ["c1 wound"]}, {"marked": ["c2 wound"]},
         then={**laid("c85"), "A/marked": [], "A/discard": ["c1"]}),
    Case("c85", "nobody is healed while it is on the terrain", (heal("play/1", "marked/1"),),
         {"play": ["c1"], "marked": ["c2 wound"]}, common=terrain("c85"), refused=("SSD-SOI-1",)),
    Case("c85", "not by an effect either", (use("défausser", "armour"),),
         {"armour": "c28", "marked": ["c83 wound"]}, common=terrain("c85"), then=shed("c28")),
    # Characters of no class.
    Case("c86", "a Chevalier of the terrain costs 2 Force and 2 Cosmos less",
         (use("détruire"), say("common/terrain/3"), win(by="cosmos")),
         {"play": ["c86", "c58 @common/terrain/3"]},
         then={"A/play": ["c58 used"], "A/destroyed": ["c86"], "common/terrain/3": None, "A/hand": 1}),
    Case("c86", "and 2 Force", (use("détruire"), say("common/terrain/3"), win()),
         {"play": ["c86", f"{BARE} @common/terrain/3", f"{BARE} @common/terrain/3"]},
         then=won(PLAIN, *[f"{BARE} used"] * 2, **{"A/destroyed": ["c86"]})),
    Case("c87", "a character leaves the terrain, and a card of the reserve takes its place",
         (use("défausser"), say("common/terrain/4", {"reveal": ["c44"]})), {"play": ["c87"]},
         common=terrain(None),
         then={"A/play": [], "A/discard": ["c87"], "common/terrain/4": "c44", "common/reserve": 9,
               "common/reserve_discard": [PLAIN]}),
    Case("c87", "when it comes the player in turn puts it in a discard", (*come("c87"), say("B", {"reveal": [PLAIN]})),
         {"play": [COMMON]}, common=COMING, then=arrived(PLAIN, **{"common/reserve": 8, "B/discard": ["c87"]})),
    Case("c88", "a character of the hand is destroyed for two cards",
         (play("c88"), say(), say("A/hand/c1", drawn("c2", "c2"))), {"hand": ["c88", "c1", ARMOUR]},
         then={**laid("c88", hand=3), "A/destroyed": ["c1"], "A/deck": 3}),
    Case("c89", "each opponent destroys a Chevalier of the hand", (use("détruire"), say("B/hand/c39", by="B")),
         {"play": ["c89"]}, {"hand": ["c39", "c1"]},
         then={"A/play": [], "A/destroyed": ["c89"], "B/hand": 1, "B/destroyed": ["c39"]}),
    Case("c90", "a destroyed card goes to the discard, but not itself", (use("détruire"),),
         {"play": ["c90"], "destroyed": ["c1"]}, then={"A/play": [], "A/destroyed": ["c90"], "A/discard": ["c1"]}),
)  # fmt: skip
