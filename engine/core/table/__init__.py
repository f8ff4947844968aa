"""What is on the table: logs, moves, events, states, and the interface of a game."""
