"""Age of the newest standings while results keep arriving, two per second for 30 seconds, with a real worker.

This process plays the scorekeeper, through the services. A thread looks at the newest table 20 times a second; its age
is how long the oldest result that it does not count has been waiting. This is measured once with results of the round
in progress, which change no row, and once with corrections of the previous round, each of which does. Database and
queue are those of `DATABASE_URL` and `CELERY_BROKER_URL`.
"""

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from bench._installation import make_tables, ready

ready()

from django.conf import settings
from django.db import connection

from bench._events import played_round
from tests.builders import a_large_event, a_published_round
from tests.cast import Cast, make_cast
from tournaments.common.clock import now
from tournaments.events.models import Stage
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings.models import StandingsTable

AIMS = {2_000: 2.0, 10_000: 5.0}  # seconds, up to this many players
LOOK_EVERY = 0.05  # seconds
PATIENCE = 60.0  # seconds
SCORES = ((2, 1, 0), (1, 2, 0))


class Stream:
    """Results sent one by one, and the ages observed in the meantime."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.sent: list[tuple[int, float]] = []  # version of each result, and when it was committed
        self.ages: list[float] = []
        self.over = threading.Event()

    def send(self, matches: list[Match], cast: Cast, *, each_second: float, seconds: float) -> None:
        """Enter results of these matches in turn, at this rate."""
        begun = time.monotonic()
        pairs = cycle((match, score) for score in SCORES for match in matches)
        for count in range(int(each_second * seconds)):
            time.sleep(max(0.0, begun + count / each_second - time.monotonic()))
            match, score = next(pairs)
            play.enter_result(match=match, by=cast.scorekeeper, games=score, now=now(), reason="Slip misread")
            version = Stage.objects.values_list("results_version", flat=True).get(pk=self.stage.pk)
            self.sent.append((version, time.monotonic()))

    def counted(self) -> int:
        """The newest version of the results that a table counts."""
        tables = StandingsTable.objects.filter(stage=self.stage).order_by("-results_version")
        return tables.values_list("results_version", flat=True).first() or 0

    def watch(self) -> None:
        """Record the age of the newest table until the stream is over."""
        try:
            while not self.over.wait(LOOK_EVERY):
                known = self.counted()
                waiting = [at for version, at in list(self.sent) if version > known]
                self.ages.append(time.monotonic() - waiting[0] if waiting else 0.0)
        finally:
            connection.close()

    def wait_for(self, version: int) -> float:
        """Seconds until this version is counted."""
        begun = time.monotonic()
        while self.counted() < version:
            if time.monotonic() - begun > PATIENCE:
                raise SystemExit("no standings: is the worker running?")
            time.sleep(0.01)
        return time.monotonic() - begun


@contextmanager
def worker() -> Iterator[None]:
    """Run a worker with two processes, as in `docs/jobs.md`."""
    command = [sys.executable, "-m", "celery", "-q", "-A", "tournaments.config", "worker", "-l", "WARNING", "-c", "2"]
    process = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1])
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)


def measured(title: str, stage: Stage, matches: list[Match], cast: Cast, args: argparse.Namespace) -> None:
    """Send a stream of results and print how old the newest table was in the meantime."""
    stream = Stream(stage)
    stage.refresh_from_db()
    stream.wait_for(stage.results_version)
    tables = StandingsTable.objects.filter(stage=stage)
    before = tables.count()
    watcher = threading.Thread(target=stream.watch)
    watcher.start()
    stream.send(matches, cast, each_second=args.each_second, seconds=args.seconds)
    last = stream.wait_for(stream.sent[-1][0])
    stream.over.set()
    watcher.join()
    ages = sorted(stream.ages)
    middle, most = ages[len(ages) // 2], ages[int(0.95 * len(ages))]
    aim = next((f"   (aim: {aim:.0f} s at most)" for players, aim in AIMS.items() if args.players <= players), "")
    print(f"{title}: {len(stream.sent)} results, {args.each_second:g} a second")
    print(f"  age of the newest table: median {middle:.2f} s, 95 % {most:.2f} s, highest {ages[-1]:.2f} s{aim}")
    took = tables.order_by("-results_version").values_list("took", flat=True).first()
    print(f"  {last:.2f} s from the last result to its table; the last computation took {took} ms")
    print(f"  {tables.count() - before} more tables kept")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5, help="played before the one that is measured")
    parser.add_argument("--each-second", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    args = parser.parse_args()
    make_tables()
    cast = make_cast()
    event = a_large_event(cast, args.players)
    for _round in range(args.rounds):
        played_round(event, cast)
    stage = current_stage(event)
    open_round = a_published_round(event, cast.organizer)
    at_table = Match.objects.filter(round__stage=stage, table__isnull=False).order_by("table")
    some = int(args.each_second * args.seconds)
    engine = settings.DATABASES["default"]["ENGINE"].rsplit(".", 1)[-1]
    print(f"{args.players} players, round {args.rounds + 1}, {engine} + {settings.CELERY_BROKER_URL.split(':')[0]}")
    with worker():
        measured("the round being played", stage, list(at_table.filter(round=open_round)[:some]), cast, args)
        closed = at_table.filter(round__number=args.rounds)
        measured("corrections of the round before", stage, list(closed[:some]), cast, args)


if __name__ == "__main__":
    main()
