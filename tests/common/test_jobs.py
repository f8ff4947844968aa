"""The outbox: one pending job per key, claims under a lease, retries, batches, and a broker that is down."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery import Celery, current_app
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, connections, transaction

from tournaments.common import broker, jobs
from tournaments.common.jobs import LeaseLost, RunningJob
from tournaments.common.models import Job
from tournaments.common.refusals import Refusal

NOW = datetime(2026, 3, 14, 10, 0, tzinfo=UTC)


KIND = "test.work"


def under_way(key: str) -> bool:
    """Whether there is a pending or running job for this key."""
    state = jobs.state_of(KIND, key)
    return state is not None and state.status in ("pending", "running")


Calls = list[RunningJob]


def second(count: float) -> datetime:
    return NOW + timedelta(seconds=count)


def ask(key: str = "e-1", *, now: datetime = NOW, **options: Any) -> Job:
    with transaction.atomic():
        return jobs.enqueue(KIND, key, now=now, **options)


def handled_by(monkeypatch: pytest.MonkeyPatch, function: Callable[[RunningJob], None]) -> None:
    monkeypatch.setitem(jobs._handlers, KIND, function)


def raising(error: Exception) -> Callable[[RunningJob], None]:
    def work(job: RunningJob) -> None:
        raise error

    return work


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Any]]]:
    """Record the messages instead of sending them to a broker."""
    messages: list[tuple[str, Any]] = []

    def send_task(name: str, args: Any = (), **options: Any) -> None:
        messages.append((name, args))

    monkeypatch.setattr(jobs.current_app, "send_task", send_task)
    monkeypatch.setattr(jobs, "_quiet_until", float("-inf"))
    yield messages


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    seen: Calls = []
    handled_by(monkeypatch, seen.append)
    return seen


def together(*functions: Callable[[], object]) -> None:
    """Run each function in a thread with its own connection, started at the same time; raise the first error."""
    gate = threading.Barrier(len(functions))
    errors: list[BaseException] = []

    def start(function: Callable[[], object]) -> None:
        try:
            gate.wait()
            function()
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=start, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


# Handlers


def test_two_handlers_for_one_kind_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    handled_by(monkeypatch, lambda job: None)
    with pytest.raises(RuntimeError, match=KIND):
        jobs.handler(KIND)(lambda job: None)


def test_a_kind_with_a_handler_is_listed(calls: Calls) -> None:
    assert KIND in jobs.kinds()


# Enqueueing


@pytest.mark.parametrize("kind", sorted(jobs.kinds()))
def test_every_kind_is_the_name_of_a_task_and_audits_have_a_queue_of_their_own(kind: str) -> None:
    app = current_app._get_current_object()
    assert kind in app.tasks
    queue = app.amqp.router.route({}, kind)["queue"].name
    assert queue == ("audits" if kind.startswith("audits.") else "arbitre")


def test_a_worker_reads_both_queues_unless_it_is_told_otherwise() -> None:
    app = Celery("worker", config_source=broker.celery_settings, set_as_current=False)
    assert set(app.amqp.queues.consume_from) == {"arbitre", "audits"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["test.registered", "common.run_job"])
def test_a_job_is_done_whether_its_message_has_the_name_of_its_kind_or_the_old_name_of_all_jobs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: Calls = []
    monkeypatch.setattr(jobs, "_handlers", dict(jobs._handlers))
    jobs.handler("test.registered")(seen.append)
    with transaction.atomic():
        job = jobs.enqueue("test.registered", "e-1", now=NOW)
    current_app.tasks[name].run(job.pk)
    assert [each.id for each in seen] == [job.pk]


@pytest.mark.django_db(transaction=True)
def test_a_job_of_an_unknown_kind_is_sent_under_the_name_that_every_worker_knows(sent: list[tuple[str, Any]]) -> None:
    with transaction.atomic():
        job = jobs.enqueue("test.unknown", "e-1", now=NOW)
    assert sent == [("common.run_job", [job.pk])]


@pytest.mark.django_db(transaction=True)
def test_a_job_can_only_be_enqueued_inside_a_transaction() -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        jobs.enqueue(KIND, "e-1", now=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_message_is_sent_on_commit_and_not_before(sent: list[tuple[str, Any]], calls: Calls) -> None:
    with transaction.atomic():
        job = jobs.enqueue(KIND, "e-1", now=NOW)
        assert sent == []
    assert sent == [(KIND, [job.pk])]


@pytest.mark.django_db(transaction=True)
def test_a_rollback_leaves_no_job_and_sends_no_message(sent: list[tuple[str, Any]]) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        jobs.enqueue(KIND, "e-1", now=NOW)
        raise ZeroDivisionError
    assert (Job.objects.count(), sent) == (0, [])


@pytest.mark.django_db
def test_a_pending_job_is_reused_with_the_newest_payload_and_the_earlier_time() -> None:
    first = ask(payload={"version": 1}, run_after=second(30.5))
    again = ask(payload={"version": 2}, run_after=second(30))
    later = ask(payload={"version": 3}, run_after=second(90))
    assert first.pk == again.pk == later.pk
    assert (later.payload, later.run_after) == ({"version": 3}, second(30))


@pytest.mark.django_db
def test_different_keys_have_different_jobs() -> None:
    assert ask("e-1").pk != ask("e-2").pk


@pytest.mark.django_db
def test_enqueueing_twice_keeps_the_callers_transaction_usable() -> None:
    with transaction.atomic():
        jobs.enqueue(KIND, "e-1", now=NOW)
        jobs.enqueue(KIND, "e-1", now=NOW)
        assert Job.objects.count() == 1


@pytest.mark.django_db
def test_a_running_job_is_not_reused(calls: Calls) -> None:
    first = ask()
    assert jobs._claim(first.pk, NOW)
    assert ask().pk != first.pk


@pytest.mark.django_db(transaction=True)
def test_a_hundred_requests_at_once_make_one_job() -> None:
    def flood() -> None:
        for _ in range(25):
            ask()

    together(flood, flood, flood, flood)
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_claim_between_coalescing_and_commit_loses_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request joins a pending job and is slow to commit; a worker that claims the job must see its payload."""
    seen: list[int] = []
    handled_by(monkeypatch, lambda job: seen.append(job.payload["version"]))
    job = ask(payload={"version": 1})
    joined = threading.Event()

    def request() -> None:
        with transaction.atomic():
            jobs.enqueue(KIND, "e-1", now=NOW, payload={"version": 2})
            joined.set()
            time.sleep(0.3)

    def worker() -> None:
        joined.wait()
        jobs.run(job.pk, now=NOW)

    together(request, worker)
    jobs.run_due(NOW)
    assert seen == [2]


@pytest.mark.django_db(transaction=True)
def test_work_enqueued_while_workers_claim_is_never_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    newest: list[int] = [0]
    read: list[int] = []
    handled_by(monkeypatch, lambda job: read.append(job.payload["version"]))
    asked = threading.Event()

    def requests() -> None:
        for version in range(1, 61):
            ask(payload={"version": version})
            newest[0] = version
        asked.set()

    def worker() -> None:
        while not asked.is_set():
            jobs.run_due(NOW)

    together(requests, worker, worker)
    jobs.run_due(NOW)
    assert read[-1] == newest[0] == 60
    assert not under_way("e-1")


# Claiming


@pytest.mark.django_db
def test_a_job_is_run_once(calls: Calls) -> None:
    job = ask(payload={"round": 3})
    assert jobs.run(job.pk, now=NOW)
    assert not jobs.run(job.pk, now=second(1))
    assert [(call.kind, call.key, call.payload, call.attempt, call.now) for call in calls] == [
        (KIND, "e-1", {"round": 3}, 1, NOW)
    ]
    job.refresh_from_db()
    assert (job.status, job.progress, job.lease_until) == ("done", 100, None)


@pytest.mark.django_db
def test_a_job_is_not_run_before_its_time(calls: Calls) -> None:
    job = ask(run_after=second(60))
    assert not jobs.run(job.pk, now=second(59))
    assert jobs.run(job.pk, now=second(60))


@pytest.mark.django_db(transaction=True)
def test_only_one_of_four_workers_runs_the_job(calls: Calls) -> None:
    job = ask()

    def worker() -> None:
        jobs.run(job.pk, now=NOW)

    together(worker, worker, worker, worker)
    assert len(calls) == 1


@pytest.mark.django_db
def test_a_job_waits_for_a_running_job_of_the_same_key(calls: Calls, sent: list[tuple[str, Any]]) -> None:
    first = ask()
    lease = jobs._claim(first.pk, NOW)
    following = ask()
    assert not jobs.run(following.pk, now=second(1))
    assert lease
    jobs._do(Job.objects.get(pk=first.pk), lease)
    jobs._send_next([first], second(2))
    assert sent == [(KIND, [following.pk])]
    assert jobs.run(following.pk, now=second(2))


@pytest.mark.django_db
def test_a_job_whose_worker_died_is_taken_over_when_its_lease_runs_out(calls: Calls) -> None:
    job = ask()
    assert jobs._claim(job.pk, NOW)
    assert not jobs.run(job.pk, now=second(14))
    assert jobs.run(job.pk, now=second(15))
    assert [call.attempt for call in calls] == [2]


@pytest.mark.django_db
def test_a_worker_that_lost_its_lease_cannot_change_the_job(calls: Calls) -> None:
    job = ask()
    lost = jobs._claim(job.pk, NOW)
    assert lost
    taken = jobs._claim(job.pk, second(20))
    assert taken
    stale = RunningJob(job.pk, KIND, "e-1", {}, 1, NOW, lost)
    with pytest.raises(LeaseLost):
        stale.progress(80)
    jobs._end(lost, Job.Status.DONE, progress=100)
    jobs._try_later(job, lost, "ValueError: late")
    job.refresh_from_db()
    assert (job.status, job.progress, job.lease_token, job.error) == ("running", 0, taken.token, "")


@pytest.mark.django_db
def test_long_work_stops_when_its_lease_is_lost_and_is_left_to_the_new_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    job = ask()

    def work(running: RunningJob) -> None:
        done.append("first half")
        assert jobs._claim(job.pk, second(20))
        running.progress(50)
        done.append("second half")

    handled_by(monkeypatch, work)
    assert jobs.run(job.pk, now=NOW)
    job.refresh_from_db()
    assert done == ["first half"]
    assert (job.status, job.attempts, job.error) == ("running", 1, "")


@pytest.mark.django_db
def test_a_job_that_keeps_killing_its_worker_finally_fails(calls: Calls) -> None:
    job = ask()
    for turn in range(20):
        jobs._claim(job.pk, second(20 * turn))
        if turn == 6:
            break
    assert jobs.run(job.pk, now=second(1000))
    job.refresh_from_db()
    assert calls and job.status == "done"
    Job.objects.filter(pk=job.pk).update(status="running", attempts=7, lease_until=NOW)
    assert jobs.run(job.pk, now=second(2000))
    job.refresh_from_db()
    assert (job.status, job.error, len(calls)) == ("failed", "the worker was lost each time", 1)


@pytest.mark.django_db(transaction=True)
def test_the_lease_of_a_long_job_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LEASE", timedelta(seconds=0.6))
    monkeypatch.setattr(jobs, "HEARTBEAT", 0.1)
    monkeypatch.setattr(jobs, "_heartbeat", jobs._Heartbeat())
    stolen: list[bool] = []
    job = ask()

    def work(running: RunningJob) -> None:
        time.sleep(1)
        stolen.append(jobs.run(job.pk, now=second(1)))

    handled_by(monkeypatch, work)
    assert jobs.run(job.pk, now=NOW)
    job.refresh_from_db()
    assert (stolen, job.status) == ([False], "done")


@pytest.mark.django_db
def test_a_job_that_runs_inside_a_transaction_does_not_lose_its_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "HEARTBEAT", 0.05)
    monkeypatch.setattr(jobs, "_heartbeat", jobs._Heartbeat())
    job = ask()

    def work(running: RunningJob) -> None:
        time.sleep(0.3)
        running.progress(50)

    handled_by(monkeypatch, work)
    assert jobs.run(job.pk, now=NOW)
    job.refresh_from_db()
    assert job.status == "done"


# Batches


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The keys of each batch given to a handler of at most three jobs, which raises if one of the keys is "bad"."""
    given: list[list[str]] = []

    def work(batch: list[RunningJob]) -> None:
        given.append([job.key for job in batch])
        if "bad" in given[-1]:
            raise ValueError("a bad job")

    monkeypatch.setattr(jobs, "_handlers", dict(jobs._handlers))
    monkeypatch.setattr(jobs, "_batches", dict(jobs._batches))
    jobs.batch_handler(KIND, at_most=3)(work)
    return given


def ended(*, status: str = "done") -> set[str]:
    return set(Job.objects.filter(status=status).values_list("key", flat=True))


@pytest.mark.django_db
def test_waiting_jobs_are_done_in_one_batch_with_the_job_that_is_run(batches: list[list[str]]) -> None:
    asked = [ask(key) for key in "abcd"]
    assert jobs.run(asked[1].pk, now=NOW)
    assert batches == [["b", "a", "c"]]
    assert (ended(), ended(status="pending")) == ({"a", "b", "c"}, {"d"})
    assert set(Job.objects.filter(status="done").values_list("progress", "lease_until", "error")) == {(100, None, "")}


@pytest.mark.django_db
def test_the_message_of_a_job_already_done_in_a_batch_does_nothing(batches: list[list[str]]) -> None:
    first, second_one = ask("a"), ask("b")
    assert jobs.run(first.pk, now=NOW)
    assert not jobs.run(second_one.pk, now=NOW)
    assert batches == [["a", "b"]]


@pytest.mark.django_db
def test_a_bad_job_does_not_fail_its_batch_and_is_retried_alone(batches: list[list[str]]) -> None:
    asked = [ask(key) for key in ("a", "bad", "c")]
    assert jobs.run(asked[0].pk, now=NOW)
    assert batches == [["a", "bad", "c"], ["a"], ["bad"], ["c"]]
    assert (ended(), ended(status="pending")) == ({"a", "c"}, {"bad"})
    ask("d", now=second(1))
    assert jobs.run(asked[1].pk, now=second(3))
    assert batches[4:] == [["bad"]]


@pytest.mark.django_db
def test_a_job_that_is_not_due_or_whose_key_is_running_does_not_join_a_batch(batches: list[list[str]]) -> None:
    running = ask("b")
    assert jobs._claim(running.pk, NOW)
    ask("b")
    ask("later", run_after=second(30))
    assert jobs.run(ask("a").pk, now=NOW)
    assert batches == [["a"]]


@pytest.mark.django_db
def test_the_jobs_of_a_killed_worker_are_taken_over_one_by_one(
    batches: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [ask(key) for key in "ab"]

    def killed(batch: list[RunningJob]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setitem(jobs._batches, KIND, (killed, 3))
        jobs.run(asked[0].pk, now=NOW)
    assert ended(status="running") == {"a", "b"}
    assert jobs.run_due(second(1)) == 0
    assert jobs.run_due(second(60)) == 2
    assert batches == [["a"], ["b"]]
    assert set(Job.objects.values_list("attempts", flat=True)) == {1}


@pytest.mark.django_db(transaction=True)
def test_two_workers_with_batches_do_each_job_once(batches: list[list[str]]) -> None:
    asked = [ask(str(number)).pk for number in range(30)]

    def worker(order: list[int]) -> None:
        for job in order:
            jobs.run(job, now=NOW)

    together(lambda: worker(asked), lambda: worker(asked[::-1]))
    assert sorted(key for batch in batches for key in batch) == sorted(map(str, range(30)))
    assert len(ended()) == 30


# Failing


@pytest.mark.django_db
def test_retries_after_an_exception_wait_twice_as_long_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    handled_by(monkeypatch, raising(ValueError("no such round")))
    job = ask()
    delays = []
    at = NOW
    for _ in range(8):
        assert jobs.run(job.pk, now=at)
        job.refresh_from_db()
        delays.append(round((job.run_after - at).total_seconds()))
        at = job.run_after
    assert delays[:7] == [1, 2, 4, 8, 16, 32, 60]
    assert (job.status, job.attempts, job.error) == ("failed", 8, "ValueError: no such round")


@pytest.mark.django_db
def test_a_refusal_is_not_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    handled_by(monkeypatch, raising(Refusal("event_archived", "The event is archived.")))
    job = ask()
    jobs.run(job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.status, job.error, job.attempts) == ("failed", "event_archived", 0)


@pytest.mark.django_db
def test_the_stored_error_has_no_email_address_and_no_row_values(monkeypatch: pytest.MonkeyPatch) -> None:
    handled_by(monkeypatch, raising(DatabaseError("duplicate key of ada@example.org\nDETAIL: (name)=(Ada)")))
    job = ask()
    jobs.run(job.pk, now=NOW)
    job.refresh_from_db()
    assert job.error == "DatabaseError: duplicate key of <address>"


@pytest.mark.django_db
def test_a_failed_attempt_gives_way_to_newer_work(monkeypatch: pytest.MonkeyPatch) -> None:
    handled_by(monkeypatch, lambda job: (ask(), raising(ValueError("stale"))(job))[0])
    job = ask()
    jobs.run(job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.status, job.error) == ("done", "superseded after ValueError: stale")
    assert Job.objects.filter(status="pending").count() == 1


@pytest.mark.django_db
def test_a_job_without_a_handler_is_retried() -> None:
    job = ask()
    jobs.run(job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.status, job.error) == ("pending", "LookupError: no handler for this kind")


# Sweeping


@pytest.mark.django_db
def test_the_sweep_sends_due_jobs_and_nothing_else(calls: Calls, sent: list[tuple[str, Any]]) -> None:
    due, abandoned, ended = ask("due"), ask("abandoned"), ask("ended")
    ask("later", run_after=second(500))
    jobs._claim(abandoned.pk, NOW)
    jobs.run(ended.pk, now=NOW)
    running = ask("running")
    jobs._claim(running.pk, second(60))
    assert jobs.sweep(second(61)) == 2
    assert sorted(args[0] for _, args in sent) == [due.pk, abandoned.pk]


@pytest.mark.django_db
def test_the_sweep_deletes_jobs_finished_a_week_ago(calls: Calls) -> None:
    old, recent = ask("old"), ask("recent")
    jobs.run(old.pk, now=NOW)
    jobs.run(recent.pk, now=NOW + timedelta(days=1))
    jobs.sweep(NOW + timedelta(days=7, hours=1))
    assert list(Job.objects.values_list("key", flat=True)) == ["recent"]


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_fails_no_request_and_is_not_tried_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def send_task(name: str, **options: Any) -> None:
        tried.append(name)
        raise ConnectionRefusedError

    monkeypatch.setattr(jobs.current_app, "send_task", send_task)
    job = ask("e-1")
    ask("e-2")
    assert len(tried) == 1
    assert jobs.sweep(NOW) == 0
    monkeypatch.setattr(jobs, "_quiet_until", time.monotonic())
    monkeypatch.setattr(jobs.current_app, "send_task", lambda *args, **options: None)
    assert jobs.sweep(NOW) == 2
    assert job.status == "pending"


# State


@pytest.mark.django_db
def test_pages_can_see_the_state_of_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[tuple[str, int]] = []

    def look() -> None:
        state = jobs.state_of(KIND, "e-1")
        assert state
        states.append((state.status, state.progress))

    def work(job: RunningJob) -> None:
        job.progress(40)
        job.progress(41)
        look()

    handled_by(monkeypatch, work)
    assert jobs.state_of(KIND, "e-1") is None
    assert not under_way("e-1")
    job = ask()
    look()
    assert under_way("e-1")
    jobs.run(job.pk, now=NOW)
    look()
    assert states == [("pending", 0), ("running", 40), ("done", 100)]
    assert not under_way("e-1")


@pytest.mark.django_db
def test_the_jobs_command_lists_jobs_and_retries_a_failed_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    handled_by(monkeypatch, raising(Refusal("event_archived", "The event is archived.")))
    job = ask()
    jobs.run(job.pk, now=NOW)
    call_command("jobs")
    assert f"{job.pk} failed {KIND} e-1" in capsys.readouterr().out
    call_command("jobs", retry=job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == ("pending", "")
    with pytest.raises(CommandError):
        call_command("jobs", retry=job.pk)
    assert connection.is_usable()
