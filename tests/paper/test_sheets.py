"""Printed sheets: their contents and order, and drawing them as PDFs."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.translation import gettext
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import NOW, a_large_event, a_published_round, a_running_event, a_running_team_event
from tests.cast import Cast
from tournaments.accounts.models import Person
from tournaments.common import jobs
from tournaments.common.models import Job
from tournaments.paper import drawing, services
from tournaments.paper.drawing import document_of
from tournaments.paper.models import Paper
from tournaments.paper.selectors import state_of
from tournaments.paper.services import KEPT, request_pdf
from tournaments.paper.sheets import DeckSheet, ListSheet, Slip, SlipSeat, SlipSheet, collated, sheets_of
from tournaments.play import services as play


def slips(tables: int, players: int = 2, best_of: int = 3) -> tuple[Slip, ...]:
    seats = tuple(SlipSeat(f"Éloïse Żółć {number}", 3) for number in range(players))
    return tuple(Slip(table, seats, best_of, players > 2) for table in range(1, tables + 1))


@given(tables=st.integers(0, 60))
def test_stacks_of_cut_slips_are_in_the_order_of_the_tables(tables: int) -> None:
    pages = collated(slips(tables))
    cut = [page[place] for place in range(4) for page in pages]
    assert [slip.table for slip in cut if slip] == list(range(1, tables + 1))
    assert all(slip is None for slip in cut[tables:])
    assert len(pages) == -(-tables // 4)


@pytest.mark.parametrize(("best_of", "wins", "draws"), [(1, 1, 0), (3, 2, 2), (5, 3, 4)])
def test_a_slip_offers_the_numbers_of_games_possible_in_the_match(best_of: int, wins: int, draws: int) -> None:
    (slip,) = slips(1, best_of=best_of)
    assert (list(slip.wins), list(slip.draws)) == (list(range(wins + 1)), list(range(draws + 1)))


def test_every_kind_of_slip_is_drawn_with_reproducible_bytes() -> None:
    sheets = [
        SlipSheet("Match slip", "Été", slips(3, players, best_of)) for players in (2, 3, 4, 5) for best_of in (1, 3, 5)
    ]
    document = document_of(sheets)
    assert document.startswith(b"%PDF-") and document.count(b"/Type /Page\n") == len(sheets)
    assert document == document_of(sheets)


def test_names_of_any_length_and_script_can_be_drawn() -> None:
    names = ("x" * 200, "word " * 40, "漢字", "Игорь", "")
    sheet = SlipSheet("Match slip", "Open", (Slip(1, tuple(SlipSeat(name, 0) for name in names), 1, True),))
    assert document_of([sheet]).startswith(b"%PDF-")


def test_progress_rises_to_100_percent() -> None:
    told: list[int] = []
    document_of([SlipSheet("Match slip", "Open", slips(40))], told.append)
    assert told == sorted(told) and told[-1] == 100 and len(told) == 10


@pytest.mark.django_db
def test_the_sheets_of_a_round_are_both_pairing_lists_and_the_slips(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    round_ = a_published_round(event, cast.organizer)
    by_name, by_table, of_slips = sheets_of(event, round_, Paper.Kind.ROUND)
    assert isinstance(by_name, ListSheet) and isinstance(by_table, ListSheet) and isinstance(of_slips, SlipSheet)
    assert [row[0] for row in by_name.rows] == [f"Player {number}" for number in range(1, 6)]
    assert [row[1] for row in by_name.rows].count("–") == 1
    assert [slip.table for slip in of_slips.slips] == [1, 2]
    assert {row[0] for row in by_table.rows} == {"1", "2", "–"}
    seated = {seat.name for slip in of_slips.slips for seat in slip.seats}
    assert len(seated) == 4


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [Paper.Kind.ROUND, Paper.Kind.STANDINGS, Paper.Kind.SEATS, Paper.Kind.SEAT_LINKS])
def test_a_sheet_takes_the_same_queries_for_few_players_and_for_many(cast: Cast, kind: str) -> None:
    costs = []
    for players in (4, 21):
        event = a_large_event(cast, players)
        round_ = a_published_round(event, cast.organizer)
        with CaptureQueriesContext(connection) as queries:
            sheets_of(event, round_, kind)
        costs.append(len(queries))
    assert costs[0] == costs[1]


@pytest.mark.django_db
def test_seats_and_decks_are_sorted_by_name_regardless_of_accents(cast: Cast) -> None:
    event = a_running_event(cast, players=3)
    Person.objects.filter(given_name="Player 3").update(given_name="Élan")
    (seats,) = sheets_of(event, None, Paper.Kind.SEATS)
    assert isinstance(seats, ListSheet)
    assert seats.rows == (("Élan", "1", "A"), ("Player 1", "1", "B"), ("Player 2", "2", "A"))
    decks = sheets_of(event, None, Paper.Kind.DECKS)
    assert [sheet.name for sheet in decks if isinstance(sheet, DeckSheet)] == ["Élan", "Player 1", "Player 2"]
    for sheet in decks:
        assert isinstance(sheet, DeckSheet)
        assert sum(copies for _part, cards in sheet.sections for copies, _name in cards) > 10


@pytest.mark.django_db
def test_a_large_pdf_is_drawn_by_a_job_and_deleted_after_a_day(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "AT_ONCE", 3)
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    paper = request_pdf(event=event, kind="slips", round_=round_, language="fr", by=cast.organizer, now=NOW)
    assert not state_of(paper).ready
    jobs.run_due(NOW)
    assert state_of(paper).ready and state_of(paper).progress == 100
    assert Job.objects.get(kind="paper.draw").status == "done"
    jobs.run_due(NOW + KEPT)
    assert not Paper.objects.exists()


def test_the_slip_of_a_team_match_has_a_line_for_each_board(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    round_ = play.pair_round(stage=event.stages.get(), by=cast.organizer, now=NOW)
    (draft,) = sheets_of(event, round_, "slips")
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    (sheet,) = sheets_of(event, round_, "slips")
    assert isinstance(sheet, SlipSheet) and isinstance(draft, SlipSheet)
    (slip,) = sheet.slips
    assert len(slip.boards) == 3 and slip.boards == draft.slips[0].boards
    assert slip.results == ["2–0", "2–1", "1–1", "1–2", "0–2"]
    assert document_of([sheet]).startswith(b"%PDF")


def test_pairings_by_table_list_the_boards_of_a_team_match(cast: Cast) -> None:
    event = a_running_team_event(cast, teams=2)
    (sheet,) = sheets_of(event, a_published_round(event, cast.organizer), "by_table")
    assert isinstance(sheet, ListSheet)
    assert [column.heading for column in sheet.columns] == ["Table", "Teams"]
    assert [row[0] for row in sheet.rows] == ["1", "", "", ""]
    assert sheet.rows[2][1].startswith("2. ")


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_labels_end_before_their_boxes_and_lines_in_every_language(language: str) -> None:
    """The labels of the foot of a slip and of a deck check."""
    drawing._load_fonts()
    with translation.override(language):
        for label in ("Extension (min)", "Cards counted", "Judge"):
            assert drawing._width(gettext(label), drawing.PLAIN, 7.5) < drawing.LABEL
