"""A start in the past: usually a slip of the pen, so whoever enters one is asked about it first."""

from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.common.moments import in_words
from tournaments.common.refusals import Refusal


def check_start(
    starts_at: datetime | None,
    *,
    now: datetime,
    zone: str = "",
    before: datetime | None = None,
    acknowledged: bool = False,
) -> None:
    """Refuse a start before this minute that was not `acknowledged` (`starts_in_past`).

    `zone` is the event's time zone, in which the message names the time. A start that stays as it was `before`, to the
    minute, is not asked about. Pages and the API call this, not the services: imported events are of the past.
    """
    if starts_at is None or acknowledged or starts_at >= _minute(now):
        return
    if before is not None and _minute(before) == _minute(starts_at):
        return
    sentence = _("This start is in the past: %(when)s. Save it anyway?")
    raise Refusal("starts_in_past", sentence % {"when": in_words(starts_at, zone)})


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
