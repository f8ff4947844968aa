"""The language in which cards say what they do, and its sentences."""
