"""Letters: one shape for all, in the reader's language, each handed over once at most.

What is claimed before it is sent cannot go twice: not when a job is tried again, not when two workers have it. Where
the server surely did not take it, the claim is given back and the job's next attempt sends it. Logs name keys alone.
"""

import logging
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils import translation

from tournaments.common.models import PostedLetter
from tournaments.common.names import one_line
from tournaments.common.outages import is_full

logger = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # the claims of letters; no job is tried again so late
PRUNED_AT_ONCE = 500


@dataclass(frozen=True)
class Letter:
    """A subject, paragraphs, one thing to do (its words and its page), and why it came."""

    subject: str
    lines: tuple[str, ...]
    action: str = ""
    path: str = ""
    why: str = ""
    unsubscribe: str = ""


def address_of(path: str) -> str:
    """A page of ours as a letter names it."""
    return f"{settings.SITE_URL}{path}"


class PutOff(Exception):
    """The server will take a letter later: its claim is given back, and the next attempt of the job sends it."""


@contextmanager
def post_office(now: datetime) -> Iterator[Any]:
    """One connection for the letters of a job; a server that cannot be reached fails here, before any is claimed."""
    _prune(now)
    connection = get_connection()
    connection.open()
    try:
        yield connection
    finally:
        connection.close()


def _prune(now: datetime) -> None:
    # The oldest alone are looked at, so that a job costs the same however many letters went before.
    oldest = PostedLetter.objects.order_by("pk").values_list("pk", "at")[:PRUNED_AT_ONCE]
    old = [pk for pk, at in oldest if at < now - KEPT]
    if old:
        PostedLetter.objects.filter(pk__in=old).delete()


def post(letter: Letter, *, to: str, language: str, key: str, now: datetime, connection: Any) -> bool:
    """Send a letter unless one of this key went before; whether it went now.

    Raises PutOff when the server will take it later. What breaks the connection is raised as it is, and the rest of the
    job's letters wait for its next attempt: on a dead connection each of them might be lost.
    """
    if not _claim(key, now):
        return False
    try:
        _written(letter, to, language, connection).send()
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as refused:
        if _is_final(refused):
            logger.warning("letter %s was refused for good (%s)", key, type(refused).__name__)
            return False
        PostedLetter.objects.filter(key=key).delete()
        raise PutOff(type(refused).__name__) from None
    except (smtplib.SMTPException, OSError) as lost:
        if is_full(lost):  # it was to be a file here: it is none
            PostedLetter.objects.filter(key=key).delete()
            raise PutOff(type(lost).__name__) from None
        # Nobody can know whether it was taken: rather none than two.
        logger.warning("letter %s may be lost (%s)", key, type(lost).__name__)
        raise
    return True


def _claim(key: str, now: datetime) -> bool:
    with suppress(IntegrityError), transaction.atomic():
        PostedLetter.objects.create(key=key, at=now)
        return True
    return False


def _is_final(refused: smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused) -> bool:
    if isinstance(refused, smtplib.SMTPResponseException):
        return refused.smtp_code >= 500
    return all(code >= 500 for code, _said in refused.recipients.values())


def _written(letter: Letter, to: str, language: str, connection: Any) -> EmailMultiAlternatives:
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
