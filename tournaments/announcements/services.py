"""Actions on announcements: make and withdraw.

The ledger records who announced something, to whom and when, but not the text, which may contain names.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.accounts.models import User
from tournaments.announcements.models import Announcement
from tournaments.common import ledger
from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event, Stage
from tournaments.play.models import Match, Round
from tournaments.play.selectors import tables_said

LONGEST = 300  # characters
MINUTES = 30  # the default time that an announcement is shown
MOST_MINUTES = 24 * 60
MOST = 20  # shown at the same time, so that they fit on a screen


def announce(
    *,
    event: Event,
    text: str,
    by: User,
    now: datetime,
    stage: int | None = None,
    table: int | None = None,
    minutes: int = MINUTES,
) -> Announcement:
    """Make an announcement to everybody, to a stage (by number), or to a table of the published round.

    It is shown for `minutes`.

        announce(event=event, text="Lunch break until 13:00", by=user, now=now, minutes=60)

    Refused: `text_invalid`, `minutes_invalid`, `audience_invalid`, `too_many_announcements`.
    """
    text = one_line(text)  # it goes to screens and e-mails: no line breaks, no bidirectional controls
    if not 1 <= len(text) <= LONGEST:
        raise InvalidInput("text_invalid", _("An announcement must have 1 to 300 characters."))
    if not 1 <= minutes <= MOST_MINUTES:
        raise InvalidInput("minutes_invalid", _("An announcement can be shown for 1 minute to 24 hours."))
    if stage is not None and table is not None:
        raise InvalidInput("audience_invalid", _("An announcement is for a stage or for a table, not for both."))
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        if Announcement.objects.filter(event=event, withdrawn_at=None, until__gt=now).count() >= MOST:
            raise Refusal("too_many_announcements", _("Too many announcements are shown: withdraw some."))
        announcement = Announcement.objects.create(
            event=event,
            stage=_stage(event, stage),
            match=_match(event, table),
            text=text,
            made_by=by,
            made_at=now,
            until=now + timedelta(minutes=minutes),
        )
        after = {"stage": stage, "table": table, "minutes": minutes}
        _record(announcement, by, "announcement.made", now, after)
    return announcement


def withdraw(*, announcement: Announcement, by: User, now: datetime) -> None:
    """Withdraw an announcement. Idempotent."""
    with transaction.atomic():
        standing = Announcement.objects.filter(pk=announcement.pk, withdrawn_at=None)
        if standing.update(withdrawn_at=now):
            _record(announcement, by, "announcement.withdrawn", now, None)


def _stage(event: Event, number: int | None) -> Stage | None:
    if number is None:
        return None
    stage = event.stages.filter(number=number).first()
    if stage is None:
        count = event.stages.count()
        words = ngettext("This event has only stage %(n)d.", "This event has stages 1 to %(n)d.", count)
        raise InvalidInput("audience_invalid", words % {"n": count})
    return stage


def _match(event: Event, table: int | None) -> Match | None:
    if table is None:
        return None
    rounds = Round.objects.filter(stage__event=event, status=Round.Status.PUBLISHED)
    match = Match.objects.filter(round__in=rounds, table=table).first()
    if match is None:
        raise InvalidInput("audience_invalid", tables_said(rounds.order_by("number").last()))
    return match


def _record(announcement: Announcement, by: User, code: str, now: datetime, after: object) -> None:
    ledger.record(
        chain=announcement.event.public_id,
        actor=by.public_id,
        code=code,
        object=announcement.public_id,
        now=now,
        after=after,
    )
