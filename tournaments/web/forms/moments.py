"""A form field for a date with a time of day."""

from typing import Any

from django import forms

WRITTEN = "%Y-%m-%dT%H:%M"  # as browsers send it


def moment_field(label: Any, help_text: Any = "", *, required: bool = False) -> forms.DateTimeField:
    """A field for a date and a time, without a time zone: the view knows in which zone it is meant."""
    return forms.DateTimeField(
        label=label,
        help_text=help_text,
        required=required,
        input_formats=[WRITTEN, "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=WRITTEN),
    )
