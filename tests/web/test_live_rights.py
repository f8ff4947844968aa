"""A live stream lasts only as long as its reader has the right to it: a test for each way of losing it.

They run the stream's ASGI application against the real database, with the cookies of a signed-in browser.
"""

import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connections, transaction
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event, match_of
from tests.cast import PASSWORD, Cast
from tests.web.test_live import Browser
from tournaments.accounts.models import RightsChange
from tournaments.accounts.rights_changes import KEPT, forget_changes
from tournaments.accounts.services import erase_account, own_person
from tournaments.clubs import services as clubs
from tournaments.clubs.models import ClubRole
from tournaments.common import ledger
from tournaments.common.clock import now
from tournaments.events.claims import claim_signature
from tournaments.events.joining import join_signature
from tournaments.events.listing import renew_join_link
from tournaments.events.models import Event, Guest, StaffRole
from tournaments.events.registration import choose_registration
from tournaments.events.seats import seat_signature
from tournaments.events.services import add_entrant, choose_visibility, register, revoke_role
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.web.live.rights import Rights, check
from tournaments.web.live.streams import LiveStreams

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 30  # seconds: far more than a busy machine needs


class Page:
    """A page that somebody has open: the address of its stream, and the cookies of the browser."""

    def __init__(self, client: Client, path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 200, path
        self.client = client
        self.address = answer.content.decode().split('data-live-stream="')[1].split('"')[0].replace("&amp;", "&")

    def stream(self, app: Any) -> Browser:
        """Open the stream with the cookies that the browser has now."""
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self.client.cookies.items())
        path, _, query = self.address.partition("?")
        return Browser(app, path, query, {"cookie": cookies} if cookies else None)


def signed_in(user: Any) -> Client:
    client = Client()
    assert client.login(username=user.email, password=PASSWORD)
    return client


def page_of(user: Any, event: Event, name: str = "event") -> Page:
    return Page(signed_in(user) if user else Client(), reverse(f"web:{name}", args=[event.public_id]))


def processes(number: int = 2) -> list[LiveStreams]:
    """Web processes: each has its own connections and hears of changes from the database alone."""
    return [LiveStreams(gather_seconds=0.01) for _ in range(number)]


async def status(browser: Browser) -> int:
    answer = await browser.next(PATIENCE)
    if answer["status"] == 200:
        await browser.leave()
    return int(answer["status"])


async def opened(page: Page, app: Any) -> Browser:
    browser = page.stream(app)
    assert (await browser.next(PATIENCE))["status"] == 200
    return browser


async def rest(browser: Browser) -> str:
    """Everything that is sent until the server ends the stream."""
    said = ""
    while (part := await browser.next(PATIENCE)).get("more_body"):
        said += part["body"].decode()
    await asyncio.wait_for(browser.task, PATIENCE)
    return said


async def revision(browser: Browser) -> None:
    """Wait for the next message about a change."""
    while "event: revision" not in (part := await browser.next(PATIENCE))["body"].decode():
        assert part["more_body"], "the stream ended"


async def done(act: Callable[[], object]) -> None:
    """Run what another process does."""

    def run() -> None:
        try:
            act()
        finally:
            connections.close_all()

    await asyncio.to_thread(run)


def ends(page: Page, act: Callable[[], object], *, stays: Page, again: int = 403) -> None:
    """Let something happen, and check that it ends the stream of `page` in every process, and no stream of `stays`.

    Nothing that happens from then on is sent to it, and the same address does not open again.
    """

    async def scene() -> None:
        apps = processes()
        lost, kept = [[await opened(each, app) for app in apps] for each in (page, stays)]
        await done(act)
        for said in [await rest(browser) for browser in lost]:
            assert "event: revision" not in said, "it is not even told of the change"
        assert [await status(page.stream(app)) for app in [*apps, *processes(1)]] == [again] * 3
        for browser in kept:
            assert not browser.task.done()
            await browser.leave()

    asyncio.run(scene())


def told(page: Page, act: Callable[[], object]) -> None:
    """Let something happen, and check that the stream of `page` stays open and tells of it."""

    async def scene() -> None:
        (app,) = processes(1)
        browser = await opened(page, app)
        await done(act)
        await revision(browser)
        await browser.leave()
        assert await status(page.stream(app)) == 200

    asyncio.run(scene())


def changed(event: Event) -> None:
    """Let something happen at an event that changes nobody's rights."""
    with transaction.atomic():
        ledger.record(chain=event.public_id, actor="system", code="round.closed", object="r1", now=NOW)


def _role(event: Event, user: Any) -> StaffRole:
    return StaffRole.objects.get(event=event, user=user)


# ------------------------------------------------------------------ the causes


def test_a_revoked_role_ends_the_stream_of_its_holder_alone(cast: Cast):
    event = a_running_event(cast)
    role = _role(event, cast.judge)
    ends(
        page_of(cast.judge, event),
        lambda: revoke_role(role=role, by=cast.organizer, now=NOW),
        stays=page_of(cast.scorekeeper, event),
    )


def test_staff_who_enter_lose_the_stream_of_the_staff(cast: Cast):
    event = an_open_event(cast)
    ends(
        page_of(cast.judge, event),
        lambda: register(event=event, person=own_person(cast.judge), by=cast.judge, now=NOW),
        stays=page_of(cast.scorekeeper, event),
    )


def test_an_entry_that_moves_to_another_account_ends_the_players_stream(cast: Cast):
    event = an_open_event(cast)
    entrant = an_entrant(event, cast.player)
    an_entrant(event, cast.opponent)

    def moves() -> None:
        entrant.member_set.update(person=own_person(cast.stranger))
        with transaction.atomic():
            ledger.record(
                chain=event.public_id, actor="system", code="entrant.claimed", object=entrant.public_id, now=NOW
            )

    ends(page_of(cast.player, event, "me"), moves, stays=page_of(cast.opponent, event, "me"))


def test_a_club_role_that_is_taken_back_ends_the_streams_of_its_events(cast: Cast):
    club = clubs.create_club(name="Club", by=cast.organizer, now=NOW)
    event = an_open_event(cast)
    clubs.add_event(club=club, event=event, by=cast.organizer, now=NOW)
    given = clubs.grant_role(
        club=club, email=cast.stranger.email, role=ClubRole.Role.SCOREKEEPER, by=cast.organizer, now=NOW
    )
    ends(
        page_of(cast.stranger, event),
        lambda: clubs.revoke_role(role=given, by=cast.organizer, now=NOW),
        stays=page_of(cast.scorekeeper, event),
    )


def test_a_disqualified_player_loses_the_stream_of_the_players(cast: Cast):
    event = a_running_event(cast)
    choose_visibility(event=event, cells={"pairings.public.swiss": "never"}, by=cast.organizer, now=NOW)
    entrant = event.entrants.get(member__person__account=cast.player)
    page = page_of(cast.player, event, "me")
    ends(
        page,
        lambda: play.disqualify(entrant=entrant, by=cast.organizer, now=NOW, reason="Cheating"),
        stays=page_of(cast.opponent, event, "me"),
    )
    again = Page(page.client, reverse("web:me", args=[event.public_id]))
    assert "token=public." in again.address, "their page follows what the public may see"
    told(again, lambda: changed(event))


def test_signing_out_ends_the_streams_of_that_browser_alone(cast: Cast):
    event = a_running_event(cast)
    page = page_of(cast.judge, event)
    ends(page, lambda: page.client.post(reverse("web:sign_out")), stays=page_of(cast.judge, event))


def test_a_new_password_ends_the_streams_of_all_other_browsers(cast: Cast):
    event = a_running_event(cast)
    page, here = page_of(cast.judge, event), page_of(cast.judge, event)
    form = {"oldpassword": PASSWORD, "password1": "a-better-password-7", "password2": "a-better-password-7"}

    def changes() -> None:
        assert here.client.post(reverse("account_change_password"), form).status_code == 302

    ends(page, changes, stays=page_of(cast.scorekeeper, event))
    told(here, lambda: changed(event))


def test_an_event_that_becomes_private_ends_the_streams_of_strangers(cast: Cast):
    event = an_open_event(cast)
    ends(page_of(None, event), lambda: _made_private(event, cast), stays=page_of(cast.scorekeeper, event))


def test_guests_keep_their_stream_under_a_new_join_link_while_they_are_guests(cast: Cast):
    event = an_open_event(cast)
    _made_private(event, cast)
    event.refresh_from_db()
    guest = signed_in(cast.stranger)
    guest.get(reverse("web:join", args=[event.public_id, join_signature(event)]))
    page = Page(guest, reverse("web:event", args=[event.public_id]))
    told(page, lambda: renew_join_link(event=event, by=cast.organizer, now=NOW))

    def uninvited() -> None:
        Guest.objects.filter(event=event, user=cast.stranger).delete()
        renew_join_link(event=event, by=cast.organizer, now=NOW)

    page = Page(guest, reverse("web:event", args=[event.public_id]))
    ends(page, uninvited, stays=page_of(cast.scorekeeper, event))


def test_an_erased_account_loses_its_streams(cast: Cast):
    event = a_running_event(cast)
    ends(
        page_of(cast.judge, event),
        lambda: erase_account(user=cast.judge, now=NOW),
        stays=page_of(cast.scorekeeper, event),
    )


def _made_private(event: Event, cast: Cast) -> None:
    choose_registration(event=event, by=cast.organizer, now=NOW, listing="private")


# ------------------------------------------------------------------ opening


def test_an_address_that_was_passed_on_opens_no_stream_of_the_staff(cast: Cast):
    event = a_running_event(cast)
    page = page_of(cast.judge, event)

    async def scene() -> None:
        (app,) = processes(1)
        for client, expected in ((page.client, 200), (Client(), 403), (other, 403)):
            page.client = client
            assert await status(page.stream(app)) == expected

    other = signed_in(cast.player)
    asyncio.run(scene())


def test_a_seat_link_opens_a_stream_without_an_account_also_at_a_private_event(cast: Cast):
    event = an_open_event(cast)
    entrant = an_entrant(event, cast.player)
    _made_private(event, cast)
    page = Page(Client(), reverse("web:seat", args=[entrant.public_id, seat_signature(entrant)]))
    told(page, lambda: changed(event))


def test_a_page_of_a_private_event_that_another_link_opened_has_no_stream(cast: Cast):
    event = an_open_event(cast)
    entrant = add_entrant(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    _made_private(event, cast)
    answer = Client().get(reverse("web:claim_entry", args=[entrant.public_id, claim_signature(entrant)]))
    assert 'data-live-stream=""' in answer.content.decode()


def test_a_stream_whose_rights_cannot_be_read_is_refused_for_now(cast: Cast, caplog: pytest.LogCaptureFixture):
    page = page_of(None, an_open_event(cast))

    def away(_asked: Any) -> Any:
        raise OSError("the database is away")

    async def scene() -> None:
        assert await status(page.stream(LiveStreams(rights=Rights(check=away)))) == 503

    asyncio.run(scene())
    assert "could not be read" in caplog.text


# ------------------------------------------------------------------ what it costs


class Counted:
    """Rights that note about which readers the database is asked, and how often."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.keys: list[Any] = []
        self.rights = Rights(check=self._check)

    def _check(self, asked: Any) -> Any:
        keys = list(asked)
        self.asked.append(len(keys))
        self.keys += keys
        return check(keys)


def test_neither_messages_nor_reconnecting_readers_cost_a_check(cast: Cast):
    event = a_running_event(cast)
    public, staff = page_of(None, event), page_of(cast.judge, event)
    counted = Counted()

    async def scene() -> None:
        app = LiveStreams(gather_seconds=0.01, rights=counted.rights)
        browsers = [await opened(public, app) for _ in range(20)] + [await opened(staff, app)]
        assert len(set(counted.keys)) == 2, "all of the public count as one reader"
        before = sum(counted.asked)
        await done(lambda: call_judge(match=match, by=cast.player, matter="rules", now=NOW))
        for browser in browsers:
            await revision(browser)
        for page in (public, staff):
            await (await opened(page, app)).leave()
        assert sum(counted.asked) == before
        for browser in browsers:
            await browser.leave()

    match = match_of(a_published_round(event, cast.organizer), cast.player)
    asyncio.run(scene())


def test_a_changed_role_is_checked_for_its_holder_alone(cast: Cast):
    event = a_running_event(cast)
    role = _role(event, cast.judge)
    pages = [page_of(user, event) for user in (cast.judge, cast.scorekeeper, cast.organizer)]
    counted = Counted()

    async def scene() -> None:
        app = LiveStreams(gather_seconds=0.01, rights=counted.rights)
        browsers = [await opened(page, app) for page in pages]
        judge, before = counted.keys[0], len(counted.keys)
        assert len(set(counted.keys)) == 3
        await done(lambda: revoke_role(role=role, by=cast.organizer, now=NOW))
        await rest(browsers[0])
        assert set(counted.keys[before:]) == {judge}
        for browser in browsers[1:]:
            await browser.leave()

    asyncio.run(scene())


def test_a_right_lost_while_it_is_being_checked_is_not_granted(cast: Cast):
    event = a_running_event(cast)
    role = _role(event, cast.judge)
    judge, other = page_of(cast.judge, event), page_of(cast.scorekeeper, event)
    reading, revoked = threading.Event(), threading.Event()

    def slow(asked: Any) -> Any:
        found = check(asked)
        if any(grant and grant.account == cast.judge.public_id for grant in found.values()):
            reading.set()
            revoked.wait(PATIENCE)
        return found

    async def scene() -> None:
        app = LiveStreams(gather_seconds=0.01, rights=Rights(check=slow))
        beside = await opened(other, app)
        opening = judge.stream(app)
        await asyncio.to_thread(reading.wait, PATIENCE)
        await done(lambda: revoke_role(role=role, by=cast.organizer, now=NOW))
        await revision(beside)  # the process has heard of it
        revoked.set()
        assert await status(opening) == 403
        await beside.leave()

    asyncio.run(scene())


def test_changes_of_rights_are_noted_only_where_somebody_loses_some_and_forgotten_after_a_day(cast: Cast):
    cast.judge.save(update_fields=["language"])
    Session.objects.create(session_key="expired", session_data="", expire_date=now() - timedelta(days=1)).delete()
    assert not RightsChange.objects.exists()
    Session.objects.create(session_key="valid", session_data="", expire_date=now() + timedelta(days=1)).delete()
    assert [change.whose for change in RightsChange.objects.all()] == ["valid"]
    forget_changes(now())
    assert RightsChange.objects.exists()
    forget_changes(now() + KEPT + timedelta(minutes=1))
    assert not RightsChange.objects.exists()
