"""Signed ledger heads: whoever holds one can show later that the ledger was cut short or rewritten.

The installation signs with an Ed25519 key: `LEDGER_KEY`, or one that it makes itself (see `common.keys`). The public
key is the `key` of a signed head. For the reasons, see docs/decisions/0016-a-signed-head-handed-out.md.
"""

from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from tournaments.common.keys import derived, installation_key
from tournaments.common.models import LedgerEntry, LedgerHead

PREFIX = "arbitre-head-1"
FILE = "ledger_key"


@dataclass(frozen=True)
class SignedHead:
    """The last entry of a chain at some moment, signed. `hash`, `signature` and `key` (public) are hexadecimal."""

    chain: str
    number: int
    hash: str
    signature: str
    key: str

    def as_json(self) -> dict[str, Any]:
        """The head as a JSON object, the form in which it is handed out."""
        return asdict(self)


def head_of(chain: str) -> SignedHead:
    """Sign the current head of a chain. A chain without entries has number 0 and an empty hash."""
    head = LedgerHead.objects.filter(chain=chain).first() or LedgerHead(chain=chain)
    return signed(chain, head.number, head.hash)


def signed(chain: str, number: int, digest: str) -> SignedHead:
    """Sign an entry that is or once was the head, with the current key. The same entry gets the same signature."""
    private = _key()
    signature = private.sign(_message(chain, number, digest)).hex()
    return SignedHead(chain, number, digest, signature, _public(private))


def read_head(data: Any) -> SignedHead | None:
    """Read a head from its JSON object, or from a webhook's payload (`data.head`). None if there is no valid head."""
    for name in ("data", "head"):
        if isinstance(data, dict) and isinstance(data.get(name), dict):
            data = data[name]
    names = [each.name for each in fields(SignedHead)]
    if not isinstance(data, dict) or not all(name in data for name in names):
        return None
    head = SignedHead(**{name: data[name] for name in names})
    texts = (head.chain, head.hash, head.signature, head.key)
    return head if isinstance(head.number, int) and all(isinstance(text, str) for text in texts) else None


def is_signed(head: SignedHead) -> bool:
    """Whether the signature was made with the head's own `key`; whose key that is must be checked separately."""
    with suppress(ValueError, InvalidSignature):
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head.key))
        public.verify(bytes.fromhex(head.signature), _message(head.chain, head.number, head.hash))
        return True
    return False


def public_keys() -> list[str]:
    """The public keys of this installation in hexadecimal: the current one, then earlier ones."""
    secrets = settings.SECRET_KEY_FALLBACKS if settings.PRODUCTION else []
    before = [_public(_private(derived(secret, PREFIX))) for secret in secrets]
    return list(dict.fromkeys([_public(_key()), *settings.LEDGER_OLD_KEYS, *before]))


def contains_head(head: SignedHead) -> bool:
    """Whether the chain still contains the head's entry. It does not check other entries: verify the chain as well."""
    if not head.number:
        return not head.hash  # the head of an empty chain, which every chain has had
    return LedgerEntry.objects.filter(chain=head.chain, number=head.number, hash=head.hash).exists()


def _message(chain: str, number: int, digest: str) -> bytes:
    return f"{PREFIX}\n{chain}\n{number}\n{digest}".encode()


def _key() -> Ed25519PrivateKey:
    return _private(installation_key(settings.LEDGER_KEY, purpose=PREFIX, file=FILE))


@cache
def _private(key: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key))


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()
