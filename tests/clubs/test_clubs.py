"""Clubs: roles flow to their events and can be taken back there; a club and its events outlive any one person."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_running_event, an_event, an_open_event
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.accounts.services import erase_account
from tournaments.clubs import services
from tournaments.clubs.access import may, roles_in
from tournaments.clubs.models import Club, ClubEvent, ClubRole
from tournaments.clubs.selectors import events_to_add, events_with_shared_penalties, past, upcoming
from tournaments.common.models import LedgerEntry
from tournaments.events.access import roles_of
from tournaments.events.models import Event, StaffRole
from tournaments.events.services import cancel_event, revoke_role
from tournaments.leagues.access import manages
from tournaments.leagues.selectors import leagues_of, leagues_of_club
from tournaments.leagues.services import create_league, give_to_club


def a_club(cast: Cast, *events: Event) -> Club:
    club = services.create_club(name="Chess and Cards", by=cast.organizer, now=NOW)
    for event in events:
        services.add_event(club=club, event=event, by=cast.organizer, now=NOW)
    return club


def with_role(club: Club, cast: Cast, role: str) -> ClubRole:
    return services.grant_role(club=club, email=str(cast.stranger.email), role=role, by=cast.organizer, now=NOW)


def roles_at(event: Event, user: object) -> set[str]:
    return set(StaffRole.objects.filter(event=event, user=user).values_list("role", flat=True))


def codes(chain: str) -> list[str]:
    return list(LedgerEntry.objects.filter(chain=chain).order_by("number").values_list("code", flat=True))


def test_a_role_in_a_club_is_a_role_at_each_of_its_events_now_and_later(cast):
    first, second = an_event(cast), an_event(cast, name="Second")
    club = a_club(cast, first)
    with_role(club, cast, "head_judge")
    services.add_event(club=club, event=second, by=cast.organizer, now=NOW)
    assert [roles_at(event, cast.stranger) for event in (first, second)] == [{"head_judge"}, {"head_judge"}]
    given = LedgerEntry.objects.filter(chain=second.public_id, code="staff.granted").last()
    assert given is not None and given.after == {"role": "head_judge", "club": club.public_id}


def test_an_event_that_is_over_takes_no_new_roles_and_is_not_taken_into_a_club(cast):
    event = an_event(cast)
    club = a_club(cast, event)
    cancel_event(event=event, by=cast.organizer, now=NOW)
    with_role(club, cast, "judge")
    assert roles_at(event, cast.stranger) == set()
    other = an_event(cast, name="Other")
    cancel_event(event=other, by=cast.organizer, now=NOW)
    with assert_refused("event_state"):
        services.add_event(club=club, event=other, by=cast.organizer, now=NOW)


def test_a_role_is_narrowed_at_one_event_and_stays_at_the_others(cast):
    first, second = an_event(cast), an_event(cast, name="Second")
    club = a_club(cast, first, second)
    with_role(club, cast, "organizer")
    revoke_role(role=StaffRole.objects.get(event=first, user=cast.stranger), by=cast.organizer, now=NOW)
    services.change_club(club=club, by=cast.organizer, now=NOW, place="Lyon")
    assert [roles_at(event, cast.stranger) for event in (first, second)] == [set(), {"organizer"}]
    assert may(cast.stranger, club, "manage")


def test_what_came_from_the_club_goes_with_it_and_what_was_there_before_stays(cast):
    event = an_event(cast)  # at which the judge of the cast is head judge already
    club = a_club(cast, event)
    before = roles_at(event, cast.judge)
    for user, role in ((cast.judge, "head_judge"), (cast.stranger, "judge")):
        services.grant_role(club=club, email=str(user.email), role=role, by=cast.organizer, now=NOW)
    for held in club.roles.exclude(user=cast.organizer):
        services.revoke_role(role=held, by=cast.organizer, now=NOW)
    assert roles_at(event, cast.judge) >= before - {"head_judge"}
    assert ("head_judge" in before) == ("head_judge" in roles_at(event, cast.judge))
    assert roles_at(event, cast.stranger) == set()


def test_giving_an_event_up_takes_the_roles_of_the_club_back(cast):
    event = an_event(cast)
    club = a_club(cast, event)
    with_role(club, cast, "judge")
    services.remove_event(club=club, event=event, by=cast.organizer, now=NOW)
    assert roles_at(event, cast.stranger) == set() and not ClubEvent.objects.exists()
    assert roles_at(event, cast.organizer) == {"owner"}
    assert codes(club.public_id)[-1] == "club.event_removed"


def test_an_event_belongs_to_one_club(cast):
    event = an_event(cast)
    a_club(cast, event)
    other = services.create_club(name="Another", by=cast.organizer, now=NOW)
    with assert_refused("event_elsewhere"):
        services.add_event(club=other, event=event, by=cast.organizer, now=NOW)
    assert not events_to_add(other, cast.organizer).exists()


def test_a_club_is_handed_over_with_one_entry_and_its_events_follow(cast):
    event = an_event(cast)
    club = a_club(cast, event)
    before = codes(club.public_id)
    services.hand_over(club=club, email=str(cast.stranger.email), by=cast.organizer, now=NOW, stay=False)
    assert roles_in(cast.stranger, club) == {"owner"} and roles_in(cast.organizer, club) == set()
    assert "owner" in roles_at(event, cast.stranger)
    assert codes(club.public_id) == [*before, "club.handed_over"]


@pytest.mark.parametrize(("to", "code"), [("organizer", "owner_already"), (None, "account_unknown")])
def test_a_club_is_not_handed_over_to_its_owner_or_to_nobody(cast, to, code):
    email = str(getattr(cast, to).email) if to else "nobody@example.com"
    with assert_refused(code):
        services.hand_over(club=a_club(cast), email=email, by=cast.organizer, now=NOW)


def test_a_club_and_an_event_keep_an_owner(cast):
    event = an_event(cast)
    club = a_club(cast, event)
    with assert_refused("last_owner"):
        services.revoke_role(role=club.roles.get(), by=cast.organizer, now=NOW)
    owner = with_role(club, cast, "owner")
    revoke_role(role=StaffRole.objects.get(event=event, user=cast.organizer, role="owner"), by=cast.organizer, now=NOW)
    services.revoke_role(role=owner, by=cast.organizer, now=NOW)
    assert roles_at(event, cast.stranger) == {"owner"}  # the only one left
    assert roles_in(cast.stranger, club) == set()


def test_an_erased_owner_leaves_the_club_to_its_organizer(cast):
    event = an_event(cast)
    club = a_club(cast, event)
    with_role(club, cast, "organizer")
    erase_account(user=cast.organizer, now=NOW)
    assert roles_in(cast.stranger, club) == {"owner", "organizer"}
    assert {"owner", "organizer"} <= roles_at(event, cast.stranger)


def test_deleting_a_club_leaves_its_events_with_their_staff(cast):
    event = an_event(cast)
    club = a_club(cast, event)
    with_role(club, cast, "judge")
    services.delete_club(club=club, by=cast.organizer, now=NOW)
    services.delete_club(club=club, by=cast.organizer, now=NOW)
    assert roles_at(event, cast.stranger) == {"judge"}
    assert codes(club.public_id)[-1] == "club.deleted" and codes(club.public_id).count("club.deleted") == 1


def test_nothing_is_recorded_twice(cast):
    event = an_event(cast)
    club = a_club(cast, event)
    with_role(club, cast, "judge")
    before = codes(club.public_id)
    with_role(club, cast, "judge")
    services.add_event(club=club, event=event, by=cast.organizer, now=NOW)
    services.change_club(club=club, by=cast.organizer, now=NOW, place=club.place)
    assert codes(club.public_id) == before


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"name": "  "}, "name_missing"),
        ({"about": "x" * 5_001}, "out_of_bounds"),
        ({"penalty_months": 25}, "out_of_bounds"),
    ],
)
def test_a_club_is_refused_what_is_missing_or_too_large(cast, said, code):
    with assert_refused(code):
        services.create_club(**{"name": "Club", **said}, by=cast.organizer, now=NOW)


def test_an_account_owns_twenty_clubs_at_most(cast, monkeypatch):
    monkeypatch.setattr(services, "MAX_CLUBS", 1)
    a_club(cast)
    with assert_refused("too_many_clubs"):
        a_club(cast)


def test_a_venue_is_saved_under_its_name_and_checked(cast):
    club = a_club(cast)
    for hall in ("1 - 40", "1-60"):
        services.save_venue(club=club, name="Town hall", hall=hall, by=cast.organizer, now=NOW)
    assert [(venue.name, venue.hall) for venue in club.venues.all()] == [("Town hall", "1-60")]
    with assert_refused("tables_invalid"):
        services.save_venue(club=club, name="Town hall", hall="x", by=cast.organizer, now=NOW)
    with assert_refused("time_zone_unknown"):
        services.save_venue(club=club, name="Town hall", time_zone="Mars", by=cast.organizer, now=NOW)
    services.delete_venue(venue=club.venues.get(), by=cast.organizer, now=NOW)
    assert not club.venues.exists()


def test_a_club_lists_no_event_that_the_reader_may_not_find(cast):
    draft, open_ = an_event(cast), an_open_event(cast, name="Open")
    club = a_club(cast, draft, open_)
    assert set(upcoming(club, cast.stranger)) == {open_}
    assert set(upcoming(club, cast.organizer)) == {draft, open_}
    cancel_event(event=open_, by=cast.organizer, now=NOW)
    assert set(past(club, cast.stranger)) == {open_}


def test_penalties_of_other_events_are_shown_only_where_the_club_says_so(cast):
    here, there = an_event(cast), an_event(cast, name="There")
    club = a_club(cast, here, there)
    assert events_with_shared_penalties(here, NOW) is None
    services.change_club(club=club, by=cast.organizer, now=NOW, penalty_months=12)
    found = events_with_shared_penalties(here, NOW)
    assert found is not None
    events, since = found
    assert set(events) == {there} and NOW - since == timedelta(days=365.25)
    assert events_with_shared_penalties(an_event(cast, name="Elsewhere"), NOW) is None


def test_a_judge_of_the_club_is_no_judge_of_an_event_of_another(cast):
    event = a_running_event(cast, players=2)
    club = a_club(cast)
    with_role(club, cast, "head_judge")
    assert roles_of(account("Somebody"), event) == roles_of(cast.stranger, event) == frozenset()


def test_a_league_of_a_club_is_managed_by_its_owners_and_organizers(cast):
    club = a_club(cast)
    league = create_league(name="Season", by=cast.organizer, now=NOW)
    with_role(club, cast, "organizer")
    assert not manages(cast.stranger, league)
    give_to_club(league=league, club=club, by=cast.organizer, now=NOW)
    league.refresh_from_db()
    assert manages(cast.stranger, league) and set(leagues_of(cast.stranger)) == {league}
    assert not manages(cast.judge, league) and set(leagues_of_club(club, cast.judge)) == set()
    give_to_club(league=league, club=club, by=cast.organizer, now=NOW)
    assert codes(league.public_id).count("league.club_changed") == 1
    services.delete_club(club=club, by=cast.organizer, now=NOW)
    league.refresh_from_db()
    assert league.club is None and not manages(cast.stranger, league)
