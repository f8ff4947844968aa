"""Real Swiss events, written in each format and read again, have the standings that the format can carry."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.swiss.fields import swiss_field
from tests.transfers.written import WITH_BYES, WITHOUT_BYES, Format, field_of, name_of
from tournaments.swiss.field import Field, Match
from tournaments.swiss.standings import standings
from tournaments.swiss.wire import field_of as field_from_json
from tournaments.transfers.reading import read, recognized

EVENTS = Path(__file__).parents[2] / ".." / "shared" / "data" / "events" / "swiss_events.json"


@cache
def events() -> tuple[Field, ...]:
    loaded: list[dict[str, Any]] = json.loads(EVENTS.read_text())
    found = []
    for event in loaded:
        seats = {seat for round_ in event["rounds"] for match in round_["matches"] for seat in match[:2] if seat}
        found.append(field_from_json({"players": [{"id": seat} for seat in sorted(seats)], "rounds": event["rounds"]}))
    return tuple(found)


def table(field: Field) -> list[tuple[Any, ...]]:
    return sorted((row.player, row.rank, row.points, *row.terms.values()) for row in standings(field))


def assert_same_standings(field: Field, format: Format) -> None:
    data = format.write(field)
    found = read(data, recognized(data))
    assert found.format == format.name
    ids = {name_of(player.id): player.id for player in field.players}
    names = {player.key: ids[player.name] for player in found.players}
    (stage,) = found.stages
    read_again = field_of([player.key for player in found.players], stage, names)
    assert table(read_again) == table(format.carried(field))


def without_byes(field: Field) -> Field:
    rounds = tuple(tuple(match for match in matches if match.b) for matches in field.rounds)
    there = {seat for matches in rounds for match in matches for seat in match.seats}
    return Field(tuple(player for player in field.players if player.id in there), rounds)


@pytest.mark.skipif(not EVENTS.exists(), reason="../shared/data/events is absent")
@pytest.mark.parametrize("format", WITH_BYES, ids=lambda format: format.write.__name__)
@pytest.mark.slow
def test_the_standings_of_real_events_are_those_of_the_source(format):
    for field in events():
        assert_same_standings(field, format)


@pytest.mark.skipif(not EVENTS.exists(), reason="../shared/data/events is absent")
@pytest.mark.parametrize("format", WITHOUT_BYES, ids=lambda format: format.write.__name__)
@pytest.mark.slow
def test_the_standings_of_real_events_without_byes_are_those_of_the_source(format):
    for field in events():
        assert_same_standings(without_byes(field), format)


@pytest.mark.parametrize("format", (*WITH_BYES, *WITHOUT_BYES), ids=lambda format: format.write.__name__)
def test_the_standings_of_an_invented_event_are_those_of_the_source(format):
    field = swiss_field(Random(7), 24, 5)
    # A drawn match of 0-0 is rare; one is enough.
    first = field.rounds[0][0]
    drawn = Match(first.a, first.b, 0, 0, 0)
    assert_same_standings(replace(field, rounds=((drawn, *field.rounds[0][1:]), *field.rounds[1:])), format)
