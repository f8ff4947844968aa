"""Names on pages: the public sees the shortest name that identifies an entrant at the event, staff the full one."""

import pytest
from django.test import Client

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.services import add_entrant

pytestmark = pytest.mark.django_db
# Two Emmas who differ in the fourth letter of the family name, two people of the same name, and a unique name.
PEOPLE = (("Emma", "Martin"), ("Emma", "Marchand"), ("Bob", "Smith"), ("Bob", "Smith"), ("Ana", "de la Cruz"))


@pytest.fixture
def event(cast: Cast) -> Event:
    event = an_open_event(cast)
    for given, family in PEOPLE:
        add_entrant(event=event, given_name=given, family_name=family, another=True, by=cast.organizer, now=NOW)
    return event


def of(event: Event, number: int) -> Entrant:
    return event.entrants.order_by("pk")[number]


def test_public_pages_show_short_names_and_the_desk_full_ones(cast: Cast, event: Event) -> None:
    shown = text(Client().get(address("entrants", event.public_id)))
    desk = text(signed_in(cast.scorekeeper).get(address("staff_entrants", event.public_id)))
    for public, full in (("Emma Mart.", "Emma Martin"), ("Emma Marc.", "Emma Marchand"), ("Ana", "Ana de la Cruz")):
        assert f">{public}<" in shown and full not in shown
        assert full in desk
    assert "Bob Smith (1)" in desk and "Bob Smith (2)" in desk


@pytest.mark.parametrize(("wanted", "found"), [("marchand", 1), ("SMITH bob", 2), ("cruz", 1), ("nobody", 0)])
def test_the_desk_can_search_by_any_part_of_a_name(cast: Cast, event: Event, wanted: str, found: int) -> None:
    page = text(signed_in(cast.scorekeeper).get(address("staff_entrants", event.public_id), {"find": wanted}))
    assert (
        sum(page.count(f">{name}<") for name in ("Emma Marchand", "Ana de la Cruz"))
        + sum(page.count(f">Bob Smith ({n})<") for n in (1, 2))
        == found
    )


@pytest.mark.parametrize(("wanted", "found"), [("emma marchand", True), ("ana", True), ("cruz", False)])
def test_the_public_search_matches_only_what_the_public_sees(event: Event, wanted: str, found: bool) -> None:
    # A full word also matches the shortened form that is shown: "marchand" finds "Marc.".
    page = text(Client().get(address("entrants", event.public_id), {"find": wanted}))
    assert (">Emma Marc.<" in page or ">Ana<" in page) is found


def test_entries_offered_for_merging_have_distinct_names(cast: Cast, event: Event) -> None:
    page = text(signed_in(cast.scorekeeper).get(address("staff_entry", event.public_id, of(event, 0).public_id)))
    assert page.count(">Bob Smith (1)</option>") == page.count(">Bob Smith (2)</option>") == 1


def test_exports_give_full_names_only_to_staff(cast: Cast, event: Event) -> None:
    export = address("export", event.public_id, "entrants", "csv")
    own = signed_in(cast.organizer).get(export).content.decode()
    others = Client().get(export).content.decode()
    assert "Emma Marchand" in own and "Ana de la Cruz" in own
    assert "Emma Marc." in others and "Marchand" not in others and "Cruz" not in others


def test_the_api_gives_full_names_only_to_staff(cast: Cast, event: Event) -> None:
    address_ = f"/api/v1/events/{event.public_id}/entrants/"
    told = {row["name"]: row["full_name"] for row in signed_in(cast.scorekeeper).get(address_).json()["results"]}
    assert told["Emma Marc."] == "Emma Marchand"
    assert {row["full_name"] for row in Client().get(address_).json()["results"]} == {None}
    found = signed_in(cast.scorekeeper).get(address_, {"find": "cruz"}).json()["results"]
    assert [row["full_name"] for row in found] == ["Ana de la Cruz"]
    assert Client().get(address_, {"find": "cruz"}).json()["results"] == []


def test_the_desk_can_correct_a_name(cast: Cast, event: Event) -> None:
    entrant = of(event, 1)
    page = address("staff_name", event.public_id, entrant.public_id)
    client = signed_in(cast.scorekeeper)
    assert 'value="Marchand"' in text(client.get(page))
    blank = client.post(page, {"given_name": " ", "family_name": "Marchant"})
    assert blank.status_code == 422 and 'value="Marchant"' in text(blank)
    answer = client.post(page, {"given_name": "Emma", "family_name": "Marchant"}, follow=True)
    assert "Emma Marchant" in text(answer)
    assert LedgerEntry.objects.filter(chain=event.public_id, code="entrant.renamed").count() == 1


def test_an_entry_of_another_event_is_not_found(cast: Cast, event: Event) -> None:
    page = address("staff_name", an_open_event(cast).public_id, of(event, 1).public_id)
    assert signed_in(cast.scorekeeper).get(page).status_code == 404
