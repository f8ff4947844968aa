"""Moves audited per second, compared with python-chess reading PGN, in one run.

Ours is `engine.audit`, from the bytes of a log to the report, with legality checked and digests on, for self-played
games: of Star Safir, which has bounds, then of the other games with each of their catalogues. The peer is
`chess.pgn.read_game` on random legal games of as many plies, from text, with legality checked. Moves of different games
are not comparable, so the ratio only gives an order of magnitude.
"""

import argparse
import json
from collections import Counter
from functools import partial
from unittest import mock

import engine
from bench import _chess, _logs
from bench._clock import per_second, race, ratio
from engine.core.effects.host import Stack
from engine.core.table.agenda import Frame


def share_with_effects(documents: list[bytes]) -> int:
    """The percentage of entries that run an effect: they resolve an operation of a card, or answer one.

    An entry made while a bonus or a keyword is merely active does not count.
    """
    started: list[Frame] = []
    push = Stack.push

    def watched(stack: Stack, frame: Frame) -> None:
        if "ops" in frame or "op" in frame or "branches" in frame:
            started.append(frame)
        push(stack, frame)

    acting = total = 0
    with mock.patch.object(Stack, "push", watched):
        for document in documents:
            for step in engine.Replay(document):
                total += 1
                acting += bool(started) or step.entry.do == "answer"
                started.clear()
    return 100 * acting // total


def measure(title: str, documents: list[bytes], runs: int, bound: str) -> None:
    """Audit the logs and run the peer, and print both."""
    for document in documents:
        verdict = engine.audit(document).verdict
        if verdict != "confirmed":
            raise SystemExit(f"a self-played log is {verdict}")
    logs = [json.loads(document)["moves"] for document in documents]
    count = sum(map(len, logs))
    mix = ", ".join(f"{verb} {n}" for verb, n in Counter(move["do"] for log in logs for move in log).most_common())
    print(f"{title}: {len(logs)} logs, {count} moves, {sum(map(len, documents)) // 1024} KiB: {mix}")
    print(f"{share_with_effects(documents)} % of the moves run an effect")
    texts = _chess.pgn_texts([len(log) for log in logs])
    times = race(
        {
            "ours": [partial(engine.audit, document) for document in documents],
            "peer": [partial(_chess.read, text) for text in texts],
        },
        runs,
    )
    per_second("moves audited", count, times["ours"])
    per_second("plies read by chess.pgn.read_game", count, times["peer"])
    ratio("ratio ours / python-chess", times["peer"] / times["ours"], bound)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50, help="logs of seeds 1 to this one")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    seeds = range(1, args.seeds + 1)
    measure("cards without effects", _logs.plain(seeds), args.runs, "at least 1")
    measure("decks of effects", _logs.acting(seeds), args.runs, "floor 0.3, aim 1")
    for game in engine.games():
        for cards in engine.catalogs(game) if game != _logs.GAME else ():
            measure(f"{game}, {cards.id}", _logs.of(cards, seeds), args.runs, "no bound")


if __name__ == "__main__":
    main()
