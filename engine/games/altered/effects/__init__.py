"""Effects of Altered cards: the game's hooks for the effect interpreter, its operations and its declarations."""
