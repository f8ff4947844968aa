"""The cards of the first set do what is printed on them, and all of those that are encoded are tested."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.core.cards.card import Card
from engine.core.cards.catalog import Cards, Catalog
from engine.core.replay.position import read_position
from engine.core.replay.replay import perform
from engine.core.replay.selfplay import play
from engine.core.replay.unknown import consider
from engine.core.report.audit import audit
from engine.core.table import log
from engine.core.table.context import Context
from engine.core.table.header import load_game
from engine.core.table.state import State
from engine.games.altered import editions, encodings
from engine.games.altered.cardlist import read_altered
from tests.engine.altered import real
from tests.engine.altered.cast import NOTES, side
from tests.engine.altered.encoded import CASES, Case
from tests.engine.altered.encoded_rares import RARES as STARTERS
from tests.engine.altered.rares import ax, br, ly, mu, or_, yz
from tests.engine.altered.rares.printed import STATISTICS
from tests.engine.scenario import facts

RARES = (*STARTERS, *ax.CASES, *br.CASES, *ly.CASES, *mu.CASES, *or_.CASES, *yz.CASES)
ALL = (*CASES, *RARES)
PREFIX, PRINTED, NEWEST = "ALT_CORE_B_", "2024-10-01", ""  # PRINTED: a day before all errata
SHORT = re.compile(r"\b(?:AX|BR|LY|MU|OR|YZ)_\d\d_(?:C|R1|R2)\b")
NO_TOKENS = {"AX_31_C", "BR_31_C", "OR_31_C", "OR_32_C"}  # tokens only ever come from other cards

# What is answered where the rules of 2025 have other choices made: a mode is chosen although only one has a target, an
# optional step before its target, and a Tough card that is the only target can be declined.
OTHER = "B/exp_heros/1"
SAID_LATER = {
    ("OR_25_C", "it sends a character of cost 6 to its Reserve"): ("1",),
    ("OR_25_C", "or it discards a Permanent of cost 4"): ("2",),
    ("AX_23_C", "it sends a character of cost 2 to its Reserve"): ("1",),
    ("AX_23_C", "or it discards a Permanent of cost 3"): ("2",),
    ("LY_24_C", "it discards an anchored character, and no other"): ("1",),
    ("LY_24_C", "or it discards a Permanent"): ("2",),
    ("YZ_16_C", "from hand, it may send a target to its Reserve"): ("yes", OTHER),
    ("YZ_16_R1", "it may send a target to its Reserve"): ("yes", OTHER),
    ("YZ_16_R1", "from the Reserve too"): ("yes", OTHER),
    ("YZ_08_R1", "also one of its player"): ("A/exp_compagnon/1", "yes", "A/exp_heros/1"),
    ("YZ_16_R2", "from hand, it may send a target to its Reserve"): ("yes", OTHER),
    ("BR_21_C", "its price is added"): (OTHER,),
    ("AX_23_R1", "it discards a Permanent of cost 4, and one Landmark makes no Brassbug"): ("2", "B/landmarks/1"),
    ("AX_23_R2", "it sends a character of cost 4 to its Reserve"): ("1",),
    ("AX_23_R2", "or it discards a Permanent of cost 4"): ("2",),
    ("BR_21_R1", "a spell of the opponent that targets it costs 2 more"): (OTHER,),
    ("BR_21_R2", "a spell of the opponent that targets it costs 1 more"): (OTHER,),
    ("BR_22_R1", "a spell of the opponent that targets it costs 1 more"): (OTHER,),
    ("LY_24_R2", "it discards a Fleeting character, and no other"): ("1",),
    ("LY_24_R2", "or it discards a Permanent"): ("2",),
    ("MU_21_R1", "the opponent pays 1 more to target it"): (OTHER,),
    ("OR_25_R1", "it sends a character of cost 4 or more to its Reserve"): ("1",),
    ("OR_25_R1", "or it discards a Permanent of cost 4 or more"): ("2",),
    ("OR_25_R2", "it sends a character of cost 4 or more to its Reserve"): ("1",),
    ("OR_25_R2", "or it discards a Permanent of cost 4 or more"): ("2",),
    ("OR_29_R1", "the opponent pays 2 more to target it"): ("B/landmarks/1",),
}

pytestmark = pytest.mark.skipif(not real.DATA.exists(), reason=real.ABSENT)


@cache
def catalog(day: str = PRINTED) -> Catalog:
    """The first set, with the texts of a day: by default those that were printed."""
    cards = [card for card in json.loads(real.DATA.joinpath("cards.json").read_bytes()) if card["set"] == "CORE"]
    found = read_altered(json.dumps(cards).encode(), "altered-core", day=day).catalog
    assert found is not None
    return found


def full(value: Any) -> Any:
    """Return a value with every ref in full."""
    if isinstance(value, str):
        return SHORT.sub(lambda match: PREFIX + match[0], value)
    if isinstance(value, dict):
        return {key: full(item) for key, item in value.items()}
    return [full(item) for item in value] if isinstance(value, list | tuple) else value


def start(case: Case, ruleset: str = editions.OF_2024) -> tuple[State, str]:
    """Return the position of a case, and the card that is played or used as an entry names it."""
    mine, pick = {"hero": None, "mana": 9, **case.a}, case.ref
    if case.how == "hand":
        mine.setdefault("hand", [case.ref])
    elif case.how in ("reserve", "support"):
        mine.setdefault("reserve", [f"{case.ref} {case.at}" if ":" in case.at else case.ref])
        pick = "A/reserve/1"
    elif case.how == "quick":
        pick = "A/hero" if case.at == "hero" else f"A/{case.at}/1"
    elif case.how not in ("noon", "dusk"):
        pick = case.how
        if "/" not in pick:
            mine.setdefault("hand", [pick])
    seats = {"A": side(full(mine)), "B": side(full({"hero": None, **case.b}))}
    phase = "matin" if case.how == "noon" else "apres-midi"
    memory: dict[str, list[str]] = {note: [] for note in NOTES}
    if case.how == "noon":
        memory["expanded"] = [case.first]
    tumults = [{"ref": f"ALT_TUMULTE_{n}", "marks": {}} for n in (1, 2, 3)]
    document = {
        "format": 1, "game": "altered", "ruleset": ruleset, "catalog": {"id": catalog().id},
        "start": {
            "kind": "position", "turn": {"n": 3, "seat": "A", "phase": phase, "first": case.first},
            "state": {"seats": seats, "common": {"limbo": [], "tumultes": tumults}},
            "memory": memory,
        },
    }  # fmt: skip
    return read_position(document, [catalog(NEWEST if case.changed else PRINTED)])[1], full(pick)


def entries(case: Case, state: State, pick: str) -> Iterator[dict[str, Any]]:
    """Yield the entries of a case: what happens, then what is answered."""
    chance = full(list(case.chance))
    given = 1 if case.early else len(case.say) if case.late else 0  # the answer that the chance comes with
    first = [] if given else chance
    if case.how == "noon":
        last = "B" if case.first == "A" else "A"
        yield {"by": last, "do": "expand", "args": {"card": None}, "chance": [{"draw": ["?", "?"]}, *first]}
    elif case.how == "dusk":
        yield from ({"by": seat, "do": "pass"} for seat in "AB")
    elif case.how in ("quick", "support"):
        yield {"by": "A", "do": "quick", "args": {"card": pick}, "chance": first}
    else:
        yield _played(state, pick, first)
    for n, word in enumerate(full(case.say), 1):
        if word.startswith("play"):
            yield _played(state, word.removeprefix("play").strip() or full(case.a["hand"][0]), [])
        elif word in ("pass A", "pass B"):
            yield {"by": word[-1], "do": "pass"}
        else:
            yield _said(word, chance if n == given else [])


def _played(state: State, pick: str, chance: list[Any]) -> dict[str, Any]:
    ref = state.refs[state.zones["A/reserve"][int(pick[-1]) - 1]] if "/" in pick else pick
    kind = catalog().cards[str(ref)].kind
    where = {"expedition": "heros"} if kind == "personnage" else {}
    return {"by": "A", "do": "play", "args": {"card": pick, **where}, "chance": chance}


def _said(word: str, chance: list[Any]) -> dict[str, Any]:
    by, word = ("B", word[2:]) if word.startswith("B:") else ("A", word)
    if word.startswith("!"):
        return {"by": by, "do": "react", "args": {"pick": word[1:]}, "chance": chance}
    return {"by": by, "do": "answer", "args": {"pick": None if word == "-" else word}, "chance": chance}


def plain(case: Case, state: State, pick: str) -> dict[str, Any]:
    """Return what playing a card without effect changes: its place, the orbs it costs, and the turn."""
    if case.how == "noon":
        last = "B" if case.first == "A" else "A"
        size = len(state.zones[f"{last}/hand"])
        return {"turn": [3, case.first, "apres-midi"], f"{last}/hand": size + 2, f"{last}/deck": 18}
    if case.how == "support":
        rest = [facts(state)["A/reserve"][n] for n in range(1, len(state.zones["A/reserve"]))]
        return {"A/reserve": rest, "A/discard": [full(case.ref)]}
    if case.how in ("quick", "dusk"):
        return {}
    stored = "/" in pick
    ref = str(state.refs[state.zones["A/reserve"][int(pick[-1]) - 1]]) if stored else pick
    card = catalog().cards[ref]
    cost = card.figures["reserve" if stored else "main"]
    found: dict[str, Any] = {
        "turn": [3, "B", "apres-midi"],
        "A/mana": len(state.zones["A/mana"]) - cost,
        "A/spent": cost,
    }
    found |= {"A/reserve": facts(state)["A/reserve"][1:]} if stored else {"A/hand": len(state.zones["A/hand"]) - 1}
    if card.kind == "sort":
        gone = any(word["kw"] == "Fugace" for word in card.keywords) or stored
        return {**found, ("A/discard" if gone else "A/reserve"): [ref]}
    if card.kind == "permanent":
        return {**found, "A/landmarks": [*facts(state)["A/landmarks"], ref]}
    return {**found, "A/exp_heros": [*facts(state)["A/exp_heros"], f"{ref} fugace" if stored else ref]}


@pytest.mark.parametrize("ruleset", editions.EDITIONS)
@pytest.mark.parametrize("case", ALL, ids=[f"{case.ref}: {case.proves}" for case in ALL])
def test_a_card_does_what_is_printed_on_it(case: Case, ruleset: str) -> None:
    if ruleset == editions.OF_2025:
        case = replace(case, say=SAID_LATER.get((case.ref, case.proves), case.say))
    state, pick = start(case, ruleset)
    before, context, game = facts(state), Context(state), load_game("altered")
    expected = {**plain(case, state, pick), **full(case.then)}
    for n, raw in enumerate(entries(case, state, pick), 1):
        entry = log.parse_entry({"n": n, **{key: value for key, value in raw.items() if value != []}}, n)
        verb = game.verbs()[entry.do]
        move = verb.parse(state, entry)
        assert verb.check(state, move) == [], raw
        perform(game, context, verb, move)
    after = facts(state)
    if expected.get("turn") == "night":
        assert not state.agenda
        expected["turn"] = after["turn"]  # the night is over, or waits for what is too many
    assert not state.agenda, state.agenda[-1].get("ask")
    assert context.doubts == []
    assert {path: value for path, value in after.items() if value != before[path]} == {
        path: value for path, value in expected.items() if value != before[path]
    }


@pytest.mark.parametrize("ruleset", editions.EDITIONS)
@pytest.mark.slow
def test_random_games_of_exact_cards_alone_are_confirmed(ruleset: str) -> None:
    used: set[str] = set()
    for seed in range(12):
        document = play("altered", seed, catalog=exact(), ruleset=ruleset)
        report = audit(document, catalogs=[exact()])
        assert (report.verdict, report.subject_to) == ("confirmed", ()), seed
        used |= {ref for seat in document["seats"].values() for ref in seat["deck"]["main"]}
    assert len(used) > 150


def exact() -> Catalog:
    """The cards of the first set that the engine executes."""
    cards = {ref: card for ref, card in catalog().cards.items() if card.executable}
    return replace(catalog(), cards=Cards(cards))


def test_an_expedition_that_a_gigantic_character_shares_is_left_to_a_ruling() -> None:
    case = Case("YZ_15_C", "", "hand", {"exp_compagnon": ["BR_20_C"]})
    state, pick = start(case)
    context, game = Context(state), load_game("altered")
    (raw,) = entries(case, state, pick)
    entry = log.parse_entry({"n": 1, **raw, "chance": []}, 1)
    perform(game, context, game.verbs()["play"], game.verbs()["play"].parse(state, entry))
    assert set(context.doubts) == {pick}


@pytest.mark.parametrize("ref", ["BR_23_R1", "BR_23_R2"])
def test_a_card_that_asks_for_six_orbs_is_refused_with_five(ref: str) -> None:
    case = Case(ref, "", "hand", {"mana": 5})
    state, pick = start(case)
    (raw,) = entries(case, state, pick)
    verb = load_game("altered").verbs()["play"]
    move = verb.parse(state, log.parse_entry({"n": 1, **raw, "chance": []}, 1))
    assert [violation.rule for violation in verb.check(state, move)] == ["ALT-5.1.1.b"]


def test_who_went_first_is_asked_for_only_if_an_action_depends_on_it() -> None:
    for ref, asked in (("YZ_01_C", ["turn.first"]), ("YZ_02_C", ["turn.first"]), ("AX_03_C", [])):
        state, pick = start(Case(ref, "", "quick", {"hero": ref}, at="hero"))
        state.first, state.unknown = None, ("turn.first",)
        game = load_game("altered")
        verb = game.verbs()["quick"]
        move = verb.parse(state, log.parse_entry({"n": 1, "by": "A", "do": "quick", "args": {"card": pick}}, 1))
        assert [reason.fact for reason in consider(game, state, verb, move, perform).missing] == asked, ref


def test_what_is_answered_differently_by_the_rules_of_2025_belongs_to_a_case() -> None:
    assert SAID_LATER.keys() <= {(case.ref, case.proves) for case in ALL}


def test_every_common_that_is_exact_has_a_case() -> None:
    exact = [ref for ref in encodings.shipped() if ref.endswith("_C") and catalog().cards[ref].executable]
    tested = {full(case.ref) for case in CASES}
    assert [ref for ref in exact if ref not in tested and ref.removeprefix(PREFIX) not in {*NO_TOKENS, "NE_01_C"}] == []


def test_every_rare_that_is_exact_has_a_case() -> None:
    exact = {ref for ref in rares() if catalog().cards[ref].executable}
    assert exact
    assert sorted(exact - {full(case.ref) for case in RARES}) == []


def rares() -> list[str]:
    """Return the refs of the rare cards of the first set."""
    return [ref for ref in encodings.shipped() if not ref.endswith("_C")]


@pytest.mark.parametrize("day", [PRINTED, NEWEST], ids=["printed", "newest"])
@pytest.mark.parametrize("ref", STATISTICS)
def test_a_card_has_its_printed_statistics(ref: str, day: str) -> None:
    assert statistics(catalog(day).cards[full(ref)]) == STATISTICS[ref]


def test_every_rare_that_lost_a_statistic_of_its_common_has_it_checked() -> None:
    listed = real.catalog().cards
    for ref in rares():
        rare, common = statistics(listed[ref]), statistics(listed[re.sub(r"_R\d$", "_C", ref)])
        assert ref.removeprefix(PREFIX) in STATISTICS or all(
            mine or not theirs for mine, theirs in zip(rare, common, strict=True)
        ), ref


def statistics(card: Card) -> tuple[int, ...]:
    """Return the statistics of a card for forest, mountain and water; none for a spell or a Permanent."""
    return tuple(card.figures[key] for key in ("foret", "montagne", "eau") if key in card.figures)


def test_a_case_proves_each_sentence_once() -> None:
    proven = [(case.ref, case.proves) for case in ALL]
    assert [sentence for sentence in proven if proven.count(sentence) > 1] == []
