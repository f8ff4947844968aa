"""Write the golden playthroughs again: `python -m tests.engine.golden.regenerate`.

A golden file is a whole game, played with one of the catalogues in `CARDS`: each move is stored with the digest of the
state after it and with what it changed on the board. Only this script writes these files.

A published ruleset never changes its behaviour, so a test that fails against a golden file has found a bug in the
change at hand. To change a rule, publish a new version of the ruleset (`safir-v2@2`) with golden games of its own. Run
this script only when the representation of the state itself changes, and say so in the commit.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from engine.core.cards.catalog import Catalog, load_catalog
from engine.core.replay import selfplay
from engine.core.replay.replay import Replay
from engine.core.report.audit import audit
from tests.engine.scenario import facts

FOLDER = Path(__file__).parent
CARDS = {
    "golden-safir": "cards.json",
    "golden-effects": "effects.json",
    "golden-wakfu": "wakfu-cards.json",
    "golden-wakfu-effects": "wakfu-effects-cards.json",
    "golden-stellar": "stellar.json",
    "golden-altered": "altered.json",
    "golden-seiya": "seiya.json",
}
# The golden games by name: arguments of `selfplay.play`. Together the games of Star Safir, Wakfu and Altered use every
# verb (`test_golden.py` checks it), and the games "-other-options" switch interpretations away from their defaults.
GAMES: dict[str, dict[str, Any]] = {
    "safir-defaults": {"seed": 19, "hidden": ()},
    "safir-hidden-hands": {"seed": 3, "hidden": ("A", "B")},
    "safir-other-options": {
        "seed": 5,
        "hidden": ("A",),
        "options": {"I-SAF-02": "stay", "I-SAF-06": "after", "I-SAF-18": "yes", "I-SAF-19": "yes", "I-SAF-20": "any"},
    },
    "safir-effects": {"seed": 100, "hidden": ("B",), "catalog": "golden-effects"},
    "wakfu-defaults": {"game": "wakfu", "seed": 16, "hidden": ("A",), "catalog": "golden-wakfu"},
    "wakfu-other-options": {
        "game": "wakfu",
        "seed": 5,
        "hidden": (),
        "catalog": "golden-wakfu",
        "options": {
            "I-WAK-02": "burn",
            "I-WAK-04": "zone",
            "I-WAK-13": "always",
            "I-WAK-15": "free",
            "I-WAK-21": "defender",
        },
    },
    "wakfu-effects": {"game": "wakfu", "seed": 20, "hidden": ("B",), "catalog": "golden-wakfu-effects"},
    "stellar-defaults": {"game": "stellar-nexus", "seed": 6, "hidden": ("B",), "catalog": "golden-stellar"},
    "stellar-other-options": {
        "game": "stellar-nexus",
        "seed": 30,
        "hidden": (),
        "catalog": "golden-stellar",
        "options": {
            "I-STN-03": "full",
            "I-STN-07": "hero",
            "I-STN-09": "declare",
            "I-STN-12": "once",
            "I-STN-20": "fade",
        },
    },
    "altered-defaults": {"game": "altered", "seed": 15, "hidden": ("B",), "catalog": "golden-altered"},
    "altered-other-options": {
        "game": "altered",
        "seed": 4,
        "hidden": (),
        "catalog": "golden-altered",
        "options": {
            "I-ALT-04": "advance",
            "I-ALT-05": "shown",
            "I-ALT-06": "morning",
            "I-ALT-07": "exhausted",
            "I-ALT-13": "any",
            "I-ALT-15": "discard",
        },
    },
    "seiya-defaults": {"game": "saint-seiya", "seed": 7, "hidden": ("B",), "catalog": "golden-seiya"},
    "seiya-other-options": {
        "game": "saint-seiya",
        "seed": 2,
        "hidden": (),
        "catalog": "golden-seiya",
        "options": {
            "I-SSD-01": "single",
            "I-SSD-02": "seven",
            "I-SSD-04": "one",
            "I-SSD-06": "same",
            "I-SSD-07": "free",
            "I-SSD-08": "lose",
            "I-SSD-09": "draw",
            "I-SSD-10": "first",
        },
    },
}


def catalog(name: str = "golden-safir") -> Catalog:
    """Load a catalogue of the golden games; its cards never change, or the games would."""
    return load_catalog(FOLDER.joinpath(CARDS[name]).read_bytes())


def of(log: dict[str, Any]) -> Catalog:
    """Load the catalogue that a golden log was played with."""
    return catalog(log["catalog"]["id"])


def states(log: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return (digest, changed facts) of the state before the first move and after every move."""
    replay = Replay(log, catalogs=[of(log)], keep=False)
    found: list[tuple[str, dict[str, Any]]] = [(replay.state.digest(), {})]
    before = facts(replay.state)
    while replay.step() is not None:
        after = facts(replay.state)
        found.append((replay.state.digest(), {path: now for path, now in after.items() if now != before[path]}))
        before = after
    return found


def judged(log: dict[str, Any]) -> dict[str, Any]:
    """Return the report on a log without the texts of its interpretations, whose wording may be improved."""
    report = audit(log, catalogs=[of(log)]).as_json()
    return {key: value for key, value in report.items() if key != "interpretations"}


def rendered(log: dict[str, Any]) -> str:
    """Return the text of a golden file: header, first digest, report, and each entry with its digest and changes."""
    (before, _), *after = states(log)
    header = {key: value for key, value in log.items() if key != "moves"}
    report = judged(log)
    moves = [f"  {json.dumps([move, *state])}" for move, state in zip(log["moves"], after, strict=True)]
    parts = [f'"header": {json.dumps(header)}', f'"start": "{before}"', f'"report": {json.dumps(report)}']
    return "{\n" + ",\n".join(parts) + ',\n"moves": [\n' + ",\n".join(moves) + "\n]\n}\n"


def main() -> None:
    """Play the games named as arguments, or all of them, and write their files."""
    for name in sys.argv[1:] or GAMES:
        game = {"game": "star-safir", "catalog": "golden-safir", **GAMES[name]}
        log = selfplay.play(**{**game, "catalog": catalog(game["catalog"])})
        FOLDER.joinpath(f"{name}.json").write_text(rendered(log), encoding="utf-8")


if __name__ == "__main__":
    main()
