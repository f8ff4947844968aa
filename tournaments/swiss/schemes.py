"""Standings schemes: an ordered list of tiebreaks and the rules they are counted by.

docs/tiebreaks.md describes each scheme and its source. A published scheme never changes, or standings by it could no
longer be verified. A correction is a new version of it, such as `mtr@2`, listed after the one before; the first version
is called just `mtr`. Whoever chooses a scheme gets its newest version, and a stage keeps the one it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tournaments.swiss.crosstable import Rules
from tournaments.swiss.field import SwissError
from tournaments.swiss.tiebreaks import ABSOLUTE, RELATIVE

MOST_TIEBREAKS = 12


@dataclass(frozen=True, slots=True)
class Scheme:
    """A name, the tiebreaks in the order in which they are compared, and the rules they count by."""

    name: str
    tiebreaks: tuple[str, ...]
    rules: Rules = field(default_factory=Rules)

    @property
    def plain(self) -> str:
        """The name without the version."""
        return plain(self.name)

    @property
    def terms(self) -> tuple[str, ...]:
        """The tiebreaks other than match points, which every row shows anyway."""
        return tuple(name for name in self.tiebreaks if name != "points")


_SHARES = ("points", "omw", "gw", "ogw")
_ZERO = Fraction(0)

PUBLISHED: tuple[Scheme, ...] = (
    Scheme("mtr", _SHARES),
    Scheme(
        "pokemon",
        ("points", "omw", "oomw", "direct"),
        Rules(draw_share=Fraction(1, 2), floor=Fraction(1, 4), dropped_most=Fraction(3, 4), byes_count=False),
    ),
    Scheme(
        "yugioh",
        ("points", "omw_1000", "oomw_1000", "lost_squares"),
        Rules(floor=_ZERO, byes_count=False),
    ),
    Scheme("lorcana", _SHARES, Rules(byes_count=False)),
    Scheme("netrunner", ("points", "sos", "esos"), Rules(floor=_ZERO)),
    Scheme(
        "fide",
        (
            "points",
            "buchholz",
            "buchholz_cut1",
            "buchholz_cut2",
            "sonneborn_berger",
            "direct",
            "win",
        ),
        Rules(win=2, draw=1, unit=2, unplayed_as_draws=True),
    ),
    # The publisher has no rule of its own so far.
    Scheme("altered", _SHARES),
)
"""Every version of every scheme, older versions first."""


def schemes() -> Mapping[str, Scheme]:
    """The newest version of each scheme, by its plain name."""
    return {scheme.plain: scheme for scheme in PUBLISHED}


def plain(name: str) -> str:
    """The name of a scheme without its version, or a list of tiebreaks without that of the scheme it counts by."""
    base, colon, names = name.rpartition(":")
    return f"{base.partition('@')[0]}:{names}" if colon else names.partition("@")[0]


def newest(text: str) -> str:
    """The same scheme, or list of tiebreaks, by the newest version of its rules; raises as `scheme_of` does."""
    scheme = scheme_of(text)
    base, colon, names = scheme.name.rpartition(":")
    current = schemes()
    if scheme.plain in current:
        return current[scheme.plain].name
    by = current[plain(base) or "mtr"].name
    return f"{by}:{names}" if colon or by != "mtr" else names


def scheme_of(text: str) -> Scheme:
    """The scheme with a name, or made from a list of tiebreaks.

    A list such as `points,wins,buchholz` counts by the rules of `mtr`; with a prefix, as in
    `fide:points,direct,buchholz`, by those of another scheme. Raises `SwissError` `unknown_scheme`, `unknown_tiebreak`,
    `repeated_tiebreak` or `too_many_tiebreaks`.
    """
    every = {scheme.name: scheme for scheme in PUBLISHED}
    if text in every:
        return every[text]
    base, colon, names = text.rpartition(":")
    if (colon and base not in every) or not (colon or "," in text or _is_tiebreak(text)):
        known = ", ".join(schemes())
        raise SwissError("unknown_scheme", f"{text!r} is no scheme of standings; schemes: {known}", "scheme")
    tiebreaks = tuple(name.strip() for name in names.split(","))
    for name in tiebreaks:
        if not _is_tiebreak(name):
            known = ", ".join((*ABSOLUTE, *RELATIVE))
            raise SwissError("unknown_tiebreak", f"{name!r} is no tiebreak; tiebreaks: {known}", "scheme")
    if len(set(tiebreaks)) < len(tiebreaks):
        raise SwissError("repeated_tiebreak", "a tiebreak is listed twice", "scheme")
    if len(tiebreaks) > MOST_TIEBREAKS:
        raise SwissError("too_many_tiebreaks", f"more than {MOST_TIEBREAKS} tiebreaks", "scheme")
    return Scheme(text, tiebreaks, every[base or "mtr"].rules)


def _is_tiebreak(name: str) -> bool:
    return name in ABSOLUTE or name in RELATIVE
