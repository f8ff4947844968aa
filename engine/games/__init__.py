# One package per game, listed in `engine.core.registry`. Each has `game.GAME` (see `engine.core.game.Game`), `deck`,
# `vocabulary`, the registers rules.toml and interpretations.toml, and demonstration cards in cards/.
