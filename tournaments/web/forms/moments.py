"""Form fields for a day, and for a date with a time of day. Years that are not accepted are refused here."""

from datetime import date, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from tournaments.common.moments import FIRST, LAST, OUT_OF_RANGE, is_accepted

WRITTEN = "%Y-%m-%dT%H:%M"  # as browsers send it
DAY = "%Y-%m-%d"


def moment_field(label: Any, help_text: Any = "", *, required: bool = False) -> forms.DateTimeField:
    """A field for a date and a time, without a time zone: the view knows in which zone it is meant."""
    return forms.DateTimeField(
        label=label,
        help_text=help_text,
        required=required,
        input_formats=[WRITTEN, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", **_ends(WRITTEN)}, format=WRITTEN),
        validators=[_accepted],
    )


def day_field(label: Any, help_text: Any = "", *, required: bool = False) -> forms.DateField:
    """A field for a day."""
    return forms.DateField(
        label=label,
        help_text=help_text,
        required=required,
        widget=forms.DateInput(attrs={"type": "date", **_ends(DAY)}, format=DAY),
        validators=[_accepted],
    )


def _ends(form: str) -> dict[str, str]:
    return {"min": FIRST.strftime(form), "max": LAST.strftime(form)}


def _accepted(value: date) -> None:
    # By the clock of the form: in the zone of the event it is the same year as in the service, but for hours.
    if not is_accepted(value.replace(tzinfo=None) if isinstance(value, datetime) else value):
        raise ValidationError(OUT_OF_RANGE, code="date_out_of_range")
