"""A temporary installation for a benchmark: a folder, an empty database, and Django set up to use them."""

import atexit
import os
import secrets
import shutil
import tempfile
from pathlib import Path

import django
import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command


def ready(*, sqlite: bool = False) -> Path:
    """Set up Django and return the folder, in which SQLite's file is `bench.sqlite3`.

    `DATABASE_URL` may name a PostgreSQL server: a new database is created there and dropped at the end, so nothing is
    ever written to the one it names. Otherwise, or with `sqlite`, the database is SQLite.
    """
    folder = Path(tempfile.mkdtemp(prefix="arbitre-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    named = os.environ.get("DATABASE_URL", "")
    beside = named.startswith("postgres") and not sqlite
    # All this must be set before Django reads its settings.
    os.environ["VAR_DIR"] = str(folder)
    os.environ["DATABASE_URL"] = _made_beside(named) if beside else f"sqlite:///{folder}/bench.sqlite3"
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
    django.setup()
    return folder


def make_tables() -> None:
    """Make the tables that the migrations lead to, from the models: it takes a third of the time."""
    settings.MIGRATION_MODULES = {app.label: None for app in apps.get_app_configs()}
    call_command("migrate", run_syncdb=True, verbosity=0)


def _made_beside(named: str) -> str:
    """Create a new database on the server of the named one, and return its address."""
    name = f"arbitre_bench_{secrets.token_hex(4)}"
    server, _, _ = named.rpartition("/")
    _on(server, f'CREATE DATABASE "{name}"')
    atexit.register(_on, server, f'DROP DATABASE "{name}" WITH (FORCE)')
    return f"{server}/{name}"


def _on(server: str, statement: str) -> None:
    # Connect to the database that always exists: the named one may not exist yet.
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(statement)
