"""What a push service and a browser expect of a push: encrypted for the browser (RFC 8291), and signed for the service
by this installation (VAPID, RFC 8292).

The installation signs with a P-256 key: `PUSH_KEY`, or one that it makes itself (see `common.keys`). A browser ties its
subscription to the public key, so with another key it has to subscribe again.
"""

import base64
import binascii
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import cache
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from tournaments.common.keys import installation_key

PURPOSE = "arbitre-push-1"
FILE = "push_key"
VALID = timedelta(hours=12)  # of a signature; push services accept a day at most
LONGEST_KEY = 100  # characters
# The order of the group of P-256: private keys are the numbers from 1 to one less.
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_CURVE = ec.SECP256R1()


def public_key() -> str:
    """The public key of this installation in base64url, as browsers take it: 65 bytes."""
    point = _key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def are_keys(p256dh: str, auth: str) -> bool:
    """Whether these are the keys of a browser: a point of P-256, and 16 bytes, both in base64url."""
    if len(p256dh) > LONGEST_KEY or len(auth) > LONGEST_KEY:
        return False
    try:
        point, secret = _decoded(p256dh), _decoded(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)
        return len(point) == 65 and len(secret) == 16
    except (ValueError, binascii.Error):
        return False


def sealed(payload: bytes, *, p256dh: str, auth: str) -> bytes:
    """Encrypt a payload so that only the browser with these keys can read it. Services accept up to 4096 bytes."""
    once = ec.generate_private_key(_CURVE)
    return bytes(
        http_ece.encrypt(
            payload, private_key=once, dh=_decoded(p256dh), auth_secret=_decoded(auth), version="aes128gcm"
        )
    )


def signature(endpoint: str, now: datetime) -> dict[str, str]:
    """The header that tells the push service of an endpoint who is sending."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + VALID).timestamp()), "sub": _contact()}
    signed: dict[str, str] = Vapid02(private_key=_key()).sign(claims)
    return {"authorization": signed["Authorization"]}


def _contact() -> str:
    """Where a push service can reach the operator: an e-mail address, or the site."""
    if not settings.CONTACT and settings.SITE_URL.startswith("https:"):
        return settings.SITE_URL
    return "mailto:" + parseaddr(settings.CONTACT or settings.DEFAULT_FROM_EMAIL)[1]


def _key() -> ec.EllipticCurvePrivateKey:
    return _private(installation_key(settings.PUSH_KEY, purpose=PURPOSE, file=FILE))


@cache
def _private(key: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int(key, 16) % (_ORDER - 1) + 1, _CURVE)


def _decoded(text: str) -> bytes:
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
