"""Time to compute the board state at every move of a game, compared with the plain audit of the same logs.

First for Star Safir, then for the other games with each of their catalogues, all in one run.
"""

import argparse
import json
from functools import partial

import engine
from bench import _logs
from bench._clock import per_second, race, ratio


def every_state(document: bytes) -> None:
    """Compute the state after each entry, as a page that jumps from move to move requests it."""
    replay = engine.Replay(document)
    for n in range(len(replay.log.entries) + 1):
        replay.state_at(n)


def measure(title: str, documents: list[bytes], runs: int) -> None:
    """Measure both on the same logs."""
    count = sum(len(json.loads(document)["moves"]) for document in documents)
    times = race(
        {
            "audit": [partial(engine.audit, document) for document in documents],
            "states": [partial(every_state, document) for document in documents],
        },
        runs,
    )
    print(f"{title}: {len(documents)} logs, {count} moves")
    per_second("moves audited", count, times["audit"])
    per_second("moves audited, with the state at each", count, times["states"])
    ratio("times the plain audit", times["states"] / times["audit"], "at most 5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50, help="logs of seeds 1 to this one")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    seeds = range(1, args.seeds + 1)
    measure("cards without effects", _logs.plain(seeds), args.runs)
    measure("decks of effects", _logs.acting(seeds), args.runs)
    for game in engine.games():
        for cards in engine.catalogs(game) if game != _logs.GAME else ():
            measure(f"{game}, {cards.id}", _logs.of(cards, seeds), args.runs)


if __name__ == "__main__":
    main()
