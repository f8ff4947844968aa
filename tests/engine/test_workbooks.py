"""Reading XLSX workbooks: cells, gaps, shared strings, and files that are broken or too large."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cards import workbooks
from engine.core.cards.card_file import read_card_file
from engine.core.cards.workbooks import csv_of
from engine.core.text.errors import Malformed

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHARED = f"<sst {MAIN}><si><t>Lampe</t></si><si><r><t>Lou</t></r><r><t>p</t></r><rPh><t>x</t></rPh></si></sst>"
SHEET = f"""<worksheet {MAIN}><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>Nom</t></is></c><c r="B1" t="str"><v>Type</v></c>
<c r="D1" t="str"><v>main</v></c></row>
<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="str"><v>Sort</v></c><c r="C3"/><c r="D3"><v>3</v></c></row>
<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" t="str"><v>Dragon</v></c></row>
</sheetData></worksheet>"""


def workbook(sheet: str = SHEET, shared: str = SHARED, name: str = "xl/worksheets/sheet1.xml") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, sheet)
        archive.writestr("xl/sharedStrings.xml", shared)
    return out.getvalue()


def test_cells_stand_in_their_columns_and_lines() -> None:
    assert csv_of(workbook()).splitlines() == ["Nom,Type,,main", "", "Lampe,Sort,,3", "Loup,Dragon"]


def test_a_workbook_of_cards_is_read_as_a_spreadsheet_with_its_line_numbers() -> None:
    found = read_card_file(workbook(), "test", "altered")
    assert found.kind == "spreadsheet" and found.listed.catalog is not None
    assert found.listed.catalog["LAMPE"].figures == {"main": 3}
    assert [(fault.line, fault.error.code) for fault in found.listed.left_out] == [(4, "unknown_kind")]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (workbook()[:200], "workbook"),
        (workbook(name="content.xml"), "workbook"),
        (workbook(sheet="<worksheet"), "workbook"),
        (workbook(sheet=SHEET.replace("<v>1</v>", "<v>7</v>")), "workbook"),
        (workbook(sheet=SHEET.replace('r="A4"', 'r="?"')), "workbook"),
        (workbook(sheet=SHEET.replace('r="A4"', 'r="A999999"')), "too_many_cards"),
        (workbook(sheet=SHEET.replace('r="A4"', 'r="ZZZ4"')), "too_many_cards"),
        (workbook(sheet='<!DOCTYPE x [<!ENTITY a "b">]>' + SHEET), "doctype_refused"),
    ],
)
def test_a_broken_or_excessive_workbook_is_refused_with_a_code(content: bytes, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        csv_of(content)
    assert caught.value.code == code


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_UNPACKED", 100)
    with pytest.raises(Malformed) as caught:
        csv_of(workbook())
    assert caught.value.code == "too_large"


@settings(max_examples=400)
@given(at=st.integers(0, len(workbook()) - 1), byte=st.integers(0, 255))
def test_no_changed_byte_crashes_the_reader(at: int, byte: int) -> None:
    whole = bytearray(workbook())
    whole[at] = byte
    try:
        csv_of(bytes(whole))
    except Malformed as error:
        assert error.code
