"""Games with Saint Seiya's real base set: how much of them the engine leaves to rulings, and audit speed.

Random games at tables of two to five are audited with the community's list of cards, first as it is, without what the
cards do, and then with what is shipped. The list is read from `../shared/data`. Random players spread their cards over
the whole terrain and acquire little, so the games are played again with heroes who are strong enough to acquire
anything: then most cards of the market come into play.
"""

import argparse
import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import engine
from bench._clock import per_second, race, ratio
from bench.starters import Tally
from engine.core.cards.catalog import Catalog, load_catalog
from engine.core.replay import selfplay
from engine.core.report.report import Report
from engine.games.saint_seiya.cardlist import BASE, read_saint_seiya
from engine.games.saint_seiya.vocabulary import EVOLUE, HEROS

DATA = Path(__file__).parents[2] / "shared" / "data" / "saint_seiya"
STRENGTH = {"force": 7, "cosmos": 7}
SETS = {"heroes as printed": False, "strong heroes": True}
DEMONSTRATION = "seiya-demo"


def catalog(*, encoded: bool, strong: bool) -> Catalog:
    """The base set as a catalogue, with what its cards do or without it."""
    cards = [card for card in json.loads(DATA.joinpath("cards.json").read_bytes()) if card["set"] == BASE]
    found = read_saint_seiya(json.dumps(cards).encode(), "saint-seiya", None if encoded else {}).document
    heroes = [card for card in found["cards"] if card["kind"] in (HEROS, EVOLUE)]
    for card in heroes if strong else ():
        card.update(STRENGTH)
    return load_catalog(found)


def games(cards: Catalog, count: int) -> Iterator[dict[str, Any]]:
    """Random games at tables of every size."""
    for seed in range(count):
        yield selfplay.play("saint-seiya", f"market {seed}", catalog=cards)


def tally(cards: Catalog, count: int) -> Tally:
    """Audit the games and count what the engine left to rulings."""
    found = Tally()
    for log in games(cards, count):
        add(found, log, engine.audit(log, catalogs=[cards]))
    return found


def add(found: Tally, log: Mapping[str, Any], report: Report) -> None:
    """Add one game."""
    found.verdicts[report.verdict] += 1
    found.moves += len(log["moves"])
    found.left += len({doubt["n"] for doubt in report.subject_to})
    found.cards.update(str(doubt["ref"]) for doubt in report.subject_to if doubt.get("ref"))


def say(name: str, without: Tally, encoded: Tally) -> None:
    """Print a line: the share of moves left to rulings before and after, and the verdicts after."""
    verdicts = ", ".join(f"{verdict} {times}" for verdict, times in encoded.verdicts.most_common())
    shares = [100 * found.left / max(1, found.moves) for found in (without, encoded)]
    print(f"{name:32}{shares[0]:8.1f}%{shares[1]:7.1f}%   {verdicts}")
    if encoded.cards:
        print(f"{'':32}left: {', '.join(ref for ref, _times in encoded.cards.most_common(5))}")


def speed(cards: Catalog, count: int, runs: int) -> None:
    """Compare the audit of these games with that of games with the demonstration's cards, in the same run."""
    (demo,) = [shipped for shipped in engine.catalogs("saint-seiya") if shipped.id == DEMONSTRATION]
    logs = {"real": list(games(cards, count)), "demonstration": list(games(demo, count))}
    works = {
        "real": [partial(engine.audit, log, catalogs=[cards]) for log in logs["real"]],
        "demonstration": [partial(engine.audit, log) for log in logs["demonstration"]],
    }
    times = race(works, runs)
    rates = {}
    for name, played in logs.items():
        moves = sum(len(log["moves"]) for log in played)
        rates[name] = moves / times[name]
        per_second(f"moves audited, {name} cards", moves, times[name])
    ratio("times the demonstration", rates["real"] / rates["demonstration"], "no bound")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60, help="random games with each kind of heroes")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    if not DATA.exists():
        print("../shared/data/saint_seiya is absent: there is no bound to measure")
        return
    print(f"{'moves left to rulings':32}{'without':>9}{'with':>8}   verdicts with what the cards do")
    for name, strong in SETS.items():
        before, after = (tally(catalog(encoded=encoded, strong=strong), args.games) for encoded in (False, True))
        say(name, before, after)
    speed(catalog(encoded=True, strong=True), min(args.games, 10), args.runs)


if __name__ == "__main__":
    main()
