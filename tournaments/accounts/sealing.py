"""Encrypt the secrets of second factors before they are stored, with keys derived from `SECRET_KEY`.

Unlike a password, the secret of an authenticator app has to be readable, because codes are computed from it. Sealed, a
copy of the database alone does not give it away.
"""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal


def seal(text: str) -> str:
    """Encrypt a secret under the current key."""
    return _keys().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """Decrypt a secret that was sealed under the current key or one of `SECRET_KEY_FALLBACKS`.

    Raises Refusal `second_factor_unreadable` if it was sealed under another key.
    """
    try:
        return _keys().decrypt(sealed.encode()).decode()
    except InvalidToken:
        sentence = _("The key of this site has changed, so your second factor cannot be checked. Ask the operator.")
        raise Refusal("second_factor_unreadable", sentence)


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(_key(secret)) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str) -> bytes:
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"arbitre.second-factor")
    return urlsafe_b64encode(derive.derive(secret.encode()))
