"""Check access to every page and action against `docs/routes.md`, a table written by hand."""

import re
from collections.abc import Callable
from itertools import product

import pytest
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.api import scenes
from tests.api.scenes import Scene
from tests.cast import Cast
from tests.contracts.project import ROOT
from tests.web.pages import signed_in
from tests.web.routes import PATTERNS, ROLES, address, table
from tournaments.common import clock, jobs
from tournaments.events.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]


def _counted(scene: Scene) -> Scene:
    """Run the waiting jobs, so that the scene has standings."""
    jobs.run_due(clock.now())
    return scene


def _dated(scene: Scene) -> Scene:
    """Give the event of a scene a start, without which it is in no calendar."""
    Event.objects.filter(pk=scene.event.pk).update(starts_at=clock.now())
    return scene


# The scene of a route, if not the usual one: a running event with a match in play that has an audited log.
SCENES: dict[str, Callable[[Cast], Scene]] = {
    "verification": scenes.verified,
    "catalogue": scenes.with_cards,
    "catalogue_club": scenes.with_cards,
    "catalogue_delete": scenes.with_cards,
    "catalogue_effects": scenes.with_cards,
    "effects_download": scenes.with_cards,
    "effects_apply": scenes.with_cards,
    "card_effects": scenes.with_cards,
    "catalogue_upload": scenes.with_cards,
    "catalogue_upload_end": scenes.with_cards,
    "transfer": scenes.with_file,
    "transfer_end": scenes.with_file,
    "device_action": scenes.with_device,
    "webhook": scenes.hooked,
    "webhook_action": scenes.hooked,
    "webhook_resend": scenes.hooked,
    "format_club": scenes.saved,
    "format_delete": scenes.saved,
    "my_pool": scenes.sealed,
    "pool": scenes.sealed,
    "staff_pools": scenes.sealed,
    "staff_type_pool": scenes.sealed,
    "staff_draft": scenes.drafting,
    "staff_draft_clock": scenes.drafting,
    "staff_discard": scenes.drafted,
    "staff_publish": scenes.drafted,
    "staff_hand": scenes.drafted,
    "staff_pairing_allow": scenes.minded,
    "staff_pairing_unbye": scenes.minded,
    "claim_entry": scenes.with_walk_in,
    "board_standings": scenes.team_match,
    "board_report": scenes.board_reported,
    "board_confirm": scenes.board_reported,
    "board_contest": scenes.board_reported,
    "staff_teams": scenes.teaming,
    "staff_teams_choose": scenes.teaming,
    "staff_teams_add": scenes.teaming,
    "team": scenes.teaming,
    "team_join": scenes.teaming,
    "staff_invitations": scenes.entry_invited,
    "staff_entry_invitation": scenes.entry_invited,
    "entry_invitation": scenes.entry_invited,
    "call_step": scenes.called,
    "call_withdraw": scenes.called,
    "penalty_withdraw": scenes.penalized,
    "deck_check": scenes.checked,
    "bulk": scenes.audited_again,
    "bulk_cancel": scenes.audited_again,
    "position": scenes.board_kept,
    "position_table": scenes.board_kept,
    "position_photo": scenes.board_kept,
    "position_sign": scenes.board_kept,
    "position_picture": scenes.board_kept,
    "photo": scenes.board_kept,
    "record": scenes.recorded,
    "record_state": scenes.recorded,
    "record_table": scenes.recorded,
    "record_entries": scenes.recorded,
    "watch": scenes.featured,
    "watch_step": scenes.featured,
    "watch_screen": scenes.featured,
    "watch_overlay": scenes.featured,
    "event_ics": lambda cast: _dated(scenes.audited(cast)),
    "event_embed": scenes.embedded,
    "watch_embed": scenes.embedded,
    "watch_preview": scenes.featured,
    "withdraw": scenes.announced,
    "file": scenes.taken_away,
    "file_download": scenes.taken_away,
    "paper": scenes.printed,
    "paper_file": scenes.printed,
    **dict.fromkeys(("club", "club_ics", "club_manage", "club_delete", "club_team", "club_series"), scenes.in_club),
    **dict.fromkeys(("club_event_add", "club_event_remove", "club_venue_save", "club_venue_delete"), scenes.in_club),
    **dict.fromkeys(("club_hand_over", "club_role_revoke", "convention_new", "convention"), scenes.in_club),
    **dict.fromkeys(("convention_manage", "convention_event_add", "convention_event_remove"), scenes.in_club),
    **dict.fromkeys(("convention_tables", "convention_delete"), scenes.in_club),
    "league": scenes.in_open_league,
    "league_player": lambda cast: _counted(scenes.in_open_league(cast)),
    "league_export": scenes.in_open_league,
    "league_ratings": scenes.in_open_league,
    "league_preview": scenes.in_open_league,
    "league_manage": scenes.in_league,
    "league_event_add": scenes.in_league,
    "league_event_remove": scenes.in_league,
    "league_delete": scenes.in_league,
    "league_namesakes": scenes.in_league_twice,
    "book_entry": scenes.in_book,
    "book_merge": scenes.in_book,
    "book_split": scenes.in_book,
    "staff_uninvite": scenes.invited,
    "invitation": scenes.invited,
    "application_withdraw": scenes.applied,
    "ban_lift": scenes.banned,
    "ban_person": scenes.banned,
    "staff_question": scenes.asking,
    "staff_category": scenes.with_categories,
    "staff_category_prize": scenes.with_categories,
    "staff_answers": scenes.asking,
    "staff_consent": scenes.asking,
    "my_answers": scenes.asking,
    "pay": scenes.priced,
    "payment": scenes.paid,
    "payment_cancel": scenes.paying,
    "staff_payments": scenes.paid,
    "staff_payments_csv": scenes.paid,
    "staff_price_add": scenes.priced,
    "staff_price_remove": scenes.priced,
    "staff_code_add": scenes.priced,
    "staff_code_remove": scenes.priced,
    "staff_payment": scenes.paid,
    "staff_note_payment": scenes.priced,
    "staff_import": scenes.importing,
    "staff_import_end": scenes.importing,
}


def scene_builder(route: str) -> Callable[[Cast], Scene]:
    """The function that builds the scene of a route."""
    return SCENES.get(route, scenes.audited)


def met(answer: HttpResponse) -> str:
    """Describe a response in the words of the table."""
    if answer.status_code == 302 and answer["Location"].startswith("/sign-in/"):
        return "sign in"
    return {403: "no right", 404: "not found", 405: "no method"}.get(answer.status_code, "yes")


class Floor:
    """A signed-in session for each role, and each scene, built once."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._scenes: dict[Callable[[Cast], Scene], Scene] = {}
        browsers = {role: Client() if role == "visitor" else signed_in(getattr(cast, role)) for role in ROLES}
        self._cookies = {role: browser.cookies.output(header="", sep=";") for role, browser in browsers.items()}

    def scene_of(self, route: str) -> Scene:
        made = scene_builder(route)
        if made not in self._scenes:
            self._scenes[made] = made(self._cast)
        return self._scenes[made]

    def asks(self, role: str, method: str, where: str) -> str:
        """Return what this role gets, in the words of the table. Changes are rolled back."""
        return met(self.answer(role, method, where))

    def answer(self, role: str, method: str, where: str, *, follow: bool = False) -> HttpResponse:
        """Return the response that this role gets. Changes are rolled back, so that no request affects another."""
        cache.clear()  # rate limits are counted in the cache
        browser = Client()
        browser.cookies.load(self._cookies[role])
        with transaction.atomic():
            answer = getattr(browser, method.lower())(where, follow=follow)
            transaction.set_rollback(True)
        return answer


def test_every_route_is_in_the_table_with_its_address() -> None:
    shown = (ROOT / "docs" / "routes.md").read_text(encoding="utf-8")
    names = {name for name, _method in table()}
    assert names == {pattern.name for pattern in PATTERNS}
    for pattern in PATTERNS:
        plain = "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        assert f"| `{pattern.name}` |" in shown and f"`{plain}`" in shown, pattern.name


@pytest.mark.slow
def test_each_role_gets_on_each_route_what_the_table_says(cast: Cast) -> None:
    floor = Floor(cast)
    patterns = {pattern.name: pattern for pattern in PATTERNS}
    differs = []
    for (name, methods), expected in table().items():
        where = address(patterns[name], floor.scene_of(name))
        for method, role in product(methods.split(", "), ROLES):
            found = floor.asks(role, method, where)
            if found != expected[role]:
                differs.append(f"{method} {name}: {role} met {found!r}, not {expected[role]!r}")
    assert not differs, "\n".join(differs)


@pytest.mark.slow
def test_no_browser_keeps_a_page_that_only_staff_may_read(cast: Cast) -> None:
    floor = Floor(cast)
    kept = []
    for pattern in PATTERNS:
        if scene_builder(pattern.name) is scenes.with_cards:  # lists of cards name nobody
            continue
        expected = table().get((pattern.name, "GET")) or table().get((pattern.name, "GET, POST"))
        if expected is None or expected["organizer"] != "yes" or expected["stranger"] not in ("not found", "no right"):
            continue
        answer = floor.answer("organizer", "GET", address(pattern, floor.scene_of(pattern.name)))
        if answer.status_code == 200 and "no-store" not in answer.get("Cache-Control", ""):
            kept.append(pattern.name)
    assert not kept, " ".join(kept)
    assert not kept, " ".join(kept)
