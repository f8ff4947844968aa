"""Run scripts on the database of a site in one process: starting one for each takes two seconds of processor time.

Each line of the standard input is a script as JSON. The answer is a line of JSON with what it printed, and the
traceback if it failed.
"""

import json
import sys
import traceback
from contextlib import redirect_stdout
from io import StringIO
from typing import TextIO

import django


def serve(asked: TextIO, answers: TextIO) -> None:
    """Run the scripts that arrive until there are no more, each with variables of its own."""
    django.setup()
    for line in asked:
        failure = ""
        with redirect_stdout(StringIO()) as printed:
            try:
                exec(json.loads(line), {"__name__": "__main__"})
            except Exception:
                failure = traceback.format_exc()
        print(json.dumps([printed.getvalue(), failure]), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
