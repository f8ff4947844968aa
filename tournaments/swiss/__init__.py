"""Pairing and standings for Swiss events, brackets, round robins, draft pods and multiplayer tables.

Everything in this package is a pure function of its arguments: no Django, no database, no clock. The same field, seed,
options and algorithm version always give the same answer, so anyone can recompute a published round.

Start with `field.Field` (the players and finished rounds of an event), then `pairing.pair` with its `options.Options`,
`repair.repair`, `standings.standings` and `formats.proposed_rounds`. `python -m tournaments.swiss` offers the same
functions as JSON on standard input and output.

>>> from tournaments.swiss.field import Field, Player
>>> from tournaments.swiss.pairing import pair
>>> field = Field(players=(Player("A"), Player("B"), Player("C"), Player("D")), rounds=())
>>> pairing = pair(field, seed=7)
>>> pairing.pairs, pairing.bye, pairing.certified
((('A', 'C'), ('D', 'B')), None, True)
"""
