"""A result entered on a page that is old changes nothing: the person sees what stands now beside what was meant."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import signed_in
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


def address(name: str, match: Match) -> str:
    return reverse(f"web:{name}", args=[match.public_id])


def desk_of(match: Match) -> str:
    return reverse("web:staff_round", args=[match.round.stage.event.public_id, match.round.number])


def seen_in(client: Client, page: str) -> str:
    """What the form of a page has seen."""
    found = re.search(r'name="seen" value="(\d+)"', client.get(page).content.decode())
    assert found, page
    return found[1]


def reported(match: Match) -> None:
    play.report_result(match=match, by=users_of(match)[0], games=[2, 1, 0], now=NOW)


def test_a_button_of_an_old_desk_enters_nothing_and_shows_both_results(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    form = {"score": "0-2-0", "seen": seen_in(client, desk_of(match))}
    reported(match)
    row = client.post(address("staff_result", match), form, headers={"HX-Request": "true"})
    page = client.post(address("staff_result", match), form)
    match.refresh_from_db()
    assert (row.status_code, page.status_code, match.has_result) == (409, 409, False)
    for shown in (row.content.decode(), page.content.decode()):
        assert "says 2–1" in shown
        assert "0–2" in shown


def test_the_page_shown_again_enters_the_result_when_it_is_sent_again(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    page = address("staff_result", match)
    form = {"first": "0", "second": "2", "drawn": "0", "kind": "played", "seen": seen_in(client, page)}
    reported(match)
    again = client.post(page, form)
    assert again.status_code == 409
    assert "result_changed" in again.content.decode()
    seen = re.search(r'name="seen" value="(\d+)"', again.content.decode())
    assert seen
    assert client.post(page, {**form, "seen": seen[1]}).status_code == 302
    match.refresh_from_db()
    assert match.has_result


def test_a_ruling_on_an_old_page_is_shown_again_with_what_was_typed(cast: Cast, match: Match) -> None:
    client = signed_in(cast.judge)
    seen = seen_in(client, address("judge_match", match))
    play.override_result(match=match, by=cast.organizer, games=[2, 1, 0], now=NOW)
    score = {"first": "0", "second": "2", "drawn": "0", "kind": "played"}
    form = {"decision": "change", **score, "reason": "Both agree.", "seen": seen}
    answer = client.post(address("rule", match), form)
    shown = answer.content.decode()
    match.refresh_from_db()
    assert (answer.status_code, match.authority) == (409, "witnessed")
    assert "Both agree." in shown
    assert "0–2" in shown
    assert "2–1" in shown


def test_the_same_result_again_is_a_silent_tick_on_an_old_page_too(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    form = {"score": "2-1-0", "seen": seen_in(client, desk_of(match))}
    for _ in range(2):
        assert client.post(address("staff_result", match), form).status_code == 302
