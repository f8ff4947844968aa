"""A report sent from the open seat page is answered with what it changes there, in the same response."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.builders import a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tests.web.test_reported_seats import page_of, put
from tournaments.accounts.models import User
from tournaments.play import services as play
from tournaments.play.models import Match, Report, Round
from tournaments.web.live.positions import positions

pytestmark = pytest.mark.django_db
SCORE = {"games": "2-1-0"}
# Queries, with those that open and end transactions and that notify. In a hall's worst minutes, what a request costs
# grows with them: more need a reason.
REPORT, CONFIRMATION, PAGE = 38, 46, 17


@pytest.fixture
def round_(cast: Cast) -> Round:
    return a_published_round(a_running_event(cast), cast.organizer)


def posted(client: Client, match: Match, shown: str, form: dict[str, str] = SCORE, name: str = "report") -> Any:
    return client.post(address(name, match.public_id), form, headers={"X-Shown-Page": shown})


def seat_page(round_: Round) -> str:
    return address("me", round_.stage.event.public_id)


def opponent_at(match: Match, player: User) -> User:
    seat = match.seats.exclude(entrant__member__person__account=player).get()
    account = seat.entrant.member_set.get().person.account
    assert account
    return account


def fragment(client: Client, page: str) -> str:
    return client.get(page, headers={"HX-Request": "true"}).content.decode()


def test_with_the_answer_the_page_shows_what_a_fresh_one_does(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    shown = page_of(fragment(client, page))
    answer = posted(client, match, page)
    assert (answer.status_code, answer["X-Account"]) == (200, cast.player.public_id)
    assert "You reported" in answer.json()["parts"]["report-box"]
    assert put(shown, answer.json()["parts"]) == page_of(fragment(client, page))
    assert "no-store" in answer["Cache-Control"]


def test_it_says_up_to_which_change_it_is_true(cast: Cast, round_: Round) -> None:
    event = round_.stage.event.public_id
    before = positions([event])[event].number
    answer = posted(signed_in(cast.player), match_of(round_, cast.player), seat_page(round_))
    assert answer.json()["revision"] == before + 1, "the report itself is the one entry since"


def test_confirming_is_answered_in_place_too(cast: Cast, round_: Round) -> None:
    match, page = match_of(round_, cast.player), seat_page(round_)
    posted(signed_in(cast.player), match, page)
    client = signed_in(opponent_at(match, cast.player))
    shown = page_of(fragment(client, page))
    answer = posted(client, match, page, {"report": str(Report.objects.get().pk)}, "confirm")
    assert "You both agree: the result counts." in answer.json()["parts"]["report-box"]
    assert put(shown, answer.json()["parts"]) == page_of(fragment(client, page))


def test_contesting_changes_more_and_leads_to_the_page(cast: Cast, round_: Round) -> None:
    match, page = match_of(round_, cast.player), seat_page(round_)
    posted(signed_in(cast.player), match, page)
    report = {"report": str(Report.objects.get().pk), "reason": "not so"}
    answer = posted(signed_in(opponent_at(match, cast.player)), match, page, report, "contest")
    assert answer.status_code == 302 and answer["Location"] == page


@pytest.mark.parametrize(
    "shown", ["", "/", "https://example.com/", "//example.com", "/e/other/me/", "\\", "/admin/?x=1", "/e/%00/me/"]
)
def test_from_any_other_page_it_leads_to_the_seat(cast: Cast, round_: Round, shown: str) -> None:
    answer = posted(signed_in(cast.player), match_of(round_, cast.player), shown)
    assert answer.status_code == 302 and answer["Location"] == seat_page(round_)
    assert "X-Account" not in answer


def test_in_a_bracket_a_report_leads_to_the_page(cast: Cast, round_: Round) -> None:
    round_.stage.kind = "single_elimination"
    round_.stage.save()
    answer = posted(signed_in(cast.player), match_of(round_, cast.player), seat_page(round_))
    assert answer.status_code == 302 and Report.objects.exists()


def test_a_form_sent_twice_leads_to_the_page_because_there_is_something_to_say(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    form = {**SCORE, "form_token": "0123456789abcdef"}
    assert posted(client, match, page, form).status_code == 200
    again = posted(client, match, page, form)
    assert again.status_code == 302 and Report.objects.count() == 1
    assert "Already done" in client.get(page).content.decode()


def test_a_refused_report_is_answered_as_ever(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    assert posted(client, match, page, {"games": "9-9-9"}).status_code == 422
    play.enter_result(match=match, by=cast.organizer, games=(0, 2, 0), now=round_.created_at)
    refused = posted(client, match, page)
    assert refused.status_code == 409 and "already_confirmed" in refused.content.decode()


def test_strangers_get_nothing_in_place(cast: Cast, round_: Round) -> None:
    match, page = match_of(round_, cast.player), seat_page(round_)
    assert posted(signed_in(cast.stranger), match, page).status_code in (403, 404)
    assert posted(Client(), match, page).status_code == 302
    assert not Report.objects.exists()


def test_a_report_a_confirmation_and_the_page_take_few_queries(
    cast: Cast, round_: Round, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    other = signed_in(opponent_at(match, cast.player))
    client.get(page)
    with django_assert_max_num_queries(REPORT):
        posted(client, match, page, {**SCORE, "form_token": "0123456789abcdef"})
    with django_assert_max_num_queries(PAGE):
        other.get(page)
    report = {"report": str(Report.objects.get().pk), "form_token": "fedcba9876543210"}
    with django_assert_max_num_queries(CONFIRMATION):
        posted(other, match, page, report, "confirm")
