"""The settings of the tests: the real ones, with a `VAR_DIR` of their own and a fast password hash."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def _remove(folder: str, made_by: int) -> None:
    """Remove a folder at the end of the process that made it; processes forked from it leave it alone."""
    if os.getpid() == made_by:
        shutil.rmtree(folder, ignore_errors=True)


if "VAR_DIR" not in os.environ:  # workers and servers get that of the process that started them
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="arbitre-tests-")
    atexit.register(_remove, os.environ["VAR_DIR"], os.getpid())

from tournaments.config.settings import *  # noqa: E402, F403
from tournaments.config.settings import DATABASES, VAR_DIR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: races, workers and browsers need real transactions on several connections.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(VAR_DIR) / "test.sqlite3")}
    # Tests need no commit to survive a power failure.
    _options = DATABASES["default"]["OPTIONS"]
    _options["init_command"] = _options["init_command"].replace("synchronous=FULL", "synchronous=NORMAL")
else:
    # No pool: each thread of a race has its own connection. Tests need no commit to survive a power failure.
    DATABASES["default"]["OPTIONS"] = {"options": "-c synchronous_commit=off"}
WHITENOISE_AUTOREFRESH = True  # or every test client reads all static files first
