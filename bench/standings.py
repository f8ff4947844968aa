"""Time from the last confirmed result to the updated standings, with a real worker.

This process plays the part of the web: it confirms a result and polls, as a page does, until the standings count it. It
does so for single results, and for bursts of several results, the last of which arrives while the worker is counting
the first. In the same run it measures the bare computation without a queue, which is a lower bound.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench._installation import make_tables, ready

ready()

from django.conf import settings

from bench._events import played_round
from tests.builders import a_large_event, a_published_round
from tests.cast import Cast, make_cast
from tournaments.common.clock import now
from tournaments.events.models import Stage
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings.models import StandingsTable
from tournaments.standings.selectors import standings_of
from tournaments.standings.services import compute_standings

BURST = 5


def shown(stage: Stage) -> float:
    """Seconds until the standings count the newest result."""
    start = time.perf_counter()
    while standings_of(stage).computing:
        if time.perf_counter() - start > 60:
            raise SystemExit("no standings after 30 s: is the worker running?")
        time.sleep(0.01)
    return time.perf_counter() - start


def bare(stage: Stage) -> float:
    """Seconds for the computation alone."""
    StandingsTable.objects.filter(stage=stage).delete()
    start = time.perf_counter()
    compute_standings(stage_id=stage.pk, now=now())
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3, help="played before the one that is measured")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    make_tables()
    cast = make_cast()
    event = a_large_event(cast, args.players)
    for _round in range(args.rounds):
        played_round(event, cast)
    matches = list(a_published_round(event, cast.organizer).matches.filter(table__isnull=False).order_by("table"))
    stage = current_stage(event)
    command = [sys.executable, "-m", "celery", "-A", "tournaments.config", "worker", "-l", "WARNING", "-c", "1"]
    worker = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1])
    try:
        shown(stage)
        waits = {
            size: [after_results(stage, [matches.pop() for _ in range(size)], cast) for _run in range(args.runs)]
            for size in (1, BURST)
        }
    finally:
        worker.terminate()
        worker.wait(20)
    floor = [bare(stage) for _run in range(args.runs)]
    engine, broker = (
        settings.DATABASES["default"]["ENGINE"].rsplit(".", 1)[-1],
        settings.CELERY_BROKER_URL.split(":")[0],
    )
    print(f"{args.players} players, {args.rounds + 1} rounds, {engine} + {broker}")
    for size, times in (*waits.items(), (0, floor)):
        title = f"last of {size} results to standings shown" if size else "the computation alone"
        print(f"{title:40} {statistics.median(times):8.3f} s  ({min(times):.3f} to {max(times):.3f})")
    print(
        f"{'ratio of one result to the computation':40} {statistics.median(waits[1]) / statistics.median(floor):8.2f}"
    )


def after_results(stage: Stage, matches: list[Match], cast: Cast) -> float:
    """Seconds from the last of these results to the standings that count it."""
    for match in matches:
        play.enter_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=now())
    return shown(stage)


if __name__ == "__main__":
    main()
