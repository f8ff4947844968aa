"""A key that an account sends with a request, so that sending the request twice acts once.

What the request writes, its key and its answer are committed in one transaction: whoever is killed leaves all of it or
nothing, and the request sent again acts, or is given the answer. Of two that come together with the same key, one acts;
the other waits for it in the database, and is given its answer. Answers are kept for `KEPT`, and then forgotten by the
next request with a key, or by the sweep of the jobs.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.common.models import IdempotencyKey
from tournaments.common.refusals import InvalidInput, Refusal

ABANDONED = timedelta(minutes=2)
KEPT = timedelta(hours=24)
PRUNED_AT_ONCE = 100


@dataclass(frozen=True)
class Answered:
    """What the first request with the key led to."""

    status: int
    body: Any


class AnsweredBefore(Exception):
    """Another request with the key came first: nothing is done here, and `answered` is what it led to."""

    def __init__(self, answered: Answered) -> None:
        super().__init__()
        self.answered = answered


@dataclass
class KeyedRequest:
    """A request with a key, as a context manager. `digest` is that of the request, where keys are made up by clients.

    Call `begin` before anything is written, and at the end either `keep` or `undo`; leaving it by an exception undoes
    all that was written. A request that computes for long does not call `begin`: its service writes inside `writing`.
    """

    user: Any
    key: str
    now: datetime
    digest: str = ""
    _stack: ExitStack = field(default_factory=ExitStack, repr=False)
    _row: int | None = None

    def __enter__(self) -> Self:
        self._token = _current.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _current.reset(self._token)
        self._stack.__exit__(kind, error, trace)

    def answered(self) -> Answered | None:
        """What was answered to the key before.

        Raises InvalidInput `idempotency_key_reused` when it came with another request, Refusal `in_progress` while
        the first is being answered.
        """
        found = IdempotencyKey.objects.filter(user=self.user, key=self.key).first()
        if found is None:
            return None
        if found.request_digest != self.digest:
            raise InvalidInput("idempotency_key_reused", _("This key was used for another request."))
        if found.status is None:
            self._give_up(found)
            return None
        return Answered(found.status, found.body)

    def begin(self) -> None:
        """Open the transaction and take the key; once is enough. Raises AnsweredBefore."""
        if self._row is not None:
            return
        self._stack.enter_context(transaction.atomic())
        try:
            with transaction.atomic():
                row = IdempotencyKey.objects.create(
                    user=self.user, key=self.key, request_digest=self.digest, created_at=self.now
                )
        except IntegrityError:
            before = self.answered()
            if before is None:  # given up, or undone, an instant ago
                raise _in_progress()
            raise AnsweredBefore(before)
        self._row = row.pk

    def keep(self, status: int, body: Any) -> None:
        """Keep the answer, in the transaction of what was written."""
        self.begin()
        IdempotencyKey.objects.filter(user=self.user, key=self.key).update(status=status, body=body)

    def undo(self) -> None:
        """Take back all that was written, the key too: the request may be sent again with it."""
        if self._row is not None:
            transaction.set_rollback(True)
            self._stack.close()
            self._row = None

    def _give_up(self, found: IdempotencyKey) -> None:
        """Forget a key without an answer, as an earlier version left it when it was killed."""
        old = IdempotencyKey.objects.filter(pk=found.pk, status=None, created_at__lt=self.now - ABANDONED)
        if not old.delete()[0]:
            raise _in_progress()


_current: ContextVar[KeyedRequest | None] = ContextVar("keyed_request", default=None)


@contextmanager
def writing() -> Iterator[None]:
    """A transaction; of a request with a key, one that commits with the request's answer.

    For services that compute before they write: on SQLite nobody else writes while a transaction is open.
    """
    request = _current.get()
    if request is not None:
        request.begin()
    with transaction.atomic():
        yield


def _in_progress() -> Refusal:
    return Refusal("in_progress", _("This was sent a moment ago and is still being worked on."))


def prune(now: datetime) -> None:
    """Forget the oldest answers that were kept long enough."""
    # Only the oldest are looked at, by primary key, so a claim costs the same however many keys are kept.
    oldest = IdempotencyKey.objects.order_by("pk").values_list("pk", "created_at")[:PRUNED_AT_ONCE]
    old = [pk for pk, created_at in oldest if created_at < now - KEPT]
    if old:
        IdempotencyKey.objects.filter(pk__in=old).delete()
