"""Run the faults on one stack, in a process of its own.

`tools.chaos` starts it and reads its rows as lines of JSON. It is a separate process because Django has one set of
settings per process, and because the small disk is mounted in a namespace.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from tools.chaos import faults
from tools.chaos.actions import Action, Sender
from tools.chaos.faults import Fault
from tools.chaos.followers import Follower
from tools.chaos.installation import STACKS, Installation
from tools.chaos.servers import Missing
from tools.chaos.table import NO_TIME, Row
from tools.chaos.target import Chaos

PLAYERS = 16
PACE = 2.5  # approximate seconds for a round
ANSWERED_WITHIN = 60.0  # seconds after the last fault
COUNTING = 90.0  # seconds to be left for counting when a fault begins, besides those for which it is injected
ROW_AT_MOST = 420.0  # seconds after which a row ends, even if there were fewer actions than wanted
GIVEN = ("DATABASE_POOL", "SECRET_KEY", "PRODUCTION", "DEBUG", "ALLOWED_HOSTS", "VAR_DIR", "LEDGER_KEY")
T = TypeVar("T")


@dataclass
class Trial:
    """One fault, until it is counted.

    It holds the actions people took under it, and the ledger heads of its halls from before.
    """

    row: Row
    before: dict[str, int] = field(default_factory=dict)
    actions: list[Action] = field(default_factory=list)


@dataclass(frozen=True)
class Wanted:
    """How long each fault is injected (at a time), how many actions it should meet, and when all has to be over."""

    seconds: float
    actions: int
    seed: int
    until: float  # by time.monotonic


def main() -> int:
    """Prepare, inject, count. The exit code is 0 whatever was found; the rows say it.

    A row is printed when its fault is over, and again when it has been verified.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stack", choices=STACKS)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--actions", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--left", type=float, required=True, help="seconds until all has to be over")
    parser.add_argument("--fault", action="append", required=True)
    parser.add_argument("--own-mounts", action="store_true", help="we run in a mount namespace of our own")
    args = parser.parse_args()
    order = Wanted(args.seconds, args.actions, args.seed, time.monotonic() + args.left)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    wanted = [fault for fault in faults.FAULTS if fault.name in args.fault and args.stack in fault.stacks]
    try:
        installation = Installation(args.stack, args.folder, own_mounts=args.own_mounts)
    except Missing as missing:
        _print(Row(STACKS[args.stack], "all", skipped=str(missing)))
        return 0
    try:
        _set_up_django(installation)
        asyncio.run(_Run(installation, order).all(wanted))
    finally:
        installation.close()
    return 0


def _print(row: Row) -> None:
    print(json.dumps(row.as_json()), flush=True)


def _set_up_django(installation: Installation) -> None:
    """Connect this process directly to the database of the installation, and migrate it."""
    for name in GIVEN:
        os.environ.pop(name, None)
    os.environ |= installation.environment | {"LOG_LEVEL": "ERROR"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


async def _apart(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function that uses the database in another thread, and close its connections there."""
    from django.db import connections

    def call() -> T:
        try:
            return function(*arguments)
        finally:
            connections.close_all()

    return await asyncio.to_thread(call)


class _Run:
    """One fault after another on an installation, each with its own hall; counted at the end, when all is quiet."""

    def __init__(self, installation: Installation, wanted: Wanted) -> None:
        # These import Django models, and Django was set up only just now.
        from tools.chaos import counting, hall

        self._counting, self._hall = counting, hall
        self._installation, self._wanted = installation, wanted
        self._stack = STACKS[installation.stack]

    async def all(self, faults_: list[Fault]) -> None:
        """Run these faults, and print their rows."""
        people = await _apart(self._hall.gathered, PLAYERS)
        await self._installation.start()
        watcher = asyncio.create_task(self._installation.watch())
        trials: list[Trial] = []
        for fault in faults_:
            why = fault.impossible(self._installation) or self._no_time()
            if why:
                _print(Row(self._stack, fault.title, skipped=why))
                continue
            trials.append(await self._trial(fault, people))
            _print(await _apart(self._compared, trials[-1]))
            _say(f"{self._stack}: {trials[-1].row.fault}: {trials[-1].row.answered} answered")
        if trials:
            await self._count(trials)
        watcher.cancel()
        with suppress(asyncio.CancelledError):
            await watcher
        for proxy in self._installation.proxies.values():
            await proxy.close()

    def _no_time(self) -> str:
        left = self._wanted.until - time.monotonic()
        return NO_TIME if left < self._wanted.seconds + COUNTING else ""

    # ------------------------------------------------------------------ one fault

    async def _trial(self, fault: Fault, people: Any) -> Trial:
        """Play one hall after another while a fault is injected, until there were enough actions."""
        row = Row(self._stack, fault.described(self._installation), wanted=self._wanted.actions)
        sender, rng = Sender(self._installation.base), Random(f"{self._wanted.seed} {self._stack} {fault.name}")
        trial, end = Trial(row, actions=sender.actions), time.monotonic() + ROW_AT_MOST
        why = ""
        try:
            while not why:
                hall = await _apart(self._hall.prepared, people)
                trial.before |= await _apart(self._counting.heads, hall.events)
                why = await self._play(fault, hall, row, sender, rng)
                answered = sum(action.accepted for action in sender.actions)
                if answered >= row.wanted or time.monotonic() > end or self._no_time():
                    break
        except Exception as error:  # the other faults are run all the same
            why = f"{type(error).__name__}: {error}"
        finally:
            await sender.close()
        if not row.injected and fault.inject is not faults.nothing:
            row.problems.append("never injected")
        self._note(row, sender, why)
        return trial

    async def _play(self, fault: Fault, hall: Any, row: Row, sender: Sender, rng: Random) -> str:
        """Play a hall while a fault is injected, and publish the next round once it is over.

        Returns why that was impossible, or an empty string.
        """
        followers, sender.give_up_at = hall.followers(self._installation.base), time.monotonic() + ANSWERED_WITHIN
        await asyncio.gather(*(follower.load(sender) for follower in followers))
        sender.give_up_at = float("inf")
        until = time.monotonic() + self._wanted.seconds
        injecting = asyncio.create_task(faults.inject(fault, Chaos(self._installation, sender, rng, until)))
        playing = asyncio.create_task(hall.play(sender, injecting.done, PACE, rng))
        try:
            row.injected += await injecting
            sender.give_up_at = time.monotonic() + ANSWERED_WITHIN
            await playing
            before = await _apart(self._counting.heads, [hall.event])
            why: str = await hall.go_on(sender)
            if not why:
                row.problems += await self._missed(followers, hall.event, before[hall.event])
            return why
        except TimeoutError as error:
            return str(error) or "the web did not answer again"
        finally:
            injecting.cancel()
            playing.cancel()
            await asyncio.gather(*(follower.close() for follower in followers))
            row.reopened += sum(max(follower.opened - 1, 0) for follower in followers)

    async def _missed(self, followers: list[Follower], event: str, before: int) -> list[str]:
        """What pages that were open all the time did not learn of the round that was published last."""
        number = (await _apart(self._counting.heads, [event]))[event]
        missed = await asyncio.gather(*(follower.missed(number, "round", before) for follower in followers))
        return [problem for each in missed for problem in each]

    def _note(self, row: Row, sender: Sender, why: str) -> None:
        actions, lifted = sender.actions, self._installation.lifted
        row.answered = sum(action.accepted for action in actions)
        row.again = sum(action.tries > 1 for action in actions)
        row.unavailable, row.errors, row.went_on = sender.unavailable, sender.errors, not why
        row.wait = max((_wait(action, lifted) for action in actions), default=0.0)
        unanswered = [action for action in actions if action.answered is None]
        row.problems += [why] if why else []
        row.problems += [f"{what}: {count} times" for what, count in sender.failures.items()]
        row.problems += [f"never answered: {action.kind} at {action.path}" for action in unanswered]
        row.problems += [f"ended by itself: {name}, {count} times" for name, count in self._installation.died.items()]
        row.problems += [] if row.answered else ["nobody could do anything"]
        self._installation.died.clear()

    # ------------------------------------------------------------------ the count

    async def _count(self, trials: list[Trial]) -> None:
        """Count what is there once the queue is empty, and verify everything."""
        emptied = await _apart(self._counting.wait_until_empty)
        found = await asyncio.to_thread(self._counting.verify)
        for trial in trials:
            trial.row = await _apart(self._verified, trial, found)
        last = trials[-1].row
        of_none = [each for event, listed in found.items() if not self._is_of(event, trials) for each in listed]
        last.faults += len(of_none)
        last.problems += [f"manage.py verify: {each}" for each in of_none]
        last.problems += await _apart(self._counting.failed_jobs)
        if emptied is None:
            left = await _apart(self._counting.left_jobs)
            last.problems.append(f"the queue was not empty within {self._counting.PATIENCE:.0f} seconds: {left}")
        for trial in trials:
            _print(trial.row)
            for problem in trial.row.problems:
                _say(f"{self._stack}: {trial.row.fault}: {problem}")

    def _is_of(self, event: str, trials: list[Trial]) -> bool:
        return any(event in trial.before for trial in trials)

    def _compared(self, trial: Trial) -> Row:
        """The row of a fault, with what was lost and what exists twice."""
        lost, doubled = self._counting.compare(trial.actions, trial.before)
        problems = [f"lost: {each}" for each in self._counting.described(lost)]
        problems += [f"doubled: {each}" for each in self._counting.described(doubled)]
        return replace(trial.row, lost=lost.total(), doubled=doubled.total(), problems=[*trial.row.problems, *problems])

    def _verified(self, trial: Trial, found: dict[str, list[str]]) -> Row:
        row = replace(self._compared(trial), verified=True)
        for event in trial.before:
            row.faults += len(found.get(event, ()))
            row.problems += [f"manage.py verify: {event}: {each}" for each in found.get(event, ())]
            row.problems += self._counting.old_standings(event)
        return row


def _wait(action: Action, lifted: list[float]) -> float:
    """Seconds an action waited for its answer, since it was sent or since the last fault it met ended."""
    if action.answered is None:
        return 0.0
    over = [moment for moment in lifted if action.sent < moment <= action.answered]
    return action.answered - max([action.sent, *over])


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
