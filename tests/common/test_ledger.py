"""The ledger: entries cannot be changed, removed or numbered twice without a fault, but a note can be erased.

A property test changes any column of an entry, the head or a note to any other value, and expects a fault.
"""

import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connections, models, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

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


def test_an_intact_chain_has_no_fault(chain: None) -> None:
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
        {"before": {"games": [1, 1]}},
        {"before": None},
        {"after": None},
        {"note_digest": "0" * 64},
    ],
)
def test_a_changed_entry_is_a_fault(chain: None, change: dict[str, object]) -> None:
    LedgerEntry.objects.filter(number=2).update(**change)
    assert faults() == ["entry 2 was changed"]


@pytest.mark.parametrize("change", [{"number": 9}, {"previous": "0" * 64}, {"hash": "0" * 64}, {"chain": "e-other"}])
def test_an_entry_with_a_changed_place_in_the_chain_is_a_fault(chain: None, change: dict[str, object]) -> None:
    LedgerEntry.objects.filter(number=2).update(**change)
    assert faults()


@pytest.mark.parametrize("change", [{"number": 4}, {"number": 6}, {"hash": "0" * 64}])
def test_a_changed_head_is_a_fault(chain: None, change: dict[str, object]) -> None:
    LedgerHead.objects.update(**change)
    assert len(faults()) == 1


def test_a_changed_salt_is_a_fault(chain: None) -> None:
    LedgerNote.objects.update(salt="0" * 32)
    assert faults() == ["the note of entry 3 was changed"]


def test_a_missing_head_is_a_fault(chain: None, capsys: pytest.CaptureFixture[str]) -> None:
    LedgerHead.objects.all().delete()
    with pytest.raises(SystemExit):
        call_command("verify_ledger")
    assert capsys.readouterr().out == f"{CHAIN}: its head is missing\n"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | st.text("abc\u00e9\u4e00 1", max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=6,
)
VALUES: dict[type[models.Field], st.SearchStrategy[Any]] = {
    models.PositiveIntegerField: st.integers(0, 9) | st.integers(0, 2**31 - 1),
    models.DateTimeField: st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),
    models.CharField: st.text("0123456789abcdef-", min_size=1, max_size=20),
    models.TextField: st.text("Ada arrived lte\u00e9\n", max_size=30),
    models.JSONField: JSON,
}
FREE = {(LedgerNote, "entry")}  # a foreign key, which has its own test: a note moved to another entry
KEYS = (models.AutoField, models.BigAutoField)


def columns() -> list[tuple[type[models.Model], str]]:
    """Every column of the tables that store a chain, except primary keys, which carry no meaning."""
    return [
        (model, field.name)
        for model in (LedgerEntry, LedgerHead, LedgerNote)
        for field in model._meta.concrete_fields
        if not isinstance(field, KEYS) and (model, field.name) not in FREE
    ]


def differ(one: Any, other: Any) -> bool:
    """Whether two values differ in a chain, where JSON distinguishes true from 1."""
    return json.dumps(one, default=str, sort_keys=True) != json.dumps(other, default=str, sort_keys=True)


@pytest.mark.parametrize(("model", "column"), columns(), ids=lambda each: getattr(each, "__name__", each))
@pytest.mark.django_db
def test_any_other_value_in_any_column_is_a_fault(chain: None, model: type[models.Model], column: str) -> None:
    assert faults() == []
    rows = list(model._default_manager.order_by("pk"))

    @given(row=st.sampled_from(rows), value=VALUES[type(model._meta.get_field(column))])
    @settings(max_examples=25)
    def is_found(row: models.Model, value: Any) -> None:
        changed = differ(getattr(row, column), value)
        with suppress(IntegrityError), transaction.atomic():  # the database itself refuses a duplicate number
            model._default_manager.filter(pk=row.pk).update(**{column: value})
            found = [fault for chain in ledger.chains() for fault in ledger.faults(chain)]
            transaction.set_rollback(True)
            assert bool(found) == changed, found

    is_found()


@pytest.mark.parametrize("number", [1, 2, 4, 5])
def test_a_note_moved_to_another_entry_is_a_fault(chain: None, number: int) -> None:
    LedgerNote.objects.update(entry=LedgerEntry.objects.get(number=number))
    assert faults() == [f"the note of entry {number} was changed"]


def test_every_column_of_an_entry_is_part_of_its_hash(chain: None) -> None:
    """This fails for a new column that is not chained, whose changes would go unnoticed."""
    entry = LedgerEntry.objects.get(number=3)
    before = ledger.entry_hash(entry)
    chained = {field.name for field in LedgerEntry._meta.concrete_fields} - {"id", "hash"}
    for name in chained:
        kept = getattr(entry, name)
        setattr(entry, name, NOW + timedelta(days=1) if name == "at" else 77 if name == "number" else "other")
        assert ledger.entry_hash(entry) != before, name
        setattr(entry, name, kept)
    assert ledger.entry_hash(entry) == before


def test_a_changed_entry_with_a_recomputed_hash_breaks_the_chain(chain: None) -> None:
    entry = LedgerEntry.objects.get(number=2)
    entry.after = {"games": [0, 2]}
    entry.hash = ledger.entry_hash(entry)
    entry.save()
    assert faults() == ["entry 3 does not follow the one before it"]


def test_a_removed_entry_is_a_fault(chain: None) -> None:
    LedgerEntry.objects.filter(number=2).delete()
    assert faults() == ["entry 2 is missing", "entry 3 does not follow the one before it"]


def test_a_removed_last_entry_is_a_fault(chain: None) -> None:
    LedgerEntry.objects.filter(number=5).delete()
    assert faults() == ["the head says 5, the last entry is 4"]


def test_a_changed_note_is_a_fault(chain: None) -> None:
    LedgerNote.objects.update(text="Ada arrived early")
    assert faults() == ["the note of entry 3 was changed"]


def test_an_erased_note_leaves_the_chain_valid(chain: None) -> None:
    LedgerNote.objects.all().delete()
    assert faults() == []


@pytest.mark.django_db(transaction=True)
def test_nothing_is_recorded_outside_a_transaction() -> None:
    ledger.open_chain(CHAIN)
    with pytest.raises(RuntimeError):
        ledger.record(chain=CHAIN, actor="system", code="x", object="y", now=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_rollback_leaves_no_gap_in_the_numbers() -> None:
    ledger.open_chain(CHAIN)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ledger.record(chain=CHAIN, actor="system", code="x", object="y", now=NOW)
        raise ZeroDivisionError
    write()
    assert (faults(), ledger.revision(CHAIN)) == ([], 1)


@pytest.mark.django_db(transaction=True)
def test_entries_written_concurrently_get_contiguous_numbers() -> None:
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


def test_the_command_finds_no_fault_in_an_intact_chain(chain: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_ledger")
    assert "chains verified: 1" in capsys.readouterr().out


def test_the_command_exits_with_1_and_a_line_for_each_fault(chain: None, capsys: pytest.CaptureFixture[str]) -> None:
    LedgerHead.objects.update(number=6)
    with pytest.raises(SystemExit) as exit_:
        call_command("verify_ledger", CHAIN)
    assert exit_.value.code == 1
    assert capsys.readouterr().out == f"{CHAIN}: the head says 6, the last entry is 5\n"


def test_the_command_refuses_an_unknown_chain(db: None) -> None:
    with pytest.raises(CommandError) as error:
        call_command("verify_ledger", "e-none")
    assert error.value.returncode == 2


def test_a_follower_receives_each_entry_inside_its_transaction(chain: None, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, bool]] = []
    monkeypatch.setattr(ledger, "_followers", [])
    inside = transaction.get_connection
    ledger.follow(lambda entries: told.extend((entry.code, inside().in_atomic_block) for entry in entries))
    write(2)
    assert told == [("result.reported", True)] * 2


def test_an_exception_in_a_follower_rolls_back_the_entry(chain: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(entries: Sequence[LedgerEntry]) -> None:
        raise ValueError("a follower's fault")

    monkeypatch.setattr(ledger, "_followers", [broken])
    with pytest.raises(ValueError, match="a follower's fault"):
        write()
    assert ledger.revision(CHAIN) == 5
