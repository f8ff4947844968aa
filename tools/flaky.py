"""Run a test session; a browser test that fails is run once more, by itself.

A browser test can fail because the machine was busy. If it passes by itself, the session passes, and the test is named
as flaky: it is the next thing to fix. The names are kept in `var/ci/flaky.txt`, and a test that is flaky a second time
fails the session. Delete its line there once it is fixed.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

BASE = Path(__file__).resolve().parents[1]
RECORD = BASE / "var" / "ci" / "flaky.txt"
BROWSER_TESTS = "tests/e2e/"
FEW = 6
"""If more browser tests fail than this, something is broken, and none is run again."""
TESTS_FAILED = 1  # pytest's exit code


def run_session(
    arguments: Sequence[str], *, again: Sequence[str] = (), environment: Mapping[str, str], record: Path = RECORD
) -> int:
    """Run pytest with `arguments` in the folder of the project; returns 0 if all tests passed, flaky ones included.

    A browser test that failed is run with the arguments `again` and its own name.
    """
    with tempfile.TemporaryDirectory(prefix="arbitre-session-") as cache:
        code = _pytest([*arguments, "-o", f"cache_dir={cache}"], environment)
        failed = _failed(Path(cache))
    if code != TESTS_FAILED or not 0 < len(failed) <= FEW or not all(map(_browses, failed)):
        return code
    flaky = []
    for name in failed:
        print(f"\n== once more, by itself: {name}", flush=True)
        if _pytest([*again, name], environment):
            return TESTS_FAILED
        flaky.append(name)
    return TESTS_FAILED if _recorded(flaky, record) else 0


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=BASE, env=dict(environment), check=False).returncode


def _failed(cache: Path) -> list[str]:
    """The names of the tests that failed or could not start, as pytest's cache has them."""
    try:
        return list(json.loads((cache / "v" / "cache" / "lastfailed").read_bytes()))
    except FileNotFoundError:
        return []


def _browses(name: str) -> bool:
    return name.startswith(BROWSER_TESTS) and "::" in name


def _recorded(flaky: Sequence[str], record: Path) -> list[str]:
    """Add the names of flaky tests to the record, and print them; returns those that were there already."""
    known = record.read_text().splitlines() if record.exists() else []
    record.parent.mkdir(parents=True, exist_ok=True)
    with record.open("a") as file:
        file.writelines(f"{name}\n" for name in flaky)
    twice = [name for name in flaky if name in known]
    for name in flaky:
        print(f"flaky{' for the second time' if name in twice else ''}: {name}", flush=True)
    return twice
