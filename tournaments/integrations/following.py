"""From the ledger to deliveries: an entry asks for one job of its event, and the job makes what is to be sent."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.common import heads, jobs
from tournaments.common.models import LedgerEntry
from tournaments.events.access import GESTURES
from tournaments.events.models import StaffRole
from tournaments.integrations.models import Delivery, Feed, Webhook

ORGANIZERS = GESTURES["manage_event"]
AT_ONCE = 200  # entries


def webhooks_of(chain: str) -> QuerySet[Webhook]:
    """The webhooks that are told of an event now: its own and those of accounts, while their owner organizes it."""
    roles = StaffRole.objects.filter(user=OuterRef("owner"), event__public_id=chain, role__in=ORGANIZERS)
    told = Webhook.objects.filter(Q(event=None) | Q(event__public_id=chain), disabled_at=None, owner__is_active=True)
    return told.filter(Exists(roles))


def follow(entry: LedgerEntry) -> None:
    """Ask for the job of an event whose ledger has grown, if anybody is told of it."""
    # Every gesture asks this, and on most installations there is no webhook at all: the cheap question comes first.
    if Webhook.objects.filter(disabled_at=None).exists() and webhooks_of(entry.chain).exists():
        jobs.enqueue("integrations.tell", entry.chain, payload={"chain": entry.chain}, now=entry.at)


def tell(*, chain: str, now: datetime) -> None:
    """Make a delivery of every new entry for each webhook that asked for its kind. Twice is once."""
    webhooks = list(webhooks_of(chain))
    if not webhooks:
        return
    Feed.objects.get_or_create(chain=chain)
    since = min(webhook.created_at for webhook in webhooks)
    while True:
        with transaction.atomic():
            feed = Feed.objects.select_for_update().get(chain=chain)
            newer = LedgerEntry.objects.filter(chain=chain, number__gt=feed.number, at__gt=since)
            entries = list(newer.order_by("number")[:AT_ONCE])
            if not entries:
                return
            wanted = [
                _delivery(webhook, entry, now) for entry in entries for webhook in webhooks if _asks(webhook, entry)
            ]
            Delivery.objects.bulk_create(wanted, ignore_conflicts=True)
            Feed.objects.filter(pk=feed.pk).update(number=entries[-1].number)
            for pk in {delivery.webhook_id for delivery in wanted}:
                jobs.enqueue("integrations.deliver", str(pk), payload={"webhook": pk}, now=now)


def _asks(webhook: Webhook, entry: LedgerEntry) -> bool:
    return entry.code.partition(".")[0] in webhook.kinds and entry.at > webhook.created_at


def _delivery(webhook: Webhook, entry: LedgerEntry, now: datetime) -> Delivery:
    told: dict[str, Any] = {"event": entry.chain, "number": entry.number, "object": entry.object, "actor": entry.actor}
    told["head"] = heads.signed(entry.chain, entry.number, entry.hash).as_json()
    payload = {"type": entry.code, "timestamp": entry.at.isoformat(), "data": told}
    return Delivery(
        webhook=webhook, chain=entry.chain, number=entry.number, payload=payload, next_at=now, created_at=now
    )
