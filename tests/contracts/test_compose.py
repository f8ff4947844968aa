"""The compose file: what it starts, and that it refuses to start without its secrets."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.contracts.project import ROOT

FILE = ROOT / "docker-compose.yml"


def services() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text())["services"])


def test_it_starts_web_worker_beat_database_and_redis() -> None:
    assert {"web", "worker", "beat", "db", "redis"} <= set(services())


@pytest.mark.parametrize("name", ["web", "worker", "beat", "db", "redis"])
def test_every_service_says_whether_it_is_well(name: str) -> None:
    from_image = name == "web" and "HEALTHCHECK" in (ROOT / "Dockerfile").read_text()
    assert from_image or "test" in services()[name]["healthcheck"]


def test_no_secret_has_a_value_in_the_file() -> None:
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        assert set(re.findall(rf"\$\{{{name}(?!\w)([^}}]*)\}}", FILE.read_text())) == {":-"}, name


def test_arbitre_starts_with_no_secret_missing(tmp_path: Path) -> None:
    """The file hands over an empty SECRET_KEY when none is given: then the start stops, and says so."""
    environment = {**os.environ, "PRODUCTION": "1", "SECRET_KEY": "", "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check"]
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode != 0
    assert "SECRET_KEY must be set" in answer.stderr


def test_what_waits_for_a_service_names_one_that_is_there() -> None:
    known = services()
    for name, service in known.items():
        assert set(service.get("depends_on", {})) <= set(known), name


def test_every_variable_it_hands_over_is_a_setting() -> None:
    settings = (ROOT / "tournaments" / "config" / "settings.py").read_text()
    for variable in services()["web"]["environment"]:
        assert f'"{variable}"' in settings, variable


# What the image or the file decides itself, and what is for developing.
DECIDED = {"DEBUG", "WEBHOOK_LOCALHOST", "VAR_DIR", "PORT", "DATABASE_POOL"}


def test_every_setting_of_the_docs_is_handed_over() -> None:
    """What an operator writes into `.env` reaches the processes: compose hands over only what the file names."""
    documented = set(re.findall(r"^### ([A-Z_]+)$", (ROOT / "docs" / "operations.md").read_text(), re.MULTILINE))
    for service in ("web", "worker", "beat"):
        assert documented - DECIDED <= set(services()[service]["environment"]), service


def test_the_image_copies_only_what_is_let_in() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert {name for names in copied for name in names.split()} == let_in


def test_the_compose_client_takes_it() -> None:
    client = compose_client()
    if client is None:
        pytest.skip("no compose client on this machine")
    answer = subprocess.run([*client, "config", "--quiet"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


def compose_client() -> list[str] | None:
    """`docker compose` or `docker-compose`, whichever is installed."""
    for command in (["docker", "compose"], ["docker-compose"]):
        known = shutil.which(command[0])
        if known and not subprocess.run([*command, "version"], capture_output=True, check=False).returncode:
            return command
    return None
