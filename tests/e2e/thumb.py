"""A scripted thumb that records a game on the recorder one plays on, tap by tap, and counts what it does.

It knows the moves of the game from a log, looks for what the page lights up, and taps that. Beside the page it keeps a
table of its own, which tells it by which taps a move is made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tournaments.boards.table import Table

BLANKS = ("cards", "card", "back")  # arguments that are only known once cards are drawn


@dataclass
class Thumb:
    """Records moves on an open page. `taps`, `typed` and `scrolls` count gestures; `moves` the entries made."""

    page: Page
    table: Table
    taps: int = 0
    typed: int = 0
    scrolls: int = 0
    moves: int = 0

    def record(self, entry: Mapping[str, Any]) -> None:
        """Record one entry of a log."""
        view = json.loads(self.table.view())
        move = found(view["moves"], entry)
        if move is None:
            self.end(view, entry)
        else:
            self.make(move)
            self.answer(move, entry)
        self.moves += 1
        expect(self.page.locator("#play-log li .num").first).to_have_text(f"{view['n'] + 1}")
        plain = {key: value for key, value in entry.items() if key not in ("n", "h", "claims")}
        told = json.loads(self.table.accept(json.dumps(plain)))
        assert "n" in told, (entry, told)

    def make(self, move: Mapping[str, Any]) -> None:
        """Tap what the move names, then its sentence if there is still a choice."""
        for tap in move["needed"]:
            self.touch(tap)
        if not move["needed"] or not self.settled():
            sentence = self.page.locator(f'#play-choices button[data-words="{quoted(move["words"])}"]')
            several = sentence.count() > 1
            self.tap(sentence.filter(has_text=move["by"]).first if several else sentence.first)

    def settled(self) -> bool:
        """Return whether the page has taken the move: it asks for chance, or offers the next one."""
        self.page.wait_for_function("() => !document.getElementById('play').hasAttribute('data-busy')")
        return bool(self.page.locator("#play[data-settled]").count())

    def touch(self, tap: str) -> None:
        """Tap a place of the board that is lit, or choose a card from the list."""
        lit = self.page.locator(f'#play-board .is-lit[data-tap~="{quoted(tap)}"]')
        if lit.count():
            self.tap(lit.first)
        else:
            self.choose(tap)

    def choose(self, value: str) -> None:
        """Choose a card from the list, with two letters of its name if it is out of sight."""
        wanted = self.page.locator(f'#play-choices [data-pick="{quoted(value)}"]')
        field = self.page.locator("#play-choices input")
        if field.count() and not in_sight(wanted):
            self.tap(field)
            word = re.split(r"[\s'’-]+", wanted.inner_text())[0]
            field.press_sequentially(word[:2])
            self.typed += 2
        self.tap(wanted)

    def answer(self, move: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
        """Answer what the page asks about chance, as the log has it."""
        answers: list[list[Any]] = []
        told = [value for item in entry.get("chance", []) for value in item.values()]
        while True:
            asked = json.loads(self.table.complete(json.dumps(move["entry"]), json.dumps(answers)))
            if "question" not in asked:
                return
            question = asked["question"]
            values = chosen(entry, question, told)
            if question["unseen"] and set(values) == {"?"}:
                self.tap(self.page.locator("#play-choices button.button--primary").first)
            else:
                for value in values:
                    if value == "?":
                        self.tap(self.page.locator("#play-choices button.button--primary").first)
                    else:
                        self.choose(str(value))
            answers.append(values)

    def end(self, view: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
        """End the game as the log does: by a concession, an agreed draw or time."""
        move = found(view["endings"], entry)
        assert move is not None, (entry, [offered["entry"] for offered in view["moves"]][:8])
        self.tap(self.page.locator("#play-end"))
        sentence = self.page.locator(f'#play-choices button[data-words="{quoted(move["words"])}"]')
        self.tap(sentence.filter(has_text=move["by"]).first)

    def tap(self, what: Locator) -> None:
        """Tap once; scrolling to it first, which the click does by itself, counts as well."""
        if not in_sight(what):
            self.scrolls += 1
        what.click()
        self.taps += 1


def found(moves: list[dict[str, Any]], entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the offered move that an entry makes. Cards that are only known once drawn are open in it."""
    args = dict(entry.get("args") or {})
    for move in moves:
        offered = move["entry"]
        if who_does(offered) == who_does(entry) and offered.get("args", {}) == args:
            return move
    same = (move for move in moves if who_does(move["entry"]) == who_does(entry))
    return next((move for move in same if is_open(move["entry"]["args"], args)), None)


def who_does(entry: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Return who makes a move, its verb, and whether it is a response."""
    return entry["by"], entry["do"], bool(entry.get("resp"))


def is_open(offered: Mapping[str, Any], args: Mapping[str, Any]) -> bool:
    """Return whether arguments differ only in cards that are not known yet."""
    if {*offered} != {*args}:
        return False
    return all(offered[key] == args[key] or (key in BLANKS and blank(offered[key], args[key])) for key in args)


def blank(offered: Any, said: Any) -> bool:
    """Return whether an offered argument leaves open what an entry says."""
    if isinstance(offered, list):
        return set(offered) == {"?"} and isinstance(said, list) and len(said) == len(offered)
    return offered == "?" or (isinstance(offered, int) and isinstance(said, list) and len(said) == offered)


def chosen(entry: Mapping[str, Any], question: Mapping[str, Any], told: list[Any]) -> list[Any]:
    """Return the answer of the log to a question."""
    if question["kind"] == "choice":
        cards = entry["args"].get("cards") or [entry["args"].get("card")]
        return [cards[0] if cards else "?"]
    for at, value in enumerate(told):
        values = value if isinstance(value, list) else [value]
        if question["kind"] == "roll":
            values = values[1:]
        options = [*(["?"] if question["unseen"] else []), *(option["value"] for option in question["options"])]
        # Of the cards that the log names, those that are known already are not asked.
        asked = [list(some) for some in combinations(values, question["count"]) if all(one in options for one in some)]
        if asked:
            told.pop(at)
            return asked[-1]
    raise AssertionError((entry, question))


def in_sight(what: Locator) -> bool:
    """Return whether all of an element can be seen without scrolling."""
    return bool(what.evaluate(
        """(node) => {
            const box = node.getBoundingClientRect();
            if (node.closest("[hidden]") || !box.width) return false;
            for (let up = node.parentElement; up; up = up.parentElement) {
                const frame = up.getBoundingClientRect();
                const clips = ["auto", "scroll", "hidden"].includes(getComputedStyle(up).overflowY);
                if (clips && (box.bottom > frame.bottom + 1 || box.top < frame.top - 1)) return false;
            }
            return box.top >= 0 && box.bottom <= innerHeight;
        }"""
    ))  # fmt: skip


def quoted(text: str) -> str:
    """Return a text for an attribute in a selector."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
