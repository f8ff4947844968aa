"""House rules: what no file of the project may contain, and that all requirements are pinned."""

import re
from pathlib import Path

import pytest

from tests.contracts.project import ROOT, project_files, python_files, text_of
from tools import browser_rules

# The patterns are written so that they do not match this file itself.
HOMES = re.compile(r"(?<![\w.\]}-])/(?:home|Users|root|work)/(?=\w)")
INDEXES = re.compile("|".join((r"py[p]i\.org", r"python[h]osted", r"registry\.n[p]mjs", r"--(extra-)?index[-]url")))
PIN = re.compile(r"[a-z0-9][a-z0-9._-]*(\[[a-z0-9,-]+\])?==[A-Za-z0-9.!+-]+( ; .+?)?( +--hash=sha256:[0-9a-f]{64})+")


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


@pytest.mark.parametrize("name", ["base.txt", "dev.txt", "tables.txt", "mutation.txt", "sbom.txt"])
def test_every_requirement_is_pinned_to_files_with_these_hashes(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text().replace("\\\n", "")
    pins = [line.rstrip() for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert pins and not [pin for pin in pins if not PIN.fullmatch(pin)]


def test_the_development_requirements_include_the_base_requirements() -> None:
    base, dev = (
        set(re.findall(r"^[^\s#]+==\S+", (ROOT / "requirements" / name).read_text(), re.MULTILINE))
        for name in ("base.txt", "dev.txt")
    )
    assert base <= dev


def test_the_rules_for_browsers_are_made_from_the_pinned_package_alone(tmp_path: Path) -> None:
    package = tmp_path / "pyodide.tgz"
    package.write_bytes(b"another package")
    with pytest.raises(SystemExit, match=r"pyodide\.tgz is not the package of Pyodide"):
        browser_rules.unpack(package, tmp_path)
