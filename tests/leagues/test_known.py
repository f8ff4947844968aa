"""Who comes back is proposed to the desk, and choosing them enters the person who is known, never one by name alone."""

from typing import Any

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round
from tests.cast import Cast
from tests.leagues.test_namesakes import a_league, an_evening
from tests.web.pages import address, signed_in, text
from tournaments.events.models import Event, StaffRole
from tournaments.leagues.known import known_players, of_name
from tournaments.leagues.namesakes import merge_namesakes, namesakes_of

pytestmark = pytest.mark.django_db
EMMA = {"given_name": "emma", "family_name": "MARTIN"}


def person_of(event: Event, given: str) -> Any:
    return event.entrants.get(member__person__given_name=given).member_set.get().person


def two_evenings(cast: Cast) -> tuple[Event, Event]:
    """A played evening, and one on which only Zoe has come so far."""
    return an_evening(cast), an_evening(cast, ("Zoe", "Fox"), played=False, name="Saturday")


def add(client: Client, event: Event, **sent: str) -> Any:
    return client.post(address("staff_entrant_add", event.public_id), sent)


def api(client: Client, event: Event, **sent: Any) -> Any:
    return client.post(f"/api/v1/events/{event.public_id}/entrants/", sent, content_type="application/json")


def test_the_walk_in_form_proposes_the_names_of_earlier_events(cast: Cast) -> None:
    _first, second = two_evenings(cast)
    page = signed_in(cast.organizer).get(address("staff_entrants", second.public_id)).content.decode()
    assert '<option value="Emma Martin">' in page and '<option value="Łukasz Lis">' in page
    assert '<option value="Zoe Fox">' not in page  # here already


@pytest.mark.parametrize(
    ("given", "family"),
    [
        ("Emma", "Martin"),
        ("emma", "MARTIN"),
        ("Emma Martin", ""),
        ("Martin", "Emma"),
        (" Emma ", " Martin "),
        ("Émma", "Martin"),
        ("lukasz", "lis"),
        ("Łukasz", "LIS"),
        ("ANA", "cruz"),
        ("Lind", "Bo"),
    ],
)
def test_a_name_known_from_an_earlier_event_is_asked_about(cast: Cast, given: str, family: str) -> None:
    first, second = two_evenings(cast)
    organizer = signed_in(cast.organizer)
    asked = add(organizer, second, given_name=given, family_name=family)
    assert asked.status_code == 409 and "the same player?" in text(asked) and first.name in text(asked)
    assert second.entrants.count() == 1


def test_the_same_player_is_entered_as_the_person_who_is_known(cast: Cast) -> None:
    first, second = two_evenings(cast)
    organizer, emma = signed_in(cast.organizer), person_of(first, "Emma")
    assert f'value="{emma.public_id}"' in add(organizer, second, **EMMA).content.decode()
    assert add(organizer, second, **EMMA, known=emma.public_id).status_code == 302
    assert person_of(second, "Emma") == emma
    league = a_league(cast, first, second)
    assert namesakes_of(league, cast.organizer) == []
    assert add(organizer, second, **EMMA, known=emma.public_id).status_code == 404  # who is here is not proposed


def test_another_person_of_the_name_is_a_new_one(cast: Cast) -> None:
    first, second = two_evenings(cast)
    assert add(signed_in(cast.organizer), second, **EMMA, another="1").status_code == 302
    assert person_of(second, "emma") != person_of(first, "Emma")


def test_a_namesake_who_is_here_and_one_who_is_known_are_both_asked_about(cast: Cast) -> None:
    first, second = two_evenings(cast)
    organizer, emma = signed_in(cast.organizer), person_of(first, "Emma")
    add(organizer, second, **EMMA, another="1")
    asked = text(add(organizer, second, **EMMA))
    assert "the same player?" in asked and "This name is in the event already" in asked
    again = add(organizer, second, **EMMA, known=emma.public_id)
    assert again.status_code == 409 and f'name="known" value="{emma.public_id}"' in again.content.decode()
    assert add(organizer, second, **EMMA, known=emma.public_id, another="1").status_code == 302
    assert second.entrants.filter(member__person=emma).count() == 1


def test_a_late_entry_is_the_person_who_is_known(cast: Cast) -> None:
    first = an_evening(cast)
    second = an_evening(cast, ("Zoe", "Fox"), ("Max", "Ash"), ("Kim", "Oak"), ("Lou", "Elm"))
    emma = person_of(first, "Emma")
    organizer = signed_in(cast.organizer)
    assert add(organizer, second, **EMMA).status_code == 409
    add(organizer, second, **EMMA, known=emma.public_id)
    assert person_of(second, "Emma") == emma
    a_published_round(second, cast.organizer)


def test_players_merged_in_the_book_are_proposed_once(cast: Cast) -> None:
    first, again, third = an_evening(cast), an_evening(cast), an_evening(cast, ("Zoe", "Fox"), played=False)
    league = a_league(cast, first, again, third)
    assert len(of_name(known_players(third, cast.organizer), "Emma", "Martin")) == 2
    for group in namesakes_of(league, cast.organizer):
        merge_namesakes(league=league, players=group.ids.split(), by=cast.organizer, now=NOW)
    (known,) = of_name(known_players(third, cast.organizer), "Emma", "Martin")
    assert known.event == again


def test_staff_see_only_players_of_events_at_whose_desk_they_help(cast: Cast) -> None:
    first, second = two_evenings(cast)
    emma = person_of(first, "Emma")
    StaffRole.objects.filter(event=first, user=cast.scorekeeper).delete()
    StaffRole.objects.get_or_create(event=second, user=cast.scorekeeper, role=StaffRole.Role.SCOREKEEPER)
    desk = signed_in(cast.scorekeeper)
    assert known_players(second, cast.scorekeeper) == []
    assert "Emma Martin" not in desk.get(address("staff_entrants", second.public_id)).content.decode()
    assert add(desk, second, **EMMA, known=emma.public_id).status_code == 404
    assert api(desk, second, known=emma.public_id).status_code == 404
    assert add(signed_in(cast.stranger), second, **EMMA, known=emma.public_id).status_code == 404
    assert add(desk, second, **EMMA).status_code == 302  # nothing is asked about people whom they may not see


def test_the_api_lists_who_is_known_and_enters_them(cast: Cast) -> None:
    first, second = two_evenings(cast)
    emma, client = person_of(first, "Emma"), signed_in(cast.organizer)
    made = api(client, second, known=emma.public_id)
    assert made.status_code == 201 and made.json()["known"] == []
    assert person_of(second, "Emma") == emma
    told = api(client, second, given_name="ana", family_name="CRUZ").json()["known"]
    assert [(each["person"], each["name"], each["event"]) for each in told] == [
        (person_of(first, "Ana").public_id, "Ana Cruz", first.public_id)
    ]
    assert api(client, second, known=emma.public_id, given_name="Emma").status_code == 422
