"""Break lines on purpose and count how many of them the tests notice: `make mutation`.

cosmic-ray makes the mutants (a `<` becomes a `<=`, a number changes, a decorator is removed) of the packages where a
wrong line would cost the most. Testing all of them would take days, so each package gets a sample, drawn with a seed:
the same seed draws the same mutants of the same code. Everything happens in a copy of the project in a temporary
folder. docs/testing.md explains the figures.

Usage: python tools/mutation.py [--sample 15] [--seed 1] [--package engine/core]
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkItem, WorkResult

BASE = Path(__file__).resolve().parents[1]
SKIPPED = (".git", ".venv", "var", "__pycache__", "node_modules", ".*cache*", ".hypothesis")
SAMPLE, SEED = 15, 1
POLL = 10.0  # seconds between two looks at the progress
# A mutant that runs this many times longer than the unbroken code is in an endless loop.
PATIENCE, LEAST = 4, 60  # times, seconds
# Annotations like `int | None` are the only use of `|` in most lines, and no test can notice when they change.
IN_ANNOTATIONS = re.compile(r"core/ReplaceBinaryOperator_BitOr_")


@dataclass(frozen=True)
class Package:
    """A package whose lines are broken, and the tests that are to notice."""

    folder: str
    tests: str


PACKAGES = (
    Package("engine/core", "tests/engine"),
    Package("tournaments/swiss", "tests/swiss"),
    Package("tournaments/play/services", "tests/play"),
    Package("tournaments/judging", "tests/judging"),
)


@dataclass(frozen=True)
class Score:
    """What became of the mutants of a package. A mutant that made its tests time out counts as killed."""

    package: Package
    tried: int
    timed_out: int
    survivors: list[tuple[WorkItem, WorkResult]]

    def __str__(self) -> str:
        survived = len(self.survivors)
        killed = self.tried - survived
        return (
            f"{self.package.folder:28}{self.tried:>6} tried{killed:>6} killed ({self.timed_out} timed out)"
            f"{survived:>6} survived  score {100 * killed // max(self.tried, 1)} %"
        )


def main() -> int:
    """Test a sample of each package and print what survived.

    Returns 0 whatever the score, since a score is a figure and not a check; 1 if tests fail on the unbroken code.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"mutants per package (default: {SAMPLE})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of the sample (default: {SEED})")
    parser.add_argument("--package", choices=[each.folder for each in PACKAGES], help="only this package")
    options = parser.parse_args()
    chosen = [each for each in PACKAGES if options.package in (None, each.folder)]
    scores = []
    with tempfile.TemporaryDirectory(prefix="arbitre-mutation-") as folder:
        copy = _copied(Path(folder))
        for package in chosen:
            seconds = _unbroken(package, copy)
            if seconds is None:
                print(
                    f"{package.tests} fails on the unbroken code, so its mutants would prove nothing", file=sys.stderr
                )
                return 1
            scores.append(_score(package, _tested(package, copy, seconds, options.sample, options.seed)))
            _print_survivors(scores[-1])
    print(f"seed {options.seed}")
    print("\n".join(map(str, scores)))
    return 0


def _copied(folder: Path) -> Path:
    """Copy the project, and link the data beside it, which some tests read."""
    copy = folder / "main"
    shutil.copytree(BASE, copy, ignore=shutil.ignore_patterns(*SKIPPED))
    if (data := BASE.parent / "shared").exists():
        (folder / "shared").symlink_to(data)
    return copy


def _command(package: Package) -> list[str]:
    """Return the command that tests a package: in a fixed order, until the first failure, without the slow tests."""
    workers, plugins = ["-n", "2", "--dist", "loadfile"], ["-p", "no:cacheprovider", "-p", "no:randomly"]
    chosen = ["-m", "not slow and not services", package.tests]
    return [sys.executable, "-m", "pytest", "-q", "-x", "--no-migrations", *workers, *plugins, *chosen]


def _environment() -> dict[str, str]:
    # Without bytecode: a mutant often has the size and the time of the file it replaces, and would not be compiled.
    return os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}


def _unbroken(package: Package, copy: Path) -> float | None:
    """Return how many seconds the tests take on the unbroken code, or None if one fails."""
    print(f"{package.folder}: running {package.tests} on the unbroken code", flush=True)
    started = time.monotonic()
    done = subprocess.run(_command(package), cwd=copy, env=_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout[-4000:])
        return None
    return time.monotonic() - started


def _tested(package: Package, copy: Path, seconds: float, size: int, seed: int) -> list[tuple[WorkItem, WorkResult]]:
    """Draw the mutants of a package and run the tests on each; returns them with their results."""
    config, session = copy / "mutation.toml", copy / f"{package.folder.replace('/', '.')}.sqlite"
    command = " ".join(f"'{part}'" for part in _command(package))
    config.write_text(
        "[cosmic-ray]\n"
        f'module-path = "{package.folder}"\n'
        f"timeout = {max(LEAST, PATIENCE * seconds):.0f}\n"
        'excluded-modules = ["**/migrations/*"]\n'
        f'test-command = "{command}"\n'
        '[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    _cosmic_ray(copy, "init", config, session).wait()
    drawn = _sample(session, size, seed)
    running = _cosmic_ray(copy, "exec", config, session)
    started = time.monotonic()
    while running.poll() is None:
        time.sleep(POLL)
        _print_progress(package, session, len(drawn), started)
    print()
    with use_db(session) as database:
        results = dict(database.results)
    return [(item, results[item.job_id]) for item in drawn if item.job_id in results]


def _cosmic_ray(copy: Path, command: str, config: Path, session: Path) -> "subprocess.Popen[bytes]":
    arguments = [sys.executable, "-m", "cosmic_ray.cli", command, str(config), str(session)]
    return subprocess.Popen(arguments, cwd=copy, env=_environment())


def _sample(session: Path, size: int, seed: int) -> list[WorkItem]:
    """Keep `size` mutants of a session, and delete the others."""
    with use_db(session, mode=WorkDB.Mode.open) as database:
        possible = [item for item in database.work_items if not IN_ANNOTATIONS.match(item.mutations[0].operator_name)]
        possible.sort(key=_place)  # the order in the session differs from one to the next
        drawn = random.Random(seed).sample(possible, min(size, len(possible)))  # noqa: S311
        database.clear()
        database.add_work_items(drawn)
    print(f"{len(drawn)} of {len(possible)} mutants", flush=True)
    return drawn


def _place(item: WorkItem) -> tuple[str, tuple[int, int], str, int]:
    mutation = item.mutations[0]
    return str(mutation.module_path), mutation.start_pos, mutation.operator_name, mutation.occurrence


def _print_progress(package: Package, session: Path, total: int, started: float) -> None:
    with use_db(session) as database:
        done = database.num_results
    print(f"\r{package.folder}: {done} of {total} in {time.monotonic() - started:.0f} s", end="", flush=True)


def _score(package: Package, found: list[tuple[WorkItem, WorkResult]]) -> Score:
    """Count the mutants that were tested. Those that cosmic-ray could not make have no outcome, and do not count."""
    tried = [(item, result) for item, result in found if result.test_outcome not in (None, TestOutcome.INCOMPETENT)]
    return Score(
        package,
        len(tried),
        sum(result.output == "timeout" for _item, result in tried),
        [(item, result) for item, result in tried if result.test_outcome == TestOutcome.SURVIVED],
    )


def _print_survivors(score: Score) -> None:
    """Print the score of a package, and the place and the diff of each mutant that survived."""
    print(score)
    for item, result in score.survivors:
        mutation = item.mutations[0]
        print(f"\n  {mutation.module_path}:{mutation.start_pos[0]} in {mutation.definition_name}")
        print("\n".join(f"    {line}" for line in (result.diff or "").splitlines()[2:]))
    print(flush=True)


if __name__ == "__main__":
    sys.exit(main())
