"""Pairing by py4swiss (FIDE Dutch rules) for comparison, through the TRF(x) text that it reads."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tournaments.swiss.field import Field, points_of
from tournaments.swiss.situation import Situation

NOBODY = "0000"
RESULTS = {3: "1", 1: "=", 0: "0"}


def parsed(field: Field, now: Situation) -> Any:
    """The event as py4swiss represents it, with players numbered from 1 as in `now`; None if it is not installed."""
    try:
        from py4swiss.trf import TrfParser
    except ModuleNotFoundError:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".trf") as file:
        file.write(_text(field, now))
        file.flush()
        return TrfParser.parse(Path(file.name))


def paired(event: Any) -> list[tuple[int, int]]:
    """The pairs of the next round, as numbers from 0, without the bye."""
    from py4swiss.engines import DutchEngine

    found = ((pair.white, pair.black) for pair in DutchEngine.generate_pairings(event))
    return [(white - 1, black - 1) for white, black in found if white and black]


def _text(field: Field, now: Situation) -> str:
    number = {player: i for i, player in enumerate(now.ids, start=1)}
    whites = dict.fromkeys(now.ids, 0)
    cells: dict[str, list[str]] = {player: [] for player in now.ids}
    for match in field.matches():
        won, lost = points_of(match)
        if match.b is None:
            cells[match.a].append(f"{NOBODY} - U")
            continue
        white, black = sorted((match.a, match.b), key=lambda seat: (whites[seat], number[seat]))
        whites[white] += 1
        whites[black] -= 1
        for seat, other, points in ((match.a, match.b, won), (match.b, match.a, lost)):
            colour = "w" if seat == white else "b"
            cells[seat].append(f"{number[other]:4} {colour} {RESULTS[points]}")
    lines = [f"XXR {len(field.rounds) + 1}", "XXS W=3.0", "XXS D=1.0"]
    for player, at in number.items():
        head = f"001 {at:4} m    {f'Player {at}':33} {2000:4} {'':3} {at:11} {'':10} {now.points[at - 1]:4.1f} {at:4}"
        lines.append("  ".join([head, *cells[player]]))
    return "\n".join(lines) + "\n"
