"""The erasure journal: the ids of what was erased, in a file outside the database.

A backup holds the names of people who were erased after it was made, and the notes. `restore` reads this file and
erases them again. Each line is a JSON object with an `id`, and the time `at` which it was erased: nothing else, so the
file needs no more protection than the ledger. The id of a note is that of its ledger and its number: `e-3k9x/12`. The
file is only ever appended to.

An erasure is written down after its commit. The other way round, an erasure that failed would be carried out by the
next restore, and that cannot be undone. What is missing, because the disk was full or the process was killed in
between, is added before each backup (`accounts.erasures`).
"""

import json
import logging
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)


def journal() -> Path:
    """The file, which may not exist yet."""
    return Path(settings.ERASURE_JOURNAL)


def id_of_note(chain: str, number: int) -> str:
    """The id by which the journal names the note of a ledger entry."""
    return f"{chain}/{number}"


def note(public_id: str, *, at: datetime) -> None:
    """Write an id to the journal after the commit of the transaction that erases it.

    If the file cannot be written, the erasure stands, and the log says so.
    """
    transaction.on_commit(lambda: _try_to_append({public_id: at}))


def append(erased: Mapping[str, datetime]) -> None:
    """Append ids with their times, and wait until they are on the disk. Raises OSError."""
    lines = "".join(json.dumps({"id": each, "at": at.isoformat()}) + "\n" for each, at in erased.items())
    file = os.open(journal(), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        # A process that was killed may have left half a line.
        size = os.fstat(file).st_size
        torn = size and os.pread(file, 1, size - 1) != b"\n"
        os.write(file, ("\n" * bool(torn) + lines).encode())
        os.fsync(file)
    finally:
        os.close(file)


def read() -> dict[str, datetime]:
    """The ids in the journal with the time of their first erasure. Lines that are not whole are left out.

    Raises OSError if there is a file and it cannot be read.
    """
    found: dict[str, datetime] = {}
    if not journal().exists():
        return found
    for line in journal().read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
            found.setdefault(str(entry["id"]), datetime.fromisoformat(entry["at"]))
        except (ValueError, TypeError, KeyError):
            logger.warning("a line of the erasure journal cannot be read")
    return found


def _try_to_append(erased: Mapping[str, datetime]) -> None:
    try:
        append(erased)
    except OSError as error:
        logger.error("the erasure journal cannot be written (%s); the next backup adds what is missing", error)
