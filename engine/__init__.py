"""The rules engine: checks decklists and replays recorded games, without web, database or clock.

The public interface:

- `games()` lists the games; `load(game)` returns one and `catalogs(game)` its shipped card catalogues.
- `check_deck(game, deck, fmt)` returns the violations of a decklist; `check_team(game, decks, limit)` those of a team.
- `audit(log)` judges a recorded game and returns a `Report`; `Replay(log)` plays it step by step.
- `open_game(…)` records a game live: it checks each entry, and raises `Refusal` for an illegal one.
- `asking(ask)` lets a caller give up any of these when they take too long.

`engine.audit(path.read_bytes()).as_text("fr")` is the report on a recorded game in French.
"""

import engine.games  # noqa: F401  # must come before `games()`: importing the package later would hide it
from engine.core.cards.catalog import shipped_catalogs as catalogs
from engine.core.decks.rules import check_deck
from engine.core.decks.team_decks import check_team
from engine.core.replay.recorder import Refusal, open_game
from engine.core.replay.replay import Replay
from engine.core.replay.replay import load_game as load
from engine.core.report.audit import audit
from engine.core.report.report import Report
from engine.core.text.interrupt import asking
from engine.core.text.registry import GAMES

__all__ = [
    "Refusal",
    "Replay",
    "Report",
    "asking",
    "audit",
    "catalogs",
    "check_deck",
    "check_team",
    "games",
    "load",
    "open_game",
]


def games() -> tuple[str, ...]:
    """Return the ids of the games that the engine knows.

    >>> games()
    ('altered', 'saint-seiya', 'star-safir', 'stellar-nexus', 'wakfu')
    """
    return tuple(GAMES)
