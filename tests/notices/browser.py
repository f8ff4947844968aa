"""A browser that subscribed to push notifications: it has keys, and reads what a push service was given for it."""

import base64
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


@dataclass
class Browser:
    """A browser with its own key pair; `endpoint` is its address at a push service."""

    endpoint: str = "https://push.example.com/send/1"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    def subscription(self) -> dict[str, str]:
        """What the browser gives to a site."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": _text(point), "auth": _text(self.secret)}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt what a push service was given (RFC 8291)."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))
