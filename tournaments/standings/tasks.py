"""Background job: compute standings."""

from celery import current_task
from django.db import transaction

from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, handler
from tournaments.standings.services import compute_standings, rest_until


@handler("standings.compute")
def compute(job: RunningJob) -> None:
    """Compute the standings of a stage, or put it off if a worker should rest first (`rest_until`).

    Payload: `stage`, the stage's key.
    """
    at = now()
    # Without a Celery task (in commands and tests) there is no other work that would have to wait.
    rested = rest_until(job.payload["stage"], at) if current_task else None
    if rested is not None and at < rested:
        with transaction.atomic():
            jobs.enqueue("standings.compute", job.key, payload=job.payload, now=at, run_after=rested)
    else:
        compute_standings(stage_id=job.payload["stage"], now=at, progress=job.progress)
