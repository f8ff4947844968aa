"""The migrations match the models, and those of each app form one line without branches."""

from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

OURS = [app.label for app in apps.get_app_configs() if app.name.startswith("tournaments.")]


@pytest.mark.django_db
def test_every_change_to_a_model_has_a_migration() -> None:
    said = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=said)
    assert said.getvalue().strip() == "No changes detected"


@pytest.mark.parametrize("label", OURS)
def test_the_migrations_of_an_app_have_no_branches(label: str) -> None:
    graph = MigrationLoader(None).graph
    assert len(graph.leaf_nodes(label)) <= 1


@pytest.mark.parametrize("label", OURS)
def test_max_migration_txt_names_the_last_migration(label: str) -> None:
    leaves = MigrationLoader(None).graph.leaf_nodes(label)
    if leaves:
        package = import_module(f"{apps.get_app_config(label).name}.migrations")
        written = Path(str(package.__file__)).with_name("max_migration.txt").read_text().strip()
        assert written == leaves[0][1]
