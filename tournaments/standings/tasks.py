"""The job that computes standings."""

from celery import current_task
from django.db import transaction

from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.common.jobs import RunningJob, handler
from tournaments.standings.services import compute_standings, rested_at


@handler("standings.compute")
def compute(job: RunningJob) -> None:
    """Payload: `stage`, the stage's key. A worker puts it off while it rests from the stage's last computation."""
    at = now()
    rested = rested_at(job.payload["stage"]) if current_task else None
    if rested is not None and at < rested:
        with transaction.atomic():
            jobs.enqueue("standings.compute", job.key, payload=job.payload, now=at, run_after=rested)
    else:
        compute_standings(stage_id=job.payload["stage"], now=at, progress=job.progress)
