"""Two people act at once on a call, penalty, deck check or board: it takes effect once, the other gets an answer."""

from collections.abc import Callable

import pytest

from tests.audits.test_positions import a_start
from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.common.test_photos import photo
from tests.play.test_races import at_once
from tournaments.accounts.models import User
from tournaments.audits import positions
from tournaments.audits.models import Position, Signature
from tournaments.common import ledger
from tournaments.common.models import LedgerEntry
from tournaments.events.services import grant_role
from tournaments.judging.access import call_for_judge
from tournaments.judging.checks import check_table, finish_check
from tournaments.judging.models import Call, DeckCheck
from tournaments.judging.penalties import give_penalty
from tournaments.judging.services import call_judge, claim_call
from tournaments.play import services as play
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def test_if_both_players_call_at_once_there_is_one_call(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    told = at_once(
        lambda: call_judge(match=match, by=first, now=NOW), lambda: call_judge(match=match, by=second, now=NOW)
    )
    assert told == ["done", "done"] and Call.objects.count() == 1


def test_if_two_judges_take_a_call_at_once_one_wins(cast: Cast, match: Match) -> None:
    event = match.round.stage.event
    grant_role(event=event, email=cast.stranger.email, role="judge", by=cast.organizer, now=NOW)
    call = call_judge(match=match, by=cast.player, now=NOW)
    one, two = (call_for_judge(user, call.public_id) for user in (cast.judge, cast.stranger))
    told = at_once(
        lambda: claim_call(call=one, by=cast.judge, now=NOW), lambda: claim_call(call=two, by=cast.stranger, now=NOW)
    )
    assert told == ["call_claimed", "done"]


def test_a_penalty_and_a_confirmation_at_once_leave_the_match_lost(cast: Cast, match: Match) -> None:
    loser, winner = (seat.entrant for seat in match.seats.select_related("entrant__event").order_by("number"))
    first, second = users_of(match)
    report = play.report_result(match=match, by=first, games=[2, 0, 0], now=NOW)
    told = at_once(
        lambda: play.confirm_result(match=match, report=report, by=second, now=NOW),
        lambda: give_penalty(entrant=loser, infraction="insult", level="match_loss", by=cast.judge, now=NOW),
    )
    assert told in (["done", "done"], ["done", "report_changed"])
    match.refresh_from_db()
    assert match.kind == Match.Kind.PENALTY_LOSS and match.seats.get(entrant=winner).points == 3
    assert not list(ledger.faults(match.round.stage.event.public_id))


def test_if_two_judges_give_the_same_penalty_at_once_one_is_asked_first(cast: Cast, match: Match) -> None:
    event = match.round.stage.event
    grant_role(event=event, email=cast.stranger.email, role="judge", by=cast.organizer, now=NOW)
    entrant = match.seats.select_related("entrant__event").order_by("number")[0].entrant

    def give(by: User) -> None:
        give_penalty(entrant=entrant, infraction="slow_play", by=by, now=NOW, again=False)

    told = at_once(lambda: give(cast.judge), lambda: give(cast.stranger))
    assert told == ["done", "penalty_twice"] and entrant.penalties.count() == 1


def test_two_counts_of_a_deck_at_once_extend_the_time_once(cast: Cast, match: Match) -> None:
    check = check_table(match=match, by=cast.judge, now=NOW)[0]

    def count() -> None:
        fresh = DeckCheck.objects.get(pk=check.pk)
        finish_check(check=fresh, counted={}, minutes=5, by=cast.judge, now=NOW)

    assert at_once(count, count) == ["check_done", "done"]
    assert match.extensions.count() == 1


@pytest.fixture
def board(cast: Cast, match: Match) -> Position:
    return positions.keep_position(match=match, start=a_start(), by=cast.judge, now=NOW)


def signing(board: Position, seat: int, by: User, *, agrees: bool = True) -> Callable[[], object]:
    """A function that signs the board for a seat, as it was shown when this was called."""
    shown, where = board.digest, board.match.seats.get(number=seat)

    def sign() -> None:
        fresh = Position.objects.get(pk=board.pk)
        positions.sign_position(position=fresh, seat=where, agrees=agrees, digest=shown, by=by, now=NOW)

    return sign


def signed(match: Match) -> list[tuple[str, bool, str]]:
    """The signatures (digest, agrees, seat), after checking that rows and ledger agree."""
    rows = sorted(
        (one.digest, one.agrees, str(one.seat.number)) for one in Signature.objects.select_related("seat").all()
    )
    entries = LedgerEntry.objects.filter(code="position.signed").values_list("after", flat=True)
    assert rows == sorted((each["digest"], each["agrees"], str(each["seat"])) for each in entries)
    assert not list(ledger.faults(match.round.stage.event.public_id))
    return rows


def test_if_both_players_sign_at_once_both_signatures_count(match: Match, board: Position) -> None:
    first, second = users_of(match)
    assert at_once(signing(board, 1, first), signing(board, 2, second)) == ["done", "done"]
    assert signed(match) == [(board.digest, True, "1"), (board.digest, True, "2")]


def test_one_seat_signed_twice_at_once_has_one_signature(cast: Cast, match: Match, board: Position) -> None:
    first, _second = users_of(match)
    assert at_once(signing(board, 1, first), signing(board, 1, cast.judge)) == ["done", "done"]
    assert signed(match) == [(board.digest, True, "1")]


def test_of_a_yes_and_a_no_for_one_seat_at_once_the_first_counts(cast: Cast, match: Match, board: Position) -> None:
    first, _second = users_of(match)
    told = at_once(signing(board, 1, first), signing(board, 1, cast.judge, agrees=False))
    assert told == ["already_signed", "done"]
    assert len(signed(match)) == 1


def test_a_photo_added_while_players_sign_never_gets_their_signatures(
    cast: Cast, match: Match, board: Position
) -> None:
    first, second = users_of(match)
    before, picture = board.digest, photo()

    def change() -> None:
        fresh = Position.objects.get(pk=board.pk)
        positions.add_photo(position=fresh, sent=picture, by=cast.judge, now=NOW)

    told = at_once(change, signing(board, 1, first), signing(board, 2, second))
    board.refresh_from_db()
    if board.digest == before:  # signed first: the board stays
        assert told == ["done", "done", "position_signed"] and not board.photos.exists()
        assert signed(match) == [(before, True, "1"), (before, True, "2")]
    else:
        assert told == ["done", "position_moved", "position_moved"] and board.photos.count() == 1
        assert signed(match) == []
    assert [one.digest for one in positions.signatures_of(board)] == [one[0] for one in signed(match)]


def test_a_corrected_board_saved_during_signing_inherits_no_signature(
    cast: Cast, match: Match, board: Position
) -> None:
    first, _second = users_of(match)

    def correct() -> None:
        positions.keep_position(match=match, start=a_start(pv=3), by=cast.judge, now=NOW)

    assert at_once(correct, signing(board, 1, first)) == ["done", "done"]
    corrected = match.positions.exclude(pk=board.pk).get()
    assert not positions.signatures_of(corrected)
    assert signed(match) == [(board.digest, True, "1")]
