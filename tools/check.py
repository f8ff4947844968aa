"""Run every check in turn and list the failed ones at the end: `make check`."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BASE = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
AT_ONCE = 2  # checks that run at a time
# Checks must not depend on the environment or data of whoever runs them.
NEUTRAL = {"SECRET_KEY": "only-for-the-checks-" * 3, "POSTGRES_PASSWORD": "only-for-the-checks"}
STATEFUL = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "PRODUCTION", "DEBUG")


def steps() -> dict[str, list[str]]:
    """The name and command of each check."""
    python = sys.executable
    templates = sorted(str(path.relative_to(BASE)) for path in (BASE / "templates").rglob("*.html"))
    return {
        "ruff check": [tool("ruff"), "check", "."],
        "ruff format": [tool("ruff"), "format", "--check", "."],
        "mypy": [tool("mypy")],
        "import-linter": [tool("lint-imports"), "--no-logo"],
        "django": [python, "manage.py", "check", "--fail-level", "WARNING"],
        "migrations": [python, "manage.py", "makemigrations", "--check", "--dry-run"],
        "messages": [python, "-m", "tournaments.locale.messages", "check"],
        "glossary": [python, "-m", "tools.glossary"],
        "djade": [tool("djade"), "--target-version", "5.2", "--check", *templates],
        "deptry": [tool("deptry"), "."],
        "docs": [python, "-m", "pytest", "-q", "tests/contracts/test_docs.py", "-p", "no:randomly"],
        "compose": [*compose_client(), "config", "--quiet"],
    }


def tool(name: str) -> str:
    """The path of a program installed in the same environment as Python."""
    return str(BIN / name)


def compose_client() -> list[str]:
    """`docker compose`, or the older `docker-compose` if that is what is installed."""
    if shutil.which("docker") and not subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        return ["docker", "compose"]
    return ["docker-compose"]


def main() -> int:
    """Run all checks even if some fail, two at a time. The exit code is 1 if any did."""
    failed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="arbitre-check-") as var, ThreadPoolExecutor(AT_ONCE) as pool:
        kept = {name: value for name, value in os.environ.items() if name not in STATEFUL}
        environment = kept | NEUTRAL | {"VAR_DIR": var}
        running = {name: pool.submit(outcome, command, environment) for name, command in steps().items()}
        for name, step in running.items():
            code, said = step.result()
            print(f"\n== {name}\n{said}", flush=True)
            if code:
                failed.append(name)
    print(f"\n{'failed: ' + ', '.join(failed) if failed else 'all checks passed'}")
    return 1 if failed else 0


def outcome(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run a check; return its exit code, and what it printed with a line on how it ended."""
    if not shutil.which(command[0]):
        return 0, f"skipped: {command[0]} is not installed"
    started = time.monotonic()
    done = subprocess.run(
        command, cwd=BASE, env=environment, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    ended = "FAILED" if done.returncode else "ok"
    return done.returncode, f"{done.stdout}{ended} ({time.monotonic() - started:.1f} s)"


if __name__ == "__main__":
    sys.exit(main())
