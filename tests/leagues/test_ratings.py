"""The ratings of a league: a period for each event, what counts, and who sees them."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import NOW, a_published_round, a_running_event, an_open_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.services import own_person
from tournaments.common import jobs
from tournaments.common.models import Job, LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Event
from tournaments.events.presets import FREE
from tournaments.events.services import add_entrant
from tournaments.leagues import services
from tournaments.leagues.book import merge_players
from tournaments.leagues.models import League, LeagueTable
from tournaments.leagues.ratings import ShownRating, ratings_of
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.swiss.glicko import Outcome, Rating, rated

pytestmark = pytest.mark.django_db


def a_league(cast: Cast, *events: Event, **options: object) -> League:
    league = services.create_league(
        name="Season", by=cast.organizer, now=NOW, visibility="public", rules={"ratings": True, **options}
    )
    for event in events:
        services.add_event(league=league, event=event, by=cast.organizer, now=NOW)
    return league


def a_played_event(cast: Cast, named: str = "Player") -> Event:
    """An event of two players; seat 1 won the only match."""
    event = a_running_event(cast, players=2, named=named)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return event


def shown(league: League) -> list[ShownRating]:
    jobs.run_due(NOW + timedelta(minutes=1))
    return ratings_of(league).rows


def outcomes(event: Event) -> list[Outcome]:
    """The results of an event, read in another way than the ratings do."""
    found = []
    for match in Match.objects.filter(round__stage__event=event, kind="played"):
        first, second = match.seats.order_by("number")
        score = 0.5 if first.points == second.points else float((first.points or 0) > (second.points or 0))
        persons = [seat.entrant.member_set.get().person.public_id for seat in (first, second)]
        found.append(Outcome(persons[0], persons[1], score))
    return found


def test_each_event_is_a_period_in_the_order_of_the_league(cast: Cast) -> None:
    events = [a_played_event(cast), a_played_event(cast)]
    expected: dict[str, Rating] = {}
    for event in reversed(events):
        before, expected = expected, rated(expected, outcomes(event))
    rows = shown(a_league(cast, *reversed(events)))
    assert [row.player for row in rows] == sorted(expected, key=lambda each: (-round(expected[each].rating, 6), each))
    for row in rows:
        wanted = expected[row.player]
        assert (row.rating, row.deviation) == pytest.approx((wanted.rating, wanted.deviation), abs=1e-5)
        assert row.change == pytest.approx(wanted.rating - before[row.player].rating, abs=1e-5)
        assert (row.matches, row.provisional, row.high - row.low) == (2, True, pytest.approx(4 * row.deviation))


def test_a_corrected_result_changes_the_ratings(cast: Cast) -> None:
    event = a_played_event(cast)
    league = a_league(cast, event)
    best = shown(league)[0].player
    match = Match.objects.get(round__stage__event=event)
    play.enter_result(match=match, by=cast.organizer, games=[0, 2, 0], reason="Misread.", now=NOW)
    assert shown(league)[0].player != best


@pytest.mark.parametrize("kind", ["no_show", "forfeit", "penalty_loss", "double_loss", "intentional_draw"])
def test_a_match_that_was_not_played_does_not_count(cast: Cast, kind: str) -> None:
    event = a_played_event(cast)
    Match.objects.update(kind=kind)
    assert shown(a_league(cast, event)) == []


def test_byes_and_disputed_results_do_not_count(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    assert [row.matches for row in shown(a_league(cast, event))] == [1, 1]
    Match.objects.filter(kind="played").update(disputed=True)
    assert shown(a_league(cast, event)) == []


def test_a_draw_moves_equal_players_nowhere(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer, (1, 1, 1))
    assert [(row.rank, row.rating) for row in shown(a_league(cast, event))] == [(1, 1500), (1, 1500)]


def test_merged_players_of_the_book_are_rated_as_one(cast: Cast) -> None:
    first, second = a_played_event(cast), an_open_event(cast, preset=FREE, game_name="Go")
    typed = [
        add_entrant(event=second, given_name=name, family_name="", by=cast.organizer, now=NOW) for name in ("Ada", "Bo")
    ]
    lock_decks(event=second, by=cast.organizer, now=NOW)
    play.start_event(event=second, by=cast.organizer, now=NOW)
    second.refresh_from_db()
    play_out(a_published_round(second, cast.organizer), cast.organizer)
    league = a_league(cast, first, second)
    assert len(shown(league)) == 4
    walk_in, player = typed[0].member_set.get().person, own_person(cast.player)
    merge_players(owner=cast.organizer, person=walk_in, into=player, now=NOW)
    rows = {row.player: row.matches for row in shown(league)}
    assert len(rows) == 3 and rows[player.public_id] == 2 and walk_in.public_id not in rows


def test_a_league_rates_only_if_its_rules_say_so(cast: Cast) -> None:
    league = a_league(cast, a_played_event(cast), ratings=False)
    assert shown(league) == [] and LeagueTable.objects.get(league=league).ratings == []
    page = address("league_ratings", league.public_id)
    assert Client().get(page).status_code == 404
    assert Client().get(reverse("api:league_ratings", args=[league.public_id])).status_code == 404
    league = services.change_league(league=league, by=cast.organizer, now=NOW, ratings=True)
    assert len(shown(league)) == 2 and Client().get(page).status_code == 200
    with assert_refused("out_of_bounds") as refused:
        services.change_league(league=league, by=cast.organizer, now=NOW, ratings=1)
    assert refused.value.details == ["ratings"]


def test_rules_stored_before_there_were_ratings_are_not_recorded_as_changed(cast: Cast) -> None:
    league = a_league(cast, ratings=False)
    rules = {name: value for name, value in league.rules.items() if name != "ratings"}
    League.objects.filter(pk=league.pk).update(rules=rules)
    services.change_league(league=league, by=cast.organizer, now=NOW, later=league.rules["later"])
    assert not LedgerEntry.objects.filter(chain=league.public_id, code="league.changed").exists()


def test_the_page_and_the_api_show_the_ratings_with_public_names(cast: Cast) -> None:
    league = a_league(cast, a_played_event(cast))
    rows = shown(league)
    page = text(Client().get(address("league_ratings", league.public_id)))
    assert all(row.name in page for row in rows) and page.count("provisional") >= 2
    assert [row.change > 0 for row in rows] == [change.startswith("+") for change in re.findall(r">([+−]\d+)<", page)]
    told = Client().get(reverse("api:league_ratings", args=[league.public_id])).json()["results"]
    assert [each["player"] for each in told] == [row.player for row in rows]
    assert told[0]["low"] == pytest.approx(rows[0].low)
    assert address("league_ratings", league.public_id) in text(Client().get(address("league", league.public_id)))
    found = text(Client().get(address("league_ratings", league.public_id), {"find": rows[0].name}))
    assert rows[0].name in found and rows[1].name not in found


def test_a_private_league_shows_its_ratings_to_its_owner_only(cast: Cast) -> None:
    league = a_league(cast, a_played_event(cast))
    shown(league)
    services.change_league(league=league, by=cast.organizer, now=NOW, visibility="private")
    for page in (address("league_ratings", league.public_id), reverse("api:league_ratings", args=[league.public_id])):
        assert Client().get(page).status_code == signed_in(cast.player).get(page).status_code == 404
        assert signed_in(cast.organizer).get(page).status_code == 200


def test_the_number_of_queries_does_not_grow_with_the_players(cast: Cast) -> None:
    league = a_league(cast, a_played_event(cast))
    shown(league)
    page = address("league_ratings", league.public_id)
    few = queries_of(Client(), page)
    event = a_running_event(cast, players=6, named="Other")
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    services.add_event(league=league, event=event, by=cast.organizer, now=NOW)
    assert len(shown(league)) > 4
    assert queries_of(Client(), page) == few


def test_ratings_that_could_not_be_counted_say_that_what_stands_there_is_older(cast: Cast) -> None:
    league = a_league(cast, a_played_event(cast))
    shown(league)
    page = address("league_ratings", league.public_id)
    assert "could not be counted" not in text(Client().get(page))
    Job.objects.filter(kind="leagues.compute", key=str(league.pk)).update(status=Job.Status.FAILED)
    assert "could not be counted" in text(Client().get(page))
