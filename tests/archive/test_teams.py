"""Event files of team events: the boards are in them, and a team's result is added up anew from its boards."""

from io import BytesIO
from typing import Any

import pytest
from django.core.management import call_command

from tests.archive.files import file_of, forged, lines_of, rows, verified
from tests.builders import (
    NOW,
    a_published_round,
    a_running_event,
    a_running_team_event,
    a_team_with_lists,
    own_deck,
)
from tests.cast import Cast, account
from tournaments.archive.present import verify_event
from tournaments.archive.reading import read_file
from tournaments.archive.services import import_event
from tournaments.common import jobs
from tournaments.decks.models import Decklist
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events.models import Event, Member
from tournaments.events.teams import NewTeam, enter_teams, in_order
from tournaments.judging.checks import check_table, finish_check
from tournaments.judging.models import DeckCheck
from tournaments.play import services as play
from tournaments.play.boards import agreed_boards
from tournaments.play.models import Board, BoardReport, Match

pytestmark = pytest.mark.django_db
WON = [[2, 0, 0], [1, 2, 0], [2, 1, 0]]


@pytest.fixture
def event(cast: Cast) -> Event:
    """A team event with an odd number of teams and one round that is played and closed."""
    event = a_running_team_event(cast, teams=3)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get(table__isnull=False)
    play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    return event


def test_the_file_of_a_team_event_has_its_boards_and_no_faults(event: Event) -> None:
    found = verified(file_of(event))
    assert (found.faults, found.holds) == ((), True)
    boards = rows(lines_of(file_of(event)), "board")
    assert [[row["first_games"], row["second_games"], row["games_drawn"]] for row in boards] == WON


@pytest.mark.django_db(transaction=True)
def test_an_imported_team_event_has_the_same_teams_and_boards(event: Event) -> None:
    data = file_of(event)
    teams = sorted(team.name for team in event.entrants.all())
    call_command("flush", interactive=False, verbosity=0)  # as if it were another installation
    imported = import_event(stream=BytesIO(data), owner=account("Keeper"), now=NOW)
    assert sorted(team.name for team in imported.entrants.all()) == teams
    assert Member.objects.filter(event=imported, board=2).count() == 3
    assert [board.games for board in Board.objects.filter(match__round__stage__event=imported)] == WON
    assert verified(file_of(imported)).holds


def test_a_file_from_before_teams_is_an_event_of_single_players(cast: Cast) -> None:
    data = forged(file_of(a_running_event(cast)), _without_teams)
    assert verified(data).holds
    imported_event = read_file(BytesIO(data)).event
    assert (imported_event["team_size"], imported_event["team_play"]) == (1, "together")


def _without_teams(lines: list[dict[str, Any]]) -> None:
    lines[0]["row"]["version"] = 4
    new = {
        "event": ("team_size", "team_play", "substitutes"),
        "member": ("board", "captain"),
        "stage": ("team_deck_limit",),
        "decklist": ("member",),
    }
    for line in lines:
        for name in new.get(line["section"], ()):
            del line["row"][name]


def test_a_team_name_is_in_the_personal_part_only(event: Event) -> None:
    main = file_of(event, names=False)
    assert b"Team 1" not in main
    assert b"Team 1" in file_of(event)
    assert verified(main).holds


def test_a_board_whose_games_were_changed_is_found(event: Event) -> None:
    Board.objects.filter(number=1).update(first_games=0, second_games=2)
    assert {"result_unrecorded", "points_differ"} <= {fault.code for fault in verify_event(event).faults}


@pytest.fixture
def reported(cast: Cast) -> Event:
    """A team event whose players agreed on one board, and reported another one."""
    event = a_running_team_event(cast, teams=2, size=2)
    match = a_published_round(event, cast.organizer).matches.get()
    for board, user in ((1, cast.player), (1, cast.opponent), (2, cast.player)):
        play.report_board(board=match.boards.get(number=board), by=user, games=[2, 1, 0], now=NOW)
    return event


def test_reports_of_boards_are_in_the_file_and_were_recorded(reported: Event) -> None:
    assert verified(file_of(reported)).faults == ()
    found = rows(lines_of(file_of(reported)), "board_report")
    assert [(row["board"][1], row["status"], row["games"]) for row in found] == [
        (1, "confirmed", [2, 1, 0]),
        (2, "standing", [2, 1, 0]),
    ]


def test_a_report_of_a_board_that_was_changed_is_found(reported: Event) -> None:
    BoardReport.objects.filter(board__number=2).update(games=[2, 0, 0])
    assert [fault.code for fault in verify_event(reported).faults] == ["report_unrecorded"]


@pytest.mark.django_db(transaction=True)
def test_an_imported_event_goes_on_with_its_reports_of_boards(reported: Event) -> None:
    data = file_of(reported)
    call_command("flush", interactive=False, verbosity=0)  # as if it were another installation
    imported = import_event(stream=BytesIO(data), owner=account("Keeper"), now=NOW, play_on=True)
    assert BoardReport.objects.filter(board__match__round__stage__event=imported).count() == 2
    match = Match.objects.get(round__stage__event=imported)
    assert agreed_boards(match) == {1: [2, 1, 0]}


@pytest.fixture
def listed(cast: Cast) -> Event:
    """A team event with decklists and a limit, of which two lists pass it, and a checked deck of board 2."""
    team = a_team_with_lists(cast, limit=2)
    (other,) = enter_teams(event=team.event, teams=[NewTeam("Team 2", ("A", "B", "C"))], by=cast.scorekeeper, now=NOW)
    for side in (team, other):
        for board, member in enumerate(in_order(side), 1):
            by = member.person.account or cast.scorekeeper
            submit_decklist(entrant=side, member=member, text=own_deck(board, shared=1), by=by, now=NOW)
            if board > 1:
                submit_decklist(entrant=side, member=member, text=own_deck(board), by=by, now=NOW)
    lock_decks(event=team.event, by=cast.organizer, now=NOW)
    play.start_event(event=team.event, by=cast.organizer, now=NOW)
    match = a_published_round(Event.objects.get(pk=team.event_id), cast.organizer).matches.get()
    for check in check_table(match=match, board=2, by=cast.judge, now=NOW):
        finish_check(check=check, counted={}, by=cast.judge, now=NOW)
    return Event.objects.get(pk=team.event_id)


@pytest.mark.django_db(transaction=True)
def test_an_imported_team_event_has_the_lists_of_its_members(listed: Event) -> None:
    data = file_of(listed)
    assert verified(data).faults == ()
    owners = sorted(Decklist.objects.values_list("member__person__public_id", "version", "digest"))
    call_command("flush", interactive=False, verbosity=0)  # as if it were another installation
    imported = import_event(stream=BytesIO(data), owner=account("Keeper"), now=NOW)
    assert sorted(Decklist.objects.values_list("member__person__public_id", "version", "digest")) == owners
    assert imported.stages.get().team_deck_limit == 2
    assert {check.member.board for check in DeckCheck.objects.all() if check.member} == {2}
    assert verified(file_of(imported)).holds


def test_a_list_that_was_given_to_a_team_mate_is_found(listed: Event) -> None:
    given = Decklist.objects.filter(member__board=1).first()
    assert given is not None
    mate = Member.objects.get(entrant=given.entrant, board=2)
    Decklist.objects.filter(pk=given.pk).update(member=mate)
    assert "list_unrecorded" in {fault.code for fault in verify_event(listed).faults}


def test_a_deck_check_that_was_given_to_a_team_mate_is_found(listed: Event) -> None:
    check = DeckCheck.objects.first()
    assert check is not None
    mate = Member.objects.get(entrant=check.entrant, board=3)
    DeckCheck.objects.filter(pk=check.pk).update(member=mate)
    assert "check_unrecorded" in {fault.code for fault in verify_event(listed).faults}
