"""Pages of those who run an event: its dashboard and team, its entrants, its rounds."""
