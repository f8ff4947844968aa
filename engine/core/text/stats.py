"""Arithmetic on figures."""

from __future__ import annotations


def half_up(amount: int) -> int:
    """Return half of an amount, rounded up."""
    return -(-amount // 2)
