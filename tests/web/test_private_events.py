"""Private and unlisted events: what strangers can find, and what opens for people who are invited."""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from rest_framework.test import APIClient

from tests.api import scenes
from tests.api.test_permissions import ROUTES, Route
from tests.builders import NOW, a_running_event, an_open_event
from tests.cast import Cast, account
from tests.web.pages import address, signed_in, text
from tests.web.routes import PATTERNS, table
from tests.web.routes import address as address_of
from tests.web.test_routes import Floor
from tournaments.accounts.guardians import add_person
from tournaments.accounts.services import erase_account
from tournaments.common import clock, jobs
from tournaments.common.models import LedgerEntry
from tournaments.common.newest import newest
from tournaments.common.reading import forget_kept
from tournaments.events.access import is_shown
from tournaments.events.joining import join_signature
from tournaments.events.listing import renew_join_link
from tournaments.events.models import Event, Guest
from tournaments.events.overlaps import overlaps_of
from tournaments.events.registration import choose_registration
from tournaments.events.selectors import visible_events
from tournaments.events.services import clone_event, create_event, open_registration, register, save_format
from tournaments.leagues.models import League
from tournaments.leagues.selectors import events_shown, standings_of
from tournaments.web.live.address import Shown
from tournaments.web.live.parts import parts_of
from tournaments.web.live.positions import News, Position
from tournaments.web.shared import shelf
from tournaments.web.urls import account as account_urls
from tournaments.web.urls import allauth, catalogues

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

# Pages that show nothing of the event in their address to a stranger: about the reader, the site, a club, a league, a
# player, or a file that somebody chose to verify; or opened by a signature of their own (a seat, an entry, an
# invitation).
ELSEWHERE = {
    *("seat", "seat_check_in", "claim_entry", "entry_invitation", "join", "invitation", "unsubscribe", "link"),
    *(pattern.name for each in (account_urls, allauth, catalogues) for pattern in each.urlpatterns),
    *("league", "league_player", "league_export", "league_preview", "profile", "head_to_head", "player_follow"),
    *("league_ratings", "account_ics", "verification", "team_join", "club", "club_ics", "convention"),
}


ELSEWHERE_API = {
    *("league", "league_ratings", "league_standings", "league_export", "verification"),
    *("club", "club_events", "convention"),
}


def choose(event: Event, cast: Cast, listing: str) -> Event:
    return choose_registration(event=event, by=cast.organizer, now=NOW, listing=listing)


@contextmanager
def kept_private() -> Iterator[None]:
    """Make all events private within the block, and forget what was kept of them before and in it."""
    with transaction.atomic():
        Event.objects.update(listing="private")
        _forget()
        yield
        transaction.set_rollback(True)
    _forget()


def _forget() -> None:
    cache.clear()
    shelf.clear()
    newest.clear()
    forget_kept()


@pytest.mark.slow
def test_every_page_of_a_private_event_is_not_found_for_strangers(cast: Cast) -> None:
    floor, found, walked = Floor(cast), [], set()
    patterns = {pattern.name: pattern for pattern in PATTERNS}
    for (name, methods), answers in table().items():
        pattern = patterns[name]
        if name in ELSEWHERE or "<" not in str(pattern.pattern):
            continue
        open_to = [role for role in ("visitor", "stranger") if answers[role] == "yes"]
        where = address_of(pattern, floor.scene_of(name)) if open_to else ""
        for method, role in product(methods.split(", "), open_to):
            with kept_private():
                met = floor.asks(role, method, where)
            walked.add(name)
            if met not in ("not found", "sign in"):
                found.append((name, method, role, where, met))
    assert not found, found
    assert {"event", "match", "watch", "watch_embed", "pairings", "screen", "exports", "entrant"} <= walked


@pytest.mark.slow
def test_every_api_answer_about_a_private_event_is_not_found_for_strangers(cast: Cast) -> None:
    found, walked = [], set()
    by_scene: dict[Any, list[Route]] = defaultdict(list)
    for route in ROUTES:
        if route.method == "get" and "{" in route.address and route.stranger == 200 and route.name not in ELSEWHERE_API:
            by_scene[route.scene].append(route)
    for make, routes in by_scene.items():
        with transaction.atomic():
            scene = make(cast)
            for route in routes:
                where = scene.at(route.address)
                clients = ((APIClient(), route.anonymous), (scenes.token_client(cast.stranger, "read"), 200))
                for client, usual in clients:
                    with kept_private():
                        status = client.get(where).status_code
                    walked.add(route.name)
                    if status not in (404, 401 if usual == 401 else 404):
                        found.append((route.name, where, status))
            transaction.set_rollback(True)
    assert not found, found
    assert {"event", "entrants", "match", "standings", "export"} <= walked


def test_a_private_event_is_shown_to_staff_players_and_guardians(cast: Cast) -> None:
    event = an_open_event(cast)
    guardian = account("Guardian")
    child = add_person(guardian=guardian, given_name="Player 9")
    register(event=event, person=child, by=guardian, now=NOW)
    event = choose(event, cast, "private")
    seen = {user: is_shown(user, event) for user in (cast.organizer, cast.judge, guardian, cast.stranger)}
    assert list(seen.values()) == [True, True, True, False]
    assert event in visible_events(guardian) and event not in visible_events(cast.stranger)
    for user, status in ((cast.organizer, 200), (guardian, 200), (cast.stranger, 404)):
        assert signed_in(user).get(address("event", event.public_id)).status_code == status


def test_the_join_link_of_a_private_event_is_an_invitation_for_the_account_that_opens_it(cast: Cast) -> None:
    event = choose(an_open_event(cast), cast, "private")
    link = address("join", event.public_id, join_signature(event))
    visitor = Client().get(link)
    assert visitor.url.startswith("/sign-in/?next=/join/") and not Guest.objects.exists()
    invited = signed_in(cast.stranger)
    assert invited.get(link).url == address("event", event.public_id)
    assert invited.get(link).status_code == 302 and Guest.objects.count() == 1
    assert invited.get(address("event", event.public_id)).status_code == 200
    assert "noindex" in text(invited.get(address("event", event.public_id)))
    assert event.name in text(invited.get("/"))
    assert invited.post(address("register", event.public_id)).status_code == 302
    assert event.entrants.count() == 1


def test_a_page_that_a_guest_has_seen_is_not_sent_to_strangers(cast: Cast) -> None:
    event = choose(an_open_event(cast), cast, "private")
    page = address("entrants", event.public_id)
    guest = signed_in(cast.stranger)
    guest.get(address("join", event.public_id, join_signature(event)))
    assert [guest.get(page).status_code for _ in range(2)] == [200, 200]
    assert signed_in(account("Another")).get(page).status_code == 404
    assert Client().get(page).status_code == 404


def test_a_page_kept_while_the_event_was_public_is_gone_once_it_is_private(cast: Cast) -> None:
    event = an_open_event(cast)
    page, part = address("entrants", event.public_id), {"HX-Request": "true"}
    assert {Client().get(page, headers=headers).status_code for headers in ({}, part)} == {200}
    choose(event, cast, "private")
    assert {Client().get(page, headers=headers).status_code for headers in ({}, part)} == {404}
    choose(event, cast, "public")
    assert Client().get(page).status_code == 200


def test_a_replaced_join_link_opens_nothing_and_guests_stay(cast: Cast) -> None:
    event = choose(an_open_event(cast), cast, "private")
    old = address("join", event.public_id, join_signature(event))
    signed_in(cast.stranger).get(old)
    renewed = renew_join_link(event=event, by=cast.organizer, now=NOW)
    assert signed_in(cast.player).get(old).status_code == 404
    assert signed_in(cast.player).get(address("join", event.public_id, join_signature(renewed))).status_code == 302
    assert signed_in(cast.stranger).get(address("event", event.public_id)).status_code == 200
    assert LedgerEntry.objects.filter(chain=event.public_id, code="event.join_link_renewed").count() == 1


def test_an_unlisted_event_opens_by_its_address_and_is_in_no_list(cast: Cast) -> None:
    event = an_open_event(cast)
    assert event.name in text(Client().get("/")) and "noindex" not in text(
        Client().get(address("event", event.public_id))
    )
    choose(event, cast, "unlisted")
    for reader in (Client(), signed_in(cast.stranger)):
        assert event.name not in text(reader.get("/"))
        assert 'name="robots" content="noindex"' in text(reader.get(address("event", event.public_id)))
    listed = APIClient().get("/api/v1/events/").json()
    assert listed["results"] == [] and APIClient().get(f"/api/v1/events/{event.public_id}/").status_code == 200
    assert event.name in text(signed_in(cast.organizer).get("/"))


def test_overlaps_do_not_tell_of_events_that_are_not_listed(cast: Cast) -> None:
    events = [
        create_event(by=by, name=name, preset="star-safir", now=NOW, starts_at=NOW)
        for by, name in ((cast.organizer, "Mine"), (cast.stranger, "Theirs"))
    ]
    Event.objects.update(place="Town hall")
    for event, by in zip(events, (cast.organizer, cast.stranger), strict=True):
        open_registration(event=event, by=by, now=NOW)
        event.refresh_from_db()
    assert [one.event.name for one in overlaps_of(events[0])] == ["Theirs"]
    choose_registration(event=events[1], by=cast.stranger, now=NOW, listing="unlisted")
    assert overlaps_of(events[0]) == []


def test_a_league_names_a_private_event_only_to_people_who_find_it(cast: Cast) -> None:
    scene = scenes.league_counted(cast)
    jobs.run_due(clock.now())
    league = League.objects.get(public_id=scene.league)
    choose(scene.event, cast, "private")
    assert events_shown(league, cast.organizer) and events_shown(league, cast.player)
    assert events_shown(league, cast.stranger) == []
    for line, full in zip(
        standings_of(league, cast.stranger).lines, standings_of(league, cast.organizer).lines, strict=True
    ):
        assert line.results == [] and full.results and line.total == full.total


def test_streams_send_strangers_no_more_parts_once_the_event_is_private(cast: Cast) -> None:
    event = a_running_event(cast)
    scene = scenes.published(cast)
    news = News(Position(5), frozenset({"result", "clock"}), {scene.match.public_id: 5})
    shown = Shown("public", "en", scene.round.number)
    assert parts_of(scene.event.public_id, shown, news) is not None
    choose(scene.event, cast, "private")
    assert parts_of(scene.event.public_id, shown, news) is None
    assert parts_of(scene.event.public_id, shown._replace(audience="players"), news) is not None
    assert event.listing == "public"


def test_only_organizers_choose_who_finds_the_event_and_the_ledger_says_so(cast: Cast) -> None:
    event = an_open_event(cast)
    page = address("staff_registration", event.public_id)
    statuses = [signed_in(user).get(page).status_code for user in (cast.scorekeeper, cast.organizer, cast.stranger)]
    assert statuses == [403, 200, 404]
    assert signed_in(cast.organizer).post(page, {"listing": "nobody"}).status_code == 422
    assert signed_in(cast.organizer).post(page, {"listing": "private"}).status_code == 302
    entry = LedgerEntry.objects.get(chain=event.public_id, code="event.registration_chosen")
    assert (entry.before, entry.after) == ({"listing": "public"}, {"listing": "private"})
    assert signed_in(cast.organizer).post(address("staff_join_link", event.public_id)).status_code == 302
    event.refresh_from_db()
    assert join_signature(event) in text(signed_in(cast.organizer).get(page))


def test_copies_and_saved_formats_keep_who_finds_the_event(cast: Cast) -> None:
    event = choose(an_open_event(cast), cast, "unlisted")
    copy = clone_event(event=event, name="Copy", by=cast.organizer, now=NOW)
    saved = save_format(event=event, name="Ours", by=cast.organizer, now=NOW)
    made = create_event(by=cast.organizer, name="Again", preset=saved.public_id, now=NOW)
    assert (copy.listing, made.listing) == ("unlisted", "unlisted")


def test_an_erased_account_is_nobodys_guest(cast: Cast) -> None:
    event = choose(an_open_event(cast), cast, "private")
    guest = signed_in(cast.stranger)
    guest.get(address("join", event.public_id, join_signature(event)))
    assert event.public_id in json.dumps(guest.get(address("account_data")).json()["private_events"])
    erase_account(user=cast.stranger, now=NOW)
    assert not Guest.objects.exists()
