"""Public pages: what visitors and users see in each state of an event, and the number of queries."""

import pytest
from django.urls import reverse

from tests.builders import (
    NOW,
    a_published_round,
    a_running_event,
    an_entrant,
    an_event,
    an_open_event,
    lock_decks,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast, account
from tests.web.pages import queries_of, signed_in
from tournaments.common.models import Job
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings.services import compute_standings


def page_of(event: Event, name: str, *args: object) -> str:
    return reverse(f"web:{name}", args=[event.public_id, *args])


def test_the_home_page_says_when_there_are_no_events(client, db):
    assert "No events yet" in client.get("/").content.decode()
    assert "No past events yet" in client.get("/archive/").content.decode()


def test_the_list_of_events_shows_drafts_only_to_their_staff(client, cast: Cast):
    an_open_event(cast, name="Open Event")
    an_event(cast, name="Secret Draft")
    shown = client.get("/").content.decode()
    assert "Open Event" in shown
    assert "Secret Draft" not in shown
    assert "Secret Draft" in signed_in(cast.organizer).get("/").content.decode()


@pytest.mark.parametrize("name", ["event", "entrants", "standings"])
def test_a_draft_event_is_hidden_from_everybody_but_its_staff(client, cast: Cast, name: str):
    address = page_of(an_event(cast), name)
    assert client.get(address).status_code == 404
    assert signed_in(cast.stranger).get(address).status_code == 404
    assert signed_in(cast.organizer).get(address).status_code == 200


def test_the_event_page_offers_registration(client, cast: Cast):
    event = an_open_event(cast)
    address = page_of(event, "event")
    assert "Sign in to register" in client.get(address).content.decode()
    assert page_of(event, "register") in signed_in(cast.player).get(address).content.decode()


def test_the_event_page_describes_the_state_of_the_event(client, cast: Cast):
    event = a_running_event(cast)
    assert "Rounds are being played." in client.get(page_of(event, "event")).content.decode()


def test_entrants_are_listed_and_searched_ignoring_accents(client, cast: Cast):
    event = a_running_event(cast)
    shown = client.get(page_of(event, "entrants")).content.decode()
    assert "Player 3" in shown
    found = client.get(page_of(event, "entrants"), {"find": "PLAYÉR 3"}).content.decode()
    assert "Player 3" in found
    assert "Player 4" not in found
    assert "Nobody here is called" in client.get(page_of(event, "entrants"), {"find": "zzz"}).content.decode()


def test_an_event_without_entrants_says_so(client, cast: Cast):
    assert "Nobody has registered yet" in client.get(page_of(an_open_event(cast), "entrants")).content.decode()


def test_draft_pairings_are_visible_only_to_staff(client, cast: Cast):
    event = a_running_event(cast)
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    address = page_of(event, "pairings", 1)
    assert client.get(address).status_code == 404
    assert signed_in(cast.player).get(address).status_code == 404
    assert signed_in(cast.scorekeeper).get(address).status_code == 200


def test_pairings_are_shown_by_table_and_by_name(client, cast: Cast):
    event = a_running_event(cast, players=5)
    a_published_round(event, cast.organizer)
    address = page_of(event, "pairings", 1)
    by_table = client.get(address).content.decode()
    assert "Bye" in by_table and "Player 5" in by_table
    by_name = client.get(address, {"by": "name"}).content.decode()
    assert by_name.index("Player 1") < by_name.index("Player 5")
    found = client.get(address, {"by": "name", "find": "player 2"}).content.decode()
    assert ">Player 2</a>" in found
    assert ">Player 3</a>" not in found


def test_the_pairings_show_results_disputes_and_extra_time(client, cast: Cast):
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    match = match_of(round_, cast.player)
    first, second = users_of(match)
    play.extend_table(match=match, minutes=4, by=cast.organizer, now=NOW)
    report = play.report_result(match=match, by=first, games=[2, 0, 0], now=NOW)
    address = page_of(event, "pairings", 1)
    shown = client.get(address).content.decode()
    assert "Reported" in shown and "+4 min" in shown
    play.contest_result(match=match, report=report, by=second, now=NOW)
    assert "Contested" in client.get(address).content.decode()
    play.rule_result(match=match, by=cast.judge, games=[2, 1, 0], reason="Both asked.", now=NOW)
    assert "2–1" in client.get(address).content.decode()


def test_htmx_gets_only_the_fragment_of_a_page(client, cast: Cast):
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    address = page_of(event, "pairings", 1)
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert 'id="pairings"' in part
    assert "<html" not in part
    assert "<html" in client.get(address, headers={"HX-Request": "true", "HX-Boosted": "true"}).content.decode()


def test_standings_are_shown_as_missing_then_computing_then_complete(client, cast: Cast):
    event = a_running_event(cast)
    address = page_of(event, "standings")
    assert "No standings yet" in client.get(address).content.decode()
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    assert "being counted" in client.get(address).content.decode()
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    shown = client.get(address).content.decode()
    assert "being counted" not in shown
    assert "OMW%" in shown and "Player 4" in shown and "1–0–0" in shown


def test_the_page_says_when_standings_could_not_be_computed(client, cast: Cast):
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    Job.objects.filter(kind="standings.compute").update(status="failed", error="broken")
    shown = client.get(page_of(event, "standings")).content.decode()
    assert "could not be counted" in shown
    assert "broken" not in shown  # errors of jobs are for operators


def test_a_match_page_says_who_gave_the_result(client, cast: Cast):
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    address = reverse("web:match", args=[match.public_id])
    assert "no result yet" in client.get(address).content.decode()
    play.enter_result(match=match, by=cast.scorekeeper, games=[2, 1, 0], now=NOW)
    shown = client.get(address).content.decode()
    assert "by the desk" in shown
    assert "No move log of this match was audited." in shown


def test_a_contested_match_says_that_it_does_not_count(client, cast: Cast):
    event = a_running_event(cast)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=[2, 0, 0], now=NOW)
    play.contest_result(match=match, report=report, by=second, now=NOW)
    assert "This result is contested." in client.get(reverse("web:match", args=[match.public_id])).content.decode()


def test_a_match_of_a_draft_round_does_not_exist_for_players(cast: Cast):
    event = a_running_event(cast)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    address = reverse("web:match", args=[match_of(round_, cast.player).public_id])
    assert signed_in(cast.player).get(address).status_code == 404
    assert signed_in(cast.organizer).get(address).status_code == 200


def test_unknown_events_rounds_and_matches_are_not_found(client, cast: Cast):
    event = an_open_event(cast)
    for address in ("/e/e-nothing/", page_of(event, "pairings", 9), "/m/m-nothing/"):
        assert client.get(address).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_players(client, cast: Cast):
    few = a_running_event(cast, players=4)
    a_published_round(few, cast.organizer)
    compute_standings(stage_id=current_stage(few).pk, now=NOW)
    pages = [("event",), ("entrants",), ("pairings", 1), ("standings",)]
    cheap = [queries_of(client, page_of(few, *page)) for page in pages]
    many = _another_event(cast, players=20)
    dear = [queries_of(client, page_of(many, *page)) for page in pages]
    assert cheap == dear
    assert max(cheap) <= 18


def _another_event(cast: Cast, players: int) -> Event:

    event = an_open_event(cast)
    for number in range(players):
        an_entrant(event, account(f"Guest {number}"), deck=1)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    a_published_round(event, cast.organizer)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    return event


def test_the_list_of_events_links_users_to_their_pages_of_each_event(client, cast: Cast):
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    ways = {"me": cast.player, "staff": cast.scorekeeper, "judge": cast.judge}
    for name, user in ways.items():
        assert f'href="{page_of(event, name)}"' in signed_in(user).get("/").content.decode()
    for browser in (client, signed_in(cast.stranger)):
        shown = browser.get("/").content.decode()
        assert not any(page_of(event, name) in shown for name in ways)


def test_the_number_of_queries_does_not_grow_with_the_events(client, cast: Cast):
    organizer = signed_in(cast.organizer)
    for number in range(3):
        an_open_event(cast, name=f"Event {number}")
    few, own = queries_of(client, "/"), queries_of(organizer, "/")
    for number in range(27):
        an_open_event(cast, name=f"More {number}")
    assert (queries_of(client, "/"), queries_of(organizer, "/")) == (few, own)


def test_the_styleguide_exists_only_in_development(client, db, settings):
    assert client.get("/styleguide/").status_code == 404
    settings.DEBUG = True
    assert client.get("/styleguide/").status_code == 200


def test_a_bye_has_a_page_that_explains_it(client, cast: Cast):
    event = a_running_event(cast, players=5)
    a_published_round(event, cast.organizer)
    bye = Match.objects.get(kind=Match.Kind.BYE)
    assert "counts as a win" in client.get(reverse("web:match", args=[bye.public_id])).content.decode()
