"""Following events and players: bounded, seen by nobody else, and letters only for who asked for them."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import (
    NOW,
    a_published_round,
    a_running_event,
    a_stage_played,
    an_entrant,
    an_event,
    an_open_event,
    play_out,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.common import jobs
from tournaments.common.refusals import Refusal
from tournaments.decks.services import lock_decks
from tournaments.events.models import Event
from tournaments.events.services import open_registration
from tournaments.events.visibility import PRESETS
from tournaments.notices.models import KINDS, Channel, Kind
from tournaments.notices.selectors import wanted_kinds
from tournaments.notices.services import choose_notices, silence
from tournaments.play import services as play
from tournaments.profiles import services
from tournaments.profiles.models import Follow
from tournaments.profiles.selectors import followed_now, follows_event, follows_of
from tournaments.profiles.services import follow_event, follow_player, show_profile, stop_following

pytestmark = pytest.mark.django_db
EVERYTHING = KINDS[Channel.LETTER]


def told(now=NOW) -> list[str]:
    """Run the due jobs and return the subjects of the e-mails that the stranger got."""
    mail.outbox.clear()
    jobs.run_due(now)
    return [letter.subject for letter in mail.outbox if letter.to == ["stranger@example.com"]]


@pytest.fixture
def follower(cast: Cast) -> User:
    """The stranger, who wants letters about what they follow."""
    User.objects.update(email_confirmed_at=NOW)
    choose_notices(user=cast.stranger, kinds=EVERYTHING)
    return cast.stranger


def test_an_event_is_followed_once_and_no_longer_when_stopped(cast: Cast) -> None:
    event = an_open_event(cast)
    for _again in range(2):
        follow_event(user=cast.stranger, event=event, now=NOW)
    assert Follow.objects.count() == 1 and follows_event(cast.stranger, event)
    for _again in range(2):
        stop_following(user=cast.stranger, event=event)
    assert not follows_event(cast.stranger, event)


def test_an_account_follows_a_limited_number(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_FOLLOWS", 1)
    event = an_open_event(cast)
    follow_event(user=cast.stranger, event=event, now=NOW)
    with assert_refused("too_many_follows"):
        follow_player(user=cast.stranger, profile=show_profile(person=own_person(cast.player), now=NOW), now=NOW)
    follow_event(user=cast.stranger, event=event, now=NOW)  # already followed


@pytest.mark.django_db(transaction=True)
def test_the_limit_holds_when_several_events_are_followed_at_the_same_time(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_FOLLOWS", 2)
    events = [an_open_event(cast, name=f"Open {number}") for number in range(5)]

    def follow(event: Event) -> None:
        try:
            with suppress(Refusal):
                follow_event(user=cast.stranger, event=event, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(follow, events))
    assert Follow.objects.count() == 2


def test_an_event_that_is_hidden_again_is_not_listed(cast: Cast) -> None:
    event = an_open_event(cast)
    follow_event(user=cast.stranger, event=event, now=NOW)
    assert [follow.event for follow in follows_of(cast.stranger)] == [event]
    Event.objects.filter(pk=event.pk).update(status=Event.Status.DRAFT)
    assert list(follows_of(cast.stranger)) == []


def test_what_is_followed_shows_live_events_the_next_and_the_last(cast: Cast) -> None:
    running = a_running_event(cast, players=2)
    coming, over = an_open_event(cast, name="Next"), an_open_event(cast, name="Last")
    Event.objects.filter(pk=coming.pk).update(starts_at=NOW + timedelta(days=1))
    Event.objects.filter(pk=over.pk).update(status=Event.Status.FINISHED)
    follow_player(user=cast.stranger, profile=show_profile(person=own_person(cast.player), now=NOW), now=NOW)
    for event in (coming, over):
        follow_event(user=cast.stranger, event=event, now=NOW)
    round_ = a_published_round(running, cast.organizer)
    play_out(round_, cast.organizer)
    jobs.run_due(NOW)
    with CaptureQueriesContext(connection) as taken:
        found = followed_now(cast.stranger, NOW)
    assert [[line.event for line in part] for part in (found.live, found.coming, found.over)] == [
        [running],
        [coming],
        [over],
    ]
    (player,) = found.live[0].players
    assert (player.name, player.place.players) == ("Player 1", 2)
    assert len(taken) == 7
    assert not followed_now(cast.player, NOW)


def test_letters_about_what_one_follows_are_off_at_first(cast: Cast) -> None:
    assert Kind.FOLLOWED not in wanted_kinds(cast.stranger)
    choose_notices(user=cast.stranger, kinds=[Kind.FOLLOWED])
    assert wanted_kinds(cast.stranger) == [Kind.FOLLOWED]
    silence(user=cast.stranger, kind=Kind.FOLLOWED)
    assert wanted_kinds(cast.stranger) == []
    choose_notices(user=cast.stranger, kinds=[])
    assert wanted_kinds(cast.stranger) == []


def test_followers_hear_of_registration_start_and_final_standings(cast: Cast, follower: User) -> None:
    event = an_event(cast)
    follow_event(user=follower, event=event, now=NOW)
    open_registration(event=event, by=cast.organizer, now=NOW)
    assert told() == ["Registration is open: Spring Open"]
    for user in (cast.player, cast.opponent):
        an_entrant(event, user)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    assert told() == ["Spring Open has started"]
    a_stage_played(event, cast.organizer, 1)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert told() == ["Final standings: Spring Open"]
    assert "because you follow Spring Open" in mail.outbox[0].body


def test_no_letter_for_who_has_not_asked_does_not_follow_or_plays(cast: Cast, follower: User) -> None:
    event = a_running_event(cast, players=2)
    mail.outbox.clear()
    choose_notices(user=cast.player, kinds=[Kind.FOLLOWED])
    follow_event(user=cast.player, event=event, now=NOW)
    follow_event(user=cast.judge, event=event, now=NOW)
    jobs.run_due(NOW)
    assert [letter.to for letter in mail.outbox if "follow" in letter.body] == []


def test_final_standings_that_are_hidden_are_not_announced(cast: Cast, follower: User) -> None:
    event = a_running_event(cast, players=2)
    told()
    Event.objects.filter(pk=event.pk).update(visibility=PRESETS["players"])
    follow_event(user=follower, event=event, now=NOW)
    event.refresh_from_db()
    a_stage_played(event, cast.organizer, 1)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert told() == []


def test_the_letter_waits_until_registration_opens(cast: Cast, follower: User) -> None:
    event = an_event(cast)
    opens = NOW + timedelta(days=2)
    Event.objects.filter(pk=event.pk).update(registration_opens_at=opens)
    follow_event(user=follower, event=event, now=NOW)
    event.refresh_from_db()
    open_registration(event=event, by=cast.organizer, now=NOW)
    assert told() == []
    later = opens + timedelta(days=1)
    Event.objects.filter(pk=event.pk).update(registration_opens_at=later)
    assert told(opens) == []
    assert told(later) == ["Registration is open: Spring Open"]
