"""Leagues: events add up, standings follow results, one player of the book is one player."""

from datetime import timedelta
from fractions import Fraction

import pytest

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event, play_out
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.accounts.models import Person
from tournaments.accounts.services import erase_person, own_person
from tournaments.common import jobs, ledger
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.presets import FREE
from tournaments.events.services import add_entrant, choose_visibility
from tournaments.leagues import services
from tournaments.leagues.book import alike, book_of, merge_players, player_of, split_player, write_entry
from tournaments.leagues.models import BookEntry, League
from tournaments.leagues.selectors import ShownLeague, standings_of
from tournaments.play import services as play
from tournaments.play.models import Match

RULES = {"by_rank": [10, 6], "later": 1, "per_match_point": 1, "attendance": 2}


def a_league(cast: Cast, *events: Event, **rules: object) -> League:
    league = services.create_league(name="Season", by=cast.organizer, now=NOW, rules={**RULES, **rules})
    for event in events:
        services.add_event(league=league, event=event, by=cast.organizer, now=NOW)
    return league


def a_played_event(cast: Cast) -> Event:
    """A round of two is played and won by seat 1."""
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return event


def winner(event: Event) -> Person:
    return Person.objects.get(member__entrant__seats__points=3, member__event=event)


def shown(league: League) -> ShownLeague:
    jobs.run_due(NOW + timedelta(minutes=1))
    return standings_of(league)


def test_a_result_that_counts_moves_the_league(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    lines = shown(league).lines
    assert [(line.rank, line.total) for line in lines] == [(1, 10 + 3 + 2), (2, 6 + 0 + 2)]
    assert lines[0].player == winner(event).public_id


def test_an_event_gives_nothing_while_its_standings_are_hidden(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    choose_visibility(event=event, cells={"standings.public.swiss": "after_event"}, by=cast.organizer, now=NOW)
    assert shown(league).lines == []
    choose_visibility(event=event, cells={"standings.public.swiss": "now"}, by=cast.organizer, now=NOW)
    assert len(shown(league).lines) == 2


def test_the_standings_follow_a_correction(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    before = shown(league).lines[0].player
    match = Match.objects.get(round__stage__event=event)
    play.override_result(match=match, by=cast.organizer, games=[0, 2, 0], reason="Misread.", now=NOW)
    assert standings_of(league).computing
    assert shown(league).lines[0].player != before
    assert not standings_of(league).computing


def test_nothing_is_computed_twice(cast):
    league = a_league(cast, a_played_event(cast))
    assert shown(league).lines
    assert services.compute_league(league_id=league.pk, now=NOW) is None


def test_an_event_that_is_not_played_gives_nothing_and_a_cancelled_one_neither(cast):
    league = a_league(cast, an_open_event(cast))
    assert shown(league).lines == []


def test_who_did_not_come_has_no_points(cast):
    event = a_running_event(cast, players=2)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get()
    play.override_result(match=match, by=cast.organizer, games=[2, 0, 0], kind="no_show", now=NOW)
    lines = shown(a_league(cast, event)).lines
    assert [line.player for line in lines] == [winner(event).public_id]


def test_standings_that_are_hidden_give_no_points_until_they_are_shown(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    cells = {"standings.public.swiss": "after_event", "standings.players.swiss": "now"}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    assert shown(league).lines == []
    Event.objects.filter(pk=event.pk).update(status="finished")
    assert services.compute_league(league_id=league.pk, now=NOW) and len(shown(league).lines) == 2


def test_only_the_best_results_count_and_the_others_are_shown(cast):
    events = [a_played_event(cast), a_played_event(cast)]
    lines = shown(a_league(cast, *events, best=1)).lines
    assert all([result.why for result in line.results] == ["counts", "dropped"] for line in lines)
    assert all(line.total == line.results[0].points + 2 * 2 for line in lines)


def test_an_event_taken_out_gives_its_points_back(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    assert shown(league).lines
    services.remove_event(league=league, event=event, by=cast.organizer, now=NOW)
    assert shown(league).lines == []


def test_impossible_figures_are_refused_and_named(cast):
    league = a_league(cast)
    with assert_refused("out_of_bounds") as caught:
        services.change_league(league=league, by=cast.organizer, now=NOW, later=-1, best=0)
    assert caught.value.details == ["later", "best"]


def test_every_gesture_stands_in_the_ledger_of_the_league(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    services.change_league(league=league, by=cast.organizer, now=NOW, visibility="public", best=3)
    services.change_league(league=league, by=cast.organizer, now=NOW, visibility="public")
    assert ledger.revision(league.public_id) == 3
    assert list(ledger.faults(league.public_id)) == []


@pytest.fixture
def walk_in(cast: Cast) -> tuple[League, Person, Person]:
    """A league in which the player of one event came to another one as a walk-in."""
    first = a_played_event(cast)
    second = an_open_event(cast, preset=FREE, game_name="Go")
    typed = [
        add_entrant(event=second, given_name=name, family_name="Rossi", by=cast.organizer, now=NOW)
        for name in ("Ada", "Béla")
    ]
    lock_decks(event=second, by=cast.organizer, now=NOW)
    play.start_event(event=second, by=cast.organizer, now=NOW)
    second.refresh_from_db()
    play_out(a_published_round(second, cast.organizer), cast.organizer)
    return a_league(cast, first, second), typed[0].member_set.get().person, own_person(cast.player)


def total(league: League, person: Person) -> Fraction | None:
    line = shown(league).line_of(person.public_id)
    return line.total if line else None


def test_two_entries_merged_add_up_and_split_they_are_what_they_were(cast, walk_in):
    league, typed, player = walk_in
    before = [(line.player, line.total) for line in shown(league).lines]
    merge_players(owner=cast.organizer, person=typed, into=player, now=NOW)
    assert total(league, player) == sum(points for who, points in before if who in (typed.public_id, player.public_id))
    assert total(league, typed) is None
    split_player(owner=cast.organizer, person=typed, now=NOW)
    assert [(line.player, line.total) for line in shown(league).lines] == before


def test_the_person_with_an_account_stands_for_the_player(cast, walk_in):
    _league, typed, player = walk_in
    stands = merge_players(owner=cast.organizer, person=player, into=typed, now=NOW)
    assert stands == player
    assert player_of(cast.organizer, typed).person == player
    assert player_of(cast.organizer, player).others == [typed]


def test_two_who_are_entered_in_one_event_are_two(cast, walk_in):
    _league, typed, _player = walk_in
    other = Person.objects.get(given_name="Béla")
    with assert_refused("both_entered") as caught:
        merge_players(owner=cast.organizer, person=typed, into=other, now=NOW)
    assert caught.value.details == [Event.objects.get(entrants__member__person=typed).public_id]
    with assert_refused("same_player"):
        merge_players(owner=cast.organizer, person=typed, into=typed, now=NOW)


def test_another_organizers_book_changes_nothing_here(cast, walk_in):
    league, typed, player = walk_in
    before = total(league, player)
    with assert_refused("player_unknown"):
        merge_players(owner=cast.stranger, person=typed, into=player, now=NOW)
    BookEntry.objects.create(owner=cast.stranger, person=typed, same_as=player)
    assert total(league, player) == before


def test_the_book_gathers_who_played_and_finds_names_without_accents(cast, walk_in):
    assert {player.name for player in book_of(cast.organizer)} == {"Player 1", "Player 2", "Ada Rossi", "Béla Rossi"}
    assert [player.name for player in book_of(cast.organizer, "rossi bela")] == ["Béla Rossi"]
    assert book_of(cast.stranger) == []


def test_names_that_are_alike_are_proposed(cast, walk_in):
    event = an_open_event(cast)
    add_entrant(event=event, given_name="Rossi", family_name="Bela", by=cast.organizer, now=NOW)
    (group,) = alike(book_of(cast.organizer))
    assert {player.name for player in group} == {"Béla Rossi", "Rossi Bela"}


def test_a_private_name_is_nowhere_but_in_the_book(cast, walk_in):
    league, _typed, player = walk_in
    write_entry(owner=cast.organizer, person=player, name="The tall one", notes="Pays next time.")
    assert player_of(cast.organizer, player).name == "The tall one"
    assert shown(league).line_of(player.public_id).name == "Player 1"


def test_an_erased_player_is_forgotten_and_the_league_and_its_ledger_stay_true(cast, walk_in):
    league, typed, player = walk_in
    merge_players(owner=cast.organizer, person=typed, into=player, now=NOW)
    write_entry(owner=cast.organizer, person=player, name="The tall one", notes="Pays next time.")
    before = total(league, player)
    erase_person(person=player, now=NOW)
    assert total(league, player) == before
    assert shown(league).line_of(player.public_id).name == player.public_id
    typed.refresh_from_db()
    assert typed.erased_at is not None and typed.given_name == ""
    assert not BookEntry.objects.exclude(name="", notes="").exists()
    assert player.public_id not in {each.public_id for each in book_of(cast.organizer)}
    assert list(ledger.faults(league.public_id)) == []


def test_an_erased_player_takes_nobody_with_an_account_along(cast):
    event = an_open_event(cast)
    first, second = (an_entrant(event, user, deck=None) for user in (cast.player, account("Player 3")))
    Entrant.objects.filter(pk=second.pk).update(status="dropped", dropped_after=0)
    persons = [entrant.member_set.get().person for entrant in (first, second)]
    merge_players(owner=cast.organizer, person=persons[0], into=persons[1], now=NOW)
    erase_person(person=persons[0], now=NOW)
    persons[1].refresh_from_db()
    assert persons[1].erased_at is None
    assert [each.person for each in book_of(cast.organizer)] == [persons[1]]
