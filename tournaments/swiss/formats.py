"""Proposed numbers of Swiss rounds and sizes of the cut. The organizer may change them."""

from __future__ import annotations

MAGIC = "magic"

_ROUNDS = ((32, 5), (64, 6), (128, 7), (226, 8), (409, 9))
"""Pairs of (maximum number of players, rounds): Magic Tournament Rules, appendix E, from 9 players on."""

_OWN = {"altered": 3, "altered-bo1": 4, "altered-draft": 3}
"""Rounds of formats that fix their number: Altered Standard in best of 3 and best of 1, and Draft."""


def proposed_rounds(players: int, format: str = MAGIC) -> int:
    """The number of Swiss rounds proposed for this many players.

    `MAGIC` uses the table of MTR appendix E from 9 players on. A format with a number of its own gets that number, or
    fewer rounds if these already leave one undefeated player. Otherwise `ceil(log2(players))`.

    >>> proposed_rounds(33), proposed_rounds(33, "altered")
    (6, 3)
    """
    least = max(players - 1, 0).bit_length()
    if format in _OWN:
        return min(_OWN[format], least)
    if players <= 8 or format != MAGIC:
        return least
    return next((rounds for most, rounds in _ROUNDS if players <= most), 10)


def why_proposed(players: int, format: str = MAGIC) -> str:
    """The reason for that number of rounds.

    It is `format` (the format fixes it), `table` (MTR appendix E) or `winner` (the fewest rounds that leave one
    undefeated player).
    """
    least = max(players - 1, 0).bit_length()
    if format in _OWN:
        return "format" if _OWN[format] < least else "winner"
    return "table" if players > 8 and format == MAGIC else "winner"


def proposed_cut(players: int) -> int:
    """The number of players who advance: none up to 8, top 4 up to 16, then top 8 (MTR appendix E)."""
    if players <= 8:
        return 0
    return 4 if players <= 16 else 8
