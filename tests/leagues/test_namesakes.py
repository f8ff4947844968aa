"""Names that a league has twice: nobody is merged by name, and a manager says who is the same player."""

from typing import Any

import pytest
from django.http import Http404
from django.test import Client

from tests.builders import NOW, a_published_round, an_event, play_out
from tests.cast import Cast
from tests.leagues.test_leagues import shown
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.clubs.models import ClubRole
from tournaments.clubs.services import create_club, grant_role
from tournaments.common.ledger import faults
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Event
from tournaments.events.services import add_entrant, open_registration, register
from tournaments.leagues.models import BookEntry, League
from tournaments.leagues.namesakes import merge_namesakes, merged_in, namesakes_of, split_namesake
from tournaments.leagues.ratings import ratings_of
from tournaments.leagues.seeding import take_seeds
from tournaments.leagues.services import add_event, create_league, give_to_club
from tournaments.play import services as play

pytestmark = pytest.mark.django_db
NAMES = (("Emma", "Martin"), ("Łukasz", "Lis"), ("Ana", "Cruz"), ("Bo", "Lind"))


def an_evening(cast: Cast, *names: tuple[str, str], played: bool = True, name: str = "Friday") -> Event:
    """An event of walk-ins with one round played."""
    event = an_event(cast, lists="none", name=name)
    open_registration(event=event, by=cast.organizer, now=NOW)
    for given, family in names or NAMES:
        add_entrant(event=event, given_name=given, family_name=family, another=True, by=cast.organizer, now=NOW)
    if played:
        lock_decks(event=event, by=cast.organizer, now=NOW)
        play.start_event(event=event, by=cast.organizer, now=NOW)
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    event.refresh_from_db()
    return event


def a_league(cast: Cast, *events: Event) -> League:
    league = create_league(name="Season", by=cast.organizer, now=NOW, rules={"attendance": 1, "ratings": True})
    for event in events:
        add_event(league=league, event=event, by=cast.organizer, now=NOW)
    return league


def same(league: League, by: User, at: int = 0) -> Any:
    group = namesakes_of(league, by)[at]
    return merge_namesakes(league=league, players=group.ids.split(), by=by, now=NOW)


def test_eight_walk_ins_of_two_evenings_are_proposed_and_nobody_is_merged_by_name(cast: Cast) -> None:
    league = a_league(cast, an_evening(cast), an_evening(cast, ("emma", "MARTIN"), ("Lukasz", "Lis"), *NAMES[2:]))
    assert len(shown(league).lines) == 8 and not BookEntry.objects.exists()
    found = namesakes_of(league, cast.organizer)
    assert [(group.name, len(group.players), group.apart) for group in found] == [
        ("Ana Cruz", 2, False),
        ("Bo Lind", 2, False),
        ("Łukasz Lis", 2, False),
        ("Emma Martin", 2, False),
    ]


def test_points_ratings_and_seeds_follow_a_merge_and_its_undoing(cast: Cast) -> None:
    league = a_league(cast, an_evening(cast), an_evening(cast), third := an_evening(cast, played=False))
    organizer = signed_in(cast.organizer)
    page = address("league_namesakes", league.public_id)
    groups = [group.ids for group in namesakes_of(league, cast.organizer)]
    assert "All of these: 4 names" in text(organizer.get(page))
    assert "4 names now count as one player each" in text(organizer.post(page, {"same": groups}, follow=True))
    assert [line.came for line in shown(league).lines] == [2, 2, 2, 2]
    assert len(ratings_of(league).rows) == 4
    assert len(take_seeds(event=third, league=league, by=cast.organizer, now=NOW)) == 4
    emma = third.entrants.get(member__person__given_name="Emma").member_set.get().person
    assert "Emma Martin" in text(organizer.get(page))
    organizer.post(page, {"split": emma.public_id})
    assert len(take_seeds(event=third, league=league, by=cast.organizer, now=NOW)) == 3
    codes = [(entry.code, entry.actor) for entry in LedgerEntry.objects.filter(chain=league.public_id)]
    assert codes.count(("league.players_merged", cast.organizer.public_id)) == 8
    assert codes.count(("league.players_split", cast.organizer.public_id)) == 1 and not list(faults(league.public_id))


def test_the_person_with_an_account_represents_the_player(cast: Cast) -> None:
    person = own_person(cast.player)
    type(person).objects.filter(pk=person.pk).update(given_name="Emma", family_name="Martin", public_name="")
    later = an_evening(cast, *NAMES[1:], played=False)
    register(event=later, person=person, by=cast.player, now=NOW)
    league = a_league(cast, an_evening(cast), later)
    (group,) = [each for each in namesakes_of(league, cast.organizer) if each.name == "Emma Martin"]
    assert group.players[0].has_account
    stays = merge_namesakes(league=league, players=group.ids.split()[::-1], by=cast.organizer, now=NOW)
    assert stays == person
    assert [player.person for player in merged_in(league, cast.organizer)] == [person]


def test_two_of_one_name_at_the_same_event_are_not_all_the_same(cast: Cast) -> None:
    bob = ("Bob", "Smith")
    league = a_league(cast, an_evening(cast, bob, bob), an_evening(cast, bob, ("Ana", "Cruz")))
    (group,) = namesakes_of(league, cast.organizer)
    assert group.apart and len(group.players) == 3
    page = address("league_namesakes", league.public_id)
    assert "not all the same player" in text(signed_in(cast.organizer).get(page))
    with assert_refused("both_entered"):
        same(league, cast.organizer)
    assert not BookEntry.objects.exists()  # all or none
    first, _other, later = group.players
    signed_in(cast.organizer).post(page, {"player": [first.public_id, later.public_id]})
    assert BookEntry.objects.count() == 1


def test_only_managers_see_the_names_and_only_those_of_their_events(cast: Cast) -> None:
    league = a_league(cast, an_evening(cast), an_evening(cast))
    page, api = address("league_namesakes", league.public_id), f"/api/v1/leagues/{league.public_id}/namesakes/"
    ids = namesakes_of(league, cast.organizer)[0].ids.split()
    sent = {"players": ids}
    for user in (cast.scorekeeper, cast.judge, cast.stranger):
        assert signed_in(user).get(page).status_code == signed_in(user).get(api).status_code == 404
        assert signed_in(user).post(api, sent, content_type="application/json").status_code == 404
        assert signed_in(user).post(page, {"same": " ".join(ids)}).status_code == 404
    assert Client().get(page).status_code == 302
    club = create_club(name="Corbeaux", by=cast.organizer, now=NOW)
    grant_role(club=club, email=cast.stranger.email, role=ClubRole.Role.ORGANIZER, by=cast.organizer, now=NOW)
    give_to_club(league=league, club=club, by=cast.organizer, now=NOW)
    # A manager of the club who does not organize the events does not read their full names.
    assert signed_in(cast.stranger).get(api).json()["results"] == []
    assert signed_in(cast.stranger).post(api, sent, content_type="application/json").status_code == 404
    assert not BookEntry.objects.exists()


def test_a_person_of_another_event_cannot_be_merged_or_split(cast: Cast) -> None:
    league = a_league(cast, an_evening(cast))
    other = an_evening(cast)
    ids = [
        entrant.member_set.get().person.public_id
        for event in (other, league.events.get())
        for entrant in event.entrants.all()[:1]
    ]
    with pytest.raises(Http404):
        merge_namesakes(league=league, players=ids, by=cast.organizer, now=NOW)
    with pytest.raises(Http404):
        split_namesake(league=league, player=ids[0], by=cast.organizer, now=NOW)


def test_the_api_lists_merges_and_splits(cast: Cast) -> None:
    league = a_league(cast, an_evening(cast), an_evening(cast))
    organizer, api = signed_in(cast.organizer), f"/api/v1/leagues/{league.public_id}/namesakes/"
    row = organizer.get(api).json()["results"][0]
    assert row["name"] == "Ana Cruz" and not row["apart"] and len(row["players"]) == 2
    ids = [player["id"] for player in row["players"]]
    made = organizer.post(api, {"players": ids}, content_type="application/json")
    assert made.status_code == 200 and made.json()["id"] == ids[0]
    assert len(organizer.get(api).json()["results"]) == 3
    again = organizer.post(api, {"players": ids}, content_type="application/json")
    assert again.json()["code"] == "same_player"
    assert organizer.post(api, {"players": ids[:1]}, content_type="application/json").status_code in (400, 422)
    for _twice in range(2):
        assert organizer.delete(f"{api}{ids[1]}/").status_code == 204
    assert len(organizer.get(api).json()["results"]) == 4


def test_who_comes_back_is_proposed_as_soon_as_they_are_entered(cast: Cast) -> None:
    league = a_league(cast, an_evening(cast), later := an_evening(cast, ("Zoe", "Fox"), played=False))
    desk = address("staff_entrants", later.public_id)
    assert "there twice" not in text(signed_in(cast.organizer).get(desk))
    sent = {"given_name": "Emma", "family_name": "Martin", "another": "1"}
    page = signed_in(cast.organizer).post(address("staff_entrant_add", later.public_id), sent, follow=True)
    assert "In the league Season, 1 name is there twice" in text(page)
    assert address("league_namesakes", league.public_id) in text(page)
    standings = address("league", league.public_id)
    assert "In the league Season, 1 name is there twice" in text(signed_in(cast.organizer).get(standings))
    assert "there twice" not in text(signed_in(cast.scorekeeper).get(desk))
    assert "there twice" not in text(Client().get(standings))


def test_names_of_a_pasted_list_and_before_seeding_are_proposed_too(cast: Cast) -> None:
    league = a_league(cast, an_evening(cast), later := an_evening(cast, ("Zoe", "Fox"), played=False))
    organizer = signed_in(cast.organizer)
    sent = organizer.post(address("staff_import_new", later.public_id), {"names": "Bo Lind\nAna Cruz"})
    done = organizer.post(f"{sent.url}confirm/", follow=True)
    for page in (text(done), text(organizer.get(address("staff_seeds", later.public_id)))):
        assert "In the league Season, 2 names are there twice" in page
    assert len(namesakes_of(league, cast.organizer)) == 2
