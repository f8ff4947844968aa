"""What the rare cards of Ordis do, and those of other factions that are versions of a card of Ordis."""

from __future__ import annotations

from tests.engine.altered.encoded import (
    BIG,
    BUG,
    EACH,
    KEPT,
    LANDMARK,
    MINE,
    PLAIN,
    RECRUIT,
    SMALL,
    SPELL,
    TARGET,
    UP,
    Case,
    drawn,
    heros,
    made,
)

BUREAUCRAT, OF_3, OF_4 = "OR_09_C", "MU_12_C", "MU_17_C"  # the others are characters of cost 3 and 4
ORB = "BR_27_C"  # a spell of cost 2 that makes the top card of the deck an orb
THREE = {"exp_compagnon": [PLAIN, PLAIN, RECRUIT]}
AHEAD = {"B.heros": 1, "A/exp_heros": [], "B/exp_heros": [], "turn": "night"}  # only the opponent's heroes advance
NEXT = {"A/hand": 0, "turn": [3, "B", "apres-midi"]}  # the card of the hand has been played after a support


def recruiting(ref: str) -> Case:
    """Return the case of a support that makes a Recruit."""
    return Case(ref, "as a support, it makes a Recruit", "support", say=("A/exp_compagnon",),
                then=made(RECRUIT, "compagnon"))  # fmt: skip


def sabotaging(ref: str) -> tuple[Case, Case, Case]:
    """Return the cases of a character that sabotages after the rest if its expedition stays."""
    return (
        Case(ref, "if its expedition stays, it sabotages after the rest", "dusk", heros(ref), {"exp_heros": [BIG]},
             say=("B/reserve/1",), then={**AHEAD, "A/reserve": [ref], "B/discard": [BIG]}),
        Case(ref, "or discards none", "dusk", heros(ref), {"exp_heros": [BIG]}, say=("-",),
             then={**AHEAD, "A/reserve": [ref], "B/reserve": [BIG]}),
        Case(ref, "if it advances, it does not", "dusk", heros(ref), {"reserve": [PLAIN]},
             then={"A.heros": 1, "A/exp_heros": [], "A/reserve": [ref], "turn": "night"}),
    )  # fmt: skip


def suing(ref: str) -> tuple[Case, Case]:
    """Return the cases of a character that draws if its expedition stays."""
    return (
        Case(ref, "if its expedition stays, it draws", "dusk", heros(ref), {"exp_heros": [BIG]},
             then={**AHEAD, "A/reserve": [ref], "B/reserve": [BIG], **drawn(1, 5)}),
        Case(ref, "if it advances, it does not", "dusk", heros(ref),
             then={"A.heros": 1, "A/exp_heros": [], "A/reserve": [ref], "turn": "night"}),
    )  # fmt: skip


def halting(ref: str) -> tuple[Case, Case, Case]:
    """Return the cases of a character that keeps the other expedition, and the one facing it, from advancing."""
    gone = {"A.heros": 1, "A/exp_heros": [], "A/exp_compagnon": [], "turn": "night"}
    return (
        Case(ref, "the other expedition stays", "dusk", {**heros(ref), "exp_compagnon": [BIG]},
             then={**gone, "A/reserve": [ref, BIG]}),
        Case(ref, "so does the one facing it", "dusk", {**heros(ref), "exp_compagnon": [SMALL]},
             {"exp_compagnon": [BIG]},
             then={**gone, "A/reserve": [ref, SMALL], "B/exp_compagnon": [], "B/reserve": [BIG]}),
        Case(ref, "as a support, it draws", "support", then=drawn(1, 5)),
    )  # fmt: skip


def judging(ref: str) -> tuple[Case, Case, Case]:
    """Return the cases of a character with which each player sacrifices one."""
    theirs = {"B/exp_heros": [], "B/discard": [BIG]}
    return (
        Case(ref, "each player sacrifices a character", "hand", MINE, {"exp_heros": [BIG]}, say=(TARGET,),
             then={"A/exp_compagnon": [], "A/discard": [PLAIN], **theirs}),
        Case(ref, "alone, it is the one", "hand", b={"exp_heros": [BIG]},
             then={"A/exp_heros": [], "A/discard": [ref], **theirs}),
        Case(ref, "from the Reserve too", "reserve", MINE, {"exp_heros": [BIG]}, say=(TARGET,),
             then={"A/exp_compagnon": [], "A/discard": [PLAIN], **theirs}),
    )  # fmt: skip


def sealing(ref: str, zone: str) -> tuple[Case, Case]:
    """Return the cases of a spell against large cards; `zone` is where the spell goes."""
    return (
        Case(ref, "it sends a character of cost 4 or more to its Reserve", "hand",
             b={"exp_heros": [PLAIN, OF_3, OF_4]},
             then={"B/exp_heros": [PLAIN, OF_3], "B/reserve": [OF_4], f"A/{zone}": [ref]}),
        Case(ref, "or it discards a Permanent of cost 4 or more", "hand", b={"landmarks": [LANDMARK, "AX_25_C"]},
             then={"B/landmarks": [LANDMARK], "B/discard": ["AX_25_C"], f"A/{zone}": [ref]}),
    )  # fmt: skip


def celebrating(ref: str) -> tuple[Case, Case]:
    """Return the cases of a spell that keeps all expeditions from advancing."""
    night = {"A/mana": 9, "A/spent": 0, "A/exp_heros": [], "A/reserve": [BIG], "A/discard": [ref], "turn": "night"}
    return (
        Case(ref, "the expeditions of its player stay this day", "hand", {**heros(BIG), "hand": [ref]},
             say=("pass B", "pass A"), then=night),
        Case(ref, "so do those of the opponent", "hand", {**heros(BIG), "hand": [ref]}, {"exp_compagnon": [PLAIN]},
             say=("pass B", "pass A"), then={**night, "B/exp_compagnon": [], "B/reserve": [PLAIN]}),
    )  # fmt: skip


def boosting(ref: str) -> tuple[Case, ...]:
    """Return the cases of a Permanent that boosts the characters that join, except tokens."""
    return (
        Case(ref, "a character that joins an expedition is boosted", PLAIN, {"landmarks": [ref], **MINE},
             then={"A/exp_heros": [f"{PLAIN} boost"]}),
        Case(ref, "from the Reserve too", "A/reserve/1", {"landmarks": [ref], "reserve": [PLAIN]},
             then={"A/exp_heros": [f"{PLAIN} boost fugace"]}),
        Case(ref, "a token is not", "OR_13_C", {"landmarks": [ref]}, say=(f"!{ref}",),
             then={"A/exp_heros": ["OR_13_C boost"], "A/exp_compagnon": [RECRUIT]}),
        Case(ref, "a character of the opponent is not", PLAIN, b={"landmarks": [ref]}),
    )  # fmt: skip


def striving(ref: str) -> tuple[Case, Case]:
    """Return the cases of a Permanent with which an expedition advances at noon."""
    return (
        Case(ref, "at noon an expedition advances", "noon", {"landmarks": [ref]}, say=("A/exp_compagnon",),
             then={"A.compagnon": 1}),
        Case(ref, "it may be the opponent's", "noon", {"landmarks": [ref]}, say=("B/exp_heros",),
             then={"B.heros": 1}),
    )  # fmt: skip


CASES: tuple[Case, ...] = (
    recruiting("OR_04_R1"),
    recruiting("OR_04_R2"),
    Case("OR_05_R2", "it has no effect", "hand"),
    Case("OR_06_R1", "it makes a Recruit in the other expedition", "hand", then=made(RECRUIT, "compagnon")),
    Case("OR_06_R1", "from the Reserve too", "reserve", then=made(RECRUIT, "compagnon")),
    Case("OR_06_R2", "it makes a Recruit beside it", "hand", then={"A/exp_heros": ["OR_06_R2", RECRUIT]}),
    Case("OR_06_R2", "from the Reserve too", "reserve", then={"A/exp_heros": ["OR_06_R2 fugace", RECRUIT]}),
    Case("OR_06_R2", "as a support, the next spell costs 1 less", "support", {"hand": [ORB]}, say=("play",),
         then={**NEXT, "A/mana": 8, "A/spent": 2, "A/deck": 19, "A/discard": ["OR_06_R2", ORB]}),
    Case("OR_06_R2", "a character does not, nor does one of a later turn", "support", {"hand": [PLAIN, ORB]},
         say=("play", "pass B", f"play {ORB}"),
         then={"A/hand": 0, "A/mana": 5, "A/spent": 5, "A/exp_heros": [PLAIN], "A/deck": 19,
               "A/discard": ["OR_06_R2", ORB]}),
    Case("OR_07_R1", "from the Reserve, it does not", "reserve", {"exp_compagnon": [RECRUIT]}),
    Case("OR_07_R2", "from hand, it resupplies if there is a token", "hand", {"exp_compagnon": [RECRUIT]}, chance=UP,
         then=KEPT),
    Case("OR_07_R2", "without a token it does not", "hand", MINE, {"exp_heros": [RECRUIT]}),
    Case("OR_07_R2", "from the Reserve, it does not", "reserve", {"exp_compagnon": [RECRUIT]}),
    *sabotaging("OR_08_R1"),
    recruiting("OR_08_R1"),
    *sabotaging("OR_08_R2"),
    Case("OR_09_R1", "it has no effect", "hand"),
    Case("OR_09_R2", "as a support, the next Permanent costs 1 less", "support", {"hand": [LANDMARK]}, say=("play",),
         then={**NEXT, "A/mana": 7, "A/spent": 2, "A/landmarks": [LANDMARK]}),
    Case("OR_09_R2", "a character does not, nor does one of a later turn", "support", {"hand": [PLAIN, LANDMARK]},
         say=("play", "pass B", f"play {LANDMARK}"),
         then={"A/hand": 0, "A/mana": 4, "A/spent": 5, "A/exp_heros": [PLAIN], "A/landmarks": [LANDMARK]}),
    Case("OR_10_R1", "it is a Defender", "dusk", heros("OR_10_R1"),
         then={"A/exp_heros": [], "A/reserve": ["OR_10_R1"], "turn": "night"}),
    Case("OR_10_R1", "one other Bureaucrat does not free it", "dusk",
         {**heros("OR_10_R1"), "exp_compagnon": [BUREAUCRAT, PLAIN]},
         then={"A.compagnon": 1, "A/exp_heros": [], "A/exp_compagnon": [],
               "A/reserve": ["OR_10_R1", BUREAUCRAT, PLAIN], "turn": "night"}),
    Case("OR_10_R1", "two other Bureaucrats do", "dusk",
         {**heros("OR_10_R1"), "exp_compagnon": [BUREAUCRAT, BUREAUCRAT]},
         then={"A.heros": 1, "A.compagnon": 1, "A/exp_heros": [], "A/exp_compagnon": [],
               "A/reserve": ["OR_10_R1", BUREAUCRAT, BUREAUCRAT], "turn": "night"}),
    Case("OR_11_R1", "three other characters draw", "hand", THREE, then=drawn(1)),
    Case("OR_11_R1", "from the Reserve too", "reserve", THREE, then=drawn(1, 5)),
    Case("OR_11_R1", "two others do not", "hand", {"exp_compagnon": [PLAIN, RECRUIT]}, {"exp_heros": [PLAIN]}),
    Case("OR_11_R2", "two other boosted characters draw", "hand", {"exp_compagnon": [f"{PLAIN} boost",
         f"{RECRUIT} boost:2"]}, then=drawn(1)),
    Case("OR_11_R2", "from the Reserve too", "reserve", {"exp_compagnon": [f"{PLAIN} boost", f"{PLAIN} boost"]},
         then=drawn(1, 5)),
    Case("OR_11_R2", "one boosted character among three does not", "hand",
         {"exp_compagnon": [f"{PLAIN} boost:2", PLAIN, RECRUIT]}, {"exp_heros": [f"{PLAIN} boost"]}),
    Case("OR_13_R1", "it makes a Recruit in each expedition", "hand",
         then={"A/exp_heros": ["OR_13_R1", RECRUIT], "A/exp_compagnon": [RECRUIT]}),
    Case("OR_13_R1", "from the Reserve too", "reserve",
         then={"A/exp_heros": ["OR_13_R1 fugace", RECRUIT], "A/exp_compagnon": [RECRUIT]}),
    Case("OR_13_R2", "a character of the other expedition gains two boosts", "hand", {**MINE, **heros(SMALL)},
         {"exp_compagnon": [BIG]}, then={"A/exp_compagnon": [f"{PLAIN} boost:2"]}),
    Case("OR_13_R2", "from the Reserve too", "reserve", {**MINE, **heros(SMALL)},
         then={"A/exp_compagnon": [f"{PLAIN} boost:2"]}),
    Case("OR_14_R2", "from hand, it discards from a Reserve", "hand", b={"reserve": [PLAIN]}, say=("B/reserve/1",),
         then={"B/reserve": [], "B/discard": [PLAIN]}),
    Case("OR_14_R2", "it may be a card of its player", "hand", {"reserve": [SMALL]}, {"reserve": [PLAIN]},
         say=("A/reserve/1",), then={"A/reserve": [], "A/discard": [SMALL]}),
    Case("OR_14_R2", "from the Reserve, a Recruit beside it", "reserve", b={"reserve": [PLAIN]},
         then={"A/exp_heros": ["OR_14_R2 fugace", RECRUIT]}),
    Case("OR_15_R1", "from the Reserve too", "reserve", THREE, then={"A/exp_heros": ["OR_15_R1 boost:3 fugace"]}),
    Case("OR_15_R2", "three other characters give three boosts", "hand", THREE,
         then={"A/exp_heros": ["OR_15_R2 boost:3"]}),
    Case("OR_15_R2", "from the Reserve too", "reserve", THREE, then={"A/exp_heros": ["OR_15_R2 boost:3 fugace"]}),
    Case("OR_15_R2", "two others do not", "hand", {"exp_compagnon": [PLAIN, PLAIN]}, {"exp_heros": [PLAIN]}),
    *suing("OR_16_R1"),
    *suing("OR_16_R2"),
    Case("OR_17_R2", "as it leaves, a Brassbug in each expedition", "dusk", heros("OR_17_R2"),
         then={"A.heros": 1, "A/exp_heros": [BUG], "A/exp_compagnon": [BUG], "A/reserve": ["OR_17_R2"],
               "turn": "night"}),
    *halting("OR_19_R1"),
    *halting("OR_19_R2"),
    *judging("OR_20_R1"),
    *judging("OR_20_R2"),
    Case("OR_21_R1", "characters of the opponent cost 1 more", PLAIN, b={"exp_heros": ["OR_21_R1"]},
         then={"A/mana": 6, "A/spent": 3}),
    Case("OR_21_R1", "so do Permanents", LANDMARK, b={"exp_heros": ["OR_21_R1"]}, then={"A/mana": 5, "A/spent": 4}),
    Case("OR_21_R1", "so do spells", SPELL, b={"exp_heros": ["OR_21_R1"]}, chance=UP,
         then={"A/mana": 7, "A/spent": 2, "A/reserve": [SMALL, SPELL], "A/deck": 19}),
    Case("OR_21_R1", "its own player's cost what they cost", PLAIN, {"exp_compagnon": ["OR_21_R1"]}),
    Case("OR_21_R1", "since its erratum, they cost at least 2", SPELL, b={"exp_heros": ["OR_21_R1"]}, chance=UP,
         then={"A/mana": 7, "A/spent": 2, "A/reserve": [SMALL, SPELL], "A/deck": 19}, changed=True),
    Case("OR_21_R1", "and one of cost 3 costs no more", LANDMARK, b={"exp_heros": ["OR_21_R1"]}, changed=True),
    Case("OR_21_R2", "characters of the opponent cost 1 more", PLAIN, b={"exp_heros": ["OR_21_R2"]},
         then={"A/mana": 6, "A/spent": 3}),
    Case("OR_21_R2", "Permanents do not", LANDMARK, b={"exp_heros": ["OR_21_R2"]}),
    Case("OR_21_R2", "its own player's characters cost what they cost", PLAIN, {"exp_compagnon": ["OR_21_R2"]}),
    Case("OR_21_R2", "as a support, the next card costs 1 less", "support", {"hand": [LANDMARK]}, say=("play",),
         then={**NEXT, "A/mana": 7, "A/spent": 2, "A/landmarks": [LANDMARK]}),
    Case("OR_21_R2", "since its erratum, characters cost at least 2", SMALL, b={"exp_heros": ["OR_21_R2"]},
         then={"A/mana": 7, "A/spent": 2}, changed=True),
    Case("OR_23_R1", "all characters of the player are boosted", "hand", {**heros(SMALL), **MINE}, {"exp_heros": [BIG]},
         then={"A/exp_heros": [f"{SMALL} boost"], "A/exp_compagnon": [f"{PLAIN} boost"], "A/reserve": ["OR_23_R1"]}),
    Case("OR_23_R2", "all characters of the player are boosted", "hand", {**heros(SMALL), **MINE}, {"exp_heros": [BIG]},
         then={"A/exp_heros": [f"{SMALL} boost"], "A/exp_compagnon": [f"{PLAIN} boost"], "A/reserve": ["OR_23_R2"]}),
    Case("OR_24_R2", "with two characters, it sends one of cost 2 to its Reserve, none of cost 3", "hand",
         {"exp_compagnon": [BIG, BIG]}, {"exp_heros": [PLAIN, OF_3, BIG]},
         then={"B/exp_heros": [OF_3, BIG], "B/reserve": [PLAIN], "A/discard": ["OR_24_R2"]}),
    *sealing("OR_25_R1", "reserve"),
    *sealing("OR_25_R2", "discard"),
    Case("OR_26_R2", "a Brassbug in each expedition", "hand",
         then={"A/exp_heros": [BUG], "A/exp_compagnon": [BUG], "A/reserve": ["OR_26_R2"]}),
    *celebrating("OR_27_R1"),
    *celebrating("OR_27_R2"),
    *boosting("OR_28_R1"),
    *boosting("OR_28_R2"),
    *striving("OR_29_R1"),
    Case("OR_29_R1", "the opponent pays 2 more to target it", "YZ_24_C", {"mana": 6}, {"landmarks": ["OR_29_R1"]},
         then={"A/mana": 0, "A/spent": 6, "B/landmarks": [], "B/discard": ["OR_29_R1"]}),
    Case("OR_29_R1", "so it is no target without those orbs", "YZ_24_C", {"mana": 5},
         {"landmarks": ["OR_29_R1"], "exp_heros": [PLAIN]}, then={"B/exp_heros": [], "B/discard": [PLAIN]}),
    *striving("OR_29_R2"),
    Case("OR_29_R2", "the opponent pays nothing more to target it", "YZ_24_C", {"mana": 4},
         {"landmarks": ["OR_29_R2"]}, then={"B/landmarks": [], "B/discard": ["OR_29_R2"]}),
    Case("OR_30_R1", "at noon a Recruit comes in each expedition", "noon", {"landmarks": ["OR_30_R1"]}, then=EACH),
    Case("OR_30_R2", "at noon a Recruit comes with the companion", "noon", {"landmarks": ["OR_30_R2"]},
         then=made(RECRUIT, "compagnon")),
)  # fmt: skip
