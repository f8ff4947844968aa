"""Scoring of an event that differs from its scheme: points for a win, a draw and a loss, and the floor of shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any

from tournaments.swiss.crosstable import Rules
from tournaments.swiss.field import SwissError

MOST_POINTS = 10
"""Maximum for one match. More would make the costs of a pairing too wide for exact weights."""

POINTS = ("win", "draw", "loss")


@dataclass(frozen=True, slots=True)
class Scoring:
    """Match points in halves, and the minimum share of matches and games; None keeps the value of the scheme.

    A loss gives its points only if a match was played: a missed round, a zero bye, a loss by no-show, a forfeit and a
    disqualification give none. Raises `SwissError` `bad_worth` or `bad_floor`.
    """

    win: Fraction | None = None
    draw: Fraction | None = None
    loss: Fraction | None = None
    floor: Fraction | None = None

    def __post_init__(self) -> None:
        for name in POINTS:
            value = getattr(self, name)
            if value is not None and not (0 <= value <= MOST_POINTS and 2 % value.denominator == 0):
                raise SwissError("bad_worth", f"points are halves from 0 to {MOST_POINTS}", f"scoring.{name}")
        if self.floor is not None and not 0 <= self.floor <= 1:
            raise SwissError("bad_floor", "the floor is a share between 0 and 1", "scoring.floor")

    def rules(self, rules: Rules) -> Rules:
        """A scheme's rules with these values applied.

        Raises `bad_worth` unless a win is worth more than 0, a draw at most as much as a win, and a loss at most as
        much as a draw.
        """
        if self.floor is not None:
            rules = replace(rules, floor=self.floor)
        if self.win is None and self.draw is None and self.loss is None:
            return rules
        before = (rules.win, rules.draw, rules.loss)
        win, draw, loss = (
            Fraction(least, rules.unit) if own is None else own
            for own, least in zip((self.win, self.draw, self.loss), before, strict=True)
        )
        if not 0 <= loss <= draw <= win or not win:
            raise SwissError("bad_worth", "a win gives points, a draw no more than it and a loss no more than a draw")
        unit = max(win.denominator, draw.denominator, loss.denominator)
        changed = replace(rules, win=int(win * unit), draw=int(draw * unit), loss=int(loss * unit), unit=unit)
        # The match-win share follows the points, unless the scheme has its own share for a draw (as `pokemon` does).
        if rules.draw_share == Fraction(rules.draw, rules.win):
            changed = replace(changed, draw_share=draw / win, loss_share=loss / win)
        return changed

    def worth(self) -> tuple[int, int, int]:
        """What a win, a draw and a loss are worth in the pairing, as integers in lowest terms."""
        counted = self.rules(Rules())
        common = gcd(counted.win, counted.draw, counted.loss)
        return counted.win // common, counted.draw // common, counted.loss // common

    def as_json(self) -> dict[str, str]:
        """The values that are set, as strings such as `1/2`."""
        figures = {name: getattr(self, name) for name in (*POINTS, "floor")}
        return {name: str(value) for name, value in figures.items() if value is not None}


PLAIN = Scoring()


def scoring_of(data: Any) -> Scoring:
    """Read a scoring from JSON, with numbers or strings such as `1/2`.

    Raises `SwissError` `bad_scoring`, or those of `Scoring`.
    """
    if not isinstance(data, Mapping) or not data.keys() <= {*POINTS, "floor"}:
        raise SwissError("bad_scoring", "a scoring has win, draw, loss and floor", "scoring")
    return Scoring(**{name: _fraction(value, f"scoring.{name}") for name, value in data.items()})


def _fraction(value: Any, path: str) -> Fraction:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and -1_000 < value < 1_000:
        return Fraction(value)
    if isinstance(value, str) and len(value) < 20:
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            pass
    raise SwissError("bad_scoring", "a figure is a number, or a text such as 1/2", path)
