"""Leagues and the player book."""
