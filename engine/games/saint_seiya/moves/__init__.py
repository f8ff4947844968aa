"""The verbs of Saint Seiya; what cards do is in `effects`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.table.game import Game, TurnVerb
from engine.games.saint_seiya.moves.acquire import Acquire, Effect, Heal
from engine.games.saint_seiya.moves.answers import SeiyaAnswer
from engine.games.saint_seiya.moves.maintenance import DiscardHand, EndTurn
from engine.games.saint_seiya.moves.opening import Setup
from engine.games.saint_seiya.moves.play import Engage, Equip, Play, Relic


def verbs(game: Game) -> Mapping[str, TurnVerb]:
    """Return the verbs of the rule text, bound to the game, in the order of a turn."""
    return {
        "setup": Setup(game),
        "play": Play(game),
        "equip": Equip(game),
        "engage": Engage(game),
        "relic": Relic(game),
        "acquire": Acquire(game),
        "heal": Heal(game),
        "effect": Effect(game),
        "answer": SeiyaAnswer(game),
        "discard_hand": DiscardHand(game),
        "end_turn": EndTurn(game),
    }
