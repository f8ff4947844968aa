"""Every way to enter a result refuses one that leaves out a game lost by tardiness or a penalty."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.audits import disputes
from tournaments.audits.disputes import Wanted
from tournaments.events.models import Entrant
from tournaments.judging.penalties import give_penalty
from tournaments.play import services as play
from tournaments.play.models import Match, Report

pytestmark = pytest.mark.django_db
SAID = "A player has a game loss or a match loss here: the result has to include it."


def by_tardiness(match: Match, seat: int, cast: Cast) -> None:
    play.note_empty(match=match, seat=seat, by=cast.judge, now=NOW - timedelta(minutes=6))
    play.confirm_game_loss(match=match, seat=seat, by=cast.judge, now=NOW)


def by_penalty(match: Match, seat: int, cast: Cast) -> None:
    entrant = Entrant.objects.select_related("event").get(seats__match=match, seats__number=seat)
    give_penalty(entrant=entrant, infraction="misplay", level="game_loss", by=cast.judge, now=NOW)


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture(params=[by_tardiness, by_penalty])
def lost(request: Any, match: Match, cast: Cast) -> Match:
    """The match after the player of seat 1 lost its first game."""
    request.param(match, 1, cast)
    return match


Way = tuple[str, Callable[[Match], str], dict[str, Any]]
PAGES: list[Way] = [
    ("player", lambda match: address("report", match.public_id), {"games": "2-0-0"}),
    ("scorekeeper", lambda match: address("staff_result", match.public_id), {"score": "2-0-0"}),
    (
        "scorekeeper",
        lambda match: address("staff_result", match.public_id),
        {"first": 2, "second": 0, "drawn": 0, "kind": "played", "reason": ""},
    ),
    ("scorekeeper", lambda match: address("staff_slip", match.public_id), {"outcome": "7"}),
    (
        "judge",
        lambda match: address("rule", match.public_id),
        {"decision": "change", "first": 2, "second": 0, "drawn": 0, "kind": "played", "reason": "Seen."},
    ),
]
API: list[Way] = [
    ("player", lambda match: f"/api/v1/matches/{match.public_id}/report/", {"games": [2, 0, 0]}),
    ("scorekeeper", lambda match: f"/api/v1/matches/{match.public_id}/result/", {"games": [2, 0, 0]}),
    (
        "scorekeeper",
        lambda match: f"/api/v1/events/{match.round.stage.event.public_id}/rounds/1/slips/",
        {"table": 1, "games": [2, 0, 0]},
    ),
    ("judge", lambda match: f"/api/v1/matches/{match.public_id}/ruling/", {"games": [2, 0, 0], "reason": "Seen."}),
]


def client_of(cast: Cast, role: str) -> Client:
    return signed_in(getattr(cast, role))


@pytest.mark.parametrize(("role", "page", "sent"), PAGES, ids=["report", "button", "form", "slip", "ruling"])
def test_every_page_refuses_a_result_that_leaves_out_the_lost_game(
    cast: Cast, lost: Match, role: str, page: Any, sent: Any
) -> None:
    answer = client_of(cast, role).post(page(lost), sent)
    assert answer.status_code == 422 and SAID in text(answer)
    assert not Match.objects.get(pk=lost.pk).has_result and not Report.objects.exists()


@pytest.mark.parametrize(("role", "route", "sent"), API, ids=["report", "result", "slip", "ruling"])
def test_every_api_route_refuses_a_result_that_leaves_out_the_lost_game(
    cast: Cast, lost: Match, role: str, route: Any, sent: Any
) -> None:
    answer = client_of(cast, role).post(route(lost), sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "loss_not_counted")
    assert not Match.objects.get(pk=lost.pk).has_result


def test_a_correction_that_leaves_out_the_lost_game_is_refused(cast: Cast, lost: Match) -> None:
    play.enter_result(match=lost, by=cast.scorekeeper, games=(1, 2, 0), now=NOW)
    with assert_refused("loss_not_counted"):
        play.enter_result(match=lost, by=cast.scorekeeper, games=(2, 0, 0), reason="misread", now=NOW)
    play.enter_result(match=lost, by=cast.scorekeeper, games=(2, 1, 0), reason="misread", now=NOW)


@pytest.mark.parametrize("lose", [by_tardiness, by_penalty])
def test_a_waiting_report_can_no_longer_be_confirmed_after_a_loss(
    cast: Cast, match: Match, lose: Callable[..., None]
) -> None:
    report = play.report_result(match=match, by=cast.player, games=(2, 0, 0), now=NOW)
    lose(match, 1, cast)
    lose(match, 2, cast)
    with assert_refused("report_changed"):
        play.confirm_result(match=match, report=report, by=cast.opponent, now=NOW)


def test_a_ruling_cannot_keep_a_contested_report_that_leaves_out_the_lost_game(cast: Cast, match: Match) -> None:
    report = play.report_result(match=match, by=cast.player, games=(2, 0, 0), now=NOW)
    play.contest_result(match=match, report=report, by=cast.opponent, now=NOW)
    by_penalty(match, 1, cast)
    by_penalty(match, 2, cast)
    with assert_refused("loss_not_counted"):
        disputes.rule(match=match, by=cast.judge, wanted=Wanted("keep", "So."), now=NOW)
