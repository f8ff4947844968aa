"""Webhooks on pages: those of an event, and those of an account."""

from typing import Any

import pytest
from django.test import Client

from tests.builders import an_event
from tests.cast import Cast
from tests.common.receiver import receiver
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.common import clock, jobs
from tournaments.integrations.models import Webhook
from tournaments.integrations.services import make_webhook, send_test
from tournaments.integrations.signing import secret_of

pytestmark = pytest.mark.django_db
FORM = {"url": "https://example.com/told", "kinds": ["round", "result"]}


def test_an_organizer_creates_a_webhook_and_sees_its_secret_once(cast: Cast) -> None:
    event = an_event(cast)
    client = signed_in(cast.organizer)
    page = address("event_webhooks", event.public_id)
    assert page in text(client.get(address("staff", event.public_id)))
    assert "No webhooks yet" in text(client.get(page))
    made = text(client.post(page, FORM))
    (webhook,) = Webhook.objects.all()
    assert secret_of(webhook.secret) in made and webhook.secret not in made and made.count("whsec_") == 1
    assert secret_of(webhook.secret) not in text(client.get(address("webhook", webhook.public_id)))
    assert FORM["url"] in text(client.get(page))
    turned = text(client.post(address("webhook_action", webhook.public_id, "secret")))
    fresh = Webhook.objects.get()
    assert secret_of(fresh.secret) in turned and secret_of(webhook.secret) not in turned


def test_an_invalid_address_is_refused_and_the_input_is_kept(cast: Cast) -> None:
    page = address("event_webhooks", an_event(cast).public_id)
    answer = signed_in(cast.organizer).post(page, {**FORM, "url": "http://example.com/plain"})
    assert answer.status_code == 422 and "http://example.com/plain" in text(answer)
    assert signed_in(cast.organizer).post(page, {"url": "https://example.com"}).status_code == 422


def test_deliveries_show_their_outcome_and_can_be_resent(cast: Cast, settings: Any) -> None:
    settings.WEBHOOK_LOCALHOST = True
    client = signed_in(cast.organizer)
    with receiver() as got:
        webhook, _secret = make_webhook(by=cast.organizer, url=got.url, kinds=["round"], now=clock.now())
        page = address("webhook", webhook.public_id)
        got.status = 500
        client.post(address("webhook_action", webhook.public_id, "test"))
        jobs.run_due(clock.now())
        failed = text(client.get(page))
        assert "HTTP 500" in failed and "Every attempt has failed since" in failed
        got.status = 204
        webhook.deliveries.update(status="failed")
        delivery = webhook.deliveries.get()
        client.post(address("webhook_resend", webhook.public_id, delivery.public_id))
        jobs.run_due(clock.now())
        assert "accepted" in text(client.get(page)) and len(got.got) == 2


def test_a_webhook_can_be_disabled_enabled_changed_and_deleted(cast: Cast) -> None:
    client = signed_in(cast.organizer)
    client.post(address("webhooks"), FORM)
    webhook = Webhook.objects.get()
    page = address("webhook", webhook.public_id)
    client.post(address("webhook_action", webhook.public_id, "off"))
    assert "turned off" in text(client.get(page))
    client.post(address("webhook_action", webhook.public_id, "on"))
    client.post(address("webhook_action", webhook.public_id, "change"), {**FORM, "kinds": ["log"]})
    webhook.refresh_from_db()
    assert (webhook.disabled_at, webhook.kinds) == (None, ["log"])
    assert client.post(address("webhook_action", webhook.public_id, "nothing")).status_code == 404
    assert client.post(address("webhook_action", webhook.public_id, "delete")).url == address("webhooks")
    assert not Webhook.objects.exists()


def test_a_webhook_disabled_after_failures_says_so(cast: Cast) -> None:
    event = an_event(cast)
    webhook, _ = make_webhook(by=cast.organizer, url=FORM["url"], kinds=["log"], event=event, now=clock.now())
    Webhook.objects.update(disabled_at=clock.now(), disabled_for="failing", failing_since=clock.now())
    client = signed_in(cast.organizer)
    assert "two days of failures" in text(client.get(address("event_webhooks", event.public_id)))
    assert "Nothing is sent any more" in text(client.get(address("webhook", webhook.public_id)))


def test_only_organizers_can_manage_webhooks(cast: Cast) -> None:
    event = an_event(cast)
    webhook, _ = make_webhook(by=cast.organizer, url=FORM["url"], kinds=["log"], event=event, now=clock.now())
    own, _ = make_webhook(by=cast.organizer, url=FORM["url"], kinds=["log"], now=clock.now())
    pages = [address("event_webhooks", event.public_id), address("webhook", webhook.public_id)]
    action = address("webhook_action", webhook.public_id, "secret")
    for page in pages:
        assert signed_in(cast.organizer).get(page).status_code == 200
        assert signed_in(cast.scorekeeper).get(page).status_code == 403
        assert signed_in(cast.stranger).get(page).status_code == 404
        assert Client().get(page).status_code == 302
    assert signed_in(cast.scorekeeper).post(action).status_code == 403
    assert signed_in(cast.stranger).post(action).status_code == 404
    assert signed_in(cast.stranger).get(address("webhook", own.public_id)).status_code == 404
    assert own.public_id not in text(signed_in(cast.stranger).get(address("webhooks")))


def test_the_number_of_queries_does_not_grow_with_the_deliveries(cast: Cast) -> None:
    webhook, _ = make_webhook(by=cast.organizer, url=FORM["url"], kinds=["log"], now=clock.now())
    client, page = signed_in(cast.organizer), address("webhook", webhook.public_id)
    send_test(webhook=webhook, now=clock.now())
    few = queries_of(client, page)
    for _number in range(5):
        send_test(webhook=webhook, now=clock.now())
    assert queries_of(client, page) == few
