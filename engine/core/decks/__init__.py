"""Decklists: how they are read, and the rules that they are checked with."""
