"""Results: reports, confirmations, disputes, entries of the desk, and rulings of judges."""

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.common.models import Job, LedgerEntry
from tournaments.events.models import StaffRole
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.loading import differing_reports
from tournaments.play.models import Match, Report, Seat
from tournaments.play.selectors import newest_report_id
from tournaments.play.services.results import Proof, record_evidence, score_now

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    """The match of the cast's player in round 1."""
    return match_of(a_published_round(a_running_event(cast), cast.organizer), cast.player)


@pytest.fixture
def seats(match: Match) -> list[User]:
    """The accounts of seat 1 and seat 2."""
    return users_of(match)


def reported(match: Match, by: User, games: tuple[int, int, int] = (2, 1, 0)) -> Report:
    return play.report_result(match=match, by=by, games=games, now=NOW)


def points(match: Match) -> list[int | None]:
    return list(match.seats.order_by("number").values_list("points", flat=True))


def test_a_report_alone_does_not_count(match: Match, seats: list[User]) -> None:
    reported(match, seats[0])
    match.refresh_from_db()
    assert (match.authority, match.has_result, points(match)) == ("claimed", False, [None, None])


def test_a_confirmed_report_counts(match: Match, seats: list[User]) -> None:
    play.confirm_result(match=match, report=reported(match, seats[0]), by=seats[1], now=NOW)
    match.refresh_from_db()
    assert (match.authority, match.has_result, points(match)) == ("agreed", True, [3, 0])


def test_the_same_report_by_both_players_counts(match: Match, seats: list[User]) -> None:
    reported(match, seats[0])
    reported(match, seats[1])
    match.refresh_from_db()
    assert match.has_result
    assert match.reports.get().status == Report.Status.CONFIRMED


def test_reporting_twice_changes_nothing(match: Match, seats: list[User]) -> None:
    first = reported(match, seats[0])
    entries = LedgerEntry.objects.count()
    assert reported(match, seats[0]).pk == first.pk
    assert LedgerEntry.objects.count() == entries


def test_players_can_replace_their_own_waiting_report(match: Match, seats: list[User]) -> None:
    first = reported(match, seats[0])
    reported(match, seats[0], (2, 0, 0))
    first.refresh_from_db()
    assert first.status == Report.Status.REPLACED
    assert differing_reports(match)[0].games == [2, 0, 0]


def differing(match: Match, seats: list[User]) -> tuple[Report, Report]:
    """A report by seat 1, and a different one by seat 2."""
    return reported(match, seats[0]), reported(match, seats[1], (0, 2, 0))


def statuses(match: Match) -> list[str]:
    return list(match.reports.order_by("pk").values_list("status", flat=True))


def test_a_different_report_by_the_opponent_becomes_a_counter_report_and_calls_no_judge(
    match: Match, seats: list[User]
) -> None:
    differing(match, seats)
    match.refresh_from_db()
    assert (match.disputed, match.has_result, match.authority) == (False, False, "claimed")
    assert statuses(match) == ["standing", "counter"]
    entries = LedgerEntry.objects.count()
    differing(match, seats)
    assert LedgerEntry.objects.count() == entries, "the same again changes nothing"


@pytest.mark.parametrize("by_report", [True, False])
@pytest.mark.parametrize("giving_way", [0, 1])
def test_the_result_counts_once_one_player_accepts_the_other_report(
    match: Match, seats: list[User], giving_way: int, by_report: bool
) -> None:
    reports = differing(match, seats)
    taken = reports[1 - giving_way]
    if by_report:
        reported(match, seats[giving_way], tuple(taken.games))
    else:
        play.confirm_result(match=match, report=taken, by=seats[giving_way], now=NOW)
    match.refresh_from_db()
    taken.refresh_from_db()
    assert (match.has_result, match.authority, taken.status) == (True, "agreed", "confirmed")
    assert score_now(match)[0] == taken.games
    assert sorted(statuses(match)) == ["confirmed", "replaced"]


@pytest.mark.parametrize("corrects", [0, 1])
def test_players_can_correct_their_own_report_while_the_two_differ(
    match: Match, seats: list[User], corrects: int
) -> None:
    differing(match, seats)
    reported(match, seats[corrects], (1, 1, 1))
    assert sorted(statuses(match)) == ["counter", "replaced", "standing"]
    own = match.reports.get(games=[1, 1, 1])
    assert own.status == ("standing", "counter")[corrects]
    with assert_refused("own_report"):
        play.confirm_result(match=match, report=own, by=seats[corrects], now=NOW)


@pytest.mark.parametrize("calling", [0, 1])
def test_either_player_can_call_a_judge_while_the_reports_differ(match: Match, seats: list[User], calling: int) -> None:
    first, _second = differing(match, seats)
    play.contest_result(match=match, report=first, by=seats[calling], now=NOW, reason="We cannot agree.")
    match.refresh_from_db()
    assert match.disputed and set(statuses(match)) == {"contested"}
    with assert_refused("disputed"):
        reported(match, seats[0])


def test_the_desk_can_override_differing_reports_and_undo_that(match: Match, seats: list[User], cast: Cast) -> None:
    _first, second = differing(match, seats)
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), seen=newest_report_id(match), now=NOW)
    with assert_refused("report_changed"):
        play.confirm_result(match=match, report=second, by=seats[0], now=NOW)
    play.undo_result(match=match, by=cast.scorekeeper, now=NOW)
    standing, counter = differing_reports(match)
    assert (standing.games, counter.games) == ([2, 1, 0], [0, 2, 0])


def test_contesting_a_report_starts_a_dispute_and_keeps_the_reason_out_of_the_chain(
    match: Match, seats: list[User]
) -> None:
    play.contest_result(match=match, report=reported(match, seats[0]), by=seats[1], now=NOW, reason="We miscounted")
    match.refresh_from_db()
    entry = LedgerEntry.objects.get(code="result.contested")
    assert match.disputed
    assert entry.note.text == "We miscounted"
    assert "miscounted" not in str(entry.after)


def test_players_cannot_confirm_or_contest_their_own_report(match: Match, seats: list[User]) -> None:
    report = reported(match, seats[0])
    with assert_refused("own_report"):
        play.confirm_result(match=match, report=report, by=seats[0], now=NOW)
    with assert_refused("own_report"):
        play.contest_result(match=match, report=report, by=seats[0], now=NOW)


def test_an_outdated_page_cannot_confirm_a_report(match: Match, seats: list[User]) -> None:
    seen = reported(match, seats[0])
    reported(match, seats[0], (2, 0, 0))
    with assert_refused("report_changed"):
        play.confirm_result(match=match, report=seen, by=seats[1], now=NOW)


def test_a_confirmed_result_cannot_be_contested_or_reported_differently(match: Match, seats: list[User]) -> None:
    report = reported(match, seats[0])
    play.confirm_result(match=match, report=report, by=seats[1], now=NOW)
    play.confirm_result(match=match, report=report, by=seats[1], now=NOW)
    with assert_refused("already_confirmed"):
        play.contest_result(match=match, report=report, by=seats[1], now=NOW)
    with assert_refused("already_confirmed"):
        reported(match, seats[1], (1, 2, 0))
    assert reported(match, seats[1]).status == Report.Status.CONFIRMED


def test_only_players_of_the_table_can_report_or_confirm(match: Match, seats: list[User], cast: Cast) -> None:
    report = reported(match, seats[0])
    with assert_refused("not_your_table"):
        play.confirm_result(match=match, report=report, by=cast.stranger, now=NOW)
    with assert_refused("not_your_table"):
        reported(match, cast.stranger)


@pytest.mark.parametrize("games", [(3, 0, 0), (2, 2, 0), (0, 0, 0), (-1, 2, 0), (2, 0), (2, 0, 4)])
def test_an_impossible_score_is_refused(match: Match, seats: list[User], games: tuple[int, ...]) -> None:
    with assert_refused("score_invalid"):
        play.report_result(match=match, by=seats[0], games=games, now=NOW)


def test_an_intentional_draw_has_its_own_kind_and_gives_one_point_each(match: Match, seats: list[User]) -> None:
    for seat in seats:
        play.report_result(match=match, by=seat, games=(0, 0, 3), kind="intentional_draw", now=NOW)
    match.refresh_from_db()
    assert (match.kind, points(match)) == ("intentional_draw", [1, 1])


def test_players_cannot_report_kinds_reserved_for_staff(match: Match, seats: list[User]) -> None:
    with assert_refused("kind_invalid"):
        play.report_result(match=match, by=seats[0], games=(2, 0, 0), kind="no_show", now=NOW)


def test_the_desk_needs_a_reason_to_change_a_result_that_counts(match: Match, cast: Cast) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    entries = LedgerEntry.objects.count()
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    assert LedgerEntry.objects.count() == entries
    with assert_refused("reason_missing"):
        play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW)
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 2, 0), now=NOW, reason="Slip misread")
    assert points(match) == [0, 3]
    last = LedgerEntry.objects.filter(code="result.entered").latest("number")
    assert last.before == {"games": [2, 0, 0], "kind": "played"}


def test_evidence_counts_if_it_is_as_strong_as_what_is_known_and_is_ignored_if_it_is_weaker(match: Match) -> None:
    game, (first, second) = match.games.get(number=1), match.seats.order_by("number")

    def recorded(evidence: str, ended: str, winner: Seat | None) -> tuple[str, str, Seat | None]:
        record_evidence([Proof(game, "0" * 64, evidence, ended, winner)], now=NOW)
        game.refresh_from_db()
        return game.evidence, game.ended, game.winner

    assert recorded("consistent", "concession", first) == ("consistent", "concession", first)
    assert recorded("plausible", "points", second) == ("consistent", "concession", first)
    assert recorded("consistent", "deck", first) == ("consistent", "deck", first)
    assert recorded("consistent", "deck", second) == ("consistent", "contradicted", None)
    assert recorded("replayed", "deck", second) == ("replayed", "deck", second)


def test_a_double_loss_gives_no_points(match: Match, cast: Cast) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 0, 0), kind="double_loss", now=NOW)
    match.refresh_from_db()
    assert (match.has_result, points(match)) == (True, [0, 0])


def test_only_a_ruling_settles_a_dispute_and_it_needs_a_reason(match: Match, seats: list[User], cast: Cast) -> None:
    play.contest_result(match=match, report=reported(match, seats[0]), by=seats[1], now=NOW)
    with assert_refused("disputed"):
        play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    with assert_refused("reason_missing"):
        play.rule_result(match=match, by=cast.judge, games=(1, 2, 0), now=NOW, reason=" ")
    play.rule_result(match=match, by=cast.judge, games=(1, 2, 0), now=NOW, reason="Move 14 was illegal")
    match.refresh_from_db()
    assert (match.authority, match.disputed, points(match)) == ("ruled", False, [0, 3])


def test_a_different_ruling_from_an_outdated_page_is_refused(match: Match, cast: Cast) -> None:
    seen = newest_report_id(match)
    play.rule_result(match=match, by=cast.judge, games=(2, 0, 0), now=NOW, reason="Seen by me", seen=seen)
    entries = LedgerEntry.objects.count()
    play.rule_result(match=match, by=cast.judge, games=(2, 0, 0), now=NOW, reason="Seen by me", seen=seen)
    assert LedgerEntry.objects.count() == entries
    with assert_refused("result_changed"):
        play.rule_result(match=match, by=cast.judge, games=(0, 2, 0), now=NOW, reason="Not so", seen=seen)
    match.refresh_from_db()
    assert points(match) == [3, 0]


def test_staff_who_play_cannot_enter_or_rule_their_own_result(match: Match, seats: list[User], cast: Cast) -> None:
    event = match.round.stage.event
    grant_role(event=event, email=seats[0].email, role=StaffRole.Role.JUDGE, by=cast.organizer, now=NOW)
    with assert_refused("own_match"):
        play.enter_result(match=match, by=seats[0], games=(2, 0, 0), now=NOW)
    with assert_refused("own_match"):
        play.rule_result(match=match, by=seats[0], games=(2, 0, 0), now=NOW, reason="Because")


def test_a_confirmed_result_queues_standings_of_its_version(match: Match, seats: list[User]) -> None:
    play.confirm_result(match=match, report=reported(match, seats[0]), by=seats[1], now=NOW)
    stage = match.round.stage
    stage.refresh_from_db()
    assert stage.results_version == LedgerEntry.objects.get(code="result.confirmed").number
    assert Job.objects.filter(kind="standings.compute", key=str(stage.pk), status="pending").count() == 1


def test_only_staff_can_correct_a_result_of_a_closed_round(match: Match, seats: list[User], cast: Cast) -> None:
    for other in match.round.matches.all():
        play.enter_result(match=other, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    play.close_round(round_=match.round, by=cast.scorekeeper, now=NOW)
    with assert_refused("round_state"):
        reported(match, seats[0])
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=NOW, reason="Slip found")
    assert list(match.seats.order_by("number").values_list("games_won", flat=True)) == [2, 1]
