"""Push notifications: what they say, to which devices, and at most once, read from a local server as browsers do."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event, match_of
from tests.cast import Cast, account
from tests.common.receiver import Receiver, receiver
from tests.notices.browser import Browser
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.accounts.services import erase_account, own_person, stay_off_stream
from tournaments.announcements.services import announce
from tournaments.common import jobs
from tournaments.common.models import Job
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility, register
from tournaments.judging.services import call_judge, claim_call
from tournaments.notices.devices import MOST, add_device, try_device
from tournaments.notices.models import Channel, Kind, PushSubscription
from tournaments.notices.pushing import AT_ONCE, GIVE_UP, push
from tournaments.notices.sealing import public_key
from tournaments.notices.selectors import wanted_kinds
from tournaments.notices.services import choose_notices
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: Any) -> Iterator[Receiver]:
    """A push service on this machine."""
    settings.WEBHOOK_LOCALHOST = True
    with receiver() as server:
        yield server


def browser_of(user: User, service: Receiver, name: str = "a") -> Browser:
    """A browser that shows the notifications of an account, known to a push service by its name."""
    browser = Browser(f"http://localhost:{service.port}/{name}")
    add_device(user=user, browser="Firefox · Android", now=NOW, **browser.subscription())
    return browser


def pushed(service: Receiver, browser: Browser, now=NOW) -> list[tuple[str, str]]:
    """Run the due jobs; return titles and texts that the browser was sent."""
    service.got.clear()
    jobs.run_due(now)
    path = urlsplit(browser.endpoint).path
    read = [browser.read(message.body) for message in service.got if message.path == path]
    return [(message["title"], message["body"]) for message in read]


@pytest.fixture
def event(cast: Cast) -> Event:
    made = a_running_event(cast, players=2)
    jobs.run_due(NOW)
    return made


def test_a_player_is_notified_of_their_table_when_a_round_is_published(
    cast: Cast, event: Event, service: Receiver
) -> None:
    browser = browser_of(cast.player, service)
    round_ = a_published_round(event, cast.organizer)
    table = match_of(round_, cast.player).table
    said = f"You play at table {table} against Player 2."
    assert pushed(service, browser) == [("Round 1 of Spring Open: your table", said)]
    shown = browser.read(service.got[0].body)
    assert shown["path"] == f"/e/{event.public_id}/me/" and shown["lang"] == "en" and shown["icon"].endswith(".png")


def test_a_push_is_signed_urgent_and_kept_no_longer_than_the_round(
    cast: Cast, event: Event, service: Receiver, settings: Any
) -> None:
    settings.CONTACT = "Our Club <desk@example.org>"
    browser = browser_of(cast.player, service)
    a_published_round(event, cast.organizer)
    pushed(service, browser)
    headers = service.got[0].headers
    assert (headers["ttl"], headers["urgency"], headers["content-encoding"]) == ("3600", "high", "aes128gcm")
    assert headers["topic"] == browser.read(service.got[0].body)["tag"] and len(headers["topic"]) <= 32
    token, key = headers["authorization"].removeprefix("vapid ").replace("t=", "").replace("k=", "").split(",")
    assert key == public_key()
    point = base64.urlsafe_b64decode(key + "=")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    claims = jwt.decode(
        token, public, ["ES256"], audience=f"http://localhost:{service.port}", options={"verify_exp": False}
    )
    assert claims["sub"] == "mailto:desk@example.org" and claims["exp"] == int((NOW + timedelta(hours=12)).timestamp())


def test_a_push_says_no_more_than_the_public_page_when_pairings_are_hidden(
    cast: Cast, event: Event, service: Receiver
) -> None:
    choose_visibility(event=event, cells={"pairings.public.swiss": "never"}, by=cast.organizer, now=NOW)
    browser = browser_of(cast.player, service)
    a_published_round(event, cast.organizer)
    assert pushed(service, browser) == [("Round 1 of Spring Open: your table", "Round 1 is published.")]


def test_a_push_withholds_the_names_of_players_who_keep_off_screens(
    cast: Cast, event: Event, service: Receiver
) -> None:
    for user in (cast.player, cast.opponent):
        stay_off_stream(person=own_person(user), off=True)
    browser = browser_of(cast.player, service)
    a_published_round(event, cast.organizer)
    ((_title, said),) = pushed(service, browser)
    assert said.startswith("You play at table ") and said.endswith(" against name withheld.")


def test_an_announcement_for_one_table_is_not_on_the_screen_of_a_phone(
    cast: Cast, event: Event, service: Receiver
) -> None:
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    jobs.run_due(NOW)
    browser = browser_of(cast.player, service)
    announce(event=event, text="Lunch at noon", by=cast.organizer, now=NOW)
    announce(event=event, text="Come to the desk", table=match.table, by=cast.organizer, now=NOW)
    assert pushed(service, browser) == [
        ("Announcement: Spring Open", "Lunch at noon"),
        ("Announcement: Spring Open", "Open Arbitre to read it."),
    ]
    assert len({message.headers["topic"] for message in service.got}) == 2, "neither replaces the other"


def test_a_player_who_called_is_notified_that_a_judge_comes_but_not_by_email(
    cast: Cast, event: Event, service: Receiver
) -> None:
    User.objects.update(email_confirmed_at=NOW)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    jobs.run_due(NOW)
    mail.outbox.clear()
    browser, other = browser_of(cast.player, service), browser_of(cast.opponent, service, "b")
    call = call_judge(match=match, by=cast.player, now=NOW)
    claim_call(call=call, by=cast.judge, now=NOW)
    assert pushed(service, browser) == [("A judge is on the way: Spring Open", "Stay at your table.")]
    assert pushed(service, other) == [] and not mail.outbox
    assert service.got == []


def test_a_push_is_in_the_language_of_its_account(cast: Cast, service: Receiver) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    jobs.run_due(NOW)
    User.objects.filter(pk=cast.player.pk).update(language="it")
    browser = browser_of(cast.player, service)
    announce(event=event, text="Pranzo", by=cast.organizer, now=NOW)
    assert pushed(service, browser) == [("Annuncio: Spring Open", "Pranzo")]


def test_each_device_of_an_account_is_notified_only_once(cast: Cast, event: Event, service: Receiver) -> None:
    first, second = browser_of(cast.player, service), browser_of(cast.player, service, "b")
    a_published_round(event, cast.organizer)
    job = Job.objects.get(kind="notices.push", status=Job.Status.PENDING)
    assert len(pushed(service, first)) == 1 and {message.path for message in service.got} == {"/a", "/b"}
    second.read(next(message.body for message in service.got if message.path == "/b"))
    service.got.clear()
    push(**job.payload, now=NOW)
    assert service.got == []


def test_no_job_is_enqueued_when_nobody_has_a_device(cast: Cast, event: Event) -> None:
    a_published_round(event, cast.organizer)
    assert not Job.objects.filter(kind="notices.push").exists()


def test_nobody_is_notified_of_withdrawn_pairings_or_hours_late(cast: Cast, event: Event, service: Receiver) -> None:
    browser = browser_of(cast.player, service)
    round_ = a_published_round(event, cast.organizer)
    assert pushed(service, browser, NOW + timedelta(hours=7)) == []
    play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)
    assert pushed(service, browser) == []


def test_each_kind_can_be_switched_off_for_each_channel(cast: Cast, event: Event, service: Receiver) -> None:
    User.objects.update(email_confirmed_at=NOW)
    browser = browser_of(cast.player, service)
    choose_notices(user=cast.player, kinds=[Kind.EVENT], channel=Channel.PUSH)
    mail.outbox.clear()
    a_published_round(event, cast.organizer)
    assert pushed(service, browser) == []
    assert "player.1@example.com" in [letter.to[0] for letter in mail.outbox]
    assert Kind.PAIRING in wanted_kinds(cast.player)
    with assert_refused("notice_unknown"):
        choose_notices(user=cast.player, kinds=[Kind.CALL])


def test_a_subscription_that_is_over_is_deleted_and_letters_are_sent_all_the_same(
    cast: Cast, event: Event, service: Receiver
) -> None:
    User.objects.update(email_confirmed_at=NOW)
    browser_of(cast.player, service)
    browser_of(cast.opponent, service, "b")
    service.statuses["/a"] = 410
    mail.outbox.clear()
    a_published_round(event, cast.organizer)
    jobs.run_due(NOW)
    assert [device.user for device in PushSubscription.objects.all()] == [cast.opponent]
    assert len(mail.outbox) == 2


def test_a_busy_push_service_is_asked_again_for_the_device_it_put_off(
    cast: Cast, event: Event, service: Receiver
) -> None:
    browser = browser_of(cast.player, service)
    browser_of(cast.opponent, service, "b")
    service.statuses["/a"] = 503
    a_published_round(event, cast.organizer)
    jobs.run_due(NOW)
    assert PushSubscription.objects.get(user=cast.player).failing_since == NOW
    service.statuses.clear()
    assert len(pushed(service, browser, NOW + timedelta(minutes=2))) == 1
    assert len(service.got) == 1, "the other one has it"
    assert PushSubscription.objects.get(user=cast.player).failing_since is None


def test_a_device_is_given_up_after_days_of_failures(cast: Cast, event: Event, service: Receiver) -> None:
    browser_of(cast.player, service)
    service.status = 400
    for days, left in ((0, 1), (2, 1), (3, 0)):
        now = NOW + timedelta(days=days)
        announce(event=event, text=f"Day {days}", by=cast.organizer, now=now)
        jobs.run_due(now)
        assert PushSubscription.objects.count() == left
    assert timedelta(days=3) == GIVE_UP


def test_many_devices_are_notified_in_parallel_but_not_all_at_once(cast: Cast, event: Event, service: Receiver) -> None:
    for number in range(MOST):
        browser_of(cast.player, service, f"a{number}")
        browser_of(cast.opponent, service, f"b{number}")
    service.pause = 0.1
    a_published_round(event, cast.organizer)
    jobs.run_due(NOW)
    assert len(service.got) == 2 * MOST and 1 < service.most <= AT_ONCE


def test_a_guardian_gets_one_push_for_all_their_players(cast: Cast, service: Receiver) -> None:
    event = an_open_event(cast)
    child = account("Player 7")
    an_entrant(event, cast.player)
    register(event=event, person=own_person(child), by=child, now=NOW)
    person = own_person(child)
    person.account = cast.player
    person.save()
    jobs.run_due(NOW)
    browser = browser_of(cast.player, service)
    announce(event=event, text="Lunch at noon", by=cast.organizer, now=NOW)
    assert pushed(service, browser) == [("Announcement: Spring Open", "Lunch at noon")]


def test_only_the_subscription_of_a_browser_at_a_public_address_is_taken(cast: Cast) -> None:
    good = Browser().subscription()
    for wrong in (
        {"endpoint": "http://push.example.com/"}, {"endpoint": "https://"}, {"endpoint": "http://localhost/"},
        {"p256dh": ""}, {"p256dh": "AAAA"}, {"p256dh": good["p256dh"] + "=" * 90}, {"p256dh": "é"},
        {"auth": "AAAA"}, {"auth": good["p256dh"]},
    ):  # fmt: skip
        with assert_refused("subscription_invalid"):
            add_device(user=cast.player, browser="", now=NOW, **{**good, **wrong})


def test_a_push_to_a_private_address_is_not_sent(cast: Cast, event: Event, service: Receiver, settings: Any) -> None:
    browser_of(cast.player, service)
    settings.WEBHOOK_LOCALHOST = False
    PushSubscription.objects.update(endpoint=f"https://127.0.0.1:{service.port}/a")
    a_published_round(event, cast.organizer)
    jobs.run_due(NOW)
    assert service.got == [] and PushSubscription.objects.get().failing_since == NOW


def test_an_account_has_twenty_devices_and_a_device_has_one_account(cast: Cast) -> None:
    for number in range(MOST):
        subscription = Browser(f"https://push.example.com/{number}").subscription()
        add_device(user=cast.player, browser="", now=NOW, **subscription)
    with assert_refused("too_many_devices"):
        add_device(user=cast.player, browser="", now=NOW, **Browser().subscription())
    add_device(user=cast.player, browser="again", now=NOW, **subscription)
    add_device(user=cast.opponent, browser="", now=NOW, **subscription)
    assert (cast.player.push_subscriptions.count(), cast.opponent.push_subscriptions.count()) == (MOST - 1, 1)


def with_device(user: User, service: Receiver) -> tuple[Client, Browser]:
    """A browser that signed in, and turned notifications on there."""
    client, browser = signed_in(user), Browser(f"http://localhost:{service.port}/a")
    answer = client.post(address("device_add"), browser.subscription(), headers={"user-agent": FIREFOX})
    assert answer.status_code == 302
    return client, browser


FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0"


def test_a_browser_that_signs_out_gets_no_more_notifications(cast: Cast, service: Receiver) -> None:
    client, _browser = with_device(cast.player, service)
    assert "Firefox Mobile · Android" in text(client.get(address("account_notices")))
    client.post(address("sign_out"))
    assert not PushSubscription.objects.exists()


def test_a_browser_whose_session_ended_gets_no_notification(cast: Cast, event: Event, service: Receiver) -> None:
    _client, browser = with_device(cast.player, service)
    Session.objects.all().delete()
    a_published_round(event, cast.organizer)
    assert pushed(service, browser) == []


def test_changing_the_password_keeps_the_notifications_of_that_browser(
    cast: Cast, event: Event, service: Receiver
) -> None:
    cast.player.set_password("an old password")
    cast.player.save()
    client, browser = with_device(cast.player, service)
    new = "a new password"
    form = {"oldpassword": "an old password", "password1": new, "password2": new}
    assert client.post(address_of_password(), form).status_code == 302
    client.get(address("account_notices"))
    a_published_round(event, cast.organizer)
    assert len(pushed(service, browser)) == 1


def address_of_password() -> str:
    from django.urls import reverse

    return reverse("account_change_password")


def test_devices_are_in_the_data_export_without_keys_and_go_with_the_account(cast: Cast, service: Receiver) -> None:
    client, browser = with_device(cast.player, service)
    kept = json.loads(client.get(address("account_data")).content)
    assert [device["push_service"] for device in kept["devices"]] == [browser.endpoint] and kept["push_notices"]
    assert browser.subscription()["auth"] not in json.dumps(kept)
    erase_account(user=cast.player, now=NOW)
    assert not PushSubscription.objects.exists()


def test_a_device_can_be_tried_and_removed_without_javascript_by_its_owner_only(cast: Cast, service: Receiver) -> None:
    client, browser = with_device(cast.player, service)
    device = PushSubscription.objects.get()
    for action in ("test", "remove"):
        assert signed_in(cast.opponent).post(address("device_action", device.public_id, action)).status_code == 404
    client.post(address("device_action", device.public_id, "test"))
    ((title, _said),) = pushed(service, browser, NOW + timedelta(days=3650))
    assert title == "Notifications work"
    client.post(address("device_action", device.public_id, "remove"))
    assert not PushSubscription.objects.exists()


def test_a_test_for_a_removed_device_does_nothing(cast: Cast, service: Receiver) -> None:
    browser = browser_of(cast.player, service)
    device = PushSubscription.objects.get()
    try_device(device=device, now=NOW)
    device.delete()
    assert pushed(service, browser) == []


def test_choosing_notifications_on_the_page_sets_both_channels(cast: Cast) -> None:
    client = signed_in(cast.player)
    client.post(address("account_notices"), {"kinds": ["event"], "push": ["pairing", "call"]})
    assert wanted_kinds(cast.player) == ["event"]
    assert wanted_kinds(cast.player, Channel.PUSH) == ["pairing", "call"]
    assert client.post(address("account_notices"), {"push": ["rain"]}).status_code == 422
