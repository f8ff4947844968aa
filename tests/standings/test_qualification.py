"""Qualification: the first players of an event enter another one, once, with places passed down."""

from datetime import timedelta
from functools import partial

import pytest
from django.core import mail
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event, play_out
from tests.cast import Cast
from tests.play.test_races import at_once
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import Person, User
from tournaments.common import jobs, ledger
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.entering import Newcomer, enter_people
from tournaments.events.models import Entrant, EntryInvitation, Event
from tournaments.events.presets import FREE
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.standings.categories import add_category
from tournaments.standings.qualification import candidates_of, qualify
from tournaments.standings.selectors import final_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(cast: Cast) -> Event:
    """An event of six players that is over."""
    event = a_running_event(cast, players=6)
    for _round in range(2):
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    event.refresh_from_db()
    return event


@pytest.fixture
def into(cast: Cast) -> Event:
    """Another event of the organizer, open for registration."""
    return an_open_event(cast)


def persons(source: Event) -> list[Person]:
    """The players, best first."""
    entrants = {entrant.public_id: entrant for entrant in source.entrants.all()}
    return [entrants[row["entrant"]].member_set.get().person for row in final_rows(source)]


def ids(source: Event) -> list[str]:
    return [row["entrant"] for row in final_rows(source)]


def entered(event: Event) -> set[Person]:
    living = event.entrants.exclude(status=Entrant.Status.DROPPED)
    return {entrant.member_set.get().person for entrant in living}


def states(source: Event, into: Event, first: int, **options: object) -> list[str]:
    return [each.state for each in candidates_of(source, into, first=first, **options)]


def send(source: Event, into: Event, cast: Cast, first: int = 2, **options: object) -> int:
    done = qualify(source=source, into=into, first=first, by=cast.organizer, now=NOW, **options)
    return len(done.entrants)


def test_the_first_players_enter_once_and_both_ledgers_say_so(source: Event, into: Event, cast: Cast) -> None:
    assert states(source, into, 2) == ["enters", "enters"]
    assert [send(source, into, cast) for _twice in range(2)] == [2, 0]
    assert entered(into) == set(persons(source)[:2])
    assert states(source, into, 2) == ["qualified", "qualified"]
    (there,) = LedgerEntry.objects.filter(chain=into.public_id, code="entrant.qualified")
    (here,) = LedgerEntry.objects.filter(chain=source.public_id, code="standings.qualified")
    assert (there.object, there.after["entered"]) == (source.public_id, 2)
    assert here.after == {"into": into.public_id, "entrants": ids(source)[:2]}
    assert not list(ledger.faults(into.public_id)) and not list(ledger.faults(source.public_id))


def test_more_places_later_enter_only_those_who_are_missing(source: Event, into: Event, cast: Cast) -> None:
    send(source, into, cast, first=2)
    assert send(source, into, cast, first=3) == 1
    assert entered(into) == set(persons(source)[:3])


def test_the_place_of_who_is_there_declines_or_is_disqualified_goes_to_the_next(
    source: Event, into: Event, cast: Cast
) -> None:
    order = persons(source)
    entrant = Entrant.objects.create(event=into, registered_at=NOW)
    entrant.member_set.create(event=into, person=order[0])
    source.entrants.filter(public_id=ids(source)[2]).update(disqualified=True)
    declined = [ids(source)[1]]
    expected = ["entered", "declined", "disqualified", "enters", "enters"]
    assert states(source, into, 2, declined=declined) == expected
    assert send(source, into, cast, declined=declined) == 2
    assert entered(into) == {order[0], order[3], order[4]}


def test_players_who_dropped_are_passed_over_if_wanted(source: Event, into: Event) -> None:
    source.entrants.filter(public_id=ids(source)[0]).update(status="dropped", dropped_after=2)
    assert states(source, into, 1) == ["dropped", "enters"]
    assert states(source, into, 1, skip_dropped=False) == ["enters"]


def test_the_place_of_a_qualified_player_who_drops_goes_to_the_next(source: Event, into: Event, cast: Cast) -> None:
    send(source, into, cast)
    first = into.entrants.get(member__person=persons(source)[0])
    play.drop(entrant=first, by=cast.organizer, now=NOW)
    assert states(source, into, 2) == ["declined", "qualified", "enters"]
    assert send(source, into, cast) == 1 and persons(source)[2] in entered(into)


def test_those_beyond_the_capacity_are_on_the_waiting_list(source: Event, into: Event, cast: Cast) -> None:
    Event.objects.filter(pk=into.pk).update(capacity=1)
    done = qualify(source=source, into=into, first=3, by=cast.organizer, now=NOW)
    assert ([entrant.status for entrant in done.entrants], done.waiting) == (["registered", "waiting", "waiting"], 2)


def test_an_address_that_the_desk_knows_gets_an_invitation(into: Event, cast: Cast) -> None:
    event = an_open_event(cast, preset=FREE, game_name="Go")
    people = [Newcomer("Ada", email="ada@example.com"), Newcomer("Bo")]
    enter_people(event=event, people=people, by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    mail.outbox.clear()
    assert send(event, into, cast, first=2) == 2
    jobs.run_due(NOW)
    invitation = EntryInvitation.objects.get(entrant__event=into)
    assert invitation.email == "ada@example.com" and invitation.asked_at == NOW
    assert ["ada@example.com"] in [letter.to for letter in mail.outbox]


def test_players_with_an_account_are_notified(source: Event, into: Event, cast: Cast) -> None:
    User.objects.update(email_confirmed_at=NOW)
    mail.outbox.clear()
    send(source, into, cast, first=1)
    jobs.run_due(NOW + timedelta(minutes=30))
    account = persons(source)[0].account
    assert account is not None
    assert any(letter.to == [account.email] and "Qualified" in letter.subject for letter in mail.outbox)


def test_qualification_is_refused_while_a_ranking_can_change_or_an_event_is_over(
    source: Event, into: Event, cast: Cast
) -> None:
    with assert_refused("event_not_over"):
        send(into, an_open_event(cast), cast)
    with assert_refused("same_event"):
        send(source, source, cast)
    for first in (0, 501):
        with assert_refused("out_of_bounds"):
            send(source, into, cast, first=first)
    Event.objects.filter(pk=into.pk).update(status="cancelled")
    with assert_refused("registration_closed"):
        send(source, into, cast)


def test_an_organizer_of_both_events_qualifies_players_on_the_page(source: Event, into: Event, cast: Cast) -> None:
    page, organizer = address("staff_qualify", source.public_id), signed_in(cast.organizer)
    assert address("staff_qualify", source.public_id) in text(organizer.get(address("staff", source.public_id)))
    asked = {"into": into.public_id, "first": "2", "skip_dropped": "on"}
    shown = text(organizer.get(page, asked))
    assert "Enters" in shown and persons(source)[0].full_name in shown
    declined = {**asked, "declined": ids(source)[0]}
    again = text(organizer.post(page, {**declined, "action": "show"}))
    assert "Declines" in again and not entered(into)
    answer = organizer.post(page, {**declined, "action": "enter"})
    assert answer["Location"] == address("staff_entrants", into.public_id)
    assert entered(into) == set(persons(source)[1:3])
    assert organizer.get(page, {**asked, "first": "0"}).status_code == 422
    grant_role(event=source, email=cast.scorekeeper.email, role="organizer", by=cast.organizer, now=NOW)
    other = reverse("api:qualification", args=[source.public_id])
    sent = {"into": into.public_id, "first": 4}
    helper = signed_in(cast.scorekeeper)
    assert helper.post(other, sent, content_type="application/json").status_code == 403
    assert helper.post(page, {**asked, "action": "enter"}).status_code in (403, 422)
    assert len(entered(into)) == 2
    assert an_entrant(into, cast.stranger)


@pytest.mark.django_db(transaction=True)
def test_qualifying_twice_at_once_enters_everybody_once(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=1)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    other = an_open_event(cast)
    act = partial(qualify, source=event, into=other, first=2, by=cast.organizer, now=NOW)
    assert at_once(act, act) == ["done", "done"]
    assert other.entrants.count() == 2
    assert LedgerEntry.objects.filter(chain=other.public_id, code="entrant.qualified").count() == 1


def test_the_data_of_a_player_say_what_they_qualified_from_and_were_picked_for(
    source: Event, into: Event, cast: Cast
) -> None:
    send(source, into, cast, first=1)
    first = ids(source)[0]
    add_category(event=source, name="Best junior", rule="picked", entrants=[first], by=cast.organizer, now=NOW)
    account = persons(source)[0].account
    assert account is not None
    data = text(signed_in(account).get(address("account_data")))
    assert '"Best junior"' in data and f'"{source.public_id}"' in data and "qualified_from" in data
