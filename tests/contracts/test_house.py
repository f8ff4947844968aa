"""House rules: what no file of the project may contain, and that all requirements are pinned."""

import re

import pytest

from tests.contracts.project import ROOT, project_files, python_files, text_of

# The patterns are written so that they do not match this file itself.
HOMES = re.compile(r"(?<![\w.\]}-])/(?:home|Users|root|work)/(?=\w)")
INDEXES = re.compile("|".join((r"py[p]i\.org", r"python[h]osted", r"registry\.n[p]mjs", r"--(extra-)?index[-]url")))
PIN = re.compile(r"[a-z0-9][a-z0-9._-]*(\[[a-z0-9,-]+\])?==[A-Za-z0-9.!+-]+( ; .+)?")


def test_no_file_contains_a_path_from_somebodys_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {hit.group()}" for path in project_files() for hit in HOMES.finditer(text_of(path))
    ]
    assert not found


def test_no_file_contains_the_address_of_a_package_index() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {hit.group()}"
        for path in project_files()
        for hit in INDEXES.finditer(text_of(path))
    ]
    assert not found


def test_no_module_has_a_catch_all_name() -> None:
    drawers = {"utils", "util", "helpers", "helper", "misc"}
    found = [path for path in python_files("engine", "tournaments", "tests", "bench", "tools") if path.stem in drawers]
    assert not found


@pytest.mark.parametrize("name", ["base.txt", "dev.txt"])
def test_every_requirement_is_pinned(name: str) -> None:
    lines = [line.rstrip() for line in (ROOT / "requirements" / name).read_text().splitlines()]
    pins = [line for line in lines if line and not line.lstrip().startswith("#")]
    assert pins and not [line for line in pins if not PIN.fullmatch(line)]


def test_the_development_requirements_include_the_base_requirements() -> None:
    base, dev = (
        set(re.findall(r"^[^\s#]+==\S+", (ROOT / "requirements" / name).read_text(), re.MULTILINE))
        for name in ("base.txt", "dev.txt")
    )
    assert base <= dev
