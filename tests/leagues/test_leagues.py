"""Leagues: points of events add up, standings follow results, and merged players of the book count as one."""

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
    """An event of two players with one round played, won by seat 1."""
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return event


def winner(event: Event) -> Person:
    return Person.objects.get(member__entrant__seats__points=3, member__event=event)


def shown(league: League) -> ShownLeague:
    jobs.run_due(NOW + timedelta(minutes=1))
    return standings_of(league, league.owner)


def test_points_come_from_rank_match_points_and_attendance(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    lines = shown(league).lines
    assert [(line.rank, line.total) for line in lines] == [(1, 10 + 3 + 2), (2, 6 + 0 + 2)]
    assert lines[0].player == winner(event).public_id


def test_an_event_gives_points_only_while_its_standings_are_shown(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    choose_visibility(event=event, cells={"standings.public.swiss": "after_event"}, by=cast.organizer, now=NOW)
    assert shown(league).lines == []
    choose_visibility(event=event, cells={"standings.public.swiss": "now"}, by=cast.organizer, now=NOW)
    assert len(shown(league).lines) == 2


def test_the_standings_are_recomputed_after_a_corrected_result(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    before = shown(league).lines[0].player
    match = Match.objects.get(round__stage__event=event)
    play.enter_result(match=match, by=cast.organizer, games=[0, 2, 0], reason="Misread.", now=NOW)
    assert standings_of(league, league.owner).computing
    assert shown(league).lines[0].player != before
    assert not standings_of(league, league.owner).computing


def test_the_lines_beside_a_player_are_those_that_share_the_rank(cast):
    event = a_running_event(cast, players=4)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    league = a_league(cast, event)
    lines = shown(league).lines
    for line in lines:
        expected = [each for each in lines if each.rank == line.rank]
        assert standings_of(league, league.owner, beside=line.player).lines == expected
    assert len({line.rank for line in lines}) > 1
    assert standings_of(league, league.owner, beside="p-nobody").lines == []


def test_standings_that_are_up_to_date_are_not_computed_again(cast):
    league = a_league(cast, a_played_event(cast))
    assert shown(league).lines
    assert services.compute_league(league_id=league.pk, now=NOW) is None


def test_an_event_that_has_not_started_gives_no_points(cast):
    league = a_league(cast, an_open_event(cast))
    assert shown(league).lines == []


def test_a_player_who_did_not_show_up_gets_no_points(cast):
    event = a_running_event(cast, players=2)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get()
    play.enter_result(match=match, by=cast.organizer, games=[2, 0, 0], kind="no_show", now=NOW)
    lines = shown(a_league(cast, event)).lines
    assert [line.player for line in lines] == [winner(event).public_id]


def test_an_event_gives_no_points_until_its_standings_are_shown_at_the_end(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    cells = {"standings.public.swiss": "after_event", "standings.players.swiss": "now"}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    assert shown(league).lines == []
    Event.objects.filter(pk=event.pk).update(status="finished")
    assert services.compute_league(league_id=league.pk, now=NOW) and len(shown(league).lines) == 2


def test_only_the_best_results_count_and_dropped_ones_are_still_shown(cast):
    events = [a_played_event(cast), a_played_event(cast)]
    lines = shown(a_league(cast, *events, best=1)).lines
    assert all([result.why for result in line.results] == ["counts", "dropped"] for line in lines)
    assert all(line.total == line.results[0].points + 2 * 2 for line in lines)


def test_removing_an_event_removes_its_points(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    assert shown(league).lines
    services.remove_event(league=league, event=event, by=cast.organizer, now=NOW)
    assert shown(league).lines == []


def test_rules_out_of_bounds_are_refused_by_name(cast):
    league = a_league(cast)
    with assert_refused("out_of_bounds") as caught:
        services.change_league(league=league, by=cast.organizer, now=NOW, later=-1, best=0)
    assert caught.value.details == ["later", "best"]


def test_every_change_is_recorded_in_the_ledger_of_the_league(cast):
    event = a_played_event(cast)
    league = a_league(cast, event)
    services.change_league(league=league, by=cast.organizer, now=NOW, visibility="public", best=3)
    services.change_league(league=league, by=cast.organizer, now=NOW, visibility="public")
    assert ledger.revision(league.public_id) == 3
    assert list(ledger.faults(league.public_id)) == []


@pytest.fixture
def walk_in(cast: Cast) -> tuple[League, Person, Person]:
    """A league of two events: the walk-in `Ada` of the second is the cast's player, who played in the first.

    Returns the league, the walk-in, and the player's own person.
    """
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


def test_merging_players_adds_up_their_points_and_splitting_restores_them(cast, walk_in):
    league, typed, player = walk_in
    before = [(line.player, line.total) for line in shown(league).lines]
    merge_players(owner=cast.organizer, person=typed, into=player, now=NOW)
    assert total(league, player) == sum(points for who, points in before if who in (typed.public_id, player.public_id))
    assert total(league, typed) is None
    split_player(owner=cast.organizer, person=typed, now=NOW)
    assert [(line.player, line.total) for line in shown(league).lines] == before


def test_the_person_with_an_account_represents_a_merged_player(cast, walk_in):
    _league, typed, player = walk_in
    stands = merge_players(owner=cast.organizer, person=player, into=typed, now=NOW)
    assert stands == player
    assert player_of(cast.organizer, typed).person == player
    assert player_of(cast.organizer, player).others == [typed]


def test_players_entered_in_the_same_event_cannot_be_merged(cast, walk_in):
    _league, typed, _player = walk_in
    other = Person.objects.get(given_name="Béla")
    with assert_refused("both_entered") as caught:
        merge_players(owner=cast.organizer, person=typed, into=other, now=NOW)
    assert caught.value.details == [Event.objects.get(entrants__member__person=typed).public_id]
    with assert_refused("same_player"):
        merge_players(owner=cast.organizer, person=typed, into=typed, now=NOW)


def test_the_book_of_another_organizer_does_not_change_a_league(cast, walk_in):
    league, typed, player = walk_in
    before = total(league, player)
    with assert_refused("player_unknown"):
        merge_players(owner=cast.stranger, person=typed, into=player, now=NOW)
    BookEntry.objects.create(owner=cast.stranger, person=typed, same_as=player)
    assert total(league, player) == before


def test_the_book_lists_all_players_and_is_searched_without_accents(cast, walk_in):
    assert {player.name for player in book_of(cast.organizer)} == {"Player 1", "Player 2", "Ada Rossi", "Béla Rossi"}
    assert [player.name for player in book_of(cast.organizer, "rossi bela")] == ["Béla Rossi"]
    assert book_of(cast.stranger) == []


def test_the_book_takes_the_same_queries_for_more_players(cast, walk_in, django_assert_num_queries):
    _league, _typed, player = walk_in
    write_entry(owner=cast.organizer, person=player, name="The tall one", notes="")
    event = an_open_event(cast)
    for number in range(20):
        with django_assert_num_queries(3):
            assert len(book_of(cast.organizer)) == 4 + number
        add_entrant(event=event, given_name=f"P{number}", family_name="", by=cast.organizer, now=NOW)


def test_a_book_entry_stays_without_any_event_of_the_player(cast, walk_in):
    person = own_person(account("Player 9"))
    write_entry(owner=cast.organizer, person=person, name="Comes next year", notes="")
    assert player_of(cast.organizer, person).name == "Comes next year"


def test_similar_names_are_suggested_for_merging(cast, walk_in):
    event = an_open_event(cast)
    add_entrant(event=event, given_name="Rossi", family_name="Bela", by=cast.organizer, now=NOW)
    (group,) = alike(book_of(cast.organizer))
    assert {player.name for player in group} == {"Béla Rossi", "Rossi Bela"}


def test_a_private_name_is_shown_only_in_the_book(cast, walk_in):
    league, _typed, player = walk_in
    write_entry(owner=cast.organizer, person=player, name="The tall one", notes="Pays next time.")
    assert player_of(cast.organizer, player).name == "The tall one"
    assert shown(league).line_of(player.public_id).name == "Player 1"


def test_erasing_a_player_clears_the_book_and_keeps_the_points_and_the_ledger(cast, walk_in):
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


def test_erasing_a_player_does_not_erase_a_merged_player_with_an_account(cast):
    event = an_open_event(cast)
    first, second = (an_entrant(event, user, deck=None) for user in (cast.player, account("Player 3")))
    Entrant.objects.filter(pk=second.pk).update(status="dropped", dropped_after=0)
    persons = [entrant.member_set.get().person for entrant in (first, second)]
    merge_players(owner=cast.organizer, person=persons[0], into=persons[1], now=NOW)
    erase_person(person=persons[0], now=NOW)
    persons[1].refresh_from_db()
    assert persons[1].erased_at is None
    assert [each.person for each in book_of(cast.organizer)] == [persons[1]]
