"""The round desk: one line per table, with a filter and a search that are kept in the address."""

import re

import pytest
from django.test import Client

from tests.builders import NOW, a_large_event, a_published_round, a_running_event, play_out, users_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import Person
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.play.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=8)


@pytest.fixture
def round_(cast: Cast, event: Event) -> Round:
    """A round of four tables: 1 has a result, 2 is reported, 3 is contested, 4 has nothing."""
    round_ = a_published_round(event, cast.organizer)
    done, reported, contested, _missing = round_.matches.order_by("table")
    play.enter_result(match=done, by=cast.organizer, games=(2, 0, 0), now=NOW)
    play.report_result(match=reported, by=users_of(reported)[0], games=(2, 1, 0), now=NOW)
    report = play.report_result(match=contested, by=users_of(contested)[0], games=(2, 1, 0), now=NOW)
    play.contest_result(match=contested, report=report, by=users_of(contested)[1], reason="No.", now=NOW)
    return round_


def tables(client: Client, round_: Round, query: str = "") -> list[int | None]:
    """Return the table numbers on the desk, in the order shown."""
    page = client.get(address("staff_round", round_.stage.event.public_id, round_.number) + query)
    return [row.match.table for row in page.context["desk"].rows]


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", [3, 2, 4, 1]),
        ("?show=missing", [4]),
        ("?show=reported", [2]),
        ("?show=contested", [3]),
        ("?show=done", [1]),
        ("?show=nonsense", [3, 2, 4, 1]),
        ("?find=2", [2]),
        ("?find=77", []),
        ("?show=done&find=2", []),
    ],
)
def test_filter_and_search_in_the_address_select_the_tables(
    cast: Cast, round_: Round, query: str, shown: list[int]
) -> None:
    assert tables(signed_in(cast.organizer), round_, query) == shown


def test_a_table_is_found_by_part_of_a_name(cast: Cast, round_: Round) -> None:
    Person.objects.filter(member__entrant__seats__match=round_.matches.get(table=4)).update(given_name="Éloïse")
    assert tables(signed_in(cast.scorekeeper), round_, "?find=ELOI") == [4]
    page = text(signed_in(cast.scorekeeper).get(address("staff_round", round_.stage.event.public_id, 1) + "?find=eloi"))
    assert 'href="?show=missing&amp;find=eloi"' in page and 'name="find" value="eloi"' in page


def test_filter_and_search_are_kept_when_a_result_is_entered(cast: Cast, round_: Round) -> None:
    client, match = signed_in(cast.scorekeeper), round_.matches.get(table=4)
    desk = "http://testserver" + address("staff_round", round_.stage.event.public_id, 1) + "?show=missing&find=4"
    entered = client.post(
        address("staff_result", match.public_id),
        {"score": "2-0-0"},
        headers={"HX-Request": "true", "HX-Boosted": "true", "HX-Current-URL": desk},
    )
    assert 'href="?show=missing&amp;find=4" aria-current="true"' in text(entered)
    again = client.post(address("staff_result", match.public_id), {"score": "2-0-0"}, headers={"Referer": desk})
    assert again.url == desk.removeprefix("http://testserver")
    elsewhere = client.post(
        address("staff_result", match.public_id), {"score": "2-0-0"}, headers={"Referer": "https://elsewhere.example/"}
    )
    assert elsewhere.url == address("staff_round", round_.stage.event.public_id, 1)


def test_names_are_shown_with_their_records_and_marks_have_titles(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    second = a_published_round(event, cast.organizer)
    page = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, 2)))
    records = re.findall(r"<small>([^<]+)</small>", page)
    assert sorted(records) == sorted(["1–0–0", "1–0–0", "0–1–0", "0–1–0", "0–0–0 +1"])
    match = second.matches.exclude(table=None).first()
    assert match is not None
    play.extend_table(match=match, minutes=4, by=cast.organizer, now=NOW)
    page = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, 2)))
    assert 'role="img" title="4 more minutes"' in page


def test_a_reported_score_is_marked_on_its_button(cast: Cast, round_: Round) -> None:
    page = text(signed_in(cast.organizer).get(address("staff_round", round_.stage.event.public_id, 1) + "?find=2"))
    (said,) = re.findall(r'<button name="score" value="([^"]+)"[^>]* class="said"', page)
    assert said == "2-1-0"


def test_extra_time_can_be_given_on_the_page_of_an_open_match(cast: Cast, round_: Round) -> None:
    open_, done = (round_.matches.get(table=table) for table in (4, 1))
    client = signed_in(cast.scorekeeper)
    extend = 'action="' + address("staff_extend_table", open_.public_id)
    assert extend in text(client.get(address("staff_result", open_.public_id)))
    assert "staff/extend/" not in text(client.get(address("staff_result", done.public_id)))


def test_the_number_of_queries_of_a_search_does_not_grow_with_the_tables(cast: Cast) -> None:
    costs = []
    for players in (4, 12):
        event = a_large_event(cast, players)
        a_published_round(event, cast.organizer)
        costs.append(queries_of(signed_in(cast.organizer), address("staff_round", event.public_id, 1) + "?find=p"))
    assert costs[0] == costs[1]
