"""Proposals for a Swiss stage; the organizer may change them."""

from __future__ import annotations

MAGIC = "magic"

_ROUNDS = ((32, 5), (64, 6), (128, 7), (226, 8), (409, 9))
"""Up to so many players, so many rounds: Magic Tournament Rules, appendix E, from 9 players on."""

_OWN = {"altered": 3, "altered-bo1": 4, "altered-draft": 3}
"""Rounds of the formats that fix their number: Altered Standard in best of 3 and in one game, and Draft."""


def proposed_rounds(players: int, format: str = MAGIC) -> int:
    """Swiss rounds proposed for so many players.

    The table of MTR appendix E for `MAGIC` from 9 players on; the format's own number where it has one, unless fewer
    rounds find a winner; else `ceil(log2(players))`.
    """
    least = max(players - 1, 0).bit_length()
    if format in _OWN:
        return min(_OWN[format], least)
    if players <= 8 or format != MAGIC:
        return least
    return next((rounds for most, rounds in _ROUNDS if players <= most), 10)


def proposed_cut(players: int) -> int:
    """Players of the bracket after the Swiss rounds: none up to 8, top 4 up to 16, then top 8 (MTR appendix E)."""
    if players <= 8:
        return 0
    return 4 if players <= 16 else 8
