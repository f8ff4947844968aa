"""Entrants at the desk: enter, import, rename and merge them."""
