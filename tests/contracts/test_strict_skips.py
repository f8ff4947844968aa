"""The pytest plugin that turns skips into failures where all services are available."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.project import ROOT

TEST = "import pytest\n\ndef test_it(): pytest.skip({reason!r})\ndef test_other(): pass\n"


def run(folder: Path, reason: str, *arguments: str, strict: str = "1") -> subprocess.CompletedProcess[str]:
    """Run a session with the plugin, one skipped and one passing test."""
    (folder / "test_one.py").write_text(TEST.format(reason=reason))
    plugins = ("-p", "tests.strict_skips", *(("-p", "xdist.plugin") if arguments else ()))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, *arguments, str(folder)],
        cwd=folder,
        env=os.environ | {"REQUIRE_SERVICES": strict, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("arguments", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)])
def test_a_skip_fails_the_session(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    answer = run(tmp_path, "no Redis", *arguments)
    assert answer.returncode == 1 and "a skip is a failure here" in answer.stdout and "no Redis" in answer.stdout


def test_a_skip_for_absent_data_does_not_fail_the_session(tmp_path: Path) -> None:
    assert run(tmp_path, "../shared/data is absent").returncode == 0


def test_skips_do_not_fail_the_session_unless_services_are_required(tmp_path: Path) -> None:
    assert run(tmp_path, "no Redis", strict="0").returncode == 0
