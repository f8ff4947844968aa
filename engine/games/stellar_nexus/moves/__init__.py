"""The verbs of Stellar Nexus, in the order in which a game uses them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.table.game import Game, TurnVerb
from engine.games.stellar_nexus.moves.answers import Answer
from engine.games.stellar_nexus.moves.capacities import Activate
from engine.games.stellar_nexus.moves.combat import Attack, Block
from engine.games.stellar_nexus.moves.opening import FirstPlayer, Hero, Keep, Mulligan, Reveal
from engine.games.stellar_nexus.moves.requisition import Play
from engine.games.stellar_nexus.moves.turn import BeginTurn, EndPhase, EndTurn


def verbs(game: Game) -> Mapping[str, TurnVerb]:
    """Return the verbs of the rule text, bound to the game, by name."""
    return {
        "hero": Hero(game),
        "keep": Keep(game),
        "mulligan": Mulligan(game),
        "first_player": FirstPlayer(game),
        "reveal": Reveal(game),
        "begin_turn": BeginTurn(game),
        "play": Play(game),
        "activate": Activate(game),
        "attack": Attack(game),
        "block": Block(game),
        "answer": Answer(game),
        "end_phase": EndPhase(game),
        "end_turn": EndTurn(game),
    }
