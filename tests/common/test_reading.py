"""Values kept between pages are read again after anything that may have changed them."""

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, match_of
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.common import ledger
from tournaments.common.reading import KEPT_SECONDS, note_ledger_number, read_kept, reading
from tournaments.events.services import choose_visibility
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


def _read(chain: str, calls: list[int]) -> int:
    with reading():
        note_ledger_number(chain, ledger.revision(chain))
        return read_kept(chain, "number", lambda: calls.append(1) or len(calls))


def test_a_drop_invalidates_kept_values_and_a_result_does_not(cast: Cast) -> None:
    event = a_running_event(cast)
    round_ = a_published_round(event, cast.organizer)
    calls: list[int] = []
    assert [_read(event.public_id, calls) for _ in range(2)] == [1, 1]
    play.enter_result(match=match_of(round_, cast.player), by=cast.organizer, games=(2, 0, 0), now=NOW)
    assert _read(event.public_id, calls) == 1
    play.drop(entrant=event.entrants.order_by("pk").last(), by=cast.organizer, now=NOW)
    assert [_read(event.public_id, calls) for _ in range(2)] == [2, 2]


def test_kept_values_expire(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event, calls = a_running_event(cast), list[int]()
    monkeypatch.setattr("tournaments.common.reading.KEPT_SECONDS", -KEPT_SECONDS)
    assert [_read(event.public_id, calls) for _ in range(2)] == [1, 2]


def test_outside_of_pages_nothing_is_kept(cast: Cast) -> None:
    event, calls = a_running_event(cast), list[int]()
    found = [read_kept(event.public_id, "number", lambda: calls.append(1) or len(calls)) for _ in range(2)]
    assert found == [1, 2]


def test_hiding_the_pairings_invalidates_the_kept_ones(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    link = f'href="{address("pairings", event.public_id, 1)}"'
    assert link in text(Client().get(address("event", event.public_id)))
    choose_visibility(event=event, cells={"pairings.public.swiss": "never"}, by=cast.organizer, now=NOW)
    assert link not in text(Client().get(address("event", event.public_id)))


def test_the_pairings_page_of_a_player_takes_few_queries(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    assert queries_of(signed_in(cast.player), address("pairings", event.public_id, 1), cached=True) <= 7
