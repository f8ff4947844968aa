"""Idempotency keys: a request that an account sends twice with the same key acts once.

Everything the request writes is committed in one transaction with its key and its answer. A process that is killed
leaves all of it or nothing, so the request can be sent again: it acts, or gets the stored answer. If two requests with
the same key arrive at once, one acts; the other waits for it in the database and gets its answer. Answers are kept for
`KEPT`; older ones are deleted by the sweep of the jobs.
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
from tournaments.common.prepared import Prepared
from tournaments.common.refusals import InvalidInput, Refusal

ABANDONED = timedelta(minutes=2)  # a key that has no answer by then never gets one
KEPT = timedelta(hours=24)  # how long an answer is stored
PRUNED_AT_ONCE = 1_000  # old answers deleted by one sweep


_KEY = Prepared(lambda user, key: IdempotencyKey.objects.filter(user=user, key=key), int, str)


@dataclass(frozen=True)
class Answered:
    """The answer to the first request with the key: its HTTP status and its body as JSON."""

    status: int
    body: Any


class AnsweredBefore(Exception):
    """Another request with the same key came first: this one does nothing, and `answered` is the stored answer."""

    def __init__(self, answered: Answered) -> None:
        super().__init__()
        self.answered = answered


@dataclass
class KeyedRequest:
    """A request with an idempotency key, as a context manager.

    Call `begin` before the first write, and at the end either `keep` or `undo`. Leaving the block by an exception rolls
    back everything written. A request that computes for long leaves `begin` to its service, which writes inside
    `writing`. `digest` identifies the request's content, so that a key reused for another request is refused; it can
    stay empty where clients do not choose their keys.

        with KeyedRequest(user, key, now, digest) as keyed:
            keyed.begin()
            body = act()
            keyed.keep(200, body)
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
        """The stored answer for this key, or None if there is none yet.

        Raises InvalidInput `idempotency_key_reused` if the key came with another request before, and Refusal
        `in_progress` while the first request is being answered.
        """
        found = next(iter(_KEY.rows(self.user.pk, self.key)), None)
        if found is None:
            return None
        if found.request_digest != self.digest:
            raise InvalidInput("idempotency_key_reused", _("This key was used for another request."))
        if found.status is None:
            self._give_up(found)
            return None
        return Answered(found.status, found.body)

    def begin(self) -> None:
        """Open the transaction and take the key. Calling it again does nothing.

        Raises AnsweredBefore if another request with the key came first, and what `answered` raises.
        """
        if self._row is not None:
            return
        self._stack.enter_context(transaction.atomic())
        # The insert waits for a concurrent request with the same key to commit or roll back. The savepoint keeps the
        # transaction usable if it did commit.
        try:
            with transaction.atomic():
                row = IdempotencyKey.objects.create(
                    user=self.user, key=self.key, request_digest=self.digest, created_at=self.now
                )
        except IntegrityError:
            before = self.answered()
            if before is None:  # an abandoned key, or one rolled back a moment ago: it is free for the next try
                raise _in_progress()
            raise AnsweredBefore(before)
        self._row = row.pk

    def keep(self, status: int, body: Any) -> None:
        """Store the answer, in the same transaction as everything else written."""
        self.begin()
        IdempotencyKey.objects.filter(user=self.user, key=self.key).update(status=status, body=body)

    def undo(self) -> None:
        """Roll back everything written, including the key, so that the request can be sent again with it."""
        if self._row is not None:
            transaction.set_rollback(True)
            self._stack.close()
            self._row = None

    def _give_up(self, found: IdempotencyKey) -> None:
        """Delete a key without an answer, as an earlier version of this module left it when its process was killed.

        Raises Refusal `in_progress` if the key is not that old.
        """
        old = IdempotencyKey.objects.filter(pk=found.pk, status=None, created_at__lt=self.now - ABANDONED)
        if not old.delete()[0]:
            raise _in_progress()


_current: ContextVar[KeyedRequest | None] = ContextVar("keyed_request", default=None)


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction; in a request with a key, one that commits together with the request's answer.

    For services that compute before they write: on SQLite, nobody else can write while a transaction is open.
    """
    request = _current.get()
    if request is not None:
        request.begin()
    with transaction.atomic():
        yield


def _in_progress() -> Refusal:
    return Refusal("in_progress", _("This was sent a moment ago and is still being processed."))


def prune(now: datetime) -> None:
    """Delete the oldest answers stored for longer than `KEPT`, at most `PRUNED_AT_ONCE` of them."""
    # Only the oldest rows are examined, by primary key, so a sweep costs the same however many keys are stored.
    oldest = IdempotencyKey.objects.order_by("pk").values_list("pk", "created_at")[:PRUNED_AT_ONCE]
    old = [pk for pk, created_at in oldest if created_at < now - KEPT]
    if old:
        IdempotencyKey.objects.filter(pk__in=old).delete()
