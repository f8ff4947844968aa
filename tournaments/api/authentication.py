"""Who is asking: `Authorization: Bearer arb_…`, else the session of a signed-in browser (with its CSRF token)."""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tournaments.accounts.models import ApiToken, User
from tournaments.accounts.services import token_of
from tournaments.common import clock

LONGEST = 200  # characters of a header worth hashing


class TokenAuthentication(BaseAuthentication):
    """An API token of an account. `request.auth` is the token, whose scopes bound what it may do."""

    keyword = "bearer"

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's account, or None when another scheme is used; a header that names no living token is a 401."""
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != self.keyword.encode():
            return None
        now = getattr(request, "now", None) or clock.now()
        token = token_of(secret=_secret(words), now=now)
        if token is None:
            raise AuthenticationFailed(_("This token is unknown, revoked or too old."))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="arbitre"'


def _secret(words: list[bytes]) -> str:
    if len(words) != 2 or len(words[1]) > LONGEST or not words[1].isascii():
        raise AuthenticationFailed(_("The header is: Authorization: Bearer arb_…"))
    return words[1].decode("ascii")
