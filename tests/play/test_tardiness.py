"""Late players: the countdown at an empty seat, and the losses that a person confirms once they are due."""

from datetime import datetime, timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.events.models import Event
from tournaments.events.services import grant_role
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.play.services.tardiness import late_seats

pytestmark = pytest.mark.django_db


def minutes(number: float) -> datetime:
    """The time so many minutes after the seat was noted as empty."""
    return NOW + timedelta(minutes=number)


def seated(cast: Cast, best_of: int = 3) -> Match:
    """A match of an event whose procedures say: late after 3 minutes, game loss after 5, match loss after 10."""
    return match_of(a_published_round(a_running_event(cast, players=2, best_of=best_of), cast.organizer), cast.player)


def note(match: Match, cast: Cast, seat: int = 1, at: datetime = NOW) -> None:
    play.note_empty(match=match, seat=seat, by=cast.judge, now=at)


def due(match: Match, at: datetime) -> list[tuple[int, str]]:
    return [(late.empty.seat.number, late.due) for late in late_seats(match.round, at)]


def test_what_is_due_follows_from_the_minutes_in_the_procedures(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast)
    told = [(at, *due(match, minutes(at))) for at in (0, 2.9, 3, 4.9, 5, 9.9, 10, 60)]
    assert told == [
        (0, (1, "waiting")),
        (2.9, (1, "waiting")),
        (3, (1, "late")),
        (4.9, (1, "late")),
        (5, (1, "game_loss")),
        (9.9, (1, "game_loss")),
        (10, (1, "match_loss")),
        (60, (1, "match_loss")),
    ]


def test_the_time_of_the_next_step_is_known_until_the_last_step(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast)
    told = [late_seats(match.round, minutes(at))[0].next_at for at in (0, 3, 5, 10)]
    assert told == [minutes(3), minutes(5), minutes(10), None]


def test_noting_an_empty_seat_twice_does_not_restart_its_countdown(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast)
    note(match, cast, at=minutes(4))
    assert due(match, minutes(5)) == [(1, "game_loss")]


def test_arriving_ends_the_countdown_and_a_second_absence_starts_a_new_one(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast)
    play.note_filled(match=match, seat=1, by=cast.judge, now=minutes(2))
    assert due(match, minutes(9)) == []
    note(match, cast, at=minutes(10))
    assert due(match, minutes(12)) == [(1, "waiting")]


def test_a_game_loss_can_be_confirmed_only_when_it_is_due_and_only_once(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast)
    for at in (4, 12):
        with assert_refused("not_due"):
            play.confirm_game_loss(match=match, seat=1, by=cast.judge, now=minutes(at))
    game = play.confirm_game_loss(match=match, seat=1, by=cast.judge, now=minutes(6))
    assert (game.number, game.winner.number, game.ended) == (1, 2, "tardiness")
    with assert_refused("not_due"):
        play.confirm_game_loss(match=match, seat=1, by=cast.judge, now=minutes(7))


def test_an_absent_player_loses_the_match_once_it_is_confirmed(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast, seat=2)
    with assert_refused("not_due"):
        play.confirm_match_loss(match=match, by=cast.scorekeeper, now=minutes(9))
    play.confirm_match_loss(match=match, by=cast.scorekeeper, now=minutes(10))
    match.refresh_from_db()
    assert match.kind == "no_show"
    assert list(match.seats.order_by("number").values_list("games_won", "points")) == [(2, 3), (0, 0)]
    assert due(match, minutes(20)) == []


def test_both_players_lose_if_both_are_absent(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast, seat=1)
    note(match, cast, seat=2, at=minutes(1))
    play.confirm_match_loss(match=match, by=cast.judge, now=minutes(11))
    match.refresh_from_db()
    assert match.kind == "double_loss"
    assert list(match.seats.values_list("points", flat=True)) == [0, 0]


def test_a_player_who_arrives_after_a_game_loss_can_still_win_the_match(cast: Cast) -> None:
    match = seated(cast)
    note(match, cast)
    play.confirm_game_loss(match=match, seat=1, by=cast.judge, now=minutes(6))
    play.note_filled(match=match, seat=1, by=cast.judge, now=minutes(7))
    with assert_refused("not_due"):
        play.confirm_match_loss(match=match, by=cast.judge, now=minutes(20))
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=minutes(40))
    match.refresh_from_db()
    assert match.seats.get(number=1).points == 3


def test_in_a_best_of_1_the_game_loss_is_the_match_loss(cast: Cast) -> None:
    match = seated(cast, best_of=1)
    note(match, cast)
    assert due(match, minutes(5)) == [(1, "match_loss")]
    play.confirm_match_loss(match=match, by=cast.judge, now=minutes(5))
    assert match.seats.get(number=2).points == 3


def test_unknown_seats_and_decided_matches_are_refused(cast: Cast) -> None:
    match = seated(cast)
    with assert_refused("seat_unknown"):
        note(match, cast, seat=3)
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 0, 0), now=NOW)
    with assert_refused("match_settled"):
        note(match, cast)
    Event.objects.update(status="cancelled")
    with assert_refused("round_state"):
        note(match, cast)


def test_staff_who_play_cannot_note_empty_seats_at_their_own_table(cast: Cast) -> None:
    match = seated(cast)
    player = users_of(match)[0]
    grant_role(event=match.round.stage.event, email=player.email, role="judge", by=cast.organizer, now=NOW)
    with assert_refused("own_match"):
        play.note_empty(match=match, seat=2, by=player, now=NOW)
