"""What people type after a command: ids as they copied them, and files that cannot be read or written."""

import re

from tournaments.common.ids import ALPHABET

ID = re.compile(rf"[a-z]+-[{ALPHABET}]{{10}}")


def public_id(text: str) -> str:
    """The id that somebody meant: without spaces and in lower case; of the address of a page, the last id in it."""
    named = text.strip().lower()
    if "/" not in named:
        return named
    found = [part for part in re.split(r"[/?#]", named) if ID.fullmatch(part)]
    return found[-1] if found else named


def why(error: OSError) -> str:
    """What is wrong with a file: `/srv/backup.tar: Permission denied`."""
    said = error.strerror or type(error).__name__
    return f"{error.filename}: {said}" if error.filename else said
