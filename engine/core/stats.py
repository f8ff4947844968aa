"""Arithmetic of figures."""

from __future__ import annotations


def half_up(amount: int) -> int:
    """Half of an amount, rounded up."""
    return -(-amount // 2)
