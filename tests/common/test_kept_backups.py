"""Regular backups are checked, encrypted, copied and thinned out; /healthz tells how old the last good one is."""

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from tests.cast import account
from tournaments.common import backups, clock, kept_backups
from tournaments.common.backups import BackupRefused
from tournaments.common.kept_backups import keep_one, last_good
from tournaments.common.management.commands.keep_backups import Command

pytestmark = pytest.mark.django_db(transaction=True)
NOW = clock.now().replace(microsecond=0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.ERASURE_JOURNAL = str(tmp_path / "erased.jsonl")
    settings.BACKUP_DIR = str(tmp_path / "backups")
    settings.BACKUP_KEEP = 2
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def health() -> list[str]:
    return Client().get("/healthz").content.decode().splitlines()[3:]


def test_the_newest_are_kept_and_each_was_read_again(folder: Path) -> None:
    account("Somebody")
    for day in range(3):
        assert "checked: " in keep_one(now=NOW + timedelta(days=day))
    kept = [f"arbitre-{NOW + timedelta(days=day):%Y%m%dT%H%M%SZ}.tar" for day in (1, 2)]
    assert names(folder) == [*kept, "last_good"]
    assert last_good() == NOW + timedelta(days=2)
    call_command("restore", folder / kept[1], force=True, stdout=StringIO())


def test_health_tells_the_age_of_the_last_good_backup_only_if_there_are_regular_ones(settings: Settings) -> None:
    assert health() == ["backup none"]
    keep_one(now=NOW - timedelta(hours=5, minutes=30))
    assert health() == ["backup 5"]
    settings.BACKUP_DIR = ""
    assert health() == []
    with pytest.raises(CommandError, match="BACKUP_DIR is not set"):
        call_command("keep_backups", once=True)


def test_a_backup_that_fails_its_check_is_deleted_and_does_not_count(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged(path: Path, *, now: object) -> None:
        path.write_bytes(b"half")

    monkeypatch.setattr(kept_backups, "backup", damaged)
    Command().keep_if_due()
    assert "is not a backup, or it is damaged" in caplog.text
    assert names(folder) == []


def test_a_damaged_dump_is_noticed(folder: Path) -> None:
    account("Somebody")
    keep_one(now=NOW)
    (path,) = folder.glob("*.tar")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 100_000] = b"\xff" * len(content[middle : middle + 100_000])
    path.write_bytes(content[: middle + 100_000])
    with pytest.raises(BackupRefused):
        backups.check(path)


def test_the_loop_makes_one_a_day(folder: Path) -> None:
    command = Command(stdout=StringIO())
    command.keep_if_due()
    command.keep_if_due()
    assert len(list(folder.glob("*.tar"))) == 1


def test_a_backup_is_encrypted_to_the_key_and_then_copied(
    folder: Path, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a program that stands in for `age`: it takes the same arguments."""
    script(tmp_path / "age", '[ "$1 $2 $3 $4" = "--encrypt --recipient age1key --output" ] && echo sealed > "$5"')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    settings.BACKUP_KEY = "age1key"
    settings.BACKUP_COPY = str(script(tmp_path / "copy", f'cp "$1" {tmp_path}/elsewhere'))
    keep_one(now=NOW)
    assert names(folder) == [f"arbitre-{NOW:%Y%m%dT%H%M%SZ}.tar.age", "last_good"]
    assert (tmp_path / "elsewhere").read_text() == "sealed\n"
    assert next(folder.glob("*.age")).stat().st_mode & 0o077 == 0
    settings.BACKUP_COPY = "false"
    with pytest.raises(BackupRefused, match="false failed"):
        keep_one(now=NOW + timedelta(days=1))
    assert last_good() == NOW
