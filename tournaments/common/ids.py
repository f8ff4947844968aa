"""Opaque public ids: what addresses, ledgers and exported files hold instead of names and row numbers."""

import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_id(prefix: str) -> str:
    """A fresh id such as `e-7kq2m9xw4c`: a letter for the kind, then 10 characters (49 bits) from a CSPRNG."""
    return prefix + "-" + "".join(secrets.choice(ALPHABET) for _ in range(10))
