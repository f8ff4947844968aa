"""Audits per second through the API with two workers, compared with the bare engine in two processes.

All logs of an event are audited again: requested through the API, done by a Celery worker with two processes on the
database and broker of the environment, and awaited through the API. Logs that are sent one by one and audited as they
arrive, each with its boards, are measured too.
"""

import argparse
import hashlib
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import cycle
from pathlib import Path

from bench._installation import make_tables, ready

ready()

from django.conf import settings
from django.core.cache import cache
from django.db import connections
from rest_framework.test import APIClient

from bench import _logs
from bench._clock import per_second, ratio
from engine import face
from tests.builders import a_published_round, a_running_event
from tests.cast import Cast, make_cast
from tournaments.accounts.services import create_token
from tournaments.audits.models import Audit, MoveLog
from tournaments.common import clock
from tournaments.events.models import Event
from tournaments.play.models import Round

WORKERS = 2
SEEDS = 50
PATIENCE = 300  # seconds
AIM = 0.3
Done = Callable[[], bool]


def audited(event: Event, round_: Round, cast: Cast, documents: list[str]) -> None:
    """Store logs of the round's games as if they had been sent and audited."""
    games = [game for match in round_.matches.all() for game in match.games.all()]
    reports = [face.audits.audit(document) for document in documents[:SEEDS]]
    logs = MoveLog.objects.bulk_create([
        MoveLog(
            game=game,
            document=document,
            sha256=hashlib.sha256(document.encode()).hexdigest(),
            uploaded_by=cast.organizer,
            uploaded_at=clock.now(),
        )
        for game, document in zip(cycle(games), documents, strict=False)
    ])
    Audit.objects.bulk_create([
        Audit(log=log, verdict=report["verdict"], report=report)
        for log, report in zip(logs, cycle(reports), strict=False)
    ])


def bare(pool: ProcessPoolExecutor, documents: list[str]) -> float:
    """Seconds for the engine alone to audit all documents, in as many processes as the worker has."""
    size = -(-len(documents) // (8 * WORKERS))
    start = time.perf_counter()
    list(pool.map(audit_all, [documents[place : place + size] for place in range(0, len(documents), size)]))
    return time.perf_counter() - start


def audit_all(documents: list[str]) -> int:
    """Audit documents in a process of the pool."""
    return sum(face.audits.audit(document)["verdict"] == "confirmed" for document in documents)


def client_of(cast: Cast) -> APIClient:
    """An API client with a token of the judge."""
    _token, secret = create_token(user=cast.judge, name="bench", scopes=("read", "judge"), now=clock.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def asked(client: APIClient, method: str, address: str, status: int, **said: object) -> dict[str, object]:
    """Send a request to the API, check its status and return the answer."""
    cache.clear()  # the rate limits of the API
    answer = getattr(client, method)("/api/v1/" + address, **said)
    assert answer.status_code == status, (address, answer.status_code, answer.content[:500])
    return answer.json()


def again(client: APIClient, event: Event) -> float:
    """Seconds from requesting that all logs be audited again until the API reports that they are."""
    start = time.perf_counter()
    made = asked(client, "post", f"events/{event.public_id}/bulk-audits/", 201, data={}, format="json")
    wait(lambda: asked(client, "get", f"bulk-audits/{made['id']}/", 200)["state"]["status"] == "done")
    return time.perf_counter() - start


def sent(client: APIClient, round_: Round, documents: list[str]) -> float:
    """Seconds from sending the first of these logs until the last one has been audited."""
    games = [(match.public_id, game.number) for match in round_.matches.all() for game in match.games.all()]
    start = time.perf_counter()
    for (match, game), document in zip(cycle(games), documents, strict=False):
        address = f"matches/{match}/games/{game}/logs/"
        asked(client, "post", address, 201, data=document, content_type="application/json")
    wait(lambda: not Audit.objects.filter(verdict="").exists())
    return time.perf_counter() - start


def wait(done: Done) -> None:
    """Poll until `done`, rarely enough not to disturb the measurement."""
    until = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > until:
            raise SystemExit("the audits do not come to an end: is the worker running?")
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=3000)
    parser.add_argument("--sent", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]
    make_tables()
    documents = _logs.numbered(_logs.plain(range(SEEDS)), args.logs + args.sent)
    kept, fresh = documents[: args.logs], documents[args.logs :]
    cast = make_cast()
    event = a_running_event(cast, players=32)
    round_ = a_published_round(event, cast.organizer)
    audited(event, round_, cast, kept)
    client = client_of(cast)
    connections.close_all()  # the pool forks, and connections must not be shared
    command = [sys.executable, "-m", "celery", "-A", "tournaments.config", "worker", "-l", "WARNING"]
    command += ["-c", str(WORKERS), "--without-gossip", "--without-mingle", "--without-heartbeat"]
    with ProcessPoolExecutor(WORKERS) as pool:
        # Start the processes of the pool, and let them load the engine, before anything is timed.
        bare(pool, kept[:SEEDS])
        worker = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1])
        try:
            again(client, event)
            contenders = {"bare": partial(bare, pool, kept), "again": partial(again, client, event)}
            best = dict.fromkeys(contenders, float("inf"))
            for _run in range(args.runs):  # in turns, so that other load on the machine affects both
                for name, work in contenders.items():
                    best[name] = min(best[name], work())
            one_by_one = sent(client, round_, fresh)
        finally:
            worker.terminate()
            worker.wait(20)
    database = settings.DATABASES["default"]["ENGINE"].rsplit(".", 1)[-1]
    print(f"{args.logs} logs, {WORKERS} workers, {database} + {settings.CELERY_BROKER_URL.split(':')[0]}")
    per_second("the engine alone, audits", args.logs, best["bare"])
    per_second("all logs again through the API, audits", args.logs, best["again"])
    per_second("sent one by one through the API, audits", args.sent, one_by_one)
    ratio("ratio of all logs again to the engine", best["bare"] / best["again"], f"at least {AIM}")


if __name__ == "__main__":
    main()
