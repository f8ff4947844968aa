"""Names are drawn as plain text whatever they contain: nothing of them becomes an operator or an object of the PDF."""

import re
import zlib
from base64 import a85decode

import pytest

from tournaments.paper.drawing import document_of
from tournaments.paper.sheets import Column, DeckSheet, LinkSheet, ListSheet, Sheet, Slip, SlipSeat, SlipSheet

HOSTILE = [
    ") Tj ET Q (",
    "(((",
    ")))",
    "\\) Tj (",
    "\\",
    "\\051 Tj",
    "(a) Tj",
    "<< /JS (x) >>",
    "%PDF-1.4",
    "endstream",
    "1 0 obj",
    "/Launch",
]
CONTROL = "\x00\x01\x07\x08\x0b\x1b\x7f\x85"
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# The PDF operators that the sheets use; any other would come from a name.
OPERATORS = {
    "BT",
    "ET",
    "Tm",
    "Tf",
    "TL",
    "Tj",
    "T*",
    "cm",
    "w",
    "d",
    "n",
    "m",
    "l",
    "re",
    "S",
    "f",
    "f*",
    "h",
    "q",
    "Q",
}
ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def sheets(name: str) -> list[Sheet]:
    """One sheet of each kind, with a name in every place where there can be one."""
    return [
        SlipSheet(name, name, (Slip(1, (SlipSeat(name, 0), SlipSeat("B", 0)), 3),)),
        ListSheet(name, name, (Column(name, 1.0),), ((name,),)),
        DeckSheet(name, name, name, "abc", ((name, ((2, name),)),)),
        LinkSheet(name, name, ((name, "https://example.com/seat/1/"),)),
    ]


def taken_apart(code: str) -> tuple[list[str], list[str]]:
    """Split PDF code into its strings `(…)`, unescaped, and the words between them."""
    strings: list[str] = []
    words, at = "", 0
    while at < len(code):
        if code[at] != "(":
            words += code[at]
            at += 1
            continue
        text, depth, at = "", 1, at + 1
        while depth:
            letter = code[at]
            if letter == "\\":
                octal = re.match(r"[0-7]{1,3}", code[at + 1 : at + 4])
                text += chr(int(octal[0], 8)) if octal else ESCAPED.get(code[at + 1], code[at + 1])
                at += 1 + (len(octal[0]) if octal else 1)
                continue
            depth += (letter == "(") - (letter == ")")
            text += letter if depth else ""
            at += 1
        strings.append(text)
        words += " "
    return strings, words.split()


def pages_of(document: bytes) -> list[str]:
    """The decompressed content stream of each page."""
    packed = re.findall(rb"/ASCII85Decode /FlateDecode \].*?stream\r?\n(.*?)~>\s*endstream", document, re.DOTALL)
    return [zlib.decompress(a85decode(page)).decode("latin-1") for page in packed]


def outside_of_streams(document: bytes) -> str:
    return re.sub(rb"stream\r?\n.*?endstream", b"", document, flags=re.DOTALL).decode("latin-1")


def title_of(document: bytes) -> str:
    strings, _words = taken_apart(outside_of_streams(document).partition("/Title")[2].partition("/Trapped")[0])
    written = strings[0].encode("latin-1")
    return written.decode("utf-16" if written.startswith(b"\xfe\xff") else "latin-1")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_with_pdf_syntax_is_drawn_literally(name: str) -> None:
    document = document_of(sheets(name))
    drawn, plain = pages_of(document), pages_of(document_of(sheets("Plain")))
    assert len(drawn) == len(plain) == 4
    for page in drawn:
        strings, words = taken_apart(page)
        assert any(name in text for text in strings)
        assert {word for word in words if re.fullmatch(r"[A-Za-z*']+", word)} <= OPERATORS
        assert not [word for word in words if word.startswith("/") and not re.fullmatch(r"/F\d+(\+\d+)?", word)]


@pytest.mark.parametrize("name", [*HOSTILE, CONTROL, "\u2028\u2029", TURNING])
def test_a_name_adds_no_object_and_no_action_to_the_document(name: str) -> None:
    whole, plain = (outside_of_streams(document_of(sheets(each))) for each in (name, "Plain"))
    _strings, words = taken_apart(whole)
    assert words.count("obj") == taken_apart(plain)[1].count("obj")
    named = {word for word in words if word.startswith("/")}
    assert not named & {"/JS", "/JavaScript", "/OpenAction", "/AA", "/Launch", "/URI", "/Annots", "/EmbeddedFile"}


def test_the_title_of_the_document_is_the_name_of_the_event() -> None:
    for name in HOSTILE:
        assert title_of(document_of(sheets(name))) == name
    assert title_of(document_of(sheets(f"Spring{TURNING}\r\nOpen"))) == "Spring Open"


def test_bidirectional_controls_are_left_out_and_control_characters_drawn_as_boxes() -> None:
    plain, turned = (pages_of(document_of(sheets(name))) for name in ("Emma B", f"Emma{TURNING} B"))
    assert turned == plain
    for letter in CONTROL:
        boxed, unseen = (pages_of(document_of(sheets(f"Emma{each}B"))) for each in ("\u25a1", letter))
        assert unseen == boxed, hex(ord(letter))
