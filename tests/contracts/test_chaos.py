"""`make chaos` detects lost and duplicated actions, and a few of its faults are run on SQLite."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random
from unittest.mock import AsyncMock, Mock

import pytest

from tests.builders import a_published_round, a_running_event, an_entrant, an_open_event, users_of
from tests.cast import Cast
from tests.contracts.project import ROOT
from tools.chaos import __main__ as command
from tools.chaos import faults, followers
from tools.chaos.actions import Action
from tools.chaos.counting import compare, heads
from tools.chaos.faults import Fault, inject
from tools.chaos.followers import Follower
from tools.chaos.table import NO_TIME, Row, markdown
from tournaments.common.clock import now
from tournaments.events.services import change_procedures
from tournaments.payments.models import Payment, Refund
from tournaments.payments.services import note_payment, refund
from tournaments.play import services as play
from tournaments.play.models import Match, Report

REPORTED = ("result.reported", "report")
PAID = ("payment.confirmed", "payment of 1000", "payment.refunded", "refund of 400")


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


@pytest.mark.django_db
def test_a_payment_or_refund_whose_row_is_gone_counts_as_lost_and_one_too_many_as_doubled(cast: Cast) -> None:
    event = an_open_event(cast)
    fee = {"entry": {"kind": "paid", "cents": 1000, "currency": "EUR"}}
    change_procedures(event=event, procedures=fee, by=cast.organizer, now=now())
    entrant = an_entrant(event, cast.player, deck=None)
    before = heads([event.public_id])
    payment = note_payment(entrant=entrant, by=cast.scorekeeper, now=now())
    refund(payment=payment, key="once", cents=400, by=cast.organizer, now=now())
    leaves = tuple((what, entrant.public_id) for what in PAID)
    action = Action("payment", event.public_id, "/", leaves, answered=1.0)
    assert compare([action], before) == ({}, {})
    refund(payment=payment, key="again", cents=400, by=cast.organizer, now=now())
    assert {what for _event, what, _about in compare([action], before)[1]} == {"payment.refunded", "refund of 400"}
    Refund.objects.all().delete()
    Payment.objects.all().delete()
    assert {what for _event, what, _about in compare([action], before)[0]} == {"payment of 1000", "refund of 400"}


def test_a_stream_that_ended_or_left_out_the_next_round_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "LEARNED_WITHIN", 0)

    async def problems(*heard: tuple[str, str]) -> list[str]:
        page = Follower("a visitor", "http://127.0.0.1:1", "/", {})
        for position, topic in heard:
            page.hear(position, frozenset({topic}))
        found = await page.missed(7, "round", after=5)
        await page.close()
        return found

    assert asyncio.run(problems(("5.1", "result"), ("7.1", "round"))) == []
    assert asyncio.run(problems(("5.1", "round"))) == ["the stream of a visitor ended at entry 5 of 7"]
    assert asyncio.run(problems(("5.1", "round"), ("7.1", "result"))) == ["the stream of a visitor missed: round"]


@pytest.mark.parametrize(("overtime", "injected"), [(60, 1), (0, 0)])
def test_a_fault_is_injected_until_it_took_effect_for_some_time_at_most(
    overtime: float, injected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = iter((0, 0, 1))

    async def at_the_third_time(_chaos: object) -> int:
        return next(results)

    monkeypatch.setattr(faults, "OVERTIME", overtime)
    chaos = Mock(until=time.monotonic(), rng=Random(1))
    chaos.installation.until_healthy = AsyncMock()
    monkeypatch.setattr(faults, "CALM", (0, 0))
    assert asyncio.run(inject(Fault("late", "late", at_the_third_time), chaos)) == injected


@pytest.mark.parametrize("wrong", [{"lost": 1}, {"doubled": 1}, {"errors": 1}, {"faults": 1}, {"went_on": False}])
def test_a_row_with_any_problem_counts_as_failed(wrong: dict[str, int]) -> None:
    assert not Row("SQLite", "web killed").failed
    assert Row("SQLite", "web killed", **wrong).failed  # type: ignore[arg-type]


def test_the_table_is_followed_by_the_problems() -> None:
    row = Row("SQLite", "web killed", lost=1, problems=["1 × report of m-1 in e-1"])
    assert markdown([row]).splitlines()[-1] == "SQLite, web killed: 1 × report of m-1 in e-1"


def main(monkeypatch: pytest.MonkeyPatch, run: Callable[[dict[tuple[str, str], Row]], str], *options: str) -> int:
    """Call the command; `run` stands in for the process of each stack."""
    monkeypatch.setattr(command, "adopt_orphans", lambda: None)
    monkeypatch.setattr(command, "end_descendants", lambda: None)
    monkeypatch.setattr(command.signal, "signal", lambda *_: None)
    monkeypatch.setattr(command, "_command", lambda: ["true"])
    monkeypatch.setattr(command, "_keep_logs", lambda *_: None)
    monkeypatch.setattr(command, "_run", lambda _command, _until, rows: run(rows))
    monkeypatch.setattr(sys, "argv", ["chaos", *options])
    return command.main()


def row(rows: dict[tuple[str, str], Row], **values: object) -> None:
    """Add a row of SQLite without a fault."""
    rows["SQLite", "no fault"] = Row("SQLite", "no fault", answered=9, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(("stop", "code"), [(KeyboardInterrupt, 130), (SystemExit, 143)])
def test_the_table_is_printed_when_the_run_is_stopped(
    stop: type[BaseException], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(rows: dict[tuple[str, str], Row]) -> str:
        row(rows)
        raise stop

    assert main(monkeypatch, stopped) == code
    assert capsys.readouterr().out.splitlines()[-1].startswith("| SQLite | no fault | 0 | 9 |")


def test_the_table_is_printed_when_a_stack_ends_with_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failed(rows: dict[tuple[str, str], Row]) -> str:
        row(rows)
        return "the run ended with exit code 1"

    assert main(monkeypatch, failed, "--stack", "redis") == 1
    printed = capsys.readouterr().out
    assert "| SQLite | no fault | 0 | 9 |" in printed
    assert printed.splitlines()[-1] == "PostgreSQL, Redis, all: the run ended with exit code 1"


def test_a_stack_without_time_left_is_skipped_and_no_failure_unless_nothing_was_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def all_the_time(rows: dict[tuple[str, str], Row]) -> str:
        row(rows, verified=True)
        monkeypatch.setattr(command, "LEAST", float("inf"))
        return ""

    monkeypatch.setenv("REQUIRE_SERVICES", "1")
    assert main(monkeypatch, all_the_time) == 0
    assert f"| PostgreSQL, Redis | all | skipped: {NO_TIME} |" in capsys.readouterr().out
    assert main(monkeypatch, all_the_time) == 1


def test_a_missing_server_is_a_failure_only_where_all_have_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(rows: dict[tuple[str, str], Row]) -> str:
        row(rows)
        rows["PostgreSQL", "all"] = Row("PostgreSQL", "all", skipped="PostgreSQL is not installed")
        return ""

    monkeypatch.delenv("REQUIRE_SERVICES", raising=False)
    assert main(monkeypatch, missing, "--stack", "sqlite") == 0
    monkeypatch.setenv("REQUIRE_SERVICES", "1")
    assert main(monkeypatch, missing, "--stack", "sqlite") == 1


def test_a_row_says_how_many_actions_were_wanted_only_if_there_were_fewer() -> None:
    assert "| 400 of 500 |" in markdown([Row("SQLite", "web killed", answered=400, wanted=500)])
    assert "| 501 |" in markdown([Row("SQLite", "web killed", answered=501, wanted=500)])


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_few_faults_on_sqlite_lose_nothing() -> None:
    names = ("none", "web-killed", "commit", "disk-full", "web-frozen")
    chosen = [part for fault in names for part in ("--fault", fault)]
    line = [sys.executable, "-m", "tools.chaos", "--stack", "sqlite", "--seconds", "3", "--json", *chosen]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == len(names)
    assert all(row["answered"] for row in rows)
    assert all(row["injected"] for row in rows[1:])
    assert all(row["verified"] for row in rows)
