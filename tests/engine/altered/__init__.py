"""Altered-specific test helpers: test cards, the domain of move arguments, and the engine with a rule disabled."""
