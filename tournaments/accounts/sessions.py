"""Django's database sessions, read with a prepared query, because every request reads one."""

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournaments.accounts.models import User
from tournaments.common.prepared import Prepared

_SESSION = Prepared(lambda key: Session.objects.filter(session_key=key), str)


class SessionStore(db.SessionStore):
    """A database session. The class must have the same name as Django's, which salts the signature of its data."""

    def _get_session_from_db(self) -> Session | None:
        found = _SESSION.rows(self.session_key) if self.session_key else []
        if not found or found[0].expire_date <= timezone.now():
            self._session_key = None  # as Django does: the session gets a new key when it is saved
            return None
        return found[0]


def signed_in(session_key: str) -> User | None:
    """The account that is signed in to a session; None if there is none, or if its password has changed since.

    This only reads. Django's `get_user` would end the session or give it a new key, which needs a response.
    """
    session = SessionStore(session_key)
    try:
        user = User.objects.get(pk=int(session.get(SESSION_KEY) or 0))
    except User.DoesNotExist:
        return None
    if not user.is_active:
        return None
    told = session.get(HASH_SESSION_KEY, "")
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return user if any(constant_time_compare(told, each) for each in hashes) else None
