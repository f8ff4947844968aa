"""The secret halves of links: signatures under the installation's key, which are kept nowhere."""

from django.core.signing import BadSignature, Signer


def signature_of(value: str, *, salt: str) -> str:
    """The signature of a value under the key of now."""
    return Signer(salt=salt).signature(value)


def is_signature(signature: str, value: str, *, salt: str) -> bool:
    """Whether it is that of a value, under the key of now or one of `SECRET_KEY_FALLBACKS`."""
    try:
        return Signer(salt=salt).unsign(f"{value}:{signature}") == value
    except BadSignature:
        return False
