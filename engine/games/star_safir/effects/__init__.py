"""What the cards of Star Safir do that no other game's do: places, keywords, and the host of the interpreter."""
