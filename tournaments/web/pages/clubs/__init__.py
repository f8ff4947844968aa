"""Pages of clubs and their conventions."""
