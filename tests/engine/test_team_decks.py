"""The limit of copies across a team: the laws of the check, and what each game counts copies by."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards.catalog import Catalog, shipped_catalogs
from engine.core.decks.rules import check_deck, find_format
from engine.core.decks.team_decks import MOST, RULE, Excess, check_team, limits_teams
from engine.core.text.errors import EngineError
from engine.core.text.registry import GAMES, rulebook
from tests.engine.altered import lists
from tests.engine.stellar_nexus import cast as stellar

SAFIR = shipped_catalogs("star-safir")[0]
REFS = [ref for ref, card in SAFIR.cards.items() if card.kind != "commandant"][:6]
MAINS = st.dictionaries(st.sampled_from(REFS), st.integers(1, 4), max_size=6)
TEAMS = st.lists(MAINS, min_size=1, max_size=5).map(lambda mains: dict(zip("ABCDE", mains, strict=False)))
LIMITS = st.integers(1, 6)


def check(mains: dict[str, dict[str, int]], limit: int) -> list[Excess]:
    return check_team("star-safir", {owner: {"main": main} for owner, main in mains.items()}, limit)


def counted(found: list[Excess]) -> list[tuple[object, object]]:
    """Which cards are too many, and how many there are."""
    return [(each.args["ref"], each.args["count"]) for each in found]


@given(TEAMS, LIMITS, st.randoms())
def test_the_order_of_the_decks_never_matters(mains: dict[str, dict[str, int]], limit: int, rng: Any) -> None:
    owners = list(mains)
    rng.shuffle(owners)
    shuffled = {owner: dict(sorted(mains[owner].items(), reverse=True)) for owner in owners}
    assert check(shuffled, limit) == check(mains, limit)


@given(TEAMS, LIMITS, st.data())
def test_handing_cards_to_a_team_mate_never_makes_a_team_legal(
    mains: dict[str, dict[str, int]], limit: int, data: st.DataObject
) -> None:
    before = counted(check(mains, limit))
    giver, taker = (data.draw(st.sampled_from(sorted(mains))) for _ in "ab")
    split = {owner: dict(main) for owner, main in mains.items()}
    for ref, copies in mains[giver].items():
        given_ = data.draw(st.integers(0, copies))
        split[giver][ref] -= given_
        split[taker][ref] = split[taker].get(ref, 0) + given_
    kept = {owner: {ref: count for ref, count in main.items() if count} for owner, main in split.items()}
    assert counted(check(kept, limit)) == before


@given(MAINS)
def test_a_team_of_one_is_limited_as_a_single_deck(main: dict[str, int]) -> None:
    alone = [each for each in check_deck("star-safir", {"main": main}) if each.rule == "SAF-I-3"]
    expected = sorted((each.args["ref"], each.args["count"]) for each in alone)
    assert counted(check({"A": main}, 2)) == expected


@given(TEAMS, LIMITS)
def test_a_team_is_illegal_exactly_if_its_decks_in_one_pile_hold_too_many(
    mains: dict[str, dict[str, int]], limit: int
) -> None:
    pile: dict[str, int] = {}
    for main in mains.values():
        for ref, count in main.items():
            pile[ref] = pile.get(ref, 0) + count
    assert counted(check(mains, limit)) == [(ref, count) for ref, count in sorted(pile.items()) if count > limit]


@given(TEAMS, LIMITS)
def test_each_excess_says_whose_decks_hold_the_card_and_how_many_to_take_out(
    mains: dict[str, dict[str, int]], limit: int
) -> None:
    for each in check(mains, limit):
        ref, count, over = each.args["ref"], each.args["count"], each.args["over"]
        assert each.holders == {owner: main[str(ref)] for owner, main in sorted(mains.items()) if ref in main}
        assert sum(each.holders.values()) == count == limit + int(over)


def test_the_fault_names_the_card_the_number_the_limit_and_the_decks_in_three_languages() -> None:
    (found,) = check({"Ann": {REFS[0]: 3}, "Bob": {REFS[0]: 2}, "Cy": {REFS[1]: 4}}, 4)
    assert found.rule == RULE
    card, book = SAFIR[REFS[0]].name, rulebook("star-safir")
    for language in ("en", "fr", "it"):
        said = book.message(found, language)
        assert all(words in said for words in (card, "5 (Ann: 3, Bob: 2)", "4", "1."))
        assert "Cy" not in said


def too_many(game: str, catalog: Catalog, *mains: dict[str, int], fmt: str | None = None, limit: int = 2) -> list[str]:
    decks = {str(number): {"main": main} for number, main in enumerate(mains)}
    return [str(each.args["ref"]) for each in check_team(game, decks, limit, fmt, catalog=catalog)]


def test_plain_resources_of_stellar_nexus_are_free_and_those_with_an_effect_are_not() -> None:
    catalog = stellar.catalog()
    deck = {"R-K": 9, "RP-K": 1, "C-1-1-1": 1}
    assert too_many("stellar-nexus", catalog, deck, deck, deck) == ["C-1-1-1", "RP-K"]


def test_altered_and_wakfu_count_by_name_whatever_the_printing() -> None:
    assert too_many("altered", lists.catalog(), {"C-OR-1": 2}, {"R-OR-1": 1}, {"C2-OR-1": 1}) == ["C-OR-1"]
    assert too_many("altered", lists.catalog(), {"C-OR-1": 2}, {"R-OR-2": 1}) == []
    catalog = shipped_catalogs("wakfu")[0]
    ref = min(catalog.cards)
    assert too_many("wakfu", catalog, {ref: 2}, {ref: 1}, fmt="wakfu-2011") == [ref]


def test_an_unknown_card_counts_as_a_card_of_its_own() -> None:
    assert counted(check({"A": {"NOBODY": 2}, "B": {"NOBODY": 1}}, 2)) == [("NOBODY", 3)]


def test_formats_with_fixed_or_opened_cards_have_no_team_limit() -> None:
    free = {form for game in GAMES for form in _formats(game) if not limits_teams(*form)}
    assert {form for _game, form in free} == {"seiya-base", "altered-sealed", "altered-draft"}
    for game, form in free:
        with pytest.raises(EngineError) as refused:
            check_team(game, {}, 2, form)
        assert refused.value.code == "no_team_limit"


def _formats(game: str) -> list[tuple[str, str]]:
    first = find_format(game)
    ids = {"altered": ("altered-standard", "altered-no-unique", "altered-sealed", "altered-draft")}
    return [(game, form) for form in ids.get(game, (first.id,))]


@pytest.mark.parametrize("limit", [0, -1, MOST + 1])
def test_a_limit_out_of_bounds_is_refused(limit: int) -> None:
    with pytest.raises(EngineError) as refused:
        check({"A": {}}, limit)
    assert refused.value.code == "bad_team_limit"
