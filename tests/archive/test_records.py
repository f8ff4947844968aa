"""Records of judging in an event file: each is compared with the ledger field by field, and any change is found."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from tests.archive.files import codes, file_of, forged, lines_of, rows, verified
from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tournaments.accounts.models import User
from tournaments.archive.sections import BY_NAME
from tournaments.audits import disputes
from tournaments.audits.disputes import Wanted
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.judging.checks import check_table, draw_checks, finish_check, listed_cards
from tournaments.judging.penalties import give_penalty, withdraw_penalty
from tournaments.judging.services import call_judge, claim_call, escalate_call, resolve_call
from tournaments.play import services as play

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=7)
FOUND = {
    "call": "call_unrecorded",
    "deck_check": "check_unrecorded",
    "penalty": "penalty_unrecorded",
    "loss": "loss_unrecorded",
    "dispute": "dispute_unrecorded",
    "ruling": "ruling_unrecorded",
}


@pytest.fixture
def event(cast: Cast) -> Event:
    """A round with calls, random and chosen deck checks, penalties given, served and withdrawn, an appealed ruling."""
    event = a_running_event(cast, players=4, best_of=3)
    StaffRole.objects.create(event=event, user=cast.scorekeeper, role="judge")
    first = a_published_round(event, cast.organizer)
    match = match_of(first, cast.player)
    other = first.matches.filter(table__isnull=False).exclude(pk=match.pk).get()
    _calls(match, cast)
    for check in (*draw_checks(round_=first, tables=1, by=cast.judge, now=NOW), *_checked(first, cast)):
        cards = list(listed_cards(check.decklist))
        finish_check(check=check, counted={cards[0]: 9}, by=cast.judge, now=LATER, minutes=3)
    _penalties(event, match, cast)
    one, two = users_of(other)
    report = play.report_result(match=other, by=one, games=[2, 0, 0], now=NOW)
    play.contest_result(match=other, report=report, by=two, reason="Counted otherwise", now=NOW)
    disputes.rule(match=other, by=cast.scorekeeper, wanted=Wanted("keep", "Seen."), now=LATER)
    disputes.appeal(match=other, by=two, reason="Not seen", now=LATER)
    own = match.seats.get(entrant__member__person__account=cast.player).number
    play.enter_result(match=match, by=cast.organizer, games=[0, 2, 0] if own == 1 else [2, 0, 0], now=NOW)
    play.close_round(round_=first, by=cast.organizer, now=NOW)
    a_published_round(event, cast.organizer)
    return event


def _calls(match: Any, cast: Cast) -> None:
    call = call_judge(match=match, by=cast.player, matter="rules", now=NOW)
    claim_call(call=call, by=cast.scorekeeper, now=NOW)
    escalate_call(call=call, by=cast.scorekeeper, now=NOW)
    claim_call(call=call, by=cast.judge, now=LATER)
    resolve_call(call=call, by=cast.judge, now=LATER)


def _checked(round_: Any, cast: Cast) -> list[Any]:
    chosen = round_.matches.filter(deck_checks=None, table__isnull=False).first()
    return check_table(match=chosen, by=cast.judge, now=NOW)


def _penalties(event: Event, match: Any, cast: Cast) -> None:
    player = Entrant.objects.select_related("event").get(event=event, member__person__account=cast.player)
    for level, when in (("warning", "now"), ("game_loss", "next_game"), ("match_loss", "next_round")):
        given = {"entrant": player, "infraction": "insult", "level": level, "when": when, "match": match}
        give_penalty(by=cast.judge, now=NOW, note="said so", **given)
    taken = give_penalty(entrant=player, infraction="misplay", level="game_loss", by=cast.judge, now=NOW, note="seen")
    withdraw_penalty(penalty=taken, by=cast.judge, now=LATER)


def _another(value: Any) -> Any:
    """Return another value of the same type, as a forger would write it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return "2026-03-07T01:00:00.000000+00:00" if value.startswith("20") else "other"
    if isinstance(value, dict):
        return {**value, "another": 1}
    return [*value, 1] if isinstance(value, list) else 1


@pytest.mark.slow
def test_changing_any_field_of_any_record_is_found(event: Event) -> None:
    whole = file_of(event)
    assert verified(whole).faults == ()
    free = {("deck_check", "seed")}  # a check at a chosen table has no seed; with one, it is a check that nobody drew
    for section, code in FOUND.items():
        held = rows(lines_of(whole), section)
        assert held, section
        for place, row in enumerate(held):
            for name in row.keys() - {"public_id"}:
                target = BY_NAME[section].model._meta.get_field(name).related_model
                if target not in (None, User) or row[name] is None:
                    continue
                changed = forged(whole, partial(_change, section=section, place=place, name=name))
                found = {fault.code for fault in verified(changed).faults}
                assert code in found or (section, name) in free, (section, place, name, found)


def _change(lines: list[dict[str, Any]], section: str, place: int, name: str) -> None:
    row = rows(lines, section)[place]
    row[name] = _another(row[name])


def _give(lines: list[dict[str, Any]], section: str, place: int, entrant: str) -> None:
    rows(lines, section)[place]["entrant"] = entrant


def test_moving_a_record_to_another_entrant_is_found(event: Event) -> None:
    whole = file_of(event)
    people = [row["public_id"] for row in rows(lines_of(whole), "entrant")]
    for section in ("penalty", "loss", "deck_check"):
        for place, row in enumerate(rows(lines_of(whole), section)):
            other = next(each for each in people if each != row["entrant"])
            changed = forged(whole, partial(_give, section=section, place=place, entrant=other))
            assert FOUND[section] in codes(changed), (section, place)


def test_a_removed_record_is_found_by_comparing_with_the_ledger(event: Event) -> None:
    whole = file_of(event)
    for section in FOUND:
        for place in range(len(rows(lines_of(whole), section))):
            changed = forged(whole, partial(_take_out, section=section, place=place))
            assert {"record_missing", "penalty_unrecorded"} & codes(changed), (section, place)


def _take_out(lines: list[dict[str, Any]], section: str, place: int) -> None:
    """Remove a row and every reference to it; otherwise the missing reference alone would reveal it."""
    row = [line for line in lines if line["section"] == section][place]
    lines.remove(row)
    gone = row["row"].get("public_id")
    for penalty in rows(lines, "penalty"):
        penalty["loss"] = None if gone and penalty["loss"] == gone else penalty["loss"]
    if section == "dispute":
        lines[:] = [line for line in lines if line["section"] != "ruling" or line["row"]["dispute"] != gone]


def test_resetting_a_served_loss_to_waiting_is_found(event: Event) -> None:
    def back(lines: list[dict[str, Any]]) -> None:
        served = next(row for row in rows(lines, "loss") if row["carried"])
        served.update(seat=None, game=None, carried=False)

    assert "record_missing" in codes(forged(file_of(event), back))


def test_deck_check_tables_that_the_seed_does_not_draw_are_found(event: Event, cast: Cast) -> None:
    def others(lines: list[dict[str, Any]]) -> None:
        drawn = next(row for row in rows(lines, "ledger") if row["code"] == "check.drawn")["after"]
        drawn["tables"] = [table for table in drawn["from"] if table not in drawn["tables"]]

    assert {"draw_differs", "ledger_changed"} <= codes(forged(file_of(event), others))


def test_malformed_ledger_entries_are_a_fault_and_not_a_crash(event: Event) -> None:
    def broken(lines: list[dict[str, Any]]) -> None:
        for row in rows(lines, "ledger"):
            row["after"] = row["after"] if row["code"].startswith(("result", "round")) else [1]

    assert "cannot_compute" in codes(forged(file_of(event), broken))


def test_the_records_of_a_file_without_names_have_no_faults(event: Event) -> None:
    assert verified(file_of(event, names=False)).holds
