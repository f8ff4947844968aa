"""Time to check a decklist from its text, and to load a catalogue of 3,000 cards, compared with `json.loads`.

First for Star Safir, whose lists have 40 cards, then for the other games: a random list, and each of their catalogues.
"""

import argparse
import json
import random
from functools import partial
from importlib.resources import files
from typing import Any

import engine
from bench import _logs
from bench._clock import milliseconds, race, ratio
from engine.core.cards.catalog import Catalog, load_catalog
from engine.core.decks.decklist import parse, render
from engine.core.decks.rules import check_deck
from engine.core.text import registry

CARDS = 40


def deck_text() -> str:
    """A legal list of 40 cards, as players paste it."""
    cards, rng = _logs.catalog(_logs.EFFECTS), random.Random(1)
    while True:
        deck = registry.module(_logs.GAME, "deck").random_deck(rng, cards)
        if sum(deck.main.values()) == CARDS:
            return render(deck, cards)


def check(text: str, cards: Catalog) -> None:
    """Read a list and check it; exits unless it is legal."""
    read = parse(text, cards)
    if read.faults or check_deck(cards.game, read.deck, catalog=cards):
        raise SystemExit("the list is not legal")


def large_catalog(cards: Catalog, size: int) -> bytes:
    """A catalogue of `size` cards: those of a shipped one repeated, each with its own ref and name."""
    source = files(registry.package(cards.game)).joinpath("cards", f"{cards.id}.json").read_text(encoding="utf-8")
    shipped: list[dict[str, Any]] = json.loads(source)["cards"]
    many = [
        {**shipped[n % len(shipped)], "ref": f"LOT-{n:05}", "name": f"{shipped[n % len(shipped)]['name']} {n}"}
        for n in range(size)
    ]
    return json.dumps({"id": "lot", "game": cards.game, "cards": many}, ensure_ascii=False).encode()


def measure_list(title: str, text: str, cards: Catalog, runs: int, bound: str) -> None:
    """Measure a list, from its text to its violations."""
    as_json = json.dumps(parse(text, cards).deck.to_json())
    times = race({"ours": [partial(check, text, cards)], "yardstick": [partial(json.loads, as_json)]}, 20 * runs)
    milliseconds(f"{title}, text to violations", times["ours"])
    ratio("beside its bound", times["ours"] / 0.001, bound)
    ratio("times json.loads of the same list", times["ours"] / times["yardstick"], "a yardstick")


def measure_catalog(cards: Catalog, size: int, runs: int, bound: str) -> None:
    """Measure loading a large catalogue from bytes."""
    data = large_catalog(cards, size)
    times = race({"ours": [partial(load_catalog, data)], "yardstick": [partial(json.loads, data)]}, runs)
    milliseconds(f"{size} cards of {cards.id}, {len(data) // 1024} KiB, loaded", times["ours"])
    ratio("beside its bound", times["ours"] / 0.150, bound)
    ratio("times json.loads of the same bytes", times["ours"] / times["yardstick"], "a yardstick")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=3_000, help="cards of the large catalogue")
    parser.add_argument("--runs", type=int, default=15)
    args = parser.parse_args()
    measure_list(f"a list of {CARDS} cards", deck_text(), _logs.catalog(_logs.EFFECTS), args.runs, "at most 1, a ms")
    for name in (_logs.PLAIN, _logs.EFFECTS):
        measure_catalog(_logs.catalog(name), args.cards, args.runs, "at most 1, 150 ms")
    for game in engine.games():
        for cards in engine.catalogs(game) if game != _logs.GAME else ():
            deck = registry.module(game, "deck").random_deck(random.Random(1), cards)
            title = f"{game}, a list of {sum(deck.main.values())} cards"
            measure_list(title, render(deck, cards), cards, args.runs, "no bound of its own: a ms")
            measure_catalog(cards, args.cards, args.runs, "no bound of its own: 150 ms")


if __name__ == "__main__":
    main()
