"""Break installations on purpose and check that no action is lost or doubled: `make chaos`.

On each stack a small event is played over HTTP while faults are injected one after the other: people report and confirm
results, check in, pay, call judges, upload logs, enter walk-ins and publish rounds. Requests without an answer are
repeated under the same key. Some people leave a page open, which follows the live stream. At the end everything is
counted: each action answered with success must be there exactly once, no answer was 500, `manage.py verify --all` finds
nothing, the next round can be published, and the open pages learn of it by themselves.

The table is printed in any case, with the rows so far. The exit code is 1 if any of this does not hold, 130 after
Ctrl-C, and 143 after SIGTERM. Faults for which no time is left are skipped, which is no failure.

The servers (PostgreSQL, Redis, RabbitMQ) are started for the run and end with it. When run as root, a small disk is
mounted to be filled, and packets are lost in a network namespace; otherwise a limit on file sizes and proxies simulate
both.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.chaos.faults import FAULTS
from tools.chaos.installation import STACKS
from tools.chaos.processes import adopt_orphans, end_descendants
from tools.chaos.table import NO_TIME, Row, markdown
from tournaments.config.launcher import end_with_parent
from tournaments.config.places import TOP

STACK_CHOICES = {
    **{name: (name,) for name in STACKS},
    "services": ("redis", "rabbitmq"),
    "both": ("sqlite", "redis", "rabbitmq"),
}
SECONDS = 6.0
LIMIT = 15.0  # minutes
LEAST = 120.0  # seconds without which a stack is not even prepared, besides those for which a fault is injected
GRACE = 20.0  # seconds a stack has to end when it is told to
KEPT = TOP / "var" / "chaos"
Rows = dict[tuple[str, str], Row]  # by stack and fault: a stack prints a row again when it has been verified


def main() -> int:
    """Run the faults on the stacks and print the table; returns the exit code."""
    args = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    adopt_orphans()
    time_of_end, rows, stopped = time.monotonic() + args.minutes * 60, Rows(), 0
    try:
        for stack in STACK_CHOICES[args.stack]:
            _run_stack(stack, args, time_of_end, rows)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        stopped = 130
    except SystemExit:  # SIGTERM
        stopped = 143
    code = _report(list(rows.values()), as_json=args.json)
    return stopped or code


def _arguments() -> argparse.Namespace:
    names = [fault.name for fault in FAULTS]
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("--stack", choices=STACK_CHOICES, default="both")
    parser.add_argument("--fault", action="append", choices=names, metavar="NAME", help=f"one of: {', '.join(names)}")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for how long each fault is injected")
    parser.add_argument("--actions", type=int, default=0, help="at least so many actions under each fault")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=LIMIT, help="after which the whole run is ended")
    parser.add_argument("--json", action="store_true", help="everything as JSON, without the table")
    return parser.parse_args()


def _report(rows: list[Row], *, as_json: bool) -> int:
    """Print the table. Returns the exit code for these rows."""
    print(json.dumps([row.as_json() for row in rows], indent=1) if as_json else markdown(rows), flush=True)
    late = sum(row.skipped == NO_TIME for row in rows)
    if late:
        print(f"no time was left for {late} rows: see --minutes", file=sys.stderr)
    ran = any(not row.skipped for row in rows)
    return int(not ran or any(row.failed or (row.is_missing and _is_strict()) for row in rows))


def _is_strict() -> bool:
    """Whether a missing server is a failure, as a skipped test is in `make test-services`."""
    return os.environ.get("REQUIRE_SERVICES") == "1"


def _run_stack(stack: str, args: argparse.Namespace, until: float, rows: Rows) -> None:
    """Run the faults on one stack, in a process of its own, adding to the rows. All it started is gone afterwards."""
    names = args.fault or [fault.name for fault in FAULTS]
    if not any(stack in fault.stacks for fault in FAULTS if fault.name in names):
        return
    left = until - time.monotonic()
    if left < args.seconds + LEAST:
        rows[stack, "all"] = Row(STACKS[stack], "all", skipped=NO_TIME)
        return
    with _folder() as folder:
        options = ["--folder", str(folder), "--left", str(left)]
        options += [part for name in ("seconds", "actions", "seed") for part in (f"--{name}", str(getattr(args, name)))]
        options += [part for name in names for part in ("--fault", name)]
        why = _run([*_command(), stack, *options], until, rows)
        if why:
            rows[stack, "all"] = Row(STACKS[stack], "all", went_on=False, problems=[why])
        if any(row.failed for row in rows.values() if row.stack == STACKS[stack]):
            _keep_logs(folder / "logs", stack)


def _command() -> list[str]:
    """The command that runs a stack: in a mount namespace of its own, if that is allowed."""
    program = [sys.executable, "-m", "tools.chaos.stack"]
    apart = ["unshare", "--mount", "--propagation", "private"]
    if shutil.which("unshare") and not subprocess.run([*apart, "true"], capture_output=True).returncode:
        return [*apart, *program, "--own-mounts"]
    return program


@contextmanager
def _folder() -> Iterator[Path]:
    """A temporary folder. At the end, however it comes, everything started since is killed and the folder removed."""
    folder = Path(tempfile.mkdtemp(prefix="arbitre-chaos-"))
    folder.chmod(0o711)  # the servers run under other accounts, which must reach their folders
    try:
        yield folder
    finally:
        end_descendants()
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], until: float, rows: Rows) -> str:
    """Take in the rows that a stack prints. Returns a reason if the run was incomplete. It is ended when time is up."""
    process = subprocess.Popen(
        command, cwd=TOP, stdout=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=end_with_parent
    )
    watchdog = threading.Timer(max(until - time.monotonic(), 0), process.terminate)
    watchdog.start()
    try:
        assert process.stdout is not None
        for line in process.stdout:
            row = Row.from_json(json.loads(line))
            rows[row.stack, row.fault] = row
        code = process.wait()
    finally:
        watchdog.cancel()
        _end(process)
    if time.monotonic() > until:
        return "the run took too long and was ended"
    return f"the run ended with exit code {code}" if code else ""


def _end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)


def _keep_logs(logs: Path, stack: str) -> None:
    """Keep the logs of a stack's processes for diagnosis."""
    kept = KEPT / stack
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(logs, kept)
    print(f"logs: {kept.relative_to(TOP)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
