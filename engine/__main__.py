"""The command line of the engine: `python -m engine COMMAND …`. The commands are in `engine.cli`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.cli import catalogs, coverage, decks, logs
from engine.cli.output import Unwritable, finish, give_up, say
from engine.version import VERSION

BROKEN_PIPE = 141  # the exit code that shells report for a program ended by SIGPIPE


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 yes, 1 no, 2 unreadable, 3 undetermined.

    It is also 2 if a file of the engine cannot be read or the output cannot be written, and 141 if its reader has
    closed the pipe (`| head`). `argv` is the list of arguments, by default those of the process.
    """
    try:
        try:
            return _run(argv)
        finally:
            finish()  # flush here: errors while the interpreter exits could not be handled
    except BrokenPipeError:
        give_up()
        return BROKEN_PIPE
    except Unwritable as error:
        give_up()
        say(f"cannot_write: standard output: {error}", error=True)
        return 2
    except OSError as error:
        say(f"cannot_read: {error.filename}: {error.strerror}", error=True)
        return 2


def _run(argv: list[str] | None) -> int:
    parser = argparse.ArgumentParser(prog=_called(), description="Check decklists and replay move logs.")
    parser.add_argument("--version", action="version", version=f"arbitre-engine {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    decks.add_commands(commands)
    catalogs.add_commands(commands)
    coverage.add_commands(commands)
    logs.add_commands(commands)
    options = parser.parse_args(argv)
    result: int = options.run(options)
    return result


def _called() -> str:
    """The command as it was typed: `arbitre-engine` is what the wheel installs."""
    return "arbitre-engine" if Path(sys.argv[0]).stem == "arbitre-engine" else "python -m engine"


if __name__ == "__main__":
    sys.exit(main())
