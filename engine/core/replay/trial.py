"""A small board on which one card can be tried: its own game, this card ready to be used, and plain cards around it.

The `trial` module of each game has `EXTRAS`, the plain cards, and `board`, which returns the `turn`, the `state` of the
board, the `decks` by seat and, in games whose lists grow, the cards that are `unseen`. The log can be continued like
any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.table.header import load_game
from engine.core.text import registry

ID = "trial"
PLAYERS = {"A": "A", "B": "B"}


def set_up(
    game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the log without moves in which a card can be tried, and its catalogue, both as JSON.

    `card` and `tokens` are cards as a catalogue has them; seat A has the card. Raises Unsupported `unknown_game`.
    """
    module = registry.module(game, "trial")
    own = {extra["ref"]: extra for extra in module.EXTRAS}
    cards = [card, *(token for token in tokens if token["ref"] != card["ref"] and token["ref"] not in own)]
    catalog = {"id": ID, "game": game, "cards": [*cards, *own.values()]}
    board, loaded = module.board(card), load_game(game)
    start = {"turn": board["turn"], "state": board["state"], "memory": {note: [] for note in loaded.notes}}
    start |= {"unseen": board["unseen"]} if "unseen" in board else {}
    log = {
        "format": 1,
        "game": game,
        "ruleset": list(loaded.rulesets)[-1],
        "catalog": {"id": ID},
        "seats": {seat: {"player": player, "deck": board["decks"][seat]} for seat, player in PLAYERS.items()},
        "start": {"kind": "position", "source": "reconstruction", **start, "lasting": [], "agenda": []},
        "moves": [],
    }
    return log, catalog


def lying(ref: str, **marks: int) -> dict[str, Any]:
    """Return a card in play, with its marks."""
    return {"ref": ref, "marks": marks}
