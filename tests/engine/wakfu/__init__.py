"""Wakfu-specific test helpers: test cards, the domain of move arguments, refusals, and disabled rules."""
