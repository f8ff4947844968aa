"""The form of who sees what when, one choice a cell of the table."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.events.visibility import (
    AFTER_EVENT,
    AFTER_ROUND,
    CELLS,
    CUT,
    DECKLISTS,
    NEVER,
    NOW,
    OPPONENT,
    PAIRINGS,
    PLAYERS,
    PUBLIC,
    READERS,
    STANDINGS,
    SWISS,
    choices_of,
)

WHAT: Mapping[str, Promise] = {DECKLISTS: _("Decklists"), PAIRINGS: _("Pairings"), STANDINGS: _("Standings")}
WHO: Mapping[str, Promise] = {
    PUBLIC: _("For everybody"),
    PLAYERS: _("For the players of the event"),
    OPPONENT: _("For the opponent"),
}
PART: Mapping[str, Promise] = {SWISS: _("in the first stage"), CUT: _("after the cut")}
WHEN: Mapping[str, Promise] = {
    NOW: _("as soon as it is there"),
    AFTER_ROUND: _("once the round is closed"),
    AFTER_EVENT: _("once the event is finished"),
    NEVER: _("never"),
}
MEANS: Mapping[str, Promise] = {
    DECKLISTS: _(
        "A list is there for all once lists are locked, for an opponent once the pairing is published. Each player "
        "reads the own list, and staff who do not play read all."
    ),
    PAIRINGS: _("With the results at the tables and the bracket. Everybody sees the own table."),
    STANDINGS: _("Why a rank is what it is, and the TRF file, are shown when pairings are too."),
}


class VisibilityForm(forms.Form):
    """Every cell, named as in `events.visibility`."""

    def __init__(self, *args: Any, table: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for cell in CELLS:
            _what, who, part = cell.split(".")
            label = format_lazy("{}, {}", WHO[who], PART[part])
            choices = [(when, WHEN[when]) for when in choices_of(cell)]
            self.fields[cell] = forms.ChoiceField(label=label, choices=choices, initial=table[cell])

    def sections(self) -> list[tuple[Promise, Promise, list[BoundField]]]:
        """What is seen, what it means, and its fields."""
        return [
            (WHAT[what], MEANS[what], [self[cell] for cell in CELLS if cell.startswith(f"{what}.")]) for what in READERS
        ]
