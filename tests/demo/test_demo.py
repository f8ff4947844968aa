"""The demonstration: it is complete, its logs are confirmed, and seeding it again changes nothing."""

import pytest

from tournaments.audits.models import Audit
from tournaments.common import jobs, ledger
from tournaments.common.clock import now
from tournaments.demo.services import BESIDE, CUP, CUT, demo_event, demo_people, seed_demo
from tournaments.events.models import Event
from tournaments.events.presets import PRESETS as EVENTS
from tournaments.events.selectors import current_stage
from tournaments.judging.models import Call
from tournaments.play.models import Match, Round
from tournaments.standings.selectors import standings_of

# Slow, and not needed in every run: the browser tests look at the demonstration as well.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_seeding_creates_all_demonstration_events_and_a_second_time_changes_nothing() -> None:
    event = seed_demo(now=now())
    jobs.run_due(now())
    cup = demo_event(CUP)
    assert cup is not None and cup.is_over and cup.entrants.count() == CUP.players
    quarter_finals = Match.objects.filter(round__stage__event=cup, round__number=CUP.rounds_played + 1)
    assert quarter_finals.count() == CUT // 2
    beside = list(Event.objects.exclude(pk__in=(event.pk, cup.pk)).order_by("pk"))
    assert [found.preset for found in beside] == [wanted.preset for wanted in BESIDE]
    for found, wanted in zip(beside, BESIDE, strict=True):
        assert (found.game, found.entrants.count()) == (EVENTS[wanted.preset].game, wanted.players)
        assert list(Round.objects.filter(stage__event=found).order_by("number").values_list("status", flat=True)) == [
            "closed",
            "published",
        ]
        logs = Audit.objects.filter(log__game__match__round__stage__event=found)
        assert set(logs.values_list("verdict", flat=True)) == {"confirmed"} and logs.count() >= 2
    assert Call.objects.get().match.round.stage.event == event
    rounds = list(Round.objects.filter(stage__event=event).order_by("number").values_list("status", flat=True))
    assert event.entrants.count() == 32
    assert rounds == ["closed", "closed", "closed", "published"]
    assert Round.objects.get(stage__event=event, number=4).clock.started_at is not None
    own = Audit.objects.filter(log__game__match__round__stage__event=event)
    verdicts = set(own.exclude(log__game__match__round__number=4).values_list("verdict", flat=True))
    assert verdicts == {"confirmed"}
    assert not standings_of(current_stage(event)).computing
    assert list(ledger.faults(cup.public_id)) == []
    disputed = Match.objects.get(disputed=True)
    audit = Audit.objects.get(log__game__match=disputed)
    assert audit.verdict == "illegal_action"
    assert audit.deck_findings == []
    assert list(ledger.faults(event.public_id)) == []
    assert set(demo_people(event)) == {"organizer", "judge", "player"}
    revision, events = ledger.revision(event.public_id), Event.objects.count()
    assert seed_demo(now=now()) == event
    assert (Event.objects.count(), ledger.revision(event.public_id)) == (events, revision)
