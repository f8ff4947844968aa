"""Proposals for a Swiss stage; the organizer may change them."""

from __future__ import annotations

_ROUNDS = ((32, 5), (64, 6), (128, 7), (226, 8), (409, 9))
"""Up to so many players, so many rounds: Magic Tournament Rules, appendix E, from 9 players on."""


def proposed_rounds(players: int) -> int:
    """Swiss rounds proposed for so many players: `ceil(log2(players))` up to 8, then the table of MTR appendix E."""
    if players <= 8:
        return max(players - 1, 0).bit_length()
    return next((rounds for most, rounds in _ROUNDS if players <= most), 10)


def proposed_cut(players: int) -> int:
    """Players of the bracket after the Swiss rounds: none up to 8, top 4 up to 16, then top 8 (MTR appendix E)."""
    if players <= 8:
        return 0
    return 4 if players <= 16 else 8
