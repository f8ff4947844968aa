"""What others show of the site: previews of links, pictures, robots.txt, the sitemap, and data for search engines."""

import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image
from pytest_django import Settings

from tests.api import scenes
from tests.builders import NOW, a_published_round, a_running_event, a_stage_played, an_event, an_open_event, match_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.services import own_person, stay_off_stream
from tournaments.audits.features import name_feature
from tournaments.common import clock, jobs
from tournaments.common.reading import reading
from tournaments.events.models import Event
from tournaments.events.services import cancel_event, change_contact, choose_visibility
from tournaments.leagues.models import League
from tournaments.play.services import finish_event
from tournaments.web import previews
from tournaments.web.previews import event_preview
from tournaments.web.shared import shelf

pytestmark = pytest.mark.django_db
SITE = "https://cards.example"


@pytest.fixture(autouse=True)
def site(settings: Any) -> Iterator[None]:
    settings.SITE_URL = SITE
    cache.clear()
    shelf.clear()
    yield
    cache.clear()


def metas(page: str) -> dict[str, str]:
    """Return the meta elements of a page: their content by name or property."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page)
    assert len(found) == len(dict(found)), "each of them once"
    return dict(found)


def opened(where: str, client: Client | None = None, language: str = "en") -> str:
    client = client or Client()
    answer = client.get(where, headers={"Accept-Language": language})
    assert answer.status_code == 200, where
    return text(answer)


def dated(event: Event, **fields: object) -> Event:
    told = {"starts_at": datetime(2027, 3, 12, 9, tzinfo=UTC), "time_zone": "Europe/Paris", "place": "Hall 2, Lyon"}
    Event.objects.filter(pk=event.pk).update(**{**told, **fields})
    event.refresh_from_db()
    return event


def over(cast: Cast) -> Event:
    event = a_running_event(cast)
    a_stage_played(event, cast.organizer, 3)
    jobs.run_due(NOW)
    finish_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


# ---------------------------------------------------------------------------------------------------------- previews


def test_an_event_is_previewed_with_game_date_place_players_and_state_under_the_address_of_the_site(cast: Cast) -> None:
    event = dated(a_running_event(cast))
    a_published_round(event, cast.organizer)
    where = address("event", event.public_id)
    said = metas(opened(where))
    line = "Star Safir · 12 March 2027, 10:00 (Europe/Paris) · Hall 2, Lyon · 4 players · Round 1 of 3"
    assert said["og:title"] == said["twitter:title"] == "Spring Open"
    assert said["og:description"] == said["description"] == line
    assert said["og:url"] == SITE + where and f'<link rel="canonical" href="{SITE}{where}">' in opened(where)
    assert said["og:image"].startswith(f"{SITE}/e/{event.public_id}/preview.png?language=en&amp;v=")
    assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
    assert said["twitter:card"] == "summary_large_image" and said["og:locale"] == "en_GB"
    french = metas(opened(where, language="fr"))
    assert "12 mars 2027" in french["description"] and french["og:locale"] == "fr_FR"
    assert "12 marzo 2027, 10:00" in metas(opened(where, language="it"))["description"]


@pytest.mark.parametrize(("name", "title"), [("pairings", "Pairings of round 1"), ("standings", "Standings")])
def test_pairings_and_standings_have_a_title_of_their_own(cast: Cast, name: str, title: str) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    where = address(name, event.public_id, *([1] if name == "pairings" else []))
    assert metas(opened(where))["og:title"] == f"{title} · Spring Open"


def test_a_draft_has_no_preview_and_no_picture_not_even_for_its_staff(cast: Cast) -> None:
    event = an_event(cast)
    organizer = signed_in(cast.organizer)
    page = opened(address("event", event.public_id), organizer)
    assert "og:" not in page and "ld+json" not in page and metas(page)["robots"] == "noindex"
    for client in (Client(), organizer):
        assert client.get(address("preview", event.public_id)).status_code == 404


def test_a_picture_has_the_size_of_previews_and_is_kept_by_its_version(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = an_open_event(cast)
    where = metas(opened(address("event", event.public_id)))["og:image"].replace("&amp;", "&").removeprefix(SITE)
    drawn = []
    draw = previews.preview_picture
    monkeypatch.setattr(previews, "preview_picture", lambda preview: drawn.append(preview) or draw(preview))
    first = Client().get(where)
    assert first["Content-Type"] == "image/png" and first["Cache-Control"] == "public, max-age=86400"
    assert Image.open(io.BytesIO(first.content)).size == (1200, 630)
    assert Client().get(where).content == first.content and len(drawn) == 1, "drawn once"
    assert Client().get(where, headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert Client().get(where.partition("?")[0])["Cache-Control"] == "public, max-age=300", "of no known version"
    cancel_event(event=event, reason="", by=cast.organizer, now=NOW)
    assert Client().get(where)["ETag"] != first["ETag"]


def test_hidden_pairings_and_standings_are_in_no_preview(cast: Cast) -> None:
    event = over(cast)
    assert event_preview(event).state.startswith("Winner: ")
    cells = {f"{what}.public.{part}": "never" for what in ("pairings", "standings") for part in ("swiss", "cut")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event_preview(event).state == "Finished"


def test_a_winner_who_stays_off_streams_is_not_named(cast: Cast) -> None:
    event = over(cast)
    winner = event_preview(event).state.removeprefix("Winner: ")
    for entrant in event.entrants.all():
        stay_off_stream(person=entrant.members.get(), off=entrant.name == winner)
    assert event_preview(event).state == "Finished"


def test_a_name_cannot_leave_its_tag(cast: Cast) -> None:
    name = 'A "quoted" </script><script>alert(1)</script> & more'
    event = dated(an_open_event(cast, name=name), contact=name, place=name)
    page = opened(address("event", event.public_id))
    assert "<script>alert" not in page and "&lt;/script&gt;" in metas(page)["og:title"]
    assert data_of(page)["name"] == name and data_of(page)["location"]["name"] == name


def test_a_feature_match_is_previewed_by_its_players(cast: Cast) -> None:
    scene = scenes.featured(cast)
    said = metas(opened(address("watch", scene.match.public_id)))
    assert said["og:title"] == " – ".join(seat.entrant.name for seat in scene.match.seats.all())
    assert "Spring Open" in said["description"]
    picture = address("watch_preview", scene.match.public_id)
    assert picture in said["og:image"] and Client().get(picture).status_code == 200
    stay_off_stream(person=own_person(cast.player), off=True)
    assert Client().get(picture).status_code == 404


def test_a_match_that_is_no_feature_has_no_picture(cast: Cast) -> None:
    match = match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)
    assert Client().get(address("watch_preview", match.public_id)).status_code == 404
    name_feature(match=match, delay=5, by=cast.judge, now=NOW)
    assert Client().get(address("watch_preview", match.public_id)).status_code == 200


def test_an_open_league_is_previewed_and_a_private_one_is_not(cast: Cast) -> None:
    scene = scenes.in_open_league(cast)
    where = address("league_preview", scene.league)
    page = opened(address("league", scene.league))
    assert where in metas(page)["og:image"] and "1 event" in metas(page)["description"]
    assert Client().get(where)["Content-Type"] == "image/png"
    League.objects.update(visibility=League.Visibility.PRIVATE)
    owner = signed_in(cast.organizer)
    assert "og:" not in opened(address("league", scene.league), owner)
    assert [client.get(where).status_code for client in (Client(), owner)] == [404, 404]


def test_the_preview_of_an_event_is_read_once_for_all_its_pages(cast: Cast) -> None:
    event = a_running_event(cast)
    with reading():
        event_preview(event)
    picture = address("preview", event.public_id)
    assert queries_of(Client(), picture, cached=True) <= 3


# ---------------------------------------------------------------------------------------------------- search engines


def data_of(page: str) -> dict[str, object]:
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    data: dict[str, object] = json.loads(found)
    return data


def test_an_event_is_data_for_search_engines(cast: Cast) -> None:
    event = dated(an_open_event(cast), capacity=64)
    change_contact(event=event, contact="club@cards.example", by=cast.organizer, now=NOW)
    where = address("event", event.public_id)
    data = data_of(opened(where))
    assert data["@type"] == "Event" and data["url"] == SITE + where
    assert data["startDate"] == "2027-03-12T10:00:00+01:00" and data["maximumAttendeeCapacity"] == 64
    assert data["eventStatus"] == "https://schema.org/EventScheduled"
    assert data["organizer"] == {"@type": "Organization", "name": "club@cards.example"}
    assert not {"offers", "endDate"} & set(data), "nothing is guessed"
    cancel_event(event=event, reason="", by=cast.organizer, now=NOW)
    shelf.clear()
    assert data_of(opened(where))["eventStatus"] == "https://schema.org/EventCancelled"


def test_an_event_without_date_place_and_contact_says_nothing_about_them(cast: Cast) -> None:
    data = data_of(opened(address("event", an_open_event(cast).public_id)))
    assert not {"startDate", "location", "organizer", "maximumAttendeeCapacity"} & set(data)


def test_the_sitemap_lists_public_events_with_their_last_change_and_no_league(cast: Cast) -> None:
    shown, league = an_open_event(cast), scenes.in_open_league(cast).league
    draft = an_event(cast, name="A draft")
    page = text(Client().get("/sitemap.xml"))
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    found = ElementTree.fromstring(page).findall("s:url", space)
    places = {url.findtext("s:loc", None, space): url.findtext("s:lastmod", None, space) for url in found}
    assert {f"{SITE}/", f"{SITE}/archive/", f"{SITE}/leagues/"} <= set(places)
    assert datetime.fromisoformat(places[SITE + address("event", shown.public_id)] or "") == NOW
    assert draft.public_id not in page and league not in page


def test_robots_txt_names_the_sitemap_and_closes_pages_for_staff_and_players() -> None:
    lines = text(Client().get("/robots.txt")).splitlines()
    assert f"Sitemap: {SITE}/sitemap.xml" in lines and "User-agent: *" in lines
    for path in ("/api/", "/account/", "/seat/", "/e/*/staff/", "/e/*/me/", "/e/*/print/", "/e/*/exports/"):
        assert f"Disallow: {path}" in lines
    assert not any(line in ("Disallow: /", "Disallow: /e/") for line in lines)


@pytest.mark.parametrize(
    ("contact", "said"), [("desk@example.org", "mailto:desk@example.org"), ("", f"{SITE}/contact/")]
)
def test_security_txt_says_whom_to_tell_about_a_weakness(settings: Settings, contact: str, said: str) -> None:
    settings.CONTACT = contact
    answer = Client().get("/.well-known/security.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    found = dict(line.split(": ", 1) for line in text(answer).splitlines())
    assert (found["Contact"], found["Canonical"]) == (said, f"{SITE}/.well-known/security.txt")
    left = datetime.fromisoformat(found["Expires"]) - clock.now()
    assert timedelta(days=30) < left < timedelta(days=365)


def test_only_pages_for_everybody_are_listed(cast: Cast) -> None:
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    listed = ["/", "/archive/", "/privacy/", *(address(name, event.public_id) for name in ("event", "standings"))]
    others = ["/sign-in/", "/verify/", address("match", match.public_id), address("entrants", event.public_id)]
    for where in listed:
        assert "robots" not in metas(opened(where)), where
    for where in others:
        assert metas(opened(where))["robots"] == "noindex", where
    assert metas(opened(address("me", event.public_id), signed_in(cast.player)))["robots"] == "noindex"
