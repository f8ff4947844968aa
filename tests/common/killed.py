"""Simulate, without a process, a process that is killed at one of its commits: whatever is not committed is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper


class Killed(BaseException):
    """A BaseException, so that nothing catches it, just as nothing catches SIGKILL."""


@contextmanager
def killed_at(commit: int, *, done: bool, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Kill what runs in the block at its `commit`-th commit (from 1): just before it, or right after it if `done`.

    Yields a list with the number of the commit at which it was killed; it stays empty if there were fewer commits.
    """
    killed: list[int] = []
    count = 0

    def die() -> None:
        killed.append(count)
        assert connection.connection is not None
        connection.connection.close()  # rolls back what is open, as when the process is gone
        connection.closed_in_transaction = True
        raise Killed

    def dying(commit_for_good: Callable[[BaseDatabaseWrapper], None]) -> Callable[[BaseDatabaseWrapper], None]:
        def commit_or_die(wrapper: BaseDatabaseWrapper) -> None:
            nonlocal count
            count += 1
            if count == commit and not done:
                die()
            commit_for_good(wrapper)
            if count == commit:
                die()

        return commit_or_die

    with monkeypatch.context() as patched:
        patched.setattr(BaseDatabaseWrapper, "_commit", dying(BaseDatabaseWrapper._commit))
        try:
            yield killed
        except Killed:
            pass
        finally:
            connection.close()
            connection.savepoint_ids.clear()
            connection.run_on_commit.clear()
            connection.needs_rollback = False
