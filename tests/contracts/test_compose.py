"""The compose file: the services it starts, how they are confined, and that they need their secrets."""

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
from tournaments.common import broker

FILE = ROOT / "docker-compose.yml"


def services() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text())["services"])


STARTED = ["web", "worker", "auditor", "beat", "backup", "db", "queue", "cache"]
# The entrypoint of the database image starts as root, gives its folders to `postgres`, and becomes that user.
NEEDED = {"db": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}}


def test_compose_starts_web_workers_beat_backups_database_queue_and_cache() -> None:
    assert set(services()) == {*STARTED, "migrate"}


@pytest.mark.parametrize("name", [*STARTED, "migrate"])
def test_every_service_is_confined_to_a_read_only_container_without_capabilities(name: str) -> None:
    service = services()[name]
    assert service["cap_drop"] == ["ALL"]
    assert set(service.get("cap_add", [])) == NEEDED.get(name, set())
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert any(mount.partition(":")[0] == "/tmp" for mount in service["tmpfs"])
    assert not {"privileged", "network_mode", "pid", "ipc", "devices"} & set(service)


def test_data_is_in_volumes_and_none_of_them_hides_the_static_files_of_the_image() -> None:
    """A volume over VAR_DIR would keep the static files of the image it was first used with."""
    mounts = {name: service.get("volumes", []) for name, service in services().items()}
    journal = "erased:/var/lib/arbitre/erased"  # whoever erases somebody writes to it
    assert {name: found for name, found in mounts.items() if found} == {
        **{name: [journal] for name in ("migrate", "auditor", "beat")},
        "web": [journal, "backups:/var/lib/arbitre/backups:ro"],
        "backup": [journal, "backups:/var/lib/arbitre/backups"],
        "worker": [journal, "mail:/var/lib/arbitre/mail"],
        "db": ["database:/var/lib/postgresql/data"],
        "queue": ["queue:/data"],
    }
    assert "VAR_DIR=/var/lib/arbitre" in (ROOT / "Dockerfile").read_text()
    assert set(yaml.safe_load(FILE.read_text())["volumes"]) == {"backups", "mail", "database", "erased", "queue"}
    assert "/var/run/postgresql" in services()["db"]["tmpfs"]


def test_the_image_has_the_client_for_the_database_of_the_compose_file() -> None:
    """`pg_dump` refuses a newer server, and an older one refuses what a newer `pg_restore` sends."""
    (client,) = re.findall(r"^FROM postgres:([0-9]+)-", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert services()["db"]["image"].startswith(f"postgres:{client}-")


def test_backups_are_made_in_the_volume_which_is_larger_than_tmp() -> None:
    environment = services()["backup"]["environment"]
    assert environment["TMPDIR"] == environment["BACKUP_DIR"]


def test_each_queue_of_jobs_has_a_worker_that_reads_nothing_else() -> None:
    commands = {name: services()[name]["command"] for name in ("worker", "auditor")}
    read = {name: [word for word in command if word.startswith("--queues")] for name, command in commands.items()}
    assert read == {"worker": [f"--queues={broker.QUEUE}"], "auditor": [f"--queues={broker.AUDITS}"]}


@pytest.mark.parametrize("name", ["web", "worker", "auditor", "beat", "migrate"])
def test_jobs_and_cache_use_two_separate_redis_instances(name: str) -> None:
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
def test_redis_accepts_the_options_in_the_compose_file(name: str, wanted: dict[str, str], tmp_path: Path) -> None:
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
def test_every_service_has_a_health_check(name: str) -> None:
    from_image = name == "web" and "HEALTHCHECK" in (ROOT / "Dockerfile").read_text()
    assert from_image or "test" in services()[name]["healthcheck"]


def test_the_compose_file_contains_no_secrets() -> None:
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        assert set(re.findall(rf"\$\{{{name}(?!\w)([^}}]*)\}}", FILE.read_text())) == {":-"}, name


def test_the_application_refuses_to_start_without_a_secret_key(tmp_path: Path) -> None:
    """Without a value, the compose file passes an empty SECRET_KEY; the application must then refuse to start."""
    environment = {**os.environ, "PRODUCTION": "1", "SECRET_KEY": "", "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check"]
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode != 0
    assert "SECRET_KEY must be set" in answer.stderr


def test_services_depend_only_on_services_that_exist() -> None:
    known = services()
    for name, service in known.items():
        assert set(service.get("depends_on", {})) <= set(known), name


def test_every_variable_that_compose_passes_is_a_setting() -> None:
    settings = (ROOT / "tournaments" / "config" / "settings.py").read_text()
    for variable in services()["web"]["environment"]:
        assert f'"{variable}"' in settings, variable


# Settings that the image or the compose file determines, or that are for development.
DECIDED = {"DEBUG", "WEBHOOK_LOCALHOST", "VAR_DIR", "PORT", "DATABASE_POOL"}


def test_compose_passes_every_documented_setting() -> None:
    """Compose passes only the variables that its file names, so what an operator writes into `.env` could be lost."""
    documented = set(re.findall(r"^### ([A-Z_]+)$", (ROOT / "docs" / "operations.md").read_text(), re.MULTILINE))
    for service in ("web", "worker", "auditor", "beat", "backup"):
        assert documented - DECIDED <= set(services()[service]["environment"]), service


def test_the_image_copies_exactly_what_dockerignore_allows() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert {name for names in copied for name in names.split()} == let_in


def test_the_compose_client_accepts_the_file() -> None:
    client = compose_client()
    if client is None:
        pytest.skip("no compose client on this machine")
    answer = subprocess.run([*client, "config", "--quiet"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


def compose_client() -> list[str] | None:
    """Return `docker compose` or `docker-compose`, whichever is installed; None if neither is."""
    for command in (["docker", "compose"], ["docker-compose"]):
        known = shutil.which(command[0])
        if known and not subprocess.run([*command, "version"], capture_output=True, check=False).returncode:
            return command
    return None
