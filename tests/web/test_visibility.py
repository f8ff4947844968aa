"""Visibility settings: what the organizer hides is hidden on every page, screen, export and API route."""

from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, match_of, play_out
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.reading import forget_kept
from tournaments.decks.selectors import current_list
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import choose_visibility, grant_role
from tournaments.events.visibility import PRESETS, read_visibility
from tournaments.play import services as play
from tournaments.play.models import Match, Round

pytestmark = pytest.mark.django_db

# Each route that shows pairings, standings or decklists to non-staff, and which of them must be visible for it.
PAGES = {
    "web:pairings": "pairings",
    "web:followed": "pairings",
    "web:match": "pairings",
    "web:standings": "standings",
    "web:standing": "standings pairings",
    "web:standings_changes": "standings",
    "web:standings_trf": "standings pairings",
    "web:staff_deck": "decklists",
    "api:round": "pairings",
    "api:match": "pairings",
    "api:clock": "pairings",
    "api:standings": "standings",
    "api:standing": "standings pairings",
    "api:standings_changes": "standings",
    "api:standings_trf": "standings pairings",
    "api:decklist": "decklists",
}


@dataclass
class Site:
    """An event in its first round, with a match and an entrant that the cast's players are not part of."""

    event: Event
    match: Match
    entrant: Entrant

    def of(self, name: str) -> str:
        """Return the address of a route of this event, match or entrant."""
        event = self.event.public_id
        if "deck" in name:
            newest = current_list(self.entrant, current_stage(self.event))
            return reverse(name, args=[newest.pk if name.startswith("web") else self.entrant.public_id])
        if "match" in name:
            return reverse(name, args=[self.match.public_id])
        number = (1,) if name.split(":")[1] in ("pairings", "followed", "round", "clock") else ()
        who = (self.entrant.public_id,) if name.endswith("standing") else ()
        return reverse(name, args=[event, *number, *who])


@pytest.fixture
def site(cast: Cast) -> Site:
    event = a_running_event(cast, players=6)
    round_ = a_published_round(event, cast.organizer)
    mine = match_of(round_, cast.player)
    other = round_.matches.exclude(pk=mine.pk).exclude(seats__entrant__member__person__account=cast.opponent).first()
    return Site(event, other, other.seats.get(number=1).entrant)


def says(site: Site, cast: Cast, **cells: str) -> None:
    """Set visibility for the first stage, as in `pairings_public="never"`."""
    wanted = {f"{cell.replace('_', '.')}.swiss": when for cell, when in cells.items()}
    choose_visibility(event=site.event, cells=wanted, by=cast.organizer, now=NOW)


def seen(user: User | None, page: str) -> bool:
    """Return whether a user, or a visitor (None), may see a page."""
    answer = (signed_in(user) if user else Client()).get(page)
    assert answer.status_code in (200, 302, 401, 403, 404), page
    return answer.status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_each_page_is_visible_exactly_as_the_settings_say(site: Site, cast: Cast, name: str) -> None:
    page, needed = site.of(name), PAGES[name].split()
    for reader in ("public", "players"):
        for what in needed:
            says(site, cast, **{f"{what}_{reader}": "never"})
    assert (seen(cast.stranger, page), seen(cast.player, page)) == (False, False)
    assert seen(cast.judge, page), "staff who do not play see it"
    for what in needed:
        says(site, cast, **{f"{what}_players": "now"})
    assert (seen(cast.stranger, page), seen(cast.player, page)) == (False, True)
    for what in needed:
        says(site, cast, **{f"{what}_players": "never", f"{what}_public": "now"})
    assert (seen(cast.stranger, page), seen(cast.player, page)) == (True, True)
    for what in needed:
        says(site, cast, **{f"{what}_public": "never"})
        says(site, cast, **{f"{what}_public": "after_event"})  # the event is still running
        assert not seen(cast.stranger, page)
    Event.objects.filter(pk=site.event.pk).update(status=Event.Status.FINISHED)
    assert seen(cast.stranger, page)


def test_the_refusal_says_that_the_page_is_hidden(site: Site, cast: Cast) -> None:
    says(site, cast, pairings_public="after_round", pairings_players="after_round")
    answer = Client().get(site.of("api:round"))
    assert (answer.status_code, answer.json()["code"]) == (403, "hidden_now")
    assert "not yet" in text(Client().get(site.of("web:pairings")))
    Round.objects.update(status=Round.Status.CLOSED)  # without the ledger entry that outdates cached pages
    forget_kept()
    assert seen(None, site.of("web:pairings"))


def test_a_player_sees_only_their_own_table_when_pairings_are_hidden(site: Site, cast: Cast) -> None:
    says(site, cast, pairings_public="never", pairings_players="never")
    own = match_of(Round.objects.get(), cast.player)
    assert seen(cast.player, address("match", own.public_id))
    assert str(own.table) in text(signed_in(cast.player).get(address("me", site.event.public_id)))
    assert not seen(cast.player, address("match", site.match.public_id))


def test_staff_who_play_see_what_players_see(site: Site, cast: Cast) -> None:
    says(site, cast, pairings_public="never", pairings_players="never", standings_public="never")
    says(site, cast, standings_players="never")
    grant_role(event=site.event, email=cast.player.email, role="judge", by=cast.organizer, now=NOW)
    for name in ("web:pairings", "web:standings", "api:match", "web:staff_deck"):
        assert not seen(cast.player, site.of(name)), name


@pytest.mark.parametrize("hidden", ["pairings", "standings"])
def test_screens_exports_and_links_leave_out_what_is_hidden(site: Site, cast: Cast, hidden: str) -> None:
    name, event = site.entrant.name, site.event.public_id
    shown = {
        "pairings": (
            reverse("web:screen", args=[event, "pairings"]),
            reverse("web:export", args=[event, "pairings", "csv"]),
            reverse("api:export", args=[event, "pairings"]),
            reverse("web:export", args=[event, "results", "csv"]),
        ),
        "standings": (
            reverse("web:screen", args=[event, "standings"]),
            reverse("web:export", args=[event, "standings", "csv"]),
            reverse("api:export", args=[event, "standings"]),
        ),
    }[hidden]
    play_out(site.match.round, cast.organizer)
    jobs.run_due(NOW)
    assert all(name in text(Client().get(page)) for page in shown)
    says(site, cast, **{f"{hidden}_public": "never", f"{hidden}_players": "never"})
    assert not any(name in text(Client().get(page)) for page in shown)
    assert all(name in text(signed_in(cast.organizer).get(page)) for page in shown if "screen" not in page)
    if hidden == "pairings":
        assert Client().get(reverse("api:rounds", args=[event])).json() == []
        assert site.of("web:pairings") not in text(Client().get(address("event", event)))


def test_a_screen_shows_what_the_public_sees_whoever_set_it_up(site: Site, cast: Cast) -> None:
    says(site, cast, pairings_public="never")
    page = reverse("web:screen", args=[site.event.public_id, "pairings"])
    assert site.entrant.name not in text(signed_in(cast.organizer).get(page))


def test_a_hidden_bracket_is_hidden_on_its_page_and_in_the_api(cast: Cast) -> None:
    event = a_bracket(cast)
    a_published_round(event, cast.organizer)
    pages = (address("stage", event.public_id, 2), reverse("api:stage", args=[event.public_id, 2]))
    assert all(seen(None, page) for page in pages)
    cells = {"pairings.public.cut": "never", "pairings.players.cut": "never"}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    assert not any(seen(cast.stranger, page) for page in pages)
    assert all(seen(cast.organizer, page) for page in pages)


def test_open_decklists_are_linked_from_the_list_of_entrants(site: Site, cast: Cast) -> None:
    page, link = address("entrants", site.event.public_id), site.of("web:staff_deck")
    assert link not in text(Client().get(page))
    says(site, cast, decklists_public="now")
    assert link in text(Client().get(page))
    assert seen(None, link)
    decks = reverse("web:export", args=[site.event.public_id, "decks", "csv"])
    assert seen(None, decks)


def test_decklists_are_not_public_before_they_are_locked(site: Site, cast: Cast) -> None:
    says(site, cast, decklists_public="now")
    Event.objects.filter(pk=site.event.pk).update(status=Event.Status.REGISTRATION)
    assert not seen(cast.stranger, site.of("web:staff_deck"))
    assert not seen(None, site.of("web:staff_deck"))


# ---------------------------------------------------------------------------- exchange of decklists in the cut


def lists_of(round_: Round, user: User) -> tuple[str, str, str]:
    """Return the pages of a player's own decklist, of the opponent's, and of one from another match."""
    match = match_of(round_, user)
    stage = round_.stage
    pages = {
        seat.entrant: address("staff_deck", current_list(seat.entrant, stage).pk)
        for seat in match.seats.select_related("entrant")
    }
    own = next(entrant for entrant in pages if entrant.member_set.get().person.account_id == user.pk)
    other = Match.objects.filter(round=round_).exclude(pk=match.pk).first().seats.first().entrant
    (against,) = (page for entrant, page in pages.items() if entrant != own)
    return pages[own], against, address("staff_deck", current_list(other, stage).pk)


def test_opponents_in_the_cut_see_each_others_decklist_once_paired(cast: Cast) -> None:
    event = a_bracket(cast)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    own, against, other = lists_of(draft, cast.player)
    assert [seen(cast.player, page) for page in (own, against, other)] == [True, False, False]
    play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    assert [seen(cast.player, page) for page in (own, against, other)] == [True, True, False]
    assert not seen(cast.stranger, against)
    assert against in text(signed_in(cast.player).get(address("me", event.public_id)))
    play.unpublish_round(round_=draft, by=cast.organizer, now=NOW)
    assert not seen(cast.player, against)


def test_decklists_are_not_exchanged_in_the_first_stage_unless_the_settings_say_so(site: Site, cast: Cast) -> None:
    _own, against, _other = lists_of(Round.objects.get(), cast.player)
    assert not seen(cast.player, against)
    says(site, cast, decklists_opponent="after_round")
    assert not seen(cast.player, against)
    Round.objects.update(status=Round.Status.CLOSED)
    assert seen(cast.player, against)


# ----------------------------------------------------------------------------------------------- the settings page


def test_staff_can_see_the_settings_and_organizers_change_them(site: Site, cast: Cast) -> None:
    page = address("staff_visibility", site.event.public_id)
    assert Client().get(page).status_code == 302
    assert {signed_in(cast.stranger).get(page).status_code, signed_in(cast.player).get(page).status_code} == {404}
    assert signed_in(cast.judge).get(page).status_code == 200
    assert signed_in(cast.scorekeeper).post(page, {}).status_code == 403
    client = signed_in(cast.organizer)
    form = client.get(page).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    differs = {**sent, "cut_differs": "on", "pairings.public.cut": "after_round"}
    assert client.post(page, differs).status_code == 302
    site.event.refresh_from_db()
    assert site.event.visibility["pairings.public.cut"] == "after_round"
    assert client.post(page, {**sent, "pairings.public.cut": "soon"}).status_code == 422
    assert client.post(page, {**differs, "cut_differs": "", "pairings.public.swiss": "never"}).status_code == 302
    site.event.refresh_from_db()
    cells = [site.event.visibility[f"pairings.public.{part}"] for part in ("swiss", "cut")]
    assert cells == ["never", "never"], "the cut is as the first stage"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_applied_by_one_button_and_recognized(site: Site, cast: Cast, preset: str) -> None:
    page, client = address("staff_visibility", site.event.public_id), signed_in(cast.organizer)
    says(site, cast, pairings_public="after_round")
    assert 'aria-pressed="true"' not in text(client.get(page)).partition("<footer")[0]
    assert client.post(page, {"preset": preset}).status_code == 302
    site.event.refresh_from_db()
    assert site.event.visibility == read_visibility(PRESETS[preset])
    shown = {name: current for name, _words, _means, current in client.get(page).context["presets"]}
    assert shown == {name: name == preset for name in PRESETS}
    assert signed_in(cast.scorekeeper).post(page, {"preset": preset}).status_code == 403
