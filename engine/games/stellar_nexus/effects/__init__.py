"""What the cards of Stellar Nexus do: the game as the interpreter of effects sees it."""
