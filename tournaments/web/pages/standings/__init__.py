"""Standings, their settings, statistics, and the final ranking."""
