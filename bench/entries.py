"""How many entries a turn a log needs, with every entry written and without those that may be left out, by game.

The logs are self-played, with the shipped cards of each game. An entry is left out where the game says that the next
one written implies it (`Game.implied`), and the cards it drew, if any, are then unknown. The audit of the shorter log
must come to the same verdict, winner and score; a log where it does not keeps its entries.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import engine
from bench import _logs
from engine.core.choice import load_game
from engine.core.replay import Replay
from engine.core.report import Report

Entry = Mapping[str, Any]
PASSING = ("end_phase",)  # entries that only leave a phase


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=40, help="self-played logs of each catalogue")
    args = parser.parse_args()
    print(f"{'':16}{'entries a turn':>16}{'shortest':>12}   left out, times a turn")
    for game in engine.games():
        turns, written, kept, kinds, differing = 0, 0, 0, Counter[str](), 0
        for cards in engine.catalogs(game):
            for document in _logs.of(cards, range(1, args.seeds + 1)):
                log = json.loads(document)
                short, dropped = shortest(log)
                differing += not dropped
                turns += turns_of(log)
                written += len(log["moves"])
                kept += len(short["moves"])
                kinds.update(dropped)
        often = ", ".join(f"{do} {count / turns:.1f}" for do, count in kinds.most_common(4))
        print(f"{game:16}{written / turns:16.1f}{kept / turns:12.1f}   {often}")
        print(f"{'':16}{differing} logs keep all their entries")


def shortest(log: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The log without what may be left out, as far as its audit comes to the same, and the verbs left out."""
    wanted = ending(engine.audit(log))
    found, dropped = shortened(log)
    if ending(engine.audit(found)) != wanted:
        found, dropped = log, []
    rest = [entry for entry in found["moves"] if entry["do"] not in PASSING]
    bare = {**found, "moves": numbered(rest)}  # an attack or the end of the turn may follow from an earlier phase too
    if len(rest) < len(found["moves"]) and ending(engine.audit(bare)) == wanted:
        dropped += [entry["do"] for entry in found["moves"] if entry["do"] in PASSING]
        found = bare
    return found, dropped


def shortened(log: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The log without the entries that those after them imply, and the verbs of what was left out."""
    game, replay = load_game(log["game"]), Replay(log)
    for _step in replay:
        pass
    kept: list[Entry] = [log["moves"][-1]]
    dropped: list[str] = []
    for index in range(len(log["moves"]) - 2, -1, -1):
        entry, after = log["moves"][index], kept[-1]
        implied = game.implied(replay.state_at(index), after["by"], after["do"])
        alike = implied is not None and (implied.by, implied.do, dict(implied.args)) == said(entry)
        if alike and not needed(entry) and not after.get("resp"):
            dropped.append(entry["do"])
        else:
            kept.append(entry)
    return {**log, "moves": numbered(kept[::-1])}, dropped


def needed(entry: Entry) -> bool:
    """Whether an entry says more than that it was made: a response, or chance other than the cards drawn."""
    return bool(entry.get("resp")) or any("draw" not in item for item in entry.get("chance", ()))


def said(entry: Entry) -> tuple[str, str, dict[str, Any]]:
    """Who does what in an entry."""
    return entry["by"], entry["do"], entry.get("args", {})


def numbered(entries: Sequence[Entry]) -> list[Entry]:
    """The entries counted from 1."""
    return [{**entry, "n": n} for n, entry in enumerate(entries, 1)]


def turns_of(log: dict[str, Any]) -> int:
    """How many turns a game had."""
    replay = Replay(log, keep=False)
    while replay.step() is not None:
        pass
    return replay.state.turn


def ending(report: Report) -> tuple[Any, ...]:
    """What the audit of a log comes to."""
    return report.verdict, report.computed, report.score


if __name__ == "__main__":
    main()
