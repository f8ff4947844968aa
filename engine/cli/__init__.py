"""Commands of `python -m engine`, by what they read: decklists and registers (`decks`), move logs (`logs`)."""
