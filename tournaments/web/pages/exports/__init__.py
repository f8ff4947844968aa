"""Exports and printed sheets."""
