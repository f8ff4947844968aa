"""While a new version is rolled out, and when it is taken back, the previous one runs on the new schema.

Columns and tables are added in one release and dropped in a later one, when the previous release no longer uses them
(expand and contract). `tools.previous_release` says which commit is the previous release.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader
from django.db.models import Field, Model
from django.db.models.fields import NOT_PROVIDED
from django.test import override_settings

from tests.contracts.project import ROOT
from tools.previous_release import PREVIOUS, NoHistory, of_previous, unpack_previous

PAGES = ("/", "/privacy/", "/api/v1/events/", "/healthz")


def _of_previous(*command: str) -> bytes:
    try:
        return of_previous(*command)
    except NoHistory as missing:
        pytest.skip(str(missing))


def _previous_models() -> list[type[Model]]:
    """The models as the migrations of the previous release leave them."""
    files = _of_previous("ls-tree", "-r", "--name-only", PREVIOUS, "tournaments").decode().splitlines()
    last = [name for name in files if name.endswith("/migrations/max_migration.txt")]
    assert last
    leaves = {(name.split("/")[1], _of_previous("show", f"{PREVIOUS}:{name}").decode().strip()) for name in last}
    return list(MigrationLoader(None).project_state(sorted(leaves)).apps.get_models())


def _columns(model: type[Model]) -> dict[str, "Field[object, object]"]:
    return {field.column: field for field in model._meta.local_concrete_fields}


def _newest_models() -> dict[str, type[Model]]:
    loader = MigrationLoader(None)
    return {model._meta.db_table: model for model in loader.project_state().apps.get_models()}


def _works_for_the_previous(name: str, field: "Field[object, object]", before: "Field[object, object] | None") -> str:
    """What would fail in the previous release at this column; empty if nothing would."""
    if before is None:
        fills_itself = field.null or field.db_default is not NOT_PROVIDED
        return (
            "" if fills_itself else f"{name}: the previous release does not know it, and the database fills in nothing"
        )
    if field.db_type(connection) != before.db_type(connection):
        return f"{name}: was {before.db_type(connection)}, is {field.db_type(connection)}"
    if before.null and not field.null:
        return f"{name}: the previous release may leave it empty"
    if field.unique and not before.unique:
        return f"{name}: the previous release may repeat it"
    return ""


@pytest.mark.django_db
@override_settings(MIGRATION_MODULES={})  # the quick run of the tests is without migrations
def test_the_previous_release_can_write_every_table_of_the_new_schema() -> None:
    newest, faults = _newest_models(), []
    for model in _previous_models():
        table = model._meta.db_table
        if table not in newest:
            faults.append(f"{table}: dropped while the previous release uses it")
            continue
        before, after = _columns(model), _columns(newest[table])
        faults += [
            f"{table}.{column}: dropped while the previous release uses it" for column in before if column not in after
        ]
        faults += [
            _works_for_the_previous(f"{table}.{column}", field, before.get(column)) for column, field in after.items()
        ]
    assert [fault for fault in faults if fault] == []


def test_a_column_that_would_break_the_previous_release_is_found() -> None:
    empty, filled = models.IntegerField(null=True), models.IntegerField(db_default=0)
    assert not _works_for_the_previous("t.c", empty, None) and not _works_for_the_previous("t.c", filled, None)
    assert "fills in nothing" in _works_for_the_previous("t.c", models.IntegerField(), None)
    assert "leave it empty" in _works_for_the_previous("t.c", models.IntegerField(), empty)
    assert "repeat" in _works_for_the_previous("t.c", models.IntegerField(unique=True), models.IntegerField())
    assert "was " in _works_for_the_previous("t.c", models.TextField(), models.IntegerField())


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_previous_release_runs_on_the_new_schema_and_the_new_one_reads_what_it_wrote(tmp_path: Path) -> None:
    old = tmp_path / "old"
    try:
        unpack_previous(old)
    except NoHistory as missing:
        pytest.skip(str(missing))
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL")
    }
    own |= {"VAR_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "tournaments.config.settings"}

    def run(where: Path, *arguments: str) -> str:
        done = subprocess.run([sys.executable, *arguments], cwd=where, env=own, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(ROOT, "manage.py", "migrate", "--no-input", "--verbosity", "0")
    run(old, "manage.py", "seed_demo")
    asked = (
        "from django.test import Client; "
        f"print([Client(SERVER_NAME='localhost').get(page).status_code for page in {PAGES}])"
    )
    assert run(old, "manage.py", "shell", "--no-imports", "-c", asked).splitlines()[-1] == str([200] * len(PAGES))
    assert run(ROOT, "manage.py", "shell", "--no-imports", "-c", asked).splitlines()[-1] == str([200] * len(PAGES))
    run(ROOT, "manage.py", "verify", "--all")
