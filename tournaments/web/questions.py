"""Examples for the "Is this move legal?" page: one board with demonstration cards, and one move."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MOVE = {"n": 1, "by": "A", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}}


@dataclass(frozen=True)
class Question:
    """An example: what it shows (`words`), and the position that fills the form."""

    words: Promise
    position: Mapping[str, Any]

    def filled(self) -> dict[str, str]:
        """The form fields of this example, as JSON text."""
        return {"position": json.dumps(self.position, indent=2), "move": json.dumps(MOVE)}


def _position(**memory: list[str]) -> dict[str, Any]:
    """Two fighters face each other in territory 1; `memory` is what is known of this turn beyond the board.

    What it leaves out is unknown to the engine, not empty: that is the difference between the examples.
    """
    empty: list[None] = [None, None, None]
    return {
        "format": 1,
        "game": "star-safir",
        "ruleset": "safir-v2@1",
        "start": {
            "kind": "position",
            "source": "judge",
            "turn": {"n": 9, "seat": "A", "phase": "combat", "first": "A"},
            "state": {
                "seats": {
                    "A": {"pv": 12, "pi": 3, "T1": {"fighters": ["DEMO-SAF-002", None, None], "magics": empty}},
                    "B": {"pv": 9, "T1": {"fighters": ["DEMO-SAF-020", None, None], "magics": empty}},
                }
            },
            **({"memory": memory} if memory else {}),
        },
    }


EXAMPLES: Mapping[str, Mapping[str, Question]] = {
    "star-safir": {
        "legal": Question(_("a legal move"), _position(attacked=[], arrived=[])),
        "illegal": Question(_("a fighter that has attacked"), _position(attacked=["A/T1/fighters/1"], arrived=[])),
        "undetermined": Question(_("a missing fact"), _position()),
    },
}
