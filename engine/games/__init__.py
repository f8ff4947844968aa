# One package per game, listed in `core.text.registry`. Each has `game.GAME` (see `core.table.game.Game`), `deck`,
# `vocabulary`, the registers rules.toml and interpretations.toml, and demonstration cards in cards/.
