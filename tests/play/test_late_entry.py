"""Late entries: whether and up to which round the procedures allow them, and until when their lists may come in."""

import pytest

from tests.builders import (
    NOW,
    a_pool,
    a_published_round,
    a_running_event,
    a_running_team_event,
    a_sealed_event,
    deck_text,
    play_out,
    sealed_texts,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import Person
from tournaments.accounts.services import own_person
from tournaments.archive.present import verify_event
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.decks.selectors import can_submit_list, current_list
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.services import register
from tournaments.events.teams import NewTeam
from tournaments.play import services as play
from tournaments.play.services import enter_late
from tournaments.play.services.repairs import repairs_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rule", "open_"), [({}, True), ({"last_round": 2}, True), ({"last_round": 1}, False), ({"allowed": False}, False)]
)
def test_late_entries_after_round_1_follow_the_procedures(cast: Cast, rule: dict[str, object], open_: bool) -> None:
    event = a_running_event(cast, players=2)
    Event.objects.update(procedures={"late_entry": rule})
    a_published_round(event, cast.organizer)
    if open_:
        assert enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW).seats.count() == 1
    else:
        with assert_refused("late_entry_closed"):
            enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)


# ------------------------------------------------------------------------------------------------- the list


@pytest.fixture
def event(cast: Cast) -> Event:
    event = a_running_event(cast, players=3)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return event


@pytest.fixture
def late(cast: Cast, event: Event) -> Entrant:
    """A late entrant who belongs to the stranger's account."""
    made = enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    Person.objects.filter(member__entrant=made).update(account=cast.stranger)
    return Entrant.objects.select_related("event").get(pk=made.pk)


def submit(late: Entrant, by: object, text: str = "") -> object:
    return submit_decklist(entrant=late, text=text or deck_text(8), by=by, now=NOW)


def test_a_late_entrant_can_submit_lists_until_the_first_pairing_is_published(cast: Cast, late: Entrant) -> None:
    assert submit(late, cast.stranger, "1 " + deck_text(8).splitlines()[1].split(" ", 1)[1]).legal is False
    assert submit(late, cast.stranger).legal
    draft = play.pair_round(stage=late.event.stages.get(), by=cast.organizer, now=NOW)
    assert submit(late, cast.stranger, deck_text(9)).version == 3
    play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    with assert_refused("decks_locked"):
        submit(late, cast.stranger)
    play.unpublish_round(round_=draft, by=cast.organizer, now=NOW)
    assert can_submit_list(late, NOW)


def test_the_lists_of_other_entrants_stay_locked(cast: Cast, event: Event, late: Entrant) -> None:
    other = Entrant.objects.select_related("event").get(event=event, member__person__account=cast.player)
    with assert_refused("decks_locked"):
        submit(other, cast.player)


def test_a_bye_does_not_lock_the_list_of_a_late_entrant(cast: Cast, event: Event) -> None:
    event = a_running_event(cast, players=2, name="Another", named="Other")
    round_ = a_published_round(event, cast.organizer)
    late = enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    (way,) = [way for way in repairs_of(round_) if not way.choice.changes[0].was]
    play.repair_round(round_=round_, way=way.key, by=cast.organizer, now=NOW)
    assert late.seats.get().match.kind == "bye" and can_submit_list(late, NOW)


def test_the_page_shows_the_deadline_and_accepts_the_list(cast: Cast, event: Event, late: Entrant) -> None:
    client, page = signed_in(cast.stranger), address("deck", event.public_id)
    for shown in (page, address("me", event.public_id)):
        assert "until your first pairing is published" in text(client.get(shown))
    assert client.post(page, {"text": deck_text(8)}).status_code == 302
    a_published_round(event, cast.organizer)
    assert "until your first pairing is published" not in text(client.get(page))
    assert 'name="text"' not in text(client.get(page))


def test_staff_can_enter_the_list_of_a_late_entrant(cast: Cast, event: Event, late: Entrant) -> None:
    page = address("staff_paper_list", event.public_id, late.public_id)
    assert page in text(signed_in(cast.scorekeeper).get(address("staff_entrants", event.public_id)))
    assert signed_in(cast.scorekeeper).post(page, {"text": deck_text(8)}).status_code == 302
    assert current_list(late, event.stages.get()).legal
    a_published_round(event, cast.organizer)
    assert signed_in(cast.scorekeeper).post(page, {"text": deck_text(9)}).status_code in (409, 422)


def test_merging_a_late_entry_into_one_that_has_played_locks_its_list(cast: Cast, event: Event, late: Entrant) -> None:
    other = Entrant.objects.get(event=event, member__person__account=cast.player)
    Person.objects.filter(member__entrant=late).update(account=None)
    kept = play.merge_entrants(entrant=late, into=other, by=cast.organizer, now=NOW)
    assert not can_submit_list(Entrant.objects.select_related("event").get(pk=kept.pk), NOW)


def test_a_late_entrant_of_a_limited_event_can_register_a_pool_too(cast: Cast) -> None:
    event = a_sealed_event(cast)
    for seed, user in ((1, cast.player), (2, cast.opponent)):
        entrant = register(event=event, person=own_person(user), by=user, now=NOW)
        a_pool(entrant, user, seed)
        submit_decklist(entrant=entrant, text=sealed_texts(seed)[1], by=user, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    late = enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    page = address("staff_type_pool", event.public_id, late.public_id)
    desk = signed_in(cast.scorekeeper)
    overview = text(desk.get(address("staff_pools", event.public_id)))
    assert page in overview and overview.count("Type a pool") == 1
    with assert_refused("decks_locked"):
        a_pool(entrant, cast.opponent, 4)
    assert desk.post(page, {"text": sealed_texts(3)[0]}).status_code == 302
    assert submit(late, cast.scorekeeper, sealed_texts(3)[1]).legal
    a_published_round(event, cast.organizer)
    play_out(event.stages.get().rounds.get(), cast.organizer)
    a_published_round(event, cast.organizer)
    with assert_refused("decks_locked"):
        a_pool(late, cast.scorekeeper, 4)


# ------------------------------------------------------------------------------------------------- teams


def test_a_team_that_comes_after_round_1_has_lost_it_and_plays_the_next(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=3, size=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    new = NewTeam("Late ones", ("Lia", "Leo"))
    (team,) = play.enter_teams_at_desk(event=event, teams=[new], by=cast.scorekeeper, now=NOW)
    assert [(seat.match.kind, seat.points) for seat in team.seats.all()] == [("missed", 0)]
    assert LedgerEntry.objects.get(code="entrant.late").after == {"missed": 1}
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get(seats__entrant=team)
    assert (match.table is not None, match.boards.count()) == (True, 2)
    assert verify_event(event).faults == ()


def test_a_late_team_that_is_incomplete_is_refused_by_name(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    a_published_round(event, cast.organizer)
    new = [NewTeam("Whole", ("Lia", "Leo")), NewTeam("Half", ("Max",))]
    with pytest.raises(Refusal) as refused:
        play.enter_teams_at_desk(event=event, teams=new, by=cast.scorekeeper, now=NOW)
    assert (refused.value.code, refused.value.details) == ("team_incomplete", ["Half"])
    assert event.entrants.count() == 2
    page = signed_in(cast.scorekeeper).post(address("staff_teams_add", event.public_id), {"teams": "Half: Max"})
    assert page.status_code == 409 and "Half: a team that enters" in text(page)


@pytest.mark.parametrize(("rule", "open_"), [({"last_round": 2}, True), ({"allowed": False}, False)])
def test_late_teams_follow_the_procedures(cast: Cast, rule: dict[str, object], open_: bool) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    Event.objects.update(procedures={"late_entry": rule})
    a_published_round(event, cast.organizer)
    sent = {"teams": "Foxes: Lia, Leo"}
    answer = signed_in(cast.scorekeeper).post(address("staff_teams_add", event.public_id), sent)
    assert (answer.status_code, event.entrants.count()) == ((302, 3) if open_ else (409, 2))


def test_a_late_team_finds_no_place_in_a_full_event(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2, size=2)
    Event.objects.update(capacity=3)
    a_published_round(event, cast.organizer)
    new = [NewTeam("One", ("Lia", "Leo")), NewTeam("Two", ("Max", "Mia"))]
    with assert_refused("event_full"):
        play.enter_teams_at_desk(event=event, teams=new, by=cast.scorekeeper, now=NOW)
    assert event.entrants.count() == 2
