"""The documentation of the engine agrees with the code: commands, verbs, error codes, verdicts, examples.

Lists are compared in both directions: everything in the code is documented, and nothing else is.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.cli import catalogs, coverage, decks, logs
from engine.core.abilities import language as effects
from engine.core.cards.catalog import shipped_catalogs, vocabulary_of
from engine.core.cards.lint import lint
from engine.core.decks import decklist
from engine.core.decks.formats.words import data
from engine.core.replay.replay import load_game
from engine.core.report import report
from engine.core.report.ask import ask
from engine.core.table import log, verbs
from engine.core.text import phrases
from engine.core.text.registry import module
from engine.core.text.rulebook import STATUSES
from engine.games.star_safir.vocabulary import VOCABULARY
from engine.games.wakfu.vocabulary import ELEMENTS, KINDS_2008, TIMINGS

ROOT = Path(__file__).parents[2]
ENGINE, FORMAT, DECKS = (
    ROOT.joinpath("docs", f"{name}.md").read_text("utf-8") for name in ("engine", "log-format", "decks")
)
NAMES = {
    "altered": "Altered",
    "saint-seiya": "Saint Seiya",
    "star-safir": "Star Safir",
    "stellar-nexus": "Stellar Nexus",
    "wakfu": "Wakfu",
}
FAILURES = ("Malformed", "Unsupported", "Impossible", "Ambiguous", "EngineError", "_Refused", "__init__", "number")
CODE = re.compile(r"[a-z]+(_[a-z0-9]+)*")


def section(page: str, heading: str) -> str:
    """Return the text under a heading (with its hashes, "## Errors"), subsections included."""
    level = len(heading.split()[0])
    rest = page[page.index(f"\n{heading}\n") + len(heading) + 2 :]
    return re.split(rf"^#{{1,{level}}} ", rest, flags=re.MULTILINE)[0]


def first_cells(text: str) -> list[str]:
    """Return everything written as code in the first column of the tables of a text."""
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def second_cells(text: str) -> list[Any]:
    """Return the JSON values in the second column of the tables of a text."""
    return [json.loads(cell) for cell in re.findall(r"^\| `[\w:]+` \| `([^`]+)`", text, re.MULTILINE)]


def headings(text: str) -> list[str]:
    """Return the third-level headings that are code."""
    return re.findall(r"^### `([\w-]+)`$", text, re.MULTILINE)


def examples(page: str) -> list[Any]:
    """Return the JSON documents in the code blocks of a page."""
    return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]


def strings(node: ast.AST | None) -> Iterator[str]:
    """Yield the strings of a constant, a conditional expression, a tuple or the left side of an operation."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*strings(node.body), *strings(node.orelse))
    elif isinstance(node, ast.Tuple):
        yield from (text for item in node.elts for text in strings(item))
    elif isinstance(node, ast.BinOp):
        yield from strings(node.left)


def named_codes(node: ast.AST) -> Iterator[str]:
    """Yield the error codes in a syntax node.

    They are arguments of the failures in FAILURES, values assigned to `code` or `codes`, and the default "bad_value".
    """
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in FAILURES and node.args:
            yield from strings(node.args[-1] if name == "number" else node.args[0])
    elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("code", "codes"):
        yield from strings(node.value)
    elif isinstance(node, ast.FunctionDef):
        yield from (text for default in node.args.defaults for text in strings(default) if text == "bad_value")


def codes_in_code() -> set[str]:
    """Return every error code in the source of the engine."""
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in (ROOT / "engine").rglob("*.py"))
    return {code for tree in trees for node in ast.walk(tree) for code in named_codes(node) if CODE.fullmatch(code)}


def test_every_error_code_is_documented_and_no_other() -> None:
    faults = {*data()["faults"]}
    documented = first_cells(section(FORMAT, "## Errors")) + first_cells(section(DECKS, "## Errors"))
    assert len(set(documented)) == len(documented)
    known = codes_in_code()
    assert {"wrong_type", "above_maximum", "unknown_slot", "logs_differ", "float"} <= known
    assert set(documented) == known - (faults - {*documented})


@pytest.mark.slow
def test_every_error_code_and_no_other_has_a_message_in_three_languages() -> None:
    faults = {*data()["faults"]}
    told = {key.removeprefix("error.") for key in phrases._table() if key.startswith("error.")}
    assert told >= codes_in_code() - faults
    assert told - codes_in_code() == set()
    for code in sorted(told):
        words = phrases._table()[f"error.{code}"]
        assert sorted(words) == ["en", "fr", "it"]
        assert all(words.values())
        assert len({*words.values()}) == 3


def test_every_note_of_a_position_is_documented_and_has_a_phrase() -> None:
    page, game = section(FORMAT, "## Declared positions"), load_game("star-safir")
    assert sorted({*first_cells(page)} & {*game.notes}) == sorted(game.notes)
    assert all(f"memory.{note}" in phrases._table() for note in game.notes)


def test_every_fault_of_a_decklist_is_documented_and_no_other() -> None:
    assert sorted(first_cells(section(DECKS, "## Faults"))) == sorted(data()["faults"])


@pytest.mark.parametrize(("game", "name"), NAMES.items())
def test_every_verb_is_documented_and_no_other(game: str, name: str) -> None:
    known = list(load_game(game).verbs())
    told = [section(FORMAT, f"## Verbs of {title}") for title in (name, "every game")]
    assert sorted(verb for text in told for verb in headings(text)) == sorted(known)


def test_every_deck_format_is_documented_and_no_other() -> None:
    known = [form.id for game in NAMES for form in module(game, "deck").FORMATS]
    assert first_cells(section(DECKS, "## Deck rules")) == known


def test_the_kinds_figures_and_words_of_wakfu_are_documented() -> None:
    page = ROOT.joinpath("docs", "cards.md").read_text("utf-8")
    text = section(page, "## Cards of Wakfu")
    vocabulary = vocabulary_of("wakfu")
    language = vocabulary.language
    assert language is not None
    own = [name for name in language.operations if name not in effects.OPERATIONS]
    assert sorted(first_cells(text)) == sorted([*KINDS_2008, *language.triggers, *own])
    words = [*vocabulary.figures, *vocabulary.amounts, *vocabulary.words, *vocabulary.kinds, *TIMINGS, *ELEMENTS]
    words += [word for group in ("zone", "stat", "forbidden", "counter") for word in language.words[group]]
    assert [word for word in words if f"`{word}`" not in text and f'"{word}"' not in text] == []
    assert lint({"id": "page", "game": "wakfu", "cards": examples(text)}).problems == ()
    shown = [json.loads(item) for item in re.findall(r'`(\{"op".+?\})`', text)]
    assert [item["op"] for item in shown] == own
    assert [list(effects.faults({"on": "played", "do": [item]}, language)) for item in shown] == [[]] * len(shown)


def test_the_kinds_figures_and_words_of_stellar_nexus_are_documented() -> None:
    text = section(ROOT.joinpath("docs", "cards.md").read_text("utf-8"), "## Cards of Stellar Nexus")
    vocabulary = vocabulary_of("stellar-nexus")
    language = vocabulary.language
    assert language is not None
    words = [*vocabulary.kinds, *vocabulary.figures, *language.triggers, "host"]
    words += [word for word in language.operations if word not in effects.OPERATIONS or word == "cancel"]
    words += [word for name in ("zone", "duration") for word in language.known(name)]
    assert [word for word in words if f"`{word}`" not in text] == []
    rows = re.findall(r"^\| `\w+` \| `([^`]+)`", text, re.MULTILINE)
    told = [json.loads(row) for row in rows if row.startswith("{")]
    assert [list(effects.faults({"on": "played", "do": [item]}, language)) for item in told] == [[]] * 6
    assert lint({"id": "page", "game": "stellar-nexus", "cards": examples(text)}).problems == ()


def test_the_kinds_figures_and_words_of_altered_are_documented() -> None:
    text = section(ROOT.joinpath("docs", "cards.md").read_text("utf-8"), "## Cards of Altered")
    vocabulary = vocabulary_of("altered")
    language = vocabulary.language
    assert language is not None
    words = [*vocabulary.kinds, *vocabulary.figures, *vocabulary.words, *vocabulary.amounts, *vocabulary.factions]
    words += [*language.triggers, *language.declared, "target", "player"]
    words += [word for word in language.operations if word not in effects.OPERATIONS]
    words += [word for name in ("zone", "duration") for word in language.known(name)]
    assert [word for word in words if f"`{word}`" not in text] == []
    told = [json.loads(row) for row in re.findall(r"^\| `\w+` \| `({[^`]+)`", text, re.MULTILINE)]
    assert [list(effects.faults({"on": "played", "do": [item]}, language)) for item in told] == [[]] * 27
    assert lint({"id": "page", "game": "altered", "cards": examples(text)}).problems == ()


def test_the_kinds_figures_and_words_of_saint_seiya_are_documented() -> None:
    text = section(ROOT.joinpath("docs", "cards.md").read_text("utf-8"), "## Cards of Saint Seiya")
    vocabulary = vocabulary_of("saint-seiya")
    language = vocabulary.language
    assert language is not None
    words = [*vocabulary.kinds, *vocabulary.figures, *vocabulary.words, *vocabulary.keywords, *language.triggers]
    words += [name for name, fields in language.operations.items() if fields != effects.OPERATIONS.get(name)]
    words += [word for name in ("zone", "rank", "forbidden", "mark", "type") for word in language.known(name)]
    words += [*language.statics, *(key for key in language.selector if key not in effects.SELECTOR)]
    assert [word for word in words if f"`{word}`" not in text] == []
    rows = re.findall(r"^\| `\w+` \| `([^`]+)`", text, re.MULTILINE)
    told = [json.loads(row) for row in rows if row.startswith('{"op"')]
    assert [list(effects.faults({"on": "vaincu", "do": [item]}, language)) for item in told] == [[]] * 17
    lasting = [json.loads(row) for row in rows if row.startswith("{") and not row.startswith('{"op"')]
    assert [list(effects.faults({"static": item}, language)) for item in lasting] == [[]] * 4
    assert lint({"id": "page", "game": "saint-seiya", "cards": examples(text)}).problems == ()


def test_every_key_of_header_and_entry_is_documented() -> None:
    assert sorted(first_cells(section(FORMAT, "## The header"))) == sorted(log.HEADER_KEYS)
    assert sorted(first_cells(section(FORMAT, "## The entries"))) == sorted(log.ENTRY_KEYS)
    assert sorted(first_cells(section(FORMAT, "### `ruling`"))) == sorted(verbs.RULING_EVENTS)


def test_every_command_is_documented_and_no_other() -> None:
    commands = argparse.ArgumentParser().add_subparsers()
    decks.add_commands(commands)
    catalogs.add_commands(commands)
    coverage.add_commands(commands)
    logs.add_commands(commands)
    assert sorted(headings(ENGINE)) == sorted(commands.choices)


def test_every_verdict_and_status_is_documented_and_no_other() -> None:
    assert sorted(first_cells(section(ENGINE, "## Verdicts"))) == sorted(report.VERDICTS)
    registers = section(ENGINE, "## Rules and interpretations").split("\n### ")[0]
    statuses = re.findall(r"^\| ([\w/]+) \|", registers, re.MULTILINE)
    assert statuses == ["status", *STATUSES]


def test_every_problem_of_the_linter_is_documented_and_no_other() -> None:
    source = ROOT.joinpath("engine", "core", "cards", "lint.py").read_text(encoding="utf-8")
    found = set(re.findall(r'(?:Problem|_unknown)\("([A-Z-]+)"', source))
    assert sorted(first_cells(section(ENGINE, "### `lint`"))) == sorted(found)


def test_every_kind_of_chance_is_documented_and_no_other() -> None:
    assert sorted(first_cells(section(FORMAT, "## Chance"))) == sorted(log._CHANCE)


def test_the_documented_log_is_confirmed() -> None:
    document = examples(FORMAT)[0]
    report = engine.audit(document)
    assert (report.verdict, report.claims) == ("confirmed", ())
    lists = [seat["deck"] for seat in document["seats"].values()]
    assert [engine.check_deck("star-safir", listed) for listed in lists] == [[], []]


def test_the_documented_hash_chain_agrees_with_the_engine() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", FORMAT, re.DOTALL)
    document = examples(FORMAT)[0]
    exec(code, {"log": document})
    assert all(len(entry["h"]) == 64 for entry in document["moves"])
    assert engine.audit(document).digest == document["moves"][-1]["h"]


def declared_position() -> dict[str, Any]:
    """Return the only example of docs/log-format.md that starts from a position."""
    (found,) = (item for item in examples(FORMAT) if "start" in item)
    return dict(found)


def test_the_documented_position_can_start_a_log() -> None:
    position = {**declared_position(), "seats": {"A": {}, "B": {}}, "moves": []}
    assert engine.audit(position).verdict == "consistent_from"
    moves = [{"n": 1, "by": "A", "do": "end_turn"}]
    assert "B/T1/fighters/2" in [item["fact"] for item in engine.audit({**position, "moves": moves}).missing]


def test_the_documented_entries_of_partial_logs_are_read() -> None:
    log_of_the_page, entries, pad = examples(FORMAT)[0], *(item for item in examples(FORMAT) if type(item) is list)
    report = engine.audit({**log_of_the_page, "claimed": {}, "moves": [*log_of_the_page["moves"][:7], *entries]})
    assert (report.verdict, [claim.claim for claim in report.claims]) == ("consistent_from", ["B.pi"])
    report = engine.audit({**log_of_the_page, "claimed": {}, "moves": pad})
    assert (report.verdict, report.score) == ("plausible", {"A": 4, "B": 3})


def test_the_documented_position_can_be_asked_about() -> None:
    position = declared_position()
    attack = {"by": "A", "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 2}}
    assert ask(position, attack).answer == "illegal"  # the fighter has already attacked


@pytest.mark.parametrize("line", first_cells(section(DECKS, "## Lines")))
def test_the_documented_decklist_lines_are_read(line: str) -> None:
    if not re.search("Braisillon|DEMO", line):
        pytest.skip("a part of a line")
    found = decklist.parse(line, shipped_catalogs("star-safir")[0])
    assert not found.faults
    assert sum(found.deck.main.values()) in (1, 2)


def test_the_documented_decklist_is_read() -> None:
    (text,) = re.findall(r"```text\n(.*?)```", DECKS, re.DOTALL)
    found = decklist.parse(text, shipped_catalogs("star-safir")[0])
    assert (found.faults, found.deck.commander, sum(found.deck.main.values())) == ((), "DEMO-SAF-086", 3)


def shown(code: str, names: dict[str, Any]) -> int:
    """Run the example of a page; assert that each expression has the value in its comment; return how many have one."""
    held = 0
    tree = ast.parse(code)
    lines = code.split("\n")
    for node in tree.body:
        comment = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")[2]
        if isinstance(node, ast.Expr) and comment:
            value = eval(compile(ast.Expression(node.value), "page", "eval"), names)
            assert value == eval(comment.strip()), f"{ast.unparse(node)}: {value}"
            held += 1
        else:
            exec(compile(ast.Module([node], []), "page", "exec"), names)
    return held


def test_the_recorder_example_gives_the_documented_values() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", section(ENGINE, "## A recorder's gate"), re.DOTALL)
    document = examples(FORMAT)[0]
    header = {key: value for key, value in document.items() if key not in ("moves", "claimed")}
    assert shown(code, {"header": header}) == 11


def test_the_deck_format_example_and_lines_work_as_documented() -> None:
    formats = section(DECKS, "## Formats")
    (code,) = re.findall(r"```python\n(.*?)```", formats, re.DOTALL)
    assert shown(code, {}) == 3
    demo = shipped_catalogs("star-safir")[0]
    cells = re.findall(r"`([^`]+)`", formats.replace(code, ""))
    found = [text.replace("\\|", "|") for text in cells if "DEMO" in text or "Brais" in text]
    assert len(found) == 16
    for text in found:
        parsed = decklist.parse(text, demo)
        assert (parsed.faults, list(parsed.deck.main), parsed.deck.main["DEMO-SAF-020"] in (1, 4)) == (
            (), ["DEMO-SAF-020"], True,
        ), text  # fmt: skip


SECTIONS = {
    "## Abilities": "triggers",
    "## Replacements": "replacements",
    "## Operations": "operations",
    "## Selectors": "selectors",
    "## Amounts": "amounts",
    "## Durations": "durations",
}


def test_the_page_about_cards_documents_every_word_of_the_vocabulary() -> None:
    page = ROOT.joinpath("docs", "cards.md").read_text("utf-8")
    language = VOCABULARY.language
    assert language is not None
    assert sorted(first_cells(section(page, "## Keywords"))) == sorted(VOCABULARY.keywords)
    groups = effects.vocabulary(language)
    for heading, group in SECTIONS.items():
        assert sorted(first_cells(section(page, heading))) == sorted(groups[group]), heading
    statics = section(page, "## Statics").partition("Things that a card can be kept from")
    assert sorted(first_cells(statics[0])) == sorted(groups["statics"])
    assert sorted(first_cells(statics[2])) == sorted(groups["prohibitions"])


def test_the_examples_of_the_page_about_cards_are_valid() -> None:
    page = ROOT.joinpath("docs", "cards.md").read_text("utf-8")
    language = VOCABULARY.language
    assert language is not None
    gain = {"op": "gain", "what": "pi"}
    abilities = [
        *({"on": "played", "do": [item]} for item in second_cells(section(page, "## Operations"))),
        *({"static": item} for item in second_cells(section(page, "## Statics"))),
        *({"on": "played", "do": [{**gain, "n": item}]} for item in second_cells(section(page, "## Amounts"))),
    ]
    assert len(abilities) == 30 + 4 + 7  # the rows of the three tables: none was missed by the patterns above
    card, pictured, form, *written = examples(page.split("\n## Cards of ")[0])
    for ability in [*abilities, *written]:
        assert list(effects.faults(ability, language)) == [], ability
    assert list(effects.form_faults(form["into"], language)) == []
    for example in (card, pictured):
        report = lint({"id": "page", "game": "star-safir", "cards": [example]})
        assert (report.problems, report.hints) == ((), ())
