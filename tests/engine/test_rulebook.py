"""The registers of rules and interpretations are complete, in three languages, and have the ids of code and design."""

import ast
import re
import string
from pathlib import Path

import pytest

from engine.core.table.header import load_game
from engine.core.text.errors import Violation
from engine.core.text.registry import GAMES, rulebook
from engine.core.text.rulebook import LANGUAGES, OTHER, SOURCES, STATUSES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "engine.md"
# The design and the rule texts are not part of the repository: the tests that need them are skipped without.
DESIGN = ROOT.parent / "shared" / "design" / "games.md"
BOOKS = {game: rulebook(game) for game in GAMES}
# Game, its chapter in the design, the prefix of its ids, and the prefix of rules that the chapter does not list.
CHAPTERS = (
    ("star-safir", "8.1", "SAF", "-"),
    ("saint-seiya", "8.3", "SSD", "SSD-JEU-"),
    ("wakfu", "8.5", "WAK", "WAK-2011-"),
    ("stellar-nexus", "8.4", "STN", "-"),
)
SEEDS = {
    "star-safir": "000_c78e43840795592d.txt",
    "saint-seiya": "002_e8dd390b33bdbdda.txt",
    "wakfu": "004_fde1b4dded370871.txt",
    "stellar-nexus": "003_d48f573b890a14fa.txt",
    "altered": "001_0672e95f412bffbc.txt",
}
ID = re.compile(r"(?:(?:I-)?(?:SAF|ALT|SSD|STN|WAK)-[0-9A-Z][\w.+-]*|LOG-\w+|I-[A-Z]+)")


def placeholders(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


def ids_in_code() -> dict[str, str]:
    found = {}
    for path in sorted((ROOT / "engine").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value):
                found[node.value] = f"{path.name}:{node.lineno}"
    return found


def test_every_rule_id_in_the_code_is_in_a_register() -> None:
    known = {name for book in BOOKS.values() for name in (*book.rules, *book.interpretations)}
    found = ids_in_code()
    assert "SAF-I-2" in found
    assert {name: where for name, where in found.items() if name not in known} == {}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_messages_in_three_languages_with_the_same_arguments(game: str) -> None:
    for rule in BOOKS[game].rules.values():
        asked = {lang: placeholders(rule.messages[lang]) for lang in LANGUAGES}
        assert asked["fr"] == asked["en"] == asked["it"], rule.id
        assert all(rule.messages[lang].strip().endswith(".") for lang in LANGUAGES), rule.id
        assert len({rule.messages[lang] for lang in LANGUAGES}) == 3, rule.id


@pytest.mark.parametrize("game", GAMES)
def test_every_reason_has_messages_in_three_languages_with_the_same_arguments(game: str) -> None:
    for rule in BOOKS[game].rules.values():
        for name, words in rule.whys.items():
            asked = {lang: placeholders(words[lang]) for lang in LANGUAGES}
            assert asked["fr"] == asked["en"] == asked["it"], (rule.id, name)
            assert all(words[lang].strip().endswith(".") for lang in LANGUAGES), (rule.id, name)
            assert len(set(words.values())) == 3, (rule.id, name)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_section_and_a_known_status(game: str) -> None:
    for rule in BOOKS[game].rules.values():
        assert rule.section, rule.id
        assert rule.status in STATUSES, rule.id


def test_the_docs_explain_exactly_the_gaps_with_a_single_option() -> None:
    table = PAGE.read_text(encoding="utf-8").split("### Gaps with one reading")[1].split("\n#")[0]
    single = [gap.id for book in BOOKS.values() for gap in book.interpretations.values() if len(gap.options) == 1]
    assert re.findall(r"^\| `(I-\w+-\d+)` \|", table, re.MULTILINE) == single


@pytest.mark.parametrize("game", GAMES)
def test_every_interpretation_has_a_valid_default_and_texts_in_three_languages(game: str) -> None:
    for gap in BOOKS[game].interpretations.values():
        assert gap.default in gap.options, gap.id
        assert gap.source in SOURCES, gap.id
        for texts in (gap.why, *gap.options.values()):
            assert sorted(texts) == sorted(LANGUAGES), gap.id
            assert all(texts[lang].strip() for lang in LANGUAGES), gap.id
        assert all(re.fullmatch(r"[a-z][a-z0-9]*", option) for option in gap.options), gap.id


@pytest.mark.parametrize(("game", "chapter", "prefix", "beside"), CHAPTERS)
def test_every_rule_and_gap_of_the_design_is_in_the_registers(
    game: str, chapter: str, prefix: str, beside: str
) -> None:
    if not DESIGN.exists():
        pytest.skip("../shared/data and the pages beside it are absent")
    page = DESIGN.read_text(encoding="utf-8")
    text = page[page.index(f"### {chapter}") :].split("\n### ")[0]
    book = BOOKS[game]
    rules = [name for name in book.rules if name.startswith(f"{prefix}-") and not name.startswith(beside)]
    gaps = [name for name in book.interpretations if name.startswith(f"I-{prefix}-")]
    assert sorted(re.findall(rf"^\| ({prefix}-[^ |]+) \|", text, re.MULTILINE)) == sorted(rules)
    told = re.findall(rf"^\| (I-{prefix}-\d+) \|", text, re.MULTILINE)
    assert told and [name for name in told if name not in gaps] == []  # gaps found later are only in the register


def test_every_rule_and_gap_of_the_design_of_altered_is_in_its_registers() -> None:
    if not DESIGN.exists():
        pytest.skip("../shared/data and the pages beside it are absent")
    page = DESIGN.read_text(encoding="utf-8")
    text, book = page[page.index("### 8.2") :].split("\n### ")[0], BOOKS["altered"]
    found = [
        *re.findall(r"^\| (ALT-[^ |]+) \|", text, re.MULTILINE),
        *re.findall(r"^\| (I-ALT-\d+) \|", text, re.MULTILINE),
    ]
    assert found and [name for name in found if name not in book.rules and name not in book.interpretations] == []


@pytest.mark.parametrize(("game", "seed"), SEEDS.items())
def test_no_message_copies_nine_words_in_a_row_from_the_rule_text(game: str, seed: str) -> None:
    file = ROOT.parent / "shared" / "seeds" / seed
    if not file.exists():
        pytest.skip("../shared/data and the pages beside it are absent")
    text = " ".join(file.read_text(encoding="utf-8").casefold().split())
    for rule in BOOKS[game].rules.values():
        words = re.sub(r"\{\w+\}", "", rule.messages["fr"]).casefold().split()
        copied = [" ".join(words[i : i + 9]) for i in range(len(words) - 8) if " ".join(words[i : i + 9]) in text]
        assert copied == [], rule.id


@pytest.mark.parametrize("game", GAMES)
def test_the_facts_register_names_only_known_facts_verbs_and_rules(game: str) -> None:
    book, layout = BOOKS[game], load_game(game).layout
    known = {part for zone in (*layout.zones, *layout.common) for part in zone.split("/")}
    known |= {*layout.counters, *layout.shared, "score", "rank", OTHER}
    assert {*book.givers} <= known
    given = {rule for verbs in book.givers.values() for rule in verbs.values()}
    assert given and given <= {*book.rules}
    verbs = {verb for verbs in book.givers.values() for verb in verbs}
    assert verbs <= {*load_game(game).verbs(), load_game(game).pad[0], "setup", OTHER}
    assert all(book.giver(name, "setup") for name in (*layout.counters, *layout.shared, "hand", "score", "rank"))


def test_the_sections_of_the_common_rules_are_named_in_each_language() -> None:
    rules = [rule for rule in BOOKS["wakfu"].rules.values() if rule.id.startswith("LOG-")]
    assert rules
    for rule in rules:
        assert len({BOOKS["wakfu"].section(rule.id, lang) for lang in LANGUAGES}) == 3, rule.id


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "rule", "card"),
    [
        ("stellar-nexus", "STN-HER-2", "-"),
        ("wakfu", "WAK-LEA-1", "-"),
        ("wakfu", "WAK-2011-HEROS", "-"),
        ("saint-seiya", "SSD-JEU-3", "héros"),
        ("saint-seiya", "SSD-JEU-3", "héros-chevalier"),
        ("saint-seiya", "SSD-JEU-3", "armure de bronze"),
    ],
)
def test_a_sentence_about_no_card_has_words_for_it(game: str, rule: str, card: str, lang: str) -> None:
    said = BOOKS[game].message(Violation(rule, {"card": card, "ref": "-", "count": 0, "max": 1}), lang)
    assert "-" not in said and (lang == "fr" or card not in said)
