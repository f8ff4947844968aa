"""The settings of the tests: the real ones, with state of their own and a fast hash for passwords."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="arbitre-tests-"))

from tournaments.config.settings import *  # noqa: F403
from tournaments.config.settings import DATABASES, VAR_DIR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: races, workers and browsers need real transactions on several connections.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(VAR_DIR) / "test.sqlite3")}
else:
    # Each thread of a race has a connection of its own; nobody needs what is committed after a loss of power.
    DATABASES["default"]["OPTIONS"] = {"options": "-c synchronous_commit=off"}
WHITENOISE_AUTOREFRESH = True  # else every client of a test reads all static files first
