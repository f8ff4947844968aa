"""The commands of `python -m engine`, by their input: `decks` (and registers), `catalogs` and move `logs`."""
