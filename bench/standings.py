"""Time from the last confirmed result to the standings shown, with a real worker, 200 players.

The web's part is played by this process: it confirms a result and asks, as a page does, until the standings are of
that version. Beside it, in the same run: the bare computation without a queue, which no queue can beat.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="arbitre-bench-"))
os.environ.setdefault("LOG_LEVEL", "WARNING")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")

import django

django.setup()

from django.conf import settings
from django.core.management import call_command

from tests.builders import a_published_round, a_running_event, play_out
from tests.cast import make_cast
from tournaments.common.clock import now
from tournaments.events.models import Stage
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.standings.models import StandingsTable
from tournaments.standings.selectors import standings_of
from tournaments.standings.services import compute_standings

PLAYERS = 200
RUNS = 15


def shown(stage: Stage) -> float:
    """Seconds until the standings are those of the newest result."""
    start = time.perf_counter()
    while standings_of(stage).computing:
        if time.perf_counter() - start > 60:
            raise SystemExit("no standings after 30 s: is the worker running?")
        time.sleep(0.01)
    return time.perf_counter() - start


def bare(stage: Stage) -> float:
    """Seconds of the computation alone."""
    StandingsTable.objects.filter(stage=stage).delete()
    start = time.perf_counter()
    compute_standings(stage_id=stage.pk, now=now())
    return time.perf_counter() - start


def main() -> None:
    call_command("migrate", verbosity=0)
    cast = make_cast()
    event = a_running_event(cast, players=PLAYERS, rounds=5)
    for _round in range(3):
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    matches = list(a_published_round(event, cast.organizer).matches.order_by("table")[:RUNS])
    stage = current_stage(event)
    command = [sys.executable, "-m", "celery", "-A", "tournaments.config", "worker", "-l", "WARNING", "-c", "1"]
    worker = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1])
    try:
        shown(stage)
        waits = []
        for match in matches:
            play.override_result(match=match, by=cast.scorekeeper, games=(2, 1, 0), now=now())
            waits.append(shown(stage))
    finally:
        worker.terminate()
        worker.wait(20)
    floor = [bare(stage) for _run in range(RUNS)]
    engine, broker = (
        settings.DATABASES["default"]["ENGINE"].rsplit(".", 1)[-1],
        settings.CELERY_BROKER_URL.split(":")[0],
    )
    print(f"{PLAYERS} players, 4 rounds, {engine} + {broker}")
    print(f"result to standings shown   {statistics.median(waits):8.3f} s  ({min(waits):.3f} to {max(waits):.3f})")
    print(f"the computation alone       {statistics.median(floor):8.3f} s  ({min(floor):.3f} to {max(floor):.3f})")
    print(f"ratio                       {statistics.median(waits) / statistics.median(floor):8.2f}")


if __name__ == "__main__":
    main()
