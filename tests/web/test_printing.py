"""Printing from the pages: who can print which sheet, and what staff who play cannot print."""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.paper import services
from tournaments.paper.models import Paper
from tournaments.play import services as play
from tournaments.play.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    cache.clear()  # rate limits are counted in the cache
    return a_running_event(cast)


@pytest.fixture
def round_(cast: Cast, event: Event) -> Round:
    return a_published_round(event, cast.organizer)


def sheets(event: Event) -> list[str]:
    return [address("print_page", event.public_id, kind) + "?round=1" for kind in Paper.Kind.values]


def test_staff_can_print_every_sheet_from_the_browser_and_as_a_pdf(cast: Cast, event: Event, round_: Round) -> None:
    client = signed_in(cast.judge)
    desk = text(client.get(address("printing", event.public_id)))
    for kind in set(Paper.Kind.values) - {"seat_links"}:
        assert address("print_pdf", event.public_id, kind) in desk
        page = client.get(address("print_page", event.public_id, kind), {"round": "1"})
        assert (page.status_code, "Player 1" in text(page) or kind in ("standings", "final")) == (200, True), kind
        pdf = client.post(address("print_pdf", event.public_id, kind), {"round": "1"}, follow=True)
        assert (pdf["Content-Type"], pdf.content[:5]) == ("application/pdf", b"%PDF-"), kind
        assert pdf["Cache-Control"] == "no-store"


@pytest.mark.parametrize("language", ["fr", "it"])
def test_sheets_are_translated(cast: Cast, event: Event, round_: Round, language: str) -> None:
    User.objects.update(language=language)
    client = signed_in(User.objects.get(pk=cast.organizer.pk))
    for page in (*sheets(event)[:4], address("printing", event.public_id)):
        shown = text(client.get(page))
        assert f'<html lang="{language}"' in shown
        assert "Match slip" not in shown and "Pairings by" not in shown, page


def test_strangers_players_and_visitors_cannot_print(cast: Cast, event: Event, round_: Round) -> None:
    made = services.request_pdf(event=event, kind="slips", round_=round_, language="en", by=cast.organizer, now=NOW)
    papers = [address(name, made.public_id) for name in ("paper", "paper_file")]
    for page in (*sheets(event), *papers, address("printing", event.public_id)):
        assert signed_in(cast.stranger).get(page).status_code == 404, page
        assert signed_in(cast.player).get(page).status_code == 404, page
        assert Client().get(page).status_code == 302, page
    for kind in Paper.Kind.values:
        action = address("print_pdf", event.public_id, kind)
        assert signed_in(cast.stranger).post(action, {"round": "1"}).status_code == 404


def test_decklists_can_be_printed_only_by_those_who_may_read_them(cast: Cast, event: Event) -> None:
    low = signed_in(cast.scorekeeper).get(address("print_page", event.public_id, "decks"))
    assert (low.status_code, "role_too_low" in text(low)) == (403, True)
    grant_role(event=event, email=cast.player.email, role="head_judge", by=cast.organizer, now=NOW)
    plays = signed_in(cast.player).get(address("print_page", event.public_id, "decks"))
    assert (plays.status_code, "staff_who_play" in text(plays)) == (403, True)


def test_staff_who_play_cannot_print_a_draft_round(cast: Cast, event: Event) -> None:
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    made = services.request_pdf(event=event, kind="slips", round_=draft, language="en", by=cast.organizer, now=NOW)
    grant_role(event=event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    client = signed_in(cast.player)
    assert client.get(address("print_page", event.public_id, "slips"), {"round": "1"}).status_code == 404
    assert client.get(address("paper_file", made.public_id)).status_code == 404
    assert "?round=1" not in text(client.get(address("printing", event.public_id)))
    assert signed_in(cast.scorekeeper).get(address("paper_file", made.public_id)).status_code == 200


def test_a_large_pdf_shows_its_progress(
    cast: Cast, event: Event, round_: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "AT_ONCE", 3)
    client = signed_in(cast.organizer)
    page = client.post(address("print_pdf", event.public_id, "round"), {"round": "1"}, follow=True)
    assert "The PDF is being made." in text(page) and "<progress" in text(page)
    made = Paper.objects.get()
    assert client.get(address("paper_file", made.public_id)).url == address("paper", made.public_id)
    services.draw_paper(paper_id=made.pk)
    assert address("paper_file", made.public_id) in text(client.get(address("paper", made.public_id)))


def test_unknown_sheets_and_rounds_are_not_found(cast: Cast, event: Event) -> None:
    client = signed_in(cast.organizer)
    for page in ("slips", "slips/?round=7", "slips/?round=x", "nothing"):
        assert client.get(address("printing", event.public_id) + page).status_code in (301, 404), page
    assert client.get(address("print_page", event.public_id, "slips"), {"round": "1"}).status_code == 404
