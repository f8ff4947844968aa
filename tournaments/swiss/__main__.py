"""The command line: `python -m tournaments.swiss pair | standings | simulate | verify | repair`, JSON in and out.

Exit 0; or 2 with `{"error": code, "message": …, "path": …}` on standard error.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NoReturn

from tournaments.swiss.field import Field, Match, SwissError
from tournaments.swiss.replies import paired, repaired, verified
from tournaments.swiss.simulate import simulate
from tournaments.swiss.standings import FLOOR, Row, standings
from tournaments.swiss.wire import field_of, parse

_PAIRINGS: dict[str, Callable[[Any], dict[str, Any]]] = {"pair": paired, "verify": verified, "repair": repaired}


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SwissError("usage", message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    try:
        answer = _answer(_arguments().parse_args(argv))
    except SwissError as error:
        said = {"error": error.code, "message": error.message, "path": error.path}
        print(json.dumps(said), file=sys.stderr)
        return 2
    print(json.dumps(answer))
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = _Arguments(prog="python -m tournaments.swiss", description="Pair and rank Swiss tournaments.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Arguments)
    commands.add_parser("pair", help="pair the next round")
    table = commands.add_parser("standings", help="the standings after the rounds given")
    table.add_argument("--scheme", default="mtr")
    table.add_argument("--floor", default=str(FLOOR), help="least match-win and game-win share: 1/3, or 0.33")
    table.add_argument("--gw", choices=("floored", "raw"), default="floored", help="a player's own GW%%")
    event = commands.add_parser("simulate", help="a whole event played by chance")
    for name in ("--players", "--rounds", "--seed"):
        event.add_argument(name, type=int, required=True)
    commands.add_parser("verify", help="compute a published round again and compare")
    commands.add_parser("repair", help="what can be done about a mistake in a published round")
    return parser


def _answer(asked: argparse.Namespace) -> dict[str, Any]:
    if asked.command == "simulate":
        event = simulate(players=asked.players, rounds=asked.rounds, seed=asked.seed)
        return _event(event, asked.seed)
    data = parse(sys.stdin.buffer.read())
    if asked.command in _PAIRINGS:
        return _PAIRINGS[asked.command](data)
    rows = standings(field_of(data), asked.scheme, floor=_share(asked.floor), gw_floored=asked.gw == "floored")
    return {"standings": [_row(row) for row in rows]}


def _share(text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,9}(/[1-9][0-9]{0,8}|\.[0-9]{1,9})?", text):
        raise SwissError("bad_floor", "the floor is a share such as 1/3 or 0.33", "--floor")
    return Fraction(text)


def _row(row: Row) -> dict[str, Any]:
    won, lost, drawn = row.record
    return {
        "rank": row.rank,
        "player": row.player,
        "points": row.points,
        **{name: float(value) for name, value in row.terms.items()},
        "exact": {name: str(value) for name, value in row.terms.items()},
        "won": won,
        "lost": lost,
        "drawn": drawn,
        "byes": row.byes,
        "rounds": row.explain.rounds,
        "game_points": row.explain.game_points,
        "games": row.explain.games,
        "opponents": [
            {"player": met.player, "mw": str(met.match_win), "gw": str(met.game_win)} for met in row.explain.opponents
        ],
    }


def _event(event: Field, seed: int) -> dict[str, Any]:
    return {
        "players": [{"id": player.id, "seed": player.seed} for player in event.players],
        "rounds": [{"matches": [_short(match) for match in matches]} for matches in event.rounds],
        "options": {"seed": seed},
    }


def _short(match: Match) -> list[str | None]:
    return [match.a, match.b, f"{match.games_a}-{match.games_b}-{match.drawn}"]


if __name__ == "__main__":
    sys.exit(main())
