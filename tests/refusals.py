"""Assert a refusal by its code."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tournaments.common.refusals import Refusal


@contextmanager
def assert_refused(code: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Assert that the block raises a Refusal with this code. Yields pytest's exception info."""
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.code == code
