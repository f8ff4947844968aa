"""The words that pages use for codes: one module for each noun, and `badges.py`, where templates look codes up."""
