"""Given to a worker by `--include`: jobs that can be stopped half way, and an outbox in a hurry so that kills are soon
mended. While the file `hold` lies in VAR_DIR, a job half way stays there, so that a kill always comes in the middle.
"""

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings

from tournaments.common import jobs
from tournaments.standings import services, tasks

AT_MOST = 60.0  # seconds a job is held, should nobody kill it

jobs.LEASE = timedelta(seconds=4)
jobs.HEARTBEAT = 1.0
jobs.SWEEP_EVERY = 1.0
current_app.conf.task_default_queue = os.environ["TEST_QUEUE"]  # what the worker itself sends goes there too

rows_of = services.ranking


def half_way(job: jobs.RunningJob) -> None:
    """Show that this attempt is in its middle, and stay there while jobs are held."""
    # At once, whatever was told a moment ago; a job taken over still shows the progress of the attempt that was cut.
    job.lease.write(progress=10 * job.attempt)
    until = time.monotonic() + AT_MOST
    while (Path(settings.VAR_DIR) / "hold").exists() and time.monotonic() < until:
        time.sleep(0.02)


@jobs.handler("test.slow")
def slow(job: jobs.RunningJob) -> None:
    """Take a moment."""
    half_way(job)
    time.sleep(0.2)


def compute(job: jobs.RunningJob) -> None:
    """The standings, half way when the results are read and the table is not yet kept."""

    def rows(*args: Any) -> Any:
        result = rows_of(*args)
        half_way(job)
        return result

    services.ranking = rows
    tasks.compute(job)


jobs._handlers["standings.compute"] = compute
