"""Deck checks: random draws from a stored seed, counts against the list, and time extensions in the same action."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.common import clock
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.events.presets import FREE
from tournaments.events.services import grant_role
from tournaments.judging.checks import (
    check_table,
    differences,
    differs,
    draw_checks,
    finish_check,
    listed_cards,
    minutes_to_offer,
    order_of,
)
from tournaments.judging.models import DeckCheck
from tournaments.play import services as play
from tournaments.play.models import Match, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(cast: Cast) -> Round:
    return a_published_round(a_running_event(cast, players=6), cast.organizer)


@pytest.fixture
def match(cast: Cast, round_: Round) -> Match:
    return match_of(round_, cast.player)


@pytest.fixture
def check(cast: Cast, match: Match) -> DeckCheck:
    return check_table(match=match, by=cast.judge, now=NOW)[0]


def test_a_draw_can_be_repeated_from_its_ledger_entry(cast: Cast, round_: Round) -> None:
    made = draw_checks(round_=round_, tables=2, by=cast.judge, now=NOW)
    told = LedgerEntry.objects.get(code="check.drawn").after
    assert told["from"] == [1, 2, 3] and told["tables"] == order_of(told["seed"], told["from"])[:2]
    assert {check.match.table for check in made} == set(told["tables"]) and len(made) == 4
    assert {check.seed for check in made} == {told["seed"]}
    second = draw_checks(round_=round_, tables=2, by=cast.judge, now=NOW)
    assert {check.match.table for check in second} == {1, 2, 3} - set(told["tables"])
    with assert_refused("no_table_to_check"):
        draw_checks(round_=round_, tables=1, by=cast.judge, now=NOW)


def test_every_table_is_about_equally_likely_to_be_drawn_first() -> None:
    first = [order_of(seed, range(1, 5))[0] for seed in range(400)]
    assert min(first.count(table) for table in range(1, 5)) > 70


def test_tables_that_have_a_result_are_not_drawn(cast: Cast, round_: Round) -> None:
    for table in round_.matches.exclude(table=2):
        play.enter_result(match=table, by=cast.organizer, games=[2, 0, 0], now=NOW)
    assert {check.match.table for check in draw_checks(round_=round_, tables=3, by=cast.judge, now=NOW)} == {2}


@pytest.mark.parametrize("tables", [0, 21])
def test_an_impossible_draw_is_refused(cast: Cast, round_: Round, tables: int) -> None:
    with assert_refused("draw_invalid"):
        draw_checks(round_=round_, tables=tables, by=cast.judge, now=NOW)


def test_confirming_a_deck_as_listed_takes_one_action(cast: Cast, check: DeckCheck) -> None:
    finish_check(check=check, counted={}, by=cast.judge, now=NOW, minutes=4)
    assert not differs(check) and check.counted == listed_cards(check.decklist)
    assert check.match.extensions.get().minutes == 4
    with assert_refused("check_done"):
        finish_check(check=check, counted={}, by=cast.judge, now=NOW, minutes=4)
    assert check.match.extensions.count() == 1


def test_differences_are_shown_card_by_card_and_the_ledger_names_no_card(cast: Cast, check: DeckCheck) -> None:
    card = next(iter(check.decklist.cards["main"]))
    finish_check(check=check, counted={card: 9}, others="2 Fire  Dragon", by=cast.judge, now=NOW)
    (found,) = differences(check)
    assert (found.card, found.counted) == (card, 9) and check.others == "2 Fire Dragon"
    entry = LedgerEntry.objects.get(code="check.done")
    assert entry.after["differs"] is True and "Dragon" not in str(entry.after)


@pytest.mark.parametrize("counted", [{"NO-SUCH-CARD": 1}, {"first": -1}, {"first": 100}])
def test_an_impossible_count_is_refused(cast: Cast, check: DeckCheck, counted: dict[str, int]) -> None:
    first = next(iter(check.decklist.cards["main"]))
    told = {first if card == "first" else card: copies for card, copies in counted.items()}
    with assert_refused("count_invalid"):
        finish_check(check=check, counted=told, by=cast.judge, now=NOW)
    assert DeckCheck.objects.get(pk=check.pk).done_at is None


def test_the_last_check_of_a_table_offers_the_time_it_took(cast: Cast, match: Match) -> None:
    first, second = check_table(match=match, by=cast.judge, now=NOW)
    assert check_table(match=match, by=cast.judge, now=NOW) == [first, second]
    later = NOW + timedelta(minutes=6, seconds=10)
    assert minutes_to_offer(first, later) == 0
    finish_check(check=first, counted={}, by=cast.judge, now=later)
    assert minutes_to_offer(second, later) == 10


def test_a_round_with_a_deck_check_cannot_be_unpublished(cast: Cast, round_: Round, check: DeckCheck) -> None:
    with assert_refused("round_begun"):
        play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)


def test_decks_of_a_game_unknown_to_the_engine_are_checked_by_hand(cast: Cast) -> None:
    round_ = a_published_round(a_running_event(cast, players=2, preset=FREE, game_name="Chess"), cast.organizer)
    check = check_table(match=round_.matches.get(), by=cast.judge, now=NOW)[0]
    page = text(signed_in(cast.judge).get(address("deck_check", check.public_id)))
    assert "Cards that are not on the list" in page
    finish_check(check=check, counted={}, others="a queen", by=cast.judge, now=NOW)
    assert differs(check)


def test_staff_who_play_cannot_check_decks(cast: Cast, round_: Round, match: Match, check: DeckCheck) -> None:
    event = round_.stage.event
    grant_role(event=event, email=cast.opponent.email, role="head_judge", by=cast.organizer, now=NOW)
    for action in (
        lambda: draw_checks(round_=round_, tables=1, by=cast.opponent, now=NOW),
        lambda: check_table(match=match, by=cast.opponent, now=NOW),
        lambda: finish_check(check=check, counted={}, by=cast.opponent, now=NOW),
    ):
        with assert_refused("staff_who_play"):
            action()
    client = signed_in(cast.opponent)
    for page in (address("deck_checks", event.public_id, 1), address("deck_check", check.public_id)):
        assert client.get(page).status_code == 403
        assert signed_in(cast.stranger).get(page).status_code == 404
        assert signed_in(cast.player).get(page).status_code == 404
        assert signed_in(cast.scorekeeper).get(page).status_code == 403


def test_a_judge_draws_a_table_counts_a_deck_and_goes_on_to_a_penalty(cast: Cast, round_: Round) -> None:
    event: Event = round_.stage.event
    client, page = signed_in(cast.judge), address("deck_checks", event.public_id, 1)
    assert address("deck_checks", event.public_id, 1) in text(client.get(address("judge", event.public_id)))
    assert client.post(page, {"tables": "1"}).url == page
    assert client.post(page, {"tables": "x"}).status_code == 422
    assert client.post(page, {"table": "77"}).status_code == 422
    check = DeckCheck.objects.order_by("pk")[0]
    DeckCheck.objects.filter(pk=check.pk).update(opened_at=clock.now())
    own = address("deck_check", check.public_id)
    shown = text(client.get(own))
    card = next(iter(listed_cards(check.decklist)))
    assert card in shown and 'name="card_0"' in shown
    assert client.post(own, {"card_0": "100", "others": "", "minutes": "0"}).status_code == 422
    assert client.post(own, {"card_0": "0", "others": "", "minutes": "5"}).url == own
    done = text(client.get(own))
    assert "The deck differs from the list" in done and "infraction=deck_wrong" in done
    assert client.get(address("penalty_give", check.entrant.public_id) + "?infraction=deck_wrong").status_code == 200
    assert "differs" in text(client.get(page))


def test_the_list_of_checks_takes_as_many_queries_for_three_tables_as_for_one(cast: Cast, round_: Round) -> None:
    client, page = signed_in(cast.judge), address("deck_checks", round_.stage.event.public_id, 1)
    draw_checks(round_=round_, tables=1, by=cast.judge, now=NOW)
    few = queries_of(client, page)
    draw_checks(round_=round_, tables=2, by=cast.judge, now=NOW)
    assert queries_of(client, page) == few
