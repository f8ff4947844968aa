"""Every bench runs: each script at sizes that take a moment, for what it prints and not for its figures."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL = {
    "audit": ("--seeds", "2", "--runs", "1"),
    "boards": ("--seeds", "2", "--runs", "1"),
    "growth": ("--lengths", "20", "60", "--seeds", "1", "--runs", "1"),
    "lists": ("--cards", "200", "--runs", "1"),
    "memory": ("--moves", "40", "--seeds", "1"),
    "pairing": ("--small", "--runs", "1"),
    "paper": ("--tables", "8", "--runs", "1"),
    "published": ("--small",),
    "schemes": ("--players", "50", "--rounds", "4", "--runs", "1"),
    "replay": ("--moves", "60", "--runs", "1"),
}
ELSEWHERE = ("standings",)  # it needs a worker, which the tests of jobs start by themselves


def scripts() -> list[str]:
    return sorted(path.stem for path in ROOT.glob("bench/[a-z]*.py"))


def test_every_bench_has_a_small_size() -> None:
    assert scripts() == sorted([*SMALL, *ELSEWHERE])


@pytest.mark.parametrize("script", sorted(SMALL))
def test_a_bench_prints_its_ratio(script: str) -> None:
    command = [sys.executable, "-m", f"bench.{script}", *SMALL[script]]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert result.returncode == 0, result.stderr
    assert "ratio" in result.stdout or "bound" in result.stdout or "times" in result.stdout, result.stdout
