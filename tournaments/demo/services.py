"""Seeds the demonstration events.

- The main event: 32 players, three rounds played, and a fourth in progress with a disputed match and a judge call.
- A cup with a bracket, finished yesterday.
- Small events of the other games, each in its second round: Altered also as Sealed and Draft, Saint Seiya with tables
  of four and five.

Everything goes through the same services as in real use, in one transaction: either everything is seeded or nothing.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import transaction

import engine
from engine.face.lists import random_list
from tournaments.accounts.models import User
from tournaments.accounts.services import change_public_name, create_account, own_person
from tournaments.audits.services import submit_log
from tournaments.decks.engine_gate import is_pooled
from tournaments.decks.selectors import current_list
from tournaments.decks.services import lock_decks, register_pool, submit_decklist
from tournaments.demo.games import places_of, self_played, winner_of, with_a_second_attack
from tournaments.events import services as events
from tournaments.events.models import Event, StaffRole
from tournaments.events.selectors import current_stage
from tournaments.events.services import choose_visibility
from tournaments.events.stages import add_stage
from tournaments.judging.models import Call
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.play.models import Match, Round

SEED = 2026
DOMAIN = "demo.invalid"
SPARE_CARDS = 20  # cards of a pool that are not in the deck


@dataclass(frozen=True)
class Demonstration:
    """An event to seed: its preset, its name, the numbers of players and of finished rounds.

    `best_of` comes from the preset unless it is given.
    """

    preset: str
    name: str
    players: int
    rounds_played: int
    best_of: int | None = None


MAIN = Demonstration("star-safir", "Star Safir demonstration", 32, 3)
CUP = Demonstration("star-safir", "Star Safir cup", 16, 4)
CUT = 8  # players who advance to the bracket of the cup
BESIDE: tuple[Demonstration, ...] = (
    Demonstration("stellar-nexus", "Stellar Nexus demonstration", 4, 1),
    Demonstration("altered", "Altered demonstration", 4, 1),
    Demonstration("altered-sealed", "Altered Sealed demonstration", 4, 1, best_of=1),
    Demonstration("altered-draft", "Altered Draft demonstration", 6, 1),
    Demonstration("wakfu-2008", "Wakfu demonstration", 4, 1),
    Demonstration("saint-seiya", "Saint Seiya demonstration", 9, 1),
)


def demo_event(demonstration: Demonstration = MAIN) -> Event | None:
    """Return a demonstration event, by default the main one; None if it is not seeded."""
    return Event.objects.filter(created_by__email=f"organizer@{DOMAIN}", name=demonstration.name).first()


def unseeded() -> list[Demonstration]:
    """List the events that are not seeded yet; the main one last, so that it is the first in lists of newest events."""
    return [demonstration for demonstration in (CUP, *BESIDE, MAIN) if demo_event(demonstration) is None]


def seed_demo(*, now: datetime) -> Event:
    """Create the demonstration events that do not exist yet, and return the main one. Existing ones do not change."""
    with transaction.atomic():
        for demonstration in unseeded():
            if demonstration is CUP:
                _seed_cup(now - timedelta(days=1))
                continue
            event = _seed(demonstration, now)
            if demonstration is MAIN:
                _dispute_and_report(event, now)
        found = demo_event()
        assert found is not None, "it was seeded"
        return found


def demo_people(event: Event) -> dict[str, User]:
    """Return the accounts to sign in as, by role: an organizer, a judge, and a player who has not reported yet."""
    last = event.stages.get().rounds.latest("number")
    free = Match.objects.filter(round=last, authority="", table__isnull=False).order_by("table").first()
    playing = free.seats.get(number=1).entrant if free else event.entrants.order_by("pk")[0]
    return {
        "organizer": _account("organizer"),
        "judge": _account("judge"),
        "player": User.objects.get(persons__member__entrant=playing),
    }


def _account(name: str) -> User:
    return User.objects.get(email=f"{name.replace(' ', '-')}@{DOMAIN}")


def _make_account(name: str) -> User:
    """Create a demonstration account, or return the one that an earlier event created."""
    known = User.objects.filter(email=f"{name.lower().replace(' ', '-')}@{DOMAIN}").first()
    if known is not None:
        return known
    user = create_account(
        email=f"{name.lower().replace(' ', '-')}@{DOMAIN}", password=None, given_name=name, family_name=""
    )
    change_public_name(person=own_person(user), public_name=name)
    return user


def _seed(demonstration: Demonstration, now: datetime) -> Event:
    began = now - timedelta(hours=4)
    event, organizer = _started(demonstration, began)
    for number in range(1, demonstration.rounds_played + 1):
        _play_round(event, organizer, began + timedelta(minutes=65 * (number - 1)))
    _next_round(event, organizer, now - timedelta(minutes=12))
    return event


def _seed_cup(began: datetime) -> None:
    """Seed the finished cup: Swiss rounds, then a bracket, with results entered by the desk and public decklists."""
    event, organizer = _started(CUP, began)
    add_stage(event=event, kind="single_elimination", by=organizer, now=began, cut_top=CUT, third_place=True)
    rounds = CUP.rounds_played + (CUT - 1).bit_length()
    for number in range(rounds):
        at = began + timedelta(minutes=65 * number)
        if number == CUP.rounds_played:
            play.start_stage(event=event, by=organizer, now=at)
        _enter_round(event, organizer, at, Random(f"{SEED}/{number}"))  # noqa: S311 - results of a demonstration
    play.finish_event(event=event, by=organizer, now=began + timedelta(minutes=65 * rounds))
    shown = {f"decklists.public.{part}": "after_event" for part in ("swiss", "cut")}
    choose_visibility(event=event, cells=shown, by=organizer, now=began + timedelta(minutes=65 * rounds))


def _started(demonstration: Demonstration, began: datetime) -> tuple[Event, User]:
    """Create and start an event with its players and their decklists; return it with its organizer."""
    organizer, judge = _make_account("Organizer"), _make_account("Judge")
    event = events.create_event(
        by=organizer,
        name=demonstration.name,
        preset=demonstration.preset,
        now=began,
        starts_at=began,
        best_of=demonstration.best_of,
    )
    events.grant_role(event=event, email=str(judge.email), role=StaffRole.Role.HEAD_JUDGE, by=organizer, now=began)
    events.open_registration(event=event, by=organizer, now=began)
    _register_players(event, demonstration.players, began)
    lock_decks(event=event, by=organizer, now=began)
    events.open_check_in(event=event, by=organizer, now=began)
    for entrant in event.entrants.all():
        events.check_in(entrant=entrant, by=organizer, now=began)
    play.start_event(event=event, by=organizer, now=began)
    return event, organizer


def _register_players(event: Event, players: int, now: datetime) -> None:
    (catalog,) = [found for found in engine.catalogs(event.game) if found.id == event.catalog]
    chance = Random(SEED)  # noqa: S311 - decks of a demonstration, the same each time
    for number in range(1, players + 1):
        user = _make_account(f"Player {number}")
        entrant = events.register(event=event, person=own_person(user), by=user, now=now)
        deck = random_list(catalog, chance)
        if is_pooled(current_stage(event)):
            opened = [deck, "Deck", *(f"1 {ref}" for ref in chance.sample(sorted(catalog.cards), SPARE_CARDS))]
            register_pool(entrant=entrant, text="\n".join(opened), by=user, now=now)
        submit_decklist(entrant=entrant, text=deck, by=user, now=now)


def _next_round(event: Event, organizer: User, now: datetime) -> Round:
    round_ = play.pair_round(stage=current_stage(event), by=organizer, now=now)
    play.publish_round(round_=round_, by=organizer, now=now)
    play.start_clock(round_=round_, by=organizer, now=now)
    return round_


def _play_round(event: Event, organizer: User, now: datetime) -> None:
    round_ = _next_round(event, organizer, now)
    for match in round_.matches.filter(table__isnull=False).select_related("round__stage"):
        (_play_table if match.has_ranks else _play_match)(match, now + timedelta(minutes=40))
    play.close_round(round_=round_, by=organizer, now=now + timedelta(minutes=60))


def _enter_round(event: Event, organizer: User, now: datetime, chance: Random) -> None:
    """Play a whole round with random results, entered by the desk as if from match slips."""
    round_ = _next_round(event, organizer, now)
    for match in round_.matches.filter(table__isnull=False).order_by("table"):
        games = chance.choice([(2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0)])
        play.enter_result(match=match, by=organizer, games=games, now=now + timedelta(minutes=45))
    play.close_round(round_=round_, by=organizer, now=now + timedelta(minutes=60))


def _play_table(match: Match, now: datetime) -> None:
    """Self-play the game of a table of three or more, submit its log, and report and confirm its ranks."""
    reporter, other, *_others = _players(match)
    game = match.games.get()
    log = _game_log(match, game.number)
    submit_log(game=game, document=_bytes(log), by=reporter, now=now)
    report = play.report_result(match=match, by=reporter, games=places_of(log), now=now)
    play.confirm_result(match=match, report=report, by=other, now=now)


def _play_match(match: Match, now: datetime) -> None:
    """Self-play the games of a match of two, submit their logs, and report and confirm the result."""
    won: dict[str | None, int] = {}
    first, second = _players(match)
    needed = match.round.stage.best_of // 2 + 1
    for game in match.games.all():
        log = _game_log(match, game.number)
        submit_log(game=game, document=_bytes(log), by=first, now=now)
        winner = winner_of(log)
        won[winner] = won.get(winner, 0) + 1
        if winner and won[winner] == needed:
            break
    games = [won.get(seat.entrant.public_id, 0) for seat in match.seats.all()] + [won.get(None, 0)]
    report = play.report_result(match=match, by=first, games=games, now=now)
    play.confirm_result(match=match, report=report, by=second, now=now)


def _dispute_and_report(event: Event, now: datetime) -> None:
    """Fill the current round: a dispute at table 1, reports from tables 3 to 5, a judge call from table 6.

    The report of table 5 is not confirmed; table 2 has not reported.
    """
    round_ = current_stage(event).rounds.latest("number")
    tables = list(round_.matches.filter(table__isnull=False).order_by("table"))
    _dispute(tables[0], now)
    for match in tables[2:5]:
        first, second = _players(match)
        report = play.report_result(match=match, by=first, games=[2, 0, 0], now=now)
        if match.table != 5:
            play.confirm_result(match=match, report=report, by=second, now=now)
    call_judge(match=tables[5], by=_players(tables[5])[0], now=now - timedelta(minutes=3), matter=Call.Matter.RULES)


def _dispute(match: Match, now: datetime) -> None:
    first, second = _players(match)
    report = play.report_result(match=match, by=first, games=[2, 0, 0], now=now)
    play.contest_result(
        match=match, report=report, by=second, now=now, reason="In the first game a fighter attacked twice in one turn."
    )
    # Not every game has an attack that can be repeated: other seeds are tried until one has.
    spoiled = (with_a_second_attack(_game_log(match, 1, attempt)) for attempt in range(100))
    log = next(log for log in spoiled if log is not None)
    submit_log(game=match.games.get(number=1), document=_bytes(log), by=second, now=now)


def _game_log(match: Match, number: int, attempt: int = 0) -> dict[str, Any]:
    stage = match.round.stage
    lists = {
        seat.entrant.public_id: current_list(seat.entrant, stage) for seat in match.seats.select_related("entrant")
    }
    decks = {entrant: decklist.cards for entrant, decklist in lists.items() if decklist}
    where = {
        "event": stage.event.public_id,
        "round": match.round.number,
        "table": match.table,
        "game": number,
    }
    return self_played(stage.event.game, f"{SEED}/{match.round.number}/{match.table}/{number}/{attempt}", where, decks)


def _players(match: Match) -> list[User]:
    return [User.objects.get(persons__member__entrant__seats=seat) for seat in match.seats.order_by("number")]


def _bytes(log: object) -> bytes:
    return json.dumps(log, ensure_ascii=False).encode()
