"""Names on pages: the public sees the shortest name that identifies an entrant at the event, staff the full one."""

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, a_team_event, an_open_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import Person
from tournaments.accounts.services import own_person
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.services import add_entrant, register
from tournaments.events.teams import NewTeam, enter_teams, join_team
from tournaments.paper.sheets import LinkSheet, sheets_of

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


INVISIBLE = ("\u3164", "\u200b", "\u2800\u00ad", "🦊", "...")


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_name_that_nobody_can_read_is_refused_at_the_desk(cast: Cast, name: str) -> None:
    event = an_open_event(cast)
    page = signed_in(cast.scorekeeper).post(address("staff_entrant_add", event.public_id), {"given_name": name})
    api = signed_in(cast.scorekeeper).post(
        f"/api/v1/events/{event.public_id}/entrants/", {"given_name": name}, content_type="application/json"
    )
    assert page.status_code == 422 and api.status_code in (400, 422)
    assert not event.entrants.exists()


@pytest.mark.parametrize("twin", ["Emma\u200b|Martin", "Emma|Martin\u200f", "𝐄mma|Martin", "Em\u00adma|Ma\ufe0frtin"])
def test_a_walk_in_whose_name_looks_the_same_is_the_same_name(cast: Cast, event: Event, twin: str) -> None:
    given, family = twin.split("|")
    sent = {"given_name": given, "family_name": family}
    page = signed_in(cast.scorekeeper).post(address("staff_entrant_add", event.public_id), sent)
    assert page.status_code == 409 and "This name is in the event already" in text(page)
    signed_in(cast.scorekeeper).post(address("staff_entrant_add", event.public_id), {**sent, "another": "1"})
    assert len({entrant.name for entrant in event.entrants.all()}) == len(PEOPLE) + 1


def test_a_pasted_twin_is_a_name_that_is_there_already(cast: Cast) -> None:
    event = an_open_event(cast)
    names = {"names": "Ghost\nG\u200bhost\nGho\u00adst\n\u3164\n"}
    page = signed_in(cast.scorekeeper).post(address("staff_import_new", event.public_id), names, follow=True)
    confirm = page.redirect_chain[-1][0].rstrip("/") + "/confirm/"
    signed_in(cast.scorekeeper).post(confirm)
    assert [entrant.full_name for entrant in event.entrants.all()] == ["Ghost"]


def test_the_desk_is_warned_of_a_name_in_letters_of_another_alphabet(cast: Cast, event: Event) -> None:
    desk = signed_in(cast.scorekeeper)
    sent = {"given_name": "Еmmа", "family_name": "Маrtin"}  # partly Cyrillic
    page = desk.post(address("staff_entrant_add", event.public_id), sent, follow=True)
    assert "looks like Emma Martin but is spelled with other characters" in text(page)
    listed = desk.post(address("staff_import_new", event.public_id), {"names": "Zoe Fox\nАnа dе lа Сruz"}, follow=True)
    assert "check line 2" in text(listed)
    entrant = of(event, 2)
    name = f"/api/v1/entrants/{entrant.public_id}/name/"
    told = desk.put(name, {"given_name": "Еmma", "family_name": "Martin"}, content_type="application/json")
    assert told.json()["looks_like"] == "Emma Martin"
    told = desk.put(name, {"given_name": "Bo", "family_name": "Lind"}, content_type="application/json")
    assert told.json()["looks_like"] is None


def test_players_entering_themselves_are_not_told_who_has_a_similar_name(cast: Cast, event: Event) -> None:
    add_entrant(event=event, given_name="РIауеr", family_name="", by=cast.organizer, now=NOW)
    made = signed_in(cast.player).post(f"/api/v1/events/{event.public_id}/entrants/", content_type="application/json")
    assert made.status_code == 201 and made.json()["looks_like"] is None


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Łukasz Łazarz", "lazarz"),
        ("Søren Ødegård", "soren odegard"),
        ("Þóra Æsudóttir", "thora aesu"),
        ("Işıl", "isil"),
    ],
)
def test_letters_with_a_stroke_are_found_at_every_list(cast: Cast, name: str, typed: str) -> None:
    event = an_open_event(cast, name=f"Cup {name}")
    given, _space, family = name.partition(" ")
    add_entrant(event=event, given_name=given, family_name=family, by=cast.organizer, now=NOW)
    entrant = event.entrants.get()
    desk = signed_in(cast.scorekeeper).get(address("staff_entrants", event.public_id), {"find": typed})
    assert f">{entrant.full_name}<" in text(desk)
    assert f"Cup {name}" in text(Client().get("/", {"find": typed.upper()}))
    found = Client().get("/api/v1/events/", {"find": f"cup {typed}"}).json()["results"]
    assert [each["id"] for each in found] == [event.public_id]
    assert not Client().get("/api/v1/events/", {"find": f"cup {typed}x"}).json()["results"]


def test_staff_read_full_names_of_late_players_and_on_seat_cards(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    Person.objects.filter(member__event=event).update(family_name="Longname", public_name="")
    round_ = a_published_round(event, cast.organizer)
    names = [entrant.full_name for entrant in event.entrants.all()]
    assert all("Longname" in name for name in names)
    late = text(signed_in(cast.judge).get(address("staff_late", event.public_id, round_.number)))
    assert all(name in late for name in names)
    (cards,) = sheets_of(event, None, "seat_links", "https://example.org")
    assert isinstance(cards, LinkSheet) and sorted(name for name, _address in cards.cards) == sorted(names)


def test_the_desk_reads_full_names_on_the_page_of_a_team_and_its_players_public_ones(cast: Cast) -> None:
    event = a_team_event(cast)
    (team,) = enter_teams(event=event, teams=[NewTeam("Foxes", ("Ann Lee", "Bob Moss"))], by=cast.organizer, now=NOW)
    join_team(team=team, person=own_person(cast.player), by=cast.player, now=NOW)
    page = address("team", team.public_id)
    desk, mate = text(signed_in(cast.scorekeeper).get(page)), text(signed_in(cast.player).get(page))
    assert "Ann Lee" in desk and "Bob Moss" in desk
    assert "Ann" in mate and "Ann Lee" not in mate


def test_the_desk_sees_that_a_player_who_registered_alone_looks_like_another(cast: Cast) -> None:
    event = an_open_event(cast)
    add_entrant(event=event, given_name="Ana", family_name="Cox", by=cast.organizer, now=NOW)
    player = own_person(cast.player)
    player.given_name, player.family_name = "\u0410na", "Cox"  # a Cyrillic capital A
    player.save(update_fields=["given_name", "family_name"])
    page = address("staff_entrants", event.public_id)
    assert "look alike" not in text(signed_in(cast.scorekeeper).get(page))
    register(event=event, person=player, by=cast.player, now=NOW)
    shown = text(signed_in(cast.scorekeeper).get(page))
    assert "Names that look alike but are spelled with other characters" in shown
    assert shown.count("Ana Cox</a> · \u0410na Cox") + shown.count("\u0410na Cox</a> · Ana Cox") == 1
