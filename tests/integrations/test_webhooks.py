"""Webhooks: fed by the ledger, signed, retried, and switched off after days of failures."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from tests.builders import NOW, an_entrant, an_event, an_open_event
from tests.cast import Cast
from tests.common.receiver import Receiver, receiver
from tests.contracts.project import python_files
from tests.refusals import assert_refused
from tournaments.common import heads, jobs, ledger
from tournaments.common.models import Job, LedgerEntry
from tournaments.events.models import Event, StaffRole
from tournaments.events.services import open_registration
from tournaments.integrations.access import webhook_for_owner
from tournaments.integrations.following import tell
from tournaments.integrations.models import KINDS, Delivery, Webhook
from tournaments.integrations.services import (
    BACKOFF,
    body_of,
    change_webhook,
    delete_webhook,
    make_webhook,
    resend,
    rotate_secret,
    send_test,
)
from tournaments.integrations.signing import secret_of, secrets_of

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)


@pytest.fixture
def got(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_LOCALHOST = True
    with receiver() as kept:
        yield kept


@pytest.fixture
def event(cast: Cast) -> Event:
    return an_event(cast)


def hook(cast: Cast, got: Receiver, event: Event | None, *kinds: str) -> tuple[Webhook, str]:
    return make_webhook(by=cast.organizer, url=got.url, kinds=kinds or ("event",), event=event, now=NOW)


def verified(secret: str, got: Receiver, place: int = -1) -> bool:
    """Whether a message is signed according to Standard Webhooks, by an independent implementation."""
    message = got.got[place]
    head = f"{message.headers['webhook-id']}.{message.headers['webhook-timestamp']}.".encode()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = base64.b64encode(hmac.new(key, head + message.body, hashlib.sha256).digest()).decode()
    return f"v1,{wanted}" in message.headers["webhook-signature"].split(" ")


def test_a_message_is_signed_and_contains_only_ids_and_codes(cast: Cast, event: Event, got: Receiver) -> None:
    _made, secret = hook(cast, got, event)
    open_registration(event=event, by=cast.organizer, now=LATER)
    jobs.run_due(LATER)
    (message,) = got.got
    entry = LedgerEntry.objects.get(chain=event.public_id, code="event.opened")
    assert json.loads(message.body) == {
        "type": "event.opened",
        "timestamp": LATER.isoformat(),
        "data": {
            "event": event.public_id,
            "number": entry.number,
            "object": entry.object,
            "actor": cast.organizer.public_id,
            "head": heads.signed(event.public_id, entry.number, entry.hash).as_json(),
        },
    }
    assert heads.read_head(json.loads(message.body)) == heads.head_of(event.public_id)
    assert verified(secret, got) and message.path == "/told?by=us"
    assert Delivery.objects.get().status == "delivered"
    assert int(message.headers["webhook-timestamp"]) == int(LATER.timestamp())


def test_a_webhook_gets_only_new_entries_of_the_chosen_kinds(cast: Cast, got: Receiver) -> None:
    event = an_open_event(cast)
    make_webhook(by=cast.organizer, url=got.url, kinds=["entrant"], event=event, now=LATER)
    an_entrant(event, cast.player)  # at NOW, before the webhook was made
    jobs.run_due(LATER)
    assert got.got == []
    after = LATER + timedelta(seconds=1)
    with transaction.atomic():
        ledger.record(chain=event.public_id, actor="system", code="entrant.dropped", object="p-x", now=after)
        ledger.record(chain=event.public_id, actor="system", code="clock.started", object="r1", now=after)
    jobs.run_due(after)
    assert [json.loads(message.body)["type"] for message in got.got] == ["entrant.dropped"]


def test_a_webhook_of_an_account_gets_messages_about_every_event_it_organizes(cast: Cast, got: Receiver) -> None:
    hook(cast, got, None)
    events = [an_event(cast, name=name) for name in ("One", "Two")]
    for event in events:
        open_registration(event=event, by=cast.organizer, now=LATER)
    jobs.run_due(LATER)
    opened = [json.loads(message.body) for message in got.got]
    assert {said["data"]["event"] for said in opened if said["type"] == "event.opened"} == {
        event.public_id for event in events
    }


def test_messages_stop_when_the_owner_no_longer_organizes_the_event(cast: Cast, event: Event, got: Receiver) -> None:
    for of in (event, None):
        hook(cast, got, of)
    StaffRole.objects.filter(event=event, user=cast.organizer).delete()
    open_registration(event=event, by=cast.judge, now=LATER)
    jobs.run_due(LATER)
    assert got.got == []


def test_a_ledger_entry_only_enqueues_a_job_with_one_or_two_queries(cast: Cast, event: Event, got: Receiver) -> None:
    def record() -> int:
        """Write a ledger entry; returns how many of its queries are about webhooks."""
        with transaction.atomic(), CaptureQueriesContext(connection) as captured:
            ledger.record(chain=event.public_id, actor="system", code="event.x", object="x", now=LATER)
        return sum("integrations_" in query["sql"] for query in captured)

    assert record() == 1
    assert not Job.objects.filter(kind="integrations.tell").exists()
    hook(cast, got, event)
    for _time in range(2):
        assert record() == 2
        assert Job.objects.filter(kind="integrations.tell", status="pending").count() == 1
    assert not Delivery.objects.exists()


def test_processing_an_entry_twice_makes_one_delivery(cast: Cast, event: Event, got: Receiver) -> None:
    hook(cast, got, event)
    open_registration(event=event, by=cast.organizer, now=LATER)
    for _time in range(2):
        tell(chain=event.public_id, now=LATER)
    jobs.run_due(LATER)
    assert len(got.got) == Delivery.objects.count() == 1


def test_a_failed_delivery_is_retried_with_growing_waits_and_the_same_id(
    cast: Cast, event: Event, got: Receiver
) -> None:
    made, _secret = hook(cast, got, event)
    got.status = 500
    sent = send_test(webhook=made, now=NOW)
    now, waits = NOW, []
    for _attempt in range(3):
        jobs.run_due(now)
        sent.refresh_from_db()
        waits.append(sent.next_at - now)
        now = sent.next_at
    assert waits == BACKOFF[:3]
    assert (sent.status, sent.attempts, sent.answer) == ("pending", 3, 500)
    got.status = 200
    jobs.run_due(now)
    sent.refresh_from_db()
    made.refresh_from_db()
    assert (sent.status, sent.attempts, made.failing_since) == ("delivered", 4, None)
    assert {message.headers["webhook-id"] for message in got.got} == {sent.public_id}


def test_a_failing_message_does_not_hold_up_the_others(cast: Cast, event: Event, got: Receiver) -> None:
    made, _secret = hook(cast, got, event)
    got.status = 500
    bad = send_test(webhook=made, now=NOW)
    jobs.run_due(NOW)
    got.status = 204
    good = send_test(webhook=made, now=NOW + timedelta(seconds=1))
    jobs.run_due(NOW + timedelta(seconds=1))
    good.refresh_from_db()
    bad.refresh_from_db()
    assert (good.status, bad.status) == ("delivered", "pending")


def test_days_of_failures_switch_a_webhook_off_and_switching_it_on_sends_waiting_messages(
    cast: Cast, event: Event, got: Receiver
) -> None:
    made, _secret = hook(cast, got, event)
    got.status = 503
    sent = send_test(webhook=made, now=NOW)
    now = NOW
    for _attempt in range(len(BACKOFF) + 1):
        jobs.run_due(now)
        sent.refresh_from_db()
        now = sent.next_at
    made.refresh_from_db()
    assert (made.disabled_for, sent.status, sent.attempts) == ("failing", "failed", len(BACKOFF) + 1)
    with assert_refused("webhook_off"):
        send_test(webhook=made, now=now)
    with assert_refused("webhook_off"):
        resend(delivery=sent, now=now)
    tries = len(got.got)
    Delivery.objects.filter(pk=sent.pk).update(status="pending", next_at=now)
    got.status = 200
    jobs.run_due(now)
    assert len(got.got) == tries
    change_webhook(webhook=made, by=cast.organizer, active=True, now=now)
    jobs.run_due(now)
    sent.refresh_from_db()
    assert (sent.status, len(got.got)) == ("delivered", tries + 1)


def test_an_answer_410_switches_a_webhook_off_at_once(cast: Cast, event: Event, got: Receiver) -> None:
    made, _secret = hook(cast, got, event)
    got.status = 410
    send_test(webhook=made, now=NOW)
    jobs.run_due(NOW)
    made.refresh_from_db()
    assert made.disabled_for == "gone"


def test_secrets_are_not_stored_and_the_stored_seed_cannot_sign(cast: Cast, event: Event, got: Receiver) -> None:
    made, secret = hook(cast, got, event)
    kept = json.dumps(list(Webhook.objects.values()), default=str)
    assert secret not in kept and secret.removeprefix("whsec_") not in kept
    send_test(webhook=made, now=NOW)
    jobs.run_due(NOW)
    assert verified(secret, got) and not verified("whsec_" + base64.b64encode(made.secret.encode()).decode(), got)


def test_messages_are_signed_with_both_keys_while_the_old_one_is_a_fallback(
    cast: Cast, event: Event, got: Receiver, settings: Any
) -> None:
    made, secret = hook(cast, got, event)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "n" * 40, [settings.SECRET_KEY]
    send_test(webhook=made, now=NOW)
    jobs.run_due(NOW)
    assert verified(secret, got) and verified(secret_of(made.secret), got) and secret_of(made.secret) != secret


def test_a_secret_stored_by_an_earlier_version_still_signs() -> None:
    kept = "whsec_" + base64.b64encode(b"k" * 32).decode()
    assert secrets_of(kept) == [kept]


def test_both_secrets_sign_for_a_day_after_a_rotation(cast: Cast, event: Event, got: Receiver) -> None:
    made, old = hook(cast, got, event)
    new = rotate_secret(webhook=made, by=cast.organizer, now=NOW)
    for at, both in ((NOW + timedelta(hours=23), True), (NOW + timedelta(hours=25), False)):
        send_test(webhook=made, now=at)
        jobs.run_due(at)
        assert verified(new, got) and verified(old, got) is both
    assert new != old and new.startswith("whsec_")


def test_a_delivery_can_be_sent_again_with_the_same_id(cast: Cast, event: Event, got: Receiver) -> None:
    made, _secret = hook(cast, got, event)
    sent = send_test(webhook=made, now=NOW)
    jobs.run_due(NOW)
    sent.refresh_from_db()
    resend(delivery=sent, now=LATER)
    jobs.run_due(LATER)
    first, second = got.got
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body == body_of(sent)


def test_nothing_is_sent_to_a_deleted_webhook(cast: Cast, event: Event, got: Receiver) -> None:
    made, _secret = hook(cast, got, event)
    send_test(webhook=made, now=NOW)
    delete_webhook(webhook=made, by=cast.organizer, now=NOW)
    jobs.run_due(LATER)
    assert got.got == [] and not Delivery.objects.exists()


def test_nothing_is_sent_to_a_receiver_inside_the_network(cast: Cast, event: Event, settings: Any) -> None:
    settings.WEBHOOK_LOCALHOST = True
    with receiver() as inside:
        made, _secret = hook(cast, inside, event)
        settings.WEBHOOK_LOCALHOST = False
        Webhook.objects.filter(pk=made.pk).update(url=f"https://127.0.0.1:{inside.port}/")
        sent = send_test(webhook=made, now=NOW)
        jobs.run_due(NOW)
        sent.refresh_from_db()
    assert (sent.status, sent.answer, sent.error, inside.got) == ("pending", None, "address_refused", [])


def test_urls_kinds_and_the_number_of_webhooks_are_checked(cast: Cast, event: Event) -> None:
    def make(url: str = "https://example.com/", kinds: tuple[str, ...] = ("round",)) -> None:
        make_webhook(by=cast.organizer, url=url, kinds=kinds, event=event, now=NOW)

    with assert_refused("webhook_url_invalid"):
        make("http://example.com/")
    for kinds in ((), ("nonsense",)):
        with assert_refused("kind_unknown"):
            make(kinds=kinds)
    for _number in range(10):
        make()
    with assert_refused("too_many_webhooks"):
        make()
    make_webhook(by=cast.organizer, url="https://example.com/", kinds=["round"], now=NOW)


def test_only_those_who_manage_a_webhook_can_access_it(cast: Cast, event: Event) -> None:
    url = "https://example.com/"
    of_event, _ = make_webhook(by=cast.organizer, url=url, kinds=["round"], event=event, now=NOW)
    of_account, _ = make_webhook(by=cast.organizer, url=url, kinds=["round"], now=NOW)
    for made in (of_event, of_account):
        assert webhook_for_owner(cast.organizer, made.public_id) == made
        with pytest.raises(Http404):
            webhook_for_owner(cast.stranger, made.public_id)
    with assert_refused("role_too_low"):
        webhook_for_owner(cast.scorekeeper, of_event.public_id)


def test_the_ledger_holds_the_id_of_a_webhook_but_not_its_url_or_secret(cast: Cast, event: Event) -> None:
    made, secret = make_webhook(
        by=cast.organizer, url="https://example.com/hidden", kinds=["round"], event=event, now=NOW
    )
    rotate_secret(webhook=made, by=cast.organizer, now=NOW)
    written = json.dumps(list(LedgerEntry.objects.filter(object=made.public_id).values("code", "before", "after")))
    assert "webhook.made" in written and "webhook.secret_turned" in written
    assert "example.com" not in written and secret not in written


def test_every_ledger_code_belongs_to_a_kind_of_webhook_message() -> None:
    said = re.compile(r"\"([a-z]+)\.[a-z_]+\"")
    topics = {
        found
        for path in python_files("tournaments")
        if path.name == "ledger.py" and path.parent.name == "words"
        for found in said.findall(path.read_text().partition("LEDGER")[2])
    }
    assert topics and topics <= set(KINDS)


def test_finished_deliveries_are_deleted_after_a_month(cast: Cast, event: Event, got: Receiver) -> None:
    made, _secret = hook(cast, got, event)
    old = send_test(webhook=made, now=NOW)
    jobs.run_due(NOW)
    later: datetime = NOW + timedelta(days=31)
    send_test(webhook=made, now=later)
    jobs.run_due(later)
    assert not Delivery.objects.filter(pk=old.pk).exists() and Delivery.objects.count() == 1
