"""How the cost of one audit grows with its moves, beside python-chess reading PGN of as many plies, in one run.

The games are those of `_logs.long_game`: two fighters that attack each other for ever, and a judge who takes the points
back. Linear growth is the same time a move at every length.
"""

import argparse
from functools import partial

import engine
from bench import _chess, _logs
from bench._clock import Work, race, ratio

LENGTHS = (100, 1_000, 10_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="+", default=list(LENGTHS))
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    contenders: dict[str, list[Work]] = {}
    for length in args.lengths:
        document = _logs.long_game(length)
        report = engine.audit(document)
        if report.verdict != "unfinished":
            raise SystemExit(f"the long game is {report.verdict}: {report.as_text()}")
        contenders[f"ours {length}"] = [partial(engine.audit, document)]
        contenders[f"peer {length}"] = [partial(_chess.read, text) for text in _chess.pgn_texts([length])]
    times = race(contenders, args.runs)
    first = times[f"ours {args.lengths[0]}"] / args.lengths[0]
    for length in args.lengths:
        each, peer = times[f"ours {length}"] / length, times[f"peer {length}"] / length
        print(f"{length} moves: {1e6 * each:.2f} microseconds a move; python-chess {1e6 * peer:.2f} a ply")
        ratio("ratio ours / python-chess", peer / each, "the same at every length")
        ratio("cost a move, times that of the first length", each / first, "about 1")


if __name__ == "__main__":
    main()
