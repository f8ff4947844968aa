"""A burst of 300 simultaneous requests on the default installation: the answers, and the memory it takes.

One web process and one worker run as `make run` starts them, on SQLite. All requests arrive at the same moment:
visitors, players and the pages of their seats in one event. The aim is less than 400 MiB for web and worker together,
no additional threads, and no answer other than the page or a 503 that says when to retry.
"""

import argparse
import asyncio
import time
from collections import Counter

from bench._installation import make_tables, ready

FOLDER = ready(sqlite=True)

from bench._clock import ratio
from bench._listeners import web_process
from bench._phones import Hall
from bench._processes import family, memory_of, threads_of, worker
from bench._sessions import an_event_with_accounts, session_of

BOUND = 400  # MiB


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--players", type=int, default=300)
    args = parser.parse_args()
    make_tables()
    event, users = an_event_with_accounts(args.players)
    base = f"/e/{event.public_id}"
    cookies = ["", *("; ".join(f"{name}={value}" for name, value in session_of(user).items()) for user in users)]
    pages = (f"{base}/rounds/3/", f"{base}/standings/", f"{base}/me/", f"{base}/", "/")
    # Every second request is that of a visitor without an account.
    wanted = [(pages[n % 5], cookies[1 + n % (len(cookies) - 1)] if n % 2 else "") for n in range(args.requests)]
    with web_process() as (port, pid), worker() as helper:
        most, threads, told, seconds = asyncio.run(burst(port, [pid, helper], wanted))
    print(f"{args.requests} requests at once, answered within {seconds:.1f} s: {dict(told)}")
    print(f"{'threads of the web, at most':44} {threads:8}")
    ratio("memory of web and worker, MiB", most / 2**20 / BOUND, f"bound {BOUND} MiB: at most 1")


async def burst(port: int, pids: list[int], wanted: list[tuple[str, str]]) -> tuple[int, int, Counter[int], float]:
    """Send all requests at once.

    Returns the peak memory and number of threads, the statuses, and the seconds until the last answer.
    """
    hall = Hall(port)
    start = time.perf_counter()
    asked = [asyncio.ensure_future(hall.ask(path, {"Cookie": cookie} if cookie else {})) for path, cookie in wanted]
    most = threads = 0
    while not all(each.done() for each in asked):
        most = max(most, sum(memory_of(each) for pid in pids for each in family(pid)))
        threads = max(threads, threads_of(pids[0]))
        await asyncio.sleep(0.1)
    seconds = time.perf_counter() - start
    return most, threads, Counter(each.result().status for each in asked), seconds


if __name__ == "__main__":
    main()
