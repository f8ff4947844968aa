"""`make chaos` detects lost and duplicated actions, and a few of its faults are run on SQLite."""

import json
import subprocess
import sys

import pytest

from tests.builders import a_published_round, a_running_event, users_of
from tests.cast import Cast
from tests.contracts.project import ROOT
from tools.chaos.actions import Action
from tools.chaos.counting import compare, heads
from tools.chaos.table import Row, markdown
from tournaments.common.clock import now
from tournaments.play import services as play
from tournaments.play.models import Match, Report

REPORTED = ("result.reported", "report")


@pytest.fixture
def counted(cast: Cast) -> tuple[Action, dict[str, int]]:
    """A report that was sent, answered and stored, and the heads of the ledgers before it."""
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    match = Match.objects.filter(round__stage__event=event, table=1).get()
    before = heads([event.public_id])
    play.report_result(match=match, by=users_of(match)[0], games=(2, 0, 0), now=now())
    leaves = tuple((what, match.public_id) for what in REPORTED)
    return Action("report", event.public_id, "/", leaves, answered=1.0), before


@pytest.mark.django_db
def test_an_answered_action_that_is_stored_once_is_neither_lost_nor_doubled(
    counted: tuple[Action, dict[str, int]],
) -> None:
    action, before = counted
    assert compare([action], before) == ({}, {})


@pytest.mark.django_db
def test_an_answered_action_whose_row_is_gone_counts_as_lost(counted: tuple[Action, dict[str, int]]) -> None:
    action, before = counted
    Report.objects.all().delete()
    lost, doubled = compare([action], before)
    assert [what for _event, what, _about in lost] == ["report"]
    assert not doubled


@pytest.mark.django_db
def test_an_unanswered_action_may_be_stored_once_and_one_that_was_never_sent_counts_as_doubled(
    counted: tuple[Action, dict[str, int]],
) -> None:
    action, before = counted
    action.answered = None
    assert compare([action], before) == ({}, {})
    lost, doubled = compare([], before)
    assert not lost
    assert {what for _event, what, _about in doubled} == set(REPORTED)


@pytest.mark.parametrize("wrong", [{"lost": 1}, {"doubled": 1}, {"errors": 1}, {"faults": 1}, {"went_on": False}])
def test_a_row_with_any_problem_counts_as_failed(wrong: dict[str, int]) -> None:
    assert not Row("SQLite", "web killed").failed
    assert Row("SQLite", "web killed", **wrong).failed  # type: ignore[arg-type]


def test_the_table_is_followed_by_the_problems() -> None:
    row = Row("SQLite", "web killed", lost=1, problems=["1 × report of m-1 in e-1"])
    assert markdown([row]).splitlines()[-1] == "SQLite, web killed: 1 × report of m-1 in e-1"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_few_faults_on_sqlite_lose_nothing() -> None:
    faults = ("none", "web-killed", "commit", "disk-full")
    chosen = [part for fault in faults for part in ("--fault", fault)]
    command = [sys.executable, "-m", "tools.chaos", "--stack", "sqlite", "--seconds", "3", "--json", *chosen]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == len(faults)
    assert all(row["answered"] for row in rows)
    assert all(row["injected"] for row in rows[1:])
