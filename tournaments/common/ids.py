"""Opaque public ids, used in URLs, ledgers and exported files instead of names and row numbers."""

import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0, o, 1, i and l, which are easily confused


def new_id(prefix: str) -> str:
    """Return a new id such as `e-7kq2m9xw4c`: a letter for the kind, then 10 characters (49 bits) from a CSPRNG."""
    return prefix + "-" + "".join(secrets.choice(ALPHABET) for _ in range(10))
