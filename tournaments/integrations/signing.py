"""Signs messages according to Standard Webhooks: HMAC-SHA256 over id, timestamp and body, in base64, for each secret.

Secrets are not stored. The database holds a random seed, and the secret is its HMAC under `SECRET_KEY`, so neither the
database nor a backup is enough to sign.
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
    """A random seed for a new secret: what the database stores."""
    return secrets.token_urlsafe(32)


def secret_of(seed: str, key: str | None = None) -> str:
    """The secret (`whsec_…`) of a seed, derived with `key`, by default `SECRET_KEY`.

    Earlier versions stored the secret itself; such a value is returned as it is.
    """
    if seed.startswith(PREFIX):
        return seed
    digest = salted_hmac(SALT, seed, secret=key or settings.SECRET_KEY, algorithm="sha256").digest()
    return PREFIX + base64.b64encode(digest).decode()


def secrets_of(seed: str) -> list[str]:
    """The secrets to sign with: that of `SECRET_KEY`, then those of `SECRET_KEY_FALLBACKS`."""
    return list(dict.fromkeys(secret_of(seed, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)))


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """One signature: `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`, keyed with the secret's bytes.

    `timestamp` is in seconds since 1970.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def headers(keys: Iterable[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The headers of a message, with one signature for each of `keys` (secrets)."""
    signatures = " ".join(signature(key, message_id, timestamp, body) for key in keys)
    return {"webhook-id": message_id, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}
