"""The demonstration on SQLite is copied to PostgreSQL: complete, unchanged, and with counters that go on."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import psycopg
import pytest

from tests.contracts.project import ROOT

SERVER = os.environ.get("TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/test")
ADDS_AN_ACCOUNT = (
    "from tournaments.accounts.services import create_account; "
    "create_account(email='new@example.com', password=None, given_name='New', family_name='')"
)


def manage(var: Path, *arguments: str, database: str = "") -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")}
    own = {"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "tournaments.config.settings"}
    own |= {"DATABASE_URL": database, "CELERY_BROKER_URL": ""}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=kept | own, capture_output=True, text=True, check=False)


@pytest.fixture
def target() -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    name = f"moved_{token_hex(4)}"
    with psycopg.connect(SERVER, dbname="postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield f"{SERVER.rpartition('/')[0]}/{name}"
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.services
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_demonstration_moves_from_sqlite_to_postgresql(tmp_path: Path, target: str) -> None:
    for command in ("migrate", "seed_demo"):
        assert manage(tmp_path, command).returncode == 0
    verification = manage(tmp_path, "verify_ledger")
    verified = verification.stdout.strip()
    assert verified, verification.stderr
    moved = manage(tmp_path, "move_to_postgresql", target)
    assert moved.returncode == 0, moved.stderr
    assert "every value compared" in moved.stdout
    assert verified in moved.stdout  # as many chains, and no faults
    assert manage(tmp_path, "shell", "-c", ADDS_AN_ACCOUNT, database=target).returncode == 0
    again = manage(tmp_path, "move_to_postgresql", target)
    assert "--force" in again.stderr
    with psycopg.connect(target) as there:
        (accounts,) = there.execute("SELECT count(*) FROM accounts_user").fetchone() or (0,)
        there.execute("ALTER TABLE accounts_user ADD CHECK (id < 0) NOT VALID")
    failed = manage(tmp_path, "move_to_postgresql", target, "--force")
    assert "nothing was copied: accounts_user: new row" in failed.stderr
    assert "demo.invalid" not in failed.stderr  # the row that does not fit is not shown
    with psycopg.connect(target) as there:
        assert there.execute("SELECT count(*) FROM accounts_user").fetchone() == (accounts,)


def test_a_database_that_is_not_migrated_is_not_moved(tmp_path: Path) -> None:
    assert "not migrated" in manage(tmp_path, "move_to_postgresql", "postgres://nobody@127.0.0.1:1/none").stderr
