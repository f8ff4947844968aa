"""The ledger: what was written cannot be changed, removed or numbered twice without a fault; a note can be erased."""

import threading
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command
from django.db import connections, transaction

from tournaments.common import ledger
from tournaments.common.models import LedgerEntry, LedgerHead, LedgerNote

NOW = datetime(2026, 3, 14, 10, 0, tzinfo=UTC)
CHAIN = "e-7kq2m9xw4c"


def write(count: int = 1, *, note: str = "") -> None:
    for number in range(count):
        with transaction.atomic():
            ledger.record(
                chain=CHAIN,
                actor="u-23456789ab",
                code="result.reported",
                object="m-23456789ab",
                now=NOW,
                before={"games": None},
                after={"games": [2, number]},
                note=note,
            )


def faults() -> list[str]:
    return list(ledger.faults(CHAIN))


@pytest.fixture
def chain(db: None) -> None:
    ledger.open_chain(CHAIN)
    write(2)
    write(note="Ada arrived late")
    write(2)


def test_a_chain_as_written_has_no_fault(chain: None) -> None:
    assert faults() == []
    assert ledger.revision(CHAIN) == 5


def test_a_new_chain_has_no_fault(db: None) -> None:
    ledger.open_chain(CHAIN)
    assert (faults(), ledger.revision(CHAIN)) == ([], 0)


@pytest.mark.parametrize(
    "change",
    [
        {"after": {"games": [2, 9]}},
        {"actor": "u-99999999zz"},
        {"code": "result.ruled"},
        {"object": "m-99999999zz"},
        {"at": datetime(2026, 3, 14, 11, 0, tzinfo=UTC)},
        {"note_digest": "0" * 64},
    ],
)
def test_a_changed_entry_is_found(chain: None, change: dict[str, object]) -> None:
    LedgerEntry.objects.filter(number=2).update(**change)
    assert faults() == ["entry 2 was changed"]


def test_a_changed_entry_with_a_hash_made_anew_breaks_the_chain(chain: None) -> None:
    entry = LedgerEntry.objects.get(number=2)
    entry.after = {"games": [0, 2]}
    entry.hash = ledger.entry_hash(entry)
    entry.save()
    assert faults() == ["entry 3 does not follow the one before it"]


def test_a_removed_entry_is_found(chain: None) -> None:
    LedgerEntry.objects.filter(number=2).delete()
    assert faults() == ["entry 2 is missing", "entry 3 does not follow the one before it"]


def test_a_removed_last_entry_is_found(chain: None) -> None:
    LedgerEntry.objects.filter(number=5).delete()
    assert faults() == ["the head says 5, the last entry is 4"]


def test_a_changed_note_is_found(chain: None) -> None:
    LedgerNote.objects.update(text="Ada arrived early")
    assert faults() == ["the note of entry 3 was changed"]


def test_an_erased_note_leaves_the_chain_true(chain: None) -> None:
    LedgerNote.objects.all().delete()
    assert faults() == []


@pytest.mark.django_db(transaction=True)
def test_nothing_is_recorded_outside_a_transaction() -> None:
    ledger.open_chain(CHAIN)
    with pytest.raises(RuntimeError):
        ledger.record(chain=CHAIN, actor="system", code="x", object="y", now=NOW)


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_leaves_no_number_behind() -> None:
    ledger.open_chain(CHAIN)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ledger.record(chain=CHAIN, actor="system", code="x", object="y", now=NOW)
        raise ZeroDivisionError
    write()
    assert (faults(), ledger.revision(CHAIN)) == ([], 1)


@pytest.mark.django_db(transaction=True)
def test_entries_written_at_once_get_contiguous_numbers() -> None:
    ledger.open_chain(CHAIN)
    gate = threading.Barrier(4)

    def writer() -> None:
        try:
            gate.wait()
            write(25)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=writer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = LedgerEntry.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 101))
    assert faults() == []


def test_the_command_finds_no_fault_in_a_true_chain(chain: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_ledger")
    assert "1 chains verified" in capsys.readouterr().out


def test_the_command_exits_with_1_and_a_line_for_each_fault(chain: None, capsys: pytest.CaptureFixture[str]) -> None:
    LedgerHead.objects.update(number=6)
    with pytest.raises(SystemExit) as exit_:
        call_command("verify_ledger", CHAIN)
    assert exit_.value.code == 1
    assert capsys.readouterr().out == f"{CHAIN}: the head says 6, the last entry is 5\n"


def test_the_command_refuses_an_unknown_chain(db: None) -> None:
    with pytest.raises(CommandError):
        call_command("verify_ledger", "e-none")
