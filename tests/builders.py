"""Builders of the events, rounds and logs that tests start from. They use the same services as the site.

Builders marked `@remembered` write their rows once per process and copy them later: see remembered.py.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

from engine.core.cards.catalog import Catalog, shipped_catalogs
from engine.games.altered.deck import random_deck as altered_deck
from engine.games.star_safir.deck import random_deck
from tests.cast import Cast, account
from tests.remembered import remembered
from tournaments.accounts.models import Person, User
from tournaments.accounts.services import own_person
from tournaments.decks.models import Pool
from tournaments.decks.selectors import current_list
from tournaments.decks.services import choose_deck_format, lock_decks, register_pool, submit_decklist
from tournaments.demo.games import self_played
from tournaments.events.models import Entrant, Event, Member, StaffRole
from tournaments.events.procedures import read_procedures
from tournaments.events.registration import register_person
from tournaments.events.selectors import current_stage
from tournaments.events.services import create_event, grant_role, open_registration, register
from tournaments.events.stages import add_stage
from tournaments.events.teams import NewTeam, add_member, choose_teams, enter_teams, join_team
from tournaments.play import services as play
from tournaments.play.models import Match, Round

NOW = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)


@cache
def deck_text(seed: int) -> str:
    """A legal Star Safir decklist from the demonstration catalogue, as a player pastes it."""
    (catalog,) = [found for found in shipped_catalogs("star-safir") if found.id == "safir-demo"]
    deck = random_deck(Random(seed), catalog)
    lines = ["Commander", f"1 {deck.commander}", ""] if deck.commander else []
    return "\n".join([*lines, "Deck", *(f"{count} {ref}" for ref, count in deck.main.items())])


@dataclass(frozen=True)
class Misspelt:
    """A list with one card misspelt, the value of the button that corrects it, and the corrected list."""

    text: str
    button: str
    corrected: str


def misspelt(text: str, catalog: Catalog) -> Misspelt:
    """Misspell the first card of a list as `deck_text` and `sealed_texts` write it."""
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line[:1].isdigit())
    count, ref = lines[at].split()
    name = catalog[ref].name
    wrong = "\n".join([*lines[:at], f"{count} {name[:-1]}", *lines[at + 1 :]])
    right = "\n".join([*lines[:at], f"{count} {ref} {name}", *lines[at + 1 :]])
    return Misspelt(wrong, f"{at + 1}:{ref} {name}", right)


@cache
def sealed_texts(seed: int) -> tuple[str, str]:
    """A pool from the Altered demonstration catalogue and a legal Sealed deck built from it, as players paste them."""
    (catalog,) = [found for found in shipped_catalogs("altered") if found.id == "altered-demo"]
    deck = altered_deck(Random(seed), catalog)
    cards = [f"1 {deck.commander}", *(f"{count} {ref}" for ref, count in deck.main.items())]
    return "\n".join(["Deck", *cards]), "\n".join(cards)


def a_sealed_event(cast: Cast, **options: object) -> Event:
    """An Altered Sealed event with open registration."""
    return an_open_event(cast, preset="altered-sealed", **options)


def a_pool(entrant: Entrant, by: User, seed: int = 1) -> Pool:
    """Register the pool of a seed for an entrant."""
    return register_pool(entrant=entrant, text=sealed_texts(seed)[0], by=by, now=NOW)


@remembered
def an_event(cast: Cast, **options: object) -> Event:
    """A Star Safir event in draft status, with three rounds and the cast's staff in their roles."""
    defaults: dict[str, object] = {"name": "Spring Open", "preset": "star-safir", "rounds": 3}
    event = create_event(by=cast.organizer, now=NOW, **{**defaults, **options})
    for user, role in ((cast.scorekeeper, StaffRole.Role.SCOREKEEPER), (cast.judge, StaffRole.Role.HEAD_JUDGE)):
        grant_role(event=event, email=user.email, role=role, by=cast.organizer, now=NOW)
    return event


@remembered
def an_open_event(cast: Cast, **options: object) -> Event:
    """An event with open registration."""
    event = an_event(cast, **options)
    open_registration(event=event, by=cast.organizer, now=NOW)
    return event


def an_entrant(event: Event, user: User, *, deck: int | None = 1) -> Entrant:
    """Register an account for an event, with the legal deck of a seed unless `deck` is None."""
    entrant = register(event=event, person=own_person(user), by=user, now=NOW)
    if deck is not None:
        submit_decklist(entrant=entrant, text=deck_text(deck), by=user, now=NOW)
    return entrant


@remembered
def a_running_event(cast: Cast, *, players: int = 4, named: str = "Player", **options: object) -> Event:
    """A started event with `players` entrants, all with legal decks; the first are the cast's player and opponent."""
    event = an_open_event(cast, **options)
    users = [cast.player, cast.opponent, *(account(f"{named} {number}") for number in range(3, players + 1))]
    for number, user in enumerate(users[:players], 1):
        an_entrant(event, user, deck=number)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def a_draft_event(cast: Cast, **limited: object) -> Event:
    """A running draft of six players in one pod, with two boosters of three cards each and 5 minutes."""
    event = a_running_event(cast, players=6, kind="pods")
    rule = {"boosters": 2, "passing": "LR", "cards": 3, "minutes": 5, "pod": 8, **limited}
    event.procedures = read_procedures({**event.procedures, "limited": rule}).to_json()
    event.save(update_fields=["procedures"])
    return event


@remembered
def a_large_event(cast: Cast, players: int) -> Event:
    """A running event with many players and no decklists, inserted in bulk, for tests where only the size matters."""
    event = an_open_event(cast, rounds=30)
    people = Person.objects.bulk_create(Person(given_name=f"P{number}") for number in range(players))
    entrants = Entrant.objects.bulk_create(Entrant(event=event, registered_at=NOW) for _ in people)
    Member.objects.bulk_create(
        Member(event=event, entrant=entrant, person=person) for entrant, person in zip(entrants, people, strict=True)
    )
    Event.objects.filter(pk=event.pk).update(status=Event.Status.RUNNING)
    event.refresh_from_db()
    return event


@remembered
def a_published_round(event: Event, by: User) -> Round:
    """Pair and publish the next round of a running event."""
    round_ = play.pair_round(stage=current_stage(event), by=by, now=NOW)
    play.publish_round(round_=round_, by=by, now=NOW)
    round_.refresh_from_db()
    return round_


def match_of(round_: Round, user: User) -> Match:
    """The match in which an account plays in a round."""
    return Match.objects.get(round=round_, seats__entrant__member__person__account=user)


def users_of(match: Match) -> list[User]:
    """The accounts at a match, in the order of their seats."""
    return [User.objects.get(persons__member__entrant__seats=seat) for seat in match.seats.order_by("number")]


def first_game(match: Match, seed: int = 7) -> dict[str, Any]:
    """A self-played log of a match's first game, with the registered decklists."""
    seats = match.seats.select_related("entrant")
    decks = {seat.entrant.public_id: current_list(seat.entrant, match.round.stage).cards for seat in seats}
    return self_played("star-safir", seed, {"round": 1, "table": match.table or 0, "game": 1}, decks)


@remembered
def play_out(round_: Round, by: User, games: tuple[int, int, int] = (2, 0, 0)) -> None:
    """Enter the same result for every table that has none, or for each of its boards, and close the round."""
    for match in round_.matches.filter(table__isnull=False, games_drawn=None):
        score = [list(games)] * match.boards.count() or games
        play.enter_result(match=match, by=by, games=score, now=NOW)
    play.close_round(round_=round_, by=by, now=NOW)


def a_stage_played(event: Event, by: User, rounds: int) -> None:
    """Play `rounds` rounds of the current stage; the first seat wins every match."""
    for _round in range(rounds):
        play_out(a_published_round(event, by), by)


@remembered
def a_bracket(cast: Cast, *, players: int = 4, rounds: int = 1, named: str = "Player", **options: Any) -> Event:
    """An event whose Swiss rounds are over and whose bracket has started, with no bracket round paired yet."""
    event = a_running_event(cast, players=players, rounds=rounds, named=named)
    kind = options.pop("kind", "single_elimination")
    add_stage(event=event, kind=kind, by=cast.organizer, now=NOW, **options)
    a_stage_played(event, cast.organizer, rounds)
    play.start_stage(event=event, by=cast.organizer, now=NOW)
    return event


def a_table_event(cast: Cast, *, players: int = 5, **options: object) -> Event:
    """A started event with more than two players at a table."""
    return a_running_event(cast, players=players, kind="tables", best_of=1, **options)


def a_team_event(
    cast: Cast, *, size: int = 3, together: bool = False, substitutes: int = 1, lists: str = "none", **options: object
) -> Event:
    """An event for teams with open registration, without decklists unless `lists` says otherwise."""
    event = an_event(cast, lists=lists, **options)
    choose_teams(
        event=event,
        by=cast.organizer,
        now=NOW,
        team_size=size,
        team_play="together" if together else "boards",
        substitutes=substitutes,
    )
    open_registration(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def a_running_team_event(cast: Cast, *, teams: int = 4, **options: object) -> Event:
    """A started team event; the cast's player and opponent captain the first two teams."""
    event = a_team_event(cast, **options)
    for number, user in enumerate((cast.player, cast.opponent), 1):
        team = register_person(event=event, person=own_person(user), by=user, now=NOW, team_name=f"Team {number}")
        for board in range(2, event.team_size + 1):
            add_member(team=team, name=f"T{number} Board{board}", by=cast.organizer, now=NOW)
    others = [
        NewTeam(f"Team {n}", tuple(f"T{n} B{b}" for b in range(1, event.team_size + 1))) for n in range(3, teams + 1)
    ]
    enter_teams(event=event, teams=others, by=cast.organizer, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def own_deck(number: int, shared: int = 0) -> str:
    """A legal Star Safir decklist of 30 cards, of which decks with other numbers (0 to 4) have none.

    `shared` cards are replaced by two copies each of the first cards, which all such decks have in common.
    """
    catalog = next(found for found in shipped_catalogs("star-safir") if found.id == "safir-demo")
    refs = [ref for ref, card in sorted(catalog.cards.items()) if card.kind != "commandant"]
    common, rest = refs[:5], refs[5:]
    own = rest[15 * number : 15 * (number + 1)]
    return "Deck\n" + "\n".join(f"2 {ref}" for ref in [*common[:shared], *own[shared:]])


def a_team_with_lists(cast: Cast, *, limit: int | None = None, lists: str = "required", **options: object) -> Entrant:
    """A team of three in an open event that collects decklists: the cast's player is the captain at board 1.

    The cast's opponent has board 2, and board 3 a player without an account. Nobody has a list yet.
    """
    event = a_team_event(cast, lists=lists, **options)
    if limit is not None:
        stage = event.stages.get()
        choose_deck_format(
            event=event, deck_format=stage.deck_format, options={}, team_limit=limit, by=cast.organizer, now=NOW
        )
    captain = own_person(cast.player)
    team = register_person(event=event, person=captain, by=cast.player, now=NOW, team_name="Team 1")
    join_team(team=team, person=own_person(cast.opponent), by=cast.opponent, now=NOW)
    add_member(team=team, name="Board Three", by=cast.organizer, now=NOW)
    return Entrant.objects.select_related("event").get(pk=team.pk)
