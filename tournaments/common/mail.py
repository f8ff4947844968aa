"""E-mails: one layout for all, in the reader's language, each sent at most once.

An e-mail's key is claimed before it is sent, so it cannot go twice: not when a job is tried again, and not when two
workers have the job. If the server certainly did not accept it, the claim is released, and the job's next attempt sends
it. Logs contain keys only, never addresses.
"""

import logging
import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core import validators
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils import translation

from tournaments.common.models import PostedLetter
from tournaments.common.names import one_line
from tournaments.common.outages import is_full

logger = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # how long claims are stored; no job is tried again that late
PRUNED_AT_ONCE = 500  # old claims deleted by one job
LONGEST = 254  # characters of an address, as in the columns of the database


def validate_email(address: str) -> None:
    """Check an e-mail address, and that the database has room for it. Raises ValidationError."""
    validators.validate_email(address)
    validators.MaxLengthValidator(LONGEST)(address)


def sends_mail() -> bool:
    """Whether this site sends e-mails; without a mail server it only writes them to files."""
    return "filebased" not in settings.EMAIL_BACKEND


@dataclass(frozen=True)
class Letter:
    """The text of an e-mail: subject, paragraphs, one link (its words and its path), and why the reader gets it.

    `path` and `unsubscribe` are paths of this site.
    """

    subject: str
    lines: tuple[str, ...]
    action: str = ""
    path: str = ""
    why: str = ""
    unsubscribe: str = ""


def address_of(path: str) -> str:
    """The absolute URL of a path of this site."""
    return f"{settings.SITE_URL}{path}"


class PutOff(Exception):
    """The server will accept the e-mail later. Its claim was released, and the job's next attempt sends it."""


@contextmanager
def post_office(now: datetime) -> Iterator[Any]:
    """Open one connection for all e-mails of a job. An unreachable server fails here, before any e-mail is claimed."""
    prune(now)
    connection = get_connection()
    connection.open()
    try:
        yield connection
    finally:
        connection.close()


def prune(now: datetime) -> None:
    """Delete old claims."""
    # Only the oldest rows are examined, so that a job costs the same however many e-mails were sent before.
    oldest = PostedLetter.objects.order_by("pk").values_list("pk", "at")[:PRUNED_AT_ONCE]
    old = [pk for pk, at in oldest if at < now - KEPT]
    if old:
        PostedLetter.objects.filter(pk__in=old).delete()


def post(letter: Letter, *, to: str, language: str, key: str, now: datetime, connection: Any) -> bool:
    """Send an e-mail unless one with this key was sent before. Returns whether it was sent now.

    `connection` is the one of `post_office`. An e-mail that the server refuses for good is logged and gives False.
    Raises PutOff if the server will accept it later. An error that breaks the connection is raised as it is, and the
    job's other e-mails wait for its next attempt: on a dead connection, each of them might be lost.
    """
    if not claim([key], now):
        return False
    try:
        _written(letter, to, language, connection).send()
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as refused:
        if _is_final(refused):
            logger.warning("letter %s was refused for good (%s)", key, type(refused).__name__)
            return False
        release([key])
        raise PutOff(type(refused).__name__) from None
    except (smtplib.SMTPException, OSError) as lost:
        if is_full(lost):  # e-mails are written to files here, and this one was not
            release([key])
            raise PutOff(type(lost).__name__) from None
        # Nobody can know whether the server accepted it: better none than two.
        logger.warning("letter %s may be lost (%s)", key, type(lost).__name__)
        raise
    return True


def claim(keys: Sequence[str], now: datetime) -> set[str]:
    """Claim the keys of messages about to be sent; returns those that nobody had claimed.

    Committed before they are sent: a worker killed in between loses a message instead of sending it twice.
    """
    known = set(PostedLetter.objects.filter(key__in=keys).values_list("key", flat=True)) if len(keys) > 1 else set()
    fresh = [key for key in keys if key not in known]
    with suppress(IntegrityError), transaction.atomic():
        PostedLetter.objects.bulk_create([PostedLetter(key=key, at=now) for key in fresh])
        return set(fresh)
    if len(fresh) == 1:
        return set()
    return {key for key in fresh if claim([key], now)}  # another worker claimed some of them at this moment


def release(keys: Sequence[str]) -> None:
    """Give up the claims of messages that were certainly not sent, so that the job's next attempt sends them."""
    PostedLetter.objects.filter(key__in=keys).delete()


def _is_final(refused: smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused) -> bool:
    # SMTP: 4xx is temporary, 5xx is permanent.
    if isinstance(refused, smtplib.SMTPResponseException):
        return refused.smtp_code >= 500
    return all(code >= 500 for code, _said in refused.recipients.values())


def _written(letter: Letter, to: str, language: str, connection: Any) -> EmailMultiAlternatives:
    # Names in these texts must not add header lines, nor reverse the direction of what follows.
    lines = tuple(one_line(line) for line in letter.lines)
    letter = replace(letter, subject=one_line(letter.subject), lines=lines, why=one_line(letter.why))
    context = {
        "letter": letter,
        "language": language,
        "site": settings.SITE_URL,
        "link": address_of(letter.path) if letter.path else "",
        "unsubscribe": address_of(letter.unsubscribe) if letter.unsubscribe else "",
    }
    headers = {"Auto-Submitted": "auto-generated"}
    if letter.unsubscribe:
        headers |= {
            "List-Unsubscribe": f"<{context['unsubscribe']}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    with translation.override(language):
        message = EmailMultiAlternatives(
            subject=letter.subject,
            body=render_to_string("mail/letter.txt", context),
            to=[to],
            headers=headers,
            connection=connection,
        )
        message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
