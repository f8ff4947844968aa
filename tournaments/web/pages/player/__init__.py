"""A player's own pages: seat, decklist, pool and results, and the page of a seat link."""
