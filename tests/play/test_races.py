"""Two people acting at once: one action takes effect, the other is refused.

Real threads and real transactions, on the database in use.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from threading import Barrier

import pytest
from django.db import connection

from tests.builders import (
    NOW,
    a_draft_event,
    a_published_round,
    a_running_event,
    a_running_team_event,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.events.models import Entrant
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.field import field_of
from tournaments.play.models import Match, Report, Round, Seat
from tournaments.swiss.pairing import pair

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*actions: Callable[[], object]) -> list[str]:
    """Run actions at the same time, each in its own thread.

    Returns "done" or the code of the refusal for each, sorted.
    """
    barrier = Barrier(len(actions), timeout=30)

    def make(action: Callable[[], object]) -> str:
        try:
            connection.ensure_connection()  # before the barrier: connecting takes longer than the action
            barrier.wait()
            action()
        except Refusal as refusal:
            return refusal.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(actions)) as pool:
        return sorted(pool.map(make, actions))


def test_pairing_at_once_creates_one_round(cast: Cast) -> None:
    stage = current_stage(a_running_event(cast))
    pair = lambda: play.pair_round(stage=stage, by=cast.organizer, now=NOW)  # noqa: E731
    assert at_once(pair, pair, pair) == ["already_paired", "already_paired", "done"]
    assert Round.objects.count() == 1


def test_publishing_at_once_publishes_once(cast: Cast) -> None:
    round_ = play.pair_round(stage=current_stage(a_running_event(cast)), by=cast.organizer, now=NOW)
    publish = lambda: play.publish_round(round_=round_, by=cast.organizer, now=NOW)  # noqa: E731
    assert at_once(publish, publish) == ["done", "not_a_draft"]
    assert LedgerEntry.objects.filter(code="round.published").count() == 1


def test_draft_clock_actions_at_once_have_one_effect(cast: Cast) -> None:
    stage = current_stage(a_draft_event(cast))
    for action in (play.start_draft, play.pause_draft, play.resume_draft):
        make = partial(action, stage=stage, by=cast.scorekeeper, now=NOW)
        assert at_once(make, make) == ["clock_state", "done"]
    assert LedgerEntry.objects.filter(code__startswith="clock.draft").count() == 3


def test_confirming_and_contesting_at_once_have_one_effect(cast: Cast) -> None:
    match = match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=(2, 0, 0), now=NOW)
    told = at_once(
        lambda: play.confirm_result(match=match, report=report, by=second, now=NOW),
        lambda: play.contest_result(match=match, report=report, by=second, now=NOW),
    )
    assert told in (["already_confirmed", "done"], ["done", "report_changed"])
    match.refresh_from_db()
    assert match.disputed != match.has_result


def a_team_match(cast: Cast) -> Match:
    """A match of two teams of two whose captains have an account, and act for their mates."""
    return a_published_round(a_running_team_event(cast, teams=2, size=2), cast.organizer).matches.get()


def test_the_last_two_boards_that_are_confirmed_at_once_decide_the_match_once(cast: Cast) -> None:
    match = a_team_match(cast)
    boards = list(match.boards.all())
    reports = [play.report_board(board=board, by=cast.player, games=[2, 0, 0], now=NOW) for board in boards]
    confirm = [partial(play.confirm_board, report=report, by=cast.opponent, now=NOW) for report in reports]
    assert at_once(*confirm) == ["done", "done"]
    match.refresh_from_db()
    assert match.has_result
    assert LedgerEntry.objects.filter(code="result.confirmed").count() == 1


def test_both_players_who_report_a_board_at_once_agree_on_it(cast: Cast) -> None:
    match = a_team_match(cast)
    board = match.boards.get(number=1)
    told = at_once(
        *(
            partial(play.report_board, board=board, by=user, games=[2, 1, 0], now=NOW)
            for user in (cast.player, cast.opponent)
        )
    )
    assert told == ["done", "done"]
    assert [report.status for report in board.reports.all()] == ["confirmed"]


def test_a_whole_report_that_is_confirmed_while_a_board_agrees_otherwise_is_one_or_the_other(cast: Cast) -> None:
    match = a_team_match(cast)
    board = match.boards.get(number=1)
    whole = play.report_result(match=match, by=cast.player, games=[[2, 0, 0], [2, 0, 0]], now=NOW)
    single = play.report_board(board=board, by=cast.player, games=[1, 2, 0], now=NOW)
    told = at_once(
        partial(play.confirm_result, match=match, report=whole, by=cast.opponent, now=NOW),
        partial(play.confirm_board, report=single, by=cast.opponent, now=NOW),
    )
    match.refresh_from_db()
    assert told == (["already_confirmed", "done"] if match.has_result else ["board_agreed", "done"])


def test_a_slip_that_is_entered_while_a_board_agrees_otherwise_needs_a_reason_or_comes_first(cast: Cast) -> None:
    match = a_team_match(cast)
    single = play.report_board(board=match.boards.get(number=1), by=cast.player, games=[1, 2, 0], now=NOW)
    slip = [[2, 0, 0], [2, 0, 0]]
    told = at_once(
        partial(play.enter_result, match=match, by=cast.scorekeeper, games=slip, now=NOW),
        partial(play.confirm_board, report=single, by=cast.opponent, now=NOW),
    )
    match.refresh_from_db()
    assert told == (["already_confirmed", "done"] if match.has_result else ["done", "reason_missing"])


@pytest.mark.parametrize("looked", [False, True], ids=["slips from a pile", "pages that show no result"])
def test_of_two_desks_that_enter_different_results_at_once_one_counts(cast: Cast, looked: bool) -> None:
    """The other desk gets the result that counts as the detail of its refusal, and drops nobody."""
    match = match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)
    entrants = [seat.entrant for seat in match.seats.order_by("number")]
    refusals: list[Refusal] = []

    def enter(by: User, games: tuple[int, int, int], drops: list[Entrant]) -> None:
        try:
            play.enter_result(match=match, by=by, games=games, drops=drops, seen=0 if looked else None, now=NOW)
        except Refusal as refusal:
            refusals.append(refusal)
            raise

    answers = at_once(
        partial(enter, cast.scorekeeper, (2, 1, 0), entrants[:1]),
        partial(enter, cast.organizer, (0, 2, 0), entrants[1:]),
        partial(enter, cast.scorekeeper, (2, 1, 0), []),
        partial(enter, cast.organizer, (0, 2, 0), []),
    )
    conflict = "result_changed" if looked else "reason_missing"
    assert answers == sorted(["done", "done", conflict, conflict])
    games = match.reports.get().games
    assert [refusal.details for refusal in refusals] == [[{"games": games, "kind": "played"}]] * 2
    assert list(match.seats.order_by("number").values_list("games_won", flat=True)) == games[:2]
    assert LedgerEntry.objects.filter(code="result.entered").count() == 1
    dropped = Entrant.objects.filter(seats__match=match, status="dropped")
    assert list(dropped) == (entrants[:1] if games == [2, 1, 0] else entrants[1:])


def test_a_result_corrected_while_the_round_is_closed_is_never_lost(cast: Cast) -> None:
    round_ = a_published_round(a_running_event(cast), cast.organizer)
    for match in round_.matches.all():
        play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    match = round_.matches.all()[0]
    at_once(
        lambda: play.close_round(round_=round_, by=cast.organizer, now=NOW),
        lambda: play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=NOW, reason="Slip"),
    )
    assert list(match.seats.order_by("number").values_list("games_won", flat=True)) == [2, 1]


def test_a_result_corrected_while_the_next_round_is_paired_is_never_missed(cast: Cast) -> None:
    """Either the pairing knows the correction, or it is refused. It is never computed from the old results."""
    event = a_running_event(cast, players=8)
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)
    match = round_.matches.all()[0]
    stage = current_stage(event)
    told = at_once(
        lambda: play.pair_round(stage=stage, by=cast.organizer, now=NOW),
        lambda: play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW, reason="Slip"),
    )
    paired = LedgerEntry.objects.filter(chain=event.public_id, code="round.paired").latest("number")
    corrected = LedgerEntry.objects.filter(chain=event.public_id, code="result.entered").latest("number")
    assert told == (["done", "done"] if stage.rounds.count() == 2 else ["done", "results_moved"])
    if stage.rounds.count() == 2 and corrected.number < paired.number:
        again = pair(field_of(stage, before=2), seed=stage.rounds.get(number=2).seed)
        assert [list(ids) for ids in again.pairs] == paired.after["pairs"]


@pytest.mark.parametrize("tables", [15, pytest.param(100, marks=pytest.mark.slow)])
def test_concurrent_double_reports_at_each_table_count_once(cast: Cast, tables: int) -> None:
    """At each table a player reports twice at once, and both players report at once.

    Up to 20 such pairs start together. Tables with even keys begin with the one kind and the others with the other
    kind, so that both kinds meet a match without reports and one with a report or a result.
    """
    event = a_running_event(cast, players=2 * tables)
    round_ = a_published_round(event, cast.organizer)
    matches = list(Match.objects.filter(round=round_))
    people = {match.pk: users_of(match) for match in matches}

    def reports(match: Match, *seats: int) -> list[Callable[[], object]]:
        return [
            partial(play.report_result, match=match, by=people[match.pk][seat], games=(2, 1, 0), now=NOW)
            for seat in seats
        ]

    together = 5 if connection.vendor == "sqlite" else 20  # SQLite has a single writer
    for even in ((0, 0), (0, 1)):
        odd = (0, 1) if even == (0, 0) else (1, 1)
        for first in range(0, tables, together):
            doubles = [reports(match, *(odd if match.pk % 2 else even)) for match in matches[first : first + together]]
            assert at_once(*chain.from_iterable(doubles)) == ["done"] * 2 * len(doubles)
    assert Report.objects.filter(match__round=round_, status="confirmed", games=[2, 1, 0]).count() == tables
    assert Report.objects.filter(match__round=round_).count() == tables
    for code in ("result.reported", "result.confirmed"):
        lines = LedgerEntry.objects.filter(chain=event.public_id, code=code).values_list("object", flat=True)
        assert sorted(lines) == sorted(match.public_id for match in matches)
    assert Match.objects.filter(round=round_, authority="agreed", disputed=False, games_drawn=0).count() == tables
    points = Seat.objects.filter(round=round_).values_list("number", "games_won", "points")
    assert sorted(points) == [(1, 2, 3)] * tables + [(2, 1, 0)] * tables
    assert list(ledger.faults(event.public_id)) == []
