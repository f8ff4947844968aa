"""Verifying an event straight from the database: whatever is changed with SQL is found."""

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    a_stage_played,
    a_table_event,
    an_entrant,
    an_open_event,
    first_game,
    match_of,
    play_out,
    users_of,
)
from tests.cast import Cast
from tournaments.archive.faults import VerificationReport
from tournaments.archive.present import verify_event
from tournaments.audits.services import submit_log
from tournaments.common import jobs
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.play.services.repairs import repairs_of

pytestmark = pytest.mark.django_db


def sql(statement: str, *values: Any) -> None:
    """Change rows without the services; at least one row must change."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount


def one(statement: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchone()[0]


def codes(event: Event, **options: Any) -> set[str]:
    return {fault.code for fault in verify_event(event, **options).faults}


@pytest.fixture
def event(cast: Cast) -> Event:
    """Two rounds with five players: a confirmed report, an audited log, and computed standings."""
    event = a_running_event(cast, players=5)
    round_ = a_published_round(event, cast.organizer)
    match = match_of(round_, cast.player) if not is_bye(round_, cast) else round_.matches.get(table=1)
    first, second = users_of(match)
    submit_log(game=match.games.get(number=1), document=json.dumps(first_game(match)).encode(), by=first, now=NOW)
    report = play.report_result(match=match, by=first, games=[2, 0, 0], now=NOW)
    play.confirm_result(match=match, report=report, by=second, now=NOW)
    play_out(round_, cast.organizer)
    a_stage_played(event, cast.organizer, 1)
    jobs.run_due(NOW)
    return event


def is_bye(round_: Round, cast: Cast) -> bool:
    return match_of(round_, cast.player).table is None


def test_an_event_that_nobody_tampered_with_has_no_faults(event: Event) -> None:
    found = verify_event(event, replay=True)
    assert (found.faults, found.left) == ((), ())
    counted = ("match", "seat", "game", "report", "round", "pairing", "certificate", "audit", "standings", "table")
    assert {name: found.checked[name] for name in counted} == {
        "match": 6,
        "seat": 10,
        "game": 12,
        "report": 4,
        "round": 2,
        "pairing": 2,
        "certificate": 2,
        "audit": 1,
        "standings": 1,
        "table": one("select count(*) from standings_standingstable"),
    }


def test_the_report_says_that_logs_were_not_replayed(event: Event) -> None:
    assert [fault.code for fault in verify_event(event).left] == ["not_replayed"]


def result_row() -> None:
    sql("update play_match set games_drawn = 1 where kind = 'played'")


def result_score() -> None:
    sql("update play_seat set games_won = 1 where games_won = 0 and match_id in (select id from play_match)")


def kind_of_result() -> None:
    sql("update play_match set kind = 'concession' where kind = 'played'")


def points_of_a_seat() -> None:
    sql("update play_seat set points = 1 where points = 0")


def seed() -> None:
    sql("update play_round set seed = seed + 1 where number = 2")


def pairing(number: int = 2) -> None:
    """The second players of tables 1 and 2 of a round swap seats."""
    first, second = (
        one(
            "select s.id from play_seat s join play_match m on m.id = s.match_id join play_round r on r.id = m.round_id"
            ' where r.number = %s and m."table" = %s and s.number = 2',
            number,
            table,
        )
        for table in (1, 2)
    )
    here, there = (one("select match_id from play_seat where id = %s", seat) for seat in (first, second))
    # Through an unused number, since two seats of a match may not have the same one.
    sql("update play_seat set number = 9 where id = %s", first)
    sql("update play_seat set match_id = %s where id = %s", here, second)
    sql("update play_seat set match_id = %s, number = 2 where id = %s", there, first)


def standings_row() -> None:
    table = one("select max(id) from standings_standingstable")
    rows = one("select rows from standings_standingstable where id = %s", table)
    rows = json.loads(rows) if isinstance(rows, str) else rows
    rows[0]["points"] += 3
    sql("update standings_standingstable set rows = %s where id = %s", json.dumps(rows), table)


def older_standings() -> None:
    table = one("select min(id) from standings_standingstable")
    sql("update standings_standingstable set rows = %s where id = %s", "[]", table)


def verdict() -> None:
    sql("update audits_audit set verdict = 'contradicted'")


def report_of_an_audit() -> None:
    kept = one("select report from audits_audit")
    kept = json.loads(kept) if isinstance(kept, str) else kept
    sql("update audits_audit set report = %s", json.dumps({**kept, "result": None}))


def evidence_of_a_game() -> None:
    sql("update play_game set evidence = 'replayed', report_digest = 'f' where report_digest = ''")


def log() -> None:
    sql("update audits_movelog set document = document || ' '")


def ledger_entry() -> None:
    sql("update common_ledgerentry set code = 'result.ruled' where code = 'result.entered'")


def deleted_report() -> None:
    sql("delete from play_report where status = 'confirmed'")


def report_of_somebody_else() -> None:
    sql("update play_report set kind = 'concession'")


def cut_ledger() -> None:
    """Delete the last entries, and move the head back to the new end of the chain."""
    last = one("select max(number) from common_ledgerentry") - 2
    sql("delete from common_ledgerentry where number > %s", last)
    sql(
        "update common_ledgerhead set number = %s, hash = (select hash from common_ledgerentry where number = %s)",
        last,
        last,
    )


def inserted_match() -> None:
    round_, entrant = one("select max(id) from play_round"), one("select min(entrant_id) from play_seat")
    sql("delete from play_seat where round_id = %s and entrant_id = %s", round_, entrant)
    sql(
        'insert into play_match (public_id, round_id, "table", kind, games_drawn, authority, evidence, disputed, flags,'
        " node) values ('m-inserted', %s, 77, 'bye', 0, 'agreed', '', %s, '{}', '')",
        round_,
        False,
    )
    made = one("select id from play_match where public_id = 'm-inserted'")
    sql(
        "insert into play_seat (round_id, match_id, number, entrant_id, games_won, points)"
        " values (%s, %s, 1, %s, 2, 3)",
        round_,
        made,
        entrant,
    )


def state_of_a_round() -> None:
    sql("update play_round set status = 'published', closed_at = null where number = 2")


def state_of_the_event() -> None:
    sql("update events_event set status = 'finished'")


def pairing_as_if_by_hand() -> None:
    """Two players swap seats, and the round is marked as changed by hand."""
    pairing()
    sql("update play_round set algorithm = 'swiss-2+hand' where number = 2")


TAMPERED: list[tuple[Callable[[], None], set[str]]] = [
    (result_row, {"result_unrecorded"}),
    (result_score, {"result_unrecorded"}),
    (kind_of_result, {"result_unrecorded"}),
    (points_of_a_seat, {"points_differ"}),
    (seed, {"seed_foreign", "round_unrecorded"}),
    (pairing, {"seating_unrecorded", "pairing_differs"}),
    (standings_row, {"standings_differ", "table_changed"}),
    (older_standings, {"table_changed"}),
    (verdict, {"verdict_differs"}),
    (report_of_an_audit, {"report_changed"}),
    (evidence_of_a_game, {"game_unrecorded"}),
    (log, {"log_changed"}),
    (ledger_entry, {"ledger_changed"}),
    (deleted_report, {"record_missing"}),
    (report_of_somebody_else, {"report_unrecorded", "record_missing"}),
    (cut_ledger, {"ledger_cut"}),
    (inserted_match, {"seating_unrecorded"}),
    (state_of_a_round, {"round_unrecorded"}),
    (state_of_the_event, {"event_unrecorded"}),
    (pairing_as_if_by_hand, {"seating_unrecorded", "hand_unrecorded"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("tamper", "expected"), TAMPERED, ids=[change.__name__ for change, _codes in TAMPERED])
def test_changes_made_with_sql_are_found(event: Event, tamper: Callable[[], None], expected: set[str]) -> None:
    tamper()
    event.refresh_from_db()
    assert expected <= codes(event)


def test_a_fault_names_the_place_the_expected_and_the_found_value(event: Event) -> None:
    match = Match.objects.filter(kind="played", reports__status="confirmed", authority="agreed").first()
    assert match is not None
    sql("update play_match set games_drawn = 1 where id = %s", match.pk)
    fault = next(fault for fault in verify_event(event).faults if fault.code == "result_unrecorded")
    assert (fault.where, fault.detail) == (
        match.public_id,
        "result: expected 2-0-0 played agreed, found 2-0-1 played agreed",
    )


def test_a_forged_verdict_that_matches_its_report_is_found_by_replaying(event: Event) -> None:
    """Even a forger who can adjust the digests of the report and of the ledger is found by replaying the game."""
    kept = one("select report from audits_audit")
    kept = {**(json.loads(kept) if isinstance(kept, str) else kept), "verdict": "contradicted"}
    sql("update audits_audit set verdict = 'contradicted', report = %s", json.dumps(kept))
    assert "audit_differs" not in codes(event)
    assert "audit_differs" in codes(event, replay=True)


def test_standings_that_are_still_being_computed_are_reported_as_not_checked(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    found = verify_event(event)
    assert found.holds and found.checked["standings"] == 0
    assert [(fault.code, fault.where) for fault in found.left] == [("standings_wait", "stage 1")]


def test_manual_changes_to_pairings_and_their_undo_match_the_ledger(cast: Cast) -> None:
    event = a_running_event(cast, players=5)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    first, second = (round_.matches.get(table=table).seats.get(number=1).entrant for table in (1, 2))
    alone = round_.matches.get(table=None).seats.get().entrant
    play.swap_players(round_=round_, first=first, second=second, by=cast.organizer, now=NOW)
    play.give_bye(round_=round_, entrant=first, by=cast.organizer, now=NOW)
    play.seat_together(round_=round_, first=alone, second=second, by=cast.organizer, now=NOW)
    assert verify_event(event).holds
    play.undo_edit(round_=round_, by=cast.organizer, now=NOW)
    assert verify_event(event).holds
    pairing(1)
    assert "seating_unrecorded" in codes(event)


def test_a_tampered_pairing_that_is_not_the_best_fails_its_proof(cast: Cast) -> None:
    event = a_running_event(cast)
    a_stage_played(event, cast.organizer, 1)
    a_published_round(event, cast.organizer)
    assert verify_event(event).checked["certificate"] == 2
    pairing()
    refused = next(fault for fault in verify_event(event).faults if fault.code == "certificate_refused")
    assert refused.detail.startswith("the pairing has ")
    assert refused.detail.endswith(
        " rematches, 0 second byes, a bye at 0 points, 18 squares;"
        " proven is 0 rematches, 0 second byes, a bye at 0 points, 0 squares"
    )


def test_a_repaired_round_is_proven_with_the_results_it_was_repaired_from(cast: Cast) -> None:
    event = a_running_event(cast)
    a_stage_played(event, cast.organizer, 1)
    round_ = a_published_round(event, cast.organizer)
    before = Match.objects.filter(round__number=1, table__isnull=False).first()
    assert before is not None
    play.enter_result(
        match=before, by=cast.organizer, games=[0, 2, 0], now=NOW, reason="Read wrongly", acknowledged=True
    )
    play.repair_round(round_=round_, way=repairs_of(round_)[-1].key, by=cast.organizer, now=NOW)
    found = verify_event(event)
    assert (found.faults, found.checked["certificate"]) == ((), 2)
    assert ("by_hand", "round 2") in [(fault.code, fault.where) for fault in found.left]


def test_brackets_and_multiplayer_tables_have_no_faults(cast: Cast) -> None:
    bracket = a_bracket(cast)
    a_stage_played(bracket, cast.organizer, 1)
    jobs.run_due(NOW)
    assert verify_event(bracket).faults == ()
    tables = a_table_event(cast, named="Guest")
    table = a_published_round(tables, cast.organizer).matches.get()
    play.disqualify(entrant=table.seats.get(number=1).entrant, by=cast.organizer, now=NOW, reason="Marked cards")
    assert verify_event(tables).faults == ()


def test_a_decklist_that_moved_in_a_merge_is_not_a_fault(cast: Cast) -> None:
    event = an_open_event(cast)
    played = an_entrant(event, cast.player)
    typed = play.enter_at_desk(
        event=event, given_name="Player", family_name="1", by=cast.organizer, now=NOW, another=True
    )
    play.merge_entrants(entrant=played, into=typed, by=cast.organizer, now=NOW)
    assert verify_event(event).faults == ()


def printed(*arguments: str, **options: Any) -> tuple[str, int]:
    """Run the command; return what it prints and its exit code."""
    out = StringIO()
    try:
        call_command("verify", *arguments, stdout=out, **options)
    except SystemExit as ended:
        return out.getvalue(), int(ended.code or 0)
    return out.getvalue(), 0


def test_the_command_prints_what_was_checked_and_exits_with_0(event: Event) -> None:
    out, code = printed(event.public_id)
    assert code == 0
    assert "checked up to ledger entry" in out and "Results: 6" in out
    assert "not checked The move logs were compared with their digests; the games were not replayed." in out
    assert out.endswith("no fault was found in what was checked\n")


def test_the_command_prints_each_fault_and_exits_with_1(event: Event) -> None:
    points_of_a_seat()
    out, code = printed("--all")
    assert code == 1
    assert "FAULT A seat does not have the points of its result. [points_differ] m-" in out
    assert "points: expected 0, found 1" in out
    assert json.loads(printed(event.public_id, json=True)[0])[0]["faulty"] > 0


def test_the_command_exits_with_2_if_something_could_not_be_checked(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, code = printed(event.public_id, "e-none")
    assert code == 2 and "e-none: not checked: there is no such event" in out
    with pytest.raises(CommandError) as refused:
        call_command("verify")
    assert refused.value.returncode == 2
    numbers = iter(range(1_000))
    monkeypatch.setattr("tournaments.archive.present._moment", lambda event: (next(numbers), 0))
    out, code = printed(event.public_id)
    assert code == 2 and "event_moves" in out and "no fault" not in out


def test_all_also_verifies_ledgers_that_belong_to_no_event(event: Event) -> None:
    sql("insert into common_ledgerhead (chain, number, hash) values ('l-lost', 3, 'aa')")
    out, code = printed("--all")
    assert code == 1 and "l-lost: FAULT the head says 3, the last entry is 0" in out


def test_a_missing_ledger_head_is_a_fault_and_not_a_crash(event: Event) -> None:
    sql("delete from common_ledgerhead")
    assert "ledger_head" in codes(event)
    assert isinstance(verify_event(event), VerificationReport)
