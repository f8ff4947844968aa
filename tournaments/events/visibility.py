"""Who may see decklists, pairings and standings, and when. Plain values, no database.

Each event has a table of cells. A cell is named like `decklists.opponent.cut`: what is shown, to whom, and in which
part of the event. `cut` covers every stage after the first. The table does not restrict staff who do not play (they
see whatever their roles allow), nor what belongs to the reader.
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
    """The values that a cell may take.

    Decklists shown to more than the opponent belong to no round, so `after_round` is not among theirs: `now` opens
    them as soon as they are locked.
    """
    what, reader, _part = cell.split(".")
    if what == DECKLISTS and reader != OPPONENT:
        return NOW, AFTER_EVENT, NEVER
    return NOW, AFTER_ROUND, AFTER_EVENT, NEVER


DEFAULTS: Mapping[str, str] = {cell: NEVER if cell.startswith(DECKLISTS) else NOW for cell in CELLS}
EXCHANGE: Mapping[str, str] = {f"{DECKLISTS}.{OPPONENT}.{CUT}": NOW}
"""In the cut, opponents may read each other's decklist once their pairing is published."""


def _shown(what: str, when: str, *readers: str) -> dict[str, str]:
    return {cell: when for cell in CELLS for reader in readers if cell.startswith(f"{what}.{reader}.")}


PRESETS: Mapping[str, Mapping[str, str]] = {
    "usual": DEFAULTS,
    "exchange": {**DEFAULTS, **EXCHANGE},
    "open": {**DEFAULTS, **_shown(DECKLISTS, NOW, PUBLIC, PLAYERS, OPPONENT)},
    "afterwards": {**DEFAULTS, **_shown(DECKLISTS, AFTER_EVENT, PUBLIC, PLAYERS, OPPONENT)},
    "players": {**DEFAULTS, **_shown(PAIRINGS, NEVER, PUBLIC), **_shown(STANDINGS, NEVER, PUBLIC)},
}
"""Complete tables by name, as starting points for what most events want."""


def preset_of(table: Mapping[str, str]) -> str:
    """The name of the preset equal to a complete table; "" if there is none."""
    return next((name for name, preset in PRESETS.items() if dict(preset) == dict(table)), "")


@dataclass(frozen=True)
class Moment:
    """How far the event is: the part asked about, whether the round asked about is over, and whether the event is."""

    part: str
    round_over: bool
    event_over: bool


def part_of(stage_number: int) -> str:
    """The part of an event (`swiss` or `cut`) that a stage belongs to, by its number."""
    return SWISS if stage_number == 1 else CUT


def read_visibility(raw: Any) -> dict[str, str]:
    """Read a complete table from a JSON object of cells; cells that are absent get their default.

    Raises `InvalidInput` `visibility_invalid`, with a `{"cell", "code"}` for each defect (at most 50). The codes are
    `unknown_cell` and `not_a_choice`.
    """
    if not isinstance(raw, Mapping):
        raise InvalidInput("visibility_invalid", _("This visibility setting is not valid."), details=[])
    faults = [{"cell": str(cell)[:40], "code": "unknown_cell"} for cell in raw if cell not in CELLS]
    faults += [
        {"cell": cell, "code": "not_a_choice"} for cell in CELLS if cell in raw and raw[cell] not in choices_of(cell)
    ]
    if faults:
        raise InvalidInput("visibility_invalid", _("This visibility setting is not valid."), details=faults[:50])
    return {**DEFAULTS, **raw}


def shows(table: Mapping[str, str], what: str, readers: Collection[str], moment: Moment) -> bool:
    """Whether somebody who is all of these `readers` may see this now.

    `table` is complete, as `read_visibility` returns it. The most generous cell decides: what the public may see,
    everybody may see.

    >>> swiss = Moment(SWISS, round_over=False, event_over=False)
    >>> shows(PRESETS["players"], PAIRINGS, {PUBLIC}, swiss), shows(PRESETS["players"], PAIRINGS, {PLAYERS}, swiss)
    (False, True)
    """
    if STAFF in readers:
        return True
    said = (
        table[f"{what}.{reader}.{moment.part}"] for reader in READERS[what] if reader == PUBLIC or reader in readers
    )
    return any(_is_due(when, moment) for when in said)


def _is_due(when: str, moment: Moment) -> bool:
    due = {NOW: True, AFTER_ROUND: moment.round_over or moment.event_over, AFTER_EVENT: moment.event_over}
    return due.get(when, False)
