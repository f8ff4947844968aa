"""Every benchmark script runs, at sizes that take a moment; its output is checked, not its measurements."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from bench._pages import LEFT_OUT, PAGES, WHOLE
from tests.web.routes import table

ROOT = Path(__file__).resolve().parents[2]
SMALL = {
    "audit": ("--seeds", "2", "--runs", "1"),
    "boards": ("--seeds", "2", "--runs", "1"),
    "burst": ("--requests", "12", "--players", "8"),
    "desk": ("--tables", "6"),
    "entries": ("--seeds", "1"),
    "feature": ("--followers", "6", "--moves", "3"),
    "growth": ("--lengths", "20", "60", "--seeds", "1", "--runs", "1"),
    "hall": ("--phones", "8", "--minutes", "0.2", "--hosts", "2", "--kill", "--streams-apart"),
    "live": ("--clients", "2", "8", "--runs", "1"),
    "lists": ("--cards", "200", "--runs", "1"),
    "market": ("--games", "1", "--runs", "1"),
    "memory": ("--moves", "40", "--seeds", "0"),
    "pages": ("--players", "12", "--runs", "1"),
    "pairing": ("--small", "--runs", "1"),
    "paper": ("--tables", "8", "--runs", "1"),
    "published": ("--small",),
    "publishing": ("--players", "60", "--rounds", "1", "--runs", "1"),
    "schemes": ("--players", "50", "--rounds", "4", "--runs", "1"),
    "repair": ("--seeds", "1"),
    "tables": ("--events", "1"),
    "teams": ("--teams", "20", "--rounds", "2", "--runs", "1"),
    "taps": ("--moves", "4", "--games", "wakfu"),
    "stepping": ("--moves", "12", "--seeds", "1", "--runs", "1", "--games", "wakfu"),
    "uploads": ("--logs", "12", "--players", "8"),
    "replay": ("--moves", "60", "--runs", "1"),
    "starters": ("--games", "1", "--runs", "1"),
}
ELSEWHERE = ("bulk", "standings", "stream")  # these need a worker, which only the tests of jobs start


def scripts() -> list[str]:
    return sorted(path.stem for path in ROOT.glob("bench/[a-z]*.py"))


def test_every_bench_has_a_small_size() -> None:
    assert scripts() == sorted([*SMALL, *ELSEWHERE])


def test_the_pages_bench_requests_every_page_or_says_why_not() -> None:
    pages = {route for route, methods in table() if "GET" in methods.split(", ")}
    asked = {page.route for page in (*PAGES, *WHOLE)}
    assert asked | LEFT_OUT.keys() == pages
    assert not asked & LEFT_OUT.keys()
    assert len({str(page) for page in (*PAGES, *WHOLE)}) == len(PAGES) + len(WHOLE), "each once"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("script", sorted(SMALL))
def test_a_bench_runs_and_prints_its_ratio(script: str, shared_folder: Path) -> None:
    command = [sys.executable, "-m", f"bench.{script}", *SMALL[script]]
    # Those in a browser use the demonstration that the browser tests seed.
    environment = os.environ | {"SEEDED_FOLDER": str(shared_folder)}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280)
    assert result.returncode == 0, result.stderr
    assert "ratio" in result.stdout or "bound" in result.stdout or "times" in result.stdout, result.stdout


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_in_a_surge_a_result_costs_little_more_than_one_that_nobody_follows() -> None:
    """Both are processor time of the same run, so that other work on the machine matters little."""
    sizes = ("--phones", "200", "--players", "200", "--minutes", "0.6", "--last", "0.3")
    result = subprocess.run(
        [sys.executable, "-m", "bench.hall", *sizes], cwd=ROOT, capture_output=True, text=True, timeout=280
    )
    assert result.returncode == 0, result.stderr
    found = re.search(r"ratio of the two +([\d.]+) +\(at most ([\d.]+)\)", result.stdout)
    assert found, result.stdout
    assert float(found[1]) <= float(found[2]), result.stdout


@pytest.mark.slow
def test_a_bench_uses_its_own_database_and_removes_it_afterwards() -> None:
    code = """
from bench._installation import ready

ready()
from django.conf import settings
from django.core.management import call_command

call_command("migrate", "sessions", verbosity=0)
print(settings.DATABASES["default"]["NAME"])
"""
    command = [sys.executable, "-c", code]
    made = [
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout.strip()
        for _run in range(2)
    ]
    server = os.environ.get("DATABASE_URL", "")
    assert len({*made, server.rpartition("/")[2]}) == 3
    if server.startswith("postgres"):
        with psycopg.connect(server, dbname="postgres") as connection:
            assert connection.execute("select 1 from pg_database where datname = any(%s)", (made,)).fetchall() == []
    else:
        assert not any(Path(file).exists() for file in made)
