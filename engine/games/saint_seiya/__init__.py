# Saint Seiya Deckbuilding: two to five players, a common market, points at the end. Start with game.py and
# moves/__init__.py. The rule ids (SSD-...) are in rules.toml, the gaps of the rule text (I-SSD-...) and their options
# in interpretations.toml.
