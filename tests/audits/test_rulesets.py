"""The rules that an event is played by: choosing them, and logs by other rules."""

import json
from typing import Any

import pytest

from engine import face
from engine.core.replay.selfplay import play
from tests.builders import NOW, a_published_round, an_entrant, an_event, an_open_event, match_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.audits.rulesets import choose_ruleset, ruleset_of, rulesets_of
from tournaments.audits.services import submit_log
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events.models import Event
from tournaments.play.models import Match
from tournaments.play.services import start_event

pytestmark = pytest.mark.django_db
OLD, NEW = "altered-2024@1", "altered-2025@1"


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of an Altered event that asks for no lists."""
    event = an_open_event(cast, preset="altered", lists="optional")
    for user in (cast.player, cast.opponent):
        an_entrant(event, user, deck=None)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    start_event(event=event, by=cast.organizer, now=NOW)
    return match_of(a_published_round(Event.objects.get(pk=event.pk), cast.organizer), cast.player)


def choose(event: Event, ruleset: str, cast: Cast) -> str:
    choose_ruleset(event=event, ruleset=ruleset, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return ruleset_of(event)


def submitted(match: Match, ruleset: str, cast: Cast, **options: Any) -> str:
    document = json.dumps(play("altered", 4, ruleset=ruleset, **options))
    game = match.games.get(number=1)
    submit_log(game=game, document=document.encode(), by=cast.player, now=NOW)
    return document


def test_a_new_event_is_played_by_the_newest_rules_and_can_have_the_older_ones(cast: Cast) -> None:
    event = an_event(cast, preset="altered")
    assert (rulesets_of(event), ruleset_of(event)) == ([OLD, NEW], NEW)
    assert choose(event, OLD, cast) == OLD
    assert choose(event, OLD, cast) == OLD
    entries = LedgerEntry.objects.filter(code="event.ruleset_chosen")
    assert [(entry.before, entry.after) for entry in entries] == [(NEW, OLD)]


def test_rules_of_another_game_are_refused(cast: Cast) -> None:
    with assert_refused("ruleset_unknown") as caught:
        choose(an_event(cast, preset="altered"), "safir-v2@1", cast)
    assert caught.value.details == [OLD, NEW]


def test_an_event_with_deck_rules_of_another_edition_is_played_by_what_the_engine_replays(cast: Cast) -> None:
    event = an_event(cast, preset="wakfu-2011")
    assert (event.ruleset, ruleset_of(event)) == ("wakfu-2011@1", "wakfu-2008@1")


def test_once_a_game_is_recorded_its_rules_stay(match: Match, cast: Cast) -> None:
    event = match.round.stage.event
    submitted(match, NEW, cast)
    with assert_refused("games_recorded"):
        choose(event, OLD, cast)
    assert choose(event, NEW, cast) == NEW


def test_a_log_by_other_rules_than_the_events_is_refused(match: Match, cast: Cast) -> None:
    with assert_refused("wrong_ruleset") as caught:
        submitted(match, OLD, cast)
    assert caught.value.details == [OLD, NEW]
    choose(match.round.stage.event, OLD, cast)
    submitted(Match.objects.get(pk=match.pk), OLD, cast)


def test_an_interpretation_that_the_rules_settle_cannot_be_switched_in_an_audit(match: Match, cast: Cast) -> None:
    document = submitted(match, NEW, cast)
    plain = face.audits.audit(document)
    assert plain["verdict"] == "confirmed"
    assert face.audits.audit(document, options={"I-ALT-01": "none"}) == plain
