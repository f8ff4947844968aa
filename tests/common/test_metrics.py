"""What Prometheus reads at `/metrics`: who may read it, its format, and that it counts."""

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from pytest_django import Settings

from tests.asgi import ask
from tournaments.common import clock, jobs, metrics
from tournaments.common.models import Job
from tournaments.config.metrics import FAMILIES, MAILS, PUSHES
from tournaments.web import admission

TOKEN = "a-token-for-prometheus"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)*)\})? ([0-9.e+-]+|\+Inf)')


@pytest.fixture(autouse=True)
def _own_folder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.METRICS_DIR = str(tmp_path / "metrics")
    monkeypatch.setattr(metrics, "_counted", {})
    monkeypatch.setattr(metrics, "_written_until", float("-inf"))
    yield


@pytest.fixture
def _token(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN


def parsed(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Read the text format strictly; `process` labels are left out, and the values of all processes are added up."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}
    types: dict[str, str] = {}
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            name, kind = line.removeprefix("# TYPE ").split(" ")
            assert name not in types and kind in ("counter", "gauge", "histogram")
            types[name] = kind
        elif not line.startswith("# HELP "):
            match = LINE.fullmatch(line)
            assert match, line
            family = re.sub(r"_(bucket|sum|count)$", "", match[1]) if match[1] not in types else match[1]
            assert family in types, f"{line} comes before its type"
            labels = re.findall(r'([a-z]+)="([^"]*)"', match[2] or "")
            key = match[1], tuple(pair for pair in labels if pair[0] != "process")
            found[key] = found.get(key, 0) + float(match[3])
    return found


def read(client: Client) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = client.get("/metrics", headers=BEARER)
    assert answer.status_code == 200 and answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return parsed(answer.content.decode())


# Who may read


def test_without_a_setting_there_are_no_metrics(client: Client) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.usefixtures("_token")
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer a-token-for-somebody-else", TOKEN, f"Bearer {TOKEN} ", "é"])
def test_a_request_without_the_token_gets_a_404(client: Client, header: str) -> None:
    assert client.get("/metrics", headers={"Authorization": header}).status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_the_token_opens_the_metrics(client: Client) -> None:
    assert client.get("/metrics", headers=BEARER).status_code == 200
    assert client.post("/metrics", headers=BEARER).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("peer", "forwarded", "status"),
    [
        ("10.9.0.4", "", 200),
        ("192.0.2.7", "", 404),
        ("192.0.2.7", "10.9.0.4", 404),
        ("172.16.0.1", "10.9.0.4", 200),
        ("172.16.0.1", "10.9.0.4, 192.0.2.7", 404),
        ("", "10.9.0.4", 404),
    ],
)
def test_a_network_opens_the_metrics_to_clients_from_there(
    client: Client, settings: Settings, peer: str, forwarded: str, status: int
) -> None:
    settings.METRICS_NETWORKS = [ip_network("10.9.0.0/16")]
    settings.TRUSTED_PROXIES = [ip_network("172.16.0.0/12")]
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=peer).status_code == status


# What the processes count


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_requests_are_counted_by_kind_and_status(client: Client) -> None:
    for path in ("/privacy/", "/privacy/", "/nothing/", "/api/v1/nothing/", "/live/e-1/"):
        ask(path)
    found = read(client)
    counted = {labels: value for (name, labels), value in found.items() if name == "arbitre_requests_total"}
    assert counted == {
        (("kind", "page"), ("status", "200")): 2,
        (("kind", "page"), ("status", "404")): 1,
        (("kind", "api"), ("status", "404")): 1,
        (("kind", "live"), ("status", "403")): 1,
    }
    ask("/privacy/")
    assert read(client)["arbitre_requests_total", (("kind", "page"), ("status", "200"))] == 3


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_the_buckets_of_a_histogram_add_up_and_large_counters_are_exact(client: Client) -> None:
    for seconds in (0.004, 0.3, 20.0):
        metrics.observe("arbitre_request_seconds", seconds, kind="page")
    found = read(client)
    buckets = {dict(labels)["le"]: count for (name, labels), count in found.items() if name.endswith("_bucket")}
    assert (buckets["0.01"], buckets["0.25"], buckets["0.5"], buckets["10.0"], buckets["+Inf"]) == (1, 1, 2, 2, 3)
    assert found["arbitre_request_seconds_count", (("kind", "page"),)] == 3
    metrics.count("arbitre_requests_total", 12_345_678, kind="page", status=200)
    assert read(client)["arbitre_requests_total", (("kind", "page"), ("status", "200"))] == 12_345_678
    assert found["arbitre_request_seconds_sum", (("kind", "page"),)] == pytest.approx(20.304)


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_requests_that_are_turned_away_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "LARGEST_LINE", -1)
    ask("/privacy/")
    ask("/sign-in/", method="POST")
    found = read(client)
    assert found["arbitre_refused_total", (("request", "read"),)] == 1
    assert found["arbitre_refused_total", (("request", "write"),)] == 1


@pytest.mark.usefixtures("_token")
def test_a_process_writes_its_numbers_to_a_file_soon_after_a_request(settings: Settings) -> None:
    async def requests() -> None:
        metrics.count("arbitre_requests_total", kind="page", status=200)
        metrics.write_soon()
        metrics.count("arbitre_requests_total", kind="page", status=200)
        metrics.write_soon()
        while not file.exists():
            await asyncio.sleep(0.05)

    file = Path(settings.METRICS_DIR) / f"{os.getpid()}.json"
    asyncio.run(requests())
    assert ["arbitre_requests_total", [["kind", "page"], ["status", "200"]], 2] in json.loads(file.read_text())


def test_nothing_is_written_if_nobody_may_read(settings: Settings) -> None:
    metrics.write_soon()  # outside an event loop, which it would need
    assert not Path(settings.METRICS_DIR).exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_a_process_also_tells_what_others_counted_until_they_end(client: Client, settings: Settings) -> None:
    folder = Path(settings.METRICS_DIR)
    folder.mkdir()
    rows = json.dumps([["arbitre_requests_total", [["kind", "page"], ["status", "200"]], 5]])
    key = "arbitre_requests_total", (("kind", "page"), ("status", "200"))
    metrics.count(key[0], kind="page", status=200)
    with subprocess.Popen(["sleep", "600"]) as other:
        (folder / f"{other.pid}.json").write_text(rows)
        assert read(client)[key] == 6
        assert f'status="200",process="{other.pid}"}} 5' in client.get("/metrics", headers=BEARER).content.decode()
        other.kill()
    assert read(client)[key] == 1
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said_once(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    settings.METRICS_DIR = str(tmp_path / "file" / "below")
    monkeypatch.setattr(metrics, "_failing", False)
    metrics._write()
    metrics._write()
    assert len([record for record in caplog.records if "METRICS_DIR" in record.getMessage()]) == 1


# What the database says


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_jobs_are_counted_by_kind_and_state(client: Client) -> None:
    now, minute = clock.now(), timedelta(minutes=1)
    with transaction.atomic():
        for key in ("1", "2"):
            jobs.enqueue("standings.compute", key, now=now - 5 * minute)
        jobs.enqueue("standings.compute", "3", now=now, run_after=now + 9 * minute)
        for key in ("4", "5", "6", "7"):
            jobs.enqueue("notices.push", key, now=now)
    Job.objects.filter(key__in=("4", "5")).update(status="running", lease_until=now + minute / 6)
    Job.objects.filter(key="6").update(status="failed")
    Job.objects.filter(key="7").update(status="done")
    found = read(client)
    states = {
        (labels[0][1], labels[1][1]): value
        for (name, labels), value in found.items()
        if name == "arbitre_jobs" and value
    }
    assert states == {
        ("standings.compute", "due"): 2,
        ("standings.compute", "waiting"): 1,
        ("notices.push", "running"): 2,
        ("notices.push", "failed"): 1,
    }
    assert found["arbitre_job_oldest_seconds", (("kind", "standings.compute"),)] >= 300
    assert found["arbitre_job_oldest_seconds", (("kind", "notices.push"),)] == 0
    assert found["arbitre_messages_waiting", (("channel", "push"),)] == 2
    assert found["arbitre_messages_waiting", (("channel", "mail"),)] == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_a_job_whose_worker_was_lost_is_due_again(client: Client) -> None:
    now = clock.now()
    with transaction.atomic():
        jobs.enqueue("standings.compute", "1", now=now)
    Job.objects.update(status="running", lease_until=now - timedelta(seconds=1))
    found = read(client)
    assert found["arbitre_jobs", (("kind", "standings.compute"), ("status", "due"))] == 1
    assert found["arbitre_jobs", (("kind", "standings.compute"), ("status", "running"))] == 0


@pytest.mark.usefixtures("_token")
def test_the_web_can_be_watched_while_the_database_is_down(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(now: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(jobs, "loads", down)
    metrics.count("arbitre_requests_total", kind="page", status=503)
    found = read(client)
    assert found["arbitre_database_up", ()] == 0
    assert found["arbitre_requests_total", (("kind", "page"), ("status", "503"))] == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("_token")
def test_every_family_that_the_database_fills_has_samples_from_the_start(client: Client) -> None:
    names = {name for name, _labels in read(client)}
    after = list(FAMILIES)[list(FAMILIES).index("arbitre_database_up") :]
    assert set(after) <= names


def test_the_kinds_that_send_messages_exist() -> None:
    assert jobs.kinds() >= MAILS | PUSHES


def test_labels_are_escaped() -> None:
    text = metrics.as_text({"a": ("gauge", "A.")}, {("a", (("x", 'back\\ "quoted"\nline'),)): 1})
    assert text == '# HELP a A.\n# TYPE a gauge\na{x="back\\\\ \\"quoted\\"\\nline"} 1\n'
