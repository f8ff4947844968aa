"""The command line: `arbitre COMMAND` where it is installed, `python manage.py COMMAND` in a checkout."""

import os
import sys

from django.core.management import execute_from_command_line

from tournaments.config import launcher


def main() -> None:
    """Run a command: `run` starts everything until Ctrl-C; the others are Django's and those of the apps."""
    if sys.argv[1:] == ["run"]:
        sys.exit(launcher.main())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
    execute_from_command_line(sys.argv)
