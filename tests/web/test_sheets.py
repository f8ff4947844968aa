"""A sheet of people at the desk: its lines with what is doubtful first, decided one by one, on pages and by the API."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from rest_framework.test import APIClient

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tests.events.sheets_of_people import ASKED, READ, REFUSED
from tests.web.pages import signed_in, text
from tournaments.events.models import EntryImport, Event
from tournaments.events.services import add_entrant

LISTS = [name for name, (sheet, _people) in READ.items() if isinstance(sheet, str)]


def pasted(client: Client, event: Event, sheet: str) -> str:
    """Paste a list, and return the address of its preview."""
    answer = client.post(reverse("web:staff_import_new", args=[event.public_id]), {"names": sheet})
    assert answer.status_code == 302, text(answer)
    return str(answer["Location"])


def entered(event: Event) -> list[str]:
    people = event.entrants.order_by("pk").values_list("members__given_name", "members__family_name")
    return [f"{given}|{family}" for given, family in people]


def api(cast: Cast) -> APIClient:
    client = APIClient()
    client.force_authenticate(cast.scorekeeper)
    return client


@pytest.mark.parametrize("sheet", LISTS[::3])
def test_a_pasted_sheet_enters_its_people(cast: Cast, sheet: str) -> None:
    event, client = an_open_event(cast), signed_in(cast.scorekeeper)
    pasted_, people = READ[sheet]
    page = pasted(client, event, str(pasted_))
    assert f"Add {len(people)} entrant" in text(client.get(page))
    client.post(f"{page}confirm/")
    assert entered(event) == people


@pytest.mark.parametrize("sheet", ASKED)
def test_the_page_asks_which_column_has_the_names_and_enters_nobody_before(cast: Cast, sheet: str) -> None:
    event, client = an_open_event(cast), signed_in(cast.scorekeeper)
    page = pasted(client, event, str(ASKED[sheet]))
    assert "Which column has the names?" in text(client.get(page))
    assert client.post(f"{page}confirm/").status_code == 422
    assert entered(event) == []


def test_the_columns_can_then_be_chosen(cast: Cast) -> None:
    event, client = an_open_event(cast), signed_in(cast.scorekeeper)
    page = pasted(client, event, str(ASKED["two_columns"]))
    form = {"encoding": "utf-8", "delimiter": "comma", "column_0": "family_name", "column_1": "given_name"}
    assert client.post(page, form).status_code == 302
    client.post(f"{page}confirm/")
    assert entered(event) == ["Lopez|Ana", "May|Bob"]


@pytest.mark.parametrize("sheet", [name for name, told in REFUSED.items() if isinstance(told, str)])
def test_what_is_no_list_of_people_is_refused_and_the_pasted_text_stays(cast: Cast, sheet: str) -> None:
    event, client = an_open_event(cast), signed_in(cast.scorekeeper)
    answer = client.post(reverse("web:staff_import_new", args=[event.public_id]), {"names": REFUSED[sheet]})
    assert answer.status_code == 422
    assert "This is not a list of players." in text(answer)
    assert escape(str(REFUSED[sheet])) in text(answer)


def test_every_line_is_shown_with_the_doubtful_ones_first_and_the_button_below(cast: Cast) -> None:
    event, client = an_open_event(cast), signed_in(cast.scorekeeper)
    names = [f"Ada Lune{number}" for number in range(40)] + ["Total: 40", "Ana García López"]
    shown = text(client.get(pasted(client, event, "\n".join(names))))
    lines = [int(found) for found in re.findall(r'id="line-(\d+)"', shown)]
    assert lines == [41, 42, *range(1, 41)]
    assert shown.index('id="line-40"') < shown.index("Add 41 entrants")


def test_the_split_of_a_name_and_doubles_are_decided_line_by_line(cast: Cast) -> None:
    event, client = an_open_event(cast), signed_in(cast.scorekeeper)
    add_entrant(event=event, given_name="Bob", family_name="May", by=cast.scorekeeper, now=NOW)
    page = pasted(client, event, "Ana García López\nBob May\nbob may\nEve Gu\n")
    shown = text(client.get(page))
    assert 'name="split_1"' in shown and 'name="enter_2"' in shown and 'name="split_4"' not in shown
    assert 'name="split_4"' in text(client.get(f"{page}?line=4"))
    sent = {"shown": "1,2,3,4", "split_1": "1", "enter_2": "1", "split_4": "-1"}
    assert client.post(page, sent).status_code == 302
    assert "Add 3 entrants" in text(client.get(page))
    client.post(f"{page}confirm/", {"shown": "2", "enter_2": "1"})
    assert entered(event) == ["Bob|May", "Ana|García López", "Bob|May", "Gu|Eve"]
    assert EntryImport.objects.get().report["refused"] == [{"line": 3, "faults": ["name_twice"]}]


def test_a_line_that_was_left_out_or_added_anyway_can_be_put_back(cast: Cast) -> None:
    event, client = an_open_event(cast), signed_in(cast.scorekeeper)
    page = pasted(client, event, "Ana Lopez\nTotal: 7\nBob May\n")
    client.post(page, {"shown": "1,2", "out_1": "1", "enter_2": "1"})
    shown = text(client.get(page))
    assert "Add 2 entrants" in shown
    assert re.search(r'name="out_1" value="1" checked', shown) and re.search(r'name="enter_2" value="1" checked', shown)
    client.post(page, {"shown": "1,2"})
    client.post(f"{page}confirm/")
    assert entered(event) == ["Ana|Lopez", "Bob|May"]


@pytest.mark.parametrize("sheet", LISTS[1::3])
def test_the_api_reads_a_sheet_as_the_page_does(cast: Cast, sheet: str) -> None:
    event = an_open_event(cast)
    told, people = READ[sheet]
    answer = api(cast).post(f"/api/v1/events/{event.public_id}/imports/", {"text": told}, format="json")
    assert answer.status_code == 201, answer.json()
    assert [f"{line['given_name']}|{line['family_name']}" for line in answer.json()["lines"]] == people


@pytest.mark.parametrize("sheet", ASKED)
def test_the_api_refuses_to_guess_and_names_the_columns(cast: Cast, sheet: str) -> None:
    event, client = an_open_event(cast), api(cast)
    address = f"/api/v1/events/{event.public_id}/imports/"
    answer = client.post(address, {"text": ASKED[sheet]}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "columns_unknown")
    columns = answer.json()["details"]
    assert [column["column"] for column in columns] == list(range(1, len(columns) + 1)) and columns[0]["cells"]
    chosen = ["name", *[""] * (len(columns) - 1)]
    assert client.post(address, {"text": ASKED[sheet], "columns": chosen}, format="json").status_code == 201
    assert client.post(address, {"text": REFUSED["decklist"]}, format="json").json()["code"] == "not_players"


def test_the_api_decides_about_single_lines(cast: Cast) -> None:
    event, client = an_open_event(cast), api(cast)
    body = {"text": "Ana García López\nBob May\nBob May\nEve Gu\n", "rows": [{"line": 3, "enter": True}]}
    made = client.post(f"/api/v1/events/{event.public_id}/imports/", body, format="json").json()
    assert (made["entered"], made["lines"][0]["doubts"]) == (4, ["name_split"])
    rows = [{"line": 1, "split": 1}, {"line": 4, "enter": False}]
    again = client.patch(f"/api/v1/imports/{made['id']}/", {"rows": rows}, format="json").json()
    assert [(line["given_name"], line["family_name"]) for line in again["lines"]] == [
        ("Ana", "García López"), ("Bob", "May"), ("Bob", "May"),
    ]  # fmt: skip
    assert again["refused"] == [{"line": 4, "faults": ["left_out"]}]
