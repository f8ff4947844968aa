"""Actions on webhooks, and the delivery of their messages.

Actions on the webhook of an event are recorded in the event's ledger, with the webhook's id only.
"""

import json
import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs, ledger, outgoing
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event
from tournaments.integrations import chat, signing
from tournaments.integrations.models import KINDS, PING, Delivery, Webhook

MOST = 10  # webhooks per event, or per account
OVERLAP = timedelta(hours=24)  # how long messages are signed with the old secret too
KEPT = timedelta(days=30)  # how long finished deliveries are stored
DISABLED_AFTER = timedelta(days=2)  # of nothing but failures
# Waits before the attempts after the first; a message that fails ten times is given up.
BACKOFF = [timedelta(seconds=s) for s in (5, 30, 120, 600, 3600, 3 * 3600, 8 * 3600, 12 * 3600, 24 * 3600)]
REST = timedelta(seconds=5)  # pause of a webhook after a failure, before its other messages are tried
TURN = 20.0  # seconds after which a job stops and lets others run
GONE = 410  # the HTTP status by which a receiver says that it wants no more messages
NOT_FOUND = 404  # the one of a webhook that was deleted at Discord or Slack
BUSY = 429  # the one by which a receiver asks to wait for as long as its `Retry-After` says
LONGEST_WAIT = timedelta(hours=1)  # that is granted
Status = Delivery.Status


def make_webhook(
    *, by: User, url: str, kinds: Iterable[str], now: datetime, event: Event | None = None,
    format: str = Webhook.Format.ARBITRE,
) -> tuple[Webhook, str]:  # fmt: skip
    """Create a webhook for an event or, without one, for all events that the account organizes.

    Returns it with its secret, which is not stored, so this is the only time it can be shown. Messages to Discord and
    Slack are not signed: their webhooks have an empty one.

    Refused: `webhook_url_invalid`, `format_unknown`, `kind_unknown` (with the unknown ones), `too_many_webhooks`.
    """
    if format not in Webhook.Format.values:
        raise InvalidInput("format_unknown", _("There is no such message format."))
    _check_url(url, format)
    wanted = _known(kinds)
    with transaction.atomic():
        if event is not None:
            Event.objects.select_for_update().get(pk=event.pk)
            others = event.webhooks.all()
        else:
            User.objects.select_for_update().get(pk=by.pk)
            others = by.webhooks.filter(event=None)
        if others.count() >= MOST:
            raise Refusal("too_many_webhooks", _("There are already ten webhooks."))
        seed = signing.new_seed()
        webhook = Webhook.objects.create(
            owner=by, event=event, url=url, format=format, kinds=wanted, secret=seed, created_at=now
        )
        _note(webhook, by, "webhook.made", now)
    return webhook, signing.secret_of(seed) if format == Webhook.Format.ARBITRE else ""


def change_webhook(
    *, webhook: Webhook, by: User, now: datetime, url: str | None = None, kinds: Iterable[str] | None = None,
    active: bool | None = None,
) -> Webhook:  # fmt: skip
    """Change the URL or kinds of a webhook, or switch it off or on; what is None stays.

    Switching it on also ends its series of failures, and messages that are waiting are sent.

    Refused: `webhook_url_invalid`, `kind_unknown`.
    """
    fields: dict[str, object] = {}
    if url is not None:
        _check_url(url, webhook.format)
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


def rotate_secret(*, webhook: Webhook, by: User, now: datetime) -> str:
    """Rotate the secret of a webhook, and return the new one, which can be shown only now.

    For `OVERLAP` messages are signed with the old secret too, so that the receiver can switch over. Refused:
    `webhook_unsigned`, if it is for Discord or Slack.
    """
    if webhook.format != Webhook.Format.ARBITRE:
        raise Refusal("webhook_unsigned", _("Messages to Discord and Slack are not signed: there is no secret."))
    seed = signing.new_seed()
    with transaction.atomic():
        locked = Webhook.objects.select_for_update().get(pk=webhook.pk)
        Webhook.objects.filter(pk=webhook.pk).update(secret=seed, old_secret=locked.secret, old_until=now + OVERLAP)
        _note(webhook, by, "webhook.secret_turned", now)
    webhook.refresh_from_db()
    return signing.secret_of(seed)


def delete_webhook(*, webhook: Webhook, by: User, now: datetime) -> None:
    """Delete a webhook with all its deliveries, also those not sent yet."""
    with transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).delete()
        _note(webhook, by, "webhook.deleted", now)


def send_test(*, webhook: Webhook, now: datetime) -> Delivery:
    """Enqueue a test message of type `ping`. Refused: `webhook_off`."""
    _require_on(webhook)
    payload = {"type": PING, "timestamp": now.isoformat(), "data": {"webhook": webhook.public_id}}
    with transaction.atomic():
        delivery = Delivery.objects.create(webhook=webhook, payload=payload, next_at=now, created_at=now)
        _ask(webhook.pk, now)
    return delivery


def resend(*, delivery: Delivery, now: datetime) -> Delivery:
    """Enqueue a delivery once more, starting again with its first attempt. Refused: `webhook_off`.

    Its id stays the same, by which receivers recognize a message that they already have.
    """
    _require_on(delivery.webhook)
    with transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(status=Status.PENDING, attempts=0, next_at=now)
        _ask(delivery.webhook_id, now)
    delivery.refresh_from_db()
    return delivery


def deliver(*, webhook_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Send the messages due to a webhook, in order; run by the job `integrations.deliver`.

    It stops at the first failure or after `TURN` seconds, and enqueues the next job if messages are waiting.
    """
    until = time.monotonic() + TURN
    rest = now
    while (webhook := Webhook.objects.filter(pk=webhook_id, disabled_at=None).first()) is not None:
        delivery = _due(webhook, now)
        if delivery is None or time.monotonic() >= until:
            break
        progress(0)  # raises `LeaseLost` if another worker has taken the job over, so that nothing is sent twice
        if not _attempt(webhook, delivery, now):
            rest = now + REST
            break
    _forget(webhook_id, now)
    with transaction.atomic():
        waiting = Delivery.objects.filter(webhook_id=webhook_id, webhook__disabled_at=None, status=Status.PENDING)
        due = waiting.aggregate(at=Min("next_at"))["at"]
        if due is not None:
            _ask(webhook_id, now, run_after=max(due, rest))


def _due(webhook: Webhook, now: datetime) -> Delivery | None:
    due = webhook.deliveries.filter(status=Status.PENDING, next_at__lte=now).select_related("webhook__owner")
    return due.order_by("pk").first()


def body_of(delivery: Delivery) -> bytes | None:
    """The body of a delivery, exactly as it is sent and signed; None if it no longer applies."""
    said = delivery.payload
    if delivery.webhook.format != Webhook.Format.ARBITRE:
        said = chat.message_of(delivery)
    return None if said is None else json.dumps(said, separators=(",", ":"), sort_keys=True).encode()


def _attempt(webhook: Webhook, delivery: Delivery, now: datetime) -> bool:
    """Send a delivery once and save the outcome. Returns whether the receiver accepted it (any 2xx).

    A message in words is deleted if what it was about was undone, or is hidden from the public by now.
    """
    body = body_of(delivery)
    if body is None:
        delivery.delete()
        return True
    answer: int | None = None
    asked, error = 0, ""
    try:
        received = outgoing.send(webhook.url, body, _headers(webhook, delivery, body, now))
        answer, asked = received.status, received.retry_after
    except outgoing.Unreachable as unreachable:
        error = unreachable.code
    accepted = answer is not None and 200 <= answer < 300
    attempts = delivery.attempts + 1
    status = Status.DELIVERED if accepted else Status.PENDING if attempts <= len(BACKOFF) else Status.FAILED
    wait = BACKOFF[attempts - 1] if status == Status.PENDING else timedelta(0)
    if answer == BUSY and status == Status.PENDING:
        wait = max(wait, min(timedelta(seconds=asked), LONGEST_WAIT))
    with transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(
            status=status, attempts=attempts, answer=answer, error=error, tried_at=now, next_at=now + wait
        )
        _note_health(webhook, accepted, answer, now)
    return accepted


def _headers(webhook: Webhook, delivery: Delivery, body: bytes, now: datetime) -> dict[str, str]:
    """The signature of a message; none for Discord and Slack, which do not check any."""
    if webhook.format != Webhook.Format.ARBITRE:
        return {}
    keys = signing.secrets_of(webhook.secret)
    if webhook.old_secret and webhook.old_until is not None and now < webhook.old_until:
        keys += signing.secrets_of(webhook.old_secret)
    return signing.headers(keys, delivery.public_id, int(now.timestamp()), body)


def _note_health(webhook: Webhook, accepted: bool, answer: int | None, now: datetime) -> None:
    """Update the series of failures of a webhook, and switch it off after `DISABLED_AFTER` or an answer 410."""
    here = Webhook.objects.filter(pk=webhook.pk, disabled_at=None)
    if accepted:
        here.exclude(failing_since=None).update(failing_since=None)
        return
    here.filter(failing_since=None).update(failing_since=now)
    if answer == GONE or (answer == NOT_FOUND and webhook.format != Webhook.Format.ARBITRE):
        here.update(disabled_at=now, disabled_for="gone")
    else:
        here.filter(failing_since__lte=now - DISABLED_AFTER).update(disabled_at=now, disabled_for="failing")


def _forget(webhook_id: int, now: datetime) -> None:
    over = Delivery.objects.filter(webhook_id=webhook_id, created_at__lt=now - KEPT).exclude(status=Status.PENDING)
    over.delete()


def _ask(webhook_id: int, now: datetime, run_after: datetime | None = None) -> None:
    jobs.enqueue("integrations.deliver", str(webhook_id), payload={"webhook": webhook_id}, now=now, run_after=run_after)


def _check_url(url: str, format_: str) -> None:
    if outgoing.target_of(url) is None:
        raise InvalidInput(
            "webhook_url_invalid",
            _("The address of a webhook must begin with https:// and have no user name and no #."),
        )
    if not chat.fits(format_, url):
        raise InvalidInput("webhook_url_invalid", _("Copy the address of the webhook from Discord or Slack."))


def _known(kinds: Iterable[str]) -> list[str]:
    wanted = set(kinds)
    unknown = sorted(wanted - set(KINDS))
    if unknown or not wanted:
        raise InvalidInput("kind_unknown", _("Choose at least one kind of message."), details=unknown[:20])
    return [kind for kind in KINDS if kind in wanted]


def _require_on(webhook: Webhook) -> None:
    if webhook.disabled_at is not None:
        raise Refusal("webhook_off", _("This webhook is turned off: turn it on first."))


def _note(webhook: Webhook, by: User, code: str, now: datetime) -> None:
    if webhook.event is not None:
        ledger.record(chain=webhook.event.public_id, actor=by.public_id, code=code, object=webhook.public_id, now=now)
