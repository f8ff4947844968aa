"""The arithmetic of Swiss tournaments: pairing, standings, formats. Pure: it knows no Django.

The doors are `field` (what is known of an event), `pairing.pair` with its `options.Options`, `repair.repair`,
`standings.standings` and `formats.proposed_rounds`;
`python -m tournaments.swiss` offers the same over JSON.
"""
