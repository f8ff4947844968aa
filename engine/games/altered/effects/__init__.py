"""What the cards of Altered do: the game as the interpreter of effects sees it."""
