"""Merging two half-logs of one game: the merged log is saved and audited, or the first difference is shown."""

import json
from datetime import timedelta
from itertools import combinations
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import localtime

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
    assert "The board appears here once the log is audited." in page
    jobs.run_due(NOW + timedelta(days=400))
    page = text(judge.get(address("log_merge", one.public_id, two.public_id)))
    assert page.count('<div class="board') == 2, "both boards, side by side"
    for log in (one, two):
        assert address("audit_step", log.public_id, n) in page
    told = judge.get(f"/api/v1/logs/{one.public_id}/merge/{two.public_id}/").json()
    assert (told["document"], told["kind"], told["n"], told["n_two"]) == (None, "move", n, n)
    assert told["path"] == f"moves[{n - 1}].args.slot"
    assert told["said_one"] != told["said_two"]
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


def renamed(log: dict[str, Any], *names: str) -> dict[str, Any]:
    seats = zip(log["seats"].items(), names, strict=True)
    return {**log, "seats": {seat: {**value, "player": name} for (seat, value), name in seats}}


def turned_at(log: dict[str, Any], n: int) -> dict[str, Any]:
    """The log with another seat making move `n`."""
    moves = [dict(move) for move in log["moves"]]
    moves[n - 1]["by"] = "B" if moves[n - 1]["by"] == "A" else "A"
    return {**log, "moves": moves}


def test_logs_with_other_names_are_compared_by_their_moves_in_the_language_of_the_reader(
    cast: Cast, match: Match
) -> None:
    whole = first_game(match)
    one = kept(match, whole, cast.player)
    two = kept(match, renamed(turned_at(whole, 41), "Ana", "Bob"), cast.opponent)
    jobs.run_due(NOW + timedelta(days=400))
    judge = signed_in(cast.judge)
    page = text(judge.get(address("log_merge", one.public_id, two.public_id)))
    assert "They first differ at move 41." in page
    by = whole["moves"][40]["by"]
    players = {letter: seat.entrant.name for letter, seat in zip("AB", match.seats.order_by("number"), strict=True)}
    for seat in ("A", "B"):
        assert f"<strong>{players[seat]}</strong>" in page, (by, seat)
    technical = page.index("moves[40].by")
    assert page.index("<details") < technical, "the path is only told among the technical details"
    french = text(judge.get(address("log_merge", one.public_id, two.public_id), headers={"accept-language": "fr"}))
    assert "Les parties diffèrent à partir de l’action 41." in french or "41" in french


def test_every_pair_of_logs_can_be_compared_and_is_told_apart(cast: Cast, match: Match) -> None:
    whole = first_game(match)
    logs = [kept(match, turned_at(whole, n), cast.player) for n in (41, 30)]
    logs += [kept(match, whole, cast.opponent), kept(match, turned_at(whole, 41), cast.opponent)]
    page = text(signed_in(cast.judge).get(address("judge_match", match.public_id)))
    labels = []
    for one, two in combinations(logs, 2):
        link = f'<a href="{address("log_merge", one.public_id, two.public_id)}">'
        assert page.count(link) == 1
        labels.append(page.partition(link)[2].partition("</a>")[0])
    assert len(set(labels)) == 6
    at = date_format(localtime(NOW, ZoneInfo(match.round.stage.event.time_zone or settings.TIME_ZONE)), "H:i")
    assert all(at in label for label in labels)


def test_the_same_game_under_other_names_is_merged_under_the_names_of_its_players(cast: Cast, match: Match) -> None:
    whole = first_game(match)
    one = kept(match, renamed(whole, "Ana", "Bob"), cast.player)
    two = kept(match, whole, cast.opponent)
    judge = signed_in(cast.judge)
    judge.post(address("log_merge", one.public_id, two.public_id))
    made = MoveLog.objects.exclude(pk__in=[one.pk, two.pk]).get()
    assert json.loads(made.document)["seats"] == whole["seats"]


UNREADABLE = (
    {"do": "no_such_verb"},
    {"args": {"card": {"a": [1, None]}, "slot": "x"}},
    {"do": "play", "args": {"territory": {}, "slot": [[]], "card": 7}},
    {"do": "event"},  # has words of its own, but is no verb
    {"do": "ruling", "by": "judge", "reason": "r", "events": [{"set": 3}]},
)


@pytest.mark.parametrize("odd", UNREADABLE)
@pytest.mark.slow
def test_a_move_that_makes_no_sense_is_compared_all_the_same(cast: Cast, match: Match, odd: dict[str, Any]) -> None:
    whole = first_game(match)
    other = {**whole, "moves": [*whole["moves"][:19], {"n": 20, "by": "A", "do": "play", **odd}]}
    one, two = kept(match, whole, cast.player), kept(match, other, cast.opponent)
    judge = signed_in(cast.judge)
    page = address("log_merge", one.public_id, two.public_id)
    assert "They first differ at move 20." in text(judge.get(page))
    jobs.run_due(NOW + timedelta(days=400))
    assert "They first differ at move 20." in text(judge.get(page))
    assert judge.get(f"/api/v1/logs/{one.public_id}/merge/{two.public_id}/").json()["n"] == 20


def test_a_log_that_was_cut_off_says_that_it_ends_earlier(cast: Cast, match: Match) -> None:
    whole = first_game(match)
    one, two = kept(match, whole, cast.player), kept(match, {**whole, "moves": whole["moves"][:25]}, cast.opponent)
    jobs.run_due(NOW + timedelta(days=400))
    page = text(signed_in(cast.judge).get(address("log_merge", one.public_id, two.public_id)))
    assert "They are the same until one of them ends: only the other has move 26." in page
    assert "This log ends earlier." in page and page.count('<div class="board') == 2
