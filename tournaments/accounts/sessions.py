"""Django's database sessions, read with a prepared query, because every request reads one."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

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
