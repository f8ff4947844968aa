"""Gestures on webhooks, and the sending. A webhook of an event is noted in its ledger, by its id alone."""

import json
import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs, ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event
from tournaments.integrations import outgoing, signing
from tournaments.integrations.models import KINDS, PING, Delivery, Webhook

MOST = 10  # webhooks of an event, or of an account
OVERLAP = timedelta(hours=24)  # in which an old secret still signs
KEPT = timedelta(days=30)  # deliveries that are over
DISABLED_AFTER = timedelta(days=2)  # of nothing but failures
BACKOFF = [timedelta(seconds=s) for s in (5, 30, 120, 600, 3600, 3 * 3600, 8 * 3600, 12 * 3600, 24 * 3600)]
REST = timedelta(seconds=5)  # of a webhook after a failure
TURN = 20.0  # seconds after which a job gives way to others
GONE = 410
Status = Delivery.Status


def make_webhook(
    *, by: User, url: str, kinds: Iterable[str], now: datetime, event: Event | None = None
) -> tuple[Webhook, str]:
    """A webhook of an event, or of all events that the account organizes; and its secret, which is shown this once.

    Raises `webhook_url_invalid`, `kind_unknown`, `too_many_webhooks`.
    """
    _check_url(url)
    wanted = _known(kinds)
    with transaction.atomic():
        if event is not None:
            Event.objects.select_for_update().get(pk=event.pk)
            others = event.webhooks.all()
        else:
            User.objects.select_for_update().get(pk=by.pk)
            others = by.webhooks.filter(event=None)
        if others.count() >= MOST:
            raise Refusal("too_many_webhooks", _("There are ten webhooks already."))
        seed = signing.new_seed()
        webhook = Webhook.objects.create(owner=by, event=event, url=url, kinds=wanted, secret=seed, created_at=now)
        _note(webhook, by, "webhook.made", now)
    return webhook, signing.secret_of(seed)


def change_webhook(
    *, webhook: Webhook, by: User, now: datetime, url: str | None = None, kinds: Iterable[str] | None = None,
    active: bool | None = None,
) -> Webhook:  # fmt: skip
    """Another address, other kinds, switched off or on again. Raises `webhook_url_invalid`, `kind_unknown`."""
    fields: dict[str, object] = {}
    if url is not None:
        _check_url(url)
        fields["url"] = url
    if kinds is not None:
        fields["kinds"] = _known(kinds)
    if active is True:
        fields |= {"disabled_at": None, "disabled_for": "", "failing_since": None}
    elif active is False and webhook.disabled_at is None:
        fields |= {"disabled_at": now, "disabled_for": "asked"}
    with transaction.atomic():
        if fields:
            Webhook.objects.filter(pk=webhook.pk).update(**fields)
            _note(webhook, by, "webhook.changed", now)
            _ask(webhook.pk, now)
    webhook.refresh_from_db()
    return webhook


def turn_secret(*, webhook: Webhook, by: User, now: datetime) -> str:
    """A new secret, shown this once. The old one signs beside it for a day, so that the receiver can change over."""
    seed = signing.new_seed()
    with transaction.atomic():
        locked = Webhook.objects.select_for_update().get(pk=webhook.pk)
        Webhook.objects.filter(pk=webhook.pk).update(secret=seed, old_secret=locked.secret, old_until=now + OVERLAP)
        _note(webhook, by, "webhook.secret_turned", now)
    webhook.refresh_from_db()
    return signing.secret_of(seed)


def delete_webhook(*, webhook: Webhook, by: User, now: datetime) -> None:
    """Take a webhook away with what was to be sent to it."""
    with transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).delete()
        _note(webhook, by, "webhook.deleted", now)


def send_test(*, webhook: Webhook, now: datetime) -> Delivery:
    """Send a message of kind `ping`. Raises `webhook_off`."""
    _require_on(webhook)
    payload = {"type": PING, "timestamp": now.isoformat(), "data": {"webhook": webhook.public_id}}
    with transaction.atomic():
        delivery = Delivery.objects.create(webhook=webhook, payload=payload, next_at=now, created_at=now)
        _ask(webhook.pk, now)
    return delivery


def send_again(*, delivery: Delivery, now: datetime) -> Delivery:
    """Send a delivery again, with its attempts afresh. Receivers know it by its id. Raises `webhook_off`."""
    _require_on(delivery.webhook)
    with transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(status=Status.PENDING, attempts=0, next_at=now)
        _ask(delivery.webhook_id, now)
    delivery.refresh_from_db()
    return delivery


def deliver(*, webhook_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Send what is due to a webhook, in order, until one fails or the turn is over; then ask for the next job."""
    until = time.monotonic() + TURN
    rest = now
    while (webhook := Webhook.objects.filter(pk=webhook_id, disabled_at=None).first()) is not None:
        delivery = webhook.deliveries.filter(status=Status.PENDING, next_at__lte=now).order_by("pk").first()
        if delivery is None or time.monotonic() >= until:
            break
        progress(0)  # of many messages: here it ends what another worker has taken over
        if not _attempt(webhook, delivery, now):
            rest = now + REST
            break
    _forget(webhook_id, now)
    with transaction.atomic():
        waiting = Delivery.objects.filter(webhook_id=webhook_id, webhook__disabled_at=None, status=Status.PENDING)
        due = waiting.aggregate(at=Min("next_at"))["at"]
        if due is not None:
            _ask(webhook_id, now, run_after=max(due, rest))


def body_of(delivery: Delivery) -> bytes:
    """What is sent, byte for byte."""
    return json.dumps(delivery.payload, separators=(",", ":"), sort_keys=True).encode()


def _attempt(webhook: Webhook, delivery: Delivery, now: datetime) -> bool:
    """Send once and note how it went; whether it was taken."""
    body = body_of(delivery)
    keys = signing.secrets_of(webhook.secret)
    if webhook.old_secret and webhook.old_until is not None and now < webhook.old_until:
        keys += signing.secrets_of(webhook.old_secret)
    answer: int | None = None
    error = ""
    try:
        headers = signing.headers(keys, delivery.public_id, int(now.timestamp()), body)
        answer = outgoing.post(webhook.url, body, headers)
    except outgoing.Unreachable as unreachable:
        error = unreachable.code
    taken = answer is not None and 200 <= answer < 300
    attempts = delivery.attempts + 1
    status = Status.DELIVERED if taken else Status.PENDING if attempts <= len(BACKOFF) else Status.FAILED
    wait = BACKOFF[attempts - 1] if status == Status.PENDING else timedelta(0)
    with transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(
            status=status, attempts=attempts, answer=answer, error=error, tried_at=now, next_at=now + wait
        )
        _note_health(webhook, taken, answer, now)
    return taken


def _note_health(webhook: Webhook, taken: bool, answer: int | None, now: datetime) -> None:
    """A success ends a row of failures; a long row of them, or an answer 410, switches the webhook off."""
    here = Webhook.objects.filter(pk=webhook.pk, disabled_at=None)
    if taken:
        here.exclude(failing_since=None).update(failing_since=None)
        return
    here.filter(failing_since=None).update(failing_since=now)
    if answer == GONE:
        here.update(disabled_at=now, disabled_for="gone")
    else:
        here.filter(failing_since__lte=now - DISABLED_AFTER).update(disabled_at=now, disabled_for="failing")


def _forget(webhook_id: int, now: datetime) -> None:
    over = Delivery.objects.filter(webhook_id=webhook_id, created_at__lt=now - KEPT).exclude(status=Status.PENDING)
    over.delete()


def _ask(webhook_id: int, now: datetime, run_after: datetime | None = None) -> None:
    jobs.enqueue("integrations.deliver", str(webhook_id), payload={"webhook": webhook_id}, now=now, run_after=run_after)


def _check_url(url: str) -> None:
    if outgoing.target_of(url) is None:
        raise InvalidInput("webhook_url_invalid", _("A webhook is an https address, without a user or a fragment."))


def _known(kinds: Iterable[str]) -> list[str]:
    wanted = set(kinds)
    unknown = sorted(wanted - set(KINDS))
    if unknown or not wanted:
        raise InvalidInput("kind_unknown", _("Choose at least one of the kinds that there are."), details=unknown[:20])
    return [kind for kind in KINDS if kind in wanted]


def _require_on(webhook: Webhook) -> None:
    if webhook.disabled_at is not None:
        raise Refusal("webhook_off", _("This webhook is switched off: switch it on first."))


def _note(webhook: Webhook, by: User, code: str, now: datetime) -> None:
    if webhook.event is not None:
        ledger.record(chain=webhook.event.public_id, actor=by.public_id, code=code, object=webhook.public_id, now=now)
