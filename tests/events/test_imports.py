"""Importing entrants from a file: parsing, preview, and confirmation, which enters everybody exactly once."""

from collections.abc import Sequence

import pytest
from django.urls import reverse

from tests.builders import NOW, a_published_round, an_event, an_open_event
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import signed_in, text
from tournaments.common import jobs, ledger
from tournaments.common.models import LedgerEntry
from tournaments.decks.services import lock_decks
from tournaments.events import imports
from tournaments.events import services as events
from tournaments.events.entry_files import MAX_BYTES, MAX_LINES, EntryFile, read_file
from tournaments.events.models import Entrant, EntryImport, Event
from tournaments.events.services import add_entrant
from tournaments.play import services as play

SHEET = "Prénom;Nom;Club\r\nZoé;Lune;Corbeaux\r\nPlayer;12;\r\n"


def names(file: EntryFile) -> list[tuple[str, str]]:
    return [(line.given_name, line.family_name) for line in file.lines]


def faults(lines: Sequence[object]) -> list[tuple[int, tuple[str, ...]]]:
    return [(line.number, line.faults) for line in lines if line.faults]


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (SHEET.encode(), "utf-8"),
        (SHEET.encode("utf-8-sig"), "utf-8"),
        (SHEET.encode("utf-16"), "utf-16"),
        (SHEET.encode("cp1252"), "windows-1252"),
    ],
)
def test_a_file_is_read_the_same_in_every_encoding(data: bytes, encoding: str) -> None:
    file = read_file(data, {})
    assert names(file) == [("Zoé", "Lune"), ("Player", "12")]
    assert file.reading.to_json() == {
        "encoding": encoding,
        "delimiter": "semicolon",
        "header": True,
        "columns": ["given_name", "family_name", "club"],
    }


@pytest.mark.parametrize(("delimiter", "mark"), [("comma", ","), ("semicolon", ";"), ("tab", "\t"), ("bar", "|")])
def test_the_delimiter_is_detected(delimiter: str, mark: str) -> None:
    file = read_file(f"Zoé{mark}1\nZoé{mark}2\n".encode(), {})
    assert (file.reading.delimiter, file.reading.header) == (delimiter, False)
    assert names(file) == [("Zoé", ""), ("Zoé", "")]


def test_a_file_with_one_column_is_read_as_full_names() -> None:
    assert names(read_file(b"Player 1\nPlayer 2", {})) == [("Player 1", ""), ("Player 2", "")]


def test_the_delimiter_header_and_columns_can_be_chosen() -> None:
    data = b"Name\nPlayer 1;7\n"
    chosen = {"delimiter": "semicolon", "header": False, "columns": ["name", "table"]}
    file = read_file(data, chosen)
    assert [(line.given_name, line.table) for line in file.lines] == [("Name", None), ("Player 1", 7)]


def test_every_unusable_line_is_reported_with_its_number_and_reasons() -> None:
    long = "x" * 81
    data = f'name;table\nPlayer 1;1\n\n;2\n"Player 3;3\n{long};x\nPlayer 5;1\nPlay\x07er;0\nPlayer 7;7\n'
    assert faults(read_file(data.encode(), {}).lines) == [
        (4, ("name_missing",)),
        (5, ("quotes_open",)),
        (6, ("name_too_long", "table_wrong")),
        (7, ("table_taken",)),
        (8, ("control_character", "table_wrong")),
    ]


PRETIX = (
    "Order code,Email,Attendee name,Attendee name: Given name,Attendee name: Family name,Product\n"
    "A1B2C,one@example.org,Player Twelve,Player,Twelve,Entry\n"
)
PRETIX_CHECK_IN = "Order code,Attendee name,Product,Price,Checked in\nA1B2C,Player Twelve,Entry,5.00,No\n"
HELLOASSO = (
    "Référence commande;Date de la commande;Statut de la commande;Nom participant;Prénom participant;Nom payeur;"
    "Prénom payeur;Email payeur;Billet\n123;01/03/2026;Validé;Twelve;Player;Thirteen;Player;two@example.org;Entrée\n"
)
STARTGG = "Id,Email,Short GamerTag,First Name,Last Name\n1,one@example.org,p12,Player,Twelve\n"


@pytest.mark.parametrize("file", [PRETIX, PRETIX_CHECK_IN, HELLOASSO, STARTGG])
def test_the_headers_of_ticket_shops_and_other_tools_name_columns_and_are_no_players(file: str) -> None:
    parsed = read_file(file.encode(), {})
    assert parsed.reading.header
    (line,) = parsed.lines
    assert (line.given_name, line.family_name, line.faults) == ("Player", "Twelve", ())


@pytest.mark.parametrize("text", ['{"players": [{"name": "Player 12"}]}', ' [\n "Player 12"\n]', "[]\nPlayer 12"])
def test_json_is_refused_and_never_one_odd_player(text: str) -> None:
    for data in (text.encode(), text.encode("utf-16")):
        with assert_refused("file_is_json"):
            read_file(data, {})


def test_a_name_may_begin_with_a_bracket() -> None:
    assert read_file(b"[TAG] Player 12\n{x} Player 13\n", {"header": False, "columns": ["name"]}).lines[0].faults == ()


def test_a_quoted_cell_can_contain_a_line_break() -> None:
    file = read_file(b'name,club\n"Player\n1",Ours\nPlayer 2,\n', {})
    assert [(line.number, line.given_name) for line in file.lines] == [(2, "Player 1"), (4, "Player 2")]


@pytest.mark.parametrize(
    ("data", "chosen", "code"),
    [
        (b"", {}, "file_empty"),
        (b"\n;;\n", {}, "file_empty"),
        (b'"Player 1', {}, "file_empty"),
        (b"x" * 200_000, {}, "file_empty"),
        (b"x" * (MAX_BYTES + 1), {}, "file_too_large"),
        (b"a\n" * (MAX_LINES + 1), {}, "too_many_lines"),
        (b"a," * 50, {}, "columns_wrong"),
        (b"a,b", {"columns": ["name", "name"]}, "columns_wrong"),
        (b"a,b", {"columns": ["club", ""]}, "columns_wrong"),
        (b"\xe9", {"encoding": "utf-8"}, "encoding_wrong"),
        (b"\x81\xff", {}, "encoding_wrong"),
    ],
)
def test_an_unreadable_file_is_refused(data: bytes, chosen: dict[str, object], code: str) -> None:
    with assert_refused(code):
        read_file(data, chosen)


def upload(event: Event, cast: Cast, data: bytes, **chosen: object) -> EntryImport:
    return imports.open_import(event=event, document=data, by=cast.scorekeeper, now=NOW, chosen=chosen)


def imported(event: Event) -> list[str]:
    return [entrant.name for entrant in event.entrants.prefetch_related("member_set__person").order_by("pk")]


def test_entrants_are_entered_once_and_only_on_confirmation(cast: Cast) -> None:
    event = an_open_event(cast, capacity=2)
    entry_import = upload(event, cast, b"Player 1\nPlayer 2\nPlayer 3\nplayer 1\n")
    assert imported(event) == []
    preview = imports.preview_of(entry_import)
    assert (len(preview.entering), preview.waiting, faults(preview.refused)) == (3, 1, [(4, ("name_twice",))])
    for _twice in range(2):
        imports.confirm_import(entry_import=entry_import, by=cast.scorekeeper, now=NOW)
    assert imported(event) == ["Player 1", "Player 2", "Player 3"]
    assert list(event.entrants.order_by("pk").values_list("status", flat=True)) == ["registered"] * 2 + ["waiting"]
    (entry,) = LedgerEntry.objects.filter(chain=event.public_id, code="entrant.imported")
    assert entry.after["entrants"] == list(event.entrants.order_by("pk").values_list("public_id", flat=True))
    assert "Player" not in str(entry.after) and not list(ledger.faults(event.public_id))
    entry_import.refresh_from_db()
    assert (bytes(entry_import.document), entry_import.report) == (
        b"",
        {"entered": 3, "waiting": 1, "refused": [{"line": 4, "faults": ["name_twice"]}]},
    )


def test_names_already_in_the_event_are_refused_unless_allowed(cast: Cast) -> None:
    event = an_open_event(cast)
    add_entrant(event=event, given_name="Zoé", family_name="Lune", by=cast.scorekeeper, now=NOW)
    entry_import = upload(event, cast, SHEET.encode())
    assert faults(imports.preview_of(entry_import).refused) == [(2, ("name_twice",))]
    imports.read_again(entry_import=entry_import, chosen={"twice": True})
    assert imports.preview_of(entry_import).refused == ()


def test_changing_the_delimiter_guesses_the_columns_again(cast: Cast) -> None:
    entry_import = upload(an_open_event(cast), cast, SHEET.encode())
    imports.read_again(entry_import=entry_import, chosen={**entry_import.reading, "delimiter": "comma"})
    assert len(entry_import.reading["columns"]) == 1


def test_a_fixed_table_cannot_be_assigned_twice(cast: Cast) -> None:
    event = an_open_event(cast)
    first = upload(event, cast, b"name,table\nPlayer 1,4\n")
    imports.confirm_import(entry_import=first, by=cast.scorekeeper, now=NOW)
    second = upload(event, cast, b"name,table\nPlayer 2,4\nPlayer 3,5\n")
    assert faults(imports.preview_of(second).refused) == [(2, ("table_taken",))]


def test_a_file_can_be_imported_until_round_1_is_paired(cast: Cast) -> None:
    event = an_event(cast)
    steps = (events.open_registration, lock_decks, events.open_check_in, play.start_event)
    for number, step in enumerate((None, *steps)):
        if step is not None:
            options = {"drop_absent": False, "keep_listless": True} if step is play.start_event else {}
            Entrant.objects.update(checked_in_at=NOW)
            step(event=event, by=cast.organizer, now=NOW, **options)
        sent = upload(event, cast, f"Ada {number}\nBea {number}".encode())
        imports.confirm_import(entry_import=sent, by=cast.scorekeeper, now=NOW)
    assert event.entrants.filter(status="registered").count() == 10
    assert set(event.entrants.filter(list_reopenings__late=True)) == set(event.entrants.all())
    sent = upload(event, cast, b"Cleo 1")
    a_published_round(event, cast.organizer)
    for refused in (
        lambda: imports.confirm_import(entry_import=sent, by=cast.scorekeeper, now=NOW),
        lambda: upload(event, cast, b"Cleo 1"),
    ):
        with assert_refused("registration_closed"):
            refused()


def test_a_long_file_is_imported_by_a_job_and_refused_after_the_event_is_over(cast: Cast) -> None:
    event = an_open_event(cast)
    lines = "".join(f"Player {number}\n" for number in range(imports.AT_ONCE + 1)).encode()
    stopped, entry_import = upload(event, cast, lines), upload(event, cast, lines)
    for each in (stopped, entry_import):
        assert imports.confirm_import(entry_import=each, by=cast.scorekeeper, now=NOW).status == "confirmed"
    jobs.run(jobs.state_of("events.import", str(entry_import.pk)).id, now=NOW)
    entry_import.refresh_from_db()
    assert (entry_import.status, entry_import.report["entered"]) == ("done", 301)
    events.cancel_event(event=event, by=cast.organizer, now=NOW)
    jobs.run(jobs.state_of("events.import", str(stopped.pk)).id, now=NOW)
    stopped.refresh_from_db()
    assert (stopped.status, imports.state_of(stopped).error) == ("open", "registration_closed")
    assert event.entrants.count() == 301


def test_deleting_an_import_keeps_its_entrants(cast: Cast) -> None:
    event = an_open_event(cast)
    entry_import = upload(event, cast, b"Player 1")
    imports.confirm_import(entry_import=entry_import, by=cast.scorekeeper, now=NOW)
    with assert_refused("import_confirmed"):
        imports.discard_import(entry_import=entry_import)
    imports.forget_import(import_id=entry_import.pk)
    assert (imported(event), EntryImport.objects.count()) == (["Player 1"], 0)


def test_the_desk_can_upload_preview_change_and_confirm_an_import_without_javascript(
    cast: Cast, tmp_path: object
) -> None:
    event = an_open_event(cast)
    client = signed_in(cast.scorekeeper)
    (sheet := tmp_path / "sheet.csv").write_bytes(SHEET.encode("cp1252"))
    with sheet.open("rb") as document:
        answer = client.post(reverse("web:staff_import_new", args=[event.public_id]), {"document": document})
    page = answer["Location"]
    shown = text(client.get(page))
    assert "Zoé" in shown and "windows-1252" in shown and "Add 2 entrants" in shown
    form = {"encoding": "windows-1252", "delimiter": "semicolon", "header": "on"}
    again = client.post(page, form | {"column_0": "given_name", "column_1": "", "column_2": "club"})
    assert again.status_code == 302
    wrong = client.post(page, form | {"column_0": "", "column_1": "", "column_2": "club"})
    assert wrong.status_code == 422 and "Choose exactly one column" in text(wrong)
    done = client.post(f"{page}confirm/", follow=True)
    assert "2 entrants added." in text(done)
    assert imported(event) == ["Zoé", "Player"]
    assert signed_in(cast.judge).get(page).status_code == 403
    assert signed_in(cast.stranger).get(page).status_code == 404
