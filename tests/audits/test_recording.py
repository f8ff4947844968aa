"""The match recorder: only legal moves are stored, each once; undo needs agreement; and the log is confirmed."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404

import engine
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.play.test_races import at_once
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.audits import recording
from tournaments.audits.access import game_to_record, recorder_for
from tournaments.audits.models import Audit, RecordedEntry, Recording
from tournaments.common import jobs
from tournaments.events.services import grant_role
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db
FIRST = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
KEEP = {"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 5}]}


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def opened(cast: Cast, match: Match) -> Recording:
    return recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)


def enter(opened: Recording, by: User, entry: dict[str, Any], n: int, key: str = "") -> RecordedEntry:
    recorder = recorder_for(by, opened.public_id)
    return recording.record_move(recorder=recorder, by=by, entry=entry, n=n, key=key or f"key-{n}", now=NOW)


def undo(opened: Recording, by: User, n: int) -> None:
    recorder = recorder_for(by, opened.public_id)
    recording.ask_undo(recorder=recorder, by=by, n=n, key=f"undo-{by.pk}-{n}", now=NOW)


@pytest.mark.parametrize("hidden", [(), ("A", "B")], ids=["cards known", "cards unknown"])
@pytest.mark.parametrize("who", ["judge", "one player", "both players"])
def test_a_judge_one_player_or_both_can_record_a_game_to_its_end(
    cast: Cast, match: Match, who: str, hidden: tuple[str, ...]
) -> None:
    first, second = users_of(match)
    opener = cast.judge if who == "judge" else first
    opened = recording.open_recording(game=match.games.get(number=1), by=opener, now=NOW)
    if who == "one player":
        recording.share_seat(recorder=recorder_for(second, opened.public_id), by=second, now=NOW)
    hands = {"judge": (cast.judge, cast.judge), "one player": (first, first), "both players": (first, second)}[who]
    decks = {seat: Decklist.from_json(said["deck"]) for seat, said in opened.header["seats"].items()}
    played = selfplay.play("star-safir", 7, decks=decks, hidden=hidden)
    moves = [*played["moves"][:20], {"by": "B", "do": "concede"}]
    drawn = [said for move in moves for item in move.get("chance", ()) for said in item.values()]
    assert any("?" in said for said in drawn) == bool(hidden)
    for n, move in enumerate(moves, 1):
        entry = {key: value for key, value in move.items() if key not in ("n", "h")}
        enter(opened, hands[entry["by"] == "B"], entry, n)
    log = recording.hand_in(recorder=recorder_for(opener, opened.public_id), by=opener, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    assert Audit.objects.get(log=log).verdict == "confirmed"


def test_every_entry_extends_the_hash_chain_and_a_changed_entry_breaks_it(cast: Cast, match: Match) -> None:
    opened = recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)
    links = []
    for n, move in enumerate(first_game(match)["moves"][:12], 1):
        entry = {key: value for key, value in move.items() if key not in ("n", "h")}
        links.append(enter(opened, cast.judge, entry, n).entry["h"])
        assert recording.live_game(opened).digest == links[-1]
    assert len(set(links)) == len(links)
    log = recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=NOW)
    document = json.loads(log.document)
    assert [move["h"] for move in document["moves"]] == links
    assert engine.audit(document).verdict == "unfinished"
    document["moves"][4]["x"] = "changed"
    assert engine.audit(document).as_json()["error"]["n"] == 5


def test_counters_noted_at_the_end_of_a_turn_are_in_the_log_and_audited(cast: Cast, match: Match) -> None:
    opened = recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)
    for n, move in enumerate(first_game(match)["moves"], 1):
        entry = {key: value for key, value in move.items() if key not in ("n", "h", "claims")}
        if entry["do"] == "end_turn":
            enter(opened, cast.judge, {**entry, "claims": {f"{entry['by']}.pv": 99}}, n)
            break
        enter(opened, cast.judge, entry, n)
    log = recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    found = Audit.objects.get(log=log).report["claims"]
    assert [(claim["n"], claim["claimed"]) for claim in found] == [(n, 99)]


def test_a_whole_game_recorded_by_a_judge_is_confirmed_and_counts_as_evidence(cast: Cast, match: Match) -> None:
    played = first_game(match)
    opened = recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)
    for n, move in enumerate(played["moves"], 1):
        entry = {key: value for key, value in move.items() if key not in ("n", "h")}
        kept = enter(opened, cast.judge, entry, n)
    log = recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=NOW)
    jobs.run_due(NOW + timedelta(seconds=1))
    document = json.loads(log.document)
    assert Audit.objects.get(log=log).verdict == "confirmed"
    assert document["claimed"]["winner"] == played["claimed"]["winner"]
    assert (document["moves"][-1]["h"], document["recorded_by"]["who"]) == (kept.entry["h"], "judge")
    assert match.games.get(number=1).evidence == "replayed"
    assert recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=NOW) == log
    with assert_refused("recording_closed"):
        enter(opened, cast.judge, KEEP, len(played["moves"]) + 1)


def test_a_move_sent_again_is_stored_once_with_the_same_answer(cast: Cast, opened: Recording) -> None:
    first = enter(opened, cast.judge, FIRST, 1, "same")
    enter(opened, cast.judge, KEEP, 2)
    assert enter(opened, cast.judge, FIRST, 1, "same") == first
    assert opened.entries.count() == 2


def test_a_second_move_with_the_same_number_is_refused_with_the_next_number(cast: Cast, opened: Recording) -> None:
    enter(opened, cast.judge, FIRST, 1)
    with assert_refused("sequence_moved") as caught:
        enter(opened, cast.judge, FIRST, 1, "another")
    assert caught.value.details == [{"n": 2}]


def test_an_illegal_move_is_not_stored_and_all_reasons_are_given(cast: Cast, opened: Recording) -> None:
    enter(opened, cast.judge, FIRST, 1)
    with assert_refused("move_refused") as caught:
        enter(opened, cast.judge, {**KEEP, "chance": [{"draw": ["?"]}]}, 2)
    assert [reason["rule"] for reason in caught.value.details] == ["SAF-V-1"]
    with assert_refused("move_refused") as caught:
        enter(opened, cast.judge, {"by": "A", "do": "juggle"}, 2)
    assert caught.value.details[0]["message"]
    with assert_refused("entry_unreadable"):
        enter(opened, cast.judge, {"by": "judge", "do": "ruling", "reason": "\x00", "events": []}, 2)
    assert opened.entries.count() == 1


def test_a_player_enters_moves_for_the_other_seat_only_once_it_is_shared(
    cast: Cast, match: Match, opened: Recording
) -> None:
    first, second = users_of(match)
    enter(opened, second, FIRST, 1)
    with assert_refused("not_your_seat"):
        enter(opened, second, KEEP, 2)
    with assert_refused("not_your_seat"):
        enter(opened, second, {"by": "judge", "do": "time"}, 2)
    recording.share_seat(recorder=recorder_for(first, opened.public_id), by=first, now=NOW)
    enter(opened, second, KEEP, 2)
    assert opened.entries.count() == 2


def test_a_move_is_undone_once_the_other_player_agrees_and_nothing_is_deleted(
    cast: Cast, match: Match, opened: Recording
) -> None:
    first, second = users_of(match)
    enter(opened, first, FIRST, 1)
    enter(opened, first, KEEP, 2)
    undo(opened, first, 3)
    undo(opened, first, 3)
    assert opened.entries.count() == 2
    undo(opened, second, 3)
    assert opened.entries.get(n=3).entry["args"] == {"n": 1}
    with assert_refused("not_your_seat"):
        enter(opened, first, {"by": "table", "do": "back_to", "args": {"n": 0}}, 4)
    enter(opened, first, KEEP, 4)
    undo(opened, cast.judge, 5)
    undo(opened, cast.judge, 6)
    assert [entry.entry["args"]["n"] for entry in opened.entries.filter(n__gt=4)] == [1, 0]


def test_the_next_move_cancels_a_waiting_undo_request(match: Match, opened: Recording) -> None:
    first, _second = users_of(match)
    enter(opened, first, FIRST, 1)
    undo(opened, first, 2)
    enter(opened, first, KEEP, 2)
    opened.refresh_from_db()
    assert opened.undo_asked_by is None


def test_a_game_has_one_open_recording(cast: Cast, match: Match, opened: Recording) -> None:
    game = match.games.get(number=1)
    assert recording.open_recording(game=game, by=cast.player, now=NOW) == opened


def test_an_empty_recording_cannot_be_handed_in(cast: Cast, opened: Recording) -> None:
    with assert_refused("nothing_recorded"):
        recording.hand_in(recorder=recorder_for(cast.judge, opened.public_id), by=cast.judge, now=NOW)


def test_only_players_and_judges_can_record(cast: Cast, match: Match, opened: Recording) -> None:
    first, second = users_of(match)
    assert recorder_for(first, opened.public_id).actors == ("A", "table")
    assert recorder_for(second, opened.public_id).actors == ("B", "table")
    assert recorder_for(cast.judge, opened.public_id).actors == ("A", "B", "table", "judge")
    with pytest.raises(Http404):
        recorder_for(cast.stranger, opened.public_id)
    with assert_refused("role_too_low"):
        recorder_for(cast.scorekeeper, opened.public_id)


def test_a_judge_who_plays_cannot_record_other_matches(cast: Cast) -> None:
    round_ = a_published_round(a_running_event(cast), cast.organizer)
    grant_role(event=round_.stage.event, email=cast.player.email, role="judge", by=cast.organizer, now=NOW)
    other = round_.matches.exclude(pk=match_of(round_, cast.player).pk).get()
    with assert_refused("staff_who_play"):
        game_to_record(cast.player, other.public_id, 1)


@pytest.mark.django_db(transaction=True)
def test_if_two_players_enter_a_move_at_once_one_wins_and_a_resent_move_counts_once(cast: Cast) -> None:
    match = match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)
    opened = recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)
    first, second = users_of(match)
    other = {**FIRST, "chance": [{"first_player": "B"}]}
    told = at_once(
        lambda: enter(opened, first, FIRST, 1, "one"),
        lambda: enter(opened, first, FIRST, 1, "one"),
        lambda: enter(opened, second, other, 1, "two"),
    )
    assert told in (["done", "done", "sequence_moved"], ["done", "sequence_moved", "sequence_moved"])
    assert opened.entries.count() == 1
