"""Signatures as Standard Webhooks has them: HMAC-SHA256 over id, time and body, in base64, one for each secret.

A secret is nowhere at rest. The database keeps a random seed, and the secret is its HMAC under `SECRET_KEY`: who reads
the database, or a backup, signs nothing.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

from django.conf import settings
from django.utils.crypto import salted_hmac

PREFIX = "whsec_"
SALT = "integrations.webhook"


def new_seed() -> str:
    """What is kept of a fresh secret."""
    return secrets.token_urlsafe(32)


def secret_of(seed: str, key: str | None = None) -> str:
    """The secret of a seed under a key, else under `SECRET_KEY`; one kept by an earlier version is its own."""
    if seed.startswith(PREFIX):
        return seed
    digest = salted_hmac(SALT, seed, secret=key or settings.SECRET_KEY, algorithm="sha256").digest()
    return PREFIX + base64.b64encode(digest).decode()


def secrets_of(seed: str) -> list[str]:
    """The secrets that sign: that of now, and those of the keys that still hold."""
    return list(dict.fromkeys(secret_of(seed, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)))


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` under the bytes of the secret."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def headers(keys: Iterable[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of a message, signed with each of the secrets."""
    signatures = " ".join(signature(key, message_id, timestamp, body) for key in keys)
    return {"webhook-id": message_id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}
