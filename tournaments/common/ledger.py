"""The ledger: an append-only chain of hashes an event. Its head's number is the event's revision.

The chain holds opaque ids and codes. Free text (a reason, a ruling) lies in `LedgerNote`, of which a salted
digest is chained: erasing the note leaves the chain true.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from tournaments.common.models import LedgerEntry, LedgerHead, LedgerNote

Follower = Callable[[LedgerEntry], None]

_followers: list[Follower] = []


def follow(follower: Follower) -> Follower:
    """Have each entry told to `follower`, inside the transaction that writes it. An app registers in its `ready`.

    A follower asks for jobs and nothing else: what it raises undoes the gesture, and what it computes is waited for.
    """
    if follower not in _followers:
        _followers.append(follower)
    return follower


def open_chain(chain: str) -> None:
    """Start the chain of a new object, such as an event."""
    LedgerHead.objects.create(chain=chain)


def record(
    *,
    chain: str,
    actor: str,
    code: str,
    object: str,
    now: datetime,
    before: Any = None,
    after: Any = None,
    note: str = "",
) -> LedgerEntry:
    """Append one entry and return it. Called last in a service's transaction: it locks the head row.

    `before` and `after` are JSON values of ids, codes and numbers, never names.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("the ledger is written inside the transaction of what it records")
    head = LedgerHead.objects.select_for_update().get(chain=chain)
    salt = secrets.token_hex(16) if note else ""
    entry = LedgerEntry(
        chain=chain,
        number=head.number + 1,
        at=now,
        actor=actor,
        code=code,
        object=object,
        before=before,
        after=after,
        note_digest=note_digest(salt, note) if note else "",
        previous=head.hash,
    )
    entry.hash = entry_hash(entry)
    entry.save(force_insert=True)
    if note:
        LedgerNote.objects.create(entry=entry, salt=salt, text=note)
    LedgerHead.objects.filter(pk=head.pk).update(number=entry.number, hash=entry.hash)
    for follower in _followers:
        follower(entry)
    return entry


def erase_note(entry: LedgerEntry) -> bool:
    """Erase the free text of an entry; the chain stays true. False when there was none."""
    return LedgerNote.objects.filter(entry=entry).delete()[0] > 0


def revision(chain: str) -> int:
    """The number of the chain's last entry; 0 for a chain with none."""
    return LedgerHead.objects.values_list("number", flat=True).get(chain=chain)


def note_digest(salt: str, text: str) -> str:
    """SHA-256 of a note under its salt, in hexadecimal."""
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def entry_hash(entry: LedgerEntry) -> str:
    """SHA-256 of an entry's canonical JSON, the previous hash included."""
    content = {
        "chain": entry.chain,
        "number": entry.number,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry.actor,
        "code": entry.code,
        "object": entry.object,
        "before": entry.before,
        "after": entry.after,
        "note": entry.note_digest,
        "previous": entry.previous,
    }
    return hashlib.sha256(
        json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    ).hexdigest()


def chains() -> list[str]:
    """Every chain there is, one without its head included."""
    heads = LedgerHead.objects.values_list("chain", flat=True)
    return sorted({*heads, *LedgerEntry.objects.order_by().values_list("chain", flat=True).distinct()})


def faults(chain: str) -> Iterator[str]:
    """Every way in which a chain is not what it says: gaps, changed entries, changed notes, a false head."""
    previous, number = "", 0
    entries = LedgerEntry.objects.filter(chain=chain).order_by("number").select_related("note")
    for entry in entries.iterator(chunk_size=500):
        if entry.number != number + 1:
            yield f"entry {number + 1} is missing"
        if entry.previous != previous:
            yield f"entry {entry.number} does not follow the one before it"
        if entry.hash != entry_hash(entry):
            yield f"entry {entry.number} was changed"
        note = getattr(entry, "note", None)
        if note is not None and note_digest(note.salt, note.text) != entry.note_digest:
            yield f"the note of entry {entry.number} was changed"
        previous, number = entry.hash, entry.number
    head = LedgerHead.objects.filter(chain=chain).first()
    if head is None:
        yield "its head is missing"
    elif (head.number, head.hash) != (number, previous):
        yield f"the head says {head.number}, the last entry is {number}"
