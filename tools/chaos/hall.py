"""A small hall that plays over HTTP: an event in progress, another one for check-in, and everybody in them.

Django must be set up before this is imported.
"""

import asyncio
import html
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from tests.builders import a_published_round, an_entrant, an_open_event
from tests.cast import Cast, account, make_cast
from tools.chaos.actions import Action, Deed, Sender, cookie_header
from tools.chaos.door import FEE, Door, Phone
from tools.chaos.followers import Follower
from tournaments.accounts.models import ApiToken, User
from tournaments.accounts.services import create_token
from tournaments.common.clock import now
from tournaments.decks.selectors import current_list
from tournaments.decks.services import lock_decks
from tournaments.demo.games import self_played
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import change_procedures, open_check_in
from tournaments.play.services import start_event

GAME = "star-safir"
SCORES = ((2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0), (1, 1, 1))
BACKEND = "django.contrib.auth.backends.ModelBackend"
Over = Callable[[], bool]  # whether a hall has played enough


@dataclass(frozen=True)
class People:
    """Everybody, signed in. They take part in every hall of a run."""

    cast: Cast
    users: list[User]
    phones: dict[int, Phone]  # by primary key of the account
    desk: Phone
    judge: Phone
    organizer: Phone


@dataclass
class Hall:
    """A running event whose first round is published (`event`), and one where check-in is open (`door`).

    `players` maps the public id of an entrant to a phone. At most `rounds` rounds are played.
    """

    event: str
    door: Door
    rounds: int
    desk: Phone
    judge: Phone
    players: dict[str, Phone]
    decks: dict[str, dict[str, Any]]
    round: dict[str, Any] | None = None

    @property
    def events(self) -> list[str]:
        """The public ids of both events."""
        return [self.event, self.door.event]

    def followers(self, base: str) -> list[Follower]:
        """Pages that somebody leaves open: of the public, of a player and of the desk."""
        player = next(iter(self.players.values()))
        return [
            Follower("a visitor", base, f"/e/{self.event}/", {}),
            Follower("a player", base, f"/e/{self.event}/me/", player.cookies),
            Follower("the desk", base, f"/e/{self.event}/staff/", self.desk.cookies),
        ]

    async def play(self, sender: Sender, over: Over, pace: float, rng: Random) -> None:
        """Play round after round, each taking about `pace` seconds, until `over` says that it is enough."""
        await asyncio.gather(self._rounds(sender, over, pace, rng), self.door.open(sender, over, rng))

    async def go_on(self, sender: Sender) -> str:
        """Publish the next round. Returns why that was impossible, or an empty string."""
        if self.round is None:
            return "the round could not be finished"
        number = self.round["number"]
        await self._next_round(sender)
        return "" if self.round is not None else f"round {number + 1} could not be published"

    async def _rounds(self, sender: Sender, over: Over, pace: float, rng: Random) -> None:
        self.round = await self._read_round(sender, 1)
        while self.round is not None:
            tables = [match for match in self.round["matches"] if match["table"] is not None]
            await asyncio.gather(*(self._table(match, sender, pace, rng) for match in tables))
            if over() or self.round["number"] >= self.rounds - 1:
                return
            await self._next_round(sender)

    async def _next_round(self, sender: Sender) -> None:
        """Close the round and publish the next one, alternately through the API and through the page."""
        assert self.round is not None
        closed, number = self.round["number"], self.round["number"] + 1
        codes = ("round.paired", "round.published", "round.followed")
        leaves = (("round.closed", f"r{closed}"), *((code, f"r{number}") for code in codes), ("round", str(number)))
        if number % 2:
            path = f"/e/{self.event}/staff/rounds/{closed}/next/"
            action = Action("next round", self.event, path, leaves)
            done = await sender.page(action, self.desk.cookies, {"minutes": "3"})
            self.round = await self._read_round(sender, number) if done else None
        else:
            path = f"/api/v1/events/{self.event}/rounds/{closed}/next/"
            action = Action("next round", self.event, path, leaves)
            self.round = await sender.api(action, self.desk.token, {"minutes": 3})

    async def _read_round(self, sender: Sender, number: int) -> dict[str, Any] | None:
        headers = {"Authorization": f"Bearer {self.desk.token}"}
        answer = await sender.read(f"/api/v1/events/{self.event}/rounds/{number}/", headers)
        return answer.json() if answer is not None else None

    # ------------------------------------------------------------------ at a table

    async def _table(self, match: dict[str, Any], sender: Sender, pace: float, rng: Random) -> None:
        """Play one match. Some tables get extra time, a judge or a move log; every table gets a result."""
        await asyncio.sleep(rng.random() * pace * 0.6)
        extras = {1: self._extension, 2: self._log, 3: self._judge_call}
        extra = extras.get(match["table"] % 4)
        if extra is not None:
            await extra(match, sender, rng)
        result = self._desk_result if match["table"] % 3 == 0 else self._report
        await result(match, sender, rng, pace)

    async def _extension(self, match: dict[str, Any], sender: Sender, _rng: Random) -> None:
        path = f"/api/v1/matches/{match['id']}/extension/"
        action = Action("extension", self.event, path, _extended(match))
        await sender.api(action, self.desk.token, {"minutes": 1})

    async def _log(self, match: dict[str, Any], sender: Sender, rng: Random) -> None:
        entrants = [seat["entrant"]["id"] for seat in match["seats"]]
        decks = {entrant: self.decks[entrant] for entrant in entrants}
        of = {"round": match["round"], "table": match["table"], "game": 1}
        log = await asyncio.to_thread(self_played, GAME, rng.randrange(10**6), of, decks)
        path = f"/api/v1/matches/{match['id']}/games/1/logs/"
        leaves = (("log.submitted", match["id"]), ("log", match["id"]))
        await sender.api(Action("log", self.event, path, leaves), self.players[entrants[0]].token, log)

    async def _judge_call(self, match: dict[str, Any], sender: Sender, _rng: Random) -> None:
        """A player calls a judge, who comes and gives the table two more minutes."""
        path = f"/api/v1/matches/{match['id']}/calls/"
        leaves: tuple[Deed, ...] = (("call.made", match["id"]), ("call", match["id"]))
        player = self.players[match["seats"][0]["entrant"]["id"]]
        call = await sender.api(Action("judge call", self.event, path, leaves), player.token, {"matter": "rules"})
        if call is None:
            return
        path, id_ = f"/api/v1/calls/{call['id']}/", call["id"]
        claim = Action("claim of a call", self.event, path, (("call.claimed", id_),))
        if await sender.api(claim, self.judge.token, {"action": "claim"}) is not None:
            leaves = (("call.resolved", id_), *_extended(match))
            end = Action("end of a call", self.event, path, leaves)
            await sender.api(end, self.judge.token, {"action": "resolve", "minutes": 2})

    async def _desk_result(self, match: dict[str, Any], sender: Sender, rng: Random, _pace: float) -> None:
        games = rng.choice(SCORES)
        leaves = (("result.entered", match["id"]), (f"result {list(games)}", match["id"]))
        path = f"/api/v1/matches/{match['id']}/result/"
        action = Action("desk result", self.event, path, leaves)
        await sender.api(action, self.desk.token, {"games": list(games)})

    async def _report(self, match: dict[str, Any], sender: Sender, rng: Random, pace: float) -> None:
        """One player reports on their page, and the opponent confirms what their page then shows."""
        games, id_ = rng.choice(SCORES), match["id"]
        one, other = (self.players[seat["entrant"]["id"]] for seat in match["seats"])
        leaves: tuple[Deed, ...] = (("result.reported", id_), ("report", id_))
        report = Action("report", self.event, f"/m/{id_}/report/", leaves)
        if not await sender.page(report, one.cookies, {"games": "-".join(map(str, games))}):
            return
        await asyncio.sleep(rng.random() * pace * 0.4)
        leaves = (("result.confirmed", id_), (f"result {list(games)}", id_))
        confirmation = Action("confirmation", self.event, f"/m/{id_}/confirm/", leaves)
        await sender.page(confirmation, other.cookies, {"report": await self._shown(sender, other)})

    async def _shown(self, sender: Sender, player: Phone) -> str:
        """The number of the report that a player's page asks to confirm; empty if it shows none."""
        page = await sender.read(f"/e/{self.event}/me/", cookie_header(player.cookies))
        found = re.search(r'name="report" value="(\d+)"', html.unescape(page.text)) if page is not None else None
        return found[1] if found else ""


def _extended(match: dict[str, Any]) -> tuple[Deed, ...]:
    return ("table.extended", match["id"]), ("extension", match["id"])


# ---------------------------------------------------------------------- preparation, through the services


def gathered(players: int) -> People:
    """The staff and this many players, with sessions and tokens."""
    cast = make_cast()
    users = [cast.player, cast.opponent, *(account(f"Player {number}") for number in range(3, players + 1))]
    phones = {user.pk: Phone(_cookies(user), _token(user, ApiToken.Scope.PLAY)) for user in users}
    desk = Phone(_cookies(cast.scorekeeper), _token(cast.scorekeeper, ApiToken.Scope.ORGANIZE))
    judge = Phone({}, _token(cast.judge, ApiToken.Scope.JUDGE))
    organizer = Phone({}, _token(cast.organizer, ApiToken.Scope.ORGANIZE))
    return People(cast, users, phones, desk, judge, organizer)


def prepared(people: People) -> Hall:
    """A hall for these people: two new events."""
    event, door = _running(people), _arriving(people)
    stage, players, decks = current_stage(event), {}, {}
    for entrant in event.entrants.all():
        players[entrant.public_id] = _phone_of(people, entrant)
        deck = current_list(entrant, stage)
        assert deck is not None
        decks[entrant.public_id] = deck.cards
    arriving = {entrant.public_id: _phone_of(people, entrant) for entrant in door.entrants.all()}
    opened = Door(door.public_id, people.desk, people.organizer, arriving)
    rounds = len(people.users) - 1  # so that nobody has to meet twice
    return Hall(event.public_id, opened, rounds, people.desk, people.judge, players, decks)


def _running(people: People) -> Event:
    cast = people.cast
    event = an_open_event(cast, rounds=len(people.users) - 1)
    for number, user in enumerate(people.users, 1):
        an_entrant(event, user, deck=number)
    lock_decks(event=event, by=cast.organizer, now=now())
    start_event(event=event, by=cast.organizer, now=now())
    event.refresh_from_db()
    a_published_round(event, cast.organizer)
    return event


def _arriving(people: People) -> Event:
    cast = people.cast
    event = an_open_event(cast, name="Side event", lists=Event.Lists.NONE)
    entry = {"entry": {"kind": "paid", "cents": FEE, "currency": "EUR", "hours": 0}}
    change_procedures(event=event, procedures=entry, by=cast.organizer, now=now())
    for user in people.users:
        an_entrant(event, user, deck=None)
    lock_decks(event=event, by=cast.organizer, now=now())
    event.refresh_from_db()
    open_check_in(event=event, by=cast.organizer, now=now())
    return event


def _phone_of(people: People, entrant: Any) -> Phone:
    return people.phones[User.objects.get(persons__member__entrant=entrant).pk]


def _token(user: User, scope: str) -> str:
    _row, secret = create_token(user=user, name="chaos", scopes=(ApiToken.Scope.READ, scope), now=now())
    return secret


def _cookies(user: User) -> dict[str, str]:
    """The cookies of a browser that is signed in to this account."""
    store = SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(user.pk), BACKEND
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return {"sessionid": str(store.session_key), "csrftoken": secrets.token_hex(16)}
