"""The secret part of links: signatures made with the installation's key, and stored nowhere."""

from django.core.signing import BadSignature, Signer


def signature_of(value: str, *, salt: str) -> str:
    """Sign a value with the current key. `salt` names the purpose: a signature holds for one purpose only."""
    return Signer(salt=salt).signature(value)


def is_signature(signature: str, value: str, *, salt: str) -> bool:
    """Whether a signature is valid for a value, under the current key or one of `SECRET_KEY_FALLBACKS`."""
    try:
        # Compared, because what is before the last colon counts as the value, and `signature` may contain a colon.
        return Signer(salt=salt).unsign(f"{value}:{signature}") == value
    except BadSignature:
        return False
