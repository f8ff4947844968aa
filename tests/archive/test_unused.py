"""Accounts that nobody uses are warned and erased, as are people without an account; whoever is needed stays."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import NOW, a_running_event, an_open_event
from tests.cast import Cast, account
from tournaments.accounts import ending
from tournaments.accounts.models import ApiToken, Person, User
from tournaments.accounts.services import create_token, own_person
from tournaments.archive.unused import end_unused
from tournaments.clubs.models import ClubRole
from tournaments.clubs.services import create_club
from tournaments.common import erasures, jobs
from tournaments.events.models import Event
from tournaments.events.services import add_entrant, register
from tournaments.leagues.models import BookEntry

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
LAST = NOW - 100 * DAY  # when the idle account was last used


@pytest.fixture(autouse=True)
def after_a_hundred_days(settings, tmp_path: Path) -> None:
    settings.ERASURE_JOURNAL = str(tmp_path / "erased.jsonl")
    settings.ACCOUNTS_END_AFTER, settings.BOOK_ENTRIES_END_AFTER = 100, 100


@pytest.fixture
def idle(cast: Cast) -> User:
    """The account "stranger", last used 100 days ago; nobody else ends in these tests."""
    User.objects.update(date_joined=LAST + 9999 * DAY)
    User.objects.filter(pk=cast.stranger.pk).update(date_joined=LAST - DAY, last_login=LAST, email_confirmed_at=LAST)
    cast.stranger.refresh_from_db()
    return cast.stranger


def erased(user: User) -> bool:
    user.refresh_from_db()
    return not user.is_active


def run(*days: int) -> list[tuple[int, int]]:
    """Run the job so many days after `LAST` each; how many accounts it warned and erased."""
    found = [end_unused(now=LAST + day * DAY) for day in days]
    return [(each.warned, each.accounts) for each in found]


def test_an_unused_account_gets_an_email_and_is_erased_thirty_days_later(
    idle: User, django_capture_on_commit_callbacks: Any
) -> None:
    address = idle.email
    assert run(69) == [(0, 0)] and run(71, 72) == [(1, 0), (0, 0)]
    jobs.run_due(LAST + 72 * DAY)
    (letter,) = mail.outbox
    assert letter.to == [address] and "will be erased" in letter.subject and "/sign-in/" in letter.body
    last_day = (LAST + 101 * DAY).strftime("%Y")
    assert last_day in letter.body
    assert run(100) == [(0, 0)] and not erased(idle)
    with django_capture_on_commit_callbacks(execute=True):
        assert run(102, 103) == [(0, 1), (0, 0)] and erased(idle)
    assert idle.public_id in erasures.read()


def test_an_account_that_was_never_warned_has_thirty_days_however_old_it_is(idle: User) -> None:
    assert run(1000, 1029) == [(1, 0), (0, 0)] and not erased(idle)
    assert run(1030) == [(0, 1)] and erased(idle)


def test_who_signs_in_after_the_warning_keeps_the_account_and_is_warned_again_later(idle: User) -> None:
    assert run(75) == [(1, 0)]
    User.objects.filter(pk=idle.pk).update(last_login=LAST + 80 * DAY)
    assert run(106) == [(0, 0)] and not erased(idle) and idle.end_warned_at is None
    assert run(155) == [(1, 0)], "counted anew, and warned anew"
    assert run(184, 186) == [(0, 0), (0, 1)]


def test_no_email_goes_out_when_somebody_signed_in_before_it_was_sent(idle: User) -> None:
    run(75)
    User.objects.filter(pk=idle.pk).update(last_login=LAST + 75 * DAY)
    run(76)
    jobs.run_due(LAST + 76 * DAY)
    assert mail.outbox == []


def test_an_unconfirmed_address_gets_no_email(idle: User) -> None:
    User.objects.filter(pk=idle.pk).update(email_confirmed_at=None)
    assert run(75, 106) == [(1, 0), (0, 1)]
    jobs.run_due(LAST + 106 * DAY)
    assert mail.outbox == []


def test_zero_days_mean_never(idle: User, settings) -> None:
    settings.ACCOUNTS_END_AFTER = settings.BOOK_ENTRIES_END_AFTER = 0
    assert run(1000, 2000) == [(0, 0), (0, 0)] and not erased(idle)


def browser(user: User, cast: Cast) -> None:
    Session.objects.create(session_key="k", session_data="", expire_date=LAST + 90 * DAY)
    UserSession.objects.create(user=user, ip="127.0.0.1", session_key="k", user_agent="x", last_seen_at=LAST)
    end_unused(now=LAST + 60 * DAY)


def token(user: User, cast: Cast) -> None:
    create_token(user=user, name="Program", scopes=["read"], now=LAST, days=None)
    ApiToken.objects.update(last_used_on=(LAST + 60 * DAY).date())


def entry(user: User, cast: Cast) -> None:
    event = an_open_event(cast)
    register(event=event, person=own_person(user), by=user, now=NOW)
    Event.objects.update(status=Event.Status.ARCHIVED)
    event.entrants.update(registered_at=LAST + 60 * DAY)


@pytest.mark.parametrize("use", [browser, token, entry])
def test_a_browser_a_token_and_an_entry_are_uses(use: Callable[[User, Cast], None], idle: User, cast: Cast) -> None:
    use(idle, cast)
    assert run(125) == [(0, 0)]
    assert run(131) == [(1, 0)], "a hundred days after the use, less thirty"


def operator(user: User, cast: Cast) -> None:
    User.objects.filter(pk=user.pk).update(is_superuser=True)


def player(user: User, cast: Cast) -> None:
    event = an_open_event(cast)
    register(event=event, person=own_person(user), by=user, now=NOW)
    event.entrants.update(registered_at=LAST)


def staff(user: User, cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    event.staff_roles.create(user=user, role="judge")


def only_owner(user: User, cast: Cast) -> None:
    club = create_club(name="Ours", by=user, now=LAST)
    ClubRole.objects.create(club=club, user=cast.judge, role="judge")


@pytest.mark.parametrize("needed", [operator, player, staff, only_owner])
def test_an_account_that_is_needed_is_kept(needed: Callable[[User, Cast], None], idle: User, cast: Cast) -> None:
    needed(idle, cast)
    assert run(200, 300) == [(0, 0), (0, 0)] and not erased(idle)
    Event.objects.update(status=Event.Status.ARCHIVED)
    ClubRole.objects.exclude(user=idle).delete()
    User.objects.update(is_superuser=False)
    assert run(400, 430) == [(1, 0), (0, 1)] and erased(idle), "and ends once it is no longer needed"


def test_an_account_that_became_needed_after_the_warning_is_kept(idle: User, cast: Cast) -> None:
    assert run(75) == [(1, 0)]
    staff(idle, cast)
    assert run(110) == [(0, 0)] and not erased(idle) and idle.end_warned_at is None


def test_a_club_with_another_owner_does_not_keep_an_account(idle: User, cast: Cast) -> None:
    club = create_club(name="Ours", by=idle, now=LAST)
    ClubRole.objects.create(club=club, user=cast.judge, role="owner")
    assert run(100, 130) == [(1, 0), (0, 1)]
    assert Group.objects.count() == 1 and club.roles.get().user == cast.judge


def test_an_account_that_is_used_at_the_last_moment_is_kept(idle: User) -> None:
    run(75)
    now = LAST + 110 * DAY
    unused = ending.unused_since(now - 100 * DAY)
    assert unused.filter(pk=idle.pk).exists()
    User.objects.filter(pk=idle.pk).update(last_login=now)
    assert not ending.end(user=idle, unused=unused, now=now) and not erased(idle)


def test_many_accounts_are_ended_over_several_days(idle: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.archive.unused.AT_ONCE", 2)
    more = [account(f"Idle {number}") for number in range(4)]
    User.objects.filter(pk__in=[user.pk for user in more]).update(date_joined=LAST)
    assert run(75, 76, 77, 78) == [(2, 0), (2, 0), (1, 0), (0, 0)]
    assert run(108, 109, 110, 111) == [(0, 2), (0, 2), (0, 1), (0, 0)]


def test_a_day_without_anything_to_do_takes_the_same_queries_however_many_accounts_there_are(cast: Cast) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            end_unused(now=NOW)
        return len(captured)

    few = queries()
    for number in range(5):
        account(f"Busy {number}")
    assert queries() == few <= 8


def walk_in(event: Event, cast: Cast, name: str, at: datetime) -> Person:
    entrant = add_entrant(event=event, given_name=name, family_name="", by=cast.scorekeeper, now=NOW)
    event.entrants.filter(pk=entrant.pk).update(registered_at=at)
    return entrant.members.get()


def named() -> set[str]:
    end_unused(now=LAST + 100 * DAY + timedelta(hours=1))
    return set(Person.objects.filter(account=None, erased_at=None).values_list("given_name", flat=True))


def test_people_without_an_account_are_erased_when_they_have_entered_nothing_for_long(
    cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    event = an_open_event(cast)
    old = walk_in(event, cast, "Old", LAST)
    walk_in(event, cast, "New", LAST + DAY)
    assert named() == {"Old", "New"}, "the event is not over"
    Event.objects.update(status=Event.Status.FINISHED)
    with django_capture_on_commit_callbacks(execute=True):
        assert named() == {"New"}
    assert event.entrants.filter(members=old).exists() and old.public_id in erasures.read()


def test_who_was_checked_in_lately_is_kept(cast: Cast) -> None:
    event = an_open_event(cast)
    walk_in(event, cast, "Old", LAST)
    Event.objects.update(status=Event.Status.FINISHED)
    event.entrants.update(checked_in_at=LAST + 2 * DAY)
    assert named() == {"Old"}


@pytest.mark.parametrize("old_is_merged", [True, False])
def test_a_walk_in_merged_with_one_seen_lately_is_kept(old_is_merged: bool, cast: Cast) -> None:
    event = an_open_event(cast)
    old, new = walk_in(event, cast, "Old", LAST), walk_in(event, cast, "New", LAST + DAY)
    Event.objects.update(status=Event.Status.FINISHED)
    person, same = (old, new) if old_is_merged else (new, old)
    BookEntry.objects.create(owner=cast.organizer, person=person, same_as=same)
    assert named() == {"Old", "New"}
    event.entrants.update(registered_at=LAST)
    assert named() == set()
