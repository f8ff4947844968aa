"""Migrations: in step with the models, and one line in each app."""

from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

OURS = [app.label for app in apps.get_app_configs() if app.name.startswith("tournaments.")]


@pytest.mark.django_db
def test_no_change_of_a_model_is_without_its_migration() -> None:
    said = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=said)
    assert said.getvalue().strip() == "No changes detected"


@pytest.mark.parametrize("label", OURS)
def test_an_app_has_one_line_of_migrations(label: str) -> None:
    graph = MigrationLoader(None).graph
    assert len(graph.leaf_nodes(label)) <= 1


@pytest.mark.parametrize("label", OURS)
def test_the_last_migration_is_the_one_written_down(label: str) -> None:
    leaves = MigrationLoader(None).graph.leaf_nodes(label)
    if leaves:
        package = import_module(f"{apps.get_app_config(label).name}.migrations")
        written = Path(str(package.__file__)).with_name("max_migration.txt").read_text().strip()
        assert written == leaves[0][1]
