"""A backup is taken while the site runs and restored completely; existing data is replaced only on request."""

import json
import os
import stat
import tarfile
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.api import scenes
from tests.archive.files import file_of
from tests.builders import a_published_round, a_running_event
from tests.cast import Cast, account, make_cast
from tests.web.pages import address, signed_in
from tournaments.accounts.models import User
from tournaments.audits.models import Photo
from tournaments.common import backups
from tournaments.events.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event() -> Event:
    cast: Cast = make_cast()
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    return event


def emptied() -> None:
    call_command("flush", interactive=False, verbosity=0)


def test_a_restored_backup_has_the_same_event_pages_and_an_intact_ledger(event: Event, tmp_path: Path) -> None:
    before, path, said = file_of(event), tmp_path / "backup.tar", StringIO()
    call_command("backup", path)
    assert path.stat().st_mode & 0o077 == 0
    emptied()
    call_command("restore", path, stdout=said)
    assert "chains verified: 1, no faults" in said.getvalue()
    assert file_of(Event.objects.get()) == before
    assert event.name in Client().get("/").content.decode()
    account("Somebody new")  # fails if the sequences of primary keys were not restored


def test_a_backup_is_readable_only_by_its_owner_even_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []
    real = tarfile.TarFile.add

    def add(tar: tarfile.TarFile, *args: Any, **more: Any) -> None:
        modes.extend(stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir())
        real(tar, *args, **more)

    monkeypatch.setattr(tarfile.TarFile, "add", add)
    before = os.umask(0)
    try:
        call_command("backup", tmp_path / "backup.tar")
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert stat.S_IMODE((tmp_path / "backup.tar").stat().st_mode) == 0o600


def test_photos_of_a_board_are_restored_byte_for_byte(tmp_path: Path) -> None:
    kept, path = scenes.board_kept(make_cast()).photo, tmp_path / "backup.tar"
    before = bytes(Photo.objects.get(public_id=kept).jpeg)
    call_command("backup", path)
    emptied()
    call_command("restore", path, stdout=StringIO())
    assert bytes(Photo.objects.get(public_id=kept).jpeg) == before
    shown = signed_in(User.objects.get(email="judge@example.com")).get(address("photo", kept))
    assert shown.content == before


def test_a_database_that_is_not_empty_is_replaced_only_with_force(event: Event, tmp_path: Path) -> None:
    path = tmp_path / "backup.tar"
    call_command("backup", path)
    account("Came later")
    with pytest.raises(CommandError, match="--force"):
        call_command("restore", path)
    assert User.objects.filter(email="came.later@example.com").exists()
    call_command("restore", path, force=True, stdout=StringIO())
    assert not User.objects.filter(email="came.later@example.com").exists()
    with pytest.raises(CommandError, match="there already"):
        call_command("backup", path)


def _tar(manifest: object) -> bytes:
    out, written = BytesIO(), json.dumps(manifest).encode()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in (("manifest.json", written), ("database", b"nothing")):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, BytesIO(content))
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not a backup"),
        (b"hello", "not a backup"),
        (_tar({"format": "other"}), "not a backup"),
        (_tar({"format": "arbitre-backup", "version": 1, "database": "oracle"}), "a backup of oracle"),
    ],
)
def test_restoring_a_file_that_is_not_a_backup_changes_nothing(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "other.tar"
    path.write_bytes(content)
    account("Somebody")
    with pytest.raises(CommandError, match=why):
        call_command("restore", path, force=True)
    with pytest.raises(CommandError, match="there is no file"):
        call_command("restore", tmp_path / "none", force=True)
    assert User.objects.exists()


def test_without_postgresql_client_tools_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "_is_sqlite", lambda: False)
    monkeypatch.setattr(backups.shutil, "which", lambda name: None)
    with pytest.raises(CommandError, match="pg_dump is not installed"):
        call_command("backup", tmp_path / "backup.tar")
    assert not list(tmp_path.iterdir())
