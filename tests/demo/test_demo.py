"""The demonstration: whole, true, made once."""

import pytest

from tournaments.audits.models import Audit
from tournaments.common import jobs, ledger
from tournaments.common.clock import now
from tournaments.demo.services import BESIDE, demo_people, seed_demo
from tournaments.events.models import Event
from tournaments.events.presets import PRESETS as EVENTS
from tournaments.events.selectors import current_stage
from tournaments.play.models import Match, Round
from tournaments.standings.selectors import standings_of

pytestmark = pytest.mark.django_db


def test_the_demonstration_is_an_event_of_32_in_its_fourth_round() -> None:
    event = seed_demo(now=now())
    jobs.run_due(now())
    beside = list(Event.objects.exclude(pk=event.pk).order_by("pk"))
    assert [found.preset for found in beside] == [wanted.preset for wanted in BESIDE]
    for found, wanted in zip(beside, BESIDE, strict=True):
        assert (found.game, found.entrants.count()) == (EVENTS[wanted.preset].game, wanted.players)
        assert list(Round.objects.filter(stage__event=found).order_by("number").values_list("status", flat=True)) == [
            "closed",
            "published",
        ]
        logs = Audit.objects.filter(log__game__match__round__stage__event=found)
        assert set(logs.values_list("verdict", flat=True)) == {"confirmed"} and logs.count() >= 2
    rounds = list(Round.objects.filter(stage__event=event).order_by("number").values_list("status", flat=True))
    assert event.entrants.count() == 32
    assert rounds == ["closed", "closed", "closed", "published"]
    assert Round.objects.get(number=4).clock.started_at is not None
    own = Audit.objects.filter(log__game__match__round__stage__event=event)
    verdicts = set(own.exclude(log__game__match__round__number=4).values_list("verdict", flat=True))
    assert verdicts == {"confirmed"}
    assert not standings_of(current_stage(event)).computing
    disputed = Match.objects.get(disputed=True)
    audit = Audit.objects.get(log__game__match=disputed)
    assert audit.verdict == "illegal_action"
    assert audit.deck_findings == []
    assert list(ledger.faults(event.public_id)) == []
    assert set(demo_people(event)) == {"organizer", "judge", "player"}


def test_seeding_twice_changes_nothing() -> None:
    first = seed_demo(now=now())
    revision = ledger.revision(first.public_id)
    assert seed_demo(now=now()) == first
    assert (Event.objects.count(), ledger.revision(first.public_id)) == (1 + len(BESIDE), revision)
