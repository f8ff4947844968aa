"""The verbs of Star Safir, phase by phase; what cards do is in `effects`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.table.game import Game, TurnVerb
from engine.games.star_safir.moves.answers import Activate, Answer, Reveal
from engine.games.star_safir.moves.calcul import EndTurn
from engine.games.star_safir.moves.combat import Attack
from engine.games.star_safir.moves.invocation import Play, Relocate, Sacrifice
from engine.games.star_safir.moves.lancement import BeginTurn
from engine.games.star_safir.moves.opening import Keep, Mulligan
from engine.games.star_safir.moves.preparation import Commander, FirstPlayer


def verbs(game: Game) -> Mapping[str, TurnVerb]:
    """Return the verbs of the rule text, bound to the game, in the order of a turn."""
    return {
        "first_player": FirstPlayer(game),
        "commander": Commander(game),
        "keep": Keep(game),
        "mulligan": Mulligan(game),
        "begin_turn": BeginTurn(game),
        "play": Play(game),
        "sacrifice": Sacrifice(game),
        "move": Relocate(game),
        "activate": Activate(game),
        "reveal": Reveal(game),
        "answer": Answer(game),
        "attack": Attack(game),
        "end_turn": EndTurn(game),
    }
