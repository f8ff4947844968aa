"""A wrong setting stops the start with its name and what is accepted, instead of failing on some later page."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.contracts.project import ROOT

START = "import django; django.setup()"
KEPT = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
WRONG = {
    "DEBUG": ("yes", "0, 1"),
    "PRODUCTION": ("true", "0, 1"),
    "SSL_REDIRECT": ("on", "0, 1"),
    "WEBHOOK_LOCALHOST": ("yes", "0, 1"),
    "TRUSTED_PROXIES": ("10.0.0.0/8,nobody", "accepted"),
    "SECRET_KEY": ("short", "32 characters"),
    "SECRET_KEY_FALLBACKS": ("short", "32 characters"),
    "DATABASE_URL": ("mysql://localhost/arbitre", "sqlite, postgres, postgresql"),
    "CACHE_URL": ("memcached://localhost", "locmem, redis, rediss"),
    "CELERY_BROKER_URL": ("sqs://", "filesystem, redis, rediss, amqp, amqps"),
    "EMAIL_URL": ("pigeon://loft", "filemail, smtp, smtp+tls, smtp+ssl"),
    "EMAIL_FROM": ("nobody", "accepted"),
    "SITE_URL": ("arbitre.example.org", "http, https"),
    "CONTACT": ("the desk", "accepted"),
    "LOG_LEVEL": ("LOUD", "DEBUG, INFO, WARNING, ERROR"),
    "TIME_ZONE": ("Mars/Olympus", "accepted"),
    "KEEP_NAMES_DAYS": ("a year", "accepted"),
    "KEEP_PHOTOS_DAYS": ("-1", "accepted"),
    "THROTTLE_ANON": ("often", "accepted"),
    "THROTTLE_USER": ("10/fortnight", "accepted"),
}


def loaded(var: Path, **variables: str) -> dict[str, Any]:
    """The settings as they are read with these variables alone."""
    with mock.patch.dict(os.environ, KEPT | {"VAR_DIR": str(var)} | variables, clear=True):
        return runpy.run_path(str(ROOT / "tournaments/config/settings.py"))


def refused(var: Path, **variables: str) -> str:
    """What is said of variables that stop the start."""
    with pytest.raises(ImproperlyConfigured) as told:
        loaded(var, **variables)
    return str(told.value)


def start(var: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Start Django with these settings alone."""
    environment = KEPT | {"DJANGO_SETTINGS_MODULE": "tournaments.config.settings", "VAR_DIR": str(var)} | variables
    return subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_it_starts_with_no_setting_at_all(tmp_path: Path) -> None:
    assert start(tmp_path).returncode == 0


def test_every_empty_variable_means_its_default(tmp_path: Path) -> None:
    """All of them at once, as an env file with nothing behind the signs has them."""
    names = re.findall(r"^### ([A-Z_]+)$", (ROOT / "docs" / "operations.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(WRONG) <= set(names)
    empty = dict.fromkeys(set(names) - {"VAR_DIR"}, "")
    assert start(tmp_path, **empty).returncode == 0
    plain, given = loaded(tmp_path), loaded(tmp_path, **empty)
    settings = [name for name in plain if name.isupper()]
    assert [name for name in settings if plain[name] != given[name]] == []


@pytest.mark.parametrize("name", ["DEBUG", "THROTTLE_ANON", "ALLOWED_HOSTS", "TIME_ZONE"])
def test_a_variable_of_blanks_is_empty(name: str, tmp_path: Path) -> None:
    plain, given = loaded(tmp_path), loaded(tmp_path, **{name: "  "})
    for setting in ("DEBUG", "REST_FRAMEWORK", "ALLOWED_HOSTS", "TIME_ZONE"):
        assert plain[setting] == given[setting]


def test_a_wrong_value_ends_the_start_with_a_line_that_names_it(tmp_path: Path) -> None:
    answer = start(tmp_path, DEBUG="yes")
    assert answer.returncode != 0 and "DEBUG" in answer.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_refused_by_name(name: str, tmp_path: Path) -> None:
    value, accepted = WRONG[name]
    said = refused(tmp_path, **{name: value})
    assert name in said and accepted in said and "\n" not in said


@pytest.mark.parametrize("name", ["DATABASE_POOL", "DATABASE_POOL_SIZE"])
def test_a_wrong_pool_is_refused_by_name(name: str, tmp_path: Path) -> None:
    assert name in refused(tmp_path, **{"DATABASE_URL": "postgres://localhost/none", name: "many"})


def test_what_the_database_url_says_of_tls_is_kept(tmp_path: Path) -> None:
    settings = loaded(tmp_path, DATABASE_URL="postgres://localhost/none?sslmode=require")
    options = settings["DATABASES"]["default"]["OPTIONS"]
    assert options["sslmode"] == "require" and options["pool"]


def test_a_mail_server_without_a_host_is_refused(tmp_path: Path) -> None:
    assert "EMAIL_URL" in refused(tmp_path, EMAIL_URL="smtp+tls://")


def test_production_is_not_debugged(tmp_path: Path) -> None:
    assert "DEBUG" in refused(tmp_path, PRODUCTION="1", DEBUG="1", SECRET_KEY="x" * 40)


def test_production_asks_for_a_secret(tmp_path: Path) -> None:
    assert "SECRET_KEY" in refused(tmp_path, PRODUCTION="1")


def test_the_secret_is_made_once_and_kept_for_oneself(tmp_path: Path) -> None:
    first = loaded(tmp_path)["SECRET_KEY"]
    kept = tmp_path / "secret_key"
    assert loaded(tmp_path)["SECRET_KEY"] == first and first in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0
