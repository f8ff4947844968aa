"""The procedures of an event: reading them with all defects reported, and changing them while that is possible."""

from typing import Any

import pytest

from tests.builders import NOW, an_entrant, an_event, an_open_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.events.presets import PRESETS
from tournaments.events.procedures import Ending, MatchEnd, Procedures, Share, ending, read_procedures
from tournaments.events.services import change_procedures, settle_entry


@pytest.mark.parametrize("preset", PRESETS)
def test_the_procedures_of_a_preset_survive_a_round_trip_through_json(preset: str) -> None:
    procedures = PRESETS[preset].procedures
    assert read_procedures(procedures.to_json()) == procedures


def test_absent_procedures_have_their_default() -> None:
    assert read_procedures({}) == Procedures()
    assert read_procedures({"tardiness": {"grace": 2}}).tardiness.match_loss == Procedures().tardiness.match_loss


@pytest.mark.parametrize(
    ("raw", "path", "code"),
    [
        ([], "", "wrong_type"),
        ({"x": {}}, "x", "unknown_key"),
        ({"meeting": 3}, "meeting", "wrong_type"),
        ({"meeting": {"held": 1}}, "meeting.held", "wrong_type"),
        ({"meeting": {"hold": True}}, "meeting.hold", "unknown_key"),
        ({"tardiness": {"grace": 9}}, "tardiness", "out_of_order"),
        ({"tardiness": {"grace": True}}, "tardiness.grace", "wrong_type"),
        ({"late_entry": {"last_round": 99}}, "late_entry.last_round", "out_of_bounds"),
        ({"match_end": {"unit": "hour"}}, "match_end.unit", "not_a_choice"),
        ({"entry": {"currency": "Euro"}}, "entry.currency", "not_a_choice"),
        ({"limited": {"boosters": 2, "passing": "LX"}}, "limited.passing", "not_a_choice"),
        ({"limited": {"boosters": 2, "passing": "LRL"}}, "limited", "out_of_bounds"),
        ({"prizes": {"shares": 1}}, "prizes.shares", "wrong_type"),
        ({"prizes": {"shares": [{}] * 65}}, "prizes.shares", "too_many"),
        ({"prizes": {"shares": [{"first": 1}]}}, "prizes.shares[0]", "out_of_bounds"),
        ({"prizes": {"shares": [{"first": 2, "last": 1, "units": 1}]}}, "prizes.shares[0]", "out_of_order"),
    ],
)
def test_a_defect_is_reported_with_its_path(raw: Any, path: str, code: str) -> None:
    with assert_refused("procedures_invalid") as caught:
        read_procedures(raw)
    assert caught.value.details == [{"path": path, "code": code}]


def test_all_defects_are_reported_at_once() -> None:
    with assert_refused("procedures_invalid") as caught:
        read_procedures({"meeting": 1, "entry": {"kind": "barter", "cents": -1}})
    assert [fault["path"] for fault in caught.value.details] == ["meeting", "entry.kind", "entry.cents"]


def test_shares_that_overlap_are_refused() -> None:
    first, second = {"first": 1, "last": 4, "units": 3}, {"first": 4, "last": 8, "units": 1}
    assert read_procedures({"prizes": {"shares": [first]}}).prizes.shares == (Share(1, 4, 3),)
    with assert_refused("procedures_invalid"):
        read_procedures({"prizes": {"shares": [first, second]}})


@pytest.mark.django_db
def test_what_is_not_named_stays_in_its_section_and_in_the_others(cast: Cast) -> None:
    event = an_event(cast)
    before = event.procedures
    fee = {"kind": "paid", "cents": 1000}
    change_procedures(event=event, procedures={"entry": fee}, by=cast.organizer, now=NOW)
    change_procedures(event=event, procedures={"entry": {"hours": 2}}, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.procedures == {**before, "entry": {**before["entry"], **fee, "hours": 2}}


@pytest.mark.django_db
@pytest.mark.parametrize("raw", [[], "x", None, {"x": {}}, {"meeting": 3}, {"meeting": {"hold": True}}])
def test_a_change_that_cannot_be_read_is_refused_and_changes_nothing(cast: Cast, raw: Any) -> None:
    event = an_event(cast)
    for whole in (False, True):
        with assert_refused("procedures_invalid"):
            change_procedures(event=event, procedures=raw, by=cast.organizer, now=NOW, whole=whole)
    assert Event.objects.get().procedures == event.procedures


def test_whole_procedures_need_every_section_and_every_field() -> None:
    whole = Procedures().to_json()
    assert read_procedures(whole, whole=True) == Procedures()
    del whole["limited"], whole["entry"]["hours"]
    with assert_refused("procedures_invalid") as caught:
        read_procedures({**whole, "meeting": 1}, whole=True)
    assert caught.value.details == [
        {"path": "limited", "code": "required"},
        {"path": "entry.hours", "code": "required"},
        {"path": "meeting", "code": "wrong_type"},
    ]


@pytest.mark.django_db
def test_changed_procedures_are_saved_and_recorded_once(cast: Cast) -> None:
    event = an_event(cast)
    wanted = {**event.procedures, "meeting": {"held": True}}
    for _twice in range(2):
        change_procedures(event=event, procedures=wanted, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.procedures == wanted
    entry = LedgerEntry.objects.get(chain=event.public_id, code="event.procedures_changed")
    assert (entry.before, entry.after) == ({"meeting": {"held": False}}, {"meeting": {"held": True}})


SECTIONS = {
    "meeting": {"held": True},
    "tardiness": {"grace": 1, "game_loss": 2, "match_loss": 3},
    "late_entry": {"allowed": True, "last_round": 2},
    "match_end": {"unit": "turn", "count": 2},
    "prizes": {"units": 7},
    "entry": {"kind": "voucher"},
    "limited": {"boosters": 3},
}
PLAYED = set(SECTIONS) - {"limited"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "open_"),
    [
        ("draft", set(SECTIONS)),
        ("registration", set(SECTIONS)),
        ("locked", set(SECTIONS)),
        ("check_in", set(SECTIONS)),
        ("running", PLAYED),
        ("finished", {"prizes", "entry"}),
        ("archived", set()),
        ("cancelled", set()),
    ],
)
def test_each_section_can_be_changed_only_in_its_states(cast: Cast, status: str, open_: set[str]) -> None:
    event = an_open_event(cast)
    Event.objects.update(status=status)
    event.refresh_from_db()
    changed = set()
    for name, value in SECTIONS.items():
        kept = Event.objects.get().procedures
        try:
            change_procedures(event=event, procedures={**kept, name: value}, by=cast.organizer, now=NOW)
            changed.add(name)
        except Refusal as refusal:
            assert (refusal.code, refusal.details) == ("event_state", [name])
            assert Event.objects.get().procedures == kept
    assert changed == open_


def test_the_end_of_a_match_follows_its_rule() -> None:
    rule = MatchEnd(unit="turn", count=5, last="active", unfinished="leader")
    assert ending(rule, bracket=False) == Ending("turn", 5, "active", "leader")
    assert ending(MatchEnd(unit="none", count=5), bracket=False).count == 0


def test_no_match_of_a_bracket_ends_in_a_draw() -> None:
    rule = MatchEnd(unfinished="draw", bracket="next_point")
    assert (ending(rule, bracket=False).winner, ending(rule, bracket=True).winner) == ("draw", "next_point")
    assert ending(MatchEnd(unfinished="judge"), bracket=True).winner == "judge"


@pytest.fixture
def charging(cast: Cast) -> Event:
    """An open event with an entry fee."""
    event = an_event(cast)
    change_procedures(event=event, procedures={"entry": {"kind": "paid"}}, by=cast.organizer, now=NOW)
    Event.objects.update(status="registration")
    event.refresh_from_db()
    return event


@pytest.mark.django_db
def test_the_desk_can_record_how_an_entry_fee_is_settled(charging: Event, cast: Cast) -> None:
    entrant = an_entrant(charging, cast.player, deck=None)
    for how in ("paid", "paid", "", "voucher"):
        settle_entry(entrant=entrant, how=how, by=cast.scorekeeper, now=NOW)
    entrant.refresh_from_db()
    entries = LedgerEntry.objects.filter(code="entrant.settled").order_by("number")
    assert entrant.settled == "voucher"
    assert [(entry.before["how"], entry.after["how"]) for entry in entries] == [
        ("", "paid"),
        ("paid", ""),
        ("", "voucher"),
    ]


@pytest.mark.django_db
def test_settling_a_free_entry_or_in_an_unknown_way_is_refused(charging: Event, cast: Cast) -> None:
    with assert_refused("entry_unknown"):
        settle_entry(entrant=an_entrant(charging, cast.player, deck=None), how="barter", by=cast.organizer, now=NOW)
    with assert_refused("entry_free"):
        free = an_entrant(an_open_event(cast), cast.player, deck=None)
        settle_entry(entrant=free, how="paid", by=cast.organizer, now=NOW)
