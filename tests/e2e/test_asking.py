"""Is this move legal? On a phone, a judge can enter the board and get the answer in under 90 seconds.

For each game the board of a self-played game is entered by taps and keys as a person would do it, photographed, asked
about and signed by the players. The time is computed from the taps, keys and decisions by the Keystroke-Level Model
(Card, Moran, Newell 1980), with the figures for a thumb on a phone given in `docs/judge.md`.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

import engine
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from engine.face.boards import places_in_play
from engine.face.live import Replayed
from engine.face.tables import table_of
from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_recorder import Table, free_table
from tournaments.boards.words import card_at
from tournaments.web.arguments import arguments_of

TAP, KEY, THINK = 1.1, 0.28, 1.35  # seconds: tapping a target, typing a character, deciding what to do next
MOST = 90.0  # seconds
MEASURED = ("altered", "saint-seiya", "star-safir", "stellar-nexus", "wakfu")
PAID = frozenset(("card", "mana"))  # keys of one item of a payment
FEWEST, CARDS = 6, 10  # bounds of the number of cards in play on a realistic board


@dataclass
class Person:
    """A judge using a page, whose taps, keys and decisions are counted."""

    page: Page
    taps: int = 0
    keys: int = 0
    thoughts: int = 0
    waited: float = 0.0
    done: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """Time by the model. Waiting for the site is left out: it depends on the machine, and is only printed."""
        return TAP * self.taps + KEY * self.keys + THINK * self.thoughts

    def think(self, about: str) -> None:
        self.thoughts += 1
        self.done.append(about)

    def tap(self, where: str) -> None:
        self.taps += 1
        self.page.locator(where).first.click()

    def type(self, where: str, text: str) -> None:
        self.keys += len(text)
        self.page.locator(where).press_sequentially(text)

    def choose(self, where: str, value: str) -> None:
        """Choose an option of a select: one tap opens the list of the device, one more takes the option."""
        self.taps += 2
        self.page.locator(where).select_option(value)

    def wait_for(self, where: str, act: Any) -> None:
        """Do something that loads a page, and wait until `where` is visible on it."""
        before = time.monotonic()
        act()
        expect(self.page.locator(where).first).to_be_visible()
        self.waited += time.monotonic() - before


def cards_in_play(board: dict[str, Any]) -> dict[str, str]:
    """Map the places of the cards in play, such as `A/T1/fighters/2`, to their refs."""
    places = [place for place in places_in_play(board) if card_at(board, place)]
    return {place: card_at(board, place)["ref"] for place in places}


def is_plain(value: object) -> bool:
    """Return whether the page has a field for an argument: words, numbers, or a payment."""
    return all(
        isinstance(item, str | int) or (isinstance(item, dict) and PAID.issuperset(item)) for item in listed(value)
    )


def places_of(args: dict[str, Any]) -> Iterator[str]:
    """Yield the places named by the arguments of a move."""
    for value in args.values():
        for item in listed(value):
            name = item["card"] if isinstance(item, dict) else str(item)
            if "/" in name:
                yield name


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def pays(game: str, move: dict[str, Any]) -> bool:
    """Return whether a move pays for something, which takes longest to enter; True if the game has no payments."""
    payments = [item.name for verb in arguments_of(game).values() for item in verb if item.kind == "payment"]
    return not payments or any((move.get("args") or {}).get(name) for name in payments)


def tick(judge: Person, where: str, item: Any) -> None:
    """Tick a checkbox: the one of the element, for a card that can pay with one of several."""
    place, element = (item["card"], item.get("mana", "")) if isinstance(item, dict) else (item, "")
    of_element = f'{where}[value="{place} {element}"]'
    judge.tap(of_element if judge.page.locator(of_element).count() else f'{where}[value="{place}"]')


def are_registered(cards: dict[str, str], table: Table) -> bool:
    """Return whether each side has only cards of its own list, no more copies than are registered, and none of another.

    A board says nothing of whose a card is that another player controls, so it counts for the side where it lies.
    """
    own = {
        seat: Counter({**deck["main"], **({deck["commander"]: 1} if deck.get("commander") else {})})
        for seat, deck in zip("ABCDE", table.decks, strict=False)
    }
    there = Counter((place.partition("/")[0], ref) for place, ref in cards.items())
    return all(count <= own.get(seat, Counter())[ref] for (seat, ref), count in there.items())


def moment(game: str, table: Table) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fullest board with up to `CARDS` cards in games played with a table's decks, and its next move."""
    decks = {seat: Decklist.from_json(deck) for seat, deck in zip("ABCDE", table.decks, strict=False)}
    found: list[tuple[int, dict[str, Any], dict[str, Any]]] = []
    for seed in range(6):
        moments = list(Replayed(json.dumps(selfplay.play(game, seed, decks=decks, hidden=()))).moments())
        for here, then in pairwise(moments):
            cards, move = cards_in_play(here.board), then.move or {}
            known = {argument.name for argument in arguments_of(game).get(move["do"], ())}
            args = move.get("args") or {}
            plain = all(map(is_plain, args.values())) and pays(game, move) and set(places_of(args)) <= set(cards)
            asked = move["do"] in arguments_of(game) and set(args) <= known and plain
            every = table_of(game).unlisted or are_registered(cards, table)
            if asked and every and len(cards) <= CARDS and move["by"] in here.board["seats"]:
                found.append((len(cards), here.board, move))
    most = max(cards for cards, _board, _move in found)
    return next((board, move) for cards, board, move in found if cards == most)


def enter_card(judge: Person, where: str, name: str) -> None:
    """Enter a card in the focused field: type letters until the picker offers it, then tap it."""
    offered = judge.page.locator(".picker button", has_text=name)
    for letter in name.lower():
        if offered.count():
            break
        judge.type(where, letter)
    judge.taps += 1
    judge.page.locator(".picker").get_by_role("button", name=name, exact=True).click()


def enter_board(judge: Person, board: dict[str, Any], names: dict[str, str]) -> int:
    """Enter the turn, the phase, the counters and the cards in play; return the number of cards."""
    page, turn, entered = judge.page, board["turn"], 0
    judge.think("whose turn")
    judge.choose("#id_seat", turn["seat"])
    if turn["phase"] and page.locator(f'#id_phase option[value="{turn["phase"]}"]').count():
        judge.think("the phase")
        judge.choose("#id_phase", turn["phase"])
    for seat, side in board["seats"].items():
        for key, value in side.items():
            where = f'[data-tally][name="{seat}:{key}"]'
            if isinstance(value, int) and page.locator(where).count() and page.locator(where).is_visible():
                judge.think(f"{key} of {seat}")
                judge.tap(where)
                judge.type(where, str(value))
    focus = ""
    for place, ref in cards_in_play(board).items():
        seat, _slash, zone = place.partition("/")
        zone, _slash, number = zone.rpartition("/")
        where = f'[data-cards][name="{seat}:{zone}:{number}"]'
        if not page.locator(where).count():
            where = f'[data-cards][name="{seat}:{zone}"]'
        judge.think(f"card at {place}")
        if (
            not page.locator(where).evaluate("field => field === document.activeElement")
            or focus != where.rpartition(":")[0]
        ):
            judge.tap(where)
        enter_card(judge, where, names[ref])
        focus, entered = where.rpartition(":")[0], entered + 1
    return entered


def a_photo() -> dict[str, Any]:
    out = BytesIO()
    Image.effect_noise((3000, 2000), 40).convert("RGB").save(out, "JPEG")
    return {"name": "IMG_0001.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


@pytest.mark.parametrize("game", MEASURED)
def test_a_judge_enters_a_board_and_gets_an_answer_on_a_phone_in_under_90_seconds(
    browser: Browser, demo: Demonstration, game: str
) -> None:
    table = free_table(demo, game)
    board, move = moment(game, table)
    names = {card.ref: card.name for catalog in engine.catalogs(game) for card in catalog.cards.values()}
    page = signed_in(browser, demo.site, demo.links["judge"], viewport={"width": 390, "height": 800})
    page.goto(f"{demo.site.url}/m/{table.match}/ask/")
    judge = Person(page)
    entered = enter_board(judge, board, names)
    judge.think("who does what")
    if page.locator("#id_by").input_value() != move["by"]:
        judge.choose("#id_by", move["by"])
    judge.wait_for("#ask", lambda: judge.choose("#id_do", move["do"]))
    page.wait_for_load_state()
    for argument, value in (move.get("args") or {}).items():
        where = f'[name="arg:{argument}"]'
        judge.think(argument)
        kind = page.locator(where).first.evaluate("field => field.type || field.tagName")
        if kind == "select-one":
            if page.locator(f'{where} option[value="{str(value).lower()}"], {where} option[value="{value}"]').count():
                judge.choose(where, str(value).lower() if isinstance(value, bool) else str(value))
        elif kind == "checkbox":
            for item in listed(value):
                tick(judge, where, item)
        else:
            judge.tap(where)
            judge.type(where, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
    judge.think("photo")
    judge.taps += 3  # open the camera, take the picture, accept it
    page.locator("#id_photos").set_input_files(a_photo())
    expect(page.locator("#id_photos")).to_have_value(re.compile(r"photo\.jpg$"))  # made smaller by the script
    judge.think("ask")
    judge.wait_for("#answer", lambda: judge.tap("#keep"))
    expect(page.locator("img[alt*='1']")).to_be_visible()
    expect(page.locator("#answer")).not_to_contain_text("cannot be read")
    judge.think("hand the phone over")
    judge.wait_for("#agree", lambda: judge.tap("#sign-1"))
    for _seat in table.names:
        judge.think("agree")
        judge.wait_for("h1", lambda: judge.tap("#agree"))
    expect(page.locator("#signatures .badge--ok")).to_have_count(len(table.names))
    print(f"{game}: {entered} cards, {judge.taps} taps, {judge.keys} keys, {judge.thoughts} decisions, "
          f"{judge.waited:.1f} s waited, {judge.seconds:.0f} s")  # fmt: skip
    assert entered >= FEWEST
    assert judge.seconds < MOST, judge.done
