"""What the rare cards of Muna do, and those of other factions that are versions of a card of Muna."""

from __future__ import annotations

from tests.engine.altered.encoded import (
    BIG,
    KEPT,
    LANDMARK,
    MINE,
    OTHER,
    PLAIN,
    SMALL,
    TARGET,
    UP,
    Case,
    drawn,
    heros,
)

PLANT, LARGE_PLANT, BUREAUCRAT = "MU_08_C", "MU_12_C", "OR_09_C"
OF_3, OF_4 = "MU_12_C", "MU_17_C"  # characters of cost 3 and 4
THEIR_DRAW = {"B/hand": 6, "B/deck": 19}
ORBS = {"A/deck": 19, "B/deck": 19, "B/spent": 1}  # each top card is an exhausted orb; A has spent more


def anchoring(ref: str) -> tuple[Case, Case]:
    """Return the cases of a support that anchors a character of cost 3 or less."""
    return (
        Case(ref, "as a support, it anchors a character of cost 3 or less", "support", b={"exp_heros": [OF_3, OF_4]},
             then={"B/exp_heros": [f"{OF_3} ancre", OF_4]}),
        Case(ref, "also one of its player", "support", MINE, {"exp_heros": [BIG]},
             then={"A/exp_compagnon": [f"{PLAIN} ancre"]}),
    )  # fmt: skip


def meditating(ref: str) -> tuple[Case, Case]:
    """Return the cases of a spell that anchors a character of cost 3 or less."""
    return (
        Case(ref, "a character of cost 3 is anchored, none of cost 4", "hand", b={"exp_heros": [OF_3, OF_4]},
             then={"B/exp_heros": [f"{OF_3} ancre", OF_4], "A/reserve": [ref]}),
        Case(ref, "also one of its player is", "hand", MINE, {"exp_heros": [BIG]},
             then={"A/exp_compagnon": [f"{PLAIN} ancre"], "A/reserve": [ref]}),
    )  # fmt: skip


def anchored(ref: str) -> tuple[Case, Case]:
    """Return the cases of a character that is anchored as it comes."""
    return (
        Case(ref, "from hand, it is anchored", "hand", MINE, then={"A/exp_heros": [f"{ref} ancre"]}),
        Case(ref, "from the Reserve too", "reserve", MINE, then={"A/exp_heros": [f"{ref} ancre fugace"]}),
    )


def boosted(ref: str, boosts: str) -> Case:
    """Return the case of a character that gains boosts at noon; `boosts` is the mark."""
    return Case(ref, "at noon it is boosted", "noon", {**heros(ref), **MINE}, then={"A/exp_heros": [f"{ref} {boosts}"]})


def tough(ref: str) -> tuple[Case, Case, Case]:
    """Return the cases of a Permanent that makes the characters of its player Tough 2."""
    theirs = {"landmarks": [ref], "exp_heros": [PLAIN]}
    gone = {"B/exp_heros": [], "B/discard": [PLAIN]}
    return (
        Case(ref, "the opponent pays 2 more to target its player's characters", "YZ_24_C", {"mana": 6}, theirs,
             say=(OTHER,), then={"A/mana": 0, "A/spent": 6, **gone}),
        Case(ref, "but not to target the Permanent", "YZ_24_C", {"mana": 5}, theirs,
             then={"B/landmarks": [], "B/discard": [ref]}),
        Case(ref, "its player pays nothing more to target the opponent's", "YZ_24_C", {"mana": 4, "landmarks": [ref]},
             {"exp_heros": [PLAIN]}, say=(OTHER,), then=gone),
    )  # fmt: skip


def paying(ref: str) -> tuple[Case, Case, Case, Case]:
    """Return the cases of a character that is anchored for an orb, and that resupplies at noon."""
    spent = {"A/mana": 5, "A/spent": 4}
    return (
        Case(ref, "an orb more anchors it", "hand", MINE, say=("yes",),
             then={**spent, "A/exp_heros": [f"{ref} ancre"]}),
        Case(ref, "from the Reserve too", "reserve", MINE, say=("yes",),
             then={**spent, "A/exp_heros": [f"{ref} ancre fugace"]}),
        Case(ref, "without it, it is not anchored", "hand", say=("-",)),
        Case(ref, "at noon it resupplies", "noon", heros(ref), chance=UP, then=KEPT),
    )  # fmt: skip


def becoming(ref: str, zone: str) -> tuple[Case, Case]:
    """Return the cases of a spell that makes a card an orb of its owner; `zone` is where the spell goes."""
    return (
        Case(ref, "a character becomes an exhausted orb of its owner", "hand", MINE, {"exp_heros": [BIG]},
             say=(OTHER,), then={"B/exp_heros": [], "B/spent": 1, f"A/{zone}": [ref]}),
        Case(ref, "so does a Permanent", "hand", b={"landmarks": [LANDMARK]},
             then={"B/landmarks": [], "B/spent": 1, f"A/{zone}": [ref]}),
    )  # fmt: skip


def cheaper(ref: str, card: str, played: str) -> tuple[Case, Case]:
    """Return the cases of a Permanent that makes a card of cost 2 cheaper; `played` is that card once in play."""
    used = {"A/landmarks": [f"{ref} epuise"], "A/hand": 0}
    return (
        Case(ref, "the next card of its subtype costs 1 less", "quick", {"landmarks": [ref], "hand": [card]},
             at="landmarks", say=("play",),
             then={**used, "A/mana": 8, "A/spent": 1, "A/exp_heros": [played], "turn": [3, "B", "apres-midi"]}),
        Case(ref, "another card does not, nor does one of a later turn", "quick",
             {"landmarks": [ref], "hand": [PLAIN, card]}, at="landmarks", say=("play", "pass B", f"play {card}"),
             then={**used, "A/mana": 5, "A/spent": 4, "A/exp_heros": [PLAIN, played]}),
    )  # fmt: skip


def resupplying(ref: str) -> tuple[Case, Case]:
    """Return the cases of a character that resupplies from the Reserve."""
    return (
        Case(ref, "from the Reserve, it resupplies", "reserve", chance=UP, then=KEPT),
        Case(ref, "from hand it does not", "hand"),
    )


def defending(ref: str, ally: str) -> tuple[Case, Case, Case]:
    """Return the cases of a Defender that two cards like `ally` free."""
    gone = {"A/exp_heros": [], "turn": "night"}
    return (
        Case(ref, "it is a Defender", "dusk", heros(ref), then={**gone, "A/reserve": [ref]}),
        Case(ref, "one such card does not free it", "dusk", {**heros(ref), "exp_compagnon": [ally, PLAIN]},
             then={**gone, "A.compagnon": 1, "A/exp_compagnon": [], "A/reserve": [ref, ally, PLAIN]}),
        Case(ref, "two others free it", "dusk", {**heros(ref), "exp_compagnon": [ally, ally]},
             then={**gone, "A.heros": 1, "A.compagnon": 1, "A/exp_compagnon": [], "A/reserve": [ref, ally, ally]}),
    )  # fmt: skip


CASES: tuple[Case, ...] = (
    *anchoring("MU_04_R1"),
    *anchoring("MU_04_R2"),
    Case("MU_05_R1", "from hand, its player may resupply", "hand", say=("yes", "B:-"), chance=UP, early=True,
         then=KEPT),
    Case("MU_05_R1", "and so may the opponent", "hand", say=("-", "B:yes"), chance=UP, late=True,
         then={"B/reserve": [SMALL], "B/deck": 19}),
    Case("MU_05_R1", "from the Reserve, neither may", "reserve"),
    Case("MU_05_R2", "from hand, both draw", "hand", then={**drawn(1), **THEIR_DRAW}),
    Case("MU_05_R2", "from the Reserve, neither draws", "reserve"),
    *anchored("MU_06_R1"),
    Case("MU_06_R1", "at noon with two boosts, it resupplies", "noon", heros("MU_06_R1 boost:2"), chance=UP,
         then=KEPT),
    Case("MU_06_R1", "at noon with one boost, it does not", "noon",
         {**heros("MU_06_R1 boost"), "exp_compagnon": [f"{PLAIN} boost:2"]}),
    *anchored("MU_06_R2"),
    Case("MU_07_R1", "it has no effect in play", "hand"),
    *anchoring("MU_07_R1"),
    Case("MU_07_R2", "it has no effect", "hand"),
    *anchored("MU_08_R1"),
    boosted("MU_08_R1", "boost"),
    *anchored("MU_08_R2"),
    boosted("MU_08_R2", "boost"),
    *(case for ref in ("MU_09_R1", "MU_09_R2") for case in (
        Case(ref, "from hand, it is asleep", "hand", MINE, then={"A/exp_heros": [f"{ref} endormi"]}),
        Case(ref, "from the Reserve, it is not", "reserve"),
        *anchoring(ref),
    )),
    Case("MU_10_R1", "from the Reserve too", "reserve", {"exp_compagnon": [PLANT, PLANT]},
         then={"A/exp_heros": ["MU_10_R1 boost:2 fugace"]}),
    Case("MU_10_R2", "three statistics of 0 on two characters give it two boosts", "hand",
         {"exp_compagnon": ["BR_05_C", PLAIN]}, then={"A/exp_heros": ["MU_10_R2 boost:2"]}),
    Case("MU_10_R2", "so do those of one character", "hand", {"exp_compagnon": ["MU_22_C boost:4"]},
         then={"A/exp_heros": ["MU_10_R2 boost:2"]}),
    Case("MU_10_R2", "so does one on each of three", "hand", {"exp_compagnon": [PLAIN, PLAIN, PLAIN]},
         then={"A/exp_heros": ["MU_10_R2 boost:2"]}),
    Case("MU_10_R2", "also from the Reserve", "reserve", {"exp_compagnon": ["BR_05_C", PLAIN]},
         then={"A/exp_heros": ["MU_10_R2 boost:2 fugace"]}),
    Case("MU_10_R2", "two on one character do not", "hand", {"exp_compagnon": ["BR_05_C", OF_3, OF_3]},
         {"exp_heros": [PLAIN]}),
    Case("MU_10_R2", "nor do two on two characters", "hand", {"exp_compagnon": [PLAIN, PLAIN, OF_3]}),
    Case("MU_11_R1", "at noon it draws", "noon", heros("MU_11_R1"), then=drawn(1, 5)),
    Case("MU_11_R2", "as a support, a Permanent acts as if it came into play", "support", {"landmarks": ["AX_24_C"]},
         then={"A/landmarks": ["AX_24_C compteur:3"]}),
    Case("MU_12_R1", "from hand, both draw", "hand", then={**drawn(1), **THEIR_DRAW}),
    Case("MU_12_R1", "from the Reserve, neither draws", "reserve"),
    Case("MU_12_R2", "from hand, the opponent draws", "hand", then=THEIR_DRAW),
    Case("MU_12_R2", "from the Reserve, nobody draws", "reserve"),
    Case("MU_13_R1", "from hand, a Plant gains two boosts", "hand", {"exp_compagnon": [PLANT, PLAIN]}, say=(TARGET,),
         then={"A/exp_compagnon": [f"{PLANT} boost:2", PLAIN]}),
    Case("MU_13_R1", "a Plant of the opponent may be the target", "hand", b={"exp_heros": [PLANT]}, say=(OTHER,),
         then={"B/exp_heros": [f"{PLANT} boost:2"]}),
    Case("MU_13_R1", "or none does", "hand", {"exp_compagnon": [PLANT]}, say=("-",)),
    Case("MU_13_R1", "another character cannot be the target", "hand", MINE),
    Case("MU_13_R1", "from the Reserve, no Plant does", "reserve", {"exp_compagnon": [PLANT]}),
    *anchoring("MU_13_R1"),
    Case("MU_13_R2", "it has no effect in play", "hand", {"exp_compagnon": [PLANT]}),
    *anchoring("MU_13_R2"),
    Case("MU_14_R1", "it has no effect", "hand"),
    Case("MU_14_R2", "it has no effect", "hand"),
    *anchored("MU_15_R1"),
    boosted("MU_15_R1", "boost:2"),
    *anchored("MU_15_R2"),
    boosted("MU_15_R2", "boost"),
    *paying("MU_16_R1"),
    *paying("MU_16_R2"),
    Case("MU_17_R1", "each top card is an exhausted orb", "hand", then={**ORBS, "A/spent": 5}),
    Case("MU_17_R1", "from the Reserve too", "reserve", then={**ORBS, "A/spent": 5}),
    *anchoring("MU_17_R1"),
    Case("MU_17_R2", "from hand, each top card is an exhausted orb", "hand", then={**ORBS, "A/spent": 5}),
    Case("MU_17_R2", "from the Reserve, none is", "reserve"),
    Case("MU_18_R2", "a target is anchored", "hand", MINE, say=(TARGET,), then={"A/exp_compagnon": [f"{PLAIN} ancre"]}),
    Case("MU_18_R2", "from the Reserve too, also one of the opponent", "reserve", b={"exp_heros": [BIG]}, say=(OTHER,),
         then={"B/exp_heros": [f"{BIG} ancre"]}),
    *defending("MU_19_R1", LARGE_PLANT),
    *defending("MU_19_R2", BUREAUCRAT),
    *anchored("MU_20_R1"),
    *anchored("MU_20_R2"),
    Case("MU_21_R1", "it counts in both expeditions", "dusk", heros("MU_21_R1"),
         then={"A.heros": 1, "A.compagnon": 1, "A/exp_heros": [], "A/reserve": ["MU_21_R1"], "turn": "night"}),
    Case("MU_21_R1", "the opponent pays 1 more to target it", "YZ_24_C", {"mana": 5}, {"exp_heros": ["MU_21_R1"]},
         then={"A/mana": 0, "A/spent": 5, "B/exp_heros": [], "B/discard": ["MU_21_R1"]}),
    Case("MU_21_R1", "so it is no target without that orb", "YZ_24_C", {"mana": 4},
         {"exp_heros": ["MU_21_R1", PLAIN]}, then={"B/exp_heros": ["MU_21_R1"], "B/discard": [PLAIN]}),
    *anchoring("MU_21_R1"),
    Case("MU_21_R2", "it counts in both expeditions", "dusk", heros("MU_21_R2"),
         then={"A.heros": 1, "A.compagnon": 1, "A/exp_heros": [], "A/reserve": ["MU_21_R2"], "turn": "night"}),
    Case("MU_21_R2", "the opponent pays nothing more to target it", "YZ_24_C", {"mana": 4},
         {"exp_heros": ["MU_21_R2"]}, then={"B/exp_heros": [], "B/discard": ["MU_21_R2"]}),
    *(case for ref in ("MU_22_R1", "MU_22_R2") for case in (
        Case(ref, "four boosts as it comes", "hand", MINE, then={"A/exp_heros": [f"{ref} boost:4"]}),
        Case(ref, "from the Reserve too", "reserve", then={"A/exp_heros": [f"{ref} boost:4 fugace"]}),
        boosted(ref, "boost:4"),
        Case(ref, "it stays at night", "dusk", heros(f"{ref} boost"), then={"A.heros": 1, "turn": "night"}),
    )),
    Case("MU_22_R1", "with another Plant, the opponent pays 2 more to target it", "YZ_24_C", {"mana": 6},
         {"exp_heros": ["MU_22_R1 boost"], "exp_compagnon": [PLANT, PLAIN]}, say=(OTHER,),
         then={"A/mana": 0, "A/spent": 6, "B/exp_heros": [], "B/discard": ["MU_22_R1"]}),
    Case("MU_22_R1", "and cannot target it without both orbs", "YZ_24_C", {"mana": 5},
         {"exp_heros": ["MU_22_R1 boost"], "exp_compagnon": [PLANT]},
         then={"B/exp_compagnon": [], "B/discard": [PLANT]}),
    *resupplying("MU_23_R1"),
    *resupplying("MU_23_R2"),
    Case("MU_24_R1", "an orb more resupplies as it comes", "hand", say=("yes",), chance=UP, late=True,
         then={"A/mana": 6, "A/spent": 3, **KEPT}),
    Case("MU_24_R1", "from the Reserve too", "reserve", say=("yes",), chance=UP, late=True,
         then={"A/mana": 6, "A/spent": 3, **KEPT}),
    Case("MU_24_R1", "without it, it does not", "hand", say=("-",)),
    *cheaper("MU_24_R1", PLANT, f"{PLANT} ancre"),
    *cheaper("MU_24_R2", BUREAUCRAT, BUREAUCRAT),
    *meditating("MU_25_R1"),
    *meditating("MU_25_R2"),
    *becoming("MU_26_R1", "reserve"),
    *becoming("MU_26_R2", "discard"),
    Case("MU_27_R2", "two targets are boosted", "hand", {**MINE, **heros(SMALL)}, {"exp_heros": [BIG]},
         say=(TARGET, OTHER),
         then={"A/exp_compagnon": [f"{PLAIN} boost"], "B/exp_heros": [f"{BIG} boost"], "A/reserve": ["MU_27_R2"]}),
    Case("MU_27_R2", "or only one is", "hand", MINE, {"exp_heros": [BIG]}, say=(TARGET, "-"),
         then={"A/exp_compagnon": [f"{PLAIN} boost"]}),
    Case("MU_28_R1", "a target falls asleep and may gain two boosts", "hand", b={"exp_heros": [BIG]}, say=("yes",),
         then={"B/exp_heros": [f"{BIG} boost:2 endormi"], "A/reserve": ["MU_28_R1"]}),
    Case("MU_28_R1", "or it only falls asleep, be it of its player", "hand", MINE, {"exp_heros": [BIG]},
         say=(TARGET, "-"), then={"A/exp_compagnon": [f"{PLAIN} endormi"]}),
    Case("MU_29_R1", "it resupplies twice", "hand", chance=({"reveal": [SMALL, PLAIN]},),
         then={"A/reserve": [SMALL, PLAIN, "MU_29_R1"], "A/deck": 18}),
    Case("MU_29_R2", "it resupplies", "hand", chance=UP, then={"A/reserve": [SMALL, "MU_29_R2"], "A/deck": 19}),
    *tough("MU_30_R1"),
    Case("MU_30_R1", "at noon a character of its player is boosted", "noon", {"landmarks": ["MU_30_R1"], **MINE},
         {"exp_heros": [BIG]}, then={"A/exp_compagnon": [f"{PLAIN} boost"]}),
    *tough("MU_30_R2"),
)  # fmt: skip
