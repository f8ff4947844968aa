"""Number of entries per turn that a log needs, by game: with all entries, and without optional ones.

The logs are self-played with the cards shipped with each game. An entry is left out if the game says that the next
written entry implies it (`Game.implied`); the cards it drew, if any, are then unknown. The audit of the shorter log
must give the same verdict, winner and score; otherwise the log keeps its entries.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import engine
from bench import _logs
from engine.core.replay.replay import Replay
from engine.core.report.report import Report
from engine.core.table.header import load_game

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
    """The log without optional entries, as far as its audit gives the same result, and the verbs left out."""
    wanted = ending(engine.audit(log))
    found, dropped = shortened(log)
    if ending(engine.audit(found)) != wanted:
        found, dropped = log, []
    rest = [entry for entry in found["moves"] if entry["do"] not in PASSING]
    bare = {**found, "moves": numbered(rest)}  # an attack or the end of the turn can also follow from an earlier phase
    if len(rest) < len(found["moves"]) and ending(engine.audit(bare)) == wanted:
        dropped += [entry["do"] for entry in found["moves"] if entry["do"] in PASSING]
        found = bare
    return found, dropped


def shortened(log: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The log without the entries that the following ones imply, and the verbs of those left out."""
    game, replay = load_game(log["game"]), Replay(log)
    for _step in replay:
        pass
    kept: list[Entry] = [log["moves"][-1]]
    dropped: list[str] = []
    # Backwards, because whether an entry is implied depends on the next entry that is kept.
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
    """Whether an entry says more than that it was made: it has a response, or chance other than drawn cards."""
    return bool(entry.get("resp")) or any("draw" not in item for item in entry.get("chance", ()))


def said(entry: Entry) -> tuple[str, str, dict[str, Any]]:
    """Player, verb and arguments of an entry."""
    return entry["by"], entry["do"], entry.get("args", {})


def numbered(entries: Sequence[Entry]) -> list[Entry]:
    """The entries, numbered from 1."""
    return [{**entry, "n": n} for n, entry in enumerate(entries, 1)]


def turns_of(log: dict[str, Any]) -> int:
    """The number of turns of a game."""
    replay = Replay(log, keep=False)
    while replay.step() is not None:
        pass
    return replay.state.turn


def ending(report: Report) -> tuple[Any, ...]:
    """The result of an audit: verdict, computed winner and score."""
    return report.verdict, report.computed, report.score


if __name__ == "__main__":
    main()
