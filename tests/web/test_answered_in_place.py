"""A report sent from the open seat page is answered with what that page then shows, in the same response."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tournaments.play import services as play
from tournaments.play.models import Match, Report, Round

pytestmark = pytest.mark.django_db
SCORE = {"games": "2-1-0"}


@pytest.fixture
def round_(cast: Cast) -> Round:
    return a_published_round(a_running_event(cast), cast.organizer)


def posted(client: Client, match: Match, shown: str, form: dict[str, str] = SCORE, name: str = "report"):
    return client.post(address(name, match.public_id), form, headers={"X-Shown-Page": shown})


def seat_page(round_: Round) -> str:
    return address("me", round_.stage.event.public_id)


def without_tokens(html: str) -> str:
    return re.sub(r'(name="csrfmiddlewaretoken" value=")[^"]*', r"\1", html)


def test_the_answer_is_what_the_page_would_show_after_a_refresh(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    answer = posted(client, match, page)
    assert (answer.status_code, answer["X-Account"]) == (200, cast.player.public_id)
    fresh = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert 'id="me"' in fresh and "You reported" in fresh
    assert without_tokens(answer.content.decode()) == without_tokens(fresh)
    assert "no-store" in answer["Cache-Control"]


def test_it_says_up_to_which_change_it_is_true(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    before = int(re.search(r'data-at="(\d+)"', client.get(page).content.decode())[1])  # type: ignore[index]
    after = int(re.search(r'data-at="(\d+)"', posted(client, match, page).content.decode())[1])  # type: ignore[index]
    assert after == before + 1, "the report itself is the one entry since"


def test_confirming_is_answered_in_place_too(cast: Cast, round_: Round) -> None:
    match, page = match_of(round_, cast.player), seat_page(round_)
    posted(signed_in(cast.player), match, page)
    other = match.seats.exclude(entrant__member__person__account=cast.player).get()
    opponent = other.entrant.member_set.get().person.account
    report = {"report": str(Report.objects.get().pk)}
    answer = posted(signed_in(opponent), match, page, report, "confirm")
    assert answer.status_code == 200 and "You both agree: the result counts." in answer.content.decode()


def test_contesting_is_answered_in_place_too(cast: Cast, round_: Round) -> None:
    match, page = match_of(round_, cast.player), seat_page(round_)
    posted(signed_in(cast.player), match, page)
    other = match.seats.exclude(entrant__member__person__account=cast.player).get()
    report = {"report": str(Report.objects.get().pk), "reason": "not so"}
    answer = posted(signed_in(other.entrant.member_set.get().person.account), match, page, report, "contest")
    assert answer.status_code == 200 and "A judge will decide" in answer.content.decode()


@pytest.mark.parametrize(
    "shown", ["", "/", "https://example.com/", "//example.com", "/e/other/me/", "\\", "/admin/?x=1"]
)
def test_any_other_page_is_redirected(cast: Cast, round_: Round, shown: str) -> None:
    answer = posted(signed_in(cast.player), match_of(round_, cast.player), shown)
    assert answer.status_code == 302 and answer["Location"] == seat_page(round_)
    assert "X-Account" not in answer


def test_a_form_sent_twice_is_redirected_because_there_is_something_to_say(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    form = {**SCORE, "form_token": "0123456789abcdef"}
    assert posted(client, match, page, form).status_code == 200
    again = posted(client, match, page, form)
    assert again.status_code == 302 and Report.objects.count() == 1
    assert "Already done" in client.get(page).content.decode()


def test_a_refused_report_is_answered_as_ever(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    assert posted(client, match, page, {"games": "9-9-9"}).status_code == 422
    play.enter_result(match=match, by=cast.organizer, games=(0, 2, 0), now=round_.published_at)
    refused = posted(client, match, page)
    assert refused.status_code == 409 and "already_confirmed" in refused.content.decode()


def test_strangers_get_nothing_in_place(cast: Cast, round_: Round) -> None:
    match, page = match_of(round_, cast.player), seat_page(round_)
    assert posted(signed_in(cast.stranger), match, page).status_code in (403, 404)
    assert posted(Client(), match, page).status_code == 302
    assert not Report.objects.exists()


def test_one_answer_takes_fewer_queries_than_two(cast: Cast, round_: Round) -> None:
    client, match, page = signed_in(cast.player), match_of(round_, cast.player), seat_page(round_)
    with CaptureQueriesContext(connection) as one:
        posted(client, match, page)
    with CaptureQueriesContext(connection) as two:
        client.post(address("report", match.public_id), {"games": "2-0-0"})
        client.get(page)
    assert len(one) < len(two)
