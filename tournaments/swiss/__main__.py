"""Command line of the Swiss package, JSON in and out.

`python -m tournaments.swiss pair | standings | simulate | verify | repair | trf`. The exit code is 0, or 2 with
`{"error": code, "message": …, "path": …}` on standard error. docs/pairing.md describes the input and the output of each
command.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn

from tournaments.swiss import multiplayer, trf
from tournaments.swiss.exchange import event_of, names_of, text_of, written
from tournaments.swiss.field import MAX_ROUNDS, Field, Match, SwissError
from tournaments.swiss.replies import paired, repaired, verified
from tournaments.swiss.report import cut_of, opened, shown
from tournaments.swiss.simulate import simulate
from tournaments.swiss.standings import frozen, standings
from tournaments.swiss.wire import Request, field_of, options_of, parse

_PAIRINGS: dict[str, Callable[[Any], dict[str, Any]]] = {"pair": paired, "verify": verified, "repair": repaired}


class _Arguments(argparse.ArgumentParser):
    # argparse would print its usage and exit; callers expect the same JSON error as for bad input.
    def error(self, message: str) -> NoReturn:
        raise SwissError("usage", message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        answer = _answer(_arguments().parse_args(argv))
    except SwissError as error:
        problem = {"error": error.code, "message": error.message, "path": error.path}
        print(json.dumps(problem), file=sys.stderr)
        return 2
    print(answer if isinstance(answer, str) else json.dumps(answer))
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = _Arguments(prog="python -m tournaments.swiss", description="Pair and rank Swiss tournaments.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Arguments)
    commands.add_parser("pair", help="pair the next round")
    table = commands.add_parser("standings", help="the standings after the rounds given")
    table.add_argument("--scheme", default="mtr", help="a scheme, or tiebreaks in order: points,wins,buchholz")
    table.add_argument("--floor", help="least match-win and game-win share: 1/3, or 0.33; left out, the scheme's")
    table.add_argument("--gw", choices=("floored", "raw"), help="a player's own GW%%; left out, the scheme's")
    table.add_argument("--explain", action="store_true", help="open every figure to its terms")
    event = commands.add_parser("simulate", help="a whole event played by chance")
    for name in ("--players", "--rounds", "--seed"):
        event.add_argument(name, type=int, required=True)
    chess = commands.add_parser("trf", help="TRF to an event, or an event to TRF")
    chess.add_argument("way", choices=("read", "write"))
    chess.add_argument("--scheme", default="mtr", help="the scheme of the ranks written")
    commands.add_parser("verify", help="compute a published round again and compare")
    commands.add_parser("repair", help="what can be done about a mistake in a published round")
    return parser


def _answer(args: argparse.Namespace) -> dict[str, Any] | str:
    if args.command == "simulate":
        event = simulate(players=args.players, rounds=args.rounds, seed=args.seed)
        return _event(event, args.seed)
    text = sys.stdin.buffer.read()
    if args.command == "trf" and args.way == "read":
        return event_of(trf.read(text_of(text)))
    data = parse(text)
    if args.command in _PAIRINGS:
        return _PAIRINGS[args.command](data)
    # This scheme has its own input, tables of up to five players, so it is handled before the input is read as a Swiss
    # field.
    if args.command == "standings" and args.scheme == multiplayer.NAME:
        return {"standings": [multiplayer.shown(row) for row in multiplayer.standings(*multiplayer.tables_of(data))]}
    field, request = field_of(data), options_of(data)
    if args.command == "standings":
        return _standings(args, field, data, request)
    rows = standings(field, args.scheme, seed=request.seed, scoring=request.options.scoring)
    plan = trf.Plan(_planned(data), request.options.awarded, request.forbidden)
    return written(field, names_of(data), rows, plan=plan).rstrip("\n")


def _planned(data: dict[str, Any]) -> int | None:
    planned = data.get("rounds_planned")
    if planned is not None and (type(planned) is not int or not 0 < planned <= MAX_ROUNDS):
        raise SwissError("bad_input", f"rounds_planned is a whole number from 1 to {MAX_ROUNDS}", "rounds_planned")
    return planned


def _standings(args: argparse.Namespace, field: Field, data: dict[str, Any], request: Request) -> dict[str, Any]:
    floor = None if args.floor is None else _share(args.floor)
    gw_floored = None if args.gw is None else args.gw == "floored"
    rank = partial(
        standings,
        scheme=args.scheme,
        floor=floor,
        gw_floored=gw_floored,
        seed=request.seed,
        scoring=request.options.scoring,
    )
    rows = rank(field)
    if cut := cut_of(data, field):
        # Players eliminated at the cut keep the rank they had then, so rank the rounds up to the cut separately.
        rows = frozen(rank(Field(field.players, field.rounds[: cut.after])), rows, cut.advancing)
    return {"standings": [shown(row) | (opened(row) if args.explain else {}) for row in rows]}


def _share(text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,9}(/[1-9][0-9]{0,8}|\.[0-9]{1,9})?", text):
        raise SwissError("bad_floor", "the floor is a share such as 1/3 or 0.33", "--floor")
    return Fraction(text)


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
