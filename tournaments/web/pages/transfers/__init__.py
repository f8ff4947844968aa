"""Files of other programs: upload one, see what it holds, and make an event or entrants of it."""
