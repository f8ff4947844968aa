"""A signed head held by somebody else shows that a ledger was cut short or rewritten since."""

import json
import multiprocessing
import stat
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from tournaments.common import heads, ledger
from tournaments.common.keys import _kept
from tournaments.common.models import LedgerEntry, LedgerHead

NOW = datetime(2026, 3, 14, 10, 0, tzinfo=UTC)
CHAIN = "e-7kq2m9xw4c"
OLD, NEW = "1" * 64, "2" * 64


@pytest.fixture
def chain(db: None, settings: Any) -> None:
    settings.LEDGER_KEY = OLD
    ledger.open_chain(CHAIN)
    write(5)


def write(count: int, code: str = "result.reported") -> None:
    for number in range(count):
        with transaction.atomic():
            ledger.record(
                chain=CHAIN,
                actor="u-23456789ab",
                code=code,
                object="m-23456789ab",
                now=NOW,
                after={"games": [2, number]},
            )


def checked(head: heads.SignedHead) -> tuple[str, int]:
    """The output of `verify --head` for a head, and its exit code."""
    out = StringIO()
    try:
        call_command("verify", head=json.dumps(head.as_json()), stdout=out)
    except SystemExit as ended:
        return out.getvalue(), int(ended.code or 0)
    return out.getvalue(), 0


def cut(last: int) -> None:
    """Delete the entries after `last`, and move the chain's head back to it."""
    LedgerEntry.objects.filter(chain=CHAIN, number__gt=last).delete()
    end = LedgerEntry.objects.filter(chain=CHAIN, number=last).first()
    LedgerHead.objects.filter(chain=CHAIN).update(number=last, hash=end.hash if end else "")


def test_a_chain_that_continued_still_contains_an_earlier_head(chain: None) -> None:
    head = heads.head_of(CHAIN)
    write(3)
    out, code = checked(head)
    assert code == 0 and "no fault was found" in out


def test_a_chain_that_was_cut_short_looks_intact_but_the_head_reveals_it(chain: None) -> None:
    head = heads.head_of(CHAIN)
    cut(3)
    assert list(ledger.faults(CHAIN)) == []
    out, code = checked(head)
    assert code == 1 and "[head_gone]" in out


def test_a_chain_that_was_rewritten_looks_intact_but_the_head_reveals_it(chain: None) -> None:
    head = heads.head_of(CHAIN)
    cut(3)
    write(2, "result.ruled")
    assert list(ledger.faults(CHAIN)) == [] and heads.head_of(CHAIN).number == head.number
    assert "[head_gone]" in checked(head)[0]


def test_a_broken_chain_is_reported_even_if_it_contains_the_head(chain: None) -> None:
    head = heads.head_of(CHAIN)
    LedgerEntry.objects.filter(number=2).update(actor="u-99999999zz")
    out, code = checked(head)
    assert code == 1 and "[chain_broken]" in out and "entry 2 was changed" in out


@pytest.mark.parametrize(
    "change", [{"number": 4}, {"hash": "0" * 64}, {"signature": "00" * 64}, {"signature": "no"}, {"key": "11" * 32}]
)
def test_a_changed_head_has_no_valid_signature(chain: None, change: dict[str, object]) -> None:
    head = heads.head_of(CHAIN)
    assert heads.is_signed(head)
    assert not heads.is_signed(replace(head, **change))  # type: ignore[arg-type]  # fields of a head
    assert "[signature_wrong]" in checked(replace(head, **change))[0]  # type: ignore[arg-type]


def test_signatures_of_an_earlier_key_are_valid_while_its_public_key_is_listed(chain: None, settings: Any) -> None:
    head = heads.head_of(CHAIN)
    settings.LEDGER_KEY = NEW
    out, code = checked(head)
    assert code == 1 and "[key_unknown]" in out
    settings.LEDGER_OLD_KEYS = [head.key]
    assert checked(head)[1] == 0
    assert heads.public_keys()[0] != head.key and heads.public_keys()[1:] == [head.key]


def test_in_production_the_key_is_derived_from_the_secret_key_and_its_fallbacks(chain: None, settings: Any) -> None:
    settings.LEDGER_KEY, settings.PRODUCTION, settings.SECRET_KEY = "", True, "s" * 40
    head = heads.head_of(CHAIN)
    settings.SECRET_KEY = "t" * 40
    assert "[key_unknown]" in checked(head)[0]
    settings.SECRET_KEY_FALLBACKS = ["s" * 40]
    assert checked(head)[1] == 0 and heads.head_of(CHAIN).key != head.key


def test_the_same_head_always_has_the_same_signature(chain: None) -> None:
    assert heads.head_of(CHAIN) == heads.head_of(CHAIN)
    assert heads.head_of(CHAIN).as_json().keys() == {"chain", "number", "hash", "signature", "key"}


def test_the_head_of_an_empty_chain_is_part_of_every_chain(db: None) -> None:
    ledger.open_chain(CHAIN)
    head = heads.head_of(CHAIN)
    write(1)
    assert (head.number, head.hash) == (0, "") and checked(head)[1] == 0


def test_verifying_something_that_is_not_a_head_exits_with_2(chain: None, tmp_path: Path) -> None:
    (tmp_path / "head.json").write_text('{"chain": "e-1"}')
    for given in ("{", "{}", '{"chain": 1}', str(tmp_path / "none.json"), str(tmp_path / "head.json")):
        with pytest.raises(CommandError) as refused:
            call_command("verify", head=given)
        assert refused.value.returncode == 2
    assert checked(replace(heads.head_of(CHAIN), chain="e-none"))[1] == 2


def test_a_head_can_be_read_from_a_file_and_from_a_webhook(chain: None, tmp_path: Path) -> None:
    head = heads.head_of(CHAIN)
    told = {"type": "event.opened", "data": {"number": 1, "head": head.as_json()}}
    assert heads.read_head(told) == heads.read_head(head.as_json()) == head
    (tmp_path / "head.json").write_text(json.dumps(told))
    call_command("verify", head=str(tmp_path / "head.json"), stdout=StringIO())


def _read(folder: Path, answers: "multiprocessing.Queue[str]") -> None:
    answers.put(_kept(folder / "ledger_key"))


def test_processes_that_start_together_share_one_key_readable_only_by_its_owner(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    answers: multiprocessing.Queue[str] = fork.Queue()
    started = [fork.Process(target=_read, args=(tmp_path, answers)) for _ in range(8)]
    for process in started:
        process.start()
    keys = {answers.get(timeout=30) for _ in started}
    for process in started:
        process.join()
    assert len(keys) == 1 and len(keys.pop()) == 64
    assert [path.name for path in tmp_path.iterdir()] == ["ledger_key"]
    assert stat.S_IMODE((tmp_path / "ledger_key").stat().st_mode) == 0o600
