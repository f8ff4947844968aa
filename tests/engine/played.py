"""Summarize random games of every catalogue of a game as JSON: `python -m tests.engine.played GAME COUNT`.

Prints one line for each game: the catalogue, the seed, the SHA-256 of the log and of its audit report, the verdict and
the number of claims found wrong. The last line counts what occurred: seats, verbs, responses, ways to end, keywords of
cards played, triggers and operations executed. The output must not depend on PYTHONHASHSEED; `test_every_game.py` runs
this module in processes of its own to prove it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.core.abilities.language import operations_of
from engine.core.cards.catalog import Catalog, shipped_catalogs
from engine.core.effects.host import Stack
from engine.core.replay import selfplay
from engine.core.replay.replay import load_game
from engine.core.report.audit import audit
from engine.core.table import log
from engine.core.table.agenda import Frame

Seen = Counter[str]


def counting(catalog: Catalog, seen: Seen) -> Any:
    """Return a `Stack.push` that also counts the operations and triggers it is given."""
    push = Stack.push
    named = {}  # an ability may be pushed as a whole or as its list of operations: both identify the trigger
    for card in catalog.cards.values():
        for ability in card.abilities:
            if "on" in ability:
                named |= {id(body): ability["on"] for body in (ability, ability.get("do")) if body is not None}

    def counted(stack: Stack, frame: Frame) -> None:
        if frame.get("step") == "do":
            seen.update(f"operation {word}" for word in operations_of(frame["ops"][:1]))
        key = named.get(id(frame.get("ops"))) or named.get(id(frame.get("ability")))
        if key is not None:
            seen[f"trigger {key}"] += 1
        push(stack, frame)

    return counted


def games(catalog: Catalog, count: int, seen: Seen) -> Iterator[list[Any]]:
    """Play and audit `count` random games of a catalogue; yield the summary line of each."""
    push, counted = Stack.push, counting(catalog, seen)
    for seed in range(count):
        document = selfplay.play(catalog.game, seed, catalog=catalog)
        Stack.push = counted  # type: ignore[method-assign]
        try:
            report = audit(document)
        finally:
            Stack.push = push  # type: ignore[method-assign]
        seen[f"end {report.reason}"] += 1
        seen[f"seats {len(document['seats'])}"] += 1
        for entry in document["moves"]:
            seen[f"verb {entry['do']}"] += 1
            seen["response"] += bool(entry.get("resp"))
            for key in ("card", "with"):
                card = catalog.cards.get(str(entry.get("args", {}).get(key)))
                seen.update(f"keyword {word['kw']}" for word in (() if card is None else card.keywords))
        told = [hashlib.sha256(log.canonical(item)).hexdigest() for item in (document, report.as_json())]
        yield [catalog.id, seed, *told, report.verdict, len(report.claims)]


def main() -> None:
    """Play the games and print the summary."""
    game, count = sys.argv[1], int(sys.argv[2])
    seen: Seen = Counter({f"verb {verb}": 0 for verb in load_game(game).habits})
    for catalog in shipped_catalogs(game):
        for line in games(catalog, count, seen):
            print(json.dumps(line))
    print(json.dumps(dict(sorted(seen.items()))))


if __name__ == "__main__":
    main()
