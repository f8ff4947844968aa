"""Form for an event's procedures, built from the metadata of the fields in `events.procedures`."""

import re
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.events.procedures import Entry, Procedures, Share
from tournaments.payments.money import as_decimal, decimals_of
from tournaments.web.words.procedures import CHOICES, FIELDS, SECTIONS

PRICE = "entry.cents"
_SHARE = re.compile(r"\s*(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\s*[: ]\s*(\d{1,6})\s*")


class SharesField(forms.CharField):
    """The payout of prizes, one share per line: `1: 8` or `3-4: 2`, that is a range of ranks or points, and units."""

    widget = forms.Textarea(attrs={"rows": 5})

    def prepare_value(self, value: Any) -> Any:
        """The shares as lines of text."""
        if isinstance(value, str) or value is None:
            return value
        return "\n".join(f"{s.first}{f'-{s.last}' if s.last != s.first else ''}: {s.units}" for s in value)

    def clean(self, value: Any) -> list[dict[str, int]]:
        """The shares in the form in which they are stored as JSON."""
        lines = [line for line in (super().clean(value) or "").splitlines() if line.strip()]
        found = [_SHARE.fullmatch(line) for line in lines]
        for line, match in zip(lines, found, strict=True):
            if match is None:
                raise forms.ValidationError(
                    _("The line “%(line)s” cannot be read. Write a rank and its share, such as 1: 8 or 3-4: 2.")
                    % {"line": line[:40]},
                    code="share_invalid",
                )
        return [
            {"first": int(match[1]), "last": int(match[2] or match[1]), "units": int(match[3])}
            for match in found
            if match is not None
        ]


class ProceduresForm(forms.Form):
    """All procedures of an event, with fields named `section.field`; those of `closed` sections are read-only."""

    def __init__(self, *args: Any, procedures: Procedures, closed: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A section that has closed since the page was loaded is still among the data. It must not be ignored silently:
        # the service refuses the change.
        closed = {name for name in closed if not any(path.startswith(f"{name}.") for path in self.data)}
        for section in fields(Procedures):
            kept = getattr(procedures, section.name)
            for part in fields(kept):
                path = f"{section.name}.{part.name}"
                self.fields[path] = _field(path, part, getattr(kept, part.name))
                if path == PRICE:
                    self.fields[path] = _price_field(kept)
                self.fields[path].disabled = section.name in closed

    def sections(self) -> list[tuple[Any, list[BoundField]]]:
        """The sections in order, each with its title and fields."""
        names = {section.name: f"{section.name}." for section in fields(Procedures)}
        return [
            (SECTIONS[name], [self[path] for path in self.fields if path.startswith(start)])
            for name, start in names.items()
        ]

    def clean(self) -> dict[str, Any]:
        """Turn the price, typed in whole units such as 12.50, into the smallest unit of its currency."""
        data: dict[str, Any] = super().clean() or {}
        if data.get(PRICE) is not None:
            cents = data[PRICE].scaleb(decimals_of(data.get("entry.currency", "")))
            if cents != int(cents):
                self.add_error(PRICE, _("The currency has fewer decimals than this price."))
            else:
                data[PRICE] = int(cents)
        return data

    @property
    def value(self) -> dict[str, Any]:
        """The procedures in the form in which they are stored as JSON."""
        sections: dict[str, dict[str, Any]] = {}
        for path, value in self.cleaned_data.items():
            section, name = path.split(".")
            sections.setdefault(section, {})[name] = value
        return sections


def _field(path: str, part: Any, value: Any) -> forms.Field:
    common: dict[str, Any] = {"label": FIELDS[path], "initial": value}
    if isinstance(part.default, bool):
        return forms.BooleanField(required=False, **common)
    if isinstance(part.default, int):
        return forms.IntegerField(min_value=part.metadata["low"], max_value=part.metadata["high"], **common)
    if "choices" in part.metadata:
        return forms.ChoiceField(choices=[(c, CHOICES[f"{path}.{c}"]) for c in part.metadata["choices"]], **common)
    if part.name == "shares":
        says = gettext_lazy("One per line: ranks or points, a colon, units, such as “1: 8” or “3-4: 2”.")
        return SharesField(required=False, help_text=says, **common)
    return forms.CharField(required=False, max_length=30, **common)


def _price_field(entry: Entry) -> forms.Field:
    common: dict[str, Any] = {"label": FIELDS[PRICE], "initial": as_decimal(entry.cents, entry.currency)}
    return forms.DecimalField(
        help_text=gettext_lazy("In the currency below, such as 12.50. Prices under Prices and payments replace it."),
        min_value=0,
        max_digits=9,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"step": "any"}),
        **common,
    )


def share_words(share: Share) -> str:
    """The ranks or points of a share: `1` or `3–4`."""
    return str(share.first) if share.first == share.last else f"{share.first}–{share.last}"
