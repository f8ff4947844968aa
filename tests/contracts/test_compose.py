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
from celery.bin import control
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.contracts.project import ROOT
from tournaments.common import broker

FILE = ROOT / "docker-compose.yml"


def services() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text())["services"])


STARTED = ["web", "worker", "auditor", "beat", "backup", "db", "queue", "cache", "proxy"]
# The entrypoint of the database image starts as root, gives its folders to `postgres`, and becomes that user. The
# proxy's program carries a capability, and cannot be started where that is not allowed.
NEEDED = {"db": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}, "proxy": {"NET_BIND_SERVICE"}}


def test_compose_starts_web_workers_beat_backups_database_queue_cache_and_proxy() -> None:
    assert set(services()) == {*STARTED, "migrate"}
    assert {name for name, service in services().items() if "profiles" in service} == {"proxy"}


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
        "proxy": ["./deploy/Caddyfile:/etc/caddy/Caddyfile:ro", "certificates:/data"],
    }
    assert "VAR_DIR=/var/lib/arbitre" in (ROOT / "Dockerfile").read_text()
    volumes = {mount.partition(":")[0] for found in mounts.values() for mount in found if not mount.startswith("./")}
    assert set(yaml.safe_load(FILE.read_text())["volumes"]) == volumes
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
    assert "test" in services()[name]["healthcheck"]


@pytest.mark.parametrize("name", [*STARTED, "migrate"])
def test_every_service_has_a_bounded_log_and_bounded_memory(name: str) -> None:
    service = services()[name]
    assert service["logging"]["driver"] == "json-file"
    assert set(service["logging"]["options"]) == {"max-size", "max-file"}
    assert re.fullmatch(r"\$\{MEMORY_[A-Z]+:-[0-9]+[mg]\}", service["mem_limit"])


def test_the_cache_is_full_before_its_memory_is() -> None:
    assert "${CACHE_MEMORY:-256mb}" in services()["cache"]["command"]
    assert services()["cache"]["mem_limit"] == "${MEMORY_CACHE:-512m}"


@pytest.mark.parametrize("name", ["web", "worker", "auditor"])
def test_a_service_that_no_longer_answers_is_restarted(name: str) -> None:
    service = services()[name]
    assert service["init"] is True and service["restart"] == "unless-stopped"
    assert "deploy/health.sh" in " ".join(service["healthcheck"]["test"])


def checks(tmp_path: Path, codes: list[int], first: str = "docker-init") -> tuple[list[int], str]:
    """Run the health check once for each exit code, with a limit of three; return its codes and what it killed."""
    (tmp_path / "comm").write_text(f"{first}\n")
    script = (ROOT / "deploy" / "health.sh").read_text()
    for path, there in {"/proc/1/comm": "comm", "/proc/1/fd/2": "log", "/tmp/unanswered": "unanswered"}.items():
        assert path in script
        script = script.replace(path, str(tmp_path / there))
    assert script.count("kill ") == 1  # replaced here by a function: nothing is killed
    script = f'kill() {{ echo "$@" >>"{tmp_path}/killed"; }}\n{script}'
    answers = [
        subprocess.run(["sh", "-c", script, "sh", "3", "sh", "-c", f"exit {code}"], check=False) for code in codes
    ]
    killed = tmp_path / "killed"
    return [answer.returncode for answer in answers], killed.read_text().strip() if killed.exists() else ""


def test_the_third_check_without_an_answer_kills_everything(tmp_path: Path) -> None:
    assert checks(tmp_path, [69, 69]) == ([1, 1], "")
    assert checks(tmp_path, [69]) == ([1], "-s KILL -- -1")
    assert "3 health checks" in (tmp_path / "log").read_text()


@pytest.mark.parametrize("between", [0, 1, 124])
def test_an_answer_of_any_kind_starts_the_count_again(between: int, tmp_path: Path) -> None:
    assert checks(tmp_path, [69, 69, between, 69, 69]) == ([1, 1, int(between > 0), 1, 1], "")


def test_nothing_is_killed_outside_a_container_with_docker_init(tmp_path: Path) -> None:
    assert checks(tmp_path, [69] * 5, first="systemd") == ([1] * 5, "")


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1), (None, 69)])
def test_the_check_of_the_web_tells_an_answer_from_none(status: int | None, code: int) -> None:
    program = services()["web"]["healthcheck"]["test"][-1]
    answer = f"urllib.error.HTTPError('', {status}, '', {{}}, None)" if status else "TimeoutError()"
    stand_in = f"def urlopen(*_, **__):\n    if {status} != 200: raise {answer}\nurllib.request.urlopen = urlopen\n"
    first, rest = program.split("\n", 1)
    command = [sys.executable, "-c", f"{first}\n{stand_in}{rest}"]
    assert subprocess.run(command, check=False).returncode == code


@pytest.mark.parametrize(
    ("said", "wrong", "code"),
    [
        ("1 node online.", 0, 0),
        ("Error: No nodes replied within time constraint", 69, 69),
        ("Error: Could not connect to the message broker.", 69, 1),
    ],
)
def test_the_check_of_a_worker_tells_no_answer_from_no_queue(said: str, wrong: int, code: int, tmp_path: Path) -> None:
    program = services()["worker"]["healthcheck"]["test"][-1].replace("$$", "$")
    (tmp_path / "celery").write_text(f"#!/bin/sh\necho '{said}' >&2\nexit {wrong}\n")
    (tmp_path / "celery").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOSTNAME": "here"}
    assert subprocess.run(["sh", "-c", program], env=environment, check=False).returncode == code


def test_celery_says_that_no_worker_answered_in_these_words() -> None:
    assert "No nodes replied" in Path(str(control.__file__)).read_text()


VARIABLE = re.compile(r"^(#?)([A-Z_]+)=(.*)$", re.MULTILINE)
REQUIRED = {"SECRET_KEY", "POSTGRES_PASSWORD", "ALLOWED_HOSTS"}


def test_the_example_of_an_env_file_has_every_variable_of_the_compose_file_with_its_default() -> None:
    listed = VARIABLE.findall((ROOT / ".env.example").read_text())
    example = {name: value for commented, name, value in listed if commented}
    assert example.pop("COMPOSE_PROFILES") == "tls"  # compose reads it itself
    assert {name: value for commented, name, value in listed if not commented} == dict.fromkeys(REQUIRED, "")
    read = dict(re.findall(r"\$\{([A-Z_]+)(?::-([^}]*))?\}", FILE.read_text()))
    assert example == {name: default for name, default in read.items() if name not in REQUIRED}
    assert len(listed) == len(read) + 1


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
    documented = set(re.findall(r"^## ([A-Z_]+)$", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))
    assert documented > DECIDED
    for service in ("web", "worker", "auditor", "beat", "backup"):
        assert documented - DECIDED <= set(services()[service]["environment"]), service


def test_the_image_copies_exactly_what_dockerignore_allows() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert {name for names in copied for name in names.split()} == let_in


@pytest.mark.parametrize("options", [[], ["--profile", "tls"]], ids=["plain", "tls"])
def test_the_compose_client_accepts_the_file(options: list[str]) -> None:
    client = compose_client()
    if client is None:
        pytest.skip("no compose client on this machine")
    answer = subprocess.run(
        [*client, *options, "config", "--quiet"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr


def compose_client() -> list[str] | None:
    """Return `docker compose` or `docker-compose`, whichever is installed; None if neither is."""
    for command in (["docker", "compose"], ["docker-compose"]):
        known = shutil.which(command[0])
        if known and not subprocess.run([*command, "version"], capture_output=True, check=False).returncode:
            return command
    return None
