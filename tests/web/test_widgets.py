"""Widgets: pairings and standings in frames of the sites that an event names, and the page with their code."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, a_stage_played, an_event, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.services import own_person, stay_off_stream
from tournaments.common import jobs
from tournaments.events.embedding import choose_sites
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility
from tournaments.web.shared import shelf

pytestmark = pytest.mark.django_db
CLUB = "https://club.example"


def embedded(cast: Cast, **options: Any) -> Event:
    event = a_running_event(cast, **options)
    choose_sites(event=event, sites=[CLUB], by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def widget(event: Event, what: str, query: str = "") -> str:
    answer = Client().get(address("event_embed", event.public_id, what) + query)
    assert answer.status_code == 200
    return text(answer)


def hide(event: Event, cast: Cast, what: str) -> None:
    cells = {f"{what}.public.{part}": "never" for part in ("swiss", "cut")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)


def test_only_the_named_sites_and_our_own_may_frame_it(cast: Cast) -> None:
    event = embedded(cast)
    answer = Client().get(address("event_embed", event.public_id, "pairings"))
    policy = answer["Content-Security-Policy"]
    assert f"frame-ancestors 'self' {CLUB};" in policy + ";" and "form-action 'none'" in policy
    assert "X-Frame-Options" not in answer
    assert answer.cookies == {}


def test_an_event_that_names_no_site_a_draft_and_an_unknown_widget_do_not_exist(cast: Cast) -> None:
    event = a_running_event(cast)
    draft = an_event(cast, name="A draft")
    Event.objects.filter(pk=draft.pk).update(embed_sites=[CLUB])
    organizer = signed_in(cast.organizer)
    for each in (event, draft):
        assert organizer.get(address("event_embed", each.public_id, "pairings")).status_code == 404
    choose_sites(event=event, sites=[CLUB], by=cast.organizer, now=NOW)
    assert organizer.get(address("event_embed", event.public_id, "entrants")).status_code == 404


def test_pairings_show_the_newest_published_round_and_no_draft(cast: Cast) -> None:
    event = embedded(cast)
    assert "The pairings will appear here." in widget(event, "pairings")
    round_ = a_published_round(event, cast.organizer)
    page = widget(event, "pairings")
    assert "Pairings of round 1" in page and page.count("No result yet") == 2
    assert 'target="_blank"' in page and address("pairings", event.public_id, 1) in page
    play_out(round_, cast.organizer)
    assert widget(event, "pairings").count("2–0") == 2
    assert "<form" not in page and "<nav" not in page


def test_standings_show_ranks_names_and_points(cast: Cast) -> None:
    event = embedded(cast)
    assert "No standings yet" in widget(event, "standings")
    a_stage_played(event, cast.organizer, 1)
    jobs.run_due(NOW)
    shelf.clear()
    page = widget(event, "standings")
    assert "After round 1" in page and "Player 3" in page and page.count("<tr>") == 5


def test_what_the_public_may_not_see_is_in_no_frame_whoever_opens_it(cast: Cast) -> None:
    event = embedded(cast)
    a_stage_played(event, cast.organizer, 1)
    jobs.run_due(NOW)
    hide(event, cast, "pairings")
    hide(event, cast, "standings")
    organizer = signed_in(cast.organizer)
    for what in ("pairings", "standings"):
        page = text(organizer.get(address("event_embed", event.public_id, what)))
        assert "Player 3" not in page and "<td" not in page, what


def test_players_who_stay_off_streams_are_not_named(cast: Cast) -> None:
    event = embedded(cast)
    name = event.entrants.get(members=own_person(cast.player)).name
    a_published_round(event, cast.organizer)
    assert name in widget(event, "pairings")
    stay_off_stream(person=own_person(cast.player), off=True)
    shelf.clear()
    assert name not in widget(event, "pairings") and "name withheld" in widget(event, "pairings")


def test_rows_language_and_colours_are_chosen_in_the_address(cast: Cast) -> None:
    event = embedded(cast)
    a_published_round(event, cast.organizer)
    page = widget(event, "pairings", "?rows=1&language=fr&theme=dark")
    assert '<html lang="fr" class="embed" data-theme="dark">' in page
    assert page.count("<tr>") == 2 and "?rows=1&amp;language=fr&amp;theme=dark" in page
    for odd in ("?rows=0", "?rows=-1", "?rows=x", "?rows=99999999", "?theme=x&language=xx"):
        assert "data-theme" not in widget(event, "pairings", odd)


def test_a_widget_is_rendered_once_for_all_visitors(cast: Cast) -> None:
    event = embedded(cast)
    a_published_round(event, cast.organizer)
    where = address("event_embed", event.public_id, "pairings")
    assert queries_of(Client(), where, cached=True) <= 3
    fragment = text(Client().get(where, headers={"HX-Request": "true"}))
    assert fragment.strip().startswith("<main") and "<html" not in fragment


def test_a_new_round_is_not_hidden_by_the_kept_page(cast: Cast) -> None:
    event = embedded(cast)
    a_stage_played(event, cast.organizer, 1)
    assert "Pairings of round 1" in widget(event, "pairings")
    a_published_round(event, cast.organizer)
    assert "Pairings of round 2" in widget(event, "pairings")


def test_the_page_of_sites_gives_code_that_opens_the_widget(cast: Cast) -> None:
    event = embedded(cast, name='The "Open" & more')
    organizer = signed_in(cast.organizer)
    where = address("staff_sites", event.public_id)
    answer = organizer.get(where + "?language=it&theme=dark&rows=5")
    assert "frame-src 'self'" in answer["Content-Security-Policy"]
    codes = [unescape(code) for code in re.findall(r"<textarea[^>]*readonly>(.*?)</textarea>", text(answer), re.DOTALL)]
    assert len(codes) == 2 and all(code.startswith("<iframe ") for code in codes)
    (source,) = re.findall(r'src="([^"]+)"', codes[0])
    path = unescape(source).partition("/e/")[2]
    assert Client().get(f"/e/{path}").status_code == 200 and "language=it&theme=dark&rows=5" in path
    assert 'title="Pairings · The &quot;Open&quot; &amp; more"' in codes[0]
    choose_sites(event=event, sites=[], by=cast.organizer, now=NOW)
    assert "<iframe" not in text(organizer.get(where))


def test_the_api_gives_the_addresses_of_page_picture_calendar_and_widgets(cast: Cast, settings: Any) -> None:
    settings.SITE_URL = "https://cards.example"
    event = embedded(cast)
    found = Client().get(f"/api/v1/events/{event.public_id}/").json()
    page = f"https://cards.example/e/{event.public_id}/"
    assert (found["page"], found["preview"], found["calendar"]) == (page, f"{page}preview.png", None)
    assert found["widgets"] == {what: f"{page}embed/{what}/" for what in ("pairings", "standings")}
    choose_sites(event=event, sites=[], by=cast.organizer, now=NOW)
    Event.objects.filter(pk=event.pk).update(starts_at=NOW)
    found = Client().get(f"/api/v1/events/{event.public_id}/").json()
    assert found["widgets"] is None and found["calendar"] == f"{page}event.ics"
