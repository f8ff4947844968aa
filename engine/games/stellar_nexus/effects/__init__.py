"""Effects of Stellar Nexus cards: the game's hooks for the effect interpreter and its operations."""
