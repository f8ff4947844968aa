"""Prepare an installation for `launcher.py`: static files, database, demonstration; then print its sign-in links.

One process does all of it, because each command would need two seconds to start. `VAR_DIR` says where the installation
is, and the only argument at which address it will be served.
"""

import os
import sys

import django
from django.core.management import call_command


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.config.settings")
    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", interactive=False, verbosity=0)
    call_command("seed_demo", skip_checks=False)  # all of Django's checks, once
    call_command("demo_links", base_url=sys.argv[1])


if __name__ == "__main__":
    main()
