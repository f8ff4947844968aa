"""Form for the visibility settings: a table of radio buttons with a row for each kind of reader, and the presets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
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
    PUBLIC: _("Everybody"),
    PLAYERS: _("Players of the event"),
    OPPONENT: _("The opponent"),
}
PART: Mapping[str, Promise] = {SWISS: _("in the first stage"), CUT: _("in the top cut")}
WHEN: Mapping[str, Promise] = {
    NOW: _("At once"),
    AFTER_ROUND: _("After the round"),
    AFTER_EVENT: _("After the event"),
    NEVER: _("Never"),
}
MEANS: Mapping[str, Promise] = {
    DECKLISTS: _("Once the lists are locked; for an opponent, once paired."),
    PAIRINGS: _("With results and the bracket. Players always see their own table."),
    STANDINGS: _("The details behind a rank, and the TRF file, need the pairings to be visible too."),
}
PRESETS: Mapping[str, tuple[Promise, Promise]] = {
    "usual": (_("Usual"), _("Pairings and standings are public; decklists stay closed.")),
    "exchange": (
        _("Exchange in the top cut"),
        _("As usual; in the top cut, opponents can read each other’s decklist."),
    ),
    "open": (_("Open decklists"), _("Everything is public, decklists too.")),
    "afterwards": (_("Decklists afterwards"), _("As usual; decklists are public once the event is finished.")),
    "players": (_("Players only"), _("Pairings and standings are for players of the event; decklists stay closed.")),
}


@dataclass(frozen=True)
class Choice:
    """A radio button of the table. If not `offered`, the cell does not have this choice and its place stays empty."""

    value: str
    words: Promise
    offered: bool
    checked: bool


@dataclass(frozen=True)
class Row:
    """A row: what one kind of reader sees in a part of the event.

    `first` is set in the first row of a group: what is seen, what that means, and the number of rows in the group.
    """

    cell: str
    who: Promise
    label: str
    choices: list[Choice]
    errors: Any
    first: tuple[Promise, Promise, int] | None


class VisibilityForm(forms.Form):
    """All cells, named as in `events.visibility`. Without `cut_differs`, the cut is like the first stage."""

    cut_differs = forms.BooleanField(label=_("Different in the top cut"), required=False)

    def __init__(self, *args: Any, table: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for cell in CELLS:
            what, who, part = cell.split(".")
            label = format_lazy("{}, {}, {}", WHAT[what], WHO[who], PART[part])
            choices = [(when, WHEN[when]) for when in choices_of(cell)]
            self.fields[cell] = forms.ChoiceField(label=label, choices=choices, initial=table[cell])
        self.fields["cut_differs"].initial = any(table[cell] != table[_first(cell)] for cell in CELLS)

    def cells(self) -> dict[str, str]:
        """The chosen value of each cell."""
        data = self.cleaned_data
        return {cell: data[cell if data["cut_differs"] else _first(cell)] for cell in CELLS}

    def when(self) -> list[Promise]:
        """The headings of the columns."""
        return list(WHEN.values())

    def first_stage(self) -> Iterator[Row]:
        """The rows of the first stage."""
        return self._rows(SWISS)

    def cut(self) -> Iterator[Row]:
        """The rows of the stages after the cut."""
        return self._rows(CUT)

    def _rows(self, part: str) -> Iterator[Row]:
        for what, readers in READERS.items():
            for place, who in enumerate(readers):
                cell = f"{what}.{who}.{part}"
                chosen, offered = self[cell].value(), choices_of(cell)
                choices = [Choice(when, words, when in offered, when == chosen) for when, words in WHEN.items()]
                first = None if place else (WHAT[what], MEANS[what], len(readers))
                yield Row(cell, WHO[who], str(self.fields[cell].label), choices, self.errors.get(cell), first)


def _first(cell: str) -> str:
    """The cell of the first stage that corresponds to a cell."""
    what, who, _part = cell.split(".")
    return f"{what}.{who}.{SWISS}"
