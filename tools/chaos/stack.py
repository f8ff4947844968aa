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
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from tools.chaos import faults
from tools.chaos.actions import Action, Sender
from tools.chaos.faults import Chaos, Fault
from tools.chaos.installation import STACKS, Installation
from tools.chaos.servers import Missing
from tools.chaos.table import Row

PLAYERS = 16
PACE = 2.5  # approximate seconds for a round
ANSWERED_WITHIN = 60.0  # seconds after the last fault
GIVEN = ("DATABASE_POOL", "SECRET_KEY", "PRODUCTION", "DEBUG", "ALLOWED_HOSTS", "VAR_DIR", "LEDGER_KEY")
T = TypeVar("T")


@dataclass
class Trial:
    """One fault, until it is counted.

    It holds the actions people took under it, and the ledger heads from before.
    """

    row: Row
    before: dict[str, int]
    actions: list[Action] = field(default_factory=list)


def main() -> int:
    """Prepare, inject, count. The exit code is 0 whatever was found; the rows say it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stack", choices=STACKS)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--fault", action="append", required=True)
    parser.add_argument("--own-mounts", action="store_true", help="we run in a mount namespace of our own")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    wanted = [fault for fault in faults.FAULTS if fault.name in args.fault and args.stack in fault.stacks]
    try:
        installation = Installation(args.stack, args.folder, own_mounts=args.own_mounts)
    except Missing as missing:
        _print(Row(STACKS[args.stack], "all", skipped=str(missing)))
        return 0
    try:
        _set_up_django(installation)
        for row in asyncio.run(_Run(installation, args.seconds, args.seed).all(wanted)):
            _print(row)
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

    def __init__(self, installation: Installation, seconds: float, seed: int) -> None:
        # These import Django models, and Django was set up only just now.
        from tools.chaos import counting, hall

        self._counting, self._hall = counting, hall
        self._installation, self._seconds, self._seed = installation, seconds, seed
        self._stack = STACKS[installation.stack]

    async def all(self, wanted: list[Fault]) -> list[Row]:
        """The rows of all these faults."""
        people = await _apart(self._hall.gathered, PLAYERS)
        await self._installation.start()
        watcher = asyncio.create_task(self._installation.watch())
        trials: list[Trial] = []
        for fault in wanted:
            why = fault.impossible(self._installation)
            if why:
                trials.append(Trial(Row(self._stack, fault.title, skipped=why), {}))
                continue
            trials.append(await self._trial(fault, people))
            _say(f"{self._stack}: {trials[-1].row.fault}: {trials[-1].row.answered} answered")
        await self._count(trials)
        watcher.cancel()
        with suppress(asyncio.CancelledError):
            await watcher
        for proxy in self._installation.proxies.values():
            await proxy.close()
        return [trial.row for trial in trials]

    # ------------------------------------------------------------------ one fault

    async def _trial(self, fault: Fault, people: Any) -> Trial:
        """Play a hall while a fault is injected, and publish the next round once it is over."""
        row = Row(self._stack, fault.described(self._installation))
        hall = await _apart(self._hall.prepared, people)
        trial = Trial(row, await _apart(self._counting.heads, [hall.event, hall.door]))
        sender, rng = Sender(self._installation.base), Random(f"{self._seed} {self._stack} {fault.name}")
        trial.actions = sender.actions
        until = time.monotonic() + self._seconds
        injecting = asyncio.create_task(faults.inject(fault, Chaos(self._installation, sender, rng, until)))
        playing = asyncio.create_task(hall.play(sender, injecting.done, PACE, rng))
        try:
            row.injected = await injecting
            sender.give_up_at = time.monotonic() + ANSWERED_WITHIN
            await playing
            why = await hall.go_on(sender)
        except TimeoutError as error:
            why = str(error) or "the web did not answer again"
        finally:
            injecting.cancel()
            playing.cancel()
            await sender.close()
        if not row.injected and fault.inject is not faults.nothing:
            row.problems.append("never injected")
        self._note(row, sender, why)
        return trial

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
            await _apart(self._count_one, trial, found)
        last = trials[-1].row
        of_none = [each for event, listed in found.items() if not self._is_of(event, trials) for each in listed]
        last.faults += len(of_none)
        last.problems += [f"manage.py verify: {each}" for each in of_none]
        last.problems += await _apart(self._counting.failed_jobs)
        if emptied is None:
            last.problems.append(f"the queue was not empty within {self._counting.PATIENCE:.0f} seconds")

    def _is_of(self, event: str, trials: list[Trial]) -> bool:
        return any(event in trial.before for trial in trials)

    def _count_one(self, trial: Trial, found: dict[str, list[str]]) -> None:
        row = trial.row
        lost, doubled = self._counting.compare(trial.actions, trial.before)
        row.lost, row.doubled = lost.total(), doubled.total()
        row.problems += [f"lost: {each}" for each in self._counting.described(lost)]
        row.problems += [f"doubled: {each}" for each in self._counting.described(doubled)]
        for event in trial.before:
            row.faults += len(found.get(event, ()))
            row.problems += [f"manage.py verify: {event}: {each}" for each in found.get(event, ())]
            row.problems += self._counting.old_standings(event)


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
