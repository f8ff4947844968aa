"""The verbs of Altered, in the order in which a game uses them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.table.game import Game, TurnVerb
from engine.games.altered.moves.answers import Answer, React
from engine.games.altered.moves.morning import Expand
from engine.games.altered.moves.night import Cleanup
from engine.games.altered.moves.opening import Adventure, FirstPlayer, Mana3
from engine.games.altered.moves.play import Play
from engine.games.altered.moves.quick import Quick
from engine.games.altered.moves.turn import Pass


def verbs(game: Game) -> Mapping[str, TurnVerb]:
    """Return the verbs of the rule text, bound to the game, by name."""
    return {
        "first_player": FirstPlayer(game),
        "adventure": Adventure(game),
        "mana3": Mana3(game),
        "expand": Expand(game),
        "play": Play(game),
        "quick": Quick(game),
        "pass": Pass(game),
        "react": React(game),
        "answer": Answer(game),
        "cleanup": Cleanup(game),
    }
