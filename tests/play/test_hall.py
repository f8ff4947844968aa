"""The tables of the hall: rounds are seated at the tables of their stage, and at no others."""

from datetime import timedelta

import pytest

from tests.builders import NOW, a_published_round, a_running_event, a_table_event, an_entrant, an_open_event, play_out
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.common.models import LedgerEntry
from tournaments.events import imports
from tournaments.events.hall_tables import tables_in
from tournaments.events.models import Event, Stage
from tournaments.events.pairing_settings import choose_tables, note_needs
from tournaments.events.selectors import current_stage, in_the_same_hall
from tournaments.play import services as play
from tournaments.play.models import Match, Round

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("ranges", "skipped"),
    [("0-4", ""), ("4-1", ""), ("a", ""), ("1-10001", ""), ("1,,2", ""), ("1-4", "1-4"), ("1-4", "x"), ("1-9999", "")],
)
def test_an_invalid_list_of_tables_is_refused(ranges: str, skipped: str) -> None:
    with assert_refused("tables_invalid"):
        tables_in(ranges, skipped)


def seat_at(event: Event, cast: Cast, tables: str, skipped: str = "") -> Stage:
    stage = current_stage(event)
    return choose_tables(stage=stage, tables=tables, skipped=skipped, by=cast.scorekeeper, now=NOW)


def tables(round_: Round) -> list[int]:
    return sorted(Match.objects.filter(round=round_, table__isnull=False).values_list("table", flat=True))


def test_a_round_uses_the_tables_of_its_stage_except_skipped_ones(cast: Cast) -> None:
    event = a_running_event(cast, players=9)
    seat_at(event, cast, "12-14, 60-62", "13")
    assert tables(a_published_round(event, cast.organizer)) == [12, 14, 60, 61]
    (entry,) = LedgerEntry.objects.filter(chain=event.public_id, code="stage.tables_chosen")
    assert entry.after == {"hall": "12-14,60-62", "hall_skipped": "13"}


def test_a_paired_round_keeps_its_tables(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    first = a_published_round(event, cast.organizer)
    seat_at(event, cast, "30-31")
    assert tables(first) == [1, 2]
    play_out(first, cast.organizer)
    assert tables(a_published_round(event, cast.organizer)) == [30, 31]


def test_multiplayer_tables_use_the_tables_of_their_stage_too(cast: Cast) -> None:
    event = a_table_event(cast, players=8)
    seat_at(event, cast, "7, 5")
    assert tables(a_published_round(event, cast.organizer)) == [5, 7]


def test_pairing_is_refused_if_there_are_more_pairs_than_tables(cast: Cast) -> None:
    event = a_running_event(cast, players=6)
    seat_at(event, cast, "1-2")
    with assert_refused("tables_short"):
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)


def test_a_fixed_table_must_be_a_table_of_the_stage(cast: Cast) -> None:
    event = a_running_event(cast, players=4)
    entrant = event.entrants.order_by("pk")[0]
    note_needs(entrant=entrant, club="", table=41, by=cast.scorekeeper, now=NOW)
    with assert_refused("tables_fixed") as caught:
        seat_at(event, cast, "1-40")
    assert caught.value.details == [41]
    seat_at(event, cast, "40-44")
    with assert_refused("table_outside"):
        note_needs(entrant=entrant, club="", table=7, by=cast.scorekeeper, now=NOW)
    round_ = a_published_round(event, cast.organizer)
    assert tables(round_) == [40, 41] and entrant.seats.get().match.table == 41


def test_an_import_with_a_table_outside_the_hall_is_refused(cast: Cast) -> None:
    event = an_open_event(cast)
    seat_at(event, cast, "1-10")
    document = b"name,table\nPlayer 1,11\n"
    made = imports.open_import(event=event, document=document, by=cast.scorekeeper, now=NOW)
    assert [line.faults for line in imports.preview_of(made).refused] == [("table_outside",)]


def test_manual_edits_of_a_draft_use_tables_of_the_hall(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    seat_at(event, cast, "50-51")
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    seated = round_.matches.get(table=50).seats.order_by("number")
    first, second = [seat.entrant for seat in seated]
    byes = round_.matches.get(table=None).seats.get().entrant
    play.give_bye(round_=round_, entrant=first, by=cast.organizer, now=NOW)
    play.seat_together(round_=round_, first=first, second=byes, by=cast.organizer, now=NOW)
    assert set(tables(round_)) <= {50, 51} and second.seats.exists()


def test_another_event_at_the_same_tables_on_the_same_day_is_named(cast: Cast) -> None:
    mine = a_running_event(cast, starts_at=NOW)
    others = {
        name: an_open_event(cast, name=name, starts_at=NOW + timedelta(hours=hours))
        for name, hours in (("Side event", 3), ("Next week", 168), ("Next door", 3))
    }
    for event, ranges in zip((mine, *others.values()), ("1-40", "38-60", "38-60", "41-60"), strict=True):
        seat_at(event, cast, ranges)
    assert in_the_same_hall(current_stage(mine)) == [(others["Side event"], [38, 39, 40])]


def test_the_desk_chooses_tables_on_the_page(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    client = signed_in(cast.scorekeeper)
    page = address("staff_pairing_tables", event.public_id, 1)
    assert client.post(page, {"tables": "1-40, 60-80", "skipped": "13"}).status_code == 302
    assert "60 tables" in text(client.get(address("staff_pairing", event.public_id)))
    wrong = client.post(page, {"tables": "forty"})
    assert (wrong.status_code, "Write tables as ranges" in text(wrong)) == (422, True)
    assert signed_in(cast.judge).post(page, {"tables": ""}).status_code == 403
    assert signed_in(cast.stranger).post(page, {"tables": ""}).status_code == 404
