"""Judge calls, penalties and deck checks."""
