"""Asserts a refusal by its code."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tournaments.common.refusals import Refusal


@contextmanager
def assert_refused(code: str) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """What stands inside is refused with this code."""
    with pytest.raises(Refusal) as caught:
        yield caught
    assert caught.value.code == code
