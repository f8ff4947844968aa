"""What people read about an error is the sentence of its code, never the note that a programmer wrote."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.core.report.report import error_sentence
from engine.core.text import phrases
from engine.core.text.errors import Malformed
from engine.core.text.phrases import error_message
from engine.core.text.rulebook import LANGUAGES

ENGINE = Path(phrases.__file__).parents[2]
ERRORS = {"Malformed", "Ambiguous", "Impossible", "Unsupported"}
NARROW = "\N{NO-BREAK SPACE}"


def raised() -> Iterator[tuple[str, str]]:
    """Yield the code and the note, with 7 for each placeholder, of every error that the engine's source makes."""
    for file in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in ERRORS:
                continue
            code, note = node.args[0], node.args[1]
            if isinstance(code, ast.Constant):
                yield code.value, _text(note)


def _text(note: ast.expr) -> str:
    if isinstance(note, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else _shown(part) for part in note.values)
    return str(note.value) if isinstance(note, ast.Constant) else ""


def _shown(part: ast.expr) -> str:
    return "'7'" if isinstance(part, ast.FormattedValue) and part.conversion == ord("r") else "7"


RAISED = sorted({*raised()})


def test_every_code_that_is_raised_has_a_sentence_in_each_language():
    assert len({code for code, _ in RAISED}) >= 95
    for code, note in RAISED:
        sentences = {error_message(code, note, language) for language in LANGUAGES}
        assert len(sentences) == 3 and all(sentences), code
        assert error_message("no_such_code", note, "en").partition(":")[0].rstrip(".") not in sentences, code


def test_nobody_reads_the_note_of_a_programmer():
    shared = {(code, note) for code, note in RAISED if note and error_message(code, note, "en") == note}
    assert shared == set()


def test_a_sentence_about_a_limit_names_it():
    limited = [(code, note) for code, note in RAISED if "{limit}" in phrases._table()[f"error.{code}"]["en"]]
    assert len(limited) >= 20
    for code, note in limited:
        for language in LANGUAGES:
            sentence = error_message(code, note, language)
            assert "…" not in sentence and re.search(r" (7|18)\b", sentence), (code, note, sentence)


def test_no_sentence_names_a_code_or_shows_a_placeholder():
    for code, note in RAISED:
        for language in LANGUAGES:
            sentence = error_message(code, note, language)
            assert not re.search(r"\b[a-z]+_[a-z_]+\)?\.?$|[{}]", sentence.partition(": ")[0]), sentence


@pytest.mark.parametrize(
    ("code", "note", "said"),
    [
        ("unknown_verb", "no verb 'melt'; there are: draw", "The game has no such action: “melt”. Allowed: draw."),
        ("missing_key", "the key 'main' is missing", "A required key is missing: “main”."),
        ("too_many_cards", "more than 60 cards", "Too many cards: the limit is 60."),
        (
            "too_large",
            "x2 is larger than 64 bytes",
            "This is too large: the limit is 64 bytes. Send less at a time.",
        ),
        ("wrong_type", "cards must be a list", "This value is not of the expected type. A list is expected."),
        ("bad_value", "a day such as 2025-03-14", "This value cannot be used here. For example: 2025-03-14."),
        ("bad_value", "an integer from 0 to 99 is expected", "This value cannot be used here. From 0 to 99."),
        ("bad_team_limit", "a team limit is from 1 to 99, not 100", "A team limit must be a number from 1 to 99."),
        ("unknown_seat", "a seat must be one of: A, B", "The game has no such seat. Allowed: A, B."),
    ],
)
def test_the_sentence_names_what_helps(code, note, said):
    assert error_message(code, note, "en") == said


def test_a_sentence_that_was_stored_is_read_in_another_language():
    french = error_message("too_many_cards", "more than 60 cards", "fr")
    assert error_message("too_many_cards", french, "it") == "Troppe carte: il limite è 60."
    named = error_message("missing_column", "the column 'name' is missing", "fr")
    assert error_message("missing_column", named, "en") == "A required column is missing: “name”."


def test_the_place_follows_what_is_wrong():
    error = Malformed("unknown_verb", "no verb 'melt'; there are: draw", path="moves[11].do", n=12)
    assert error_sentence(error, "en") == "Move 12: the game has no such action: “melt” (do). Allowed: draw."
    assert error_sentence(Malformed("not_json", "not JSON", path="line 3 column 5"), "fr").startswith(
        "Ce n’est pas du JSON (ligne 3, colonne 5). "
    )


@pytest.mark.parametrize(("language", "label"), [("en", "Code: "), ("fr", f"Code{NARROW}: "), ("it", "Codice: ")])
def test_a_code_stands_in_its_own_line(language, label, tmp_path, capsys):
    listed = tmp_path / "list.txt"
    listed.write_text("1 nobody", encoding="utf-8")
    assert main(["check-deck", "star-safir", str(listed), "--lang", language]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "unreadable_lines" in line] == [f"{label}unreadable_lines"]
