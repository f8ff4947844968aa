"""Penalties: what each costs in each match structure and when, how it changes results, and how to withdraw it."""

from datetime import timedelta

import pytest

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    a_running_team_event,
    a_table_event,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.archive.present import verify_event
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.services import grant_role
from tournaments.events.stages import add_stage
from tournaments.judging.infractions import LADDERS, LEVELS, infractions
from tournaments.judging.models import Penalty
from tournaments.judging.penalties import give_penalty, withdraw_penalty
from tournaments.judging.selectors import proposals
from tournaments.play import services as play
from tournaments.play.models import Loss, Match, Report
from tournaments.play.services.following import follow_round

pytestmark = pytest.mark.django_db


def entrant_of(event: Event, user: User) -> Entrant:
    return Entrant.objects.select_related("event").get(event=event, member__person__account=user)


def give(cast: Cast, event: Event, level: str, when: str = "now", who: User | None = None, **more: object) -> Penalty:
    entrant = entrant_of(event, who or cast.player)
    return give_penalty(
        entrant=entrant,
        infraction="misplay",
        level=level,
        when=when,
        by=cast.judge,
        now=NOW,
        **{"note": "seen", **more},
    )


def result(match: Match) -> tuple[str, list[int | None], list[int | None]]:
    """The kind of a match, and the games won and points of its seats in order."""
    fresh = Match.objects.get(pk=match.pk)
    seats = fresh.seats.order_by("number")
    return fresh.kind, [seat.games_won for seat in seats], [seat.points for seat in seats]


def seat_of(match: Match, user: User) -> int:
    return match.seats.get(entrant__member__person__account=user).number


def score(match: Match, user: User, own: int, other: int, drawn: int = 0) -> list[int]:
    """The score of a match by seat, given from the side of one player."""
    return [own, other, drawn] if seat_of(match, user) == 1 else [other, own, drawn]


def begun(cast: Cast, **options: object) -> tuple[Event, Match]:
    event = a_running_event(cast, players=2, **options)
    return event, match_of(a_published_round(event, cast.organizer), cast.player)


# ------------------------------------------------------------------------------------------------- the ladder


def test_every_ladder_only_rises_and_uses_known_levels() -> None:
    for _category, infraction, ladder in infractions():
        assert [*ladder] == sorted(ladder, key=LEVELS.index), infraction
        assert len(infraction) <= 20


def test_the_ladder_proposes_the_next_level_and_the_judge_decides(cast: Cast) -> None:
    event, _match = begun(cast)
    player = entrant_of(event, cast.player)
    first = give_penalty(entrant=player, infraction="cards_drawn", by=cast.judge, now=NOW)
    assert (first.level, first.served) == ("warning", "record")
    assert proposals(player)["cards_drawn"] == "game_loss" and proposals(player)["misplay"] == "warning"
    milder = give_penalty(entrant=player, infraction="cards_drawn", level="warning", by=cast.judge, now=NOW)
    assert (milder.level, milder.proposed) == ("warning", "game_loss")
    for penalty in (first, milder):
        withdraw_penalty(penalty=penalty, by=cast.judge, now=NOW)
    assert proposals(player)["cards_drawn"] == "warning"
    assert proposals(entrant_of(event, cast.opponent))["cards_drawn"] == "warning"
    assert not Loss.objects.exists()


def test_a_lost_match_counts_now_since_it_leaves_no_next_game(cast: Cast) -> None:
    event, _match = begun(cast)
    assert give(cast, event, "match_loss", when="next_game").when == "now"


@pytest.mark.parametrize("when", ["next_game", "next_round"])
def test_a_warning_always_counts_now(cast: Cast, when: str) -> None:
    event, _match = begun(cast)
    penalty = give(cast, event, "warning", when=when)
    assert (penalty.when, penalty.served) == ("now", "record")


def test_the_description_is_a_ledger_note_that_can_be_erased(cast: Cast) -> None:
    event, _match = begun(cast)
    penalty = give(cast, event, "warning", note="Player 1 drew twice")
    entry = LedgerEntry.objects.get(chain=event.public_id, number=penalty.entry)
    assert entry.note.text == "Player 1 drew twice" and "drew" not in str(entry.after)
    ledger.erase_note(entry.chain, entry.number)
    assert not list(ledger.faults(event.public_id))


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"infraction": "hat"}, "infraction_unknown"),
        ({"level": "hug"}, "level_unknown"),
        ({"when": "never"}, "level_unknown"),
    ],
)
def test_unknown_infractions_levels_and_times_are_refused(cast: Cast, wrong: dict[str, str], code: str) -> None:
    event, _match = begun(cast)
    with assert_refused(code):
        give_penalty(
            entrant=entrant_of(event, cast.player), by=cast.judge, now=NOW, **{"infraction": "misplay", **wrong}
        )


# ------------------------------------------------------------------------------------------------- this game


def test_in_best_of_3_the_result_must_count_the_lost_game(cast: Cast) -> None:
    event, match = begun(cast)
    penalty = give(cast, event, "game_loss")
    assert (penalty.loss.game, penalty.served) == (1, "served") and result(match)[0] == "played"
    for claimed in (score(match, cast.player, 2, 0), score(match, cast.player, 1, 0)):
        with assert_refused("loss_not_counted"):
            play.report_result(match=match, by=cast.player, games=claimed, now=NOW)
        with assert_refused("loss_not_counted"):
            play.enter_result(match=match, by=cast.organizer, games=claimed, now=NOW)
    play.report_result(match=match, by=cast.player, games=score(match, cast.player, 2, 1), now=NOW)


def test_a_report_that_does_not_count_the_lost_game_must_be_sent_again(cast: Cast) -> None:
    event, match = begun(cast)
    report = play.report_result(match=match, by=cast.player, games=score(match, cast.player, 2, 0), now=NOW)
    give(cast, event, "game_loss", game=2)
    assert Report.objects.get(pk=report.pk).status == Report.Status.REPLACED
    with assert_refused("report_changed"):
        play.confirm_result(match=match, report=report, by=cast.opponent, now=NOW)
    assert Match.objects.get(pk=match.pk).authority == ""


def test_two_lost_games_in_best_of_3_lose_the_match(cast: Cast) -> None:
    event, match = begun(cast)
    give(cast, event, "game_loss")
    second = give(cast, event, "game_loss")
    lost = result(match)
    assert lost[0] == "penalty_loss" and sorted(lost[2]) == [0, 3]
    withdraw_penalty(penalty=second, by=cast.judge, now=NOW)
    assert result(match) == ("played", [None, None], [None, None])


def test_tardiness_and_a_penalty_add_up(cast: Cast) -> None:
    event, match = begun(cast)
    seat = seat_of(match, cast.player)
    play.note_empty(match=match, seat=seat, by=cast.judge, now=NOW - timedelta(minutes=6))
    play.confirm_game_loss(match=match, seat=seat, by=cast.judge, now=NOW)
    with assert_refused("loss_not_counted"):
        play.enter_result(match=match, by=cast.organizer, games=score(match, cast.player, 2, 0), now=NOW)
    give(cast, event, "game_loss")
    assert result(match)[0] == "penalty_loss"


def test_in_best_of_1_a_game_loss_is_the_match_and_undoing_it_restores_the_result(cast: Cast) -> None:
    event, match = begun(cast, best_of=1)
    play.enter_result(match=match, by=cast.organizer, games=score(match, cast.player, 1, 0), now=NOW)
    had = result(match)
    penalty = give(cast, event, "game_loss")
    lost = result(match)
    assert lost[0] == "penalty_loss" and lost != had and penalty.loss.what == "match"
    # The last entry of the ledger is that of the penalty itself.
    assert event.stages.get().results_version == ledger.revision(event.public_id) - 1
    withdraw_penalty(penalty=penalty, by=cast.judge, now=NOW)
    withdraw_penalty(penalty=penalty, by=cast.judge, now=NOW)
    assert result(match) == had and Match.objects.get(pk=match.pk).authority == "witnessed"
    assert not list(ledger.faults(event.public_id))


def test_a_game_loss_is_refused_once_the_match_has_a_result(cast: Cast) -> None:
    event, match = begun(cast)
    play.enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    with assert_refused("match_settled"):
        give(cast, event, "game_loss")
    assert not Penalty.objects.exists()


def test_at_a_multiplayer_table_a_game_loss_means_the_last_rank(cast: Cast) -> None:
    event = a_table_event(cast, players=4, rounds=2)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    mine = seat_of(match, cast.player)
    ranks = iter((2, 3, 4))
    first = [[1 if number == mine else next(ranks), 9] for number in range(1, 5)]
    penalty = give(cast, event, "game_loss")
    with assert_refused("loss_not_counted"):
        play.enter_result(match=match, by=cast.organizer, games=first, now=NOW)
    withdraw_penalty(penalty=penalty, by=cast.judge, now=NOW)
    play.enter_result(match=match, by=cast.organizer, games=first, now=NOW)
    worth = match.seats.get(number=mine).points
    penalty = give(cast, event, "game_loss")
    seat = match.seats.get(number=mine)
    assert seat.rank == 4 and seat.points == 0 < worth
    assert sorted(match.seats.values_list("rank", flat=True)) == [1, 2, 3, 4]
    withdraw_penalty(penalty=penalty, by=cast.judge, now=NOW)
    assert match.seats.get(number=mine).rank == 1


# ------------------------------------------------------------------------------------------------- the next game


def test_a_loss_of_the_next_game_counts_only_if_that_game_is_reached(cast: Cast) -> None:
    event, match = begun(cast)
    penalty = give(cast, event, "game_loss", "next_game", game=1)
    assert (penalty.loss.game, penalty.loss.later) == (2, True)
    with assert_refused("loss_not_counted"):  # two games were played, and the second was lost
        play.enter_result(match=match, by=cast.organizer, games=score(match, cast.player, 2, 0), now=NOW)
    play.enter_result(match=match, by=cast.organizer, games=score(match, cast.player, 1, 0), now=NOW)


def test_a_loss_of_the_next_game_waits_for_the_next_round_if_the_match_ends_first(cast: Cast) -> None:
    event, match = begun(cast)
    penalty = give(cast, event, "game_loss", "next_game", game=2)
    play.enter_result(match=match, by=cast.organizer, games=score(match, cast.player, 2, 0), now=NOW)
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    following = match_of(a_published_round(event, cast.organizer), cast.player)
    loss = Loss.objects.get(penalty=penalty)
    assert (loss.seat.match_id, loss.game, loss.carried) == (following.pk, 1, True)


# ------------------------------------------------------------------------------------------------- the match


def test_a_match_loss_counts_at_once(cast: Cast) -> None:
    event, match = begun(cast)
    give(cast, event, "match_loss")
    kind, games, points = result(match)
    mine = seat_of(match, cast.player) - 1
    assert (kind, games[mine], points[mine], points[1 - mine]) == ("penalty_loss", 0, 0, 3)
    with assert_refused("loss_not_counted"):
        play.enter_result(match=match, by=cast.organizer, games=score(match, cast.player, 2, 0), reason="no", now=NOW)


def test_if_both_players_lose_the_match_each_penalty_can_be_undone_separately(cast: Cast) -> None:
    event, match = begun(cast)
    first = give(cast, event, "match_loss")
    second = give(cast, event, "match_loss", who=cast.opponent)
    assert result(match) == ("double_loss", [0, 0], [0, 0])
    withdraw_penalty(penalty=first, by=cast.judge, now=NOW)
    kind, _games, points = result(match)
    assert kind == "penalty_loss" and points[seat_of(match, cast.player) - 1] == 3
    withdraw_penalty(penalty=second, by=cast.judge, now=NOW)
    assert result(match)[1] == [None, None]


def test_in_a_bracket_the_opponent_advances_and_both_cannot_lose(cast: Cast) -> None:
    event = a_bracket(cast, players=4, rounds=1)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    opponent = next(user for user in users_of(match) if user != cast.player)
    give(cast, event, "match_loss")
    assert result(match)[0] == "penalty_loss"
    with assert_refused("winner_missing"):
        give(cast, event, "match_loss", who=opponent)
    play_out(match.round, cast.organizer)
    final = a_published_round(event, cast.organizer)
    assert final.matches.filter(seats__entrant__member__person__account=opponent, table__isnull=False).exists()


def test_a_penalty_that_decided_a_match_of_a_closed_round_cannot_be_withdrawn(cast: Cast) -> None:
    event, match = begun(cast)
    penalty = give(cast, event, "match_loss")
    play.close_round(round_=match.round, by=cast.organizer, now=NOW)
    with assert_refused("round_state"):
        withdraw_penalty(penalty=penalty, by=cast.judge, now=NOW)
    assert result(match)[0] == "penalty_loss" and Penalty.objects.get().withdrawn_at is None


# ------------------------------------------------------------------------------------------------- the next round


def test_a_penalty_for_the_next_round_is_served_when_that_round_is_published(cast: Cast) -> None:
    event, match = begun(cast)
    penalty = give(cast, event, "match_loss", "next_round")
    assert penalty.served == "waits"
    play_out(match.round, cast.organizer)
    round_ = a_published_round(event, cast.organizer)
    following = match_of(round_, cast.player)
    assert result(following)[0] == "penalty_loss" and Penalty.objects.get().served == "served"
    assert LedgerEntry.objects.filter(code="penalty.served", object=following.public_id).count() == 1


def test_unpublishing_pairings_makes_a_served_penalty_wait_again(cast: Cast) -> None:
    event, match = begun(cast)
    give(cast, event, "match_loss", "next_round")
    play_out(match.round, cast.organizer)
    round_ = a_published_round(event, cast.organizer)
    play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)
    assert Penalty.objects.get().served == "waits"
    assert result(match_of(round_, cast.player)) == ("played", [None, None], [None, None])
    play.discard_draft(round_=round_, by=cast.organizer, now=NOW)
    again = a_published_round(event, cast.organizer)
    assert result(match_of(again, cast.player))[0] == "penalty_loss"


def test_undoing_the_next_round_button_leaves_the_penalty_waiting(cast: Cast) -> None:
    event, match = begun(cast)
    give(cast, event, "game_loss", "next_round")
    play.enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    following = follow_round(round_=match.round, minutes=3, by=cast.organizer, now=NOW)
    assert Penalty.objects.get().served == "served"
    play.undo_follow(round_=following, by=cast.organizer, now=NOW)
    assert Penalty.objects.get().served == "waits"


def test_a_penalty_is_not_served_in_a_bye(cast: Cast) -> None:
    event = a_running_event(cast, players=3, rounds=3)
    first = a_published_round(event, cast.organizer)
    free = match_of(first, cast.player)
    seated = next(user for match in first.matches.filter(table__isnull=False) for user in users_of(match))
    give(cast, event, "match_loss", "next_round", who=seated)
    play_out(first, cast.organizer)
    play.award_bye(entrant=entrant_of(event, seated), number=2, kind="bye", by=cast.organizer, now=NOW)
    second = a_published_round(event, cast.organizer)
    assert match_of(second, seated).table is None and Penalty.objects.get().served == "waits"
    play_out(second, cast.organizer)
    third = match_of(a_published_round(event, cast.organizer), seated)
    assert third.table is None or result(third)[0] == "penalty_loss"
    assert free.pk


def test_a_dropped_player_serves_a_penalty_only_once_reinstated(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=3)
    first = a_published_round(event, cast.organizer)
    give(cast, event, "game_loss", "next_round")
    play.drop(entrant=entrant_of(event, cast.player), by=cast.organizer, now=NOW, concede_match=True)
    play_out(first, cast.organizer)
    assert Penalty.objects.get().served == "waits"
    with assert_refused("entrant_dropped"):
        give(cast, event, "game_loss", "next_round")
    play.reinstate(entrant=entrant_of(event, cast.player), by=cast.organizer, now=NOW)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    assert Penalty.objects.get().loss.seat.match_id == match.pk


def test_in_the_last_round_no_penalty_can_wait_for_the_next(cast: Cast) -> None:
    event, match = begun(cast, rounds=1)
    with assert_refused("no_next_round"):
        give(cast, event, "game_loss", "next_round")
    assert match.pk and not Loss.objects.exists()


def test_a_penalty_from_the_last_swiss_round_is_served_in_the_bracket(cast: Cast) -> None:
    event = a_running_event(cast, players=4, rounds=1)
    add_stage(event=event, kind="single_elimination", by=cast.organizer, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    give(cast, event, "game_loss", "next_round")
    play_out(round_, cast.organizer)
    play.start_stage(event=event, by=cast.organizer, now=NOW)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    assert Penalty.objects.get().loss.seat.match_id == match.pk


def test_if_both_players_owe_a_game_each_loses_one(cast: Cast) -> None:
    event, match = begun(cast)
    for user in (cast.player, cast.opponent):
        give(cast, event, "game_loss", "next_round", who=user)
    play_out(match.round, cast.organizer)
    following = match_of(a_published_round(event, cast.organizer), cast.player)
    assert sorted(Loss.objects.values_list("game", flat=True)) == [1, 2] and result(following)[0] == "played"
    play.enter_result(match=following, by=cast.organizer, games=[2, 1, 0], now=NOW)


def test_if_both_players_owe_a_match_both_lose_it(cast: Cast) -> None:
    event, match = begun(cast)
    for user in (cast.player, cast.opponent):
        give(cast, event, "match_loss", "next_round", who=user)
    play_out(match.round, cast.organizer)
    following = match_of(a_published_round(event, cast.organizer), cast.player)
    assert result(following) == ("double_loss", [0, 0], [0, 0])


# ------------------------------------------------------------------------------------------------- people


def test_a_disqualified_player_loses_the_match_and_is_out_of_the_event(cast: Cast) -> None:
    event, match = begun(cast)
    with assert_refused("reason_missing"):
        give(cast, event, "disqualification", note=" ")
    penalty = give(cast, event, "disqualification")
    assert result(match)[0] == "disqualified" and entrant_of(event, cast.player).disqualified
    with assert_refused("disqualified"):
        withdraw_penalty(penalty=penalty, by=cast.judge, now=NOW)


def test_a_judge_can_withdraw_only_their_own_penalties_and_cannot_disqualify(cast: Cast) -> None:
    event, _match = begun(cast)
    grant_role(event=event, email=cast.stranger.email, role="judge", by=cast.organizer, now=NOW)
    player = entrant_of(event, cast.player)
    with assert_refused("role_too_low"):
        give_penalty(entrant=player, infraction="cheating", by=cast.stranger, now=NOW, note="seen")
    assert not entrant_of(event, cast.player).disqualified
    heads = give(cast, event, "warning")
    with assert_refused("penalty_not_yours"):
        withdraw_penalty(penalty=heads, by=cast.stranger, now=NOW)
    own = give_penalty(entrant=player, infraction="misplay", by=cast.stranger, now=NOW)
    withdraw_penalty(penalty=own, by=cast.stranger, now=NOW)


def test_staff_who_play_cannot_penalize_anyone_at_their_own_table(cast: Cast) -> None:
    event, _match = begun(cast)
    grant_role(event=event, email=cast.player.email, role="head_judge", by=cast.organizer, now=NOW)
    for user in (cast.player, cast.opponent):
        with assert_refused("own_match"):
            give_penalty(entrant=entrant_of(event, user), infraction="misplay", by=cast.player, now=NOW)
    penalty = give(cast, event, "warning")
    with assert_refused("own_match"):
        withdraw_penalty(penalty=penalty, by=cast.player, now=NOW)


def test_every_infraction_can_be_given(cast: Cast) -> None:
    event, _match = begun(cast)
    for infraction in LADDERS:
        give_penalty(
            entrant=entrant_of(event, cast.player), infraction=infraction, level="warning", by=cast.judge, now=NOW
        )
    assert Penalty.objects.count() == len(LADDERS)


def test_a_game_lost_at_a_board_is_noted_and_entered_in_the_result_of_the_board(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    for when in ("now", "next_round"):
        penalty = give(cast, event, "game_loss", when=when)
        assert (penalty.loss, penalty.served) == (None, "record")
    assert not Loss.objects.exists() and result(match)[0] == "played"
    assert give(cast, event, "match_loss").loss is not None
    assert result(match)[0] == "penalty_loss"
    assert verify_event(event).faults == ()
