"""What the rare cards of Yzmir do, and those of other factions that are versions of a card of Yzmir."""

from __future__ import annotations

from tests.engine.altered.encoded import (
    BIG,
    BUG,
    KEPT,
    LANDMARK,
    MINE,
    OTHER,
    PLAIN,
    RECRUIT,
    SMALL,
    SPELL,
    TARGET,
    UP,
    Case,
    drawn,
    heros,
)

SACRIFICE = "YZ_20_C"  # a spell of cost 2 that sacrifices a character to draw two cards
ROBOT = "AX_30_C"  # a Permanent that makes a Brassbug
OF_3, OF_4, OF_5 = "MU_12_C", "MU_17_C", "YZ_16_C"  # characters of cost 3, 4 and 5
ORB = "BR_27_C"  # a spell of cost 2 that makes the top card of the deck an orb
NEXT = {"A/hand": 0, "turn": [3, "B", "apres-midi"]}  # the card of the hand has been played after a support


def cheaper(ref: str) -> tuple[Case, Case]:
    """Return the cases of a support that makes the next spell cheaper."""
    return (
        Case(ref, "as a support, the next spell costs 1 less", "support", {"hand": [ORB]}, say=("play",),
             then={**NEXT, "A/mana": 8, "A/spent": 2, "A/deck": 19, "A/discard": [ref, ORB]}),
        Case(ref, "a character does not, nor does a spell of a later turn", "support", {"hand": [PLAIN, ORB]},
             say=("play", "pass B", f"play {ORB}"),
             then={"A/hand": 0, "A/mana": 5, "A/spent": 5, "A/exp_heros": [PLAIN], "A/deck": 19,
                   "A/discard": [ref, ORB]}),
    )  # fmt: skip


def studying(ref: str) -> tuple[Case, ...]:
    """Return the cases of a character that makes the next spell cheaper, and as a support too."""
    spell = {"A/hand": 0, "A/deck": 19, "A/discard": [ORB], "turn": [3, "A", "apres-midi"]}
    return (
        Case(ref, "from the Reserve, the next spell of the afternoon costs 1 less", "reserve", {"hand": [ORB]},
             say=("pass B", "play"), then={**spell, "A/mana": 7, "A/spent": 3}),
        Case(ref, "a character does not then", "reserve", {"hand": [PLAIN]}, say=("pass B", "play"),
             then={"A/hand": 0, "A/mana": 6, "A/spent": 3, "A/exp_heros": [f"{ref} fugace", PLAIN],
                   "turn": [3, "A", "apres-midi"]}),
        Case(ref, "from hand, it makes none cheaper", "hand", {"hand": [ref, ORB]}, say=("pass B", f"play {ORB}"),
             then={**spell, "A/mana": 6, "A/spent": 4}),
        *cheaper(ref),
    )  # fmt: skip


def sabotaging(ref: str) -> tuple[Case, Case, Case]:
    """Return the cases of a character that sabotages from hand."""
    theirs = {"reserve": [PLAIN]}
    return (
        Case(ref, "from hand, it discards from a Reserve", "hand", b=theirs, say=("B/reserve/1",),
             then={"B/reserve": [], "B/discard": [PLAIN]}),
        Case(ref, "it may be a card of its player", "hand", {"reserve": [SMALL]}, theirs, say=("A/reserve/1",),
             then={"A/reserve": [], "A/discard": [SMALL]}),
        Case(ref, "from the Reserve, it does not", "reserve", b=theirs),
    )  # fmt: skip


def spying(ref: str, zone: str) -> Case:
    """Return the case of a spell that sabotages and resupplies; `zone` is where the spell goes."""
    kept = {"reserve": {"A/reserve": [SMALL, ref]}, "discard": {"A/reserve": [SMALL], "A/discard": [ref]}}[zone]
    return Case(ref, "it discards from a Reserve and resupplies", "hand", b={"reserve": [PLAIN]},
                say=("B/reserve/1",), chance=UP, late=True,
                then={"B/reserve": [], "B/discard": [PLAIN], "A/deck": 19, **kept})  # fmt: skip


def drawing(ref: str, count: int, zone: str = "reserve") -> Case:
    """Return the case of a spell that draws so many cards; `zone` is where the spell goes."""
    return Case(ref, f"it draws {count}", "hand", then={f"A/{zone}": [ref], **drawn(count)})


def banishing(ref: str, zone: str) -> tuple[Case, Case]:
    """Return the cases of a spell that discards a card in play; `zone` is where the spell goes."""
    return (
        Case(ref, "it discards a character", "hand", MINE, {"exp_heros": [BIG]}, say=(OTHER,),
             then={"B/exp_heros": [], "B/discard": [BIG], f"A/{zone}": [ref]}),
        Case(ref, "or a Permanent", "hand", b={"landmarks": [LANDMARK]},
             then={"B/landmarks": [], "B/discard": [LANDMARK], f"A/{zone}": [ref]}),
    )  # fmt: skip


def sacrificing(ref: str, count: int) -> tuple[Case, Case]:
    """Return the cases of a spell that sacrifices a character to draw so many cards."""
    return (
        Case(ref, f"a sacrifice draws {count}", "hand", MINE, {"exp_heros": [BIG]},
             then={"A/exp_compagnon": [], "A/discard": [PLAIN, ref], **drawn(count)}),
        Case(ref, "without a sacrifice it draws nothing", "hand", then={"A/discard": [ref]}),
    )  # fmt: skip


def raging(ref: str) -> tuple[Case, Case]:
    """Return the cases of a spell that sends up to four targets, of cost 6 or less together, to their Reserve."""
    return (
        Case(ref, "four targets go to their Reserve, not five", "hand", {"exp_compagnon": [SMALL]},
             {"exp_heros": [SMALL] * 4}, say=(TARGET, "B/exp_heros/1", "B/exp_heros/2", "B/exp_heros/3"),
             then={"A/exp_compagnon": [], "A/reserve": [SMALL], "A/discard": [ref],
                   "B/exp_heros": [SMALL], "B/reserve": [SMALL] * 3}),
        Case(ref, "one of cost 6 goes alone", "hand", b={"exp_heros": [BIG, SMALL]}, say=(OTHER,),
             then={"A/discard": [ref], "B/exp_heros": [SMALL], "B/reserve": [BIG]}),
    )  # fmt: skip


def blasting(ref: str) -> tuple[Case, Case]:
    """Return the cases of a spell that discards up to two cards in play and draws."""
    return (
        Case(ref, "up to two targets are discarded and it draws", "hand",
             {"landmarks": [LANDMARK]}, {"exp_heros": [BIG, PLAIN]}, say=(OTHER, "A/landmarks/1"),
             then={"A/landmarks": [], "A/discard": [LANDMARK, ref], "B/exp_heros": [PLAIN], "B/discard": [BIG],
                   **drawn(1)}),
        Case(ref, "without targets it draws too", "hand", then={"A/discard": [ref], **drawn(1)}),
    )  # fmt: skip


def hut(ref: str) -> tuple[Case, Case, Case]:
    """Return the cases of a Permanent that draws, and that lets the other player play for a sacrifice."""
    return (
        Case(ref, "it draws as it comes", "hand", then=drawn(1)),
        Case(ref, "from the Reserve too", "reserve", then=drawn(1, 5)),
        Case(ref, "a sacrifice lets the other player play", "quick", {"landmarks": [ref], **MINE},
             {"exp_heros": [BIG]}, at="landmarks",
             then={"A/landmarks": [f"{ref} epuise"], "A/exp_compagnon": [], "A/discard": [PLAIN],
                   "turn": [3, "B", "apres-midi"]}),
    )  # fmt: skip


def shard(ref: str) -> tuple[Case, Case, Case]:
    """Return the cases of a Permanent that draws as it comes and at noon."""
    return (
        Case(ref, "it draws as it comes", "hand", then=drawn(1)),
        Case(ref, "from the Reserve too", "reserve", then=drawn(1, 5)),
        Case(ref, "at noon it draws", "noon", {"landmarks": [ref]}, then=drawn(1, 5)),
    )


CASES: tuple[Case, ...] = (
    *studying("YZ_04_R1"),
    *studying("YZ_04_R2"),
    Case("YZ_05_R1", "sacrificed, it goes to the Reserve", SACRIFICE,
         {"exp_compagnon": ["YZ_05_R1"], **heros(f"{PLAIN} fugace")}, say=(TARGET,),
         then={"A/exp_compagnon": [], "A/reserve": ["YZ_05_R1"], **drawn(2)}),
    Case("YZ_05_R1", "if it is Fleeting, it draws instead", SACRIFICE, {"exp_compagnon": ["YZ_05_R1 fugace"]},
         then={"A/exp_compagnon": [], "A/discard": ["YZ_05_R1", SACRIFICE], **drawn(3)}),
    Case("YZ_05_R2", "sacrificed for a Robot that joins, it gives it two boosts and goes to the Reserve", ROBOT,
         {"exp_compagnon": ["YZ_05_R2", f"{PLAIN} fugace"]}, say=("A/exp_heros", "yes"),
         then={"A/exp_heros": [f"{BUG} boost:2"], "A/exp_compagnon": [f"{PLAIN} fugace"], "A/reserve": ["YZ_05_R2"]}),
    Case("YZ_05_R2", "its player may keep it", ROBOT, {"exp_compagnon": ["YZ_05_R2"]}, say=("A/exp_heros", "-"),
         then={"A/exp_heros": [BUG]}),
    Case("YZ_05_R2", "if it is Fleeting, it is discarded", ROBOT, {"exp_compagnon": ["YZ_05_R2 fugace"]},
         say=("A/exp_heros", "yes"),
         then={"A/exp_heros": [f"{BUG} boost:2"], "A/exp_compagnon": [], "A/discard": ["YZ_05_R2"]}),
    Case("YZ_05_R2", "another character sets nothing off", PLAIN, {"exp_compagnon": ["YZ_05_R2"]}),
    Case("YZ_06_R1", "from the Reserve, it does not", "reserve", b={"reserve": [PLAIN]}),
    *sabotaging("YZ_06_R2"),
    Case("YZ_07_R1", "a spell boosts it", SPELL, {"exp_compagnon": ["YZ_07_R1", PLAIN]}, chance=UP,
         then={"A/exp_compagnon": ["YZ_07_R1 boost", PLAIN], "A/reserve": [SMALL, SPELL], "A/deck": 19}),
    Case("YZ_07_R1", "a character does not", PLAIN, {"exp_compagnon": ["YZ_07_R1"]}),
    Case("YZ_07_R1", "at dusk with three boosts, it draws", "dusk", heros("YZ_07_R1 boost:3"),
         then={"A.heros": 1, "A/exp_heros": [], "A/reserve": ["YZ_07_R1"], **drawn(1, 5), "turn": "night"}),
    Case("YZ_07_R1", "with two it does not", "dusk", heros("YZ_07_R1 boost:2", f"{PLAIN} boost:3"),
         then={"A.heros": 1, "A/exp_heros": [], "A/reserve": ["YZ_07_R1", PLAIN], "turn": "night"}),
    Case("YZ_08_R1", "sacrificed, it may give a target two boosts", SACRIFICE, {"exp_compagnon": ["YZ_08_R1"]},
         {"exp_heros": [BIG]}, say=("yes",),
         then={"A/exp_compagnon": [], "A/discard": ["YZ_08_R1", SACRIFICE], "B/exp_heros": [f"{BIG} boost:2"],
               **drawn(2)}),
    Case("YZ_08_R1", "also one of its player", SACRIFICE, {"exp_compagnon": ["YZ_08_R1"], **heros(PLAIN)},
         {"exp_heros": [BIG]}, say=(TARGET, "A/exp_heros/1", "yes"),
         then={"A/exp_compagnon": [], "A/discard": ["YZ_08_R1", SACRIFICE], "A/exp_heros": [f"{PLAIN} boost:2"],
               **drawn(2)}),
    Case("YZ_08_R1", "or give none", SACRIFICE, {"exp_compagnon": ["YZ_08_R1"]}, {"exp_heros": [BIG]}, say=("-",),
         then={"A/exp_compagnon": [], "A/discard": ["YZ_08_R1", SACRIFICE], **drawn(2)}),
    Case("YZ_08_R2", "it has no effect", "hand"),
    Case("YZ_09_R2", "as a support, the next character loses Fleeting", "support", {"reserve": ["YZ_09_R2", PLAIN]},
         say=("play A/reserve/1",),
         then={"A/reserve": [], "A/mana": 7, "A/spent": 2, "A/exp_heros": [PLAIN], "turn": [3, "B", "apres-midi"]}),
    Case("YZ_09_R2", "not after a Permanent and the turn of it", "support",
         {"reserve": ["YZ_09_R2", PLAIN], "hand": [LANDMARK]}, say=("play", "pass B", "play A/reserve/1"),
         then={"A/reserve": [], "A/hand": 0, "A/mana": 4, "A/spent": 5, "A/landmarks": [LANDMARK],
               "A/exp_heros": [f"{PLAIN} fugace"]}),
    Case("YZ_10_R1", "the opponent discards a card of the hand", "hand", b={"hand": [PLAIN, BIG]}, say=(f"B:{BIG}",),
         then={"B/hand": 1, "B/discard": [BIG]}),
    Case("YZ_10_R1", "from the Reserve too", "reserve", b={"hand": [PLAIN, BIG]}, say=(f"B:{BIG}",),
         then={"B/hand": 1, "B/discard": [BIG]}),
    Case("YZ_10_R2", "from hand, the opponent discards a card of the hand", "hand", b={"hand": [PLAIN, BIG]},
         say=(f"B:{BIG}",), then={"B/hand": 1, "B/discard": [BIG]}),
    Case("YZ_10_R2", "from the Reserve, nobody discards", "reserve"),
    Case("YZ_11_R1", "from the Reserve, it does not", "reserve"),
    Case("YZ_11_R2", "from hand, it draws", "hand", then=drawn(1)),
    Case("YZ_11_R2", "from the Reserve, it does not", "reserve"),
    Case("YZ_12_R1", "from the Reserve, none", "reserve"),
    Case("YZ_12_R2", "from hand, three boosts", "hand", MINE, then={"A/exp_heros": ["YZ_12_R2 boost:3"]}),
    Case("YZ_12_R2", "from the Reserve, none", "reserve"),
    Case("YZ_13_R2", "as a support, it lets the other player play", "support", then={"turn": [3, "B", "apres-midi"]}),
    Case("YZ_14_R1", "from hand, it resupplies and a spell of the Reserve may return", "hand", {"reserve": [SPELL]},
         say=("A/reserve/1",), chance=UP, then={**KEPT, "A/hand": 1}),
    Case("YZ_14_R1", "the spell may be the card of the resupply", "hand", say=("A/reserve/1",),
         chance=({"reveal": [SPELL]},), then={"A/deck": 19, "A/hand": 1}),
    Case("YZ_14_R1", "a character may not", "hand", chance=UP, then=KEPT),
    Case("YZ_14_R1", "from the Reserve, it does neither", "reserve"),
    *cheaper("YZ_14_R1"),
    Case("YZ_14_R2", "from hand, a spell of the Reserve may return", "hand", {"reserve": [SMALL, SPELL]},
         say=("A/reserve/2",), then={"A/reserve": [SMALL], "A/hand": 1}),
    Case("YZ_14_R2", "or stay", "hand", {"reserve": [SMALL, SPELL]}, say=("-",)),
    Case("YZ_14_R2", "a character may not", "hand", {"reserve": [SMALL]}),
    Case("YZ_14_R2", "from the Reserve, none returns", "reserve", {"reserve": ["YZ_14_R2", SPELL]}),
    *cheaper("YZ_14_R2"),
    Case("YZ_15_R1", "it sacrifices a character of any expedition", "hand", MINE, say=(TARGET,),
         then={"A/exp_compagnon": [], "A/discard": [PLAIN]}),
    Case("YZ_15_R1", "from the Reserve too", "reserve", MINE, say=(TARGET,),
         then={"A/exp_compagnon": [], "A/discard": [PLAIN]}),
    Case("YZ_15_R1", "alone, it sacrifices itself", "hand", b={"exp_heros": [BIG]},
         then={"A/exp_heros": [], "A/discard": ["YZ_15_R1"]}),
    Case("YZ_15_R2", "it sacrifices a character of its expedition", "hand", {**heros(RECRUIT), **MINE},
         say=("A/exp_heros/1",), then={"A/exp_heros": ["YZ_15_R2"], "A/exile": [RECRUIT]}),
    Case("YZ_15_R2", "from the Reserve too", "reserve", {**heros(RECRUIT), **MINE}, say=("A/exp_heros/1",),
         then={"A/exp_heros": ["YZ_15_R2 fugace"], "A/exile": [RECRUIT]}),
    Case("YZ_15_R2", "alone there, it sacrifices itself", "hand", MINE, {"exp_heros": [BIG]},
         then={"A/exp_heros": [], "A/discard": ["YZ_15_R2"]}),
    Case("YZ_16_R2", "from hand, it may send a target to its Reserve", "hand", b={"exp_heros": [BIG]},
         say=(OTHER, "yes"), then={"B/exp_heros": [], "B/reserve": [BIG]}),
    Case("YZ_16_R2", "from the Reserve, it does not", "reserve", b={"exp_heros": [BIG]}),
    Case("YZ_18_R1", "from the Reserve, it does not", "reserve", b={"heros": 3}),
    Case("YZ_18_R2", "from hand, the expedition facing it goes back", "hand", b={"heros": 3}, then={"B.heros": 2}),
    Case("YZ_18_R2", "from the Reserve, it does not", "reserve", b={"heros": 3}),
    drawing("YZ_19_R1", 1),
    drawing("YZ_19_R2", 1),
    *sacrificing("YZ_20_R1", 3),
    *sacrificing("YZ_20_R2", 2),
    Case("YZ_21_R1", "it sends a character of cost 5 or less to its Reserve", "hand", b={"exp_heros": [OF_5, BIG]},
         then={"B/exp_heros": [BIG], "B/reserve": [OF_5], "A/reserve": ["YZ_21_R1"]}),
    Case("YZ_21_R2", "it sends a character of cost 3 to its Reserve, none of cost 4", "hand",
         b={"exp_heros": [OF_3, OF_4]},
         then={"B/exp_heros": [OF_4], "B/reserve": [OF_3], "A/reserve": ["YZ_21_R2"]}),
    spying("YZ_22_R1", "reserve"),
    spying("YZ_22_R2", "discard"),
    drawing("YZ_23_R1", 3),
    drawing("YZ_23_R2", 2),
    *banishing("YZ_24_R1", "reserve"),
    *banishing("YZ_24_R2", "discard"),
    Case("YZ_25_R1", "an expedition advances", "hand", say=("A/exp_heros",),
         then={"A.heros": 1, "A/reserve": ["YZ_25_R1"]}),
    Case("YZ_25_R2", "an expedition advances", "hand", say=("A/exp_heros",),
         then={"A.heros": 1, "A/discard": ["YZ_25_R2"]}),
    *raging("YZ_26_R1"),
    *raging("YZ_26_R2"),
    *blasting("YZ_27_R1"),
    *blasting("YZ_27_R2"),
    *hut("YZ_28_R1"),
    *hut("YZ_28_R2"),
    *shard("YZ_29_R1"),
    *shard("YZ_29_R2"),
    Case("YZ_30_R2", "the next spell is free", "quick", {"landmarks": ["YZ_30_R2"], "hand": ["YZ_23_C"]},
         at="landmarks", say=("play",),
         then={"A/landmarks": ["YZ_30_R2 epuise"], "A/reserve": ["YZ_23_C"], **drawn(2),
               "turn": [3, "B", "apres-midi"]}),
    Case("YZ_30_R2", "a character is not, nor is a spell of a later turn", "quick",
         {"landmarks": ["YZ_30_R2"], "hand": [PLAIN, ORB]}, at="landmarks", say=("play", "pass B", f"play {ORB}"),
         then={"A/landmarks": ["YZ_30_R2 epuise"], "A/hand": 0, "A/mana": 5, "A/spent": 5, "A/exp_heros": [PLAIN],
               "A/deck": 19, "A/discard": [ORB]}),
)  # fmt: skip
