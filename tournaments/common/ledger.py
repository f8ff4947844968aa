"""The ledger: an append-only hash chain for each event and each league.

The number of a chain's last entry, kept in its head, is the event's revision. A chain holds only opaque ids and codes.
Free text (a reason, a ruling) is stored in `LedgerNote`, and only its salted digest is chained, so that a note can be
erased without breaking the chain.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import transaction

from tournaments.common.models import LedgerEntry, LedgerHead, LedgerNote
from tournaments.common.prepared import Prepared

SYSTEM = "system"  # the actor of entries written by jobs

Follower = Callable[[Sequence[LedgerEntry]], None]

_followers: list[Follower] = []
_LOCKED_HEAD = Prepared(lambda chain: LedgerHead.objects.select_for_update().filter(chain=chain), str)


class Entry(NamedTuple):
    """An entry to be recorded: `actor` did `code` to `object`, in `chain`.

    `before` and `after` are JSON values of ids, codes and numbers, never names: entries cannot be erased.
    """

    chain: str
    actor: str
    code: str
    object: str
    now: datetime
    before: Any = None
    after: Any = None
    note: str = ""


def follow(follower: Follower) -> Follower:
    """Register a function that receives the new entries of a chain, inside the transaction that writes them.

    Apps register in their `ready`. A follower should only enqueue jobs or send a notification: an exception in it rolls
    back the action, and the action waits for whatever it computes.
    """
    if follower not in _followers:
        _followers.append(follower)
    return follower


def open_chain(chain: str) -> None:
    """Start the chain of a new event or league, with no entries."""
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
    """Append one entry to its chain and return it.

    Call it last in a service's transaction, because it locks the chain's head until the commit. `before` and `after`
    are JSON values of ids, codes and numbers, never names. Raises RuntimeError outside a transaction, and
    LedgerHead.DoesNotExist if the chain was never opened.

        ledger.record(chain=event.public_id, actor=user.public_id, code="event.opened", object=event.public_id, now=now)
    """
    (entry,) = record_all([Entry(chain, actor, code, object, now, before, after, note)])
    return entry


def record_all(entries: Sequence[Entry]) -> list[LedgerEntry]:
    """Append entries, which must all name the same chain, in the given order. See `record`: call it last."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("the ledger is written inside the transaction of what it records")
    (chain,) = {entry.chain for entry in entries}
    # Writers of the same chain wait here for each other's commit, so the numbers have no gaps.
    head = next(iter(_LOCKED_HEAD.rows(chain)), None)
    if head is None:
        raise LedgerHead.DoesNotExist(chain)
    written, notes = [], []
    for each in entries:
        # Each note has its own salt: the digest of a short text could be guessed after the text was erased.
        salt = secrets.token_hex(16) if each.note else ""
        entry = _chained(head, each, salt)
        head.number, head.hash = entry.number, entry.hash
        written.append(entry)
        if each.note:
            notes.append(LedgerNote(entry=entry, salt=salt, text=each.note))
    LedgerEntry.objects.bulk_create(written)
    for note in notes:
        note.save(force_insert=True)
    head.save(update_fields=["number", "hash"])
    for follower in _followers:
        follower(written)
    return written


def _chained(head: LedgerHead, what: Entry, salt: str) -> LedgerEntry:
    """Build the entry that follows the head of its chain."""
    entry = LedgerEntry(
        chain=what.chain,
        number=head.number + 1,
        at=what.now,
        actor=what.actor,
        code=what.code,
        object=what.object,
        before=what.before,
        after=what.after,
        note_digest=note_digest(salt, what.note) if what.note else "",
        previous=head.hash,
    )
    entry.hash = entry_hash(entry)
    return entry


def erase_note(chain: str, number: int) -> bool:
    """Erase the free text of an entry; the chain stays valid. False if there was none."""
    return LedgerNote.objects.filter(entry__chain=chain, entry__number=number).delete()[0] > 0


def revision(chain: str) -> int:
    """The number of the chain's last entry; 0 if it has none."""
    return LedgerHead.objects.values_list("number", flat=True).get(chain=chain)


def note_digest(salt: str, text: str) -> str:
    """Salted SHA-256 of a note, in hexadecimal."""
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def entry_hash(entry: LedgerEntry) -> str:
    """SHA-256 of an entry's canonical JSON, in hexadecimal; it includes the hash of the previous entry."""
    content = {
        "chain": entry.chain,
        "number": entry.number,
        # One spelling for each instant, whatever time zone the database returns it in.
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
    """The ids of all chains, including any whose head is missing."""
    heads = LedgerHead.objects.values_list("chain", flat=True)
    return sorted({*heads, *LedgerEntry.objects.order_by().values_list("chain", flat=True).distinct()})


def faults(chain: str) -> Iterator[str]:
    """Yield a line for each fault of a chain: missing or changed entries, changed notes, a wrong or missing head.

    Nothing is yielded for an intact chain. An erased note is not a fault.
    """
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
