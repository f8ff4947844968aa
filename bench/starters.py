"""Games between Altered's six starter decks: how much of them the engine leaves to rulings, by deck, and audit speed.

Random games of every pair of decks are audited with the community's list of cards, first as it is, without what the
cards do, and then with what is shipped of the first set. The decks and the list are read from `../shared/data`.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import engine
from bench._clock import per_second, race, ratio
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist, parse
from engine.core.replay import selfplay
from engine.core.report.report import Report
from engine.games.altered.cardlist import read_altered

DATA = Path(__file__).parents[2] / "shared" / "data" / "altered"
STARTERS = ("01", "03", "05", "07", "09", "11")
DEMONSTRATION = "altered-demo"


@dataclass
class Tally:
    """What became of a deck's games: the verdicts, its moves, those left to rulings, and the cards to blame."""

    verdicts: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    left: int = 0
    cards: Counter[str] = field(default_factory=Counter)


def catalog(*, encoded: bool) -> Catalog:
    """The community's list as a catalogue, with what the cards of the first set do or without it."""
    found = read_altered(DATA.joinpath("cards.json").read_bytes(), "altered", effects=None if encoded else {}).catalog
    assert found is not None
    return found


def starters(cards: Catalog) -> dict[str, Decklist]:
    """The starter decks by their name."""
    files = [file for number in STARTERS for file in DATA.joinpath("decks").glob(f"{number}_*.txt")]
    return {file.stem: parse(file.read_text(encoding="utf-8"), cards).deck for file in files}


def games(cards: Catalog, count: int) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """Random games of each pair of starters, with the names of the two decks."""
    decks = starters(cards)
    for names in combinations(decks, 2):
        for seed in range(count):
            seated = {seat: decks[name] for seat, name in zip("AB", names, strict=True)}
            yield names, selfplay.play("altered", f"{names} {seed}", catalog=cards, decks=seated)


def tally(cards: Catalog, count: int) -> dict[str, Tally]:
    """Audit the games and count, by deck, what the engine left to rulings."""
    found: dict[str, Tally] = {}
    for names, log in games(cards, count):
        report = engine.audit(log, catalogs=[cards])
        for seat, name in zip("AB", names, strict=True):
            add(found.setdefault(name, Tally()), log, report, seat)
    return found


def add(deck: Tally, log: Mapping[str, Any], report: Report, seat: str) -> None:
    """Add one game of a deck, played at this seat."""
    own = {n for n, entry in enumerate(log["moves"], 1) if entry["by"] == seat}
    doubts = [doubt for doubt in report.subject_to if doubt["n"] in own]
    deck.verdicts[report.verdict] += 1
    deck.moves += len(own)
    deck.left += len({doubt["n"] for doubt in doubts})
    deck.cards.update(str(doubt["ref"]) for doubt in doubts if doubt.get("ref"))


def say(decks: Mapping[str, tuple[Tally, Tally]]) -> None:
    """Print a line for each deck: its share of moves left to rulings before and after, and the verdicts after."""
    print(f"{'moves left to rulings':32}{'without':>9}{'with':>8}   verdicts with what the cards do")
    for name, (without, encoded) in decks.items():
        verdicts = ", ".join(f"{verdict} {times}" for verdict, times in encoded.verdicts.most_common())
        shares = [100 * deck.left / max(1, deck.moves) for deck in (without, encoded)]
        print(f"{name:32}{shares[0]:8.1f}%{shares[1]:7.1f}%   {verdicts}")
        if encoded.cards:
            print(f"{'':32}left: {', '.join(ref for ref, _times in encoded.cards.most_common(5))}")


def speed(cards: Catalog, count: int, runs: int) -> None:
    """Compare the audit of these games with that of games with the demonstration's cards, in the same run."""
    (demo,) = [shipped for shipped in engine.catalogs("altered") if shipped.id == DEMONSTRATION]
    real = [log for _names, log in games(cards, count)]
    shown = [selfplay.play("altered", seed, catalog=demo) for seed in range(len(real))]
    works = {
        "real": [partial(engine.audit, log, catalogs=[cards]) for log in real],
        "demonstration": [partial(engine.audit, log) for log in shown],
    }
    times = race(works, runs)
    rates = {}
    for name, logs in (("real", real), ("demonstration", shown)):
        moves = sum(len(log["moves"]) for log in logs)
        rates[name] = moves / times[name]
        per_second(f"moves audited, {name} cards", moves, times[name])
    ratio("times the demonstration", rates["real"] / rates["demonstration"], "no bound")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="random games of each of the 15 pairs")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    if not DATA.exists():
        print("../shared/data/altered is absent: there is no bound to measure")
        return
    encoded = catalog(encoded=True)
    before, after = tally(catalog(encoded=False), args.games), tally(encoded, args.games)
    say({name: (before[name], after[name]) for name in before})
    speed(encoded, min(args.games, 3), args.runs)


if __name__ == "__main__":
    main()
