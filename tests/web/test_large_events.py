"""Events of a thousand entrants: long lists are paginated and can be searched, within the limits of SQLite."""

import re
from collections import Counter

import pytest
from django.test import Client

from tests.builders import a_large_event, a_published_round
from tests.cast import Cast
from tests.remembered import remembered
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.common import clock, jobs
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import entrants_of
from tournaments.standings.models import StandingsTable

pytestmark = pytest.mark.django_db

MANY = 1_001  # more than the 999 parameters that SQLite takes in one statement


@pytest.fixture
@remembered
def event(cast: Cast) -> Event:
    event = a_large_event(cast, MANY)
    a_published_round(event, cast.organizer)
    jobs.run_due(clock.now())
    _as_if_over(event)
    return event


def _as_if_over(event: Event) -> None:
    """Show the standings as if the round were closed: entering a thousand results would only take time."""
    StandingsTable.objects.filter(stage__event=event).update(round_number=1)


def rows_of(page: str) -> list[list[str]]:
    """The players in each row of a page's table, by name."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"\bP\d+\b", row) for row in re.findall(r"<tr\b.*?</tr>", body, re.DOTALL)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("role", "name", "arguments", "query"),
    [
        ("visitor", "entrants", (), ""),
        ("visitor", "pairings", (1,), ""),
        ("visitor", "pairings", (1,), "by=name"),
        ("visitor", "standings", (), ""),
        ("organizer", "staff_entrants", (), ""),
    ],
)
def test_a_long_list_has_pages_of_100_rows_that_together_name_everybody_once(
    event: Event, cast: Cast, role: str, name: str, arguments: tuple[int, ...], query: str
) -> None:
    reader = Client() if role == "visitor" else signed_in(getattr(cast, role))
    page = address(name, event.public_id, *arguments)
    by_table = (name, query) == ("pairings", "")
    listed: list[str] = []
    number, more = 1, True
    while more:
        shown = text(reader.get(f"{page}?{query}&page={number}"))
        rows = rows_of(shown)
        more = re.search(r'rel="next" href="\?[^"]*page=', shown) is not None
        assert len(rows) == 100 or not more, number
        # By table, a row names both players; elsewhere it is about the one it names first.
        listed += [player for row in rows for player in (row if by_table else row[:1])]
        number += 1
    assert Counter(listed) == Counter(entrant.name for entrant in entrants_of(event))
    assert len(listed) == MANY


def test_a_search_finds_a_player_who_is_not_on_the_first_page(event: Event, cast: Cast, client: Client) -> None:
    for reader, page in (
        (client, address("entrants", event.public_id) + "?"),
        (client, address("pairings", event.public_id, 1) + "?"),
        (client, address("pairings", event.public_id, 1) + "?by=name"),
        (client, address("standings", event.public_id) + "?"),
        (signed_in(cast.organizer), address("staff_entrants", event.public_id) + "?"),
    ):
        first = {player for row in rows_of(text(reader.get(page))) for player in row}
        others = sorted({entrant.name for entrant in entrants_of(event)} - first)
        rows = rows_of(text(reader.get(f"{page}&find={others[-1]}")))
        assert rows, page
        assert all(others[-1] in row for row in rows), page


def test_the_desk_of_a_long_round_counts_all_tables_and_shows_one_page(event: Event, cast: Cast) -> None:
    shown = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, 1)))
    assert shown.count('class="desk-row"') == 100
    assert re.search(r"\b500\b", shown), "the results that are missing"


@pytest.mark.slow
def test_a_page_of_a_thousand_entrants_takes_no_more_queries_than_one_of_ten(
    event: Event, cast: Cast, client: Client
) -> None:
    few = a_large_event(cast, 10)
    a_published_round(few, cast.organizer)
    jobs.run_due(clock.now())
    _as_if_over(few)
    for name, number in (("entrants", ()), ("pairings", (1,)), ("standings", ())):
        costs = [queries_of(client, address(name, found.public_id, *number)) for found in (few, event)]
        assert costs[0] == costs[1], name
    assert Entrant.objects.filter(event=event).count() == MANY
