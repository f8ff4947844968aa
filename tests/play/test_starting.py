"""Who starts a match after a cut: the higher seed chooses."""

import pytest

from tests.api.scenes import token_client
from tests.builders import NOW, a_bracket, a_published_round, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Stage
from tournaments.paper.sheets import sheets_of
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.play.selectors import chooser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    event = a_bracket(cast, seed_chooses=True)
    return match_of(a_published_round(event, cast.organizer), cast.player)


def by_seed(match: Match) -> tuple[User, User]:
    """The accounts at a match, the higher seed first."""
    chooser = chooser_of(match)
    users = users_of(match)
    return (users[0], users[1]) if chooser.number == 1 else (users[1], users[0])


def test_the_higher_seed_chooses_who_starts(match: Match) -> None:
    seeds = dict(match.round.stage.entries.values_list("entrant", "seed"))
    chooser = chooser_of(match)
    assert seeds[chooser.entrant_id] == min(seeds[seat.entrant_id] for seat in match.seats.all())


def test_the_choice_can_be_changed_until_a_result_counts(match: Match, cast: Cast) -> None:
    higher, _lower = by_seed(match)
    for seat in (2, 2, 1):
        assert play.choose_start(match=match, seat=seat, by=higher, now=NOW).starts == seat
    assert LedgerEntry.objects.filter(code="match.start_chosen").count() == 2
    play.enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
    with assert_refused("round_state"):
        play.choose_start(match=match, seat=2, by=higher, now=NOW)


def test_the_desk_can_choose_but_not_the_lower_seed_or_a_stranger(match: Match, cast: Cast) -> None:
    with assert_refused("not_your_choice"):
        play.choose_start(match=match, seat=1, by=by_seed(match)[1], now=NOW)
    with assert_refused("not_your_table"):
        play.choose_start(match=match, seat=1, by=cast.stranger, now=NOW)
    with assert_refused("seat_unknown"):
        play.choose_start(match=match, seat=3, by=cast.organizer, now=NOW)
    assert play.choose_start(match=match, seat=1, by=cast.scorekeeper, now=NOW).starts == 1


def test_nobody_chooses_in_the_first_stage_or_without_the_stage_setting(match: Match, cast: Cast) -> None:
    swiss = Match.objects.filter(round__stage__number=1).first()
    with assert_refused("no_choice"):
        play.choose_start(match=swiss, seat=1, by=cast.organizer, now=NOW)
    Stage.objects.update(seed_chooses=False)
    match.round.stage.refresh_from_db()
    assert chooser_of(match) is None


def test_the_choice_is_shown_to_both_players_and_on_the_slip(match: Match, cast: Cast) -> None:
    higher, lower = by_seed(match)
    event = match.round.stage.event
    pages = [text(signed_in(user).get(address("me", event.public_id))) for user in (higher, lower)]
    assert ["choose who starts" in page for page in pages] == [True, False]
    assert "chooses who starts" in pages[1]
    answer = signed_in(higher).post(address("choose_start", match.public_id), {"seat": "2"})
    assert answer.status_code == 302
    starter = match.seats.get(number=2).entrant.name
    assert all(
        f"{starter} starts." in text(signed_in(user).get(address("me", event.public_id))) for user in (higher, lower)
    )
    assert (
        token_client(cast.scorekeeper, "organize")
        .post(f"/api/v1/matches/{match.public_id}/start/", {"seat": 2}, format="json")
        .json()["starts"]
        == 2
    )
    (sheet,) = sheets_of(event, match.round, "slips")
    assert f"{starter} starts." in {slip.starts for slip in sheet.slips}


def test_unpublishing_the_round_clears_the_choice(match: Match, cast: Cast) -> None:
    play.choose_start(match=match, seat=2, by=cast.organizer, now=NOW)
    play.unpublish_round(round_=match.round, by=cast.organizer, now=NOW)
    match.refresh_from_db()
    assert match.starts is None


def test_strangers_get_404_and_the_lower_seed_403(match: Match, cast: Cast) -> None:
    page = address("choose_start", match.public_id)
    assert signed_in(cast.stranger).post(page, {"seat": "1"}).status_code == 404
    assert signed_in(by_seed(match)[1]).post(page, {"seat": "1"}).status_code == 403
