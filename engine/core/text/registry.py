"""The games the engine knows, and where the package of each is.

Modules of a game are imported when first asked for, so a command that needs one game does not load the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType

from engine.core.text.errors import Unsupported
from engine.core.text.rulebook import Rulebook, load_rulebook, with_common_rules

GAMES: Mapping[str, str] = {
    "altered": "engine.games.altered",
    "saint-seiya": "engine.games.saint_seiya",
    "star-safir": "engine.games.star_safir",
    "stellar-nexus": "engine.games.stellar_nexus",
    "wakfu": "engine.games.wakfu",
}


def package(game: str) -> str:
    """Return the package of a game. Raises Unsupported `unknown_game`."""
    try:
        return GAMES[game]
    except KeyError:
        known = ", ".join(sorted(GAMES))
        raise Unsupported("unknown_game", f"no game {game[:60]!r}; there are: {known}", value=game) from None


@cache
def module(game: str, name: str) -> ModuleType:
    """Import one module of a game (`deck`, `game`, `vocabulary`), the first time it is asked for, and return it.

    Raises Unsupported `unknown_game`.
    """
    return import_module(f"{package(game)}.{name}")


@cache
def rulebook(game: str) -> Rulebook:
    """Return the rule and interpretation registers of a game, including those shared by every game.

    Raises Unsupported `unknown_game`.
    """
    return with_common_rules(load_rulebook(package(game)))
