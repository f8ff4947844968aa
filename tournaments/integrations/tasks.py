"""Job handlers of webhooks: create deliveries from ledger entries, and send them."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.integrations.following import tell as tell_event
from tournaments.integrations.services import deliver as deliver_to


@handler("integrations.tell")
def tell(job: RunningJob) -> None:
    """Create the deliveries of an event's new ledger entries. Payload: `chain` (the event's public id)."""
    tell_event(chain=job.payload["chain"], now=job.now)


@handler("integrations.deliver")
def deliver(job: RunningJob) -> None:
    """Send the messages due to a webhook. Payload: `webhook` (its key)."""
    deliver_to(webhook_id=job.payload["webhook"], now=job.now, progress=job.progress)
