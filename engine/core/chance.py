"""Chance: what was drawn, and where it comes from in self-play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Draw = Sequence[str]  # the refs of drawn cards, "?" for a card that nobody identified


class Dealer(Protocol):
    """The source of chance in self-play. `window` says that the move in question will be responded to."""

    window: bool

    def pick(self, options: Sequence[Any]) -> Any:
        """Pick one of the options."""
        ...

    def deal(self, unseen: Mapping[str, int], count: int) -> list[str]:
        """Draw `count` cards from a multiset of refs (ref -> copies), without replacement."""
        ...
