# Star Safir: two players, 30 PV to win. Start with game.py and moves/__init__.py. The rule ids (SAF-...) are
# in rules.toml, the gaps of the rule text (I-SAF-...) and their options in interpretations.toml.
