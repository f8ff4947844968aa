"""E-mails: each is sent at most once, in the reader's language, with no address in the logs."""

import logging
import smtplib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail import BadHeaderError
from django.core.mail.backends.locmem import EmailBackend

from tests.builders import NOW
from tournaments.common.mail import KEPT, Letter, PutOff, post, post_office
from tournaments.common.models import PostedLetter

pytestmark = pytest.mark.django_db
LETTER = Letter("Round 1\nis out", ("You sit at table 7.",), "Your seat", "/e/1/me/", "Why.", "/letters/x/y/")
TO = "player.12@example.com"


class Server(EmailBackend):
    """A server that fails with these exceptions, one for each of the first e-mails."""

    def __init__(self, *failures: Exception) -> None:
        super().__init__()
        self.failures = list(failures)

    def send_messages(self, messages: Sequence[Any]) -> int:
        if self.failures:
            raise self.failures.pop(0)
        return super().send_messages(messages)


def sent(server: Server, key: str = "round:1", language: str = "en") -> bool:
    return post(LETTER, to=TO, language=language, key=key, now=NOW, connection=server)


def test_only_one_email_is_sent_for_a_key() -> None:
    server = Server()
    assert [sent(server), sent(server), sent(server, "round:2")] == [True, False, True]
    assert len(mail.outbox) == 2


def test_an_email_has_text_a_link_and_one_click_unsubscribe() -> None:
    sent(Server())
    (letter,) = mail.outbox
    assert letter.subject == "Round 1 is out"
    html = letter.alternatives[0][0]
    for body in (letter.body, html):
        assert "You sit at table 7." in body and "http://127.0.0.1:8000/e/1/me/" in body
    assert letter.extra_headers["List-Unsubscribe"] == "<http://127.0.0.1:8000/letters/x/y/>"
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


HOSTILE = "Spring\r\nBcc: other@example.com\x00\u2028\u202eOpen"


def test_a_hostile_name_adds_no_header_or_line_and_reverses_no_text() -> None:
    letter = Letter(HOSTILE, (f"{HOSTILE} sits at table 7.",), "Your seat", "/e/1/me/", f"You play {HOSTILE}.")
    post(letter, to=TO, language="en", key="round:1", now=NOW, connection=Server())
    (message,) = mail.outbox
    written = message.message()
    assert message.subject == "Spring Bcc: other@example.com Open" and "Bcc" not in written
    assert written["To"] == TO
    assert "Spring Bcc: other@example.com Open sits at table 7.\n" in message.body
    for body in (message.subject, message.body, message.alternatives[0][0]):
        assert not set("\x00\u2028\u202e") & set(body)


def test_a_hostile_address_is_refused_and_adds_no_header() -> None:
    with pytest.raises(BadHeaderError):
        post(LETTER, to=f"{TO}\nBcc: other@example.com", language="en", key="round:1", now=NOW, connection=Server())
    assert not mail.outbox


def test_an_email_that_the_server_accepts_later_is_sent_by_the_next_attempt() -> None:
    server = Server(smtplib.SMTPRecipientsRefused({TO: (451, b"later")}))
    with pytest.raises(PutOff):
        sent(server)
    assert sent(server) and len(mail.outbox) == 1


def test_an_email_that_the_server_refuses_for_good_is_not_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    server = Server(smtplib.SMTPRecipientsRefused({TO: (550, b"no such mailbox")}))
    with caplog.at_level(logging.DEBUG):
        assert not sent(server) and not sent(server)
    assert not mail.outbox
    assert "round:1" in caplog.text and TO not in caplog.text


def test_an_email_that_may_have_been_sent_is_not_sent_again() -> None:
    server = Server(smtplib.SMTPServerDisconnected("cut"))
    with pytest.raises(smtplib.SMTPServerDisconnected):
        sent(server)
    assert not sent(server) and not mail.outbox
    assert PostedLetter.objects.count() == 1


def test_records_of_emails_sent_long_ago_are_deleted() -> None:
    sent(Server())
    with post_office(NOW + KEPT):
        assert PostedLetter.objects.exists()
    with post_office(NOW + KEPT + timedelta(seconds=1)):
        assert not PostedLetter.objects.exists()
