"""The examples in the docstrings of the code are correct."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.contracts.project import ROOT, python_files


def with_examples() -> list[str]:
    """List the modules that have an example in a docstring, by their names."""
    files = [path for path in python_files("engine", "tournaments") if ">>> " in path.read_text(encoding="utf-8")]
    return [".".join(_parts(path.relative_to(ROOT))) for path in files]


def _parts(path: Path) -> tuple[str, ...]:
    return path.parts[:-1] if path.stem == "__init__" else path.with_suffix("").parts


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_in_the_docstrings_are_correct(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted and not found.failed
