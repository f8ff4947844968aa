"""The second run of a browser test that fails: what it forgives, and what it does not."""

import os
from pathlib import Path

import pytest

from tests.contracts.project import ROOT
from tools import flaky

# A test that fails the first time and passes afterwards, and one that always fails.
ONCE = """
from pathlib import Path
def test_once():
    seen = Path({seen!r})
    there = seen.exists()
    seen.touch()
    assert there
"""
ALWAYS = "def test_always(): assert False\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a folder of browser tests and one of other tests; it has one test, which passes."""
    for folder in ("tests/e2e", "tests/other"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests/other/test_fine.py").write_text("def test_fine(): pass\n")
    monkeypatch.setattr(flaky, "BASE", tmp_path)
    return tmp_path


def session(project: Path) -> int:
    """Run the tests of a project, with nothing of this project's own configuration."""
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "PYTHONPATH": ""}
    return flaky.run_session(["-q"], again=["-q"], environment=environment, record=project / "flaky.txt")


def once(project: Path, folder: str = "e2e") -> None:
    seen = project / f"seen-{folder}"
    (project / f"tests/{folder}/test_{folder}.py").write_text(ONCE.format(seen=str(seen)))


def test_a_browser_test_that_passes_by_itself_is_named_as_flaky_and_forgiven(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    once(project)
    assert session(project) == 0
    assert "flaky: tests/e2e/test_e2e.py::test_once" in capfd.readouterr().out
    assert (project / "flaky.txt").read_text() == "tests/e2e/test_e2e.py::test_once\n"


def test_a_browser_test_that_is_flaky_again_fails_the_run(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    once(project)
    assert session(project) == 0
    (project / "seen-e2e").unlink()
    assert session(project) == flaky.TESTS_FAILED
    assert "flaky for the second time: tests/e2e/test_e2e.py::test_once" in capfd.readouterr().out


def test_a_browser_test_that_fails_twice_fails_the_run(project: Path) -> None:
    (project / "tests/e2e/test_broken.py").write_text(ALWAYS)
    assert session(project) == flaky.TESTS_FAILED
    assert not (project / "flaky.txt").exists()


def test_other_tests_are_never_forgiven(project: Path) -> None:
    once(project, "other")
    assert session(project) == flaky.TESTS_FAILED
    once(project)
    (project / "seen-other").unlink()
    assert session(project) == flaky.TESTS_FAILED
    assert not (project / "flaky.txt").exists()


def test_many_browser_tests_that_fail_are_not_run_again(project: Path) -> None:
    seen = [project / f"seen-{n}" for n in range(flaky.FEW + 1)]
    for n, path in enumerate(seen):
        (project / f"tests/e2e/test_{n}.py").write_text(ONCE.format(seen=str(path)))
    assert session(project) == flaky.TESTS_FAILED
    assert not (project / "flaky.txt").exists()


def test_no_browser_test_sets_a_bound_of_its_own() -> None:
    for path in (ROOT / "tests/e2e").glob("*.py"):
        if path.name not in ("patience.py", "conftest.py", "site.py"):
            text = path.read_text()
            assert "mark.timeout" not in text and "timeout=" not in text, path.name
            assert text.count("default_timeout(") == text.count("default_timeout(PATIENCE)"), path.name
