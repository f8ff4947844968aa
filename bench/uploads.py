"""Logs per second from upload to verdict over HTTP, and how the audits scale with worker processes.

Players send logs of self-played games for their matches through the API, four at a time, to one web process; the worker
audits them as they arrive. Every log names the players of its match and uses the decks they registered, so each is
evidence for its game. The time runs from the first request to the last verdict. Web, worker and senders share the
machine. Then the same logs are sent while no worker runs, and one or two worker processes audit the waiting logs while
the web is idle, timed from the first verdict to the last. The engine alone in one process is measured for comparison.
Database and queue are those of `DATABASE_URL` and `CELERY_BROKER_URL`.
"""

import argparse
import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any, NamedTuple

from bench._installation import make_tables, ready

ready()

from django.conf import settings
from django.db import connections

from bench import _logs
from bench._clock import per_second, ratio
from bench._listeners import web_process
from bench._processes import worker
from bench._sessions import prepared
from engine import face
from tournaments.accounts.models import User
from tournaments.accounts.services import create_token
from tournaments.audits.models import Audit, MoveLog
from tournaments.common import clock
from tournaments.common.models import Job
from tournaments.decks.models import Decklist
from tournaments.play.models import Game, Match, Round

AIM = 60  # logs a second
SENDERS = 4
SEEDS = 50
LOGS_A_GAME = 10  # accepted from one account
PATIENCE = 600.0  # seconds


class Sending(NamedTuple):
    """One log that a player sends: the address, the token of the player, and the document."""

    address: str
    token: str
    document: str


def sendings_of(round_: Round, count: int) -> list[Sending]:
    """Prepare `count` logs for the games of a round, sent by their players in turn."""
    matches = list(
        Match.objects
        .filter(round=round_, table__isnull=False)
        .prefetch_related("seats__entrant__member_set__person__account", "games")
        .order_by("table")
    )
    if count > 2 * LOGS_A_GAME * sum(len(match.games.all()) for match in matches):
        raise SystemExit(f"{2 * LOGS_A_GAME} logs of a game at most; more players are needed")
    played = [json.loads(document) for document in _logs.plain(range(SEEDS))]
    games = dict(zip(matches, cycle(played), strict=False))
    register_lists(games)
    users = {user for match in matches for user in players_of(match)}
    tokens = {user: create_token(user=user, name="b", scopes=("play",), now=clock.now())[1] for user in users}
    turns = ((match, game, seat) for game in range(3) for match in matches for seat in (0, 1))
    return [
        Sending(
            address=f"/api/v1/matches/{match.public_id}/games/{match.games.all()[game].number}/logs/",
            token=tokens[players_of(match)[seat]],
            document=json.dumps(log_of(match, match.games.all()[game].number, games[match], number)),
        )
        for number, (match, game, seat) in zip(range(count), cycle(turns), strict=False)
    ]


def players_of(match: Match) -> list[User]:
    """The accounts of the players of a match, in seat order."""
    accounts = [seat.entrant.member_set.all()[0].person.account for seat in match.seats.all()]
    return [account for account in accounts if account is not None]


def log_of(match: Match, game: int, played: dict[str, Any], number: int) -> dict[str, Any]:
    """A self-played game as the log of a game of a match. Every document is different."""
    seats = {
        letter: {**played["seats"][letter], "player": seat.entrant.public_id}
        for letter, seat in zip("AB", match.seats.all(), strict=True)
    }
    where = {"round": match.round.number, "table": match.table, "game": game}
    return {**played, "seats": seats, "match": where, "x": {"number": number}}


def register_lists(games: dict[Match, dict[str, Any]]) -> None:
    """Register the decks that both players of each match use in its games."""
    by = User.objects.order_by("pk")[0]
    Decklist.objects.bulk_create(
        Decklist(
            entrant=seat.entrant,
            stage=match.round.stage,
            version=1,
            text="",
            cards=played["seats"][letter]["deck"],
            digest="",
            legal=True,
            submitted_by=by,
            submitted_at=clock.now(),
        )
        for match, played in games.items()
        for letter, seat in zip("AB", match.seats.all(), strict=True)
    )


def send(port: int, sendings: list[Sending]) -> None:
    """Send logs one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for address, token, document in sendings:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request("POST", address, document.encode(), headers)
        answer = connection.getresponse()
        told = answer.read()
        if answer.status != 201:
            raise SystemExit(f"{address}: {answer.status} {told[:300]!r}")
    connection.close()


def send_all(port: int, sendings: list[Sending]) -> float:
    """Send all logs and return the seconds until the last one is sent."""
    start = time.perf_counter()
    with ThreadPoolExecutor(SENDERS) as pool:
        list(pool.map(lambda number: send(port, sendings[number::SENDERS]), range(SENDERS)))
    return time.perf_counter() - start


def until_audited(count: int) -> float:
    """Wait until at most `count` logs have no verdict; returns the time by `perf_counter`."""
    end = time.perf_counter() + PATIENCE
    while Audit.objects.filter(verdict="").count() > count:
        if time.perf_counter() > end:
            raise SystemExit("the audits do not come to an end")
        time.sleep(0.05)
    return time.perf_counter()


def forget_logs() -> None:
    """Delete all logs and jobs."""
    MoveLog.objects.all().delete()
    Job.objects.all().delete()
    connections.close_all()


def engine_alone(documents: list[str]) -> float:
    """Audits per second of the engine by itself."""
    start = time.perf_counter()
    for document in documents:
        face.audits.audit(document)
    return len(documents) / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=700)
    args = parser.parse_args()
    make_tables()
    event, _cast = prepared(args.players)
    round_ = Round.objects.filter(stage__event=event).order_by("number").last()
    assert round_ is not None
    sendings = sendings_of(round_, args.logs)
    alone = engine_alone([sending.document for sending in sendings[:500]])
    database = settings.DATABASES["default"]["ENGINE"].rsplit(".", 1)[-1]
    queue = settings.CELERY_BROKER_URL.split(":")[0]
    print(f"{args.logs} logs, {database} + {queue}; the engine alone: {alone:.0f} a second")

    forget_logs()
    with web_process() as (port, _pid), worker(1):
        start = time.perf_counter()
        sent = send_all(port, sendings)
        whole = until_audited(0) - start
    evidence = Game.objects.filter(match__round=round_, evidence="replayed").count()
    per_second("sent, with 1 process of the worker", args.logs, sent)
    per_second("sent and audited", args.logs, whole)
    ratio("  ratio of 60 a second to this", AIM * whole / args.logs, "at most 1")
    print(f"games with evidence: {evidence}")

    for processes in (1, 2):
        forget_logs()
        with web_process() as (port, _pid):
            send_all(port, sendings)
        with worker(processes):
            first = until_audited(args.logs - 1)
            left = Audit.objects.filter(verdict="").count()
            per_second(f"audited of what waits, with {processes} of the worker", left, until_audited(0) - first)


if __name__ == "__main__":
    main()
