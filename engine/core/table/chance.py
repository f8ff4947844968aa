"""Chance: what was drawn, and where it comes from in self-play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Draw = Sequence[str]  # the refs of drawn cards, "?" for a card that nobody identified


class Dealer(Protocol):
    """A source of chance. `window` says that the move in question will be responded to.

    `kind` is what the log calls that chance, such as "draw" or "roll"; "choice" is a decision that can only be made
    once the cards are dealt.
    """

    window: bool

    def pick(self, options: Sequence[Any], kind: str = "pick") -> Any:
        """Pick one of the options."""
        ...

    def deal(self, unseen: Mapping[str, int], count: int, kind: str = "draw") -> list[str]:
        """Draw `count` cards from a multiset of refs (ref -> copies), without replacement."""
        ...
