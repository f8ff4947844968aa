"""Regular backups: make one, check it, encrypt it, copy it elsewhere, and keep the newest few."""

import shlex
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from tournaments.common.backups import BackupRefused, backup, check

LATE = timedelta(hours=25)  # one is due every day
LAST_GOOD = "last_good"  # the file in BACKUP_DIR with the time of the last backup for which everything went well


def keep_one(*, now: datetime) -> str:
    """Make a backup in BACKUP_DIR and delete the oldest beyond BACKUP_KEEP; return what was made and checked.

    Raises BackupRefused or OSError if any step fails. Then nothing is deleted but the file that failed its check, and
    the time of the last good backup stays as it was.
    """
    if not settings.BACKUP_DIR:
        raise BackupRefused("BACKUP_DIR is not set")
    folder = Path(settings.BACKUP_DIR)
    if not folder.is_dir():
        raise BackupRefused(f"BACKUP_DIR is {folder}: there is no such folder")
    path = folder / _name(now)
    for left in folder.glob(".arbitre-*.part"):  # by a backup that was killed
        if now.timestamp() - left.stat().st_mtime > LATE.total_seconds():
            left.unlink(missing_ok=True)
    backup(path, now=now)
    try:
        checked = check(path)
        if settings.BACKUP_KEY:
            path = _encrypted(path)
    except (BackupRefused, OSError):
        path.unlink(missing_ok=True)
        raise
    if settings.BACKUP_COPY:
        try:
            _run([*shlex.split(settings.BACKUP_COPY), str(path)])
        except (BackupRefused, OSError):
            _delete_uncopied(folder, path, now)
            raise
    (folder / f".{LAST_GOOD}").write_text(now.isoformat())
    (folder / f".{LAST_GOOD}").replace(folder / LAST_GOOD)
    for old in sorted(folder.glob("arbitre-*.tar*"))[: -settings.BACKUP_KEEP]:
        old.unlink()
    return f"{path}: {path.stat().st_size} bytes; {checked}"


def _name(moment: datetime) -> str:
    return f"arbitre-{moment:%Y%m%dT%H%M%SZ}.tar"


def _delete_uncopied(folder: Path, newest: Path, now: datetime) -> None:
    """Delete what the attempts to copy have left today, since the last good one: there is one every five minutes."""
    since = max(last_good() or now - LATE, now - LATE)
    for old in folder.glob("arbitre-*.tar*"):
        if f"{_name(since)}~" < old.name < newest.name:
            old.unlink(missing_ok=True)


def last_good() -> datetime | None:
    """When the last good backup was made; None if there is none, or the folder cannot be read."""
    try:
        return datetime.fromisoformat((Path(settings.BACKUP_DIR) / LAST_GOOD).read_text())
    except (OSError, ValueError):
        return None


def _encrypted(path: Path) -> Path:
    """Encrypt a backup to BACKUP_KEY with the program `age`, and delete the original."""
    if shutil.which("age") is None:
        raise BackupRefused("age is not installed, and BACKUP_KEY is set")
    sealed = path.with_name(f"{path.name}.age")
    aside = path.with_name(f".{sealed.name}.part")
    try:
        _run(["age", "--encrypt", "--recipient", settings.BACKUP_KEY, "--output", str(aside), str(path)])
        aside.chmod(0o600)
        aside.rename(sealed)
    finally:
        aside.unlink(missing_ok=True)
    path.unlink()
    return sealed


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - what the operator has set
            command, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise BackupRefused(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.strip()[-500:] or f"exit code {done.returncode}"
        raise BackupRefused(f"{command[0]} failed: {said}")
