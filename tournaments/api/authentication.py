"""Authentication by API token, in the header `Authorization: Bearer arb_…`.

Requests without that header are authenticated by the session of a signed-in browser, which needs its CSRF token.
"""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tournaments.accounts.models import ApiToken, User
from tournaments.accounts.services import token_of
from tournaments.common import clock

LONGEST = 200  # characters; anything longer is no token, and is refused before it is hashed and looked up


class TokenAuthentication(BaseAuthentication):
    """Authenticate an account by API token. `request.auth` is then the token; its scopes limit the request."""

    keyword = "bearer"

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token's account and the token, or None if the header is missing or uses another scheme.

        Raises AuthenticationFailed (401) if the header is malformed or the token is unknown, revoked or expired.
        """
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != self.keyword.encode():
            return None
        now = getattr(request, "now", None) or clock.now()
        token = token_of(secret=_secret(words), now=now)
        if token is None:
            raise AuthenticationFailed(_("This token is unknown, revoked or expired."))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the `WWW-Authenticate` header of a 401."""
        return 'Bearer realm="arbitre"'


def _secret(words: list[bytes]) -> str:
    if len(words) != 2 or len(words[1]) > LONGEST or not words[1].isascii():
        raise AuthenticationFailed(_("Use the header: Authorization: Bearer arb_…"))
    return words[1].decode("ascii")
