"""Breaks a running installation on purpose and counts what became of every action: `make chaos`. See `__main__.py`."""
