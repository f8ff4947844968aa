"""The command line of the engine: `python -m engine COMMAND …`. The commands are in `engine.cli`."""

from __future__ import annotations

import argparse
import sys

from engine.cli import catalogs, coverage, decks, logs
from engine.cli.output import finish, give_up, say
from engine.version import VERSION

BROKEN_PIPE = 141  # the exit code that shells report for a program ended by SIGPIPE


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 yes, 1 no, 2 unreadable, 3 undetermined.

    It is also 2 if the output cannot be written, and 141 if its reader has closed the pipe (`| head`). `argv` is the
    list of arguments, by default those of the process.
    """
    try:
        try:
            return _run(argv)
        finally:
            finish()  # flush here: errors while the interpreter exits could not be handled
    except BrokenPipeError:
        give_up()
        return BROKEN_PIPE
    except OSError as error:
        give_up()
        say(f"cannot_write: standard output: {error.strerror}", error=True)
        return 2


def _run(argv: list[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m engine", description="Check decklists and replay move logs.")
    parser.add_argument("--version", action="version", version=f"arbitre-engine {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    decks.add_commands(commands)
    catalogs.add_commands(commands)
    coverage.add_commands(commands)
    logs.add_commands(commands)
    options = parser.parse_args(argv)
    result: int = options.run(options)
    return result


if __name__ == "__main__":
    sys.exit(main())
