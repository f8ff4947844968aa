"""Effects of Wakfu cards: the game's hooks for the effect interpreter."""
