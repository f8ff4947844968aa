"""Jobs that can be stopped halfway, and short leases so that killed jobs are soon taken over. See tests/workers.py.

A worker loads this with `--include`. While the file `hold` exists in VAR_DIR, every job stops halfway, so that a kill
always hits it in the middle.
"""

import logging
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings

from tests.workers import both
from tournaments.common import broker, jobs
from tournaments.standings import services, tasks

logger = logging.getLogger(__name__)
AT_MOST = 60.0  # seconds a job is held if nobody kills it

jobs.LEASE = timedelta(seconds=4)
jobs.HEARTBEAT = 1.0
jobs.SWEEP_EVERY = 1.0
current_app.conf.update(broker.queues(*both(os.environ["TEST_QUEUE"])))  # for messages that the worker itself sends

rows_of = services.ranking


def half_way(job: jobs.RunningJob) -> None:
    """Report that this attempt is halfway, and wait there while jobs are held."""
    # Written directly, because `progress` is limited to once a second. The value depends on the attempt, because a job
    # that was taken over still shows the progress of the attempt before.
    job.lease.write(progress=10 * job.attempt)
    until = time.monotonic() + AT_MOST
    while (Path(settings.VAR_DIR) / "hold").exists() and time.monotonic() < until:
        time.sleep(0.02)


@jobs.handler("audits.slow")
@jobs.handler("test.slow")
def slow(job: jobs.RunningJob) -> None:
    """Take 0.2 seconds."""
    half_way(job)
    time.sleep(0.2)
    logger.info("done by a test")


def compute(job: jobs.RunningJob) -> None:
    """Compute standings, stopping halfway: after the results are read, and before the table is stored."""

    def rows(*args: Any) -> Any:
        result = rows_of(*args)
        half_way(job)
        return result

    services.ranking = rows
    tasks.compute(job)


jobs._handlers["standings.compute"] = compute
