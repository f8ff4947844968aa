"""How a game is shown: boards as data, moves in words, the legal moves."""
