"""Reports of single boards of a team match: who may send them, what they add up to, and what stands in their way."""

import pytest

from tests.builders import NOW, a_running_team_event
from tests.cast import Cast, account
from tests.play.test_teams import WON, a_met_match
from tournaments.accounts.models import Person, User
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.play import services as play
from tournaments.play.boards import agreed_boards, score_by_board
from tournaments.play.models import Board, BoardReport, Match
from tournaments.play.services.repairs import begun_tables
from tournaments.play.services.results import void_result
from tournaments.play.services.rounds import has_begun

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of two teams of three, whose six players all have an account."""
    event = a_running_team_event(cast, teams=2, size=3)
    for number, person in enumerate(Person.objects.filter(account=None, member__event=event).order_by("pk")):
        person.account = account(f"Mate {number}")
        person.save(update_fields=["account"])
    return a_met_match(event, cast.organizer, cast)


def players(match: Match, number: int) -> tuple[Board, User, User]:
    """A board with the accounts of its two players, that of seat 1 first."""
    board = match.boards.get(number=number)
    first, second = board.first.person.account, board.second.person.account
    assert first is not None
    assert second is not None
    return board, first, second


def agree(match: Match, number: int, games: list[int]) -> None:
    """Let both players of a board report the same."""
    board, first, second = players(match, number)
    for user in (first, second):
        play.report_board(board=board, by=user, games=games, now=NOW)


def test_a_match_counts_once_the_players_of_each_board_agree(match: Match) -> None:
    for number, games in ((3, WON[2]), (1, WON[0])):
        agree(match, number, games)
        match.refresh_from_db()
        assert not match.has_result
    agree(match, 2, WON[1])
    match.refresh_from_db()
    assert (match.has_result, match.authority, score_by_board(match)) == (True, "agreed", WON)
    assert [seat.points for seat in match.seats.all()] == [3, 0]
    assert match.reports.get().status == "confirmed"


def test_an_opponent_confirms_the_report_of_a_board(match: Match) -> None:
    board, first, second = players(match, 2)
    report = play.report_board(board=board, by=first, games=[2, 1, 0], now=NOW)
    with pytest.raises(NotAllowed) as own:
        play.confirm_board(report=report, by=first, now=NOW)
    assert own.value.code == "own_report"
    for _twice in range(2):
        play.confirm_board(report=report, by=second, now=NOW)
    assert agreed_boards(match) == {2: [2, 1, 0]}
    codes = LedgerEntry.objects.filter(object=match.public_id).order_by("number").values_list("code", "after")
    after = {"board": 2, "games": [2, 1, 0]}
    assert list(codes) == [("result.board_reported", after), ("result.board_confirmed", after)]


def test_two_reports_of_a_board_that_differ_wait_until_one_player_accepts_the_other(match: Match) -> None:
    board, first, second = players(match, 1)
    standing = play.report_board(board=board, by=first, games=[2, 0, 0], now=NOW)
    counter = play.report_board(board=board, by=second, games=[1, 2, 0], now=NOW)
    assert (standing.status, counter.status) == ("standing", "counter")
    changed = play.report_board(board=board, by=second, games=[0, 2, 0], now=NOW)
    assert list(board.reports.values_list("status", flat=True)) == ["standing", "replaced", "counter"]
    play.confirm_board(report=changed, by=first, now=NOW)
    assert agreed_boards(match) == {1: [0, 2, 0]}


def test_a_contested_board_calls_a_judge_while_the_other_boards_go_on(cast: Cast, match: Match) -> None:
    board, first, second = players(match, 1)
    report = play.report_board(board=board, by=first, games=[2, 0, 0], now=NOW)
    play.contest_board(report=report, by=second, now=NOW, reason="I won game 2")
    match.refresh_from_db()
    assert match.disputed
    assert LedgerEntry.objects.get(code="result.contested").after == {"board": 1}
    with pytest.raises(Refusal) as refused:
        play.report_board(board=board, by=first, games=[2, 1, 0], now=NOW)
    assert refused.value.code == "disputed"
    agree(match, 2, WON[1])
    agree(match, 3, WON[2])
    match.refresh_from_db()
    assert not match.has_result
    ruled = [[2, 1, 0], *WON[1:]]
    play.rule_result(match=match, by=cast.judge, games=ruled, reason="Both remember it now", now=NOW)
    match.refresh_from_db()
    assert (match.has_result, score_by_board(match)) == (True, ruled)


def test_only_the_players_of_a_board_report_it(cast: Cast, match: Match) -> None:
    board, _first, _second = players(match, 1)
    _other, mate, _opponent = players(match, 2)
    for user in (mate, cast.stranger):
        with pytest.raises(NotAllowed) as refused:
            play.report_board(board=board, by=user, games=[2, 0, 0], now=NOW)
        assert refused.value.code == "not_your_board"


def test_a_captain_reports_for_members_without_an_account(cast: Cast) -> None:
    match = a_met_match(a_running_team_event(cast, teams=2, size=2), cast.organizer, cast)
    board = match.boards.get(number=2)
    for captain in (cast.player, cast.opponent):
        play.report_board(board=board, by=captain, games=[2, 0, 0], now=NOW)
    assert agreed_boards(match) == {2: [2, 0, 0]}


def test_an_account_that_acts_for_both_players_does_not_report(match: Match) -> None:
    board, first, _second = players(match, 2)
    Person.objects.filter(pk=board.second.person_id).update(account=first)
    with pytest.raises(NotAllowed) as refused:
        play.report_board(board=board, by=first, games=[2, 0, 0], now=NOW)
    assert refused.value.code == "one_account"


@pytest.mark.parametrize("games", [[3, 0, 0], [0, 0, 0], [2, 2, 0], [2, 0], ["2", 0, 0], [[2, 0, 0]]])
def test_a_score_that_a_board_cannot_have_is_refused(match: Match, games: list[object]) -> None:
    board, first, _second = players(match, 1)
    with pytest.raises(InvalidInput) as refused:
        play.report_board(board=board, by=first, games=games, now=NOW)
    assert refused.value.code == "score_invalid"
    assert not BoardReport.objects.exists()


def test_a_report_of_the_whole_match_keeps_what_a_board_agreed_on(cast: Cast, match: Match) -> None:
    agree(match, 1, [0, 2, 0])
    with pytest.raises(Refusal) as refused:
        play.report_result(match=match, by=cast.player, games=WON, now=NOW)
    assert (refused.value.code, refused.value.details) == ("board_agreed", [1])
    same = [[0, 2, 0], *WON[1:]]
    report = play.report_result(match=match, by=cast.player, games=same, now=NOW)
    agree(match, 2, [2, 0, 0])
    with pytest.raises(Refusal) as later:
        play.confirm_result(match=match, report=report, by=cast.opponent, now=NOW)
    assert (later.value.code, later.value.details) == ("board_agreed", [2])


def test_boards_that_agree_replace_a_waiting_report_of_the_whole_match(cast: Cast, match: Match) -> None:
    waiting = play.report_result(match=match, by=cast.player, games=WON, now=NOW)
    for number in (1, 2, 3):
        agree(match, number, [1, 2, 0])
    match.refresh_from_db()
    waiting.refresh_from_db()
    assert (waiting.status, score_by_board(match)) == ("replaced", [[1, 2, 0]] * 3)


def test_the_desk_needs_a_reason_to_change_what_a_board_agreed_on(cast: Cast, match: Match) -> None:
    agree(match, 3, [0, 2, 0])
    with pytest.raises(InvalidInput) as refused:
        play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
    assert (refused.value.code, refused.value.details) == ("reason_missing", [{"board": 3, "games": [0, 2, 0]}])
    play.enter_result(match=match, by=cast.scorekeeper, games=WON, reason="The signed slip says so", now=NOW)
    board, first, _second = players(match, 3)
    with pytest.raises(Refusal) as settled:
        play.report_board(board=board, by=first, games=[2, 0, 0], now=NOW)
    assert settled.value.code == "already_confirmed"


def test_undoing_an_entry_of_the_desk_brings_the_reports_of_boards_back(cast: Cast, match: Match) -> None:
    agree(match, 1, WON[0])
    board, first, _second = players(match, 2)
    play.report_board(board=board, by=first, games=WON[1], now=NOW)
    play.enter_result(match=match, by=cast.scorekeeper, games=WON, now=NOW)
    play.undo_result(match=match, by=cast.scorekeeper, now=NOW)
    match.refresh_from_db()
    assert (match.has_result, agreed_boards(match)) == (False, {1: WON[0]})
    assert board.reports.get().status == "standing"


def test_a_match_to_be_played_again_has_no_reports_of_boards(cast: Cast, match: Match) -> None:
    agree(match, 1, WON[0])
    void_result(match=match, by=cast.scorekeeper, now=NOW)
    assert agreed_boards(match) == {}
    agree(match, 1, [0, 2, 0])
    assert agreed_boards(match) == {1: [0, 2, 0]}


def test_a_round_with_a_reported_board_has_begun(cast: Cast, match: Match) -> None:
    assert (has_begun(match.round, NOW), begun_tables(match.round)) == (False, frozenset())
    board, first, _second = players(match, 1)
    play.report_board(board=board, by=first, games=[2, 0, 0], now=NOW)
    assert (has_begun(match.round, NOW), begun_tables(match.round)) == (True, frozenset({1}))


def test_boards_that_decide_no_winner_in_a_bracket_wait_for_the_desk(match: Match) -> None:
    match.round.stage.kind = "single_elimination"
    match.round.stage.save(update_fields=["kind"])
    for number, games in ((1, [2, 0, 0]), (2, [0, 2, 0]), (3, [1, 1, 0])):
        agree(match, number, games)
    match.refresh_from_db()
    assert (match.has_result, len(agreed_boards(match))) == (False, 3)
