"""What a token may do at all, before anybody asks whose event it is.

Reading needs the scope `read`; every view names the scope of its writing. A session has all scopes. Visitors read
what is public and write nothing. Roles are the business of the access functions, which come after.
"""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from tournaments.common.refusals import NotAllowed


def has_scope(request: Request, *scopes: str) -> bool:
    """Whether the request carries one of these scopes; a session carries them all."""
    return request.auth is None or bool(set(scopes) & set(request.auth.scopes))


def require_scope(request: Request, *scopes: str) -> None:
    """Refuse a token that carries none of these scopes."""
    if not has_scope(request, *scopes):
        raise NotAllowed("scope_missing", _("This token does not have the scope for this."), details=sorted(scopes))


class ScopedPermission(BasePermission):
    """The scope of a view: `read` for safe methods, else one of `view.scopes`."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """False (401) for a visitor where an account is needed; `scope_missing` for a token without the scope."""
        safe = request.method in SAFE_METHODS
        if not request.user.is_authenticated:
            return safe and not getattr(view, "account_needed", False)
        if getattr(view, "session_only", False) and request.auth is not None:
            raise NotAllowed("session_only", _("Tokens are managed by a signed-in person, not by a token."))
        if hasattr(view, request.method.lower()):  # else a 405 follows
            require_scope(request, *(("read",) if safe else getattr(view, "scopes", ())))
        return True
