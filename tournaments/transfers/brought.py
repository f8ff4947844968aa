"""What a file of another program holds, in one shape whatever its format. Plain values, no database.

`formats` reads the files; `services` makes entrants, an event or an archive of what was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

SWISS, SINGLE_ELIMINATION, DOUBLE_ELIMINATION, ROUND_ROBIN = (
    "swiss",
    "single_elimination",
    "double_elimination",
    "round_robin",
)


@dataclass(frozen=True, slots=True)
class BroughtPlayer:
    """A player of a file.

    - `key`: what matches refer to the player by, unique in the file
    - `name`: the whole name as the file has it; `given_name` and `family_name` if the file keeps them apart
    - `email`: stays private: it is only ever used to invite the player
    - `decklist`: the text of a list, as `decks` reads pasted ones; "" if there is none
    - `dropped_after`: how many rounds had been played when the player left, None for who did not leave
    - `awarded`: the kind of bye (`bye`, `half_bye`, `zero_bye`) in the round that comes next, "" for none
    """

    key: str
    name: str = ""
    given_name: str = ""
    family_name: str = ""
    club: str = ""
    email: str = ""
    decklist: str = ""
    dropped_after: int | None = None
    awarded: str = ""


@dataclass(frozen=True, slots=True)
class BroughtMatch:
    """A match of two, or the round of a player without an opponent (one seat).

    - `seats`: the keys of the players
    - `games`: games won by the first seat, by the second, and drawn; None while there is no result. A file that only
      says who won has 1-0, 0-1 or 0-0-1.
    - `kind`: as `play.models.Match.Kind`: `played`, `intentional_draw`, `forfeit` (a win against somebody who was not
      there), `double_loss`, `no_show` (nobody was there), and for one seat `bye`, `half_bye`, `zero_bye`
    """

    seats: tuple[str, ...]
    games: tuple[int, int, int] | None = None
    kind: str = "played"
    table: int | None = None


@dataclass(frozen=True, slots=True)
class BroughtStage:
    """A part of the event played in one structure, with its rounds in order; the last one may be unfinished.

    `seeds`: the keys of who entered it, best first; empty for all players, in the order of the file.
    """

    kind: str = SWISS
    rounds: tuple[tuple[BroughtMatch, ...], ...] = ()
    rounds_planned: int | None = None
    seeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """Something that the file holds and that is not read, for the user to know before anything is made of it.

    `code` is a key of `words.LOST`; `count` says how many, `detail` which ones (names of columns or keys, not values).
    """

    code: str
    count: int = 1
    detail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brought:
    """The event, or only the players, of a file.

    `format` is the name of its format, a key of `words.FORMATS`. `apart` are pairs of keys that must not be paired.
    """

    format: str
    players: tuple[BroughtPlayer, ...]
    stages: tuple[BroughtStage, ...] = ()
    name: str = ""
    place: str = ""
    starts_at: datetime | None = None
    best_of: int | None = None
    apart: tuple[tuple[str, str], ...] = ()
    lost: tuple[Lost, ...] = ()

    def matches(self) -> Iterator[BroughtMatch]:
        """All matches of all stages, in order."""
        return (match for stage in self.stages for matches in stage.rounds for match in matches)

    @property
    def rounds(self) -> int:
        """The number of rounds of all stages together."""
        return sum(len(stage.rounds) for stage in self.stages)
