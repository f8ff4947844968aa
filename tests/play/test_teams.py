"""Team events: entry, lineups, boards that add up to a match, corrections, and what is refused."""

import pytest

from tests.builders import NOW, a_published_round, a_running_team_event, a_team_event, an_event
from tests.cast import Cast, account
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.registration import register_person
from tournaments.events.selectors import incomplete_teams
from tournaments.events.services import clone_event, create_event, register, save_format
from tournaments.events.stages import add_stage, configure_stage
from tournaments.events.teams import (
    NewTeam,
    add_member,
    choose_teams,
    enter_teams,
    in_order,
    join_team,
    make_captain,
    read_teams,
    remove_member,
    rename_team,
)
from tournaments.play import services as play
from tournaments.play.boards import score_by_board
from tournaments.play.models import Board, Match
from tournaments.play.services.results import void_result

pytestmark = pytest.mark.django_db
WON = [[2, 0, 0], [1, 2, 0], [2, 1, 0]]


def a_met_match(event: Event, by: User, cast: Cast) -> Match:
    """The match of the cast's player, with that team in seat 1, after one round is published."""
    round_ = a_published_round(event, by)
    return Match.objects.get(round=round_, seats__entrant__member__person__account=cast.player)


def captain_of_seat(match: Match, number: int) -> User:
    account_ = match.seats.get(number=number).entrant.member_set.get(captain=True).person.account
    assert account_ is not None
    return account_


def test_the_boards_of_a_team_match_add_up_to_its_result(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    match = a_met_match(event, cast.organizer, cast)
    assert match.boards.count() == 3

    play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)

    match.refresh_from_db()
    first, second = match.seats.all()
    assert (first.games_won, second.games_won, match.games_drawn) == (2, 1, 0)
    assert (first.points, second.points) == (3, 0)
    assert score_by_board(match) == WON


def test_equal_boards_are_a_draw(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0], [0, 2, 0], [1, 1, 1]], now=NOW)
    match.refresh_from_db()
    assert [seat.points for seat in match.seats.all()] == [1, 1]
    assert match.games_drawn == 1


def test_both_captains_report_board_by_board_and_the_result_counts(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    first, second = (captain_of_seat(match, number) for number in (1, 2))
    report = play.report_result(match=match, by=first, games=WON, now=NOW)
    assert report.games == WON
    play.confirm_result(match=match, report=report, by=second, now=NOW)
    match.refresh_from_db()
    assert match.has_result
    assert score_by_board(match) == WON


def test_a_report_that_differs_on_one_board_is_a_counter_report(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    play.report_result(match=match, by=captain_of_seat(match, 1), games=WON, now=NOW)
    other = play.report_result(match=match, by=captain_of_seat(match, 2), games=[*WON[:2], [0, 2, 0]], now=NOW)
    assert other.status == "counter"


@pytest.mark.parametrize(
    ("games", "code"),
    [
        ([2, 1, 0], "boards_missing"),
        (WON[:2], "boards_missing"),
        ([*WON, [2, 0, 0]], "boards_missing"),
        ([[3, 0, 0], *WON[1:]], "score_invalid"),
        ([[0, 0, 0], *WON[1:]], "score_invalid"),
        ([["2", 0, 0], *WON[1:]], "score_invalid"),
    ],
)
def test_a_score_that_the_boards_cannot_have_is_refused(cast: Cast, games: list[object], code: str) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    with pytest.raises(InvalidInput) as refused:
        play.enter_result(match=match, by=cast.scorekeeper, games=games, now=NOW)
    assert refused.value.code == code


def test_a_team_that_does_not_come_loses_all_boards_at_once(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    play.enter_result(match=match, by=cast.scorekeeper, games=[2, 0, 0], kind=Match.Kind.NO_SHOW, now=NOW)
    match.refresh_from_db()
    assert match.has_result
    assert score_by_board(match) is None


def test_a_correction_changes_the_boards_and_the_match(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
    other = [[0, 2, 0], *WON[1:]]
    with pytest.raises(InvalidInput) as refused:
        play.enter_result(match=match, by=cast.scorekeeper, games=other, now=NOW)
    assert refused.value.code == "reason_missing"
    play.enter_result(match=match, by=cast.scorekeeper, games=other, reason="read again", now=NOW)
    match.refresh_from_db()
    assert [seat.points for seat in match.seats.all()] == [0, 3]
    assert score_by_board(match) == other


def test_a_result_taken_away_leaves_the_boards_empty(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
    void_result(match=match, by=cast.judge, now=NOW)
    assert score_by_board(match) is None


def test_undoing_a_correction_brings_the_boards_of_before_back(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
    play.enter_result(match=match, by=cast.scorekeeper, games=[[0, 2, 0], *WON[1:]], reason="typo", now=NOW)
    play.undo_result(match=match, by=cast.scorekeeper, now=NOW)
    assert score_by_board(match) == WON


def test_a_lost_game_goes_into_the_result_of_its_board(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2), cast.organizer, cast)
    entrant = match.seats.get(number=1).entrant
    with pytest.raises(Refusal) as refused:
        play.lose_now(match=match, entrant=entrant, what="game", by=cast.judge, now=NOW)
    assert refused.value.code == "lost_at_a_board"
    play.lose_now(match=match, entrant=entrant, what="match", by=cast.judge, now=NOW)
    match.refresh_from_db()
    assert [seat.points for seat in match.seats.all()] == [0, 3]


def test_a_two_headed_team_has_one_result_and_no_boards(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2, size=2, together=True), cast.organizer, cast)
    play.enter_result(match=match, by=cast.scorekeeper, games=[2, 1, 0], now=NOW)
    match.refresh_from_db()
    assert match.has_result
    assert not match.boards.exists()


def test_the_drafted_pairing_of_many_teams_never_seats_team_mates_against_each_other(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=9)
    for _round in range(3):
        round_ = a_published_round(event, cast.organizer)
        for board in Board.objects.filter(match__round=round_):
            assert board.first.entrant_id != board.second.entrant_id
            assert board.first.board == board.second.board == board.number
        for match in round_.matches.filter(table__isnull=False):
            play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
        play.close_round(round_=round_, by=cast.organizer, now=NOW)
    assert Board.objects.filter(match__round__stage__event=event).count() == 3 * 4 * 3


def test_taking_pairings_back_takes_their_boards_away(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    round_ = a_published_round(event, cast.organizer)
    play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)
    assert not Board.objects.filter(match__round=round_).exists()


def test_a_substitute_takes_the_board_of_a_member_between_rounds(cast: Cast) -> None:
    event = a_team_event(cast)
    team = register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    for name in ("Bea", "Cyd", "Dan"):
        add_member(team=team, name=name, by=cast.organizer, now=NOW)
    enter_teams(event=event, teams=[NewTeam("Owls", ("Eve", "Flo", "Gus"))], by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    player, bea, cyd, dan = (member.person.public_id for member in in_order(team))

    with pytest.raises(Refusal) as moved:
        play.change_lineup(team=team, boards=[player, cyd, dan], by=cast.player, now=NOW)
    play.change_lineup(team=team, boards=[player, dan, cyd], by=cast.player, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    with pytest.raises(Refusal) as open_:
        play.change_lineup(team=team, boards=[player, bea, cyd], by=cast.player, now=NOW)

    assert (moved.value.code, open_.value.code) == ("boards_kept", "round_open")
    sat = Board.objects.get(match__round=round_, number=2)
    assert dan in {sat.first.person.public_id, sat.second.person.public_id}
    entry = LedgerEntry.objects.get(chain=event.public_id, code="entrant.lineup_changed")
    assert (entry.before, entry.after) == ({"boards": [player, bea, cyd]}, {"boards": [player, dan, cyd]})


def test_an_incomplete_team_keeps_the_event_from_starting_and_is_named(cast: Cast) -> None:
    event = a_team_event(cast)
    teams = read_teams("Foxes: Ann, Bob, Cy\nOwls: Dee, Eve, Flo\n\nElks: Gus, Hal")
    elks = enter_teams(event=event, teams=teams, by=cast.organizer, now=NOW)[2]
    assert list(incomplete_teams(event)) == [elks]
    lock_decks(event=event, by=cast.organizer, now=NOW)
    with pytest.raises(Refusal) as refused:
        play.start_event(event=event, by=cast.organizer, now=NOW)
    assert (refused.value.code, refused.value.details) == ("not_ready", [elks.public_id])
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)
    elks.refresh_from_db()
    assert elks.status == Entrant.Status.DROPPED


def test_a_list_of_teams_may_have_numbers_bullets_and_rulers() -> None:
    teams = read_teams("1. Foxes: Ann, Bob\n---\n- Owls: 1) Dee, 2) Eve\n")
    assert [(team.name, team.players) for team in teams] == [("Foxes", ("Ann", "Bob")), ("Owls", ("Dee", "Eve"))]


def test_an_incomplete_team_that_comes_back_is_not_paired(cast: Cast) -> None:
    event = a_team_event(cast)
    teams = read_teams("Foxes: Ann, Bob, Cy\nOwls: Dee, Eve, Flo\nElks: Gus, Hal")
    elks = enter_teams(event=event, teams=teams, by=cast.organizer, now=NOW)[2]
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW, drop_absent=True)
    play.reinstate(entrant=elks, by=cast.organizer, now=NOW)
    stage = event.stages.get()
    with pytest.raises(Refusal) as refused:
        play.pair_round(stage=stage, by=cast.organizer, now=NOW)
    assert (refused.value.code, refused.value.details) == ("team_incomplete", [elks.public_id])


def test_a_captain_registers_a_team_and_others_join_at_the_next_board(cast: Cast) -> None:
    event = a_team_event(cast, substitutes=0)
    team = register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    boards = []
    for user in (cast.opponent, cast.stranger):
        boards.append(join_team(team=team, person=own_person(user), by=user, now=NOW).board)
    again = join_team(team=team, person=own_person(cast.stranger), by=cast.stranger, now=NOW)
    assert (boards, again.board) == ([2, 3], 3)
    assert team.name == "Foxes"
    late = account("Late Comer")
    with pytest.raises(Refusal) as refused:
        join_team(team=team, person=own_person(late), by=late, now=NOW)
    assert refused.value.code == "team_full"


def test_a_person_is_in_one_team(cast: Cast) -> None:
    event = a_team_event(cast)
    register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    owls = register_person(event=event, person=own_person(cast.opponent), by=cast.opponent, now=NOW, team_name="Owls")
    with pytest.raises(Refusal) as refused:
        join_team(team=owls, person=own_person(cast.player), by=cast.player, now=NOW)
    assert refused.value.code == "already_registered"


def test_nobody_enters_a_team_event_alone(cast: Cast) -> None:
    event = a_team_event(cast)
    with pytest.raises(Refusal) as alone:
        register(event=event, person=own_person(cast.player), by=cast.player, now=NOW)
    with pytest.raises(Refusal) as desk:
        play.enter_at_desk(event=event, given_name="Ann", family_name="", by=cast.organizer, now=NOW)
    assert (alone.value.code, desk.value.code) == ("team_needed", "team_needed")


def test_two_teams_of_an_event_have_different_names(cast: Cast) -> None:
    event = a_team_event(cast)
    foxes, owls = enter_teams(event=event, teams=read_teams("Foxes: Ann\nOwls: Bob"), by=cast.organizer, now=NOW)
    with pytest.raises(Refusal) as refused:
        rename_team(team=owls, name="FOXES", by=cast.organizer, now=NOW)
    assert refused.value.code == "team_name_taken"
    rename_team(team=foxes, name="foxes", by=cast.organizer, now=NOW)
    foxes.refresh_from_db()
    assert foxes.name == "foxes"


def test_a_captain_hands_over_before_leaving(cast: Cast) -> None:
    event = a_team_event(cast)
    team = register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    join_team(team=team, person=own_person(cast.opponent), by=cast.opponent, now=NOW)
    with pytest.raises(Refusal) as refused:
        remove_member(team=team, person=own_person(cast.player), by=cast.player, now=NOW)
    assert refused.value.code == "captain_stays"
    make_captain(team=team, person=own_person(cast.opponent), by=cast.player, now=NOW)
    remove_member(team=team, person=own_person(cast.player), by=cast.player, now=NOW)
    (left,) = team.member_set.all()
    assert (left.captain, left.board) == (True, 2)


def test_how_teams_play_is_fixed_once_somebody_has_entered(cast: Cast) -> None:
    event = a_team_event(cast)
    enter_teams(event=event, teams=read_teams("Foxes: Ann"), by=cast.organizer, now=NOW)
    with pytest.raises(Refusal) as refused:
        choose_teams(event=event, by=cast.organizer, now=NOW, team_size=2)
    assert refused.value.code == "teams_fixed"


def test_teams_play_no_pods_and_no_tables_of_several(cast: Cast) -> None:
    event = a_team_event(cast)
    with pytest.raises(Refusal) as added:
        add_stage(event=event, kind="pods", by=cast.organizer, now=NOW)
    with pytest.raises(Refusal) as changed:
        configure_stage(stage=event.stages.get(), kind="tables", by=cast.organizer, now=NOW)
    tables = an_event(cast, name="Tables", kind="tables", best_of=1)
    with pytest.raises(Refusal) as chosen:
        choose_teams(event=tables, by=cast.organizer, now=NOW, team_size=2)
    assert {each.value.code for each in (added, changed, chosen)} == {"team_structure"}


def test_a_bracket_of_teams_needs_a_winner(cast: Cast) -> None:
    event = a_team_event(cast, size=2, kind="single_elimination")
    enter_teams(event=event, teams=read_teams("A: a, b\nB: c, d"), by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    match = a_published_round(event, cast.organizer).matches.get()
    with pytest.raises(InvalidInput) as refused:
        play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0], [0, 2, 0]], now=NOW)
    assert refused.value.code == "winner_missing"
    play.enter_result(match=match, by=cast.scorekeeper, games=[[2, 0, 0], [1, 1, 1]], now=NOW)
    match.refresh_from_db()
    assert match.has_result


def test_members_who_sat_at_a_board_are_kept(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    a_published_round(event, cast.organizer)
    team = event.entrants.order_by("pk")[0]
    with pytest.raises(Refusal) as refused:
        remove_member(team=team, person=in_order(team)[2].person, by=cast.organizer, now=NOW)
    assert refused.value.code == "event_state"
    assert Member.objects.filter(entrant=team).count() == 3


def test_staff_who_play_on_a_team_do_not_enter_its_result(cast: Cast) -> None:
    event = a_team_event(cast)
    team = register_person(
        event=event, person=own_person(cast.scorekeeper), by=cast.scorekeeper, now=NOW, team_name="Desk"
    )
    for name in ("Bea", "Cyd"):
        add_member(team=team, name=name, by=cast.organizer, now=NOW)
    enter_teams(event=event, teams=read_teams("Owls: Eve, Flo, Gus"), by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    match = a_published_round(event, cast.organizer).matches.get()
    with pytest.raises(NotAllowed) as refused:
        play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
    assert refused.value.code == "own_match"


def test_a_member_who_is_not_the_captain_does_not_drop_the_team(cast: Cast) -> None:
    event = a_team_event(cast)
    team = register_person(event=event, person=own_person(cast.player), by=cast.player, now=NOW, team_name="Foxes")
    join_team(team=team, person=own_person(cast.opponent), by=cast.opponent, now=NOW)
    with pytest.raises(NotAllowed) as refused:
        play.drop(entrant=team, by=cast.opponent, now=NOW)
    assert refused.value.code == "not_captain"
    play.drop(entrant=team, by=cast.player, now=NOW)
    with pytest.raises(NotAllowed):
        play.reinstate(entrant=team, by=cast.opponent, now=NOW)
    play.reinstate(entrant=team, by=cast.scorekeeper, now=NOW)
    team.refresh_from_db()
    assert team.status == Entrant.Status.REGISTERED


def test_a_copy_of_a_team_event_is_one_and_keeps_to_its_limits(cast: Cast) -> None:
    event = a_team_event(cast)
    copied = clone_event(event=event, name="Again", by=cast.organizer, now=NOW)
    assert (copied.team_size, copied.team_play, copied.substitutes) == (3, "boards", 1)
    saved = save_format(event=event, name="Trios", by=cast.organizer, now=NOW).public_id
    with pytest.raises(Refusal) as refused:
        create_event(by=cast.organizer, name="New", preset=saved, now=NOW, kind="pods")
    assert refused.value.code == "team_structure"
