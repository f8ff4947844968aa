"""Time until an action reaches every open stream of one web process, with 1,000 streams compared with 100.

An action is written to the ledger as a page does it; the time runs from its commit to the message on each stream. What
the pages do with the message, and what that costs everybody else, is measured by `bench.hall`. The memory that the
streams cost the process is measured too, and the number of database files it holds open while they wait.
"""

import argparse
import asyncio
import statistics
import time

from bench._installation import make_tables, ready

DATABASE = str(ready(sqlite=True) / "bench.sqlite3")
from django.db import connections

from bench._clock import milliseconds, ratio
from bench._listeners import PATIENCE, held_open, listeners, resident, web_process
from tests.builders import a_running_event
from tests.cast import Cast, make_cast
from tournaments.announcements.services import announce
from tournaments.common import clock
from tournaments.events.models import Event
from tournaments.web.live.address import stream_url

BOUND = 1.0  # seconds, for 95 of 100
MEMORY = 80  # MiB


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[100, 1_000])
    parser.add_argument("--runs", type=int, default=10)
    args = parser.parse_args()
    make_tables()
    cast = make_cast()
    event = a_running_event(cast, players=2)
    slow = {count: asyncio.run(measured(event, cast, count, args.runs)) for count in args.clients}
    few, many = min(slow), max(slow)
    ratio(f"times, {many:,} beside {few:,}", slow[many] / (slow[few] or 0.001), f"95 %: at most {BOUND:.0f} s")


async def measured(event: Event, cast: Cast, count: int, runs: int) -> float:
    """Print what this many streams cost and how soon they are notified; returns the 95th percentile in seconds."""
    with web_process() as (port, pid):
        path = await asyncio.to_thread(stream_url_now, event)
        (await listeners(port, path, 1))[0].close()  # loads what the first stream needs once
        before = resident(pid)
        streams = await listeners(port, path, count)
        waits: list[float] = []
        for run in range(runs):
            async with asyncio.timeout(PATIENCE):
                told = [asyncio.create_task(stream.told()) for stream in streams]
                written = await asyncio.to_thread(action, event, cast, f"{count}, {run}")
                # A message can arrive before the writing thread has read the clock.
                waits += [max(0.0, moment - written) for moment in await asyncio.gather(*told)]
        grown = (resident(pid) - before) / 2**20
        await asyncio.sleep(1)  # until the last request has been answered
        held = statistics.median(held_open(pid, DATABASE) for _look in range(99))
        for stream in streams:
            stream.close()
    ninety_five = statistics.quantiles(waits, n=20)[-1]
    print(f"{count:,} streams")
    milliseconds("  told, median", statistics.median(waits))
    milliseconds("  told, 95 of 100", ninety_five)
    milliseconds("  told, the last", max(waits))
    ratio("  MiB more in the web process", grown, f"at most {MEMORY}")
    print(f"{'  database files open while they wait':44} {held:12}")
    return ninety_five


def stream_url_now(event: Event) -> str:
    """The stream address that a page rendered now would open."""
    try:
        return stream_url(event.public_id)
    finally:
        connections.close_all()


def action(event: Event, cast: Cast, text: str) -> float:
    """Post an announcement; returns the moment at which it is committed."""
    try:
        announcement = announce(event=event, text=text, by=cast.organizer, now=clock.now(), minutes=1)
        committed = time.perf_counter()
        assert announcement.pk
        return committed
    finally:
        connections.close_all()


if __name__ == "__main__":
    main()
