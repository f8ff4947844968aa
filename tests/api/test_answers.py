"""Responses of the API: their content, privacy, and a number of queries that does not grow with the rows."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from engine.core.cards.catalog import shipped_catalogs
from engine.core.report.report import Report
from tests.api.scenes import checking_in, drafted, published, registering, reported, running, settled, token_client
from tests.builders import (
    NOW,
    a_published_round,
    a_running_event,
    an_entrant,
    an_open_event,
    deck_text,
    first_game,
    match_of,
    misspelt,
)
from tests.cast import Cast, account
from tournaments.accounts.models import Person, User
from tournaments.audits.models import Audit
from tournaments.common import clock, jobs
from tournaments.decks.models import Decklist
from tournaments.demo.games import with_a_second_attack
from tournaments.events.models import Entrant, Event
from tournaments.events.services import add_entrant, create_event, grant_role
from tournaments.judging.penalties import give_penalty
from tournaments.judging.services import call_judge
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.play.services import enter_result

Client = Callable[[User], APIClient]


def ok(answer: object, status: int = 200) -> dict:
    """Return the content of a response, which must have this status."""
    assert answer.status_code == status, answer.content
    return answer.json()


def test_an_event_can_be_run_from_its_preset_to_its_standings(cast: Cast, as_: Client) -> None:
    desk, player, opponent = as_(cast.organizer), as_(cast.player), as_(cast.opponent)
    body = {"name": "Spring", "preset": "star-safir", "rounds": 1, "best_of": 3}
    event = ok(desk.post("/api/v1/events/", body, format="json"), 201)
    assert (event["status"], event["roles"], event["stages"][0]["rounds_planned"]) == ("draft", ["owner"], 1)
    root = f"/api/v1/events/{event['id']}/"

    def step(name: str, **options: object) -> dict:
        return ok(desk.post(f"{root}steps/", {"step": name, **options}, format="json"))

    step("open")
    for seed, client in enumerate((player, opponent), 1):
        entrant = ok(client.post(f"{root}entrants/", {}, format="json"), 201)
        address = f"/api/v1/entrants/{entrant['id']}/decklist/"
        assert ok(client.put(address, {"text": deck_text(seed)}, format="json"))["legal"]
        assert ok(client.get(address))["version"] == 1
    step("lock"), step("unlock"), step("lock"), step("check_in")
    for client in (player, opponent):
        own = ok(client.get("/api/v1/me/"))["entrants"][0]
        assert ok(client.post(f"/api/v1/entrants/{own['id']}/check-in/"))["checked_in_at"]
    assert step("start")["status"] == "running"
    assert ok(desk.post(f"{root}rounds/"), 201)["status"] == "draft"
    assert desk.post(f"{root}rounds/1/discard/").status_code == 204
    assert ok(desk.post(f"{root}rounds/"), 201)["seed"]
    assert ok(desk.post(f"{root}rounds/1/publish/"))["status"] == "published"
    assert ok(desk.post(f"{root}rounds/1/clock/", {"action": "start"}, format="json"))["state"] == "running"
    assert ok(desk.post(f"{root}rounds/1/clock/", {"action": "extend", "minutes": 2}, format="json"))["seconds"] == 3720
    match = ok(player.get("/api/v1/me/"))["entrants"][0]["match"]
    root_match = f"/api/v1/matches/{match['id']}/"
    report = ok(player.post(f"{root_match}report/", {"games": [2, 1, 0]}, format="json"))["report"]
    assert ok(opponent.post(f"{root_match}confirm/", {"report": report["id"]}, format="json"))["has_result"]
    assert ok(desk.post(f"{root}rounds/1/close/"))["status"] == "closed"
    assert ok(APIClient().get(f"{root}standings/"))["computing"]
    jobs.run_due(jobs.clock.now())
    standings = ok(APIClient().get(f"{root}standings/"))
    assert (standings["computing"], standings["round"]) == (False, 1)
    assert [row["points"] for row in standings["rows"]] == [3, 0]
    assert standings["rows"][0]["entrant"]["name"] in ("Player 1", "Player 2")
    assert list(standings["rows"][0]["tiebreaks"]) == ["omw", "gw", "ogw"]
    assert step("finish")["status"] == "finished"
    codes = [entry["code"] for entry in ok(desk.get(f"{root}ledger/"))["results"]]
    assert codes[0] == "event.created" and codes[-1] == "event.finished"


def test_lists_are_filtered_and_paginated(cast: Cast, as_: Client, visitor: APIClient) -> None:
    for number in range(3):
        create_event(by=cast.organizer, name=f"Draft {number}", preset="star-safir", now=NOW)
    an_open_event(cast)
    assert ok(visitor.get("/api/v1/events/"))["count"] == 1
    assert ok(as_(cast.organizer).get("/api/v1/events/"))["count"] == 4
    page = ok(as_(cast.organizer).get("/api/v1/events/?status=draft&limit=2&offset=2"))
    assert (page["count"], len(page["results"]), page["next"]) == (3, 1, None)
    assert visitor.get("/api/v1/events/?status=odd").status_code == 422
    for query in ("limit=501", "limit=99999999999999999999", "offset=99999999999999999999999"):
        assert visitor.get(f"/api/v1/events/?{query}").status_code == 200


def test_a_page_has_at_most_500_rows_and_the_next_page_continues_after_them(cast: Cast, visitor: APIClient) -> None:
    event = an_open_event(cast)
    Event.objects.bulk_create(
        Event(name="Other", status=event.status, public_id=f"e-page{n}", created_at=NOW, created_by=cast.organizer)
        for n in range(500)
    )
    page = ok(visitor.get("/api/v1/events/?limit=1000"))
    assert (page["count"], len(page["results"])) == (501, 500)
    assert len(ok(visitor.get(page["next"]))["results"]) == 1


@pytest.mark.parametrize("name", ["limit", "offset"])
@pytest.mark.parametrize("given", ["-1", "x", "", "1.5", "1e3", "+1", " 1", "\u0663", "9" * 5_000, "NaN", "0x10"])
def test_a_limit_or_offset_that_is_not_a_whole_number_is_refused(
    db: None, visitor: APIClient, name: str, given: str
) -> None:
    answer = visitor.get("/api/v1/events/", {name: given})
    assert (answer.status_code, answer["Content-Type"], answer.json()["code"]) == (
        400,
        "application/problem+json",
        "page_invalid",
    )
    assert f"`{name}`" in answer.json()["detail"]


def test_a_limit_of_zero_is_refused(db: None, visitor: APIClient) -> None:
    assert visitor.get("/api/v1/events/?limit=0").json()["code"] == "page_invalid"


WHOLE = {"standings/": "rows", "standings/changes/": "moved", "final/": "rows", "rounds/1/": "matches"}
"""Responses that are complete unless a part is requested: their address within an event, and the key of their rows."""


def _with_two_closed_rounds(cast: Cast) -> Event:
    event = a_running_event(cast, players=6, rounds=3)
    for _round in range(2):
        round_ = a_published_round(event, cast.organizer)
        for match in round_.matches.filter(table__isnull=False):
            enter_result(match=match, by=cast.organizer, games=(2, 0, 0), now=NOW)
        play.close_round(round_=round_, by=cast.organizer, now=NOW)
        jobs.run_due(clock.now())
    return event


@pytest.mark.parametrize("path", WHOLE)
@pytest.mark.slow
def test_standings_and_rounds_are_complete_unless_a_part_is_requested(
    cast: Cast, visitor: APIClient, path: str
) -> None:
    root, rows = f"/api/v1/events/{_with_two_closed_rounds(cast).public_id}/", WHOLE[path]
    whole = ok(visitor.get(root + path))
    assert whole["count"] == len(whole[rows]) > 2
    for query, wanted in (
        ("limit=2", whole[rows][:2]),
        ("limit=1&offset=2", whole[rows][2:3]),
        ("offset=1", whole[rows][1:]),
        ("limit=500", whole[rows]),
        ("limit=5&offset=99999999", []),
    ):
        part = ok(visitor.get(f"{root}{path}?{query}"))
        assert (part[rows], part["count"]) == (wanted, whole["count"]), query
    for query in ("limit=0", "limit=-1", "limit=x", "offset=-1"):
        refused = visitor.get(f"{root}{path}?{query}")
        assert (refused.status_code, refused.json()["code"]) == (400, "page_invalid"), query


def test_the_changes_of_another_stage_can_be_requested(cast: Cast, visitor: APIClient) -> None:
    changes = f"/api/v1/events/{_with_two_closed_rounds(cast).public_id}/standings/changes/"
    assert ok(visitor.get(changes + "?stage=1&cut=2"))["moved"]
    assert visitor.get(changes + "?stage=7").status_code == 404


def test_only_the_entrants_in_the_requested_part_of_the_standings_are_read(
    cast: Cast, visitor: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = f"/api/v1/events/{_with_two_closed_rounds(cast).public_id}/"
    read: list[str] = []
    monkeypatch.setattr(Entrant, "name", property(lambda entrant: read.append(entrant.public_id) or entrant.public_id))
    for path in ("standings/", "standings/changes/", "final/"):
        read.clear()
        (row,) = ok(visitor.get(f"{root}{path}?limit=1&offset=2"))[WHOLE[path]]
        with CaptureQueriesContext(connection) as captured:
            visitor.get(f"{root}{path}?limit=1&offset=2")
        assert set(read) == {row["entrant"]["id"]}
        assert any(row["entrant"]["id"] in query["sql"] for query in captured), "the query names who is asked for"


@pytest.mark.parametrize("path", WHOLE)
def test_a_client_that_has_the_newest_response_gets_a_304(cast: Cast, visitor: APIClient, path: str) -> None:
    event = _with_two_closed_rounds(cast)
    address = f"/api/v1/events/{event.public_id}/{path}"
    etag = visitor.get(address)["ETag"]
    unchanged = visitor.get(address, HTTP_IF_NONE_MATCH=etag)
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", etag)
    assert visitor.get(address + "?limit=1", HTTP_IF_NONE_MATCH=etag).status_code == 200
    Person.objects.filter(member__entrant__event=event).update(given_name="Renamed")
    assert visitor.get(address, HTTP_IF_NONE_MATCH=etag).status_code == 200


def test_lists_can_be_filtered(cast: Cast, as_: Client) -> None:
    scene = reported(cast)
    desk, judge = as_(cast.organizer), as_(cast.judge)
    give_penalty(entrant=scene.entrant, infraction="misplay", by=cast.judge, now=NOW)
    play.award_bye(entrant=scene.entrant, number=3, kind="bye", by=cast.organizer, now=NOW)
    call_judge(match=scene.match, by=cast.player, now=NOW)

    def counts(client: APIClient, address: str, *queries: str) -> list[int]:
        return [ok(client.get(scene.at(f"{address}?{query}")))["count"] for query in queries]

    assert counts(desk, "events/{event}/entrants/", "", "status=registered", "status=dropped") == [2, 2, 0]
    own = f"entrant={scene.entrant.public_id}"
    assert counts(judge, "events/{event}/penalties/", "", own, "entrant=p") == [1, 1, 0]
    assert counts(desk, "events/{event}/byes/", "", "round=3", "round=2") == [1, 1, 0]
    assert counts(judge, "events/{event}/calls/", "", "status=waiting", "status=claimed") == [1, 1, 0]
    entries = counts(desk, "events/{event}/ledger/", "", "since=1", "code=round.published", "code=round")
    assert entries[1] == entries[0] - 1 and entries[2] == 1 < entries[3]
    assert desk.get(scene.at("events/{event}/entrants/?status=odd")).status_code == 422


def test_a_decklist_has_every_fault_in_the_requested_language(cast: Cast, as_: Client) -> None:
    scene, client = registering(cast), as_(cast.player)
    address = scene.at("entrants/{entrant}/decklist/")
    short = "\n".join(deck_text(1).splitlines()[:6])
    french = ok(client.put(address, {"text": short}, format="json", HTTP_ACCEPT_LANGUAGE="fr"))
    english = ok(client.get(address, HTTP_ACCEPT_LANGUAGE="en"))
    assert not french["legal"] and french["version"] == 2
    assert french["violations"][0]["rule"] == english["violations"][0]["rule"]
    assert french["violations"][0]["message"] != english["violations"][0]["message"]
    unreadable = client.put(address, {"text": "4 Nothing Of The Kind\n???"}, format="json")
    assert (unreadable.status_code, unreadable.json()["code"]) == (422, "deck_unreadable")
    assert unreadable.json()["details"][0]["line"] == 1
    assert Decklist.objects.count() == 2


def test_a_list_is_read_and_corrected_without_saving_it(cast: Cast, as_: Client) -> None:
    scene = registering(cast)
    address = scene.at("events/{event}/read-list/")
    deck = misspelt(deck_text(2), shipped_catalogs("star-safir")[0])
    before = Decklist.objects.count()
    read = as_(cast.player).post(address, {"text": deck.text}, format="json").json()
    (fault,) = read["faults"]
    assert (f"{fault['line']}:{fault['suggestions'][0]}", read["text"]) == (deck.button, deck.text)
    corrected = as_(cast.player).post(address, {"text": deck.text, "suggestion": deck.button}, format="json").json()
    assert corrected == {"text": deck.corrected, "faults": [], "notes": []}
    assert Decklist.objects.count() == before


def test_staff_who_play_cannot_read_other_decklists(cast: Cast, as_: Client) -> None:
    scene = registering(cast)
    an_entrant(scene.event, cast.judge)
    answer = as_(cast.judge).get(scene.at("entrants/{entrant}/decklist/"))
    assert (answer.status_code, answer.json()["code"]) == (403, "staff_who_play")


def test_no_response_contains_an_email_address_or_a_hidden_name(cast: Cast, as_: Client, visitor: APIClient) -> None:
    scene = reported(cast)
    add = an_open_event(cast, name="Second")
    add_entrant(event=add, given_name="Ada", family_name="Lovelace", by=cast.organizer, now=NOW)
    add_entrant(event=add, given_name="Ada", family_name="Byron", by=cast.organizer, now=NOW)
    answers = [
        client.get(scene.at(address)).content.decode()
        for client in (as_(cast.organizer), visitor)
        for address in (
            "events/",
            "events/{event}/",
            "events/{event}/staff/",
            "events/{event}/entrants/",
            "events/{event}/ledger/",
            "events/{event}/rounds/1/",
            "matches/{match}/",
            f"events/{add.public_id}/entrants/",
            "me/",
        )
    ]
    assert "Ada L." in "".join(answers)
    own, of_others = answers[: len(answers) // 2], answers[len(answers) // 2 :]
    assert "Ada Lovelace" in "".join(own)  # staff of the event see full names
    assert not any("@example" in answer for answer in answers)
    assert not any("Lovelace" in answer for answer in of_others)


def test_a_pending_report_is_shown_only_to_its_table_and_to_staff(cast: Cast, as_: Client) -> None:
    scene = reported(cast)
    address = scene.at("matches/{match}/")
    for user in (cast.player, cast.opponent, cast.judge):
        assert ok(as_(user).get(address))["report"]["id"] == scene.report.pk
    assert ok(as_(cast.stranger).get(address))["report"] is None
    assert ok(APIClient().get(scene.at("events/{event}/rounds/1/")))["matches"][0]["report"] is None


def test_staff_who_play_see_only_the_number_of_tables_of_a_draft(cast: Cast, as_: Client) -> None:
    scene = drafted(cast)
    grant_role(event=scene.event, email=cast.player.email, role="scorekeeper", by=cast.organizer, now=NOW)
    client = as_(cast.player)
    round_ = ok(client.get(scene.at("events/{event}/rounds/1/")))
    assert (round_["status"], round_["tables"], round_["matches"]) == ("draft", 1, [])
    assert [round_[name] for name in ("seed", "cost", "certified")] == [None, None, None]
    (listed,) = ok(client.get(scene.at("events/{event}/rounds/")))
    assert (listed["tables"], listed["seed"], listed["cost"]) == (1, None, None)
    assert ok(as_(cast.judge).get(scene.at("events/{event}/rounds/1/")))["seed"]
    assert client.get(scene.at("matches/{match}/")).status_code == 404
    codes = [entry["code"] for entry in ok(client.get(scene.at("events/{event}/ledger/")))["results"]]
    assert "round.paired" not in codes
    entries = ok(as_(cast.judge).get(scene.at("events/{event}/ledger/")))["results"]
    assert "round.paired" in [entry["code"] for entry in entries]


def test_the_opponent_can_contest_a_report_and_a_judge_rules(cast: Cast, as_: Client) -> None:
    scene = reported(cast)
    root = scene.at("matches/{match}/")
    player, judge = as_(cast.player), as_(cast.judge)
    own = as_(cast.opponent).post(f"{root}confirm/", {"report": scene.report.pk}, format="json")
    assert (own.status_code, own.json()["code"]) == (403, "own_report")
    assert player.post(f"{root}confirm/", {"report": 10**15}, format="json").status_code == 404
    contested = player.post(f"{root}contest/", {"report": scene.report.pk, "reason": "no"}, format="json")
    assert ok(contested)["disputed"]
    mute = judge.post(f"{root}ruling/", {"games": [0, 2, 0], "reason": " "}, format="json")
    assert (mute.status_code, mute.json()["code"]) == (422, "reason_missing")
    ruled = ok(judge.post(f"{root}ruling/", {"games": [0, 2, 0], "reason": "seen"}, format="json"))
    assert (ruled["disputed"], ruled["authority"], ruled["has_result"]) == (False, "ruled", True)


def test_a_draft_has_no_clock(cast: Cast, as_: Client) -> None:
    scene, client = drafted(cast), as_(cast.organizer)
    assert client.get(scene.at("events/{event}/rounds/1/clock/")).status_code == 404
    for action in ("start", "pause", "resume", "extend"):
        answer = client.post(
            scene.at("events/{event}/rounds/1/clock/"), {"action": action, "minutes": 1}, format="json"
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "clock_state")


def test_extending_the_clock_needs_a_number_of_minutes(cast: Cast, as_: Client) -> None:
    answer = as_(cast.organizer).post(
        published(cast).at("events/{event}/rounds/1/clock/"), {"action": "extend"}, format="json"
    )
    assert answer.json()["details"][0]["field"] == "minutes"


def test_a_role_can_be_granted_and_revoked(cast: Cast, as_: Client) -> None:
    scene, owner = registering(cast), as_(cast.organizer)
    staff = scene.at("events/{event}/staff/")
    granted = ok(owner.post(staff, {"email": cast.stranger.email, "role": "judge"}, format="json"), 201)
    assert granted == {"account": cast.stranger.public_id, "name": "Stranger", "role": "judge", "table": None}
    assert owner.delete(f"{staff}{granted['account']}/judge/").status_code == 204
    assert owner.delete(f"{staff}{granted['account']}/judge/").status_code == 404
    last = owner.delete(f"{staff}{cast.organizer.public_id}/owner/")
    assert (last.status_code, last.json()["code"]) == (409, "last_owner")


def test_an_entrant_can_drop_and_be_reinstated(cast: Cast, as_: Client) -> None:
    scene, client = running(cast), as_(cast.player)
    assert ok(client.post(scene.at("entrants/{entrant}/drop/")))["status"] == "dropped"
    assert ok(client.post(scene.at("entrants/{entrant}/reinstate/")))["status"] == "registered"
    assert client.post(scene.at("entrants/{entrant}/drop/"), {"why": 1}, format="json").status_code == 422


def test_a_family_name_without_a_given_name_is_refused(cast: Cast, as_: Client) -> None:
    answer = as_(cast.organizer).post(
        registering(cast).at("events/{event}/entrants/"), {"family_name": "X"}, format="json"
    )
    assert answer.json()["details"][0]["field"] == "given_name"


def test_submitting_a_log_queries_its_match_once(cast: Cast) -> None:
    scene = published(cast)
    document = first_game(scene.match)
    client = token_client(cast.judge, "judge")
    with CaptureQueriesContext(connection) as captured:
        sent = client.post(scene.at("matches/{match}/games/1/logs/"), document, format="json")
    assert sent.status_code == 201
    asked = [query["sql"] for query in captured]
    assert [sum(f'FROM "{table}"' in sql for sql in asked) for table in ("play_match", "play_game")] == [1, 2]


@pytest.mark.usefixtures("any_json_is_a_log")
def test_a_log_is_stored_byte_for_byte(cast: Cast, as_: Client) -> None:
    scene, client = published(cast), as_(cast.player)
    document = '{ "é": [1,\r\n 2] }\n'.encode()
    address = scene.at("matches/{match}/games/1/logs/")
    sent = ok(client.post(address, document, content_type="application/json"), 201)
    again = ok(client.post(address, document, content_type="application/json"), 201)
    assert again == sent
    kept = client.get(f"/api/v1/logs/{sent['id']}/document/")
    assert kept.content == document and "attachment" in kept["Content-Disposition"]
    assert ok(client.get(f"/api/v1/logs/{sent['id']}/"))["audit"]["state"] == "pending"
    assert [log["id"] for log in ok(client.get(address))] == [sent["id"]]
    assert ok(as_(cast.opponent).get(address)) == []
    nowhere = client.post(scene.at("matches/{match}/games/9/logs/"), document, content_type="application/json")
    assert nowhere.status_code == 404


@pytest.mark.usefixtures("any_json_is_a_log")
def test_an_audit_does_not_reveal_the_opponents_decklist_to_a_player(cast: Cast, as_: Client) -> None:
    scene = published(cast)
    address = scene.at("matches/{match}/games/1/logs/")
    sent = ok(as_(cast.player).post(address, b'{"x": 1}', content_type="application/json"), 201)
    finding = {"seat": "B", "code": "deck_differs", "missing": {"S-1": 3}, "added": {}}
    Audit.objects.update(verdict="plausible", report=Report("plausible").as_json(), deck_findings=[finding])
    read = f"/api/v1/logs/{sent['id']}/"
    assert ok(as_(cast.player).get(read))["audit"]["deck_findings"] == [{"seat": "B", "code": "deck_differs"}]
    assert ok(as_(cast.judge).get(read))["audit"]["deck_findings"] == [finding]


def test_an_audit_report_is_in_the_requested_language(cast: Cast) -> None:
    scene, client = published(cast), token_client(cast.judge, "judge", "read")
    document = next(log for seed in range(50) if (log := with_a_second_attack(first_game(scene.match, seed))))
    sent = ok(client.post(scene.at("matches/{match}/games/1/logs/"), document, format="json"), 201)
    jobs.run_due(jobs.clock.now() + timedelta(seconds=1))
    read = f"/api/v1/logs/{sent['id']}/"
    said = {lang: ok(client.get(read, headers={"Accept-Language": lang}))["audit"]["report"] for lang in ("fr", "it")}
    messages = [report["first_illegal"]["violations"][0]["message"] for report in said.values()]
    assert "a déjà" in messages[0] and "ha già" in messages[1]
    assert said["fr"]["interpretations"][0]["says"] != said["it"]["interpretations"][0]["says"]
    ref = said["fr"]["first_illegal"]["violations"][0]["args"]["card"]
    assert said["fr"]["cards"][ref]["fr"] in messages[0] and ref not in messages[0]


def queries(client: APIClient, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return len(captured)


@pytest.mark.parametrize(
    "address",
    [
        "events/{event}/entrants/",
        "events/{event}/rounds/1/",
        "events/{event}/standings/",
        "events/{event}/ledger/",
        "events/{event}/staff/",
        "events/{event}/meeting/",
    ],
)
@pytest.mark.slow
def test_a_list_takes_as_many_queries_for_3_rows_as_for_30(cast: Cast, address: str) -> None:
    counts = []
    for players in (4, 32):
        event = big_event(cast, players)
        client = token_client(cast.judge, "read")
        queries(client, "/api/v1/presets/")
        counts.append(queries(client, "/api/v1/" + address.format(event=event.public_id)))
    assert counts[0] == counts[1]


def big_event(cast: Cast, players: int) -> Event:
    """A published round of this many entrants, half of whose matches have a result, with as many judges."""
    event = an_open_event(cast)
    for number in range(players):
        add_entrant(event=event, given_name=f"P{number}", family_name="", by=cast.organizer, now=NOW)
        user = account(f"S{event.pk} {number}")
        grant_role(event=event, email=user.email, role="judge", by=cast.organizer, now=NOW)
    Event.objects.filter(pk=event.pk).update(status="running")
    event.refresh_from_db()
    a_published_round(event, cast.organizer)
    for match in Match.objects.filter(round__stage__event=event)[: players // 4]:
        desk_result(match, cast)
    jobs.run_due(jobs.clock.now())
    return event


def desk_result(match: Match, cast: Cast) -> None:
    enter_result(match=match, by=cast.organizer, games=[2, 0, 0], now=NOW)


def test_the_list_of_events_takes_as_many_queries_for_3_rows_as_for_30(cast: Cast) -> None:
    client = token_client(cast.organizer, "read")
    counts = []
    for more in (3, 27):
        for number in range(more):
            create_event(by=cast.organizer, name=f"E{number}", preset="star-safir", now=NOW)
        queries(client, "/api/v1/presets/")
        counts.append(queries(client, "/api/v1/events/"))
    assert counts[0] == counts[1]


@pytest.mark.slow
def test_the_own_account_takes_as_many_queries_for_3_entrants_as_for_30(cast: Cast) -> None:
    client = token_client(cast.player, "read")
    counts = []
    for more in (3, 27):
        for _number in range(more):
            event = a_running_event_of_two(cast)
            assert match_of(a_published_round(event, cast.organizer), cast.player)
        queries(client, "/api/v1/presets/")
        counts.append(queries(client, "/api/v1/me/"))
    assert counts[0] == counts[1]


def a_running_event_of_two(cast: Cast) -> Event:
    """A running event without decklists, which do not matter here."""
    event = an_open_event(cast)
    for user in (cast.player, cast.opponent):
        an_entrant(event, user, deck=None)
    Event.objects.filter(pk=event.pk).update(status="running")
    event.refresh_from_db()
    return event


def test_checking_in_twice_returns_the_same_entrant(cast: Cast, as_: Client) -> None:
    scene = checking_in(cast)
    first = ok(as_(cast.player).post(scene.at("entrants/{entrant}/check-in/")))
    second = ok(as_(cast.scorekeeper).post(scene.at("entrants/{entrant}/check-in/")))
    assert first == second


def test_the_desk_can_enter_the_same_result_again_without_a_reason(cast: Cast, as_: Client) -> None:
    scene, client = settled(cast), as_(cast.organizer)
    address = scene.at("matches/{match}/result/")
    assert ok(client.post(address, {"games": [2, 0, 0]}, format="json"))["authority"] == "witnessed"
    other = client.post(address, {"games": [0, 2, 0]}, format="json")
    assert (other.status_code, other.json()["code"]) == (422, "reason_missing")
    assert ok(client.post(address, {"games": [0, 2, 0], "reason": "typo"}, format="json"))["has_result"]


def test_pairing_twice_is_a_conflict(cast: Cast, as_: Client) -> None:
    answer = as_(cast.organizer).post(drafted(cast).at("events/{event}/rounds/"))
    assert (answer.status_code, answer.json()["code"]) == (409, "already_paired")
    assert a_running_event(cast, players=2, name="Other").status == "running"


def test_a_result_is_refused_if_a_newer_report_was_not_seen(cast: Cast, as_: Client) -> None:
    scene, desk = published(cast), as_(cast.organizer)
    shown = ok(desk.get(scene.at("matches/{match}/")))
    assert shown["newest_report"] == 0
    play.report_result(match=scene.match, by=cast.opponent, games=[2, 0, 0], now=NOW)
    body = {"games": [0, 2, 0], "seen": shown["newest_report"]}
    old = desk.post(scene.at("matches/{match}/result/"), body, format="json")
    assert (old.status_code, old.json()["code"]) == (409, "result_changed")
    judged = as_(cast.judge).post(scene.at("matches/{match}/ruling/"), {**body, "reason": "seen"}, format="json")
    assert judged.json()["code"] == "result_changed"
    seen = ok(desk.get(scene.at("matches/{match}/")))["newest_report"]
    assert ok(desk.post(scene.at("matches/{match}/result/"), {**body, "seen": seen}, format="json"))["has_result"]
