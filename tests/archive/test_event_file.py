"""Event files: a genuine file passes the verification, and any change to it is found."""

import gzip
import json
from typing import Any

import pytest
from django.apps import apps
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from engine.version import VERSION
from tests.archive.files import Change, Line, codes, file_of, forged, lines_of, rows, verified
from tests.builders import (
    NOW,
    a_bracket,
    a_draft_event,
    a_pool,
    a_published_round,
    a_running_event,
    a_sealed_event,
    a_stage_played,
    a_table_event,
    an_entrant,
    first_game,
    play_out,
    sealed_texts,
    users_of,
)
from tests.cast import Cast
from tests.contracts.project import ROOT
from tests.decks.test_images import with_the_demonstration
from tournaments.accounts.models import Person
from tournaments.accounts.services import erase_person, own_person
from tournaments.archive.lines import Unreadable
from tournaments.archive.sections import SECTIONS
from tournaments.archive.writing import personal_name
from tournaments.audits import disputes
from tournaments.audits.services import submit_log
from tournaments.common import heads, jobs, ledger
from tournaments.decks.images import save_images, saved_images
from tournaments.decks.services import submit_decklist
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.models import Match, Round
from tournaments.swiss import table_solver
from tournaments.swiss.tables import SOLVED

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    """A Swiss event with a played round that has an audited log, a dispute and a ruling, and a draft of the second."""
    event = a_running_event(cast, players=5)
    round_ = a_published_round(event, cast.organizer)
    match = round_.matches.get(table=1)
    one, two = users_of(match)
    document = json.dumps(first_game(match)).encode()
    submit_log(game=match.games.get(number=1), document=document, by=one, now=NOW)
    report = play.report_result(match=match, by=one, games=[2, 0, 0], now=NOW)
    play.contest_result(match=match, report=report, by=two, reason="Player 2 counted otherwise", now=NOW)
    disputes.rule(match=match, by=cast.judge, wanted=disputes.Wanted("keep", "Seen by a judge."), now=NOW)
    play_out(round_, cast.organizer)
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    return event


def test_a_genuine_file_has_no_faults_and_the_report_counts_what_was_checked(event: Event) -> None:
    found = verified(file_of(event))
    assert (found.faults, found.left, found.holds) == ((), (), True)
    assert {name: found.checked[name] for name in ("match", "pairing", "log", "ruling", "standings", "note")} == {
        "match": 6,
        "pairing": 2,
        "log": 1,
        "ruling": 1,
        "standings": 1,
        "note": 3,
    }


def test_exporting_the_same_event_twice_gives_the_same_bytes(event: Event) -> None:
    assert file_of(event) == file_of(event)


def test_the_main_part_contains_no_names_and_no_free_texts(event: Event) -> None:
    main = file_of(event, names=False).decode()
    assert not [name for name in ("Player", "@example.com", "Seen by a judge", "Organizer") if name in main]
    assert file_of(event).startswith(main.encode())
    assert "Seen by a judge" in file_of(event).decode()


def test_a_file_without_names_has_no_faults_and_the_same_digest(event: Event) -> None:
    whole, short = verified(file_of(event)), verified(file_of(event, names=False))
    assert short.holds and not short.with_names and whole.with_names
    assert whole.digest == short.digest


def test_a_gzip_compressed_file_can_be_verified(event: Event) -> None:
    assert verified(gzip.compress(file_of(event))).holds


def test_files_from_before_and_after_erasing_a_person_have_no_faults_and_the_same_digest(
    event: Event, cast: Cast
) -> None:
    old = file_of(event)
    erase_person(person=own_person(cast.player), now=NOW)
    new = file_of(event)
    assert verified(old).digest == verified(new).digest
    assert verified(old).holds and verified(new).holds
    assert b"Player 1" in old and b'"Player 1"' not in new


def test_a_file_with_erased_notes_has_no_faults(event: Event) -> None:
    for entry in ledger.LedgerEntry.objects.filter(note__isnull=False):
        assert ledger.erase_note(entry.chain, entry.number)
    found = verified(file_of(event))
    assert found.holds and not found.checked["note"]


def test_changing_any_byte_of_any_line_is_found(event: Event) -> None:
    whole = file_of(event)
    lines = whole.splitlines(keepends=True)

    @examples(max_examples=40)
    @given(st.data())
    def spoiled(data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(lines) - 1))
        at = data.draw(st.integers(0, len(lines[place]) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[place][at]))
        changed = lines[place][:at] + bytes([byte]) + lines[place][at + 1 :]
        assert not _holds(b"".join([*lines[:place], changed, *lines[place + 1 :]]))

    spoiled()


@pytest.mark.slow
def test_removing_or_moving_a_line_is_found(event: Event) -> None:
    lines = file_of(event).splitlines(keepends=True)
    for place in range(len(lines)):
        assert not _holds(b"".join([*lines[:place], *lines[place + 1 :]])), lines[place][-40:]
    assert not _holds(b"".join([*lines[:3], lines[4], lines[3], *lines[5:]]))


def _holds(data: bytes) -> bool:
    try:
        return verified(data).holds
    except Unreadable:
        return False


def _first(section: str, **changes: Any) -> Change:
    return lambda lines: rows(lines, section)[0].update(changes)


def _played(lines: list[dict[str, Any]]) -> dict[str, Any]:
    return next(row for row in rows(lines, "match") if row["table"] is not None)


def _swap_games(lines: list[dict[str, Any]]) -> None:
    match = _played(lines)["public_id"]
    one, two = (seat for seat in rows(lines, "seat") if seat["match"] == match)
    one["games_won"], two["games_won"] = two["games_won"], one["games_won"]


def _swap_seats(lines: list[dict[str, Any]]) -> None:
    seats = [seat for seat in rows(lines, "seat") if seat["round"] == 2]
    seats[0]["entrant"], seats[-1]["entrant"] = seats[-1]["entrant"], seats[0]["entrant"]


def _another_winner(lines: list[dict[str, Any]]) -> None:
    row = rows(lines, "standings")[0]["rows"]
    row[0]["entrant"], row[-1]["entrant"] = row[-1]["entrant"], row[0]["entrant"]


def _shorter_log(lines: list[dict[str, Any]]) -> None:
    row = rows(lines, "log")[0]
    row["document"] = row["document"].replace("concede", "end_turn").replace('"n": 3', '"n": 4')


def _ledger_without_its_end(lines: list[dict[str, Any]]) -> None:
    del lines[max(place for place, line in enumerate(lines) if line["section"] == "ledger")]


# What is forged, how, and the code of the fault that must be found.
FORGERIES: list[tuple[str, Change, str]] = [
    ("a result", _swap_games, "result_unrecorded"),
    ("a pairing", _swap_seats, "pairing_differs"),
    ("standings", _another_winner, "standings_differ"),
    ("standings left out", lambda lines: lines.remove(_line(lines, "standings")), "standings_missing"),
    ("a seed", _first("round", seed=1), "seed_foreign"),
    ("a round by hand", _first("round", algorithm="swiss-2+hand"), "hand_unrecorded"),
    ("a decklist", _first("decklist", cards={"commander": None, "main": {"DEMO-SAF-001": 3}}), "list_changed"),
    ("a digest", _first("decklist", digest="0" * 64), "list_unrecorded"),
    ("a log", _shorter_log, "log_changed"),
    ("the digest of a log", _first("log", sha256="0" * 64), "log_unrecorded"),
    ("an audit left out", lambda lines: lines.remove(_line(lines, "audit")), "audit_missing"),
    ("a verdict", _first("audit", verdict="overturned"), "audit_differs"),
    ("a report", _first("audit", report={"verdict": "confirmed"}), "report_changed"),
    ("a ruling", _first("ruling", decision="change"), "ruling_unrecorded"),
    ("an actor", _first("ledger", actor="u-99999999zz"), "ledger_changed"),
    ("an instant", _first("ledger", at="2026-03-07T10:00:00.000000+00:00"), "ledger_changed"),
    ("the end of the ledger", _ledger_without_its_end, "ledger_head"),
    ("a note", _first("note", text="Nothing was seen."), "note_changed"),
    ("somebody who is not there", _first("member", entrant="p-99999999zz"), "reference_missing"),
    ("somebody twice", lambda lines: lines.insert(2, _line(lines, "stage")), "listed_twice"),
    ("wishes that are none", _first("round", wishes={"options": {"order": "luck"}}), "cannot_compute"),
    ("wishes of another kind", _first("round", wishes=[1]), "cannot_compute"),
    ("who sees what", _first("event", visibility={"decklists.public.cut": "perhaps"}), "setting_invalid"),
    ("a visibility that is no table", _first("event", visibility=["x"]), "setting_invalid"),
    ("a procedure", _first("event", procedures={"tardiness": {"grace": "long"}}), "setting_invalid"),
    ("a cost that is none", _first("ledger", after={"games": "many"}), "ledger_changed"),
]


def _line(lines: list[dict[str, Any]], section: str) -> dict[str, Any]:
    return next(line for line in lines if line["section"] == section)


def test_forgeries_are_found_even_if_every_line_is_chained_again(event: Event) -> None:
    whole = file_of(event)
    assert codes(forged(whole, lambda lines: None)) == set()
    for name, change, code in FORGERIES:
        assert code in codes(forged(whole, change)), name


# What is wrong, how, and the reason for which the file cannot be read.
UNREADABLE: list[tuple[str, Change, str]] = [
    ("another format", lambda lines: lines[0]["row"].update(format="other"), "not_an_event_file"),
    ("a later version", lambda lines: lines[0]["row"].update(version=6), "unknown_version"),
    ("a section of a later version", lambda lines: lines[1].update(section="weather"), "unknown_section"),
    ("a field too many", lambda lines: lines[1]["row"].update(weather="fine"), "bad_field"),
    (
        "a date in the year 9999",
        lambda lines: lines[1]["row"].update(starts_at="9999-12-31T23:30:00+00:00"),
        "bad_field",
    ),
    ("a date in the year 1", lambda lines: lines[1]["row"].update(created_at="0001-01-01T00:00:00+00:00"), "bad_field"),
    ("a text for a number", lambda lines: lines[1]["row"].update(capacity="many"), "bad_field"),
    ("a negative count", lambda lines: lines[1]["row"].update(capacity=-1), "bad_field"),
    ("no event", lambda lines: lines.pop(1), "not_one_event"),
    ("sections out of order", lambda lines: lines.insert(1, lines.pop(3)), "out_of_order"),
    ("more after the end", lambda lines: lines.append(lines[-1]), "goes_on"),
]


def test_files_with_an_invalid_structure_are_refused_with_the_reason(event: Event) -> None:
    whole = file_of(event)
    for name, change, reason in UNREADABLE:
        with pytest.raises(Unreadable) as caught:
            verified(forged(whole, change))
        assert caught.value.reason == reason, name


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not_an_event_file"),
        (b"hello\n", "not_json"),
        (b"[]\n", "not_a_line"),
        (b'{"section": 1}\n', "not_canonical"),
        (b'{"a":1,"a":1}\n', "not_canonical"),
        (b'{"a":NaN}\n', "not_canonical"),
        (b'{"a":"\\ud800"}\n', "not_canonical"),
        (b"[" * 39 + b"]" * 39 + b"\n", "not_a_line"),
        (b"[" * 500 + b"]" * 500 + b"\n", "too_deep"),
        (b"[" * 200_000 + b"]" * 200_000 + b"\n", "too_deep"),
        (b"[" + b"1," * 1_000_001 + b"1]\n", "too_many_values"),
        (b"9" * 5_000 + b"\n", "not_json"),
        (b'{"section":"head"}', "cut_short"),
        (b"\xff\xfe\n", "not_json"),
        (b'{"a":"\\u0000"}\n', "nul"),
        (b'{"\\u0000":1}\n', "nul"),
        (b"\x1f\x8bnothing", "not_gzip"),
        (gzip.compress(b"")[:-4], "cut_short"),
        (gzip.compress(b"") + b"more", "not_gzip"),
    ],
    ids=range(19),
)
def test_bytes_that_are_not_an_event_file_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        verified(data)
    assert caught.value.reason == reason


def test_a_compressed_file_of_any_length_is_read_to_its_end() -> None:
    for length in (1, 2**20 - 1, 2**20, 2**20 + 1, 3 * 2**20):
        with pytest.raises(Unreadable) as caught:
            verified(gzip.compress(b'"' + b"a" * (length - 3) + b'"\n'))
        assert caught.value.reason in ("not_a_line", "not_json")


@pytest.mark.slow
def test_a_decompression_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = gzip.compress(b" " * (600 * 1024 * 1024), compresslevel=1)
    with pytest.raises(Unreadable) as caught:
        verified(bomb)
    assert caught.value.reason in ("line_too_long", "too_large")


def test_a_truncated_file_is_refused(event: Event) -> None:
    lines = file_of(event).splitlines(keepends=True)
    end = next(place for place, line in enumerate(lines_of(file_of(event))) if line["section"] == "end") + 1
    for kept in (1, 5, end - 1, end + 1, len(lines) - 1):
        with pytest.raises(Unreadable) as caught:
            verified(b"".join(lines[:kept]))
        assert caught.value.reason in ("cut_short", "not_one_event")


# --- structures of stages -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_events_of_every_structure_have_no_faults(cast: Cast) -> None:
    for number, kind in enumerate(("round_robin", "pods", "single_elimination", "double_elimination")):
        event = a_running_event(cast, players=7, kind=kind, named=f"Of {number}")
        a_stage_played(event, cast.organizer, 2)
        a_published_round(event, cast.organizer)
        found = verified(file_of(event))
        assert (kind, found.faults, found.checked["pairing"]) == (kind, (), 3)


def test_the_draft_clock_is_in_the_file(cast: Cast) -> None:
    event = a_draft_event(cast)
    play.start_draft(stage=current_stage(event), by=cast.scorekeeper, now=NOW)
    whole = file_of(event)
    assert verified(whole).faults == ()
    assert [line["row"]["paused_at"] for line in lines_of(whole) if line["section"] == "draft_clock"] == [None]


def test_multiplayer_tables_have_no_faults_and_forgeries_of_them_are_found(cast: Cast) -> None:
    event = a_table_event(cast, players=9)
    round_ = a_published_round(event, cast.organizer)
    for match in round_.matches.all():
        places = [(rank, 10 - rank) for rank in range(1, match.seats.count() + 1)]
        play.enter_result(match=match, by=cast.scorekeeper, games=places, now=NOW)
    play.close_round(round_=round_, by=cast.organizer, now=NOW)
    a_published_round(event, cast.organizer)
    whole = file_of(event)
    assert verified(whole).faults == ()
    assert {"result_unrecorded", "standings_differ"} <= codes(forged(whole, _first("seat", score=99)))
    assert "seating_unrecorded" in codes(forged(whole, _swap_seats))


@pytest.mark.skipif(not table_solver.available(), reason="OR-tools is not installed")
@pytest.mark.slow
def test_tables_found_by_a_solver_are_counted_and_proven_again(cast: Cast) -> None:
    event = a_table_event(cast, players=24)
    while not Round.objects.filter(stage__event=event, algorithm=SOLVED, certified=True).exists():
        round_ = a_published_round(event, cast.organizer)
        for match in round_.matches.all():
            places = [(rank, 10 - rank) for rank in range(1, match.seats.count() + 1)]
            play.enter_result(match=match, by=cast.scorekeeper, games=places, now=NOW)
        play.close_round(round_=round_, by=cast.organizer, now=NOW)
    number = Round.objects.get(stage__event=event, algorithm=SOLVED).number

    def change(cost: int = 0, **values: object) -> Change:
        def changed(lines: list[dict[str, Any]]) -> None:
            row = next(row for row in rows(lines, "round") if row["number"] == number)
            row.update(values)
            row["cost"]["spread"] += cost

        return changed

    def swapped(lines: list[dict[str, Any]]) -> None:
        """The best player and the worst swap tables, and the figures are those of the tables then."""
        seats = [seat for seat in rows(lines, "seat") if seat["round"] == number]
        seats[0]["entrant"], seats[-1]["entrant"] = seats[-1]["entrant"], seats[0]["entrant"]

    whole = file_of(event)
    report = verified(whole)
    assert report.faults == () and "solved" in {fault.code for fault in report.left}
    assert report.checked["certificate"] == Round.objects.filter(stage__event=event, certified=True).count()
    assert "cost_differs" in codes(forged(whole, change(cost=1)))
    assert {"cost_differs", "certificate_refused"} <= codes(forged(whole, swapped))


def test_a_bracket_has_no_faults_after_a_result_of_an_earlier_round_is_corrected(cast: Cast) -> None:
    event = a_bracket(cast, players=8, rounds=2)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    second = a_published_round(event, cast.organizer)
    match = first.matches.filter(seats__entrant__member__person__account=users_of(second.matches.first())[0]).get()
    won = [seat.games_won for seat in match.seats.order_by("number")]
    turned = [2 - (count or 0) for count in won]
    play.enter_result(
        match=match, by=cast.organizer, games=[*turned, 0], reason="Slip misread", acknowledged=True, now=NOW
    )
    assert verified(file_of(event)).faults == ()


def test_a_limited_event_has_no_faults_and_a_forged_pool_is_found(cast: Cast) -> None:
    event = a_sealed_event(cast)
    for number, user in enumerate((cast.player, cast.opponent), 1):
        entrant = an_entrant(event, user, deck=None)
        a_pool(entrant, user, number)
        submit_decklist(entrant=entrant, text=sealed_texts(number)[1], by=user, now=NOW)
    whole = file_of(event)
    assert (verified(whole).faults, verified(whole).checked["pool"]) == ((), 2)
    assert "list_changed" in codes(forged(whole, _first("pool", cards={"ALT": 1})))


# --- changes between the rounds -------------------------------------------------------------------------------------


def test_correcting_a_result_after_the_next_pairing_does_not_make_that_pairing_a_fault(cast: Cast) -> None:
    event = a_running_event(cast, players=8)
    first = a_published_round(event, cast.organizer)
    play_out(first, cast.organizer)
    a_published_round(event, cast.organizer)
    for match in first.matches.all():
        play.enter_result(match=match, by=cast.organizer, games=[0, 2, 0], reason="Slips turned", now=NOW)
    assert verified(file_of(event)).faults == ()


def test_drops_late_entries_discarded_drafts_and_manual_changes_are_not_faults(cast: Cast) -> None:
    event = a_running_event(cast, players=8, rounds=4)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.drop(entrant=event.entrants.order_by("pk")[3], by=cast.organizer, now=NOW)
    play.discard_draft(
        round_=play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW), by=cast.organizer, now=NOW
    )
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.enter_late(event=event, given_name="Player 9", family_name="", by=cast.organizer, now=NOW)
    draft = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    one, two = (match.seats.get(number=1).entrant for match in draft.matches.filter(table__lte=2))
    play.swap_players(round_=draft, first=one, second=two, by=cast.organizer, now=NOW)
    found = verified(file_of(event))
    assert found.faults == ()
    assert [(left.code, left.where) for left in found.left] == [("by_hand", "round 3")]


def test_an_event_before_its_first_round_has_no_faults(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    assert verified(file_of(event)).holds


def test_a_file_of_version_3_is_read_without_the_settings_of_registration(event: Event) -> None:
    def older(lines: list[Line]) -> None:
        lines[0]["row"]["version"] = 3
        for line in lines:
            if line["section"] == "event":
                for name in ("listing", "approval", "consent_under"):
                    del line["row"][name]

    assert verified(forged(file_of(event), older)).holds


# --- completeness of the format -------------------------------------------------------------------------------------

# The models that are in no event file, with the reason. A new model must get a section or be listed here.
ELSEWHERE = {
    "Qualified": "of two events; the ledger of each has it",
    "StandingsTable": "computed again from the results",
    "ReplayPage": "computed again from the log",
    "Ban": "of an account, of no event",
    "Guest": "an account of this installation that may see a private event",
    "Application": "somebody who is not in the event",
    "Invitation": "a link that opens a role, of this installation alone",
    "BulkAudit": "asked of the logs again",
    "BulkLine": "computed again from the log",
    "PriceTier": "what an event costs, of no use once it is over",
    "PriceCode": "worth money at this installation alone",
    "Payment": "money of this installation's account; whether an entry is settled is in the file",
    "Notice": "what a provider reported about a payment",
    "Refund": "of a payment",
    "Paper": "drawn again when it is asked for",
    "SavedFormat": "an organizer's own, of no event",
    "EntryImport": "a list of names to look at before they are entered",
    "EntryInvitation": "an e-mail address, deleted once it is answered",
    "ListBatch": "lists on their way; those that were submitted are in the file",
    "Catalogue": "of an account or an installation; the event's own is in the file",
    "CardImages": "in the personal part as `card_images`",
    "CatalogueUpload": "a list of cards to look at before it is kept",
}


def test_every_model_of_an_event_is_in_the_file_or_listed_as_left_out() -> None:
    labels = ("events", "decks", "play", "judging", "standings", "audits", "announcements", "paper", "payments")
    models = {model.__name__ for label in labels for model in apps.get_app_config(label).get_models()}
    held = {section.model.__name__ for section in SECTIONS}
    assert models - held == set(ELSEWHERE)


def test_every_section_is_documented() -> None:
    table = (ROOT / "docs" / "event-file.md").read_text()
    names = {
        name for section in SECTIONS for name in (section.name, *([personal_name(section)] * bool(section.personal)))
    }
    assert [name for name in sorted(names) if f"`{name}`" not in table] == []


def test_the_keys_of_every_section_are_unique(event: Event) -> None:
    for section in SECTIONS:
        if section.key:
            keys = [json.dumps([row[name] for name in section.key]) for row in section.rows_of(event)]
            assert len(keys) == len(set(keys)), section.name


def test_the_personal_part_has_every_person_of_the_event(event: Event) -> None:
    persons = rows(lines_of(file_of(event)), "person")
    assert len(persons) == Person.objects.filter(entrants__event=event).count()
    assert Match.objects.filter(round__stage__event=event).exists()


def _signed_by_another(lines: list[dict[str, Any]]) -> None:
    row = _line(lines, "signed_head")["row"]
    another = heads.Ed25519PrivateKey.from_private_bytes(b"another installation's own key..")
    row["key"] = another.public_key().public_bytes_raw().hex()
    row["signature"] = another.sign(heads._message(row["chain"], row["number"], row["hash"])).hex()


def test_a_signed_head_that_is_not_the_end_of_the_ledger_is_found(event: Event) -> None:
    whole = file_of(event)
    changed = {"number": 3, "hash": "0" * 64, "signature": "0" * 128}
    for name, value in changed.items():
        found = codes(forged(whole, _first("signed_head", **{name: value})))
        assert "signature_wrong" in found, name
    assert "head_differs" in codes(forged(whole, lambda lines: lines.remove(_line(lines, "signed_head"))))
    other = verified(forged(whole, _signed_by_another))
    assert other.holds and "key_elsewhere" in {fault.code for fault in other.left}


def test_a_file_of_version_1_can_still_be_read(event: Event) -> None:
    def older(lines: list[dict[str, Any]]) -> None:
        lines[0]["row"]["version"] = 1
        lines.remove(_line(lines, "signed_head"))

    assert verified(forged(file_of(event), older)).holds


def test_images_of_cards_are_in_the_personal_part_so_that_the_digest_stays(cast: Cast, event: Event) -> None:
    catalogue = with_the_demonstration(cast.organizer)
    before = file_of(event)
    assert rows(lines_of(before), "card_images") == [{"addresses": saved_images(catalogue)}]
    save_images(catalogue, {"DEMO-SAF-001": "https://new.example/1.jpg"})
    after = file_of(event)
    assert rows(lines_of(after), "card_images") == [{"addresses": {"DEMO-SAF-001": "https://new.example/1.jpg"}}]
    assert verified(after).holds and verified(after).digest == verified(before).digest
    assert rows(lines_of(file_of(event, names=False)), "card_images") == []


def test_the_version_that_wrote_a_file_is_in_it_but_not_in_what_its_digest_covers(event: Event) -> None:
    assert rows(lines_of(file_of(event)), "software") == [{"arbitre": VERSION}]
    assert rows(lines_of(file_of(event, names=False)), "software") == []
