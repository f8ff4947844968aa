"""Turns ledger entries into webhook deliveries: an entry enqueues a job for its event, which creates the deliveries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.common import heads, jobs
from tournaments.common.models import LedgerEntry
from tournaments.common.prepared import Prepared
from tournaments.events.access import ACTIONS
from tournaments.events.models import StaffRole
from tournaments.integrations.chat import WORDS
from tournaments.integrations.models import Delivery, Feed, Webhook

ORGANIZERS = ACTIONS["manage_event"]
AT_ONCE = 200  # entries per transaction
_ANY = Prepared(lambda: Webhook.objects.filter(disabled_at=None).order_by()[:1])


def webhooks_of(chain: str) -> QuerySet[Webhook]:
    """The active webhooks that receive messages about an event, given by its public id.

    They are the event's own and those of accounts, as long as their owner organizes the event.
    """
    roles = StaffRole.objects.filter(user=OuterRef("owner"), event__public_id=chain, role__in=ORGANIZERS)
    active = Webhook.objects.filter(Q(event=None) | Q(event__public_id=chain), disabled_at=None, owner__is_active=True)
    return active.filter(Exists(roles))


def follow(entries: Sequence[LedgerEntry]) -> None:
    """Enqueue the job of an event with new ledger entries, if any webhook may want them. A follower of the ledger."""
    entry = entries[-1]
    # This runs in every action, and most installations have no webhook at all, so the cheap query comes first.
    if _ANY.rows() and webhooks_of(entry.chain).exists():
        jobs.enqueue("integrations.tell", entry.chain, payload={"chain": entry.chain}, now=entry.at)


def tell(*, chain: str, now: datetime) -> None:
    """Create a delivery of each new entry for each webhook that asked for its kind. Idempotent.

    `Feed` records how far the ledger was processed. A webhook gets no entries from before it was created.
    """
    webhooks = list(webhooks_of(chain))
    if not webhooks:
        return
    # The loop locks this row, so that two jobs for the same event take turns.
    Feed.objects.get_or_create(chain=chain)
    since = min(webhook.created_at for webhook in webhooks)
    while True:
        with transaction.atomic():
            feed = Feed.objects.select_for_update().get(chain=chain)
            newer = LedgerEntry.objects.filter(chain=chain, number__gt=feed.number, at__gt=since)
            entries = list(newer.order_by("number")[:AT_ONCE])
            if not entries:
                return
            deliveries = [
                _delivery(webhook, entry, now) for entry in entries for webhook in webhooks if _asks(webhook, entry)
            ]
            Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)
            Feed.objects.filter(pk=feed.pk).update(number=entries[-1].number)
            for pk in {delivery.webhook_id for delivery in deliveries}:
                jobs.enqueue("integrations.deliver", str(pk), payload={"webhook": pk}, now=now)


def _asks(webhook: Webhook, entry: LedgerEntry) -> bool:
    said = webhook.format == Webhook.Format.ARBITRE or entry.code in WORDS
    return said and entry.code.partition(".")[0] in webhook.kinds and entry.at > webhook.created_at


def _delivery(webhook: Webhook, entry: LedgerEntry, now: datetime) -> Delivery:
    payload: dict[str, Any] = {"type": entry.code, "timestamp": entry.at.isoformat()}
    if webhook.format == Webhook.Format.ARBITRE:  # words are found when they are sent: see `chat`
        data = {"event": entry.chain, "number": entry.number, "object": entry.object, "actor": entry.actor}
        payload["data"] = {**data, "head": heads.signed(entry.chain, entry.number, entry.hash).as_json()}
    return Delivery(
        webhook=webhook, chain=entry.chain, number=entry.number, payload=payload, next_at=now, created_at=now
    )
