"""Webhooks of Discord and Slack: in words, about what the public may know, and harmless whatever people typed."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import NOW, a_published_round, a_running_event, an_event, match_of, play_out
from tests.cast import Cast
from tests.common.receiver import Receiver, receiver
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person, stay_off_stream
from tournaments.announcements.services import announce
from tournaments.common import jobs
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility, open_registration
from tournaments.integrations.chat import LONGEST, written
from tournaments.integrations.models import Delivery, Webhook
from tournaments.integrations.services import change_webhook, make_webhook, rotate_secret, send_test
from tournaments.play import services as play

pytestmark = pytest.mark.django_db
EARLIER = NOW - timedelta(minutes=1)
LATER = NOW + timedelta(minutes=1)
PATHS = {"discord": "/api/webhooks/1/secret", "slack": "/services/T1/B1/secret"}
KINDS = ["event", "round", "result", "announcement"]


@pytest.fixture
def channel(settings: Any) -> Iterator[Receiver]:
    """A channel's server on this machine."""
    settings.WEBHOOK_LOCALHOST = True
    with receiver() as server:
        yield server


def hook(cast: Cast, channel: Receiver, event: Event | None, format: str = "discord") -> Webhook:
    url = f"http://localhost:{channel.port}{PATHS[format]}"
    return make_webhook(by=cast.organizer, url=url, kinds=KINDS, event=event, format=format, now=EARLIER)[0]


def said(channel: Receiver, now=LATER) -> list[str]:
    """Run the due jobs; return the first lines of the new messages, without the link at the end."""
    channel.got.clear()
    jobs.run_due(now)
    bodies = [json.loads(message.body) for message in channel.got]
    return [body.get("content", body.get("text")).rsplit("\n", 1)[0] for body in bodies]


@pytest.fixture
def event(cast: Cast) -> Event:
    made = a_running_event(cast, players=2)
    jobs.run_due(NOW)
    return made


def closed(event: Event, cast: Cast) -> None:
    round_ = a_published_round(event, cast.organizer)
    play_out(round_, cast.organizer)  # and the round is closed


@pytest.mark.parametrize("format", ["discord", "slack"])
def test_a_channel_is_told_that_registration_is_open_with_a_link(cast: Cast, channel: Receiver, format: str) -> None:
    event = an_event(cast)
    hook(cast, channel, event, format)
    open_registration(event=event, by=cast.organizer, now=LATER)
    assert said(channel)[-1] == "Registration is open: Spring Open"
    message = channel.got[-1]
    assert message.path == PATHS[format] and f"/e/{event.public_id}/" in message.body.decode()
    assert "webhook-signature" not in message.headers
    assert Delivery.objects.get().status == "delivered"


def test_a_closed_round_is_told_with_its_standings(cast: Cast, event: Event, channel: Receiver) -> None:
    hook(cast, channel, event)
    closed(event, cast)
    (over,) = [text for text in said(channel) if "is over" in text]
    first, *rows = over.split("\n")
    assert first == "Round 1 of Spring Open is over."
    assert len(rows) == 2 and rows[0].startswith("1. Player ") and r"\(3\)" in rows[0]


def test_standings_hidden_from_the_public_are_not_told(cast: Cast, event: Event, channel: Receiver) -> None:
    choose_visibility(event=event, cells={"standings.public.swiss": "never"}, by=cast.organizer, now=NOW)
    hook(cast, channel, event)
    closed(event, cast)
    assert "Round 1 of Spring Open is over." in said(channel)


def test_the_names_of_players_who_keep_off_screens_are_withheld(cast: Cast, event: Event, channel: Receiver) -> None:
    stay_off_stream(person=own_person(cast.player), off=True)
    hook(cast, channel, event)
    closed(event, cast)
    told = "\n".join(said(channel))
    assert "name withheld" in told and "Player 2" in told and "Player 1 " not in told


def test_a_round_that_was_withdrawn_meanwhile_is_not_told(cast: Cast, event: Event, channel: Receiver) -> None:
    hook(cast, channel, event)
    round_ = a_published_round(event, cast.organizer)
    play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)
    assert not [text for text in said(channel) if "published" in text]


def test_a_contested_result_is_told_without_names(cast: Cast, event: Event, channel: Receiver) -> None:
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    jobs.run_due(NOW)
    hook(cast, channel, event)
    report = play.report_result(match=match, by=cast.player, games=[2, 0, 0], now=LATER)
    play.contest_result(match=match, report=report, by=cast.opponent, reason="Player 1 miscounted", now=LATER)
    assert said(channel)[-1] == "A result is contested: Spring Open"


def test_the_winner_of_an_event_is_told_in_the_owners_language(cast: Cast, event: Event, channel: Receiver) -> None:
    closed(event, cast)
    jobs.run_due(LATER)
    User.objects.filter(pk=cast.organizer.pk).update(language="fr")
    hook(cast, channel, event)
    after = LATER + timedelta(minutes=1)
    play.finish_event(event=event, by=cast.organizer, now=after)
    told = said(channel, after)[-1]
    assert told.startswith("Spring Open est terminé.\nVainqueur") and "Player" in told


def test_an_announcement_to_all_is_told_and_one_to_a_table_is_not(cast: Cast, event: Event, channel: Receiver) -> None:
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    jobs.run_due(NOW)
    hook(cast, channel, event)
    announce(event=event, text="@everyone *Lunch* <!channel>", by=cast.organizer, now=LATER)
    announce(event=event, text="Come here", table=match.table, by=cast.organizer, now=LATER)
    told = said(channel)[-1]
    assert told == "Announcement: Spring Open\n@\u200beveryone \\*Lunch\\* \\<!channel\\>"
    assert json.loads(channel.got[-1].body)["allowed_mentions"] == {"parse": []}


def test_nothing_that_people_type_mentions_anybody_or_is_markup() -> None:
    typed = ["@everyone <!channel> <@U1> **bold** `code` [a](b) & # head", "two\nlines \u202e"]
    discord = written("discord", typed, "https://x.example/")["content"]
    assert r"\<!channel\>" in discord and "@everyone" not in discord and r"\*\*bold\*\*" in discord
    assert r"\[a\]\(b\)" in discord and "two lines" in discord and "\u202e" not in discord
    slack = written("slack", typed, "https://x.example/")
    assert "&lt;!channel&gt;" in slack["text"] and "<" not in slack["text"] and slack["mrkdwn"] is False


@pytest.mark.parametrize("format", ["discord", "slack"])
def test_a_message_is_never_too_long_for_its_service(format: str) -> None:
    body = written(format, ["first", *["*&<" * 200] * 20], "https://x.example/")
    text = body.get("content", body.get("text"))
    assert text.startswith("first") and "x.example" in text and len(text) <= LONGEST[format]


@pytest.mark.parametrize(
    ("format", "url"),
    [
        ("discord", "https://example.com/api/webhooks/1/x"), ("discord", "https://discord.com/channels/1"),
        ("slack", "https://discord.com/api/webhooks/1/x"), ("slack", "https://hooks.slack.com/workflows/1"),
        ("slack", "https://hooks.slack.com.example.com/services/1"),
    ],
)  # fmt: skip
def test_the_address_must_be_that_of_the_service(cast: Cast, format: str, url: str) -> None:
    with assert_refused("webhook_url_invalid"):
        make_webhook(by=cast.organizer, url=url, kinds=KINDS, format=format, now=NOW)


def test_the_format_is_chosen_once_and_has_no_secret_for_a_channel(cast: Cast) -> None:
    url = "https://discord.com/api/webhooks/1/x"
    webhook, secret = make_webhook(by=cast.organizer, url=url, kinds=KINDS, format="discord", now=NOW)
    assert secret == ""
    with assert_refused("webhook_unsigned"):
        rotate_secret(webhook=webhook, by=cast.organizer, now=NOW)
    with assert_refused("webhook_url_invalid"):
        change_webhook(webhook=webhook, by=cast.organizer, url="https://example.com/", now=NOW)
    with assert_refused("format_unknown"):
        make_webhook(by=cast.organizer, url=url, kinds=KINDS, format="irc", now=NOW)


def test_a_busy_channel_is_left_alone_for_as_long_as_it_asks(cast: Cast, event: Event, channel: Receiver) -> None:
    webhook = hook(cast, channel, event)
    Webhook.objects.update(created_at=LATER)
    channel.status, channel.headers = 429, {"retry-after": "90.5"}
    send_test(webhook=webhook, now=LATER)
    said(channel)
    assert Delivery.objects.order_by("pk")[0].next_at == LATER + timedelta(seconds=91)
    channel.status = 204
    assert said(channel, LATER + timedelta(seconds=89)) == []
    assert len(said(channel, LATER + timedelta(seconds=92))) == 1


def test_a_webhook_that_was_deleted_at_the_service_is_switched_off(cast: Cast, event: Event, channel: Receiver) -> None:
    webhook = hook(cast, channel, event)
    channel.status = 404
    send_test(webhook=webhook, now=LATER)
    said(channel)
    webhook.refresh_from_db()
    assert webhook.disabled_for == "gone"
