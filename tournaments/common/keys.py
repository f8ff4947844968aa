"""The keys that an installation signs with, each of 32 bytes: a setting if it is set; otherwise, in production, a key
derived from `SECRET_KEY`, since containers write no files there; otherwise a file in `VAR_DIR`, generated when first
needed.
"""

import hmac
import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from django.conf import settings


def installation_key(given: str, *, purpose: str, file: str) -> str:
    """The current key for a purpose, as 64 hexadecimal digits. `given` is its setting, `file` its name in `VAR_DIR`."""
    if given:
        return given
    return derived(settings.SECRET_KEY, purpose) if settings.PRODUCTION else _kept(settings.VAR_DIR / file)


def derived(secret: str, purpose: str) -> str:
    """The key that a `SECRET_KEY` gives for a purpose, as 64 hexadecimal digits."""
    return hmac.digest(secret.encode(), purpose.encode(), "sha256").hex()


@cache
def _kept(path: Path) -> str:
    """Read the key in a file, generating one if needed. Processes that generate one at once all get the same."""
    if not path.exists():
        # Written under a temporary name and linked: web and worker start together, and neither may read half a key.
        # Unlike a rename, a link fails if the other process was first.
        aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        with suppress(FileExistsError):
            path.hardlink_to(aside)
        aside.unlink()
    return path.read_text().strip()
