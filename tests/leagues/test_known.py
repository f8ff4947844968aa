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


LIST = "Émma Martin\nMARTIN EMMA\nAna Cruz\nMax Ash\nlis, łukasz\n"


def pasted(client: Client, event: Event, text: str = LIST) -> str:
    """Paste a list of names; returns the address of the preview."""
    made: Any = client.post(address("staff_import_new", event.public_id), {"names": text})
    return str(made.url)


def test_pasted_names_known_from_an_earlier_event_come_first_and_are_asked_about(cast: Cast) -> None:
    first, second = two_evenings(cast)
    organizer = signed_in(cast.organizer)
    preview = organizer.get(pasted(organizer, second))
    assert "4 names are known from earlier events." in text(preview)
    page = preview.content.decode()
    for given in ("Emma", "Ana", "Łukasz"):
        assert f'<option value="{person_of(first, given).public_id}">' in page, given
    assert page.index('id="line-3"') < page.index('id="line-4"') and 'name="person_4"' not in page
    assert second.entrants.count() == 1


def test_all_names_that_one_known_player_has_can_be_said_to_be_the_same_players(cast: Cast) -> None:
    first, second = two_evenings(cast)
    organizer = signed_in(cast.organizer)
    preview = pasted(organizer, second, LIST.replace("MARTIN EMMA\n", ""))
    organizer.post(preview, {"shown": "1,2", "person_1": "", "same": "1"})
    page = organizer.get(preview).content.decode()
    assert f'<option value="{person_of(first, "Ana").public_id}" selected>' in page
    assert "known from earlier events" not in page
    organizer.post(preview + "confirm/", {"shown": ""})
    assert {person_of(second, given) for given in ("Emma", "Ana", "Łukasz")} == {
        person_of(first, given) for given in ("Emma", "Ana", "Łukasz")
    }
    assert second.entrants.filter(member__person__given_name="Max").count() == 1


def test_all_of_these_leaves_what_was_decided_before(cast: Cast) -> None:
    first, second = two_evenings(cast)
    organizer, ana = signed_in(cast.organizer), person_of(first, "Ana")
    preview = pasted(organizer, second, "Ana Cruz\nlis, łukasz\n")
    organizer.post(preview, {"shown": "1", "person_1": ""})
    organizer.post(preview, {"shown": "1,2", "person_1": "", "person_2": "", "same": "1"})
    organizer.post(preview + "confirm/", {"shown": ""})
    assert person_of(second, "Ana") != ana
    assert person_of(second, "Łukasz") == person_of(first, "Łukasz")


def test_the_same_player_is_not_entered_twice_and_another_one_is_new(cast: Cast) -> None:
    first, second = two_evenings(cast)
    organizer, emma = signed_in(cast.organizer), person_of(first, "Emma")
    preview = pasted(organizer, second)
    sent = {"shown": "1,2", "person_1": emma.public_id, "person_2": emma.public_id, "enter_2": "1"}
    organizer.post(preview, sent)
    assert "this player is already in the event" in text(organizer.get(preview))
    organizer.post(preview + "confirm/", sent | {"person_2": ""})
    assert second.entrants.filter(member__person=emma).count() == 1
    assert {each.full_name for each in second.entrants.all()} >= {"Emma Martin", "MARTIN EMMA"}


def test_pasted_names_never_enter_a_player_whom_the_desk_does_not_know(cast: Cast) -> None:
    first, second = two_evenings(cast)
    emma = person_of(first, "Emma")
    StaffRole.objects.filter(event=first, user=cast.scorekeeper).delete()
    StaffRole.objects.get_or_create(event=second, user=cast.scorekeeper, role=StaffRole.Role.SCOREKEEPER)
    desk = signed_in(cast.scorekeeper)
    preview = pasted(desk, second)
    assert "known from" not in text(desk.get(preview))
    for page in (preview, preview + "confirm/"):
        refused = desk.post(page, {"shown": "1", "person_1": emma.public_id})
        assert refused.status_code == 422 and "player_unknown" in refused.content.decode(), page
    assert second.entrants.count() == 1


def test_the_api_lists_known_players_of_a_file_and_enters_them(cast: Cast) -> None:
    first, second = two_evenings(cast)
    client, ana = signed_in(cast.organizer), person_of(first, "Ana")
    path = f"/api/v1/events/{second.public_id}/imports/"
    made = client.post(path, {"text": LIST}, content_type="application/json").json()
    known = {each["line"]: [player["person"] for player in each["players"]] for each in made["known"]}
    assert known[3] == [ana.public_id] and set(known) == {1, 2, 3, 5}
    one = f"/api/v1/imports/{made['id']}/"
    unknown = {"rows": [{"line": 4, "person": "p-22222222222"}]}
    refused = client.patch(one, unknown, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "player_unknown")
    said = client.patch(one, {"rows": [{"line": 3, "person": ana.public_id}]}, content_type="application/json").json()
    assert [line["person"] for line in said["lines"] if line["line"] == 3] == [ana.public_id]
    client.post(one + "confirm/", {}, content_type="application/json")
    assert person_of(second, "Ana") == ana


def test_a_known_player_with_an_account_gets_no_letter_about_the_entry(cast: Cast) -> None:
    first, second = two_evenings(cast)
    ana = person_of(first, "Ana")
    ana.account = cast.stranger
    ana.save(update_fields=["account"])
    organizer = signed_in(cast.organizer)
    preview = pasted(organizer, second, "Name,E-mail\nAna Cruz,ana@example.org\nMax Ash,max@example.org\n")
    organizer.post(preview + "confirm/", {"shown": "2", "person_2": ana.public_id})
    entered = {each.full_name: each for each in second.entrants.all()}
    assert person_of(second, "Ana") == ana
    assert not entered["Ana Cruz"].entry_invitations.exists() and entered["Max Ash"].entry_invitations.exists()
