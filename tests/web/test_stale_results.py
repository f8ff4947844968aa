"""A result entered on a stale page changes nothing: every page answers with the current result beside the new one."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, match_of, play_out, users_of
from tests.cast import Cast
from tests.web.pages import signed_in
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.play.selectors import newest_report_id

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


def address(name: str, match: Match) -> str:
    return reverse(f"web:{name}", args=[match.public_id])


def desk_of(match: Match) -> str:
    return reverse("web:staff_round", args=[match.round.stage.event.public_id, match.round.number])


def seen_in(client: Client, page: str) -> str:
    """Return the state of the match that the form on a page was rendered with."""
    found = re.search(r'name="seen" value="(\d+)"', client.get(page).content.decode())
    assert found, page
    return found[1]


def reported(match: Match) -> None:
    play.report_result(match=match, by=users_of(match)[0], games=[2, 1, 0], now=NOW)


def test_a_button_on_a_stale_desk_enters_nothing_and_shows_both_results(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    form = {"score": "0-2-0", "seen": seen_in(client, desk_of(match))}
    reported(match)  # after the desk was loaded
    row = client.post(address("staff_result", match), form, headers={"HX-Request": "true"})
    page = client.post(address("staff_result", match), form)
    match.refresh_from_db()
    assert (row.status_code, page.status_code, match.has_result) == (409, 409, False)
    for shown in (row.content.decode(), page.content.decode()):
        assert "says 2–1" in shown
        assert "0–2" in shown


def test_a_stale_form_can_be_submitted_again_to_enter_the_result(cast: Cast, match: Match) -> None:
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


ENTERED_AS: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "button": ("staff_result", {"score": "0-2-0"}, {"HX-Request": "true"}),
    "button without scripts": ("staff_result", {"score": "0-2-0"}, {}),
    "complete form": ("staff_result", {"first": "0", "second": "2", "drawn": "0", "kind": "played"}, {}),
    "slip": ("staff_slip", {"outcome": "9", "drop": "1"}, {"Accept": "application/json"}),
    "slip without scripts": ("staff_slip", {"outcome": "9", "drop": "1"}, {}),
}


def conflict_in(answer: HttpResponse) -> str:
    """Return the fragment of a conflict from a page, from the row of a table, or from the answer to the script."""
    page = answer.json()["html"] if answer["Content-Type"] == "application/json" else answer.content.decode()
    (found,) = re.findall(r'<section class="notice notice--bad stack--tight conflict".*?</section>', page, re.DOTALL)
    return str(found)


def sent_by(fragment: str) -> tuple[str, dict[str, str]]:
    """Return the address and the hidden fields of the form in a conflict."""
    action = re.search(r'action="([^"]+)"', fragment)
    assert action
    return action[1], dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', fragment))


@pytest.mark.parametrize("way", ENTERED_AS)
def test_every_way_to_enter_a_result_answers_a_conflict_with_the_same_fragment(
    cast: Cast, match: Match, way: str
) -> None:
    client = signed_in(cast.scorekeeper)
    name, form, headers = ENTERED_AS[way]
    play.enter_result(match=match, by=cast.organizer, games=(2, 1, 0), now=NOW)
    answer = client.post(address(name, match), {**form, "seen": "0", "reason": "Misread."}, headers=headers)
    fragment = conflict_in(answer)
    assert (answer.status_code, "result_changed" in fragment) == (409, True)
    assert "2–1" in fragment and "0–2" in fragment and 'value="Misread." required' in fragment
    again, fields = sent_by(fragment)
    assert again == address(name, match) and fields["seen"] == str(newest_report_id(match))
    assert client.post(again, {**fields, "reason": "The slip is signed."}).status_code == 302
    seats = match.seats.order_by("number")
    assert list(seats.values_list("games_won", flat=True)) == [0, 2]
    dropped = "dropped" if "drop" in form else "registered"
    assert list(seats.values_list("entrant__status", flat=True)) == [dropped, "registered"]


def test_a_result_that_came_in_while_a_conflict_was_read_is_not_overwritten(cast: Cast, match: Match) -> None:
    client, slip = signed_in(cast.scorekeeper), address("staff_slip", match)
    reported(match)
    again, fields = sent_by(conflict_in(client.post(slip, {"outcome": "9"})))
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), reason="Signed.", now=NOW)
    answer = client.post(again, {**fields, "reason": "Upside down."})
    assert (answer.status_code, "result_changed" in conflict_in(answer)) == (409, True)
    assert list(match.seats.order_by("number").values_list("games_won", flat=True)) == [2, 0]


def test_a_slip_that_changes_a_bracket_shows_what_it_changes_and_can_be_sent_all_the_same(cast: Cast) -> None:
    event = a_bracket(cast)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    a_published_round(event, cast.organizer)
    match = Match.objects.get(round__stage__event=event, node="W1.1")
    client = signed_in(cast.scorekeeper)
    answer = client.post(address("staff_slip", match), {"outcome": "9", "reason": "Wrong slip."})
    fragment = conflict_in(answer)
    assert (answer.status_code, "affects_later" in fragment, "takes the seat of" in fragment) == (409, True, True)
    again, fields = sent_by(fragment)
    assert fields["acknowledged"] == "True"
    assert client.post(again, {**fields, "reason": "Wrong slip."}).status_code == 302
    assert not Match.objects.get(node="W2.1").seats.filter(entrant=match.seats.get(number=1).entrant).exists()


def test_a_ruling_on_a_stale_page_is_refused_and_the_input_is_kept(cast: Cast, match: Match) -> None:
    client = signed_in(cast.judge)
    seen = seen_in(client, address("judge_match", match))
    play.enter_result(match=match, by=cast.organizer, games=[2, 1, 0], now=NOW)
    score = {"first": "0", "second": "2", "drawn": "0", "kind": "played"}
    form = {"decision": "change", **score, "reason": "Both agree.", "seen": seen}
    answer = client.post(address("rule", match), form)
    shown = answer.content.decode()
    match.refresh_from_db()
    assert (answer.status_code, match.authority) == (409, "witnessed")
    assert "Both agree." in shown
    assert "0–2" in shown
    assert "2–1" in shown


def test_the_same_result_again_from_a_stale_page_changes_nothing(cast: Cast, match: Match) -> None:
    client = signed_in(cast.scorekeeper)
    form = {"score": "2-1-0", "seen": seen_in(client, desk_of(match))}
    for _ in range(2):
        assert client.post(address("staff_result", match), form).status_code == 302
