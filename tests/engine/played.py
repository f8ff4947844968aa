"""Random games of every catalogue of a game, told as JSON: `python -m tests.engine.played GAME COUNT`.

One line a game: its catalogue and seed, the digests of its log and of the report of its audit, the verdict. Then one
line of what occurred, and how often: seats, verbs, responses, ways to end, keywords of cards played, triggers and
operations executed.
The same lines whatever the hash seed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.core import agenda, log, selfplay
from engine.core.audit import audit
from engine.core.cards import Catalog, shipped_catalogs
from engine.core.effects.language import operations_of
from engine.core.replay import load_game

Seen = Counter[str]


def counting(catalog: Catalog, seen: Seen) -> Any:
    """A `Stack.push` that counts what it is given to do."""
    push = agenda.Stack.push
    named = {}
    for card in catalog.cards.values():
        for ability in card.abilities:
            if "on" in ability:
                named |= {id(body): ability["on"] for body in (ability, ability.get("do")) if body is not None}

    def counted(stack: agenda.Stack, frame: agenda.Frame) -> None:
        if frame.get("step") == "do":
            seen.update(f"operation {word}" for word in operations_of(frame["ops"][:1]))
        key = named.get(id(frame.get("ops"))) or named.get(id(frame.get("ability")))
        if key is not None:
            seen[f"trigger {key}"] += 1
        push(stack, frame)

    return counted


def games(catalog: Catalog, count: int, seen: Seen) -> Iterator[list[Any]]:
    """Random games of a catalogue and their audits."""
    push, counted = agenda.Stack.push, counting(catalog, seen)
    for seed in range(count):
        document = selfplay.play(catalog.game, seed, catalog=catalog)
        agenda.Stack.push = counted  # type: ignore[method-assign]
        try:
            report = audit(document)
        finally:
            agenda.Stack.push = push  # type: ignore[method-assign]
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
    """Play and tell."""
    game, count = sys.argv[1], int(sys.argv[2])
    seen: Seen = Counter({f"verb {verb}": 0 for verb in load_game(game).habits})
    for catalog in shipped_catalogs(game):
        for line in games(catalog, count, seen):
            print(json.dumps(line))
    print(json.dumps(dict(sorted(seen.items()))))


if __name__ == "__main__":
    main()
