"""Quality and speed of the search for a scribe's slip in a log.

It measures how often the search finds the slip, how often it explains a real offence away, and how long it takes. At
least 500 self-played logs of the five games are used, with every catalogue shipped with the engine. Each log gets a
slip (or several, `--each`) that makes the audit reject an entry; what the engine assumes without an entry, such as the
end of a phase, is not a slip.

- `missing`: one entry is left out
- `doubled`: one entry is written twice
- `swapped`: two neighboring entries are exchanged
- `aimed`: one number, place or card of one entry is changed

The true repair counts as found if the repaired log says what the original says, entry by entry (`by`, `do`, `args`,
`resp`; "?" for a card is as good as its name). Its chance may differ only in cards drawn, looked at or revealed in the
lost line, which nobody can know. If entries differ in slots or numbers of places, or are in another position, the
repair counts as found if the repaired log is legal to its end with the same final board, counters and result, whatever
the slots.

Each log also gets as many doctored entries, each rejected as illegal where it stands:

- `extra`: one of the last few entries again
- `phase`: an entry from another moment of the game
- `player`: an entry by another seat
- `card`: a card that may not be played there
- `replaced`: an entry with the arguments of another entry with the same verb

The first four are inserted, so the log continues without them. The last takes the place of a legal entry, which a
scribe may indeed have written down wrongly: no search can tell the two apart.

`explained` is how often a repair is offered that makes the whole log legal and that the rest of the log supports.
`offered` also counts repairs that nothing supports, as the report then says.
"""

import argparse
import json
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import engine
from engine.core.cards.catalog import Catalog
from engine.core.replay import selfplay
from engine.core.replay.repair import Repair, repaired, repairs
from engine.core.replay.replay import Replay
from engine.core.table.log import parse
from engine.core.table.step import Step

Raw = dict[str, Any]
Log = dict[str, Any]
SEEDS = 56  # of each of nine catalogues
TRIES = 40  # to find a slip that is rejected
PLACE = re.compile(r"^(.*/)([0-9]+)$")
UNKNOWN = ("draw", "look", "reveal", "resource")  # chance of a lost line, which nobody can know
SETTING_UP = ("keep", "mulligan", "leader", "hero", "setup", "mana3", "answer", "concede")


def numbered(log: Log, moves: Sequence[Raw]) -> Log:
    """A log with these moves, renumbered."""
    return {**log, "moves": [{**move, "n": n} for n, move in enumerate(moves, 1)]}


def cut(log: Log, rng: random.Random) -> Log:
    """Leave one entry out."""
    moves, at = log["moves"], rng.randrange(len(log["moves"]))
    return numbered(log, [*moves[:at], *moves[at + 1 :]])


def double(log: Log, rng: random.Random) -> Log:
    """Write one entry twice."""
    moves, at = log["moves"], rng.randrange(len(log["moves"]))
    return numbered(log, [*moves[: at + 1], *moves[at:]])


def swap(log: Log, rng: random.Random) -> Log:
    """Exchange two neighboring entries."""
    moves, at = log["moves"], rng.randrange(len(log["moves"]) - 1)
    return numbered(log, [*moves[:at], moves[at + 1], moves[at], *moves[at + 2 :]])


def aim(log: Log, rng: random.Random) -> Log:
    """Change one number, place or card of one entry. Returns the log as it is if that entry has none."""
    moves, at = log["moves"], rng.randrange(len(log["moves"]))
    args = moves[at].get("args", {})
    spots = [(key, index) for key, value in args.items() for index in range(len(value) if _is_list(value) else 1)]
    if not spots or moves[at]["do"] in ("mulligan", "first_player"):
        return log
    key, index = rng.choice(spots)
    value = args[key]
    refs = sorted({ref for seat in log["seats"].values() for ref in seat["deck"]["main"]})
    if _is_list(value):
        value = [_other(item, rng, refs) if n == index else item for n, item in enumerate(value)]
    else:
        value = _other(value, rng, refs)
    return numbered(log, [*moves[:at], {**moves[at], "args": {**args, key: value}}, *moves[at + 1 :]])


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _other(value: Any, rng: random.Random, refs: Sequence[str]) -> Any:
    """A slot, place or card different from this one."""
    if isinstance(value, dict) and "card" in value:
        return {**value, "card": _other(value["card"], rng, refs)}
    if type(value) is int:
        return rng.choice([n for n in (1, 2, 3) if n != value])
    place = PLACE.match(value) if isinstance(value, str) else None
    if place is not None:
        number = int(place[2])
        return place[1] + str(rng.choice([n for n in range(1, max(4, number + 2)) if n != number]))
    return rng.choice(refs) if value in refs else value


SLIPS: Mapping[str, Callable[[Log, random.Random], Log]] = {
    "missing": cut, "doubled": double, "swapped": swap, "aimed": aim,
}  # fmt: skip


def bare(entry: Raw) -> Raw:
    """An entry without its number, notes and chance."""
    return {key: value for key, value in entry.items() if key not in ("n", "claims", "chance", "x", "h")}


def own(log: Log) -> list[Raw]:
    """The entries in which a seat acts in its turns."""
    return [entry for entry in log["moves"] if entry["by"] in log["seats"] and entry["do"] not in SETTING_UP]


def insert(log: Log, at: int, entry: Raw) -> tuple[Log, int]:
    """A log with one more entry, and the number of that entry."""
    return numbered(log, [*log["moves"][:at], bare(entry), *log["moves"][at:]]), at + 1


def extra(log: Log, rng: random.Random) -> tuple[Log, int]:
    """Repeat one of the last few entries, but not the very last."""
    at = rng.randrange(3, len(log["moves"]))
    acting = own(log)
    return insert(log, at, rng.choice([entry for entry in log["moves"][max(0, at - 6) : at - 1] if entry in acting]))


def phase(log: Log, rng: random.Random) -> tuple[Log, int]:
    """Insert an entry from another moment of the game."""
    return insert(log, rng.randrange(len(log["moves"])), rng.choice(own(log)))


def player(log: Log, rng: random.Random) -> tuple[Log, int]:
    """Insert an entry by another seat, from another moment."""
    entry = rng.choice(own(log))
    by = rng.choice([seat for seat in log["seats"] if seat != entry["by"]])
    return insert(log, rng.randrange(len(log["moves"])), {**entry, "by": by})


def card(log: Log, rng: random.Random) -> tuple[Log, int]:
    """Play another card of the deck, before or after one that is legal to play."""
    entry = rng.choice([entry for entry in own(log) if entry["do"] == "play"])
    ref = rng.choice(sorted(log["seats"][entry["by"]]["deck"]["main"]))
    at = min(len(log["moves"]), entry["n"] - rng.choice((0, 1)))
    return insert(log, at, {**entry, "args": {**entry["args"], "card": ref}})


def replaced(log: Log, rng: random.Random) -> tuple[Log, int]:
    """Use the arguments of another entry by the same seat with the same verb."""
    entry = rng.choice(own(log))
    like = [other for other in own(log) if (other["by"], other["do"]) == (entry["by"], entry["do"])]
    args = rng.choice(like).get("args", {})
    moves = log["moves"]
    return numbered(log, [*moves[: entry["n"] - 1], {**entry, "args": args}, *moves[entry["n"] :]]), entry["n"]


DOCTORED: Mapping[str, Callable[[Log, random.Random], tuple[Log, int]]] = {
    "extra": extra, "phase": phase, "player": player, "card": card, "replaced": replaced,
}  # fmt: skip


def played(log: Log) -> Replay:
    """Replay a log as far as it goes."""
    replay = Replay(log, keep=False)
    while replay.step() is not None:
        pass
    return replay


def stop(log: Log) -> Step | None:
    """The entry at which a log stops, or None."""
    return played(log).stopped


def agree(one: Any, two: Any) -> bool:
    """Whether two values are equal; "?" stands for any card."""
    if isinstance(one, str) and isinstance(two, str) and "?" in (one, two):
        return True
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(agree, one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(agree(one[key], two[key]) for key in one)
    return bool(one == two)


def unplaced(value: Any) -> Any:
    """A value without the numbers of slots and places."""
    if isinstance(value, dict):
        return {key: unplaced(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unplaced(item) for item in value]
    place = PLACE.match(value) if isinstance(value, str) else None
    return place[1] if place is not None else 0 if type(value) is int else value


def same(one: Raw, two: Raw) -> bool:
    """Whether two entries say the same, apart from the values of their chance."""
    first, second = one.get("chance", []), two.get("chance", [])
    kinds = [list(item) for item in first], [list(item) for item in second]
    return agree(bare(one), bare(two)) and (not second or kinds[0] == kinds[1])


def told(one: Raw, two: Raw) -> bool:
    """Whether the chance of two entries differs only in unknown cards."""
    pairs = zip(one.get("chance", []), two.get("chance", []), strict=False)
    return all(agree(first, second) for first, second in pairs if not any(kind in first for kind in UNKNOWN))


def ending(log: Log) -> tuple[Any, ...]:
    """Whether a log is legal to its end, and its final board, counters and result, whatever the slots."""
    replay = played(log)
    state = replay.state
    hidden = ("hand", "deck")
    cards = Counter(
        (path.rstrip("0123456789"), "" if path.endswith(hidden) else state.refs[obj], str(state.marks.get(obj)))
        for path, objects in state.zones.items()
        for obj in objects
    )
    return replay.stopped is None, cards, state.counters, state.result


def is_true(original: Log, other: Log) -> bool:
    """Whether a repaired log is the original, as defined in the module docstring."""
    one, two = original["moves"], other["moves"]
    if len(one) != len(two):
        return False
    pairs = list(zip(one, two, strict=True))
    if all(same(first, second) and told(first, second) for first, second in pairs):
        return True
    left = [second for first, second in pairs if not same(first, second)]
    for entry in [first for first, second in pairs if not same(first, second)]:
        alike = [two for two in left if agree(unplaced(bare(entry)), unplaced(bare(two)))]
        if not alike:
            return False
        left.remove(alike[0])
    found = ending(original)
    return bool(found[0]) and found == ending(other)


class Tally:
    """The counts for one game."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.seconds: list[float] = []

    def search(self, log: Log) -> tuple[Repair, ...]:
        """Run one search and record its time."""
        text = parse(json.dumps(log))
        start = time.process_time()
        found = repairs(text)
        self.seconds.append(time.process_time() - start)
        return found

    def slip(self, kind: str, log: Log, rng: random.Random) -> None:
        """Make a slip that is rejected, and count whether it is found."""
        for _try in range(TRIES):
            wrong = SLIPS[kind](log, rng)
            if stop(wrong) is not None:
                hits = [is_true(log, repaired(wrong, repair)) for repair in self.search(wrong)]
                self.counts[kind, "all"] += 1
                self.counts[kind, "first"] += hits[:1] == [True]
                self.counts[kind, "three"] += any(hits)
                return

    def doctored(self, kind: str, log: Log, rng: random.Random) -> None:
        """Insert an illegal entry, and count whether it is explained away."""
        for _try in range(TRIES):
            try:
                wrong, n = DOCTORED[kind](log, rng)
            except IndexError:  # nothing to choose from
                continue
            stopped = stop(wrong)
            if stopped is not None and (stopped.n, stopped.outcome) == (n, "illegal"):
                whole = [repair for repair in self.search(wrong) if repair.reaches_end]
                self.counts[kind, "all"] += 1
                self.counts[kind, "explained"] += any(repair.supported for repair in whole)
                self.counts[kind, "offered"] += bool(whole)
                return

    def shares(self, kinds: Iterator[str] | Mapping[str, Any], *what: str) -> str:
        """The shares of some kinds together, in percent."""
        names = list(kinds)
        total = sum(self.counts[kind, "all"] for kind in names)
        parts = [100 * sum(self.counts[kind, item] for kind in names) / max(1, total) for item in what]
        return " / ".join(f"{part:3.0f}" for part in parts) + f" % of {total:4}"

    def times(self) -> str:
        """The median and the 95th percentile of the search times."""
        sample = sorted(self.seconds)
        return (
            f"median {1000 * statistics.median(sample):4.0f} ms, p95 {1000 * sample[len(sample) * 95 // 100]:4.0f} ms"
        )


def measure(catalogs: Sequence[Catalog], seeds: int, each: int, tally: Tally) -> int:
    """Make slips and as many doctored entries in each log of these catalogues; returns the number of logs."""
    slips, offences = list(SLIPS), list(DOCTORED)
    for cards in catalogs:
        for seed in range(1, seeds + 1):
            log: Log = json.loads(json.dumps(selfplay.play(cards.game, seed, catalog=cards)))
            rng = random.Random(f"repair/{cards.id}/{seed}")
            for turn in range(seed * each, seed * each + each):
                tally.slip(slips[turn % len(slips)], log, rng)
                tally.doctored(offences[turn % len(offences)], log, rng)
    return seeds * len(catalogs)


def line(title: str, tally: Tally) -> None:
    """Print the results for a game."""
    print(f"{title:14} first / in three {tally.shares(SLIPS, 'first', 'three')}; {tally.times()}")
    for kind in SLIPS:
        print(f"  {kind:12} first / in three {tally.shares({kind: 0}, 'first', 'three')}")
    for kind in DOCTORED:
        print(f"  {kind:12} explained / offered {tally.shares({kind: 0}, 'explained', 'offered')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="logs of seeds 1 to this one, of each catalogue")
    parser.add_argument("--each", type=int, default=1, help="slips, and doctored entries, of each log")
    args = parser.parse_args()
    print("bounds: 80 % first, 95 % in three, a search in less than a second")
    whole, logs = Tally(), 0
    for game in engine.games():
        tally = Tally()
        logs += measure(engine.catalogs(game), args.seeds, args.each, tally)
        line(game, tally)
        whole.counts += tally.counts
        whole.seconds += tally.seconds
    line(f"{logs} logs", whole)
    inserted = [kind for kind in DOCTORED if kind != "replaced"]
    print(f"doctored, inserted: explained / offered {whole.shares(iter(inserted), 'explained', 'offered')}")


if __name__ == "__main__":
    main()
