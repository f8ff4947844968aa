"""A real event comes over from each format before its last round, ends here, and is exported again."""

from dataclasses import replace

import pytest

from tests.builders import NOW, a_published_round
from tests.cast import Cast
from tests.transfers.test_real_events import EVENTS, events, without_byes
from tests.transfers.written import WITH_BYES, WITHOUT_BYES, Format, name_of
from tournaments.archive.present import verify_event
from tournaments.events.models import Event
from tournaments.events.scoring import read_scoring
from tournaments.events.selectors import current_stage, full_names
from tournaments.play import services as play
from tournaments.play.field import field_of, ranking
from tournaments.standings.selectors import trf_of
from tournaments.swiss import trf
from tournaments.swiss.field import Field
from tournaments.swiss.standings import standings
from tournaments.transfers.making import Settings, make_event
from tournaments.transfers.reading import read, recognized

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not EVENTS.exists(), reason="../shared/data/events is absent"),
]


def smallest(byes: bool) -> Field:
    """The real event with the fewest players of those with four rounds or more."""
    long = [field for field in events() if len(field.rounds) > 3]
    field = min(long, key=lambda each: len(each.players))
    return field if byes else without_byes(field)


def points_of(field: Field, format_: Format, scheme: str, scoring: dict[str, object]) -> dict[str, object]:
    rows = standings(format_.carried(field), scheme, scoring=read_scoring(scoring))
    return {name_of(row.player): (row.rank, row.points) for row in rows}


@pytest.mark.parametrize("format_", (*WITH_BYES, *WITHOUT_BYES), ids=lambda each: each.write.__name__)
def test_a_real_event_is_finished_here_and_exported_again(format_: Format, cast: Cast) -> None:
    whole = smallest(byes=format_ in WITH_BYES)
    before = replace(whole, rounds=whole.rounds[:-1])
    data = format_.write(before)
    brought = read(data, recognized(data))
    settings = Settings("Brought over", "free", rounds=len(whole.rounds))
    event = make_event(brought=brought, settings=settings, by=cast.organizer, now=NOW)
    stage = current_stage(event)
    called = full_names(event)
    event.refresh_from_db()
    here = {called[row.player]: (row.rank, row.points) for row in ranking(stage)}
    there = points_of(before, format_, stage.scheme, event.scoring)
    assert {name: place for name, place in here.items() if name in there} == there

    round_ = a_published_round(event, cast.organizer)
    met = {
        frozenset(seat.entrant_id for seat in match.seats.all())
        for match in round_.matches.exclude(table=None).prefetch_related("seats")
    }
    for table in round_.matches.filter(table__isnull=False):
        play.enter_result(match=table, games=[2, 1, 0], by=cast.organizer, now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert len(met) >= (len(brought.players) - sum(each.dropped_after is not None for each in brought.players)) // 2

    written = trf.read(trf_of(stage, called))
    assert written.played == len(whole.rounds)
    assert {each.name for each in written.competitors} == {name_of(player.id) for player in before.players}
    assert trf.field_of(written).rounds[-1], "the round that was played here is in it"
    assert len(field_of(stage).rounds) == len(whole.rounds)
    assert not verify_event(Event.objects.get(pk=event.pk)).faults
