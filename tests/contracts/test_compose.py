"""The compose file: what it starts, and that it refuses to start without its secrets."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
import yaml
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.contracts.project import ROOT

FILE = ROOT / "docker-compose.yml"


def services() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text())["services"])


STARTED = ["web", "worker", "beat", "db", "queue", "cache"]
NEEDED = {"db": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}}  # to become another user than root


def test_it_starts_web_worker_beat_database_queue_and_cache() -> None:
    assert set(services()) == {*STARTED, "migrate"}


@pytest.mark.parametrize("name", [*STARTED, "migrate"])
def test_every_service_is_confined(name: str) -> None:
    service = services()[name]
    assert service["cap_drop"] == ["ALL"]
    assert set(service.get("cap_add", [])) == NEEDED.get(name, set())
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert any(mount.partition(":")[0] == "/tmp" for mount in service["tmpfs"])
    assert not {"privileged", "network_mode", "pid", "ipc", "devices"} & set(service)


def test_what_is_written_lies_in_volumes_and_none_hides_the_static_files_of_an_image() -> None:
    """A volume over VAR_DIR would keep the static files of the image it was first used with."""
    mounts = {name: service.get("volumes", []) for name, service in services().items()}
    assert {name: found for name, found in mounts.items() if found} == {
        "worker": ["mail:/var/lib/arbitre/mail"],
        "db": ["database:/var/lib/postgresql/data"],
        "queue": ["queue:/data"],
    }
    assert "VAR_DIR=/var/lib/arbitre" in (ROOT / "Dockerfile").read_text()
    assert set(yaml.safe_load(FILE.read_text())["volumes"]) == {"mail", "database", "queue"}
    assert "/var/run/postgresql" in services()["db"]["tmpfs"]


@pytest.mark.parametrize("name", ["web", "worker", "beat", "migrate"])
def test_jobs_and_cache_are_in_two_instances_of_redis(name: str) -> None:
    environment = services()[name]["environment"]
    assert urlsplit(environment["CELERY_BROKER_URL"]).hostname == "queue"
    assert urlsplit(environment["CACHE_URL"]).hostname == "cache"


@pytest.mark.services
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("queue", {"maxmemory-policy": "noeviction", "save": "60 1", "maxmemory": "0"}),
        ("cache", {"maxmemory-policy": "allkeys-lru", "save": "", "appendonly": "no", "maxmemory": str(256 << 20)}),
    ],
)
def test_redis_takes_the_options_of_the_file(name: str, wanted: dict[str, str], tmp_path: Path) -> None:
    command = [re.sub(r"\$\{\w+:-(\w+)\}", r"\1", word) for word in services()[name]["command"]]
    there = tmp_path / "redis"
    process = subprocess.Popen([*command, "--port", "0", "--unixsocket", str(there), "--dir", str(tmp_path)])
    try:
        client = redis.Redis(unix_socket_path=str(there), retry=Retry(ConstantBackoff(0.05), 100))
        assert client.ping()
        assert {option: client.config_get(option)[option] for option in wanted} == wanted
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("name", STARTED)
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
