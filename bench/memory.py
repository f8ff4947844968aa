"""Memory that the audit of a long log needs, compared with `json.loads`.

What the interpreter with the engine loaded needs is not counted. The logs are one of 2,000 moves of Star Safir, and the
longest of some self-played logs of each other game. There are two measures, each in a process of its own: the peak of
`tracemalloc`, and the growth of the maximum resident set, which also includes memory that Python keeps for itself.
"""

import argparse
import json
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from bench import _logs
from bench._clock import ratio

BOUND = 50 * 1024 * 1024
KIB = 1024  # ru_maxrss is in KiB on Linux


def work(name: str) -> Callable[[bytes], object]:
    """The function to measure: "audit", or "json" for comparison."""
    import engine

    engine.audit(_logs.long_game(10))  # loads what the first audit needs once
    return engine.audit if name == "audit" else json.loads


def traced(name: str) -> int:
    """The peak of Python's allocations, in bytes, for a log from standard input."""
    run, document = work(name), sys.stdin.buffer.read()
    tracemalloc.start()
    run(document)
    return tracemalloc.get_traced_memory()[1]


def resident(name: str) -> int:
    """The growth of the maximum resident set, in bytes, for a log from standard input."""
    run, document = work(name), sys.stdin.buffer.read()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run(document)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * KIB


def measured(measure: str, name: str, document: bytes) -> int:
    """Take one measure in a process of its own."""
    command = [sys.executable, "-m", "bench.memory", "--only", measure, name]
    root = Path(__file__).resolve().parents[1]
    return int(subprocess.run(command, cwd=root, input=document, capture_output=True, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2_000)
    parser.add_argument("--seeds", type=int, default=50, help="self-played logs of each other game; 0: none")
    parser.add_argument("--only", nargs=2, help="one measure of one work, in bytes (for this script itself)")
    args = parser.parse_args()
    if args.only:
        measure, name = args.only
        print({"traced": traced, "resident": resident}[measure](name))
        return
    weigh("endless game", _logs.long_game(args.moves))
    for cards in _logs.others() if args.seeds else ():
        weigh(f"{cards.game}, {cards.id}", _logs.longest(cards, range(1, args.seeds + 1)))


def weigh(title: str, document: bytes) -> None:
    """Print both measures of one log, with their bound."""
    print(f"{title}: {_logs.length(document)} moves, {len(document) // 1024} KiB")
    for measure, title in (("traced", "tracemalloc peak"), ("resident", "resident set, growth")):
        ours, yardstick = measured(measure, "audit", document), measured(measure, "json", document)
        print(f"{title + ', audit':44} {ours / 2**20:12.2f} MiB")
        print(f"{title + ', json.loads':44} {yardstick / 2**20:12.2f} MiB")
        ratio("beside its bound", ours / BOUND, "at most 1, 50 MiB")


if __name__ == "__main__":
    main()
