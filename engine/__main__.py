"""The engine at the command line: `python -m engine COMMAND …`."""

from __future__ import annotations

import argparse
import sys

from engine.cli import catalogs, decks, logs
from engine.cli.output import finish, give_up, say

BROKEN_PIPE = 141  # what a shell reports of a program that a closed pipe ended


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code (0 yes, 1 no, 2 unreadable, 3 undetermined).

    2 also where the output cannot be written, 141 where its reader has gone (`| head`).
    """
    try:
        try:
            return _run(argv)
        finally:
            finish()
    except BrokenPipeError:
        give_up()
        return BROKEN_PIPE
    except OSError as error:
        give_up()
        say(f"cannot_write: standard output: {error.strerror}", error=True)
        return 2


def _run(argv: list[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m engine", description="Check decklists and replay move logs.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    decks.add_commands(commands)
    catalogs.add_commands(commands)
    logs.add_commands(commands)
    options = parser.parse_args(argv)
    result: int = options.run(options)
    return result


if __name__ == "__main__":
    sys.exit(main())
