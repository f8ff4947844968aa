"""Public profiles of players, and what an account follows."""
