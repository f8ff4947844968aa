"""What a request of a test meets: an event in a given state, and the ids that addresses are made of."""

import json
from dataclasses import dataclass

from rest_framework.test import APIClient

from tests.builders import (
    NOW,
    a_pool,
    a_published_round,
    a_running_event,
    a_sealed_event,
    an_entrant,
    an_event,
    an_open_event,
    first_game,
    match_of,
)
from tests.cast import Cast, account
from tournaments.accounts.models import User
from tournaments.accounts.services import create_token
from tournaments.announcements.services import announce
from tournaments.audits import disputes, recording
from tournaments.audits.access import recorder_for
from tournaments.audits.services import submit_log
from tournaments.common import clock, jobs
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.pairing import choose_pairing, forbid_pair
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role, open_check_in, save_format
from tournaments.events.stages import add_stage
from tournaments.paper.services import ask_for_paper
from tournaments.play import services as play
from tournaments.play.models import Match, Report, Round


@dataclass
class Scene:
    """An event and, as far as it has come, what stands in it."""

    cast: Cast
    event: Event
    entrant: Entrant | None = None
    round: Round | None = None
    match: Match | None = None
    opponent: User | None = None
    report: Report | None = None
    log: str = ""
    pair: int = 0
    format: str = ""
    other: str = ""
    recording: str = ""
    paper: str = ""
    announcement: str = ""

    def at(self, address: str) -> str:
        """An address with this scene's ids: `events/{event}/` and so on."""
        ids = {
            "event": self.event.public_id,
            "entrant": self.entrant.public_id if self.entrant else "",
            "match": self.match.public_id if self.match else "",
            "log": self.log,
            "pair": str(self.pair),
            "format": self.format,
            "other": self.other,
            "recording": self.recording,
            "paper": self.paper,
            "announcement": self.announcement,
            "judge": self.cast.judge.public_id,
        }
        return "/api/v1/" + address.format(**ids)

    def body(self, name: str) -> dict[str, object]:
        """A body that names what stands in the scene."""
        ids = list(self.event.entrants.order_by("pk").values_list("public_id", flat=True))
        return {
            "report": {"report": self.report.pk if self.report else 0},
            "pair": dict(zip(("first", "second"), ids, strict=False)),
            "forbidden": {**dict(zip(("first", "second"), ids, strict=False)), "reason": "Sisters"},
            "entrant": {"entrant": next(iter(ids), "")},
            "format": {"event": self.event.public_id, "name": "Ours"},
        }[name]


def token_client(user: User, *scopes: str) -> APIClient:
    """A client that carries a token of these scopes."""
    _token, secret = create_token(user=user, name="test", scopes=scopes, now=clock.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def session_client(user: User) -> APIClient:
    """A client that is signed in, and whose requests are checked as a browser's are."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(user)
    return client


def draft(cast: Cast) -> Scene:
    """An event that its staff alone see."""
    return Scene(cast, an_event(cast))


def registering(cast: Cast) -> Scene:
    """An event that takes registrations; the player is registered with a legal list."""
    event = an_open_event(cast)
    return Scene(cast, event, an_entrant(event, cast.player))


def sealed(cast: Cast) -> Scene:
    """A sealed event that takes registrations; the player has registered a pool."""
    event = a_sealed_event(cast)
    entrant = an_entrant(event, cast.player, deck=None)
    a_pool(entrant, cast.player)
    return Scene(cast, event, entrant)


def charging(cast: Cast) -> Scene:
    """As `registering`, where the entry is paid at the desk."""
    scene = registering(cast)
    Event.objects.filter(pk=scene.event.pk).update(procedures={"entry": {"kind": "paid", "cents": 500}})
    return scene


def saved(cast: Cast) -> Scene:
    """A draft of which the organizer has saved the format."""
    scene = draft(cast)
    scene.format = save_format(event=scene.event, name="Ours", by=cast.organizer, now=NOW).public_id
    return scene


def checking_in(cast: Cast) -> Scene:
    """An event in check-in."""
    scene = registering(cast)
    lock_decks(event=scene.event, by=cast.organizer, now=NOW)
    open_check_in(event=scene.event, by=cast.organizer, now=NOW)
    return scene


def running(cast: Cast) -> Scene:
    """A started event of two players, no round yet."""
    event = a_running_event(cast, players=2)
    return Scene(cast, event, Entrant.objects.get(event=event, member__person__account=cast.player))


def drafted(cast: Cast) -> Scene:
    """A started event whose first round is paired as a draft."""
    scene = running(cast)
    scene.round = play.pair_round(stage=current_stage(scene.event), by=cast.organizer, now=NOW)
    scene.match = match_of(scene.round, cast.player)
    return scene


def published(cast: Cast) -> Scene:
    """A started event whose first round is published."""
    scene = running(cast)
    scene.round = a_published_round(scene.event, cast.organizer)
    scene.match = match_of(scene.round, cast.player)
    return scene


def reported(cast: Cast) -> Scene:
    """The opponent has reported the player's match."""
    scene = published(cast)
    scene.report = play.report_result(match=scene.match, by=cast.opponent, games=[2, 0, 0], now=NOW)
    return scene


def printed(cast: Cast) -> Scene:
    """The slips of the round are drawn."""
    scene = published(cast)
    paper = ask_for_paper(
        event=scene.event, kind="slips", round_=scene.round, language="en", by=cast.organizer, now=clock.now()
    )
    scene.paper = paper.public_id
    return scene


def announced(cast: Cast) -> Scene:
    """Something is announced to all."""
    scene = registering(cast)
    made = announce(event=scene.event, text="Lunch", by=cast.organizer, now=clock.now())
    scene.announcement = made.public_id
    return scene


def settled(cast: Cast) -> Scene:
    """The player's match has a result that counts."""
    scene = published(cast)
    play.override_result(match=scene.match, by=cast.organizer, games=[2, 0, 0], now=NOW)
    return scene


def claimed(cast: Cast) -> Scene:
    """The player says that the result that counts is wrong."""
    scene = settled(cast)
    disputes.claim_wrong(match=scene.match, by=cast.player, reason="The slip was misread.", now=NOW)
    return scene


def ruled(cast: Cast) -> Scene:
    """A judge, who is not the head judge, has ruled on the player's match."""
    scene = settled(cast)
    judge = account("Second Judge")
    grant_role(event=scene.event, email=judge.email, role="judge", by=cast.organizer, now=NOW)
    disputes.rule(match=scene.match, by=judge, wanted=disputes.Wanted("keep", "Seen."), now=NOW)
    return scene


def followed(cast: Cast) -> Scene:
    """The second round followed the first a moment ago."""
    scene = settled(cast)
    scene.round = play.follow_round(round_=scene.round, minutes=3, by=cast.organizer, now=clock.now())
    return scene


def entered(cast: Cast) -> Scene:
    """The scorekeeper has entered the player's match."""
    scene = published(cast)
    play.override_result(match=scene.match, by=cast.scorekeeper, games=[2, 0, 0], now=NOW)
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


def minded(cast: Cast) -> Scene:
    """A started event whose players may ask for byes; one is asked for, and two players must not meet."""
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
    """The player has sent a log of the first game, and its audit is done."""
    scene = published(cast)
    assert scene.match
    document = json.dumps(first_game(scene.match)).encode()
    log = submit_log(game=scene.match.games.get(number=1), document=document, by=cast.player, now=NOW)
    jobs.run_due(NOW)
    scene.log = log.public_id
    return scene


def halved(cast: Cast) -> Scene:
    """Both players have sent what they saw of the first game."""
    scene = published(cast)
    game = scene.match.games.get(number=1)
    whole = first_game(scene.match)
    for user, name in ((cast.player, "log"), (cast.opponent, "other")):
        document = json.dumps({**whole, "x": name}).encode()
        setattr(scene, name, submit_log(game=game, document=document, by=user, now=NOW).public_id)
    return scene


def recorded(cast: Cast) -> Scene:
    """A judge records the player's match, and who begins is entered."""
    scene = published(cast)
    opened = recording.open_recording(game=scene.match.games.get(number=1), by=cast.judge, now=NOW)
    scene.recording = opened.public_id
    entry = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
    recorder = recorder_for(cast.judge, opened.public_id)
    recording.record_move(recorder=recorder, by=cast.judge, entry=entry, n=1, key="first-0123456789", now=NOW)
    return scene


def logged(cast: Cast) -> Scene:
    """The player has sent a log of the first game."""
    scene = published(cast)
    log = submit_log(game=scene.match.games.get(number=1), document=b'{"a": 1}', by=cast.player, now=NOW)
    scene.log = log.public_id
    return scene
