"""Every page and every request of the API refuses dates outside 1970 to 2200, and one bad row takes no page down."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.api import scenes
from tests.api.scenes import token_client
from tests.builders import NOW, an_event, an_open_event
from tests.cast import Cast
from tests.clubs.test_conventions import a_convention
from tests.web.pages import address, signed_in, text
from tournaments.common import clock
from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Event
from tournaments.events.services import cancel_event
from tournaments.transfers.formats.values import Value

pytestmark = pytest.mark.django_db
BETWEEN = "Enter a date between 1970 and 2200."
EVENT = {"name": "Year", "preset": "free", "game_name": "T", "time_zone": "Europe/Paris"}
WRONG = ("9999-12-31T23:30:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
         "1969-12-31T23:59:59Z", "2201-01-01T00:00:00Z")  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_the_api_refuses_such_a_start_and_names_the_field(cast: Cast, wrong: str) -> None:
    desk = token_client(cast.organizer, "read", "organize")
    answer = desk.post("/api/v1/events/", {**EVENT, "starts_at": wrong}, format="json")
    (fault,) = answer.json()["details"]
    assert answer.status_code == 422 and (fault["field"], fault["message"]) == ("starts_at", BETWEEN)


def doors(cast: Cast) -> list[tuple[str, str, dict[str, Any], str]]:
    """Every request of the API that takes a date: method, address, body without it, and its name."""
    event, priced = an_event(cast), scenes.priced(cast).event
    club = a_convention(cast, event)
    at = f"/api/v1/events/{event.public_id}/"
    charging, own = f"/api/v1/events/{priced.public_id}/", f"/api/v1/clubs/{club.club.public_id}/"
    series = {"template": event.public_id, "every": "weekly", "count": 2}
    days = {"name": "Days", "first_day": "2026-05-01", "last_day": "2026-05-02"}
    return [
        *(("PUT", f"{at}details/", {}, name) for name in TIMES),
        ("POST", f"{at}copy/", {"name": "Copy"}, "starts_at"),
        ("POST", f"{charging}prices/", {"name": "Early", "cents": 100}, "opens_at"),
        ("POST", f"{charging}prices/", {"name": "Early", "cents": 100}, "closes_at"),
        ("POST", f"{charging}codes/", {"code": "CLUB", "percent": 10}, "until"),
        ("POST", f"{own}series/", series, "first"),
        ("POST", f"{own}conventions/", days, "first_day"),
        ("POST", f"{own}conventions/", days, "last_day"),
        ("POST", "/api/v1/bans/", {"email": "a@example.org"}, "until"),
    ]


TIMES = ("starts_at", "registration_opens_at", "registration_closes_at", "lists_due_at")
DAYS = ("first_day", "last_day")


def test_every_date_of_the_api_is_refused_by_name(cast: Cast) -> None:
    desk = token_client(cast.organizer, "read", "organize", "play")
    for method, path, body, name in doors(cast):
        day = name in DAYS or path.endswith("bans/")
        for wrong in ("9999-12-31", "0001-01-01", "1969-12-31", "2201-01-01"):
            said = {**body, name: wrong if day else f"{wrong}T12:00:00Z"}
            answer = desk.generic(method, path, *_json(said))
            assert answer.status_code == 422, (method, path, name, answer.json())
            assert [fault["field"] for fault in answer.json()["details"]] == [name], (path, name)
        if not day:
            answer = desk.generic(method, path, *_json({**body, name: "2026-11-28T14:00:00"}))
            assert (answer.status_code, answer.json()["details"][0]["code"]) == (422, "offset_missing"), (path, name)


def _json(body: dict[str, Any]) -> tuple[str, str]:
    return json.dumps(body), "application/json"


@pytest.mark.parametrize("wrong", ["9999-12-31T23:30", "0001-01-01T00:00", "1969-12-31T12:00", "2201-01-01T00:00"])
@pytest.mark.slow
def test_the_pages_refuse_such_dates_at_their_field(cast: Cast, wrong: str) -> None:
    client, day = signed_in(cast.organizer), wrong[:10]
    event = an_event(cast)
    club = a_convention(cast, event)
    days = dict.fromkeys(DAYS, "2026-05-01")
    details = {"name": event.name, "time_zone": "Pacific/Kiritimati"}
    forms = [
        (address("event_new"), {**EVENT, "starts_at": wrong}),
        *((address("staff_details", event.public_id), {**details, name: wrong}) for name in TIMES),
        (address("bans"), {"email": "a@example.org", "until": day}),
        (
            address("club_series", club.club.public_id),
            {"template": event.public_id, "first": wrong, "every": "weekly", "count": 2},
        ),
        *(
            (
                address("convention_new", club.club.public_id),
                {"name": "Days", **days, name: day},
            )
            for name in DAYS
        ),
    ]
    for page, form in forms:
        answer = client.post(page, form)
        assert answer.status_code == 422 and BETWEEN in text(answer), page


def stored(event: Event, **dates: str) -> None:
    """Write dates as a site could that did not check them yet."""
    with connection.cursor() as cursor:
        for name, at in dates.items():
            written = at if connection.vendor == "postgresql" else at.removesuffix("+00:00")
            cursor.execute(f"UPDATE events_event SET {name} = %s WHERE id = %s", [written, event.pk])


@pytest.mark.parametrize("at", ["9999-12-31 23:30:00+00:00", "0001-01-01 00:00:00+00:00"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak", "", "Mars/Base"])
@pytest.mark.slow
def test_one_such_row_takes_no_page_down_and_can_be_mended(cast: Cast, at: str, zone: str) -> None:
    event, other = an_open_event(cast, name="Year"), an_open_event(cast, name="Tomorrow", starts_at=clock.now())
    Event.objects.filter(pk=event.pk).update(time_zone=zone)
    stored(event, **dict.fromkeys((*TIMES, "created_at"), at))
    own, organizer, api = (
        (event.public_id,),
        signed_in(cast.organizer),
        token_client(cast.organizer, "read", "organize"),
    )
    pages = [
        *("/", "/?since=2020-01-01&until=2200-12-31", "/sitemap.xml", "/account/", "/clubs/"),
        *(address(name, *own) for name in ("event", "event_ics", "staff", "staff_details", "entrants", "staff_ledger")),
        address("organizer_ics", cast.organizer.public_id),
        *(f"/api/v1/events/{way}" for way in ("", f"{own[0]}/", "?since=2020-01-01", f"{own[0]}/overlaps/")),
    ]
    for page in pages:
        for client in (Client(), organizer, api):
            assert client.get(page).status_code < 500, page
    assert "Tomorrow" in text(Client().get("/")) and other.name in text(Client().get("/"))
    cancel_event(event=event, by=cast.organizer, now=NOW)
    body = {"starts_at": "2126-12-05T10:00:00+01:00"}
    assert api.put(f"/api/v1/events/{own[0]}/details/", body, format="json").status_code == 200
    event.refresh_from_db()
    assert event.starts_at == datetime(2126, 12, 5, 9, tzinfo=UTC)
    answer = api.put(f"/api/v1/events/{own[0]}/details/", {"name": "Another"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "event_state")


@pytest.mark.parametrize("raw", ["9999-12-31", "1066-10-14T10:00:00Z", -86_400, 7_289_654_400, 10**13])
def test_the_file_of_another_program_with_such_a_date_is_refused_by_its_place(raw: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        Value(raw, "event.startAt").moment()
    assert refused.value.code == "transfer_unreadable" and refused.value.details == ["event.startAt"]
    assert BETWEEN in str(refused.value.message)


def test_what_stands_for_no_date_in_other_programs_is_none() -> None:
    assert Value("0001-01-01T00:00:00").moment() is None and Value("0000-00-00").moment() is None
