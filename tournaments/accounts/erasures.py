"""Keeps the erasure journal complete, and applies it to a database that was restored from a backup."""

from datetime import datetime
from typing import Any

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import ERASED_ADDRESS, erase_account, erase_person
from tournaments.common import clock, erasures, ledger
from tournaments.common.models import LedgerEntry


def complete_journal(**_signal: Any) -> None:
    """Add to the journal what is erased in the database and not in the journal. Receives `backups.before_copy`.

    Raises OSError if the journal cannot be read or written.
    """
    known, now = erasures.read(), clock.now()
    persons = Person.objects.exclude(erased_at=None).values_list("public_id", "erased_at")
    accounts = User.objects.filter(email__endswith=ERASED_ADDRESS).values_list("public_id", flat=True)
    entries = LedgerEntry.objects.exclude(note_digest="").filter(note=None).values_list("chain", "number")
    gone = [*accounts, *(erasures.id_of_note(*entry) for entry in entries)]
    erased = {public_id: at or now for public_id, at in persons} | dict.fromkeys(gone, now)
    missing = {public_id: at for public_id, at in erased.items() if public_id not in known}
    if missing:
        erasures.append(missing)


def apply_journal(**_signal: Any) -> str:
    """Erase again what is in the journal; return a sentence about it. Receives `backups.restored`.

    Accounts, persons and notes that are not in the database, or are erased in it, are left alone: idempotent.
    """
    erased = erasures.read()
    again = sum(_erase_again(public_id, at) for public_id, at in erased.items())
    return f"erasure journal: {len(erased)} ids, erased again: {again}"


def _erase_again(public_id: str, at: datetime) -> bool:
    chain, slash, number = public_id.partition("/")
    if slash:
        return number.isdecimal() and ledger.erase_note(chain, int(number))
    if public_id.startswith("u-"):
        user = User.objects.filter(public_id=public_id).exclude(email__endswith=ERASED_ADDRESS).first()
        if user is not None:
            erase_account(user=user, now=at)
        return user is not None
    person = Person.objects.filter(public_id=public_id, erased_at=None).first()
    if person is not None:
        erase_person(person=person, now=at)
    return person is not None
