"""Time until 500 followers of a feature match are notified of its newest move, by one web process.

The game is recorded while they follow it. The time runs from the moment the delay of a move is over, so that the public
may see it, to the message on each stream. The memory that the streams cost the process is measured too, and the time of
the fragment that a follower then requests, which must show that move. The first move is not timed, because the streams,
all opened at once, are still reading the state of the event.
"""

import argparse
import asyncio
import statistics
import time
import urllib.request
from datetime import timedelta
from typing import Any

from bench._installation import make_tables, ready

ready()
from django.db import connections

from bench._clock import milliseconds, ratio
from bench._listeners import PATIENCE, listeners, resident, web_process
from tests.builders import a_published_round, a_running_event, first_game, match_of
from tests.cast import Cast, make_cast
from tournaments.audits import recording
from tournaments.audits.access import recorder_for
from tournaments.audits.features import DELAY, name_feature
from tournaments.audits.models import Recording
from tournaments.common import clock
from tournaments.web.live.address import stream_url

BOUND = 1.5  # seconds, for 95 of 100
MEMORY = 60  # MiB
AHEAD = 3.0  # seconds between writing a move and its release to the public


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--followers", type=int, default=500)
    parser.add_argument("--moves", type=int, default=20)
    args = parser.parse_args()
    make_tables()
    cast = make_cast()
    event = a_running_event(cast, players=2)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    began = clock.now() - timedelta(minutes=DELAY + 1)
    name_feature(match=match, delay=DELAY, by=cast.judge, now=began)
    opened = recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=began)
    moves = first_game(match)["moves"][: args.moves]
    asyncio.run(measured(opened, moves, cast, args.followers))


async def measured(opened: Recording, moves: list[dict[str, Any]], cast: Cast, followers: int) -> None:
    """Print how soon the followers are notified of each of these moves, and what the streams cost."""
    match = opened.game.match
    with web_process() as (port, pid):
        path = await asyncio.to_thread(stream_url_now, match.round.stage.event.public_id)
        page = f"http://127.0.0.1:{port}/m/{match.public_id}/watch/"
        (await listeners(port, path, 1))[0].close()  # loads what the first stream and the first page need once
        await asyncio.to_thread(fragment, page)
        before = resident(pid)
        streams = await listeners(port, path, followers)
        waits: list[float] = []
        asked: list[float] = []
        for n, move in enumerate(moves, 1):
            async with asyncio.timeout(PATIENCE):
                told = [asyncio.create_task(stream.told(f".{n}")) for stream in streams]
                shown = await asyncio.to_thread(receive, opened, cast, move, n)
                moments = await asyncio.gather(*told)
            waits += [moment - shown for moment in moments if n > 1]
            start = time.perf_counter()
            text = await asyncio.to_thread(fragment, page)
            asked.append(time.perf_counter() - start)
            assert f"After move {n} of {n}" in text, text
        grown = (resident(pid) - before) / 2**20
        for stream in streams:
            stream.close()
    assert min(waits) > 0, "somebody was told before the delay was over"
    ninety_five = statistics.quantiles(waits, n=20)[-1]
    print(f"{followers:,} followers, {len(moves) - 1} moves")
    milliseconds("  told, median", statistics.median(waits))
    milliseconds("  told, 95 of 100", ninety_five)
    milliseconds("  told, the last", max(waits))
    milliseconds("  the fragment with a new move, median", statistics.median(asked))
    ratio("  MiB more in the web process", grown, f"at most {MEMORY}")
    ratio("times the bound", ninety_five / BOUND, f"95 %: at most 1, that is {BOUND} s")


def epoch() -> float:
    """The wall-clock time at which `time.perf_counter` was 0.

    Reads both clocks many times and takes the reading with the shortest gap, which nothing interrupted.
    """
    looks = [(time.perf_counter(), time.time(), time.perf_counter()) for _look in range(999)]
    before, now, after = min(looks, key=lambda look: look[2] - look[0])
    return now - (before + after) / 2


EPOCH = epoch()


def stream_url_now(event: str) -> str:
    """The stream address that a page rendered now would open."""
    try:
        return stream_url(event)
    finally:
        connections.close_all()


def receive(opened: Recording, cast: Cast, move: dict[str, Any], n: int) -> float:
    """Record a move as if received almost the whole delay ago; returns the moment at which the public may see it.

    That moment falls at a different point between two polls of the server (half a second apart) for each move.
    """
    entry = {key: value for key, value in move.items() if key not in ("n", "h")}
    at = clock.now() + timedelta(seconds=AHEAD + n * 0.137 % 0.5) - timedelta(minutes=DELAY)
    try:
        recorder = recorder_for(cast.judge, opened.public_id)
        recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=n, key=f"move-{n}", now=at)
    finally:
        connections.close_all()
    shown = (at + timedelta(minutes=DELAY)).timestamp() - EPOCH
    assert shown > time.perf_counter(), "the move was written after its delay was over"
    return shown


def fragment(page: str) -> str:
    """Request the fragment of a page that follows the match."""
    with urllib.request.urlopen(urllib.request.Request(page, headers={"HX-Request": "true"})) as answer:
        text: str = answer.read().decode()
    return text


if __name__ == "__main__":
    main()
