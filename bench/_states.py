"""Events of any size in each state a page may meet, with the data a busy event accumulates."""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import cycle, islice

from bench._events import played_round
from tests.api.scenes import Scene
from tests.builders import (
    NOW,
    a_pool,
    a_published_round,
    an_open_event,
    deck_text,
    first_game,
    match_of,
    sealed_texts,
)
from tests.cast import Cast
from tests.common.test_photos import photo
from tournaments.accounts.models import Person
from tournaments.accounts.services import own_person
from tournaments.announcements.services import announce
from tournaments.archive.services import ask_for_file, ask_for_verification
from tournaments.audits import recording
from tournaments.audits.access import recorder_for
from tournaments.audits.bulk import start_bulk
from tournaments.audits.disputes import open_dispute
from tournaments.audits.features import name_feature
from tournaments.audits.positions import keep_position
from tournaments.audits.services import submit_log
from tournaments.clubs import conventions
from tournaments.clubs import services as clubs
from tournaments.common import clock, jobs
from tournaments.decks.models import Decklist, Pool
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events.claims import claim_signature
from tournaments.events.embedding import choose_sites
from tournaments.events.imports import open_import
from tournaments.events.invitations import invite
from tournaments.events.models import Entrant, EntryInvitation, Member
from tournaments.events.pairing_settings import forbid_pair
from tournaments.events.procedures import read_procedures
from tournaments.events.questions import add_question
from tournaments.events.selectors import current_stage
from tournaments.events.services import save_format
from tournaments.integrations.services import make_webhook, send_test
from tournaments.judging.checks import check_table
from tournaments.judging.models import Call
from tournaments.judging.penalties import give_penalty
from tournaments.judging.services import call_judge
from tournaments.leagues.services import add_event, create_league
from tournaments.paper.services import request_pdf
from tournaments.play import services as play
from tournaments.play.models import Match, Seat
from tournaments.standings.categories import add_category
from tournaments.swiss.bracket import MAX_PLAYERS

ROUNDS = 3
LISTS = 20  # different decklists


def opened(cast: Cast, players: int, **options: object) -> Scene:
    """An event open for registration: the player and others without accounts, all with legal lists."""
    event = an_open_event(cast, **options)
    walk_ins = Person.objects.bulk_create(Person(given_name=f"P{number}") for number in range(1, players))
    people = [own_person(cast.player), *walk_ins]
    entrants = Entrant.objects.bulk_create(Entrant(event=event, registered_at=NOW) for _person in people)
    Member.objects.bulk_create(
        Member(event=event, entrant=entrant, person=person) for entrant, person in zip(entrants, people, strict=True)
    )
    scene = Scene(cast, event, entrants[0], other=entrants[-1].public_id)
    scene.signature = claim_signature(entrants[-1])
    _register(cast, entrants, sealed=bool(options.get("preset")))
    document = "\n".join(f"Guest {number}" for number in range(players)).encode()
    walk_in = EntryInvitation(entrant=entrants[-1], made_by=cast.organizer, made_at=NOW)
    walk_in.email, walk_in.expires_at = "guest@example.com", clock.now() + timedelta(days=1)
    walk_in.save()
    scene.entry_invitation = walk_in.public_id
    scene.entry_import = open_import(event=event, document=document, by=cast.organizer, now=clock.now()).public_id
    return scene


def _register(cast: Cast, entrants: Sequence[Entrant], *, sealed: bool) -> None:
    """Register pools and lists: the first ones through the services, the others as copies of these."""
    for seed, entrant in enumerate(entrants[:LISTS]):
        by = cast.player if seed == 0 else cast.organizer
        if sealed:
            a_pool(entrant, by, seed)
        submit_decklist(entrant=entrant, text=sealed_texts(seed)[1] if sealed else deck_text(seed), by=by, now=NOW)
    for rows in (Pool.objects.filter(entrant__in=entrants), Decklist.objects.filter(entrant__in=entrants)):
        _copied(rows.order_by("entrant"), entrants[LISTS:])


def _copied(rows: Sequence[Pool | Decklist], entrants: Sequence[Entrant]) -> None:
    made = []
    for row, entrant in zip(islice(cycle(list(rows) or [None]), len(entrants)), entrants, strict=True):
        if row is not None:
            made.append(type(row)(**{**_fields(row), "entrant": entrant}))
    if made:
        type(made[0]).objects.bulk_create(made)


def _fields(row: Pool | Decklist) -> dict[str, object]:
    return {field.name: getattr(row, field.name) for field in row._meta.concrete_fields if not field.primary_key}


def asking(cast: Cast, players: int) -> Scene:
    """An event open for registration that asks questions."""
    scene = opened(cast, players)
    for number in range(6):
        label = f"Question {number}"
        add_question(event=scene.event, kind="text", label=label, required=True, by=cast.organizer, now=NOW)
    add_category(event=scene.event, name="Best junior", rule="picked", by=cast.organizer, now=NOW)
    return scene


def started(cast: Cast, players: int, **options: object) -> Scene:
    """A started event without a round."""
    scene = opened(cast, players, **options)
    _start(scene)
    return scene


def _start(scene: Scene) -> None:
    lock_decks(event=scene.event, by=scene.cast.organizer, now=NOW)
    play.start_event(event=scene.event, by=scene.cast.organizer, now=NOW)
    scene.event.refresh_from_db()


def over(cast: Cast, players: int) -> Scene:
    """All rounds are played, the event is over, and its standings are final."""
    scene = started(cast, players, rounds=ROUNDS)
    for _round in range(ROUNDS):
        played_round(scene.event, cast)
    play.finish_event(event=scene.event, by=cast.organizer, now=NOW)
    return _counted(scene)


def drafted(cast: Cast, players: int) -> Scene:
    """A round is paired as a draft."""
    scene = started(cast, players)
    scene.round = play.pair_round(stage=current_stage(scene.event), by=cast.organizer, now=NOW)
    return scene


def forgotten(cast: Cast, players: int) -> Scene:
    """A round is published, and a player was forgotten."""
    scene = started(cast, players)
    scene.round = a_published_round(scene.event, cast.organizer)
    play.enter_late(event=scene.event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    return scene


def bracket(cast: Cast, players: int) -> Scene:
    """A bracket whose first round is published, with as many players as a bracket can have.

    Any others dropped before it.
    """
    scene = opened(cast, players, kind="single_elimination", rounds=None)
    late = scene.event.entrants.order_by("pk").values("pk")[MAX_PLAYERS:players]
    Entrant.objects.filter(pk__in=late).update(status=Entrant.Status.DROPPED, dropped_after=0)
    _start(scene)
    scene.round = a_published_round(scene.event, cast.organizer)
    return scene


def pods(cast: Cast, players: int) -> Scene:
    """All players sit in pods, and the clock of their draft is running."""
    scene = started(cast, players, kind="pods")
    rule = {"boosters": 2, "passing": "LR", "cards": 3, "minutes": 5, "pod": 8}
    scene.event.procedures = read_procedures({**scene.event.procedures, "limited": rule}).to_json()
    scene.event.save(update_fields=["procedures"])
    play.start_draft(stage=current_stage(scene.event), by=cast.organizer, now=clock.now())
    return scene


def sealed(cast: Cast, players: int) -> Scene:
    """A sealed event open for registration, with all pools registered."""
    return opened(cast, players, preset="altered-sealed")


def running(cast: Cast, players: int) -> Scene:
    """An event in its fourth round.

    Three rounds are played, half of the fourth has results, and staff and judges have created all kinds of data.
    """
    scene = started(cast, players, rounds=30)
    for _round in range(ROUNDS):
        played_round(scene.event, cast)
    scene.round = a_published_round(scene.event, cast.organizer)
    scene.match = match_of(scene.round, cast.player)
    _half(scene)
    _judged(scene)
    _recorded(scene)
    _kept(scene)
    return _counted(scene)


def _counted(scene: Scene) -> Scene:
    jobs.run_due(clock.now())
    return scene


def _half(scene: Scene) -> None:
    """Every other table has a result."""
    assert scene.round and scene.match
    tables = scene.round.matches.filter(table__isnull=False).exclude(pk=scene.match.pk).order_by("table")
    keys = list(tables.values_list("pk", flat=True))[::2]
    Seat.objects.filter(match__in=keys, number=1).update(games_won=2, points=3)
    Seat.objects.filter(match__in=keys, number=2).update(games_won=0, points=0)
    Match.objects.filter(pk__in=keys).update(games_drawn=0, authority=Match.Authority.WITNESSED)


def _judged(scene: Scene) -> None:
    """Judges are called and decks checked at a tenth of the tables without a result; another tenth has disputes.

    One entrant in ten has a penalty.
    """
    assert scene.round and scene.match and scene.entrant
    judge = scene.cast.judge
    free = list(scene.round.matches.filter(table__isnull=False, games_drawn=None).exclude(pk=scene.match.pk))
    for match in free[::10]:
        Call.objects.create(match=match, seat=match.seats.first(), by=scene.cast.player, called_at=clock.now())
        check_table(match=match, by=judge, now=NOW)
    for match in free[5::10]:
        open_dispute(match=match, now=NOW)
    for entrant in scene.event.entrants.order_by("pk")[::10]:
        given = give_penalty(entrant=entrant, infraction="misplay", by=judge, now=NOW)
        scene.penalty = scene.penalty or given.public_id
    scene.call = call_judge(match=scene.match, by=scene.cast.player, now=clock.now()).public_id
    scene.check = check_table(match=scene.match, by=judge, now=NOW)[0].public_id


def _recorded(scene: Scene) -> None:
    """For the player's match: a log, its repeated audit, a saved position with a photo, and a public recording."""
    assert scene.match
    judge, game = scene.cast.judge, scene.match.games.get(number=1)
    document = json.dumps(first_game(scene.match)).encode()
    scene.log = submit_log(game=game, document=document, by=scene.cast.player, now=NOW).public_id
    jobs.run_due(clock.now())
    scene.bulk = start_bulk(event=scene.event, options={}, by=judge, now=NOW).public_id
    start = {"kind": "position", "source": "judge", "state": {"seats": {"A": {"pv": 12}}}}
    position = keep_position(match=scene.match, start=start, photos=[photo()], by=judge, now=NOW)
    scene.position, scene.photo = position.public_id, position.photos.get().public_id
    opened_ = recording.open_recording(game=game, by=judge, now=NOW)
    scene.recording = opened_.public_id
    entry = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
    recorder = recorder_for(judge, opened_.public_id)
    recording.record_move(recorder=recorder, by=judge, entry=entry, n=1, key="first-0123456789", now=NOW)
    name_feature(match=scene.match, delay=5, by=judge, now=NOW)
    choose_sites(event=scene.event, sites=["https://club.example"], by=judge, now=NOW)


def _kept(scene: Scene) -> None:
    """What the organizer created for the event."""
    event, by, now = scene.event, scene.cast.organizer, clock.now()
    prizes = {"units": 400, "shares": [{"first": 1, "last": 64, "units": 5}]}
    event.procedures = read_procedures({**event.procedures, "prizes": prizes}).to_json()
    event.save(update_fields=["procedures"])
    first, second = event.entrants.order_by("pk")[:2]
    forbid_pair(event=event, first=first, second=second, reason="Sisters", by=by, now=NOW)
    scene.announcement = announce(event=event, text="Lunch", by=by, now=now).public_id
    scene.invitation = invite(event=event, role="judge", by=by, now=now).public_id
    scene.format = save_format(event=event, name=f"Ours {event.public_id}", by=by, now=NOW).public_id
    paper = request_pdf(event=event, kind="slips", round_=scene.round, language="en", by=by, now=now)
    scene.paper = paper.public_id
    scene.file = ask_for_file(event=event, names=True, by=by, now=now).public_id
    scene.verification = ask_for_verification(document=b"nothing", now=now).public_id
    webhook, _secret = make_webhook(by=by, event=event, url="https://example.com/told", kinds=["round"], now=NOW)
    scene.webhook, scene.delivery = webhook.public_id, send_test(webhook=webhook, now=NOW).public_id
    league = create_league(name="Season", visibility="public", by=by, now=NOW, rules={"ratings": True})
    add_event(league=league, event=event, by=by, now=NOW)
    scene.league = league.public_id
    club = clubs.create_club(name="Card Club", by=by, now=NOW)
    clubs.add_event(club=club, event=event, by=by, now=NOW)
    days = {"first_day": NOW.date(), "last_day": NOW.date()}
    convention = conventions.create_convention(club=club, name="Winter", is_public=True, by=by, now=NOW, **days)
    conventions.include(convention=convention, event=event, by=by, now=NOW)
    scene.club, scene.convention = club.public_id, convention.public_id


STATES: dict[str, Callable[[Cast, int], Scene]] = {
    "open": opened,
    "asking": asking,
    "sealed": sealed,
    "drafted": drafted,
    "forgotten": forgotten,
    "pods": pods,
    "bracket": bracket,
    "running": running,
    "over": over,
}
