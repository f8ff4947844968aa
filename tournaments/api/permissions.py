"""Scopes: what a token may do at all, before the permissions at the event are checked.

Reading needs the scope `read`; each view names the scopes for writing. A session has all scopes. Visitors can read what
is public, and write nothing. Roles are checked afterwards, by the access functions.
"""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from tournaments.accounts import guardianship
from tournaments.common.refusals import NotAllowed


def has_scope(request: Request, *scopes: str) -> bool:
    """Return whether the request has one of these scopes. A session has all of them."""
    token: Any = request.auth
    return token is None or bool(set(scopes) & set(token.scopes))


def require_scope(request: Request, *scopes: str) -> None:
    """Raise NotAllowed `scope_missing` (403) if the request has none of these scopes."""
    if not has_scope(request, *scopes):
        raise NotAllowed("scope_missing", _("This token does not have the scope for this."), details=sorted(scopes))


class ScopedPermission(BasePermission):
    """Requires the scope of a view: `read` for safe methods, otherwise one of `view.scopes`."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return False (401) for a visitor where an account is needed.

        Raises NotAllowed `session_only` for a token where only a session is accepted, `scope_missing`, and
        `guardian_needed` for a child's account (all 403).
        """
        safe = request.method in SAFE_METHODS
        if not request.user.is_authenticated:
            return safe and not getattr(view, "account_needed", False)
        if getattr(view, "session_only", False) and request.auth is not None:
            raise NotAllowed("session_only", _("Tokens are managed by a person who is signed in, not by a token."))
        if hasattr(view, str(request.method).lower()):  # otherwise a 405 follows
            require_scope(request, *(("read",) if safe else getattr(view, "scopes", ())))
            if not safe:
                guardianship.allow(request.user)
        return True
