"""A wrong setting stops the start with its name and what is accepted, instead of failing on some later page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.project import ROOT

START = "import django; django.setup()"
WRONG = {
    "DEBUG": ("yes", "0, 1"),
    "PRODUCTION": ("true", "0, 1"),
    "SSL_REDIRECT": ("on", "0, 1"),
    "BEHIND_PROXY": ("2", "0, 1"),
    "SECRET_KEY": ("short", "32 characters"),
    "DATABASE_URL": ("mysql://localhost/arbitre", "sqlite, postgres, postgresql"),
    "CACHE_URL": ("memcached://localhost", "locmem, redis, rediss"),
    "CELERY_BROKER_URL": ("sqs://", "filesystem, redis, rediss, amqp, amqps"),
    "LOG_LEVEL": ("LOUD", "DEBUG, INFO, WARNING, ERROR"),
    "TIME_ZONE": ("Mars/Olympus", "accepted"),
    "THROTTLE_ANON": ("often", "accepted"),
    "THROTTLE_USER": ("10/fortnight", "accepted"),
}


def start(var: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Load Django with these settings alone."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    environment = kept | {"DJANGO_SETTINGS_MODULE": "tournaments.config.settings", "VAR_DIR": str(var)} | variables
    return subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_it_starts_with_no_setting_at_all(tmp_path: Path) -> None:
    assert start(tmp_path).returncode == 0


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_refused_by_name(name: str, tmp_path: Path) -> None:
    value, accepted = WRONG[name]
    answer = start(tmp_path, **{name: value})
    last_line = (answer.stderr.strip().splitlines() or [""])[-1]
    assert answer.returncode != 0
    assert name in last_line and accepted in last_line


@pytest.mark.parametrize("name", ["DATABASE_POOL", "DATABASE_POOL_SIZE"])
def test_a_wrong_pool_is_refused_by_name(name: str, tmp_path: Path) -> None:
    answer = start(tmp_path, **{"DATABASE_URL": "postgres://localhost/none", name: "many"})
    assert answer.returncode != 0
    assert name in answer.stderr.strip().splitlines()[-1]


def test_what_the_database_url_says_of_tls_is_kept(tmp_path: Path) -> None:
    show = "from django.conf import settings; print(settings.DATABASES['default']['OPTIONS'])"
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tournaments.config.settings",
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": "postgres://localhost/none?sslmode=require",
    }
    answer = subprocess.run([sys.executable, "-c", show], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "'sslmode': 'require'" in answer.stdout and "'pool'" in answer.stdout


def test_production_is_not_debugged(tmp_path: Path) -> None:
    answer = start(tmp_path, PRODUCTION="1", DEBUG="1", SECRET_KEY="x" * 40)
    assert answer.returncode != 0
    assert "DEBUG" in answer.stderr.strip().splitlines()[-1]


def test_production_asks_for_a_secret(tmp_path: Path) -> None:
    answer = start(tmp_path, PRODUCTION="1")
    assert answer.returncode != 0
    assert "SECRET_KEY" in answer.stderr.strip().splitlines()[-1]


def test_the_secret_is_made_once_and_kept_for_oneself(tmp_path: Path) -> None:
    start(tmp_path)
    kept = tmp_path / "secret_key"
    first = kept.read_text()
    start(tmp_path)
    assert kept.read_text() == first and kept.stat().st_mode & 0o077 == 0
