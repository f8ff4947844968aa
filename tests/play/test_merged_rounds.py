"""Rounds whose entrants were merged afterwards can still be verified from their inputs."""

from __future__ import annotations

import pytest

from tests.archive.files import file_of, verified
from tests.builders import NOW, a_published_round, play_out
from tests.cast import Cast
from tests.play.test_merging import a_running_free_event
from tournaments.events.models import Entrant, Event
from tournaments.events.pairing_settings import forbid_pair
from tournaments.play import services as play
from tournaments.play.models import Round
from tournaments.play.pairing_inputs import inputs_of
from tournaments.swiss.replies import verified as verify

pytestmark = pytest.mark.django_db


def came_back(cast: Cast, players: int = 8) -> tuple[Event, Entrant, Entrant]:
    """An event where a player dropped after two rounds and played the third as a new entrant."""
    event = a_running_free_event(cast, players)
    for _ in range(2):
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    entrant = Entrant.objects.get(event=event, member__person__account=cast.player)
    play.drop(entrant=entrant, by=cast.organizer, now=NOW)
    again = play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    other = event.entrants.exclude(pk__in=(entrant.pk, again.pk)).first()
    forbid_pair(event=event, first=again, second=other, reason="Sisters", by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return event, entrant, again


@pytest.mark.parametrize("into_first", [True, False])
@pytest.mark.slow
def test_every_round_can_be_verified_after_a_merge(cast: Cast, into_first: bool) -> None:
    event, entrant, again = came_back(cast)
    gone, kept = (again, entrant) if into_first else (entrant, again)
    play.merge_entrants(entrant=gone, into=kept, by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    for round_ in Round.objects.filter(stage__event=event).order_by("number"):
        assert verify(inputs_of(round_))["same"], round_.number
    found = verified(file_of(event))
    assert found.holds, found.faults
    assert found.checked["pairing"] == 4
