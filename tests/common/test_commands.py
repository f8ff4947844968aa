"""The commands in a hurry: what is missing, full, locked or mistyped is answered with one sentence, not a traceback."""

import os
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from engine.version import VERSION
from tests.builders import a_published_round, a_running_event
from tests.cast import Cast, account, make_cast
from tests.contracts.project import ROOT
from tournaments.accounts.addresses import sign_up
from tournaments.accounts.models import Person, User
from tournaments.common import backups, clock, kept_backups, ledger, moving
from tournaments.common.backups import BackupRefused
from tournaments.common.kept_backups import keep_one
from tournaments.common.management.typed import public_id
from tournaments.events.models import Event

KEPT = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
NOW = clock.now().replace(microsecond=0)


def manage(var: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    environment = KEPT | {"VAR_DIR": str(var)} | variables
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def said(command: str, *arguments: object, **options: object) -> str:
    """The sentence with which a command refuses."""
    with pytest.raises(CommandError) as refusal:
        call_command(command, *arguments, stdout=StringIO(), **options)
    return str(refusal.value)


@pytest.fixture
def event(db: None) -> Event:
    cast: Cast = make_cast()
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    return event


@pytest.mark.parametrize(
    ("arguments", "variables", "sentence"),
    [
        (("jobs",), {}, "is not migrated: run manage.py migrate"),
        (("verify", "--all"), {}, "is not migrated"),
        (("jobs",), {"DATABASE_URL": "sqlite:////nowhere/arbitre.sqlite3"}, "/nowhere/arbitre.sqlite3 cannot be used"),
        (("migrate",), {"DEBUG": "yes"}, "DEBUG is 'yes'; accepted values: 0, 1"),
        (("check",), {"VAR_DIR": "/etc/passwd"}, "VAR_DIR is '/etc/passwd'"),
        (
            ("jobs",),
            {"DATABASE_URL": "postgres://u:secret@127.0.0.1:1/name", "DATABASE_POOL": "0"},
            "name on 127.0.0.1 cannot be used",
        ),
    ],
)
def test_a_command_that_cannot_begin_says_why_in_its_last_line(
    arguments: tuple[str, ...], variables: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    done = manage(tmp_path, *arguments, **variables)
    assert done.returncode == 2
    assert sentence in done.stderr.strip().splitlines()[-1]
    assert "Traceback" not in done.stderr and "secret" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_an_interrupted_command_says_so_and_leaves_no_backup(tmp_path: Path) -> None:
    program = "from tournaments.config import manage; import signal, sys; sys.argv = ['manage.py', 'shell', '-c', {!r}]"
    # A shell starts what runs in the background with this signal ignored.
    inside = "import signal; signal.signal(2, signal.default_int_handler); signal.raise_signal(2)"
    done = subprocess.run(
        [sys.executable, "-c", f"{program.format(inside)}; manage.main()"],
        cwd=ROOT,
        env=KEPT | {"VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (128 + signal.SIGINT, "interrupted\n")


def test_the_version_is_that_of_arbitre(tmp_path: Path) -> None:
    done = manage(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"arbitre {VERSION}\n")


def test_the_queue_in_files_starts_without_a_warning(tmp_path: Path) -> None:
    inside = "from celery import current_app; current_app.connection_for_write().info()"
    done = manage(tmp_path, "shell", "--verbosity", "0", "-c", inside)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_misspelt_setting_is_named_by_every_check(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", ALLOWED_HOST="arbitre.example.org")
    assert "ALLOWED_HOST is not a setting" in done.stderr and "ALLOWED_HOSTS?" in done.stderr


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("e-7kq2m9xw4c", "e-7kq2m9xw4c"),
        (" E-7KQ2M9XW4C\n", "e-7kq2m9xw4c"),
        ("https://arbitre.example.org/events/e-7kq2m9xw4c/", "e-7kq2m9xw4c"),
        ("https://arbitre.example.org/events/e-7kq2m9xw4c/rounds/2/?page=3#t4", "e-7kq2m9xw4c"),
        ("/events/e-7kq2m9xw4c/entrants/p-22222bbbbb/", "p-22222bbbbb"),
        ("somebody@example.org", "somebody@example.org"),
        ("https://arbitre.example.org/", "https://arbitre.example.org/"),
        ("", ""),
    ],
)
def test_an_id_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert public_id(typed) == meant


def test_commands_take_the_address_of_a_page_for_the_id_in_it(event: Event, tmp_path: Path) -> None:
    shown = f"https://arbitre.example.org/events/{event.public_id}/ "
    for command in ("verify", "verify_ledger"):
        call_command(command, shown.upper(), stdout=StringIO())
    call_command("export_event", shown, out=tmp_path / "event.jsonl", stdout=StringIO())
    assert "has no note" in said("erase_note", shown, 99_999)


@pytest.mark.django_db
def test_the_sentence_says_which_of_two_things_is_missing(event: Event) -> None:
    assert said("erase_note", "e-none", 1) == "there is no ledger e-none"
    number = ledger.revision(event.public_id)
    assert said("erase_note", event.public_id, number) == (
        f"entry {number} of {event.public_id} has no note, or it is erased already"
    )
    assert said("jobs", retry=2**70) == f"there is no job {2**70}"
    assert "no person (n-…) or entrant (p-…) with the id u-none" in said("erase_person", "U-none ")


@pytest.mark.django_db
def test_an_account_with_an_unconfirmed_address_is_named(db: None) -> None:
    sign_up(
        now=NOW,
        email="new@example.com",
        sign_in_name="newcomer",
        password="quite-long-enough",
        given_name="New",
        family_name="",
    )
    for command in ("account_links", "sign_in_link", "remove_second_factor"):
        assert "nobody has confirmed this address yet" in said(command, "New@example.com ")
        assert "newcomer" in said(command, "New@example.com ")
    assert said("sign_in_link", "") == said("account_links", "other@example.com") == "there is no such account"


@pytest.mark.parametrize("name", ["folder", "missing/file", "file/inside"])
def test_files_that_cannot_be_written_are_named(event: Event, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for told in (said("export_event", event.public_id, out=tmp_path / name), said("backup", tmp_path / name)):
        assert str(tmp_path) in told and "Errno" not in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize("name", ["folder", "missing", "empty", "text", "gzip"])
def test_files_that_cannot_be_read_are_named(db: None, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("hello\n")
    (tmp_path / "gzip").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\3half")
    for command in ("restore", "verify_event", "import_event"):
        options = {"force": True} if command == "restore" else {}
        told = said(command, tmp_path / name, **options)
        assert "Errno" not in told and "no_such_file" not in told and "{" not in told
        assert str(tmp_path / name) in told or told.startswith("file_unreadable: This event file cannot be read.")


def test_a_full_disk_leaves_the_older_export_as_it_was(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.jsonl"
    call_command("export_event", event.public_id, out=path, stdout=StringIO())
    before = path.read_bytes()

    def full(file: Path, written: bytes) -> int:
        with file.open("wb") as half:
            half.write(written[:10])
        raise OSError(28, "No space left on device", str(file))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "No space left" in said("export_event", event.public_id, out=path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_looks_like_a_backup_is_called_by_its_name(db: None, tmp_path: Path) -> None:
    sqlite, sealed = tmp_path / "arbitre.sqlite3", tmp_path / "backup.tar.age"
    sqlite3.connect(sqlite).execute("CREATE TABLE t (a)")
    sealed.write_bytes(b"age-encryption.org/v1\n-> X25519 ...\n")
    assert "is a SQLite database" in said("restore", sqlite, force=True)
    assert "is encrypted: decrypt it first" in said("restore", sealed, force=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
def test_a_backup_that_was_cut_short_is_refused_before_anything_is_replaced(tmp_path: Path, kept: float) -> None:
    account("Somebody")
    whole, short = tmp_path / "whole.tar", tmp_path / "short.tar"
    call_command("backup", whole, stdout=StringIO())
    content = whole.read_bytes()
    short.write_bytes(content[: int(len(content) * kept)])
    assert "is not a backup, or it is damaged" in said("restore", short, force=True)
    assert User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_backups_to_one_file_at_once_leave_one_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = tmp_path / "backup.tar", tarfile.TarFile.add

    def add(tar: tarfile.TarFile, *args: object, **more: object) -> None:
        monkeypatch.setattr(tarfile.TarFile, "add", real)
        backups.backup(path, now=NOW)  # the other one, from beginning to end
        real(tar, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(tarfile.TarFile, "add", add)
    assert "is there already" in said("backup", path)
    assert "checked" in backups.check(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.django_db
def test_a_journal_that_cannot_be_written_is_named_as_such(settings: Settings, tmp_path: Path, event: Event) -> None:
    settings.ERASURE_JOURNAL = str(tmp_path)
    person = Person.objects.earliest("pk")
    call_command("erase_person", person.public_id, stdout=StringIO())
    assert "the erasure journal cannot be written" in said("backup", tmp_path / "backup.tar")


@pytest.mark.django_db(transaction=True)
def test_copying_that_fails_every_five_minutes_does_not_fill_the_disk(settings: Settings, tmp_path: Path) -> None:
    settings.BACKUP_DIR, settings.BACKUP_KEEP, settings.BACKUP_COPY = str(tmp_path), 3, ""
    days = [NOW + timedelta(days=day) for day in (0, 1)]
    for day in days:
        keep_one(now=day)
    for command, reason in (("false", "exit code 1"), ("/nowhere/copy", "cannot be run")):
        settings.BACKUP_COPY = command
        for minutes in (5, 10, 15):
            with pytest.raises(BackupRefused, match=reason):
                keep_one(now=days[1] + timedelta(hours=24, minutes=minutes, seconds=len(command)))
    assert len(list(tmp_path.glob("*.tar"))) == 3  # the two good ones, and the newest
    (tmp_path / kept_backups.LAST_GOOD).unlink()
    with pytest.raises(BackupRefused):
        keep_one(now=days[1] + timedelta(hours=25))
    assert {f"arbitre-{day:%Y%m%dT%H%M%SZ}.tar" for day in days} <= {path.name for path in tmp_path.glob("*.tar")}


@pytest.mark.django_db(transaction=True)
def test_what_a_killed_backup_left_is_deleted_after_a_day(settings: Settings, tmp_path: Path) -> None:
    settings.BACKUP_DIR = str(tmp_path)
    old, fresh = tmp_path / ".arbitre-1.tar.ab.part", tmp_path / ".arbitre-2.tar.ab.part"
    old.touch()
    fresh.touch()
    os.utime(old, (time.time() - 200_000,) * 2)
    keep_one(now=clock.now())
    assert not old.exists() and fresh.exists()


def test_regular_backups_without_their_folder_say_which_setting_is_wrong(settings: Settings, tmp_path: Path) -> None:
    settings.BACKUP_DIR = str(tmp_path / "none")
    assert said("keep_backups", once=True) == f"BACKUP_DIR is {tmp_path}/none: there is no such folder"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://localhost/name", "must be named as postgres://"),
        ("postgres://", "must be named as postgres://"),
        ("postgres://user:pa/ss@host/name", "cannot be read: in the user and password"),
    ],
)
def test_the_address_of_the_new_database_is_checked_first(
    url: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving.connection, "vendor", "sqlite", raising=False)
    told = said("move_to_postgresql", url)
    assert sentence in told and "pa/ss" not in told


@pytest.mark.django_db
def test_a_database_of_a_newer_version_is_not_moved_without_its_new_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving.connection, "vendor", "sqlite", raising=False)
    # Not recorded for real: tests without migrations have no table of them.
    applied = dict.fromkeys([*MigrationLoader(connection).disk_migrations, ("play", "9999_newer")])
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _recorder: applied)
    assert "newer version of Arbitre has migrated this database (play.9999_newer)" in said(
        "move_to_postgresql", "postgres://user:password@host/name"
    )
