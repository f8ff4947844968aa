"""A decklist of 40 cards checked from its text, and a catalogue of 3,000 cards loaded, beside `json.loads`."""

import argparse
import json
import random
from functools import partial
from importlib.resources import files
from typing import Any

from bench import _logs
from bench._clock import milliseconds, race, ratio
from engine.core import registry
from engine.core.cards import load_catalog
from engine.core.decklist import parse, render
from engine.core.decks import check_deck

CARDS = 40


def deck_text() -> str:
    """A legal list of 40 cards as players paste it."""
    cards, rng = _logs.catalog(_logs.EFFECTS), random.Random(1)
    while True:
        deck = registry.module(_logs.GAME, "deck").random_deck(rng, cards)
        if sum(deck.main.values()) == CARDS:
            return render(deck, cards)


def check(text: str) -> None:
    """From the text to the violations, of which there are none."""
    cards = _logs.catalog(_logs.EFFECTS)
    read = parse(text, cards)
    if read.faults or check_deck(_logs.GAME, read.deck, catalog=cards):
        raise SystemExit("the list is not legal")


def large_catalog(name: str, size: int) -> bytes:
    """A catalogue of so many cards: those of a shipped one again and again, each under a ref and a name of its own."""
    source = files(registry.package(_logs.GAME)).joinpath("cards", f"{name}.json").read_text(encoding="utf-8")
    cards: list[dict[str, Any]] = json.loads(source)["cards"]
    many = [
        {**cards[n % len(cards)], "ref": f"LOT-{n:05}", "name": f"{cards[n % len(cards)]['name']} {n}"}
        for n in range(size)
    ]
    return json.dumps({"id": "lot", "game": _logs.GAME, "cards": many}, ensure_ascii=False).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=3_000, help="cards of the large catalogue")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    text = deck_text()
    as_json = json.dumps(parse(text, _logs.catalog(_logs.EFFECTS)).deck.to_json())
    times = race({"ours": [partial(check, text)], "yardstick": [partial(json.loads, as_json)]}, 20 * args.runs)
    milliseconds(f"a list of {CARDS} cards, text to violations", times["ours"])
    ratio("beside its bound", times["ours"] / 0.001, "at most 1, a millisecond")
    ratio("times json.loads of the same list", times["ours"] / times["yardstick"], "a yardstick")
    for name in (_logs.PLAIN, _logs.EFFECTS):
        data = large_catalog(name, args.cards)
        times = race({"ours": [partial(load_catalog, data)], "yardstick": [partial(json.loads, data)]}, args.runs)
        milliseconds(f"{args.cards} cards of {name}, {len(data) // 1024} KiB, loaded", times["ours"])
        ratio("beside its bound", times["ours"] / 0.150, "at most 1, 150 ms")
        ratio("times json.loads of the same bytes", times["ours"] / times["yardstick"], "a yardstick")


if __name__ == "__main__":
    main()
