"""What an uploaded file holds, and what can be made of it."""

import io
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments.archive.reading import EventFile
from tournaments.archive.services import read_event_file
from tournaments.common.refusals import InvalidInput
from tournaments.events import entry_files
from tournaments.transfers.brought import Brought, Lost
from tournaments.transfers.models import Transfer
from tournaments.transfers.reading import EVENT_FILE, ROSTER, read

PLAY_ON, ARCHIVE, ENTRANTS = "play_on", "archive", "entrants"


@dataclass(frozen=True)
class Contents:
    """What a file holds: an event file of ours (`file`), or what was read of another program's (`brought`).

    A plain list of players (`format` "roster") has neither: `events.imports` reads it. `listed` is how many it has.
    """

    format: str
    file: EventFile | None = None
    brought: Brought | None = None
    listed: int = 0

    @property
    def goals(self) -> tuple[str, ...]:
        """What can be made of it: an event to play on, an archive, or entrants of an event."""
        if self.format == ROSTER:
            return (ENTRANTS,)
        if self.file is not None:
            return PLAY_ON, ARCHIVE
        return (PLAY_ON, ARCHIVE, ENTRANTS) if self.brought and self.brought.rounds else (PLAY_ON, ENTRANTS)


@dataclass(frozen=True)
class Described:
    """A file in figures. `waiting` are matches without a result; `event_status` is that of an event of ours."""

    goals: tuple[str, ...] = ()
    name: str = ""
    players: int = 0
    rounds: int = 0
    matches: int = 0
    waiting: int = 0
    dropped: int = 0
    event_status: str = ""
    lost: tuple[Lost, ...] = field(default=())


def contents_of(format_: str, document: bytes) -> Contents:
    """Read a file of a known format. Raises the refusals of its reader, which say what is wrong and where."""
    if format_ == EVENT_FILE:
        return Contents(format_, file=read_event_file(io.BytesIO(document)))
    if format_ == ROSTER:
        # Refused here is what the import of entrants would refuse later.
        file = entry_files.read_file(document, {})
        listed = file.count if file.reading.unsure else sum(not line.faults for line in file.lines)
        if not listed:
            raise InvalidInput("nothing_brought", _("There are no players in this file."))
        return Contents(format_, listed=listed)
    return Contents(format_, brought=read(document, format_))


def described(transfer: Transfer) -> Described:
    """What a file holds, or held, in figures, without reading it again."""
    said = dict(transfer.summary)
    lost = tuple(Lost(each["code"], each["count"], tuple(each["detail"])) for each in said.pop("lost"))
    return Described(**{**said, "goals": tuple(said["goals"]), "lost": lost})


def described_as(contents: Contents) -> Described:
    """Contents in figures."""
    file, brought = contents.file, contents.brought
    if file is not None:
        played = [row for row in file["match"] if row["table"] is not None]
        return Described(
            goals=contents.goals,
            name=file.event["name"],
            players=len(file["entrant"]),
            rounds=len(file["round"]),
            matches=len(played),
            waiting=sum(row["games_drawn"] is None for row in played),
            dropped=sum(row["dropped_after"] is not None for row in file["entrant"]),
            event_status=file.event["status"],
        )
    if brought is None:
        return Described(goals=contents.goals, players=contents.listed)
    met = [match for match in brought.matches() if len(match.seats) > 1]
    return Described(
        goals=contents.goals,
        name=brought.name,
        players=len(brought.players),
        rounds=brought.rounds,
        matches=len(met),
        waiting=sum(match.games is None for match in met),
        dropped=sum(player.dropped_after is not None for player in brought.players),
        lost=brought.lost,
    )
