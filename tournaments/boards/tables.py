"""The table of each game: which zones lie beside each other, from the middle of the table to its edge."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Where the zones of a game lie.

    `lines` are the lines of zones of one seat, from the middle of the table outwards; zones that no line has are piles.
    `facing` is a common row of slots, and the zone whose cards face one of them: these lie opposite it. `track` is a
    common row of regions along which each seat moves two counters towards each other.
    """

    lines: tuple[tuple[str, ...], ...]
    facing: tuple[str, str] | None = None
    track: str = ""
    walkers: tuple[str, ...] = ()


TABLES: Mapping[str, Table] = {
    "star-safir": Table((
        ("T1/fighters", "T2/fighters", "T3/fighters"),
        ("T1/magics", "T2/magics", "T3/magics"),
        ("T1/discard", "T2/discard", "T3/discard"),
        ("commander", "hand"),
    )),
    "altered": Table(
        (("exp_heros", "exp_compagnon"), ("hero", "reserve", "landmarks"), ("hand",)),
        track="tumultes",
        walkers=("heros", "compagnon"),
    ),
    "saint-seiya": Table((("armour", "relics"), ("hand",)), facing=("terrain", "play")),
    "stellar-nexus": Table((("field",), ("hero", "equipment", "resources"), ("hand",))),
    "wakfu": Table((("combat",), ("leader", "equipment", "rest"), ("hand",))),
}
