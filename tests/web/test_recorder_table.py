"""What the recorder in a browser is given, and how the server takes the moves it made without a network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.audits import recording
from tournaments.audits.access import recorder_for
from tournaments.audits.models import Recording
from tournaments.boards.table import Table
from tournaments.play.models import Match
from tournaments.web.rules_in_browser import browser_rules

pytestmark = pytest.mark.django_db
BEGINS = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
KEEPS = [{"by": seat, "do": "keep", "chance": [{"draw": ["?"] * 5}]} for seat in "AB"]


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def opened(cast: Cast, match: Match) -> Recording:
    return recording.open_recording(game=match.games.get(number=1), by=cast.judge, now=NOW)


def sent(client: Client, opened: Recording, entries: list[dict[str, object]], after: int = 0) -> dict[str, object]:
    document = {
        "after": after,
        "entries": [{"key": f"key-{after + n:06}", "entry": one} for n, one in enumerate(entries)],
    }
    answer = client.post(address("record_entries", opened.public_id), document, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def given(client: Client, opened: Recording) -> dict[str, object]:
    return client.get(address("record_table", opened.public_id)).json()


def test_a_browser_gets_all_it_needs_to_go_on_alone(cast: Cast, match: Match, opened: Recording) -> None:
    judge = signed_in(cast.judge)
    assert sent(judge, opened, [BEGINS, *KEEPS])["n"] == 3
    document = given(judge, opened)
    table = Table(json.dumps(document))
    view = json.loads(table.view())
    assert view["n"] == document["n"] == 3
    assert view["last"][0]["by"] == list(match.seats.order_by("number"))[1].entrant.name
    assert {move["entry"]["do"] for move in view["moves"]} >= {"begin_turn"}


def test_nothing_is_sent_again_while_nothing_has_changed(cast: Cast, opened: Recording) -> None:
    judge = signed_in(cast.judge)
    where = address("record_table", opened.public_id)
    assert judge.get(where + "?n=0").status_code == 204
    sent(judge, opened, [BEGINS])
    assert judge.get(where + "?n=0").json()["n"] == 1
    assert judge.get(where + "?n=1").status_code == 204


def test_moves_that_were_made_offline_are_taken_in_order_and_once(cast: Cast, opened: Recording) -> None:
    judge = signed_in(cast.judge)
    first = sent(judge, opened, [BEGINS, *KEEPS])
    assert first == {"n": 3, "keys": ["key-000000", "key-000001", "key-000002"], "refused": None}
    assert sent(judge, opened, [BEGINS, *KEEPS]) == first
    assert opened.entries.count() == 3


def test_the_first_move_that_the_rules_refuse_stops_the_rest(cast: Cast, opened: Recording) -> None:
    judge = signed_in(cast.judge)
    taken = sent(judge, opened, [BEGINS, {"by": "A", "do": "end_turn"}, *KEEPS])
    assert (taken["n"], taken["keys"]) == (1, ["key-000000"])
    assert taken["refused"]["code"] == "move_refused" and taken["refused"]["details"][0]["message"]
    assert opened.entries.count() == 1


def test_moves_are_not_mixed_with_those_that_came_in_meanwhile(cast: Cast, opened: Recording) -> None:
    judge = signed_in(cast.judge)
    recorder = recorder_for(cast.judge, opened.public_id)
    recording.record_move(recorder=recorder, by=cast.judge, entry=BEGINS, n=1, key="of-another", now=NOW)
    taken = sent(judge, opened, [KEEPS[0]])
    assert taken["refused"]["code"] == "sequence_moved" and taken["refused"]["details"] == [{"n": 2}]
    assert given(judge, opened)["keys"] == ["of-another"]


def test_a_player_gets_the_table_only_with_every_seat_and_never_the_cards_others_drew(
    cast: Cast, match: Match, opened: Recording
) -> None:
    first, second = users_of(match)
    where = address("record_table", opened.public_id)
    assert signed_in(first).get(where).status_code == 404, "the list of the opponent is in it"
    recording.share_seat(recorder=recorder_for(second, opened.public_id), by=second, now=NOW)
    deck = list(opened.header["seats"]["B"]["deck"]["main"])
    named = {**KEEPS[1], "chance": [{"draw": [*deck[:2], "?", "?", "?"]}]}
    own = {
        **KEEPS[0],
        "chance": [{"draw": [next(iter(opened.header["seats"]["A"]["deck"]["main"])), "?", "?", "?", "?"]}],
    }
    for n, (user, entry) in enumerate([(first, BEGINS), (first, own), (second, named)], 1):
        recorder = recorder_for(user, opened.public_id)
        recording.record_move(recorder=recorder, by=user, entry=entry, n=n, key=f"entry-{n:05}", now=NOW)
    document = given(signed_in(first), opened)
    assert [entry.get("chance") for entry in document["entries"]] == [
        BEGINS["chance"], own["chance"], [{"draw": ["?"] * 5}],
    ]  # fmt: skip
    assert document["keys"] == ["entry-00001", "entry-00002", None]
    whole = given(signed_in(cast.judge), opened)
    assert whole["entries"][2]["chance"] == named["chance"]


@pytest.mark.parametrize("body", [
    b"", b"[]", b"{", b'{"after": 0}', b'{"after": -1, "entries": []}',
    b'{"after": 0, "entries": [{"key": "x", "entry": {}}]}',
    b'{"after": 0, "entries": [{"key": "long-enough-1", "entry": []}]}', b'{"after": true, "entries": []}', b"\xff",
])  # fmt: skip
def test_what_cannot_be_read_is_refused_whole(cast: Cast, opened: Recording, body: bytes) -> None:
    where = address("record_entries", opened.public_id)
    answer = signed_in(cast.judge).post(where, body, content_type="application/json")
    assert answer.status_code == 422 and answer.json()["message"]
    assert opened.entries.count() == 0


def test_a_form_in_place_of_json_is_refused(cast: Cast, opened: Recording) -> None:
    assert signed_in(cast.judge).post(address("record_entries", opened.public_id), {"after": "0"}).status_code == 422


def test_only_those_who_may_record_get_the_table_or_send_moves(cast: Cast, opened: Recording) -> None:
    for user, status in ((cast.judge, 200), (cast.scorekeeper, 403), (cast.stranger, 404)):
        assert signed_in(user).get(address("record_table", opened.public_id)).status_code == status
        body = json.dumps({"after": 0, "entries": []})
        answer = signed_in(user).post(
            address("record_entries", opened.public_id), body, content_type="application/json"
        )
        assert answer.status_code == status


def test_the_page_has_the_table_where_the_rules_are_there_and_forms_where_not(
    cast: Cast, opened: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, page = signed_in(cast.judge), address("record", opened.public_id)
    browser_rules.cache_clear()
    monkeypatch.setattr(settings, "BROWSER_RULES", tmp_path)
    assert 'id="play"' not in text(judge.get(page))
    (tmp_path / "pyodide-1.0").mkdir()
    (tmp_path / "rules.zip").write_bytes(b"")
    browser_rules.cache_clear()
    shown = text(judge.get(page))
    assert 'id="play"' in shown and "/rules/pyodide-1.0/pyodide.asm.wasm" in shown
    assert 'id="do-table-first_player"' in shown, "the forms stay for those who need them"
    forms = text(judge.get(page + "?forms"))
    assert 'id="play"' not in forms and "Back to the board" in forms
    browser_rules.cache_clear()


def test_the_worker_of_the_rules_may_compile_them_and_nothing_else_may(client: Client) -> None:
    answer = client.get("/recordings/rules-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "'wasm-unsafe-eval'" in answer.headers["Content-Security-Policy"]
    assert "'unsafe-eval'" not in answer.headers["Content-Security-Policy"]
    assert "wasm-unsafe-eval" not in client.get("/privacy/").headers["Content-Security-Policy"]
