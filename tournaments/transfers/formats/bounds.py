"""Bounds on the files of other programs, and how a file that cannot be read is refused."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.common.names import one_line
from tournaments.common.refusals import InvalidInput

MAX_BYTES = 8 * 2**20
MAX_PLAYERS = 5_000
MAX_ROUNDS = 30  # of all stages together
MAX_ROWS = 80_000  # of a CSV file: 30 rounds of 5,000 players are 75,000 matches
MAX_TITLES = 64 * 1024  # characters of its first line
MAX_TRIED = 256 * 1024  # characters in which the delimiter is looked for
MAX_LINES = 4 * MAX_ROWS  # ends of lines, so that a file of nothing but those is not split into millions of lines
MAX_COLUMNS = 200
MAX_DEPTH = 40  # of JSON
MAX_MARKS = 1_000_000  # commas and brackets of JSON, including those in its strings
MAX_KEY = 200  # characters of what a player is referred to by
MAX_NAME = 200  # characters of names of players, events and places
MAX_DECKLIST = 20_000  # characters
MAX_GAMES = 99  # in a match


def unreadable(why: str, where: str = "") -> InvalidInput:
    """The refusal of a file: why it cannot be read, and the line, key or column where that was noticed."""
    where = clean(where)
    sentence = _("%(where)s: %(why)s") % {"where": where, "why": why} if where else why
    return InvalidInput("transfer_unreadable", sentence, details=[where] if where else [])


def check_count(players: int) -> None:
    """Refuse a file with too many players, as soon as that many have been read."""
    if players > MAX_PLAYERS:
        raise unreadable(_("The file has more than 5,000 players."))


def clean(text: str, most: int = MAX_NAME) -> str:
    """The text on one line of at most `most` characters, without anything that cannot be stored or shown."""
    # Half a pair of UTF-16 can come out of JSON, and no database takes it.
    return one_line(text.encode("utf-8", "ignore").decode())[:most].rstrip()
