"""Growth of the time of one audit with the number of moves, compared with python-chess in the same run.

The peer reads PGN of as many plies. The games of Star Safir come from `_logs.long_game`: two fighters that attack each
other forever, and a judge who takes the points back. For the other games it is the longest of some self-played logs,
cut at a quarter and a half; its moves are not uniform, because there is less on the board early on. Linear growth means
the same time per move at every length.
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
    parser.add_argument("--seeds", type=int, default=50, help="self-played logs of the other games to choose from")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    grows("endless games", {length: _logs.long_game(length) for length in args.lengths}, args.runs)
    for cards in _logs.others():
        longest = _logs.longest(cards, range(1, args.seeds + 1))
        moves = _logs.length(longest)
        cut = {length: _logs.beginning(longest, length) for length in (moves // 4, moves // 2, moves - 1)}
        grows(f"{cards.game}, {cards.id}", cut, args.runs)


def grows(title: str, documents: dict[int, bytes], runs: int) -> None:
    """Race the audits of unfinished logs of several lengths, each against the peer, and print the cost per move."""
    contenders: dict[str, list[Work]] = {}
    for length, document in documents.items():
        report = engine.audit(document)
        if report.verdict != "unfinished":
            raise SystemExit(f"the log of {length} moves is {report.verdict}: {report.as_text()}")
        contenders[f"ours {length}"] = [partial(engine.audit, document)]
        contenders[f"peer {length}"] = [partial(_chess.read, text) for text in _chess.pgn_texts([length])]
    times = race(contenders, runs)
    print(title)
    shortest = next(iter(documents))
    first = times[f"ours {shortest}"] / shortest
    for length in documents:
        each, peer = times[f"ours {length}"] / length, times[f"peer {length}"] / length
        print(f"{length} moves: {1e6 * each:.2f} microseconds a move; python-chess {1e6 * peer:.2f} a ply")
        ratio("ratio ours / python-chess", peer / each, "the same at every length")
        ratio("cost a move, times that of the first length", each / first, "about 1")


if __name__ == "__main__":
    main()
