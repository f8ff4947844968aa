"""No report in French or Italian shows a ref, a path, a raw id, a dash instead of a name, or English words."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine.core.cards.catalog import shipped_catalogs
from engine.core.report.audit import audit
from engine.core.report.report import Report
from engine.core.table.header import load_game
from engine.core.text import phrases
from engine.core.text.registry import GAMES, rulebook
from engine.core.text.rulebook import Rulebook
from tests.engine.games import a_game
from tests.engine.spoils import unsearched

PLACE = re.compile(r"\b(?:[A-E]|common)[/.][a-z]\w*|\b[A-E]/\w+")
LONE_DASH = re.compile(r"(?<!\S)-(?!\S)|«\s?-\s?»")
QUOTED = re.compile(r": «.*?» \(")  # the unreadable text of a log, quoted as it is
HOLE = re.compile(r"\{\w*\}")
SPOILS = ("delete", "double", "swap", "aim", "aim", "aim", "claim", "verb", "card", "actor")


def spoiled(document: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return a log with one entry corrupted in one of the ways of SPOILS, or with false claims."""
    found: dict[str, Any] = json.loads(json.dumps(document))
    moves = found["moves"]
    at = dice.randrange(len(moves) - 1)
    entry, how = moves[at], dice.choice(SPOILS)
    if how == "delete":
        del moves[at]
    elif how == "double":
        moves.insert(at, dict(entry))
    elif how == "swap":
        moves[at], moves[at + 1] = moves[at + 1], entry
    elif how == "aim":
        aimed(moves, at, dice)
    elif how == "claim":
        claimed(found, dice)
    elif how == "verb":
        entry["do"] = "dance"
    elif how == "card":
        entry["args"] = dict.fromkeys(entry.get("args", {"card": ""}), "NO-SUCH-CARD")
    else:
        entry["by"] = dice.choice([*found["seats"], "table", "judge"])
    for n, move in enumerate(moves, 1):
        move["n"] = n
    return found


def aimed(moves: list[dict[str, Any]], at: int, dice: random.Random) -> None:
    """Replace an argument of an entry by that of another entry with the same verb."""
    alike = [move for move in moves if move["do"] == moves[at]["do"] and move.get("args")]
    if alike and moves[at].get("args"):
        key = dice.choice(list(moves[at]["args"]))
        moves[at]["args"][key] = dice.choice(alike)["args"].get(key)


def claimed(document: dict[str, Any], dice: random.Random) -> None:
    """Add false claims to three entries, and a claimed winner and score."""
    layout = load_game(document["game"]).layout
    facts = [f"{seat}.{name}" for seat in document["seats"] for name in ("hand", *layout.counters)]
    for move in dice.sample(document["moves"], 3):
        move["claims"] = {dice.choice(facts): 1}
    document["claimed"] = {"winner": dice.choice(["A", "draw"]), "score": dict.fromkeys(document["seats"], 99)}


@cache
def english(lang: str) -> frozenset[str]:
    """Return the pieces of English messages that must not appear in a report in `lang`.

    These are the texts between placeholders, of at least three words, that are not the same in `lang`.
    """
    sentences = [(words["en"], words[lang]) for words in phrases._table().values()]
    for game in GAMES:
        sentences += list(messages(rulebook(game), lang))
    return frozenset(
        piece
        for said, own in sentences
        for piece in map(str.strip, HOLE.split(said))
        if len(piece.split()) >= 3 and piece not in own
    )


def messages(book: Rulebook, lang: str) -> Iterator[tuple[str, str]]:
    """Yield every text of the registers of a game, in English and in `lang`."""
    for rule in book.rules.values():
        for words in (rule.messages, *rule.whys.values()):
            yield words["en"], words[lang]
    for gap in book.interpretations.values():
        for words in (gap.why, *gap.options.values()):
            yield words["en"], words[lang]


def bare(text: str, game: str) -> str:
    """Return a report without card names, section titles and quotations.

    The names and titles are those of the French rule text and the catalogues, whatever the language of the report.
    """
    names = {name for catalog in shipped_catalogs(game) for card in catalog.cards.values() for name in card.every_name}
    titles = {rule.section for rule in rulebook(game).rules.values()}
    for known in sorted(names | titles, key=len, reverse=True):
        text = text.replace(known, "…")
    return QUOTED.sub("…", text)


def faults(report: Report, lang: str, game: str) -> Iterator[str]:
    """Yield what a reader of `lang` must not see in a report: refs, English, paths, lone dashes, phase names."""
    text = report.as_text(lang)
    refs = {ref for catalog in shipped_catalogs(game) for ref in catalog.cards}
    yield from sorted(refs & set(re.findall(r"[\w.+-]+", text)))
    told = bare(text, game)
    yield from (f"English: {piece}" for piece in english(lang) if piece in told)
    yield from PLACE.findall(told)
    yield from LONE_DASH.findall(told)
    for phase in load_game(game).phases:
        said = phrases.speaker(lang)(f"phase.{phase}")
        if said != phase and re.search(rf"\b[pf]h?ase\b.{{0,4}}\b{phase}\b", told.replace(said, "…")):
            yield f"phase {phase}"
    assert not re.search(r"(?:[Cc]oup|[Mm]ossa) 0\b", told), told
    if report.first_illegal is not None:
        assert re.search(rf"(?:[Cc]oup|mossa) {report.first_illegal.n} \(", told), told


@pytest.mark.parametrize("lang", ["fr", pytest.param("it", marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", GAMES)
def test_a_report_on_a_corrupted_log_keeps_to_one_language_and_names_its_cards(game: str, lang: str) -> None:
    dice, seen = random.Random(f"{game} {lang}"), Counter[str]()
    for seed in range(2):
        document = a_game(game, seed)
        for number in range(12):
            report = audit(spoiled(document, dice))
            # The search for slips is slow: one report of each game includes it.
            report = report if number % 12 == 6 * seed else unsearched(report)
            seen[report.verdict] += 1
            assert list(faults(report, lang, game)) == [], report.as_text(lang)
    assert {"illegal_action", "unreadable"} <= set(seen)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_refused_answer_has_a_message_in_each_language(game: str) -> None:
    """Each recorded answer is replaced by a card, a place, a word and nothing."""
    answered = Counter[str]()
    for seed in range(3):
        document = a_game(game, seed, catalog=shipped_catalogs(game)[-1])
        cards = list(next(iter(document["seats"].values()))["deck"]["main"])
        answers = [n for n, entry in enumerate(document["moves"]) if entry["do"] in ("answer", "react")]
        for index in answers[:: 1 + len(answers) // 12]:
            entry = document["moves"][index]
            for pick in (cards[index % len(cards)], "B/hand/1", "yes", None):
                moves = [*document["moves"][:index], {**entry, "args": {"pick": pick}}]
                report = audit({**document, "moves": moves})
                answered[report.verdict] += 1
                if report.first_illegal is not None and report.book is not None:
                    for violation in report.first_illegal.violations:
                        assert all(report.book.message(violation, lang) for lang in ("fr", "en", "it")), violation
    assert answered["illegal_action"] > 10 or game == "saint-seiya"
