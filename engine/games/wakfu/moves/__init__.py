"""The verbs of Wakfu, in the order of a turn."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.table.game import Game, TurnVerb
from engine.games.wakfu.moves.answers import WakfuAnswer
from engine.games.wakfu.moves.combat import Attack, Block, Distribute, DropKeep
from engine.games.wakfu.moves.fin import Discard, EndTurn
from engine.games.wakfu.moves.invocation import Play
from engine.games.wakfu.moves.mouvement import EndPhase, Shift
from engine.games.wakfu.moves.opening import BeginTurn, FirstPlayer, Leader


def verbs(game: Game) -> Mapping[str, TurnVerb]:
    """Return the verbs of the rule text, bound to the game, by name."""
    return {
        "first_player": FirstPlayer(game),
        "leader": Leader(game),
        "begin_turn": BeginTurn(game),
        "play": Play(game),
        "answer": WakfuAnswer(game),
        "move": Shift(game),
        "attack": Attack(game),
        "block": Block(game),
        "distribute": Distribute(game),
        "drop_keep": DropKeep(game),
        "discard": Discard(game),
        "end_phase": EndPhase(game),
        "end_turn": EndTurn(game),
    }
