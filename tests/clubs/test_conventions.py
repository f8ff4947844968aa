"""Conventions share a hall: no two events get the same table at the same time, or nothing changes."""

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import NOW, a_running_event, an_event
from tests.cast import Cast
from tests.clubs.test_clubs import a_club
from tests.refusals import assert_refused
from tournaments.clubs import conventions, services
from tournaments.clubs.models import Convention
from tournaments.common.models import LedgerEntry
from tournaments.events.hall_tables import tables_in, tables_of
from tournaments.events.models import Event
from tournaments.events.overlaps import hours_of, sized

DAYS = {"first_day": date(2026, 3, 7), "last_day": date(2026, 3, 8)}


def a_convention(cast: Cast, *events: Event, hall: str = "1-40") -> Convention:
    club = a_club(cast, *events)
    made = conventions.create_convention(club=club, name="Winter", hall=hall, by=cast.organizer, now=NOW, **DAYS)
    for event in events:
        conventions.include(convention=made, event=event, by=cast.organizer, now=NOW)
    return made


def at(cast: Cast, hour: int, players: int, name: str) -> Event:
    return an_event(cast, name=name, starts_at=NOW + timedelta(hours=hour), capacity=players, rounds=3)


def test_events_at_overlapping_hours_get_different_tables_side_by_side(cast):
    events = at(cast, 0, 16, "One"), at(cast, 1, 8, "Two"), at(cast, 12, 20, "Late")
    made = a_convention(cast, *events)
    conventions.share_out(convention=made, by=cast.organizer, now=NOW)
    found = [conventions._share(event).tables for event in sized(Event.objects.order_by("starts_at"))]
    assert found == [tuple(range(1, 9)), tuple(range(9, 13)), tuple(range(1, 11))]
    assert not any(share.clashes for share in conventions.shares_of(made))


def test_a_hall_that_is_too_small_changes_nothing_and_says_by_how_much(cast):
    one, two = at(cast, 0, 16, "One"), at(cast, 1, 16, "Two")
    made = a_convention(cast, one, two, hall="1-12")
    with assert_refused("hall_too_small") as refused:
        conventions.share_out(convention=made, by=cast.organizer, now=NOW)
    assert refused.value.details == [two.public_id, 8, 4]
    assert [share.listed for share in conventions.shares_of(made)] == [False, False]


def test_an_event_that_has_begun_keeps_its_tables(cast):
    running = a_running_event(cast, players=4, starts_at=NOW)
    running.stages.update(hall="3-4")
    made = a_convention(cast, running, at(cast, 0, 8, "Next"), hall="1-8")
    conventions.share_out(convention=made, by=cast.organizer, now=NOW)
    tables = {share.event.name: share.tables for share in conventions.shares_of(made)}
    assert tables[running.name] == (3, 4) and tables["Next"] == (5, 6, 7, 8)


def test_an_event_that_has_begun_without_a_list_uses_its_first_tables(cast):
    running = a_running_event(cast, players=4, starts_at=NOW)
    made = a_convention(cast, running, at(cast, 0, 4, "Next"), hall="1-8")
    assert all(share.clashes for share in conventions.shares_of(made))  # both count from 1
    conventions.share_out(convention=made, by=cast.organizer, now=NOW)
    tables = {share.event.name: share.tables for share in conventions.shares_of(made)}
    assert tables == {running.name: (1, 2), "Next": (3, 4)}


def test_clashes_of_tables_that_somebody_chose_are_shown(cast):
    one, two = at(cast, 0, 8, "One"), at(cast, 1, 8, "Two")
    one.stages.update(hall="1-6")
    two.stages.update(hall="5-8")
    shares = conventions.shares_of(a_convention(cast, one, two))
    assert [share.clashes for share in shares] == [((two, "5-6"),), ((one, "5-6"),)]


def test_without_a_hall_nothing_is_shared_out(cast):
    with assert_refused("hall_missing"):
        conventions.share_out(convention=a_convention(cast, hall=""), by=cast.organizer, now=NOW)


def test_only_events_of_the_club_belong_to_its_convention(cast):
    made = a_convention(cast)
    with assert_refused("event_not_of_club"):
        conventions.include(convention=made, event=an_event(cast), by=cast.organizer, now=NOW)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"name": " "}, "name_missing"),
        ({"last_day": date(2026, 3, 6)}, "days_wrong"),
        ({"last_day": date(2026, 5, 6)}, "days_wrong"),
        ({"hall": "40-1"}, "tables_invalid"),
        ({"about": "x" * 5_001}, "out_of_bounds"),
    ],
)
def test_a_convention_is_refused_what_is_missing_or_wrong(cast, said, code):
    with assert_refused(code):
        conventions.create_convention(club=a_club(cast), by=cast.organizer, now=NOW, **{"name": "W", **DAYS, **said})


def test_taking_an_event_out_and_deleting_a_convention_leave_the_event_with_the_club(cast):
    one, two = at(cast, 0, 8, "One"), at(cast, 1, 8, "Two")
    made = a_convention(cast, one, two)
    conventions.leave_out(convention=made, event=one, by=cast.organizer, now=NOW)
    assert [share.event for share in conventions.shares_of(made)] == [two]
    conventions.delete_convention(convention=made, by=cast.organizer, now=NOW)
    assert made.club.entries.filter(convention=None).count() == 2
    last = LedgerEntry.objects.filter(chain=made.club.public_id).order_by("number").last()
    assert last is not None and last.code == "club.convention_deleted"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    plan=st.lists(st.tuples(st.integers(0, 30), st.integers(2, 40)), min_size=1, max_size=6),
    hall=st.sampled_from(["1-60", "1-20,31-70", "5,7,9-60"]),
)
@pytest.mark.slow
def test_no_table_is_given_twice_at_one_time_or_nothing_is_given(cast, plan, hall):
    Event.objects.all().delete()
    events = [at(cast, hour, players, f"Event {number}") for number, (hour, players) in enumerate(plan)]
    club = services.create_club(name="Club", by=cast.organizer, now=NOW)
    for event in events:
        services.add_event(club=club, event=event, by=cast.organizer, now=NOW)
    made = conventions.create_convention(club=club, name="W", hall=hall, by=cast.organizer, now=NOW, **DAYS)
    for event in events:
        conventions.include(convention=made, event=event, by=cast.organizer, now=NOW)
    try:
        conventions.share_out(convention=made, by=cast.organizer, now=NOW)
    except services.Refusal as refused:
        assert refused.code == "hall_too_small"
        assert all(not stage.hall for event in events for stage in event.stages.all())
    loaded = sized(Event.objects.all())
    given = {event.pk: {table for stage in event.stages.all() for table in tables_of(stage)} for event in loaded}
    for event in loaded:
        assert given[event.pk] <= set(tables_in(hall))
        for other in loaded:
            start, end = hours_of(event)
            if other.pk != event.pk and hours_of(other)[0] < end and start < hours_of(other)[1]:
                assert not given[event.pk] & given[other.pk]
    club.delete()
