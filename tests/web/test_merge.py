"""Merging two half-logs of one game: the merged log is saved and audited, or the first difference is shown."""

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.audits.models import MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.events.services import grant_role
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


def kept(match: Match, document: dict[str, Any], by: User, number: int = 1) -> MoveLog:
    return submit_log(game=match.games.get(number=number), document=json.dumps(document).encode(), by=by, now=NOW)


def half(log: dict[str, Any], seat: str) -> dict[str, Any]:
    """Return the log as one seat saw it, with the cards drawn by others unknown."""

    def unseen(move: dict[str, Any]) -> dict[str, Any]:
        if move["by"] == seat or "chance" not in move:
            return move
        chance = [{"draw": ["?"] * len(item["draw"])} if "draw" in item else item for item in move["chance"]]
        return {**move, "chance": chance}

    return {**log, "moves": [unseen(move) for move in log["moves"]]}


def test_two_half_logs_are_merged_saved_and_audited(cast: Cast, match: Match) -> None:
    whole = first_game(match)
    one, two = kept(match, half(whole, "A"), cast.player), kept(match, half(whole, "B"), cast.opponent)
    judge = signed_in(cast.judge)
    page = address("log_merge", one.public_id, two.public_id)
    assert page in text(judge.get(address("judge_match", match.public_id)))
    assert "They record the same game." in text(judge.get(page))
    answer = judge.post(page)
    made = MoveLog.objects.exclude(pk__in=[one.pk, two.pk]).get()
    assert answer.url == address("audit", made.public_id)
    jobs.run_due(NOW + timedelta(days=400))
    made.refresh_from_db()
    assert made.audit.verdict == "confirmed"
    # "h" is the digest chain of the entries, which a merged log leaves out.
    assert json.loads(made.document)["moves"] == [
        {k: v for k, v in move.items() if k != "h"} for move in whole["moves"]
    ]


def test_the_first_difference_is_shown_with_both_versions(cast: Cast, match: Match) -> None:
    whole = first_game(match)
    n = next(move["n"] for move in whole["moves"] if move["do"] == "play")
    other = json.loads(json.dumps(whole))
    other["moves"][n - 1]["args"]["slot"] = 3 if whole["moves"][n - 1]["args"].get("slot") != 3 else 2
    one, two = kept(match, whole, cast.player), kept(match, other, cast.opponent)
    judge = signed_in(cast.judge)
    page = text(judge.get(address("log_merge", one.public_id, two.public_id)))
    assert f"They first differ at move {n}." in page
    assert f"moves[{n - 1}].args.slot" in page
    assert address("audit_step", two.public_id, n) in page
    told = judge.get(f"/api/v1/logs/{one.public_id}/merge/{two.public_id}/").json()
    assert (told["document"], told["n"], told["path"]) == (None, n, f"moves[{n - 1}].args.slot")
    refused = judge.post(address("log_merge", one.public_id, two.public_id))
    assert (refused.status_code, "logs_differ" in text(refused), MoveLog.objects.count()) == (409, True, 2)


def test_logs_of_different_games_are_not_compared(cast: Cast, match: Match) -> None:
    one, two = kept(match, first_game(match), cast.player), kept(match, first_game(match, 8), cast.player, number=2)
    for other in (one, two):
        assert signed_in(cast.judge).get(address("log_merge", one.public_id, other.public_id)).status_code == 422


def test_only_judges_who_do_not_play_can_compare_logs(cast: Cast, match: Match) -> None:
    one, two = kept(match, first_game(match), cast.player), kept(match, first_game(match, 8), cast.player)
    grant_role(event=match.round.stage.event, email=cast.opponent.email, role="judge", by=cast.organizer, now=NOW)
    page = address("log_merge", one.public_id, two.public_id)
    expected = (
        (cast.judge, 200),
        (cast.player, 404),
        (cast.opponent, 403),
        (cast.scorekeeper, 403),
        (cast.stranger, 404),
    )
    for user, status in expected:
        assert signed_in(user).get(page).status_code == status, user
