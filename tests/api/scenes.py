"""Scenes for the API tests: events in a given state, with the ids that addresses are made of."""

import json
from dataclasses import dataclass

from rest_framework.test import APIClient

from engine.face.effects import card_digest
from tests.archive.files import Line, file_of, forged, rows
from tests.builders import (
    NOW,
    a_draft_event,
    a_pool,
    a_published_round,
    a_running_event,
    a_running_team_event,
    a_sealed_event,
    a_team_event,
    an_entrant,
    an_event,
    an_open_event,
    deck_text,
    first_game,
    match_of,
    play_out,
)
from tests.cast import Cast, account
from tests.common.test_photos import photo
from tests.notices.browser import Browser
from tests.transfers.files import TRF
from tournaments.accounts.guardians import add_person
from tournaments.accounts.models import User
from tournaments.accounts.services import create_token, own_person
from tournaments.announcements.services import announce
from tournaments.archive.nightly import check_events
from tournaments.archive.services import ask_for_file, ask_for_verification
from tournaments.audits import disputes, recording
from tournaments.audits.access import recorder_for
from tournaments.audits.bulk import start_bulk
from tournaments.audits.features import name_feature
from tournaments.audits.positions import keep_position
from tournaments.audits.services import submit_log
from tournaments.clubs import conventions
from tournaments.clubs import services as clubs
from tournaments.clubs.models import Club
from tournaments.common import clock, jobs
from tournaments.decks.catalogues import keep_upload, open_upload, read_upload
from tournaments.decks.effects import apply_effects
from tournaments.decks.models import Catalogue
from tournaments.decks.services import lock_decks
from tournaments.events import entry_invitations
from tournaments.events.approval import apply
from tournaments.events.bans import ban_person
from tournaments.events.claims import claim_signature
from tournaments.events.embedding import choose_sites
from tournaments.events.entering import Newcomer, enter_people
from tournaments.events.imports import open_import
from tournaments.events.invitations import invite, secret_of
from tournaments.events.joining import join_signature
from tournaments.events.models import Entrant, EntryInvitation, Event, Invitation, Stage, StageEntry
from tournaments.events.pairing_settings import choose_pairing, forbid_pair
from tournaments.events.questions import add_question
from tournaments.events.registration import choose_registration, register_person
from tournaments.events.selectors import current_stage
from tournaments.events.services import add_entrant, grant_role, open_check_in, save_format
from tournaments.events.stages import add_stage
from tournaments.events.teams import NewTeam, enter_teams, join_team, team_signature
from tournaments.integrations.services import make_webhook, send_test
from tournaments.judging.checks import check_table
from tournaments.judging.models import Penalty
from tournaments.judging.penalties import give_penalty
from tournaments.judging.services import call_judge
from tournaments.leagues.models import League
from tournaments.leagues.namesakes import namesakes_of
from tournaments.leagues.services import add_event, create_league
from tournaments.notices.devices import add_device
from tournaments.paper.services import request_pdf
from tournaments.payments.models import Payment
from tournaments.payments.services import add_code, add_price, note_payment
from tournaments.play import services as play
from tournaments.play.models import BoardReport, Match, Report, Round, Seat
from tournaments.play.services.repairs import repairs_of
from tournaments.profiles.access import profile_for_viewer
from tournaments.profiles.services import follow_event, follow_player, show_profile
from tournaments.standings.categories import add_category
from tournaments.transfers.services import open_transfer

DRAWS = {"on": "played", "do": [{"op": "draw", "n": 1}]}


BROWSER = Browser()


@dataclass
class Scene:
    """An event and the objects it has in this state. Those it does not have are empty, 0 or None."""

    cast: Cast
    event: Event
    entrant: Entrant | None = None
    round: Round | None = None
    match: Match | None = None
    opponent: User | None = None
    report: Report | None = None
    board_report: BoardReport | None = None
    log: str = ""
    pair: int = 0
    format: str = ""
    other: str = ""
    recording: str = ""
    position: str = ""
    photo: str = ""
    digest: str = ""
    paper: str = ""
    announcement: str = ""
    entry_import: str = ""
    transfer: str = ""
    call: str = ""
    penalty: str = ""
    check: str = ""
    invitation: str = ""
    entry_invitation: str = ""
    bulk: str = ""
    webhook: str = ""
    delivery: str = ""
    device: str = ""
    verification: str = ""
    file: str = ""
    league: str = ""
    club: str = ""
    convention: str = ""
    club_role: int = 0
    venue: int = 0
    child: str = ""
    signature: str = ""
    catalogue: int = 0
    cards: str = ""
    application: str = ""
    ban: int = 0
    price: str = ""
    code: str = ""
    payment: str = ""

    def at(self, address: str) -> str:
        """Return an address with this scene's ids filled in: `events/{event}/` and so on."""
        ids = {
            "event": self.event.public_id,
            "entrant": self.entrant.public_id if self.entrant else "",
            "match": self.match.public_id if self.match else "",
            "log": self.log,
            "pair": str(self.pair),
            "format": self.format,
            "other": self.other,
            "recording": self.recording,
            "position": self.position,
            "photo": self.photo,
            "paper": self.paper,
            "announcement": self.announcement,
            "import": self.entry_import,
            "transfer": self.transfer,
            "call": self.call,
            "penalty": self.penalty,
            "check": self.check,
            "invitation": self.invitation,
            "entry_invitation": self.entry_invitation,
            "bulk": self.bulk,
            "webhook": self.webhook,
            "delivery": self.delivery,
            "device": self.device,
            "verification": self.verification,
            "file": self.file,
            "league": self.league,
            "club": self.club,
            "convention": self.convention,
            "club_role": str(self.club_role),
            "venue": str(self.venue),
            "child": self.child,
            "person": self.members()[0] if self.entrant else "",
            "mate": own_person(self.cast.opponent).public_id,
            "judge": self.cast.judge.public_id,
            "catalogue": str(self.catalogue),
            "cards": self.cards,
            "application": self.application,
            "ban": str(self.ban),
            "price": self.price,
            "code": self.code,
            "payment": self.payment,
        }
        return "/api/v1/" + address.format(**ids)

    def body(self, name: str) -> dict[str, object]:
        """Return a request body that refers to objects of the scene."""
        ids = list(self.event.entrants.order_by("pk").values_list("public_id", flat=True))
        return {
            "report": {"report": self.report.pk if self.report else 0},
            "board": {"report": self.board_report.pk if self.board_report else 0},
            "pair": dict(zip(("first", "second"), ids, strict=False)),
            "event_of": {"event": self.event.public_id},
            "owning club": {"club": self.club},
            "club role": {"email": str(self.cast.stranger.email), "role": "judge"},
            "new owner": {"email": str(self.cast.stranger.email), "stay": True},
            "series": {
                "template": self.event.public_id,
                "first": "2026-04-03T19:00:00+02:00",
                "every": "weekly",
                "count": 2,
            },
            "forbidden": {**dict(zip(("first", "second"), ids, strict=False)), "reason": "Sisters"},
            "entrant": {"entrant": next(iter(ids), "")},
            "child": {"person": self.child},
            "lineup": {"boards": self.members()},
            "captain": {"person": own_person(self.cast.opponent).public_id},
            "several": {"gesture": "check_in", "entrants": ids[:2]},
            "agree": {"agrees": True, "digest": self.digest, "seat": self.own_seat()},
            "claim": {"signature": self.signature},
            "into": {"into": self.entrant.public_id if self.entrant else ""},
            "invitation": {"secret": secret_of(Invitation(public_id=self.invitation))},
            "entry invitation": {
                "secret": entry_invitations.secret_of(EntryInvitation(public_id=self.entry_invitation))
            },
            "across": dict(zip(("first", "second"), self.seated_apart(), strict=False)),
            "way": {"way": repairs_of(self.round)[0].key if self.round and name == "way" else ""},
            "effects": {"effects": {"OWN-1": {"abilities": [DRAWS]}}},
            "card effects": {"abilities": [DRAWS], "seen": card_digest({})},
            "catalogue": {"sha256": self.event.catalog_sha256},
            "list": {"text": deck_text(2)},
            "log": first_game(self.match) if name == "log" and self.match else {},
            "other": {"other": own_person(self.cast.opponent).public_id},
            "event": {"event": self.event.public_id},
            "question": {"kind": "text", "label": "Club"},
            "category": {
                "name": "Best junior",
                "rule": "picked",
                "entrants": [self.entrant.public_id] if self.entrant else [],
            },
            "league": {"league": self.league},
            "qualify": {"into": self.other, "first": 1},
            "answers": {"answers": {"1": "L", "2": ""}},
            "decline": {"decision": "decline", "applications": [self.application], "reason": "Full"},
            "join": {"secret": join_signature(self.event)},
            "format": {"event": self.event.public_id, "name": "Ours"},
            "namesakes": {"players": self.namesakes() if name == "namesakes" else []},
        }[name]

    def members(self) -> list[str]:
        """The persons of the entrant, the last one first."""
        members = self.entrant.member_set.order_by("-pk") if self.entrant else ()
        return [member.person.public_id for member in members]

    def namesakes(self) -> list[str]:
        """The persons of the league who have one name."""
        league = League.objects.get(public_id=self.league)
        return namesakes_of(league, self.cast.organizer)[0].ids.split()

    def own_seat(self) -> int:
        """The number of the player's seat."""
        return self.match.seats.get(entrant=self.entrant).number if self.match and self.entrant else 1

    def seated_apart(self) -> list[str]:
        """One entrant of each table of the round."""
        if self.round is None:
            return []
        matches = self.round.matches.filter(table__isnull=False).order_by("table")
        return [match.seats.order_by("number").first().entrant.public_id for match in matches]


def enter(scene: Scene, user: User) -> None:
    """Make a user an entrant of the event without a seat at any table. Idempotent."""
    if not Entrant.objects.filter(event=scene.event, members__account=user).exists():
        entrant = Entrant.objects.create(event=scene.event, registered_at=clock.now())
        entrant.member_set.create(event=scene.event, person=own_person(user))


def token_client(user: User, *scopes: str) -> APIClient:
    """A client with a token of these scopes."""
    _token, secret = create_token(user=user, name="test", scopes=scopes, now=clock.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def session_client(user: User) -> APIClient:
    """A client that is signed in, and must send a CSRF token as a browser does."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(user)
    return client


def draft(cast: Cast) -> Scene:
    """An event that only its staff can see."""
    return Scene(cast, an_event(cast))


def registering(cast: Cast) -> Scene:
    """An event that is open for registration. The player is registered, with a legal decklist."""
    event = an_open_event(cast)
    return Scene(cast, event, an_entrant(event, cast.player))


def asking(cast: Cast) -> Scene:
    """An event with a question and an age of consent, in which the player has registered."""
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, consent_under=16)
    sizes = ["S", "M", "L"]
    add_question(event=event, kind="choice", label="Size", options=sizes, required=True, by=cast.organizer, now=NOW)
    add_question(event=event, kind="text", label="Allergies", by=cast.organizer, now=NOW)
    person = own_person(cast.player)
    entrant = register_person(event=event, person=person, by=cast.player, now=NOW, answers={"1": "M"}, consent="of_age")
    return Scene(cast, event, entrant)


def with_categories(cast: Cast) -> Scene:
    """The match has a result, and the event has two prize categories, for one of which the player is picked."""
    scene = settled(cast)
    picked = [scene.entrant.public_id] if scene.entrant else []
    for name, entrants in (("Best junior", picked), ("Best veteran", [])):
        add_category(event=scene.event, name=name, rule="picked", entrants=entrants, by=cast.organizer, now=NOW)
    return scene


def banned(cast: Cast) -> Scene:
    """A running event, and the player on the ban list of the organizer."""
    scene = running(cast)
    scene.ban = ban_person(owner=cast.organizer, person=own_person(cast.player), now=NOW).pk
    return scene


def listless(cast: Cast) -> Scene:
    """A draft event that collects no decklists."""
    return Scene(cast, an_event(cast, lists="none"))


def teaming(cast: Cast) -> Scene:
    """A team event that is open for registration. The player captains a team, and another one is complete."""
    event = a_team_event(cast, size=2)
    person = own_person(cast.player)
    team = register_person(event=event, person=person, by=cast.player, now=NOW, team_name="Foxes")
    enter_teams(event=event, teams=[NewTeam("Owls", ("Ann Lee", "Bob Moss"))], by=cast.organizer, now=NOW)
    return Scene(cast, event, team, signature=team_signature(team))


def team_joined(cast: Cast) -> Scene:
    """As `teaming`, with the opponent in the player's team."""
    scene = teaming(cast)
    assert scene.entrant is not None
    join_team(team=scene.entrant, person=own_person(cast.opponent), by=cast.opponent, now=NOW)
    return scene


def team_match(cast: Cast) -> Scene:
    """A published round of a team event; the player captains a team of two."""
    event = a_running_team_event(cast, teams=2, size=2)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get()
    return Scene(cast, event, event.entrants.get(member__person__account=cast.player), round_, match)


def board_reported(cast: Cast) -> Scene:
    """Like `team_match`; the opponent has reported board 1."""
    scene = team_match(cast)
    assert scene.match is not None
    board = scene.match.boards.get(number=1)
    scene.board_report = play.report_board(board=board, by=cast.opponent, games=[2, 0, 0], now=clock.now())
    return scene


def applied(cast: Cast) -> Scene:
    """An event at which the desk approves registrations, with the player's application waiting."""
    event = choose_registration(event=an_open_event(cast), by=cast.organizer, now=NOW, approval=True)
    made = apply(event=event, person=own_person(cast.player), by=cast.player, now=NOW)
    return Scene(cast, event, application=made.public_id)


def private(cast: Cast) -> Scene:
    """A private event whose registration is open."""
    scene = registering(cast)
    scene.event = choose_registration(event=scene.event, by=cast.organizer, now=NOW, listing="private")
    return scene


def importing(cast: Cast) -> Scene:
    """A file of entrants has been uploaded and is open for review."""
    scene = registering(cast)
    document = b"Player 7\nPlayer 8\n"
    made = open_import(event=scene.event, document=document, by=cast.scorekeeper, now=clock.now())
    scene.entry_import = made.public_id
    return scene


def with_file(cast: Cast) -> Scene:
    """The organizer has uploaded the file of another program, with two players who have met."""
    scene = registering(cast)
    scene.transfer = open_transfer(document=TRF, by=cast.organizer, now=clock.now()).public_id
    return scene


def invited(cast: Cast) -> Scene:
    """The organizer has created an invitation for a judge."""
    scene = registering(cast)
    made = invite(event=scene.event, role="judge", by=cast.organizer, now=clock.now())
    scene.invitation = made.public_id
    return scene


def sealed(cast: Cast) -> Scene:
    """A sealed event that is open for registration. The player has registered a pool."""
    event = a_sealed_event(cast)
    entrant = an_entrant(event, cast.player, deck=None)
    a_pool(entrant, cast.player)
    return Scene(cast, event, entrant)


def charging(cast: Cast) -> Scene:
    """As `registering`, with an entry fee that is paid at the desk."""
    scene = registering(cast)
    Event.objects.filter(pk=scene.event.pk).update(procedures={"entry": {"kind": "paid", "cents": 500}})
    return scene


def priced(cast: Cast) -> Scene:
    """As `charging`, with a price and a code that makes the entry free."""
    scene = charging(cast)
    scene.event.refresh_from_db()
    scene.price = add_price(event=scene.event, name="Adult", cents=1200, by=cast.organizer, now=NOW).public_id
    scene.code = add_code(event=scene.event, code="GUEST", percent=100, by=cast.organizer, now=NOW).public_id
    return scene


def paid(cast: Cast) -> Scene:
    """As `priced`, and the player has paid at the desk."""
    scene = priced(cast)
    assert scene.entrant
    scene.payment = note_payment(entrant=scene.entrant, by=cast.scorekeeper, now=NOW).public_id
    return scene


def paying(cast: Cast) -> Scene:
    """As `priced`, and the player has begun to pay through a provider, which has not answered yet."""
    scene = paid(cast)
    Payment.objects.filter(public_id=scene.payment).update(status="waiting", variant="stripe", paid_at=None)
    Entrant.objects.filter(pk=scene.entrant.pk if scene.entrant else 0).update(settled="")
    return scene


def saved(cast: Cast) -> Scene:
    """A draft event whose format the organizer has saved."""
    scene = draft(cast)
    scene.format = save_format(event=scene.event, name="Ours", by=cast.organizer, now=NOW).public_id
    return scene


def saved_with_club(cast: Cast) -> Scene:
    """A draft event whose format the organizer has saved, and a club of the organizer."""
    scene = saved(cast)
    scene.club = clubs.create_club(name="Card Club", by=cast.organizer, now=NOW).public_id
    return scene


def checking_in(cast: Cast) -> Scene:
    """An event in check-in."""
    scene = registering(cast)
    lock_decks(event=scene.event, by=cast.organizer, now=NOW)
    open_check_in(event=scene.event, by=cast.organizer, now=NOW)
    return scene


def running(cast: Cast) -> Scene:
    """A started event of two players, before the first round."""
    event = a_running_event(cast, players=2)
    return Scene(cast, event, Entrant.objects.get(event=event, member__person__account=cast.player))


def profiled(cast: Cast) -> Scene:
    """The match has a result, and both players have a public profile; the stranger follows the player and the event."""
    scene = settled(cast)
    for user, short_name in ((cast.player, "ace"), (cast.opponent, "rival")):
        show_profile(person=own_person(user), short_name=short_name, text="Hello", now=NOW)
    follow_event(user=cast.stranger, event=scene.event, now=NOW)
    follow_player(user=cast.stranger, profile=profile_for_viewer("@ace"), now=NOW)
    jobs.run_due(clock.now())
    return scene


def in_league(cast: Cast, visibility: str = "private") -> Scene:
    """The match has a result, and the event is part of a league of the organizer."""
    scene = settled(cast)
    rules = {"ratings": True}
    made = create_league(name="Season", visibility=visibility, rules=rules, by=cast.organizer, now=NOW)
    add_event(league=made, event=scene.event, by=cast.organizer, now=NOW)
    scene.league = made.public_id
    return scene


def in_league_twice(cast: Cast) -> Scene:
    """As `in_league`; a walk-in of another event of the league has the name of the player."""
    scene = in_league(cast)
    league, player = League.objects.get(public_id=scene.league), own_person(cast.player)
    other = an_open_event(cast, name="Autumn Open")
    name = {"given_name": player.given_name, "family_name": player.family_name}
    add_entrant(event=other, by=cast.organizer, now=NOW, **name)
    add_event(league=league, event=other, by=cast.organizer, now=NOW)
    return scene


def in_club(cast: Cast) -> Scene:
    """The match has a result, and the event is part of a public convention of a club of the organizer.

    The scorekeeper and the judge have their roles in the club, too; the judge is a head judge of the event.
    """
    scene = settled(cast)
    said = {"place": "Lyon", "contact": "desk@club.example", "penalty_months": 12}
    club = clubs.create_club(name="Card Club", by=cast.organizer, now=NOW, **said)
    for user, role in ((cast.scorekeeper, "scorekeeper"), (cast.judge, "head_judge")):
        held = clubs.grant_role(club=club, email=str(user.email), role=role, by=cast.organizer, now=NOW)
    clubs.add_event(club=club, event=scene.event, by=cast.organizer, now=NOW)
    venue = clubs.save_venue(club=club, name="Town hall", hall="1-40", by=cast.organizer, now=NOW)
    days = {"first_day": NOW.date(), "last_day": NOW.date()}
    convention = conventions.create_convention(
        club=club, name="Winter", hall="1-40", is_public=True, by=cast.organizer, now=NOW, **days
    )
    conventions.include(convention=convention, event=scene.event, by=cast.organizer, now=NOW)
    scene.club, scene.convention = club.public_id, convention.public_id
    scene.club_role, scene.venue = held.pk, venue.pk
    return scene


def penalized_elsewhere(cast: Cast) -> Scene:
    """As `in_club`; the player was given a penalty at another event of the club."""
    scene = in_club(cast)
    assert scene.entrant is not None
    other = penalized(cast)
    club = Club.objects.get(public_id=scene.club)
    clubs.add_event(club=club, event=other.event, by=cast.organizer, now=NOW)
    Penalty.objects.update(at=clock.now())
    return scene


def in_open_league(cast: Cast) -> Scene:
    """As `in_league`, with a public league."""
    return in_league(cast, "public")


def rated(cast: Cast) -> Scene:
    """As `registering`; a league of the organizer has rated the player."""
    league = league_counted(cast).league
    scene = registering(cast)
    scene.league = league
    return scene


def qualifying(cast: Cast) -> Scene:
    """An event of two players that is over, and another event of the organizer that they can enter."""
    event = a_running_event(cast, players=2, rounds=1)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    jobs.run_due(clock.now())
    event.refresh_from_db()
    return Scene(cast, event, other=an_open_event(cast).public_id)


def with_child(cast: Cast) -> Scene:
    """As `registering`; the player also acts for a child."""
    scene = registering(cast)
    scene.child = add_person(guardian=cast.player, given_name="Ada").public_id
    return scene


def with_walk_in(cast: Cast) -> Scene:
    """As `registering`; somebody without an account has been entered too."""
    scene = registering(cast)
    walk_in = add_entrant(event=scene.event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    scene.other, scene.signature = walk_in.public_id, claim_signature(walk_in)
    return scene


def entry_invited(cast: Cast) -> Scene:
    """As `registering`; somebody whom the desk entered with an e-mail address is invited to take over the entry."""
    scene = registering(cast)
    people = [Newcomer("Player 7", email="seven@example.com")]
    made = enter_people(event=scene.event, people=people, by=cast.scorekeeper, now=clock.now(), invite=True)
    scene.other = made.entrants[0].public_id
    scene.entry_invitation = EntryInvitation.objects.get(entrant=made.entrants[0]).public_id
    return scene


def in_book(cast: Cast) -> Scene:
    """Two players who entered different events of the organizer."""
    scene = registering(cast)
    an_entrant(an_open_event(cast), cast.opponent)
    return scene


def drafted(cast: Cast) -> Scene:
    """A started event whose first round is a draft."""
    scene = running(cast)
    scene.round = play.pair_round(stage=current_stage(scene.event), by=cast.organizer, now=NOW)
    scene.match = match_of(scene.round, cast.player)
    return scene


def drafted_for_four(cast: Cast) -> Scene:
    """A started event of four players whose first round is a draft."""
    event = a_running_event(cast, players=4)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    return Scene(cast, event, round=round_)


def mendable(cast: Cast) -> Scene:
    """A published round of four players, after which a late entrant was added, so that it can be repaired."""
    event = a_running_event(cast, players=4)
    round_ = a_published_round(event, cast.organizer)
    play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    return Scene(cast, event, round=round_)


def self_recorded(cast: Cast) -> Scene:
    """The player is recording their own match."""
    scene = published(cast)
    assert scene.match
    opened = recording.open_recording(game=scene.match.games.get(number=1), by=cast.player, now=NOW)
    scene.recording = opened.public_id
    return scene


def drafting(cast: Cast) -> Scene:
    """A started event of six players in one pod, with a draft clock."""
    event = a_draft_event(cast)
    return Scene(cast, event, Entrant.objects.get(event=event, member__person__account=cast.player))


def published(cast: Cast) -> Scene:
    """A started event whose first round is published."""
    scene = running(cast)
    scene.round = a_published_round(scene.event, cast.organizer)
    scene.match = match_of(scene.round, cast.player)
    return scene


def reported(cast: Cast) -> Scene:
    """The opponent has reported the result of the player's match."""
    scene = published(cast)
    scene.report = play.report_result(match=scene.match, by=cast.opponent, games=[2, 0, 0], now=NOW)
    return scene


def printed(cast: Cast) -> Scene:
    """The slips of the round have been drawn as a PDF."""
    scene = published(cast)
    paper = request_pdf(
        event=scene.event, kind="slips", round_=scene.round, language="en", by=cast.organizer, now=clock.now()
    )
    scene.paper = paper.public_id
    return scene


def taken_away(cast: Cast) -> Scene:
    """The file of the event has been written."""
    scene = running(cast)
    scene.file = ask_for_file(event=scene.event, names=True, by=cast.organizer, now=clock.now()).public_id
    jobs.run_due(clock.now())
    return scene


def verified(cast: Cast) -> Scene:
    """A file is waiting to be verified."""
    scene = draft(cast)
    scene.verification = ask_for_verification(document=b"nothing", now=clock.now()).public_id
    return scene


def verified_whole(cast: Cast) -> Scene:
    """An event file was verified in which one result differs from the ledger."""
    scene = published(cast)
    assert scene.match
    play.enter_result(match=scene.match, by=cast.organizer, games=[2, 0, 0], now=NOW)

    def spoil(lines: list[Line]) -> None:
        seat = next(row for row in rows(lines, "seat") if row["games_won"] == 2)
        seat["games_won"] = 1

    document = forged(file_of(scene.event), spoil)
    scene.verification = ask_for_verification(document=document, now=clock.now()).public_id
    jobs.run_due(clock.now())
    return scene


def checked_at_night(cast: Cast) -> Scene:
    """An event was checked after somebody had written points that do not follow from a result."""
    scene = published(cast)
    assert scene.match
    play.enter_result(match=scene.match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    Seat.objects.filter(match=scene.match, games_won=2).update(points=1)
    check_events(now=clock.now())
    return scene


def with_cards(cast: Cast) -> Scene:
    """The organizer has a catalogue that no event uses, and has uploaded another list, which has been read."""
    scene = draft(cast)
    for ref in ("OWN-1", "OWN-2"):
        document = f"ref,name,kind,val\n{ref},One,magie,1\n".encode()
        upload = open_upload(game="star-safir", name="own", document=document, by=cast.organizer, now=clock.now())
        read_upload(upload_id=upload.pk)
        if not scene.catalogue:
            scene.catalogue = keep_upload(upload=upload, now=clock.now()).pk
    scene.cards = upload.public_id
    return scene


def with_cards_and_club(cast: Cast) -> Scene:
    """The organizer has a catalogue that no event uses, and a club."""
    scene = with_cards(cast)
    scene.club = clubs.create_club(name="Card Club", by=cast.organizer, now=NOW).public_id
    return scene


def with_effects(cast: Cast) -> Scene:
    """One card of the organizer's catalogue draws a card when it is played."""
    scene = with_cards(cast)
    effects = json.dumps({"OWN-1": {"abilities": [DRAWS]}})
    catalogue = Catalogue.objects.get(pk=scene.catalogue)
    scene.catalogue = apply_effects(catalogue=catalogue, content=effects, by=cast.organizer, now=NOW)[0].pk
    return scene


def announced(cast: Cast) -> Scene:
    """An announcement for everybody."""
    scene = registering(cast)
    made = announce(event=scene.event, text="Lunch", by=cast.organizer, now=clock.now())
    scene.announcement = made.public_id
    return scene


def called(cast: Cast) -> Scene:
    """The player has called a judge."""
    scene = published(cast)
    scene.call = call_judge(match=scene.match, by=cast.player, now=NOW).public_id
    return scene


def penalized(cast: Cast) -> Scene:
    """The head judge has given the player a penalty."""
    scene = published(cast)
    assert scene.entrant
    scene.penalty = give_penalty(entrant=scene.entrant, infraction="misplay", by=cast.judge, now=NOW).public_id
    return scene


def checked(cast: Cast) -> Scene:
    """Deck checks have been opened for the player's table."""
    scene = published(cast)
    scene.check = check_table(match=scene.match, by=cast.judge, now=NOW)[0].public_id
    return scene


def settled(cast: Cast) -> Scene:
    """The player's match has a result that counts."""
    scene = published(cast)
    play.enter_result(match=scene.match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    return scene


def claimed(cast: Cast) -> Scene:
    """The player claims that the result is wrong."""
    scene = settled(cast)
    disputes.claim_wrong(match=scene.match, by=cast.player, reason="The slip was misread.", now=NOW)
    return scene


def ruled(cast: Cast) -> Scene:
    """A judge who is not a head judge has ruled on the player's match."""
    scene = settled(cast)
    judge = account("Second Judge")
    grant_role(event=scene.event, email=judge.email, role="judge", by=cast.organizer, now=NOW)
    disputes.rule(match=scene.match, by=judge, wanted=disputes.Wanted("keep", "Seen."), now=NOW)
    return scene


def followed(cast: Cast) -> Scene:
    """The second round was paired and published by `next` a moment ago."""
    scene = settled(cast)
    scene.round = play.follow_round(round_=scene.round, minutes=3, by=cast.organizer, now=clock.now())
    return scene


def entered(cast: Cast) -> Scene:
    """The scorekeeper has entered the result of the player's match."""
    scene = published(cast)
    play.enter_result(match=scene.match, by=cast.scorekeeper, games=[2, 0, 0], now=NOW)
    return scene


def counted(cast: Cast) -> Scene:
    """The match has a result, and the standings have been computed."""
    scene = settled(cast)
    jobs.run_due(clock.now())
    return scene


def league_counted(cast: Cast) -> Scene:
    """The standings of a public league have been computed."""
    scene = in_open_league(cast)
    jobs.run_due(clock.now())
    return scene


def seated_by_hand(cast: Cast) -> Scene:
    """A draft in which two players have been swapped."""
    scene = drafted_for_four(cast)
    assert scene.round
    first, second = (Entrant.objects.get(public_id=public_id) for public_id in scene.seated_apart())
    play.swap_players(round_=scene.round, first=first, second=second, by=cast.organizer, now=NOW)
    return scene


def closed(cast: Cast) -> Scene:
    """The first round is closed."""
    scene = settled(cast)
    play.close_round(round_=scene.round, by=cast.organizer, now=NOW)
    return scene


def staged(cast: Cast) -> Scene:
    """The first round is closed, and a bracket is planned after it."""
    scene = closed(cast)
    add_stage(event=scene.event, kind="single_elimination", by=cast.organizer, now=NOW)
    return scene


def in_bracket(cast: Cast) -> Scene:
    """The bracket has started."""
    scene = staged(cast)
    play.start_stage(event=scene.event, by=cast.organizer, now=NOW)
    return scene


def choosing(cast: Cast) -> Scene:
    """The first round of the bracket is published, and the player, as the higher seed, chooses who starts."""
    scene = staged(cast)
    Stage.objects.filter(event=scene.event, number=2).update(seed_chooses=True)
    play.start_stage(event=scene.event, by=cast.organizer, now=NOW)
    StageEntry.objects.filter(entrant=scene.entrant).update(seed=900)
    StageEntry.objects.exclude(entrant=scene.entrant).update(seed=901)
    scene.round = a_published_round(scene.event, cast.organizer)
    scene.match = match_of(scene.round, cast.player)
    return scene


def minded(cast: Cast) -> Scene:
    """A started event with pairing settings: the player has asked for a bye, and two players must not meet."""
    scene = running(cast)
    assert scene.entrant
    stage = current_stage(scene.event)
    choose_pairing(stage=stage, by=cast.organizer, now=NOW, byes_on_request="half_bye")
    play.ask_bye(entrant=scene.entrant, number=2, kind="zero_bye", by=cast.player, now=NOW)
    first, second = scene.event.entrants.all()
    pair = forbid_pair(event=scene.event, first=first, second=second, reason="Sisters", by=cast.organizer, now=NOW)
    scene.pair = pair.pk
    return scene


def audited(cast: Cast) -> Scene:
    """The player has submitted a log of the first game, and its audit is done."""
    scene = published(cast)
    assert scene.match
    document = json.dumps(first_game(scene.match)).encode()
    log = submit_log(game=scene.match.games.get(number=1), document=document, by=cast.player, now=NOW)
    jobs.run_due(NOW)
    scene.log = log.public_id
    return scene


def audited_again(cast: Cast) -> Scene:
    """A bulk audit of the event's logs is running."""
    scene = audited(cast)
    scene.bulk = start_bulk(event=scene.event, options={}, by=cast.judge, now=NOW).public_id
    return scene


def audited_otherwise(cast: Cast) -> Scene:
    """A bulk audit under another interpretation has finished, in which one log no longer holds."""
    scene = audited(cast)
    scene.bulk = start_bulk(event=scene.event, options={"I-SAF-07": "no"}, by=cast.judge, now=NOW).public_id
    jobs.run_due(clock.now())
    return scene


def hooked(cast: Cast) -> Scene:
    """The event has a webhook, with a test message waiting to be sent."""
    scene = draft(cast)
    url = "https://example.com/told"
    webhook, _secret = make_webhook(by=cast.organizer, event=scene.event, url=url, kinds=["round"], now=NOW)
    scene.webhook = webhook.public_id
    scene.delivery = send_test(webhook=webhook, now=NOW).public_id
    return scene


def with_device(cast: Cast) -> Scene:
    """The player gets push notifications on a device."""
    scene = draft(cast)
    scene.device = add_device(
        user=cast.player, browser="Firefox · Android", now=NOW, **BROWSER.subscription()
    ).public_id
    return scene


def hooked_account(cast: Cast) -> Scene:
    """The organizer has a webhook for all events."""
    scene = draft(cast)
    made = make_webhook(by=cast.organizer, url="https://example.com/told", kinds=["round"], now=NOW)
    scene.webhook = made[0].public_id
    return scene


def halved(cast: Cast) -> Scene:
    """Both players have submitted a log of the first game."""
    scene = published(cast)
    game = scene.match.games.get(number=1)
    whole = first_game(scene.match)
    for user, name in ((cast.player, "log"), (cast.opponent, "other")):
        document = json.dumps({**whole, "x": name}).encode()
        setattr(scene, name, submit_log(game=game, document=document, by=user, now=NOW).public_id)
    return scene


def recorded(cast: Cast) -> Scene:
    """A judge is recording the player's match, and has entered who starts."""
    scene = published(cast)
    opened = recording.open_recording(game=scene.match.games.get(number=1), by=cast.judge, now=NOW)
    scene.recording = opened.public_id
    entry = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
    recorder = recorder_for(cast.judge, opened.public_id)
    recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=1, key="first-0123456789", now=NOW)
    return scene


def recording_handed_in(cast: Cast) -> Scene:
    """The recording of a judge is handed in, and its log is not audited yet."""
    scene = recorded(cast)
    recording.hand_in(recorder=recorder_for(cast.judge, scene.recording), by=cast.judge, now=NOW)
    return scene


def board_kept(cast: Cast) -> Scene:
    """A judge has saved a board of the player's match, with a photo."""
    scene = published(cast)
    start = {"kind": "position", "source": "judge", "state": {"seats": {"A": {"pv": 12}}}}
    position = keep_position(match=scene.match, start=start, photos=[photo()], by=cast.judge, now=NOW)
    scene.position, scene.digest, scene.photo = position.public_id, position.digest, position.photos.get().public_id
    return scene


def featured(cast: Cast) -> Scene:
    """The match being recorded is a feature match, and its first entry is old enough to be shown."""
    scene = recorded(cast)
    name_feature(match=scene.match, delay=5, by=cast.judge, now=NOW)
    return scene


def embedded(cast: Cast) -> Scene:
    """As `featured`, and one site may embed the match."""
    scene = featured(cast)
    choose_sites(event=scene.event, sites=["https://club.example"], by=cast.organizer, now=NOW)
    return scene


def logged(cast: Cast) -> Scene:
    """The player has submitted a log of the first game, whose audit has not run yet."""
    scene = published(cast)
    log = submit_log(game=scene.match.games.get(number=1), document=b'{"a": 1}', by=cast.player, now=NOW)
    scene.log = log.public_id
    return scene
