"""A whole event run through the API client alone, against a live server and a real worker."""

import json
from contextlib import ExitStack

import pytest
from arbitre_client import Arbitre, Invalid, NotAllowed, NotFound, Refused

from tests.builders import deck_text
from tests.e2e.site import Site
from tests.transfers import samples
from tournaments.demo.games import self_played

# Script that makes accounts and prints an API token for each.
MAKE_ACCOUNTS = """
from django.utils import timezone
from tournaments.accounts.services import create_account, create_token
for name in {names}:
    email = name + "@example.com"
    user = create_account(email=email, password="correct-horse-battery", given_name=name, family_name="")
    scopes = ("read", "play", "judge", "organize")
    print("token", name, create_token(user=user, name="client", scopes=scopes, now=timezone.now())[1])
"""
NAMES = ["organizer", "judge", "player1", "player2", "player3", "player4"]


@pytest.fixture(scope="module")
def tokens(site: Site) -> dict[str, str]:
    """Create an account for each of `NAMES` and return their API tokens by name."""
    printed = site.run(MAKE_ACCOUNTS.format(names=NAMES)).splitlines()
    return {line.split()[1]: line.split()[2] for line in printed if line.startswith("token ")}


def test_an_event_can_be_run_with_the_api_client_alone(site: Site, tokens: dict[str, str]) -> None:
    with ExitStack() as stack:
        apis = {name: stack.enter_context(Arbitre(site.url, token)) for name, token in tokens.items()}
        desk, judge = apis["organizer"], apis["judge"]
        players = [apis[name] for name in NAMES[2:]]
        assert "star-safir" in {preset["id"] for preset in desk.presets()}

        event = desk.create_event(name="Client Open", preset="star-safir", rounds=1)["id"]
        desk.grant(event, email="judge@example.com", role="head_judge")
        assert desk.invite(event, "scribe", table=2)["table"] == 2
        assert desk.choose_embed_sites(event, ["https://club.example"]) == desk.embed_sites(event)
        assert desk.add_stage(event, "single_elimination", cut_top=2)["number"] == 2
        with pytest.raises(NotFound):
            players[0].event(event)  # only staff can see a draft event
        desk.step(event, "open")

        entrants = {}
        for number, player in enumerate(players, 1):
            entrant = player.register(event)["id"]
            entrants[entrant] = player
            with pytest.raises(Invalid) as unreadable:
                player.submit_decklist(entrant, "?")
            assert unreadable.value.code == "deck_unreadable"
            assert player.submit_decklist(entrant, deck_text(number))["legal"]
        assert {row["id"] for row in desk.entrants(event)} == set(entrants)
        with pytest.raises(NotAllowed):
            judge.step(event, "lock")
        desk.step(event, "lock")
        desk.step(event, "check_in")
        for entrant, player in entrants.items():
            assert player.check_in(entrant)["id"] == entrant
        assert desk.announce(event, "The first round is about to begin.")["text"]
        desk.step(event, "start")

        drafted = desk.pair(event)
        with pytest.raises(Refused):
            desk.pair(event)
        desk.publish(event, drafted["number"])
        assert desk.clock(event, 1, "start")["state"] == "running"
        matches = [match for match in players[0].round(event, 1)["matches"] if match["table"]]
        first, second = matches
        seated = [entrants[seat["entrant"]["id"]] for seat in first["seats"]]

        followed = judge.progress(first["seats"][0]["entrant"]["id"])
        assert followed["match"] and followed["match"]["id"] == first["id"] and followed["earlier"] == []

        log = self_played(
            "star-safir",
            7,
            {"round": 1, "table": first["table"], "game": 1},
            {seat["entrant"]["id"]: judge.decklist(seat["entrant"]["id"])["cards"] for seat in first["seats"]},
        )
        document = json.dumps(log).encode()
        kept = seated[0].upload_log(first["id"], 1, document)["id"]
        audit = judge.log(kept, wait=60)["audit"]
        assert audit["verdict"] == "confirmed"
        assert judge.document(kept) == document
        bulk = judge.bulk_audit(judge.audit_all(event)["id"], wait=60)
        assert (bulk["state"]["status"], bulk["state"]["total"], bulk["verdicts"]) == ("done", 1, [])

        reported = seated[0].report(first["id"], [2, 1, 0])
        assert reported["report"]
        assert seated[1].confirm(first["id"], reported["report"]["id"])["has_result"]
        move = next(move for move in judge.legal(kept, 1) if move["do"])
        assert judge.board(kept, 1)["n"] == 1 and move["by"] in ("A", "B", "table")
        assert judge.branch(kept, 2, "undo")["n"] == 2

        check = judge.check_decks(event, 1, tables=1)
        assert [judge.finish_check(each["id"])["id"] for each in check] == [each["id"] for each in check]
        called = seated[0].call_judge(first["id"])
        assert [call["id"] for call in judge.calls(event)] == [called["id"]]
        for action in ("claim", "resolve"):
            called = judge.answer_call(called["id"], action)
        assert called["status"] == "resolved"
        warned = judge.penalize(first["seats"][0]["entrant"]["id"], "slow_play")
        assert warned["level"]

        loser, winner = (entrants[seat["entrant"]["id"]] for seat in second["seats"])
        said = loser.report(second["id"], [2, 0, 0])["report"]
        assert winner.contest(second["id"], said["id"])["disputed"]
        ruled = judge.rule(second["id"], [0, 2, 0], reason="The slip was misread.")
        assert (ruled["authority"], ruled["disputed"]) == ("ruled", False)
        winner.claim(second["id"], reason="It was 1-2.")
        assert {dispute["match"] for dispute in judge.disputes(event)} == {first["id"], second["id"]}
        assert judge.settle(second["id"], "keep", reason="Both slips say so.")["authority"] == "ruled"

        assert desk.close_round(event, 1)["status"] == "closed"
        standings = desk.standings(event, wait=60)
        assert [row["points"] for row in standings["rows"]] == [3, 3, 0, 0]
        assert len(desk.export(event, "results")["rows"]) == 4
        assert desk.export_csv(event, "standings").count("\n") >= 4
        paper = desk.paper(event, "standings", wait=60)
        assert desk.paper_file(paper["id"]).startswith(b"%PDF")

        assert len(desk.start_stage(event)["entries"]) == 2
        desk.publish(event, desk.pair(event)["number"])
        (final,) = [match for match in desk.round(event, 2)["matches"] if match["table"]]
        finalist = entrants[final["seats"][0]["entrant"]["id"]]
        recording = finalist.record(final["id"], 1)
        first_player = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
        assert finalist.record_move(recording["id"], 1, first_player)["n"] == 1
        assert finalist.recording(recording["id"])["n"] == 1
        assert finalist.hand_in(recording["id"])["match"] == final["id"]
        (to_record,) = judge.tables_to_record(event)
        assert to_record["games"][0] == {"number": 1, "recording": recording["id"], "handed_in": True}
        assert judge.take_back(recording["id"])["n"] == 1
        assert finalist.hand_in(recording["id"])["match"] == final["id"]
        assert desk.enter_result(final["id"], [2, 0, 0])["has_result"]
        assert desk.close_round(event, 2)["status"] == "closed"
        assert desk.step(event, "finish")["status"] == "finished"
        assert {row["status"] for row in desk.entrants(event, status="registered")} == {"registered"}
        whole = desk.event_file(event, wait=120)
        verified = desk.verify(desk.event_file_content(whole["id"]), wait=120)
        assert verified["report"] and verified["report"]["holds"]
        codes = {entry["code"] for entry in desk.ledger(event)}
        assert {
            "event.created",
            "round.published",
            "log.submitted",
            "result.ruled",
            "bulk.finished",
            "event.finished",
        } <= codes


def test_a_file_of_another_program_becomes_an_event_and_entrants_through_the_client(
    site: Site, tokens: dict[str, str]
) -> None:
    with Arbitre(site.url, tokens["organizer"]) as desk:
        found = desk.transfer(samples.LIMITLESS)
        assert (found["format"], found["event"]) == ("limitless", None)
        made = desk.make_event(found["id"], wait=30, name="Brought over", preset="star-safir")
        assert (made["status"], made["error"]) == ("done", "")
        assert desk.event(made["event"] or "")["name"] == "Brought over"

        event = desk.create_event(name="Only the players", preset="star-safir")["id"]
        handed_on = desk.enter_players_of(desk.transfer(samples.LIMITLESS)["id"], event)
        done = desk.confirm_import(handed_on["id"], wait=30)
        assert done["entered"] == found["players"] == len(list(desk.entrants(event)))
        listed = desk.import_entrants(event, "Name,E-mail\nPlayer 12,twelve@example.org\n")
        assert desk.confirm_import(listed["id"], wait=30)["entered"] == 1
        desk.step(event, "open")
        assert desk.invite_entrants(event)["invited"] == 1


def test_applications_are_decided_through_the_client(site: Site, tokens: dict[str, str]) -> None:
    with Arbitre(site.url, tokens["organizer"]) as desk, Arbitre(site.url, tokens["player1"]) as player:
        event = desk.create_event(name="By approval", preset="star-safir")["id"]
        desk.step(event, "open")
        desk.request("PUT", f"events/{event}/registration/", json={"approval": True})
        player.request("POST", f"events/{event}/applications/", json={})
        (waiting,) = desk.applications(event, status="waiting")
        assert desk.decide(event, "decline", [waiting["id"]], reason="Full")["refused"] == []
        assert [each["reason"] for each in desk.applications(event)] == ["Full"]
