"""Run every check in turn and list the failed ones at the end: `make check`."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
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
    """Run all checks even if some fail. The exit code is 1 if any did."""
    failed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="arbitre-check-") as var:
        kept = {name: value for name, value in os.environ.items() if name not in STATEFUL}
        environment = kept | NEUTRAL | {"VAR_DIR": var}
        for name, command in steps().items():
            print(f"\n== {name}", flush=True)
            if not shutil.which(command[0]):
                print(f"skipped: {command[0]} is not installed")
                continue
            started = time.monotonic()
            code = subprocess.run(command, cwd=BASE, env=environment, check=False).returncode
            print(f"{'FAILED' if code else 'ok'} ({time.monotonic() - started:.1f} s)", flush=True)
            if code:
                failed.append(name)
    print(f"\n{'failed: ' + ', '.join(failed) if failed else 'all checks passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
