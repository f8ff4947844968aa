"""The jobs of webhooks."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.integrations.following import tell as tell_event
from tournaments.integrations.services import deliver as deliver_to


@handler("integrations.tell")
def tell(job: RunningJob) -> None:
    """Payload: `chain`, an event's public id."""
    tell_event(chain=job.payload["chain"], now=job.now)


@handler("integrations.deliver")
def deliver(job: RunningJob) -> None:
    """Payload: `webhook`, its key."""
    deliver_to(webhook_id=job.payload["webhook"], now=job.now, progress=job.progress)
