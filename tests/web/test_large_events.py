"""Events of a thousand: long lists come a page at a time, a name is found on any page, and SQLite reads them all."""

import re

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

MANY = 1_001


@pytest.fixture
@remembered
def event(cast: Cast) -> Event:
    event = a_large_event(cast, MANY)
    a_published_round(event, cast.organizer)
    jobs.run_due(clock.now())
    _as_if_over(event)
    return event


def _as_if_over(event: Event) -> None:
    """Show the standings as if the round were closed: a thousand results would say no more of the page."""
    StandingsTable.objects.filter(stage__event=event).update(round_number=1)


def test_long_lists_come_a_page_at_a_time_and_a_name_is_found_on_any(event: Event, cast: Cast, client: Client) -> None:
    names = sorted(entrant.name for entrant in entrants_of(event))
    assert len(names) == MANY
    desk = signed_in(cast.organizer)
    for reader, page in (
        (client, address("entrants", event.public_id)),
        (client, address("pairings", event.public_id, 1)),
        (client, address("pairings", event.public_id, 1) + "?by=name"),
        (client, address("standings", event.public_id)),
        (desk, address("staff_entrants", event.public_id)),
    ):
        more = "&" if "?" in page else "?"
        first, second = text(reader.get(page)), text(reader.get(f"{page}{more}page=2"))
        assert first.count("<tr") <= 101 < len(first) and re.search(r'rel="next" href="\?[^"]*page=2', first), page
        assert set(re.findall(r"\bP\d+\b", first)) != set(re.findall(r"\bP\d+\b", second)), page
        found = text(reader.get(f"{page}{more}find={names[-1]}"))
        assert names[-1] in found and found.count("<tr") <= 3, page


def test_the_desk_of_a_long_round_counts_all_its_tables_and_shows_a_page_of_them(event: Event, cast: Cast) -> None:
    shown = text(signed_in(cast.organizer).get(address("staff_round", event.public_id, 1)))
    assert shown.count('class="desk-row"') == 100
    assert re.search(r"\b500\b", shown), "the results that are missing"


def test_a_page_of_a_thousand_costs_the_queries_of_a_page_of_ten(event: Event, cast: Cast, client: Client) -> None:
    few = a_large_event(cast, 10)
    a_published_round(few, cast.organizer)
    jobs.run_due(clock.now())
    _as_if_over(few)
    for name, number in (("entrants", ()), ("pairings", (1,)), ("standings", ())):
        costs = [queries_of(client, address(name, found.public_id, *number)) for found in (few, event)]
        assert costs[0] == costs[1], name
    assert Entrant.objects.filter(event=event).count() == MANY
