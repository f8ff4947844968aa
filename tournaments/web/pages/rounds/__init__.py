"""Rounds: pairing and its settings, publishing, clocks, drafts, and the drawing of brackets and pods."""
