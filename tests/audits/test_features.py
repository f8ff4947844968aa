"""Feature matches: what the public sees of a recorded game and when, and that it never sees a hidden card."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import engine
from engine import face
from engine.core.replay import selfplay
from engine.core.shown import views
from tests.builders import NOW, a_published_round, a_running_event, first_game, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.accounts.models import Person
from tournaments.accounts.services import own_person, stay_off_stream
from tournaments.audits import features, recording
from tournaments.audits.access import feature_for_viewer, recorder_for
from tournaments.audits.models import Feature, Recording
from tournaments.audits.watching import (
    Received,
    feature_of,
    features_shown,
    public_line,
    shown_counts,
    watched,
)
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility
from tournaments.play.models import Match

LAG = timedelta(minutes=5)


def move(n: int, minutes: float) -> Received:
    return Received(n, {"n": n, "by": "A", "do": "play"}, NOW + timedelta(minutes=minutes))


def back(n: int, to: int, minutes: float) -> Received:
    return Received(n, {"n": n, "by": "table", "do": "back_to", "args": {"n": to}}, NOW + timedelta(minutes=minutes))


def line_at(received: list[Received], minutes: float) -> list[int]:
    """What is shown `minutes` after NOW, from what the server has received by then."""
    now = NOW + timedelta(minutes=minutes)
    return public_line([one for one in received if one.at <= now], LAG, now)


def test_a_move_is_shown_when_its_delay_is_over_and_not_before() -> None:
    moves = [move(1, 0), move(2, 1), move(3, 4)]
    assert [line_at(moves, minutes) for minutes in (4.99, 5, 6, 9)] == [[], [1], [1, 2], [1, 2, 3]]


def test_a_move_undone_before_it_was_shown_never_appears() -> None:
    moves = [move(1, 0), move(2, 1), back(3, 1, 2), move(4, 3)]
    assert [line_at(moves, minutes) for minutes in (6, 7, 8)] == [[1], [1], [1, 4]]


def test_a_move_undone_after_it_was_shown_stays_and_the_undo_follows() -> None:
    moves = [move(1, 0), move(2, 1), back(3, 1, 7), move(4, 8)]
    assert [line_at(moves, minutes) for minutes in (6, 8, 12, 13)] == [[1, 2], [1, 2], [1, 2, 3], [1, 2, 3, 4]]


def test_each_of_two_undone_moves_is_shown_if_its_undo_came_late_enough() -> None:
    moves = [move(1, 0), move(2, 5), back(3, 1, 6), back(4, 0, 7)]
    assert [line_at(moves, minutes) for minutes in (6, 11, 12)] == [[1], [1], [1, 4]]


@st.composite
def recordings(draw: st.DrawFn) -> list[Received]:
    """Moves and undos, each some time after the one before."""
    received: list[Received] = []
    held: list[int] = []
    minutes = 0.0
    for n in range(1, draw(st.integers(1, 12)) + 1):
        minutes += draw(st.sampled_from((0, 0.5, 2, 4, 7)))
        if held and draw(st.integers(0, 2)) == 0:
            received.append(back(n, held[-2] if len(held) > 1 else 0, minutes))
            held.pop()
        else:
            received.append(move(n, minutes))
            held.append(n)
    return received


@given(recordings())
@examples(max_examples=200)
def test_no_entry_is_shown_early_and_no_shown_entry_ever_disappears(received: list[Received]) -> None:
    before: list[int] = []
    for half_minutes in range(200):
        now = NOW + timedelta(minutes=half_minutes / 2)
        shown = line_at(received, half_minutes / 2)
        assert all(received[n - 1].at + LAG <= now for n in shown)
        assert shown[: len(before)] == before, "what the public has seen stays as it was"
        before = shown


def refs_in(value: Any) -> Iterator[str]:
    """The refs of the cards on a board."""
    if isinstance(value, dict):
        if "ref" in value:
            yield value["ref"]
        for item in value.values():
            yield from refs_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from refs_in(item)


@pytest.mark.parametrize("game", engine.games())
def test_the_public_never_sees_a_hidden_card(game: str) -> None:
    """In whole games recorded in full, no board and no move names a card that is only in a hand."""
    log = selfplay.play(game, 5, hidden=())
    header = {key: value for key, value in log.items() if key not in ("moves", "claimed")}
    moments = face.live.spectated(header, log["moves"], range(len(log["moves"]) + 1), ())
    assert len(moments) == len(log["moves"]) + 1
    replay = engine.Replay(json.dumps(log), keep=False)
    before: set[str] = set()
    hidden_once = False
    for moment in moments:
        if moment.move is not None:
            replay.step()
        shown = set(refs_in(views.board(replay.state, replay.catalog)))
        held = set(refs_in(views.board(replay.state, replay.catalog, views.JUDGE))) - shown - before
        told = json.dumps([moment.move, moment.board])
        assert not [ref for ref in held if f'"{ref}"' in told]
        hidden_once = hidden_once or bool(held)
        before = shown
    assert hidden_once
    if game == "star-safir":
        assert any(
            moment.move and moment.move["do"] == "play" and moment.move["args"]["card"] != "?" for moment in moments
        )


# ------------------------------------------------------------------ with a database


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def feature(cast: Cast, match: Match) -> Feature:
    return features.name_feature(match=match, delay=5, by=cast.judge, now=NOW)


def recorded(cast: Cast, match: Match, count: int) -> Recording:
    """A recording of the first `count` moves of a game, one per minute after NOW."""
    opened = recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)
    for n, said in enumerate(first_game(match)["moves"][:count], 1):
        entry = {key: value for key, value in said.items() if key not in ("n", "h")}
        recorder = recorder_for(cast.judge, opened.public_id)
        at = NOW + timedelta(minutes=n)
        recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=n, key=f"key-{n}", now=at)
    return opened


@pytest.mark.django_db
def test_the_public_follows_a_feature_match_with_a_delay_and_can_step_through_it(
    cast: Cast, match: Match, feature: Feature
) -> None:
    early = watched(feature, NOW + timedelta(minutes=4))
    assert early is not None and early.game is None, "nobody is told that it has begun"
    opened = recorded(cast, match, 6)
    found = watched(feature, NOW + timedelta(minutes=8))
    assert found is not None and found.game is not None and found.sight is not None
    assert (found.n, list(found.game.line), found.game.over) == (3, [1, 2, 3], False)
    assert [said["n"] for said in found.sight.moves] == [1, 2, 3]
    assert watched(feature, NOW + timedelta(minutes=8), 1, 4) is None
    assert watched(feature, NOW + timedelta(minutes=8), 2) is None
    recorder = recorder_for(cast.judge, opened.public_id)
    recording.hand_in(recorder=recorder, by=cast.judge, now=NOW + timedelta(minutes=7))
    assert not watched(feature, NOW + timedelta(minutes=11)).game.over, "nor that it has ended"
    for n in range(7):
        stepped = watched(feature, NOW + timedelta(minutes=12), 1, n)
        assert (stepped.n, stepped.game.over) == (n, True)


@pytest.mark.django_db
def test_moves_shown_to_the_public_are_counted_by_event(cast: Cast, match: Match, feature: Feature) -> None:
    recorded(cast, match, 4)
    event = match.round.stage.event.public_id
    counts = [shown_counts([event], NOW + timedelta(minutes=minutes)).get(event, 0) for minutes in (5.9, 6, 7, 30)]
    assert counts == [0, 1, 2, 4]
    assert shown_counts(["e-another"], NOW + timedelta(minutes=30)) == {}


@pytest.mark.django_db
def test_naming_and_withdrawing_a_feature_match_are_idempotent(cast: Cast, match: Match) -> None:
    for delay in (0, 61, -1):
        with assert_refused("delay_invalid"):
            features.name_feature(match=match, delay=delay, by=cast.judge, now=NOW)
    for delay in (5, 5, 10):
        features.name_feature(match=match, delay=delay, by=cast.judge, now=NOW)
    assert Feature.objects.get().delay == 10
    for _twice in range(2):
        features.withdraw_feature(match=match, by=cast.judge, now=NOW)
    assert not Feature.objects.exists()
    told = LedgerEntry.objects.filter(code__startswith="feature.").order_by("number").values_list("code", "object")
    assert list(told) == [
        ("feature.named", match.public_id),
        ("feature.named", match.public_id),
        ("feature.withdrawn", match.public_id),
    ]


@pytest.mark.django_db
def test_a_bye_cannot_be_followed(cast: Cast) -> None:
    round_ = a_published_round(a_running_event(cast, players=3), cast.organizer)
    with assert_refused("nothing_to_follow"):
        features.name_feature(match=round_.matches.get(table=None), delay=5, by=cast.judge, now=NOW)


@pytest.mark.django_db
def test_a_match_is_no_longer_shown_once_a_player_opts_out_of_streams(
    cast: Cast, match: Match, feature: Feature
) -> None:
    event = match.round.stage.event
    assert features_shown(cast.stranger, event) == [feature]
    one, _two = users_of(match)
    stay_off_stream(person=own_person(one), off=True)
    assert feature_of(match) is None
    assert features_shown(cast.stranger, event) == []
    with pytest.raises(Http404):
        feature_for_viewer(cast.organizer, match.public_id)
    with assert_refused("keeps_off_streams"):
        features.name_feature(match=match, delay=5, by=cast.judge, now=NOW)
    Person.objects.update(off_stream=False)
    assert feature_for_viewer(cast.stranger, match.public_id) == feature


@pytest.mark.django_db
def test_a_feature_match_is_hidden_from_readers_who_cannot_see_the_pairings(
    cast: Cast, match: Match, feature: Feature
) -> None:
    cells = {"pairings.public.swiss": "never"}
    choose_visibility(event=match.round.stage.event, cells=cells, by=cast.organizer, now=NOW)
    event = Event.objects.get(pk=match.round.stage.event.pk)
    with assert_refused("hidden_now"):
        feature_for_viewer(cast.stranger, match.public_id)
    assert features_shown(cast.stranger, event) == []
    assert features_shown(cast.player, event) == [feature]
