"""Card catalogues that organizers upload."""
