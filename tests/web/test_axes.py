"""The two axes of a result, authority and evidence: who gave it, since when, and on which pages both are shown."""

import json
from datetime import timedelta

import pytest

import engine
from engine.face.audits import rulesets
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.audits import disputes
from tournaments.audits.axes import axes_of
from tournaments.audits.disputes import Wanted
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.web.words.decks import RULESETS

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def round_(cast: Cast) -> Round:
    return a_published_round(a_running_event(cast), cast.organizer)


@pytest.fixture
def match(cast: Cast, round_: Round) -> Match:
    return match_of(round_, cast.player)


def axes(match: Match) -> tuple[object, ...]:
    """Return (authority, by whom, since when, evidence, since when) of a match."""
    match.refresh_from_db()
    found = axes_of([match])[match.pk]
    return found.authority, found.by, found.authority_at, found.evidence, found.evidence_at


def test_the_axes_say_who_gave_the_result_and_when(cast: Cast, match: Match) -> None:
    first, second = users_of(match)
    assert axes(match) == ("", "", None, "", None)
    report = play.report_result(match=match, by=first, games=(1, 0, 0), now=NOW)
    assert axes(match)[:3] == ("claimed", "player", NOW)
    play.confirm_result(match=match, report=report, by=second, now=LATER)
    assert axes(match)[:3] == ("agreed", "players", LATER)
    play.enter_result(match=match, by=cast.scorekeeper, games=(0, 1, 0), reason="Slip.", now=LATER)
    assert axes(match)[:3] == ("witnessed", "desk", LATER)
    disputes.rule(match=match, by=cast.judge, wanted=Wanted("change", "Seen.", (1, 0, 0)), now=LATER)
    assert axes(match)[:3] == ("ruled", "judge", LATER)
    submit_log(game=match.games.get(number=1), document=json.dumps(first_game(match)).encode(), by=first, now=NOW)
    jobs.run_due(LATER)
    assert axes(match)[3] == "replayed"
    assert axes(match)[4] is not None


def test_the_axes_are_shown_wherever_a_result_is(cast: Cast, round_: Round, match: Match) -> None:
    play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=LATER)
    event = round_.stage.event.public_id
    shown = f'<time class="num" datetime="{LATER.isoformat()}">'
    for user, page in (
        (cast.stranger, address("pairings", event, 1)),
        (cast.stranger, address("match", match.public_id)),
        (cast.player, address("me", event)),
        (cast.judge, address("judge_match", match.public_id)),
    ):
        told = text(signed_in(user).get(page))
        assert "Final" in told and "by the desk, " in told and shown in told, page
    desk = text(signed_in(cast.scorekeeper).get(address("staff_round", event, 1)))
    assert f'title="Final, entered by the desk, {LATER:%H:%M}"' in desk, "the title of a mark"
    told = signed_in(cast.stranger).get(f"/api/v1/matches/{match.public_id}/").json()["axes"]
    assert (told["authority"], told["by"], told["evidence"]) == ("witnessed", "desk", "")


def test_the_axes_of_a_whole_list_take_no_query_per_match(cast: Cast) -> None:
    # One result stays out: once all are in, the desk also looks up whether another round can follow.
    round_ = a_published_round(a_running_event(cast, players=6), cast.organizer)
    event = round_.stage.event.public_id
    pages = [(cast.stranger, address("pairings", event, 1)), (cast.scorekeeper, address("staff_round", event, 1))]
    tables = list(round_.matches.all())
    play.enter_result(match=tables[0], by=cast.organizer, games=(2, 1, 0), now=NOW)
    one = [queries_of(signed_in(user), page) for user, page in pages]
    play.enter_result(match=tables[1], by=cast.organizer, games=(2, 1, 0), now=NOW)
    two = [queries_of(signed_in(user), page) for user, page in pages]
    assert all(second <= first for first, second in zip(one, two, strict=True))


def test_every_ruleset_has_a_name_that_people_read() -> None:
    assert {ruleset for game in engine.games() for ruleset in rulesets(game)} == set(RULESETS)
