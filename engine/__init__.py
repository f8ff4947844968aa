"""The rules engine: checks decklists and replays recorded games. Pure Python; it knows no web, database or clock.

The door: `games()`, `load(game)`, `catalogs(game)`, `check_deck()`, `audit()`, `Replay`,
`open_game()`.
"""

import engine.games  # noqa: F401  # before the function of that name, which importing the package later would hide
from engine.core.audit import audit
from engine.core.cards import shipped_catalogs as catalogs
from engine.core.decks import check_deck
from engine.core.recorder import Refusal, open_game
from engine.core.registry import GAMES
from engine.core.replay import Replay
from engine.core.replay import load_game as load
from engine.core.report import Report

__all__ = ["Refusal", "Replay", "Report", "audit", "catalogs", "check_deck", "games", "load", "open_game"]


def games() -> tuple[str, ...]:
    """The ids of the games the engine knows."""
    return tuple(GAMES)
