"""The documentation is complete: every setting, command, target and job has its place, every local link leads."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.project import ROOT, headings, project_files, python_files

OPERATIONS = ROOT / "docs" / "operations.md"
JOBS = ROOT / "docs" / "jobs.md"
PAGES = [path for path in project_files() if path.suffix == ".md"]


def _calls(path: Path) -> Iterator[tuple[str, str]]:
    """Each call's name and first argument, where that is a string."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function, first = node.func, node.args[0].value
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if isinstance(first, str):
                yield name, first


def settings_read() -> list[str]:
    """Every variable of the environment that the settings read."""
    calls = _calls(ROOT / "tournaments" / "config" / "settings.py")
    return sorted({first for _name, first in calls if re.fullmatch(r"[A-Z][A-Z_]+", first)})


def commands() -> list[str]:
    """Every management command of ours."""
    found = (path for path in python_files("tournaments") if path.parent.name == "commands")
    return sorted(path.stem for path in found if path.stem != "__init__")


def targets() -> list[str]:
    """Every target of the Makefile that a person calls."""
    return sorted(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))


def kinds(function: str) -> set[str]:
    """The kinds of job that our code hands to `function`: `enqueue` or `handler`."""
    naming = (path for path in python_files("tournaments") if f"{function}(" in path.read_text(encoding="utf-8"))
    calls = (call for path in naming for call in _calls(path))
    return {first for name, first in calls if name == function}


def local_links(page: Path) -> list[str]:
    """Where a page's links and images lead, those to the web left out."""
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.findall(r"\]\(([^)\s]+)\)", prose)
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings make."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(page)}


@pytest.mark.parametrize("name", settings_read())
def test_every_setting_has_its_heading(name: str) -> None:
    assert name in headings(OPERATIONS)


def test_no_heading_describes_a_setting_that_is_gone() -> None:
    described = {heading for heading in headings(OPERATIONS) if re.fullmatch(r"[A-Z][A-Z_]+", heading)}
    assert described <= {*settings_read(), "PORT"}


@pytest.mark.parametrize("name", commands())
def test_every_management_command_has_its_heading(name: str) -> None:
    assert f"manage.py {name}" in headings(OPERATIONS)


@pytest.mark.parametrize("name", targets())
def test_every_target_of_make_is_described(name: str) -> None:
    assert any(f"`make {name}`" in (ROOT / page).read_text() for page in ("README.md", "CONTRIBUTING.md"))


def test_every_job_that_is_asked_for_has_a_handler() -> None:
    assert kinds("enqueue") and kinds("enqueue") <= kinds("handler")


@pytest.mark.parametrize("kind", sorted(kinds("handler")))
def test_every_job_has_its_heading(kind: str) -> None:
    assert any(kind in heading for heading in headings(JOBS))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_local_link_leads_somewhere(page: Path) -> None:
    broken = []
    for link in local_links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


def test_every_decision_is_in_the_list() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    for page in (ROOT / "docs" / "decisions").glob("*.md"):
        assert f"decisions/{page.name}" in index
