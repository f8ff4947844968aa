"""Exports of the tables of an event: contents, formats, and who may have them."""

import csv
import json
from io import StringIO

import pytest
from django.test import Client

from tests.api.scenes import token_client
from tests.builders import NOW, a_published_round, a_running_event, a_table_event, an_event, play_out
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import Person
from tournaments.common import jobs
from tournaments.common.csv_tables import Table, as_csv
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import grant_role
from tournaments.events.stages import add_stage
from tournaments.exports.datasets import TABLES, table_of
from tournaments.exports.decklists import legality_of, overview_of
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.standings.categories import add_category
from tournaments.web import paging

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=5)


@pytest.fixture
def round_(cast: Cast, event: Event) -> Round:
    return a_published_round(event, cast.organizer)


def test_every_table_has_the_same_content_as_csv_and_as_json(cast: Cast, event: Event, round_: Round) -> None:
    play_out(round_, cast.organizer, (2, 1, 0))
    picked = [event.entrants.first().public_id]
    add_category(event=event, name="Best junior", rule="picked", entrants=picked, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    client = signed_in(cast.organizer)
    sizes = {"entrants": 5, "pairings": 5, "results": 5, "standings": 5}
    for name in TABLES.keys() - {"boards", "board_results"}:  # those of a team event: tests/standings/test_boards.py
        table = json.loads(client.get(address("export", event.public_id, name, "json")).content)
        assert (table["event"], table["table"]) == (event.public_id, name)
        assert len(table["rows"]) == sizes.get(name, len(table["rows"])) > 0
        answer = client.get(address("export", event.public_id, name, "csv"))
        read = list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))
        told = [{key: "" if value is None else str(value) for key, value in row.items()} for row in table["rows"]]
        assert read == told, name
        assert answer["Content-Disposition"].endswith(f'-{name}.csv"')


def test_standings_add_up_and_contain_nothing_a_spreadsheet_takes_for_a_date(
    cast: Cast, event: Event, round_: Round
) -> None:
    play_out(round_, cast.organizer, (2, 1, 0))
    a_published_round(event, cast.organizer)
    jobs.run_due(NOW)
    rows = table_of(event, "standings", {"public"}).as_dicts()
    assert [3 * (row["won"] + row["byes"]) + row["drawn"] for row in rows] == [row["points"] for row in rows]
    assert sum(row["byes"] for row in rows) == 1 and {row["round"] for row in rows} == {1}
    loser = next(row for row in rows if row["lost"])
    assert (loser["gw"], loser["gw_exact"]) == ("0.333333333333", "1 ÷ 3")
    assert not any("/" in str(value) for row in rows for value in row.values())


def test_the_results_table_contains_only_matches_with_a_result(cast: Cast, event: Event, round_: Round) -> None:
    play.enter_result(match=round_.matches.get(table=2), by=cast.organizer, games=(0, 2, 0), now=NOW)
    rows = table_of(event, "results", {"public"}).as_dicts()
    assert {row["table"] for row in rows} == {2, None}
    assert [(row["seat"], row["games_won"], row["points"]) for row in rows if row["table"]] == [(1, 0, 0), (2, 2, 3)]


def test_draft_pairings_are_not_exported_even_for_staff(cast: Cast, event: Event) -> None:
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    pairings = signed_in(cast.organizer).get(address("export", event.public_id, "pairings", "json"))
    assert json.loads(pairings.content)["rows"] == []


def test_a_name_that_looks_like_a_formula_is_escaped(cast: Cast, event: Event) -> None:
    Person.objects.filter(given_name="Player 3").update(given_name='=HYPERLINK("x")')
    assert "'=HYPERLINK" in as_csv(table_of(event, "entrants", {"public"})).decode("utf-8-sig")


@pytest.mark.parametrize(
    "name",
    [
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        " =1",
        "\n=1",
        "\t=1",
        "\u00a0=1",
        "\u200b=1",
        "\u202e=1",
        "＝1",
    ],
)
def test_a_formula_is_escaped_whatever_characters_precede_it(name: str) -> None:
    written = as_csv(Table("x", ("name", "club"), ((name, "a,b\n"),))).decode("utf-8-sig")
    _head, (cell, after) = csv.reader(StringIO(written, newline=""))
    assert (cell, after) == (f"'{name}", "a,b\n")


@pytest.mark.parametrize("name", ["Ada", "D'Arc", "\u200fעדה", "Jean-Luc", "1=1", ""])
def test_cells_that_are_no_formula_are_written_unchanged(name: str) -> None:
    written = as_csv(Table("x", ("name", "club"), ((name, "-"),))).decode("utf-8-sig")
    assert written.splitlines()[1] == f"{name},'-"


def test_only_those_who_may_read_decklists_can_export_them(cast: Cast, event: Event) -> None:
    decks = address("export", event.public_id, "decks", "csv")
    for client, status in (
        (Client(), 404),
        (signed_in(cast.stranger), 404),
        (signed_in(cast.opponent), 404),
        (signed_in(cast.scorekeeper), 403),
        (signed_in(cast.judge), 200),
    ):
        assert client.get(decks).status_code == status
        assert client.get(address("export", event.public_id, "entrants", "csv")).status_code == 200
        assert ("decks.csv" in text(client.get(address("exports", event.public_id)))) == (status == 200)
    grant_role(event=event, email=cast.player.email, role="judge", by=cast.organizer, now=NOW)
    assert "staff_who_play" in text(signed_in(cast.player).get(decks))


def test_unknown_tables_and_hidden_events_give_a_404(cast: Cast) -> None:
    draft = an_event(cast)
    for table, form in (("entrants", "csv"), ("entrants", "xml"), ("nothing", "csv")):
        assert signed_in(cast.stranger).get(address("export", draft.public_id, table, form)).status_code == 404
    assert signed_in(cast.organizer).get(address("export", draft.public_id, "entrants", "csv")).status_code == 200
    assert signed_in(cast.organizer).get(address("export", draft.public_id, "entrants", "xml")).status_code == 404


def test_all_decklists_are_on_one_page_and_in_one_text_for_those_who_may_read_them(cast: Cast, event: Event) -> None:
    page, lists = address("decks", event.public_id), address("export", event.public_id, "decks", "txt")
    judge = signed_in(cast.judge)
    shown, written = text(judge.get(page)), text(judge.get(lists))
    names = ["Player 1", "Player 2", "Player 3", "Player 4", "Player 5"]
    assert all(f">{name}<" in shown for name in names)
    assert [line for line in written.splitlines() if line.startswith("#")] == [f"# {name}" for name in names]
    assert written.count("\nDeck\n") == 5 and "\n2 " in written
    assert ">Player 3<" in text(judge.get(page + "?find=player+3")) and "Player 2<" not in text(
        judge.get(page + "?find=player+3")
    )
    assert judge.get(address("export", event.public_id, "results", "txt")).status_code == 404
    for closed in (page, lists):
        assert signed_in(cast.player).get(closed).status_code == 404
        assert signed_in(cast.scorekeeper).get(closed).status_code == 403
        assert Client().get(closed).status_code == 404


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("Ada", "Ada"),
        ("2-1", "2-1"),
        ("Éa=1", "Éa=1"),
        (" =1", "' =1"),
        ("=1", "'=1"),
        ("\u200b＋1", "'\u200b＋1"),
        ("", ""),
    ],
)
def test_only_a_cell_that_could_be_a_formula_gets_an_apostrophe(cell: str, written: str) -> None:
    assert as_csv(Table("any", ("cell",), ((cell,),))).decode("utf-8-sig").splitlines()[1].strip('"') == written


def test_the_overview_of_some_lists_equals_that_part_of_the_full_overview(
    event: Event, django_assert_num_queries
) -> None:
    every = overview_of(event, "en")
    legality = legality_of(event)
    assert list(legality.items()) == [(line.decklist.pk, line.decklist.legal) for line in every]
    with django_assert_num_queries(3):
        assert overview_of(event, "en", only=list(legality)[1:3]) == every[1:3]


def test_the_list_of_decklists_is_paginated(event: Event, cast: Cast, monkeypatch) -> None:
    monkeypatch.setattr(paging.page_of, "__defaults__", (2,))
    desk, page = signed_in(cast.organizer), address("decks", event.public_id)
    pages = [[line.name for line in desk.get(f"{page}?page={n}").context["page_of"]] for n in (1, 2, 3)]
    assert [name for names in pages for name in names] == [line.name for line in overview_of(event, "en")]
    assert [len(names) for names in pages] == [2, 2, 1]
    found = desk.get(f"{page}?find=player 3").context
    assert [line.name for line in found["page_of"]] == ["Player 3"] and found["total"] == 5


def test_the_swiss_table_with_its_tiebreaks_can_be_exported_after_the_cut(cast: Cast) -> None:
    event = a_running_event(cast, players=5, rounds=1)
    add_stage(event=event, kind="single_elimination", cut_top=2, by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.start_stage(event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    client, api = signed_in(cast.stranger), token_client(cast.organizer, "read")
    page = text(client.get(address("standings", event.public_id)))
    assert "/exports/standings.csv?stage=1" in page and "Player 3" in page, "not the empty bracket"
    file = address("export", event.public_id, "standings", "csv")
    assert f'{file}?stage=1"' in text(client.get(address("exports", event.public_id)))
    for answer in (client.get(file), client.get(f"{file}?stage=1")):
        rows = list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))
        assert [row["stage"] for row in rows] == ["1"] * 5 and {"omw", "omw_exact", "gw"} <= rows[0].keys()
    there = api.get(f"/api/v1/events/{event.public_id}/exports/standings/", {"stage": 1})
    assert there.status_code == 200 and len(json.loads(there.content)["rows"]) == 5
    bracket = client.get(f"{file}?stage=2").content.decode("utf-8-sig")
    assert "omw" not in bracket
    assert client.get(f"{file}?stage=3").status_code == 404
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    jobs.run_due(NOW)
    assert "Single elimination" in text(client.get(address("standings", event.public_id)))
    assert table_of(event, "standings", {"public"}).as_dicts()[0]["stage"] == 2


def test_victory_points_are_left_out_where_nobody_has_any(cast: Cast) -> None:
    event = a_table_event(cast, players=3, rounds=2)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get()
    play.enter_result(match=match, by=cast.organizer, games=[[1, None], [2, None], [3, None]], now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    page = address("standings", event.public_id)
    assert "Victory points %" not in text(signed_in(cast.player).get(page))
    assert "victory_share" not in table_of(event, "standings", {"public"}).columns
    play.reopen_round(round_=round_, by=cast.organizer, now=NOW)
    again = {"games": [[1, 5], [2, 3], [3, 0]], "reason": "The points were on the slip."}
    play.enter_result(match=Match.objects.get(), by=cast.organizer, now=NOW, **again)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    assert "Victory points %" in text(signed_in(cast.player).get(page))
    assert "victory_share" in table_of(event, "standings", {"public"}).columns
