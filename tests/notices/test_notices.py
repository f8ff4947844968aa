"""E-mail notifications: who gets which, only once, in which language, and how to unsubscribe."""

import smtplib
from collections.abc import Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_open_event, match_of, play_out
from tests.cast import Cast, account
from tests.decks.test_rechecks import a_list, cards_of_demonstration, choose, imported, without
from tournaments.accounts.models import Person, User
from tournaments.accounts.services import own_person
from tournaments.announcements.services import announce
from tournaments.audits import disputes
from tournaments.common import jobs
from tournaments.common.models import Job, LedgerEntry, PostedLetter
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import cancel_event, register
from tournaments.notices.models import Kind
from tournaments.notices.notifications import NOTIFICATIONS, Addressed
from tournaments.notices.selectors import wanted_kinds
from tournaments.notices.services import choose_notices, tell, unsubscribe_path
from tournaments.play import services as play
from tournaments.play.models import Seat

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _addresses_confirmed(cast: Cast) -> None:
    User.objects.update(email_confirmed_at=NOW)


def told(now=NOW) -> list[tuple[str, str]]:
    """Run the due jobs and return the recipients and subjects of the e-mails that they sent."""
    mail.outbox.clear()
    jobs.run_due(now)
    return sorted((letter.to[0], letter.subject) for letter in mail.outbox)


def test_players_are_notified_of_their_table_and_opponent(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    told()
    round_ = a_published_round(event, cast.organizer)
    assert told() == [
        ("player.1@example.com", "Round 1 of Spring Open: your table"),
        ("player.2@example.com", "Round 1 of Spring Open: your table"),
    ]
    table = match_of(round_, cast.player).table
    assert any(f"You play at table {table} against Player 2." in letter.body for letter in mail.outbox)


def test_a_player_with_a_bye_is_notified(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    User.objects.update(email_confirmed_at=NOW)
    told()
    a_published_round(event, cast.organizer)
    told()
    assert sum("You sit out round 1" in letter.body for letter in mail.outbox) == 1


def test_publishing_a_round_enqueues_a_single_job(cast: Cast) -> None:
    event = a_running_event(cast, players=6)
    told()
    a_published_round(event, cast.organizer)
    assert Job.objects.filter(kind="notices.tell", status=Job.Status.PENDING).count() == 1
    assert PostedLetter.objects.filter(key__contains=":round").count() == 0


def test_nobody_is_notified_twice_when_the_job_runs_again(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    told()
    a_published_round(event, cast.organizer)
    job = Job.objects.get(kind="notices.tell", status=Job.Status.PENDING)
    assert len(told()) == 2
    mail.outbox.clear()
    tell(**job.payload, now=NOW)
    assert not mail.outbox


def test_nobody_is_notified_of_withdrawn_pairings(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    told()
    round_ = a_published_round(event, cast.organizer)
    play.unpublish_round(round_=round_, by=cast.organizer, now=NOW)
    assert told() == []


def test_players_swapped_in_published_pairings_are_told_their_new_tables(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    told()
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    first, second = (match.seats.get(number=1).entrant for match in draft.matches.all())
    play.swap_players(round_=draft, first=first, second=second, by=cast.organizer, now=NOW - timedelta(seconds=1))
    assert told() == [], "nobody knows of a draft"
    play.publish_round(round_=draft, by=cast.organizer, now=NOW)
    told()
    mail.outbox.clear()
    play.swap_players(round_=draft, first=first, second=second, by=cast.organizer, now=NOW + timedelta(seconds=1))
    subjects = {subject for _to, subject in told(NOW + timedelta(seconds=2))}
    assert subjects == {"Round 1 of Spring Open: another table"} and len(mail.outbox) == 2


def test_an_email_is_not_sent_hours_late(cast: Cast) -> None:
    a_published_round(a_running_event(cast, players=2), cast.organizer)
    assert told(NOW + timedelta(hours=7)) == []


def test_only_confirmed_addresses_of_accounts_that_want_it_get_emails(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    told()
    choose_notices(user=cast.player, kinds=[Kind.EVENT])
    User.objects.filter(pk=cast.opponent.pk).update(email_confirmed_at=None)
    a_published_round(event, cast.organizer)
    assert told() == []
    cancel_event(event=event, by=cast.organizer, now=NOW)
    assert told() == [("player.1@example.com", "Spring Open is cancelled")]


def test_a_guardian_gets_a_single_email_for_all_their_players(cast: Cast) -> None:
    event = an_open_event(cast)
    child = account("Player 7")
    an_entrant(event, cast.player)
    register(event=event, person=own_person(child), by=child, now=NOW)
    person = own_person(child)
    person.account = cast.player
    person.save()
    told()
    announce(event=event, text="Lunch at noon", by=cast.organizer, now=NOW)
    assert told() == [("player.1@example.com", "Announcement: Spring Open")]


def test_a_guardian_reads_you_for_themselves_and_the_name_of_a_player_they_act_for(cast: Cast) -> None:
    event = an_open_event(cast)
    child = account("Player 7")
    for user in (cast.player, child):
        register(event=event, person=own_person(user), by=user, now=NOW)
    Person.objects.filter(account=child).update(account=cast.player)
    told()
    cancel_event(event=event, by=cast.organizer, now=NOW)
    assert told() == [("player.1@example.com", "Spring Open is cancelled")]
    body = mail.outbox[0].body
    assert "You do not need to come." in body and "Player 7 does not need to come." in body
    assert "Player 1" not in body


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_no_notification_to_a_player_names_the_player(language: str) -> None:
    entry = LedgerEntry(code="round.published", object="r3", after={}, before={})
    seat = SimpleNamespace(match=SimpleNamespace(table=None, seats=Seat.objects), pk=1)
    player = SimpleNamespace(name="Player 1", status="registered", reason="", event=Event(), here=[seat])
    for code, notification in NOTIFICATIONS.items():
        if notification.line is None:
            continue
        with translation.override(language):
            own = notification.line(entry, Addressed(player, is_own=True), lambda other: other.name)
            other = notification.line(entry, Addressed(player), lambda other: other.name)
        assert "Player 1" not in own and "%(" not in own, (code, own)
        assert "Player 1" in other or own == other, (code, other)


def test_an_email_is_in_the_language_of_its_account(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    User.objects.filter(pk=cast.player.pk).update(language="it")
    told()
    cancel_event(event=event, by=cast.organizer, now=NOW)
    assert told() == [("player.1@example.com", "Spring Open è annullato")]


def test_a_player_who_gets_a_place_from_the_waiting_list_is_notified(cast: Cast) -> None:
    event = an_open_event(cast, capacity=2)
    for user in (cast.player, cast.stranger):
        an_entrant(event, user)
    register(event=event, person=own_person(cast.opponent), by=cast.opponent, now=NOW)
    told()
    play.drop(entrant=event.entrants.order_by("pk")[0], by=cast.organizer, now=NOW)
    assert told() == [("player.2@example.com", "Off the waiting list: Spring Open")]


def test_players_without_a_decklist_are_reminded_a_day_before_the_event(cast: Cast) -> None:
    starts_at = NOW + timedelta(days=3)
    event = an_open_event(cast, starts_at=starts_at)
    an_entrant(event, cast.player)
    an_entrant(event, cast.opponent, deck=None)
    assert told() == []
    assert told(starts_at - timedelta(days=1)) == [("player.2@example.com", "Decklist missing: Spring Open")]


def test_both_players_are_notified_of_a_dispute_and_of_its_ruling(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    match = match_of(a_published_round(event, cast.organizer), cast.player)
    play.enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    told()
    disputes.claim_wrong(match=match, by=cast.player, reason="The slip was misread.", now=NOW)
    assert [subject for _to, subject in told()] == ["A result is contested: Spring Open"] * 2
    assert all("misread" not in letter.body for letter in mail.outbox), "what was said stays on the page"
    disputes.rule(match=match, by=cast.judge, wanted=disputes.Wanted("keep", "Seen."), now=NOW)
    assert [subject for _to, subject in told()] == ["A judge has ruled: Spring Open"] * 2


def test_the_queries_of_a_large_round_grow_only_with_batches_and_emails(
    cast: Cast, django_assert_max_num_queries: object
) -> None:
    from django.db import connection

    def cost(players: int, named: str) -> int:
        event = a_running_event(cast, players=players, named=named)
        User.objects.update(email_confirmed_at=NOW)
        told()
        play_out(a_published_round(event, cast.organizer), cast.organizer)
        job = Job.objects.filter(kind="notices.tell", status=Job.Status.PENDING).order_by("pk")[0]
        event.stages.get().rounds.update(status="published")
        with CaptureQueriesContext(connection) as captured:
            tell(**job.payload, now=NOW)
        return len(captured) - 3 * players  # each e-mail is claimed in a savepoint, which takes three queries

    assert cost(4, "First") == cost(12, "Second")


def test_the_unsubscribe_link_works_with_one_click_without_signing_in(cast: Cast) -> None:
    path = unsubscribe_path(cast.player, "pairing")
    assert Client().get(path).status_code == 200
    assert "pairing" in wanted_kinds(cast.player), "looking ends nothing"
    client = Client(enforce_csrf_checks=True)
    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert "pairing" not in wanted_kinds(cast.player)
    assert Client().get(path.replace("pairing", "event")).status_code == 404


class OneMailboxLater(EmailBackend):
    """A mail server that postpones the first player's e-mail once."""

    left = 1

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        if messages[0].to == ["player.1@example.com"] and OneMailboxLater.left:
            OneMailboxLater.left -= 1
            raise smtplib.SMTPRecipientsRefused({"player.1@example.com": (451, b"later")})
        return super().send_messages(messages)


def test_a_mailbox_that_postpones_its_email_does_not_delay_the_others(cast: Cast, settings: Any) -> None:
    event = a_running_event(cast, players=2)
    told()
    settings.EMAIL_BACKEND = "tests.notices.test_notices.OneMailboxLater"
    a_published_round(event, cast.organizer)
    assert [to for to, _subject in told()] == ["player.2@example.com"]
    assert [to for to, _subject in told(NOW + timedelta(minutes=5))] == ["player.1@example.com"]


def test_the_text_of_an_announcement_is_read_once_for_all_emails(cast: Cast) -> None:
    event = a_running_event(cast, players=6)
    User.objects.update(email_confirmed_at=NOW)
    told()
    announce(event=event, text="Lunch is served.", by=cast.organizer, now=NOW)
    mail.outbox.clear()
    with CaptureQueriesContext(connection) as queries:
        jobs.run_due(NOW)
    assert len(mail.outbox) == 6 and all("Lunch is served." in letter.body for letter in mail.outbox)
    read = [one for one in queries if 'FROM "announcements_announcement"' in one["sql"]]
    assert len(read) == 3, "for the readers, for their batch, and what is said"


def test_a_player_whose_list_is_no_longer_legal_with_another_catalogue_is_notified(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant, _decklist, ref = a_list(cast, event)
    User.objects.update(email_confirmed_at=NOW)
    told()
    choose(event, imported(without(ref)), cast, entrant.public_id)
    assert told() == [("player.1@example.com", "Decklist no longer legal: Spring Open")]
    assert "Your decklist was checked again" in mail.outbox[0].body
    choose(event, imported(cards_of_demonstration()), cast, entrant.public_id)
    assert told() == []  # legal again


def test_nobody_is_notified_of_a_list_that_is_legal_again_by_the_time_the_email_is_written(cast: Cast) -> None:
    event = an_open_event(cast)
    entrant, _decklist, ref = a_list(cast, event)
    User.objects.update(email_confirmed_at=NOW)
    told()
    choose(event, imported(without(ref)), cast, entrant.public_id)
    choose(event, imported(cards_of_demonstration()), cast, entrant.public_id)
    assert told() == []
