"""Who sees decklists, pairings and standings when: one table of an event, and the question asked of it. Plain values.

A cell is named `decklists.opponent.cut`: what, for whom, in which part of the event. The cut is every stage after the
first. Staff who do not play see all that their roles let them read; everybody sees what is their own.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.refusals import InvalidInput

DECKLISTS, PAIRINGS, STANDINGS = "decklists", "pairings", "standings"
PUBLIC, PLAYERS, OPPONENT, STAFF = "public", "players", "opponent", "staff"
SWISS, CUT = "swiss", "cut"
NOW, AFTER_ROUND, AFTER_EVENT, NEVER = "now", "after_round", "after_event", "never"

READERS: Mapping[str, tuple[str, ...]] = {
    DECKLISTS: (PUBLIC, PLAYERS, OPPONENT),
    PAIRINGS: (PUBLIC, PLAYERS),
    STANDINGS: (PUBLIC, PLAYERS),
}
PARTS = (SWISS, CUT)
CELLS = tuple(f"{what}.{reader}.{part}" for what, readers in READERS.items() for reader in readers for part in PARTS)


def choices_of(cell: str) -> tuple[str, ...]:
    """What a cell may say. Lists that are open to more than the opponent are so from the lock on, in no round."""
    what, reader, _part = cell.split(".")
    if what == DECKLISTS and reader != OPPONENT:
        return NOW, AFTER_EVENT, NEVER
    return NOW, AFTER_ROUND, AFTER_EVENT, NEVER


DEFAULTS: Mapping[str, str] = {cell: NEVER if cell.startswith(DECKLISTS) else NOW for cell in CELLS}
EXCHANGE: Mapping[str, str] = {f"{DECKLISTS}.{OPPONENT}.{CUT}": NOW}
"""Lists are exchanged in the cut: each of two opponents reads the other's once their pairing is published."""


def _shown(what: str, when: str, *readers: str) -> dict[str, str]:
    return {cell: when for cell in CELLS for reader in readers if cell.startswith(f"{what}.{reader}.")}


PRESETS: Mapping[str, Mapping[str, str]] = {
    "usual": DEFAULTS,
    "exchange": {**DEFAULTS, **EXCHANGE},
    "open": {**DEFAULTS, **_shown(DECKLISTS, NOW, PUBLIC, PLAYERS, OPPONENT)},
    "afterwards": {**DEFAULTS, **_shown(DECKLISTS, AFTER_EVENT, PUBLIC, PLAYERS, OPPONENT)},
    "players": {**DEFAULTS, **_shown(PAIRINGS, NEVER, PUBLIC), **_shown(STANDINGS, NEVER, PUBLIC)},
}
"""Whole tables by name: what most events want, to start from."""


def preset_of(table: Mapping[str, str]) -> str:
    """The preset that a whole table is; empty when it is one's own."""
    return next((name for name, preset in PRESETS.items() if dict(preset) == dict(table)), "")


@dataclass(frozen=True)
class Moment:
    """Where the event stands: the part asked about, whether its round is over, and whether the event is."""

    part: str
    round_over: bool
    event_over: bool


def part_of(stage_number: int) -> str:
    """The part of an event to which a stage belongs."""
    return SWISS if stage_number == 1 else CUT


def read_visibility(raw: Any) -> dict[str, str]:
    """The whole table from JSON of cells; what is absent is the default.

    Refused as `visibility_invalid`, with a `{"cell", "code"}` for each defect: `unknown_cell`, `not_a_choice`.
    """
    if not isinstance(raw, Mapping):
        raise InvalidInput("visibility_invalid", _("This is no table of who sees what."), details=[])
    faults = [{"cell": str(cell)[:40], "code": "unknown_cell"} for cell in raw if cell not in CELLS]
    faults += [
        {"cell": cell, "code": "not_a_choice"} for cell in CELLS if cell in raw and raw[cell] not in choices_of(cell)
    ]
    if faults:
        raise InvalidInput("visibility_invalid", _("This is no table of who sees what."), details=faults[:50])
    return {**DEFAULTS, **raw}


def shows(table: Mapping[str, str], what: str, readers: Collection[str], moment: Moment) -> bool:
    """Whether one who is all of these readers sees this now. `table` is as `read_visibility` gives it."""
    if STAFF in readers:
        return True
    said = (
        table[f"{what}.{reader}.{moment.part}"] for reader in READERS[what] if reader == PUBLIC or reader in readers
    )
    return any(_is_due(when, moment) for when in said)


def _is_due(when: str, moment: Moment) -> bool:
    due = {NOW: True, AFTER_ROUND: moment.round_over or moment.event_over, AFTER_EVENT: moment.event_over}
    return due.get(when, False)
