"""Break installations on purpose and check that no action is lost or doubled: `make chaos`.

On each stack a small event is played over HTTP while faults are injected one after the other: people report and confirm
results, check in, call judges, upload logs, enter walk-ins and publish rounds. Requests without an answer are repeated
under the same key. At the end everything is counted: each action answered with success must be there exactly once, no
answer was 500, `manage.py verify --all` finds nothing, and the next round can be published. The exit code is 1 if any
of this does not hold.

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
from tools.chaos.table import Row, markdown
from tournaments.config.launcher import end_with_parent
from tournaments.config.places import TOP

STACK_CHOICES = {
    **{name: (name,) for name in STACKS},
    "services": ("redis", "rabbitmq"),
    "both": ("sqlite", "redis", "rabbitmq"),
}
SECONDS = 6.0
LIMIT = 15.0  # minutes
GRACE = 20.0  # seconds a stack has to end when it is told to
KEPT = TOP / "var" / "chaos"


def main() -> int:
    """Run the faults on the stacks and print the table; returns the exit code."""
    args = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    adopt_orphans()
    until, rows = time.monotonic() + args.minutes * 60, []
    try:
        for stack in STACK_CHOICES[args.stack]:
            rows += _rows_of(stack, args, until)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    print(json.dumps([row.as_json() for row in rows], indent=1) if args.json else markdown(rows))
    return int(not rows or any(row.failed or (row.skipped and _is_strict()) for row in rows))


def _arguments() -> argparse.Namespace:
    names = [fault.name for fault in FAULTS]
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("--stack", choices=STACK_CHOICES, default="both")
    parser.add_argument("--fault", action="append", choices=names, metavar="NAME", help=f"one of: {', '.join(names)}")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for how long each fault is injected")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=LIMIT, help="after which the whole run is ended")
    parser.add_argument("--json", action="store_true", help="everything as JSON, without the table")
    return parser.parse_args()


def _is_strict() -> bool:
    """Whether a skipped row is a failure, as a skipped test is in `make test-services`."""
    return os.environ.get("REQUIRE_SERVICES") == "1"


def _rows_of(stack: str, args: argparse.Namespace, until: float) -> list[Row]:
    """Run the faults on one stack, in a process of its own. Everything it started is gone afterwards."""
    names = args.fault or [fault.name for fault in FAULTS]
    if not any(stack in fault.stacks for fault in FAULTS if fault.name in names):
        return []
    with _folder() as folder:
        options = ["--folder", str(folder), "--seconds", str(args.seconds), "--seed", str(args.seed)]
        options += [part for name in names for part in ("--fault", name)]
        rows, why = _run([*_command(), stack, *options], until)
        if why:
            rows.append(Row(STACKS[stack], "all", went_on=False, problems=[why]))
        if any(row.failed for row in rows):
            _keep_logs(folder / "logs", stack)
    return rows


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


def _run(command: list[str], until: float) -> tuple[list[Row], str]:
    """The rows that a stack prints, and a reason if the run was incomplete. The run is ended when time is up."""
    process = subprocess.Popen(
        command, cwd=TOP, stdout=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=end_with_parent
    )
    watchdog = threading.Timer(max(until - time.monotonic(), 0), process.terminate)
    watchdog.start()
    try:
        assert process.stdout is not None
        rows = [Row.from_json(json.loads(line)) for line in process.stdout]
        code = process.wait()
    finally:
        watchdog.cancel()
        _end(process)
    if time.monotonic() > until:
        return rows, "the run took too long and was ended"
    return rows, f"the run ended with exit code {code}" if code else ""


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
