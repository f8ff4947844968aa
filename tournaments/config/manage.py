"""The command line: `arbitre COMMAND` where it is installed, `python manage.py COMMAND` in a checkout."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError, Error, connection
from django.db.migrations.executor import MigrationExecutor

from engine.version import VERSION
from tournaments.config import launcher

NOT_DONE, INTERRUPTED = 2, 130  # exit codes


def main() -> None:
    """Run a command: `run` starts everything until Ctrl-C; the others are Django's and those of the apps."""
    if sys.argv[1:] == ["run"]:
        sys.exit(launcher.main())
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"arbitre {VERSION}\n")
        sys.exit()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(INTERRUPTED)
    except (ImproperlyConfigured, Error) as error:
        if "--traceback" in sys.argv:
            raise
        said = str(error) if isinstance(error, ImproperlyConfigured) else _said(error)
        sys.stderr.write(f"{said}\n")
        sys.exit(NOT_DONE)


def _said(error: Error) -> str:
    """What is wrong with the database, and what to do."""
    place = connection.settings_dict
    name = f"{place['NAME']} on {place['HOST']}" if place["HOST"] else place["NAME"]
    said = " ".join(str(error).split()) or type(error).__name__
    try:
        connection.close()  # it may be in a transaction that failed
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return f"the database {name} is not migrated: run manage.py migrate, or set DATABASE_URL to the right one"
        return f"the database {name} reports an error: {said} (--traceback shows where)"
    except DatabaseError as unreachable:
        return f"the database {name} cannot be used: {' '.join(str(unreachable).split())}"
