"""Fair clocks: contenders take turns in one run, and each piece of work counts with the best of its times."""

import time
from collections.abc import Callable, Mapping, Sequence

Work = Callable[[], object]
CLOCKS = (time.process_time, time.perf_counter)


def race(contenders: Mapping[str, Sequence[Work]], runs: int) -> dict[str, float]:
    """Seconds of processor that each contender needs for all its works, by name.

    The contenders take turns, and a work counts with the best of its times: what else the machine did meanwhile
    weighs little, and on all of them alike.
    """
    return {name: processor for name, (processor, _wall) in race_by_both(contenders, runs).items()}


def race_by_both(contenders: Mapping[str, Sequence[Work]], runs: int) -> dict[str, tuple[float, float]]:
    """The same, and beside it the seconds that passed, of which a busy machine takes more."""
    best = {name: [[float("inf")] * len(works) for _clock in CLOCKS] for name, works in contenders.items()}
    for _run in range(runs):
        for name, works in contenders.items():
            for index, work in enumerate(works):
                starts = [clock() for clock in CLOCKS]
                work()
                taken = [clock() - start for clock, start in zip(CLOCKS, starts, strict=True)]
                for times, seconds in zip(best[name], taken, strict=True):
                    times[index] = min(times[index], seconds)
    return {name: (sum(processor), sum(wall)) for name, (processor, wall) in best.items()}


def per_second(title: str, count: int, seconds: float) -> None:
    """Print a line of a rate."""
    print(f"{title:44} {count / seconds:12,.0f} a second")


def milliseconds(title: str, seconds: float) -> None:
    """Print a line of a duration."""
    print(f"{title:44} {1000 * seconds:12.2f} ms")


def ratio(title: str, value: float, bound: str) -> None:
    """Print a line of a ratio beside what it should be."""
    print(f"{title:44} {value:12.2f}   ({bound})")
