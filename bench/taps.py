"""Taps and seconds a move of a scripted thumb that records whole self-played games on a phone, in a real browser.

Each game is recorded on the board, and counted on the forms beside it, which is how games were recorded before. A tap
and a swipe cost a fixed time each, a typed letter less; to that comes what the page takes to show its answer. Nobody's
cards are known, as for a scribe at the table. On the forms, a move is chosen in a list that shows a few lines.
"""

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench._installation import ready

FOLDER = ready()

from playwright.sync_api import Browser, Page, expect

import engine
from bench._browser import demonstration
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.test_recorder import free_table
from tests.e2e.thumb import Thumb, found
from tournaments.boards.table import Table

TAP, SWIPE, LETTER = 1.1, 1.1, 0.3  # seconds
LINES = 7  # of a list that a phone shows at a time
PHONE = {"width": 390, "height": 844}
CUT = ("concede", "draw_agreed", "time")  # games that end so are not played out
AIM_TAPS, AIM_SECONDS = 2, 3
# Adds up how long the page takes from a tap to the last change it makes within a second.
WATCH = """
window.waited = 0;
let from = 0, last = 0;
const add = () => { if (last > from && last - from < 1000) window.waited += last - from; last = 0; };
addEventListener("click", () => { add(); from = performance.now(); }, true);
addEventListener("DOMContentLoaded", () => new MutationObserver(() => { last = performance.now(); })
  .observe(document.body, { childList: true, subtree: true }));
"""


@dataclass
class Count:
    """What recording a game took on the forms."""

    taps: int = 0
    swipes: int = 0
    letters: int = 0


def on_the_forms(view: Mapping[str, Any], entry: Mapping[str, Any], count: Count) -> None:
    """Count a move on the forms: open the list of its player and verb, swipe to it, choose it, record it."""
    move = found(view["moves"], entry)
    if move is None:  # an ending: unfold, then press
        count.taps += 2
        return
    listed = [
        each["entry"] for each in view["moves"]
        if (each["entry"]["by"], each["entry"]["do"]) == (entry["by"], entry["do"])
    ]  # fmt: skip
    if len(listed) > 1:
        count.taps += 2
        count.swipes += listed.index(move["entry"]) // LINES
    count.taps += 1
    named = [value for item in entry.get("chance", []) for value in item.values()]
    typed = [one for value in named for one in (value if isinstance(value, list) else [value]) if one != "?"]
    if typed:  # what was seen is typed by name or number, into a field of its own
        count.taps += 1
        count.letters += sum(len(str(one)) for one in typed)


def opened(browser: Browser, demo: Demonstration, game: str) -> tuple[Page, Table, dict[str, Any]]:
    """Open the recorder of a free table of a game, a table beside it, and a whole game with its decks."""
    match = free_table(demo, game)
    decks = {seat: Decklist.from_json(deck) for seat, deck in zip("ABCDE", match.decks, strict=False)}
    played = (selfplay.play(game, seed, decks=decks, hidden=tuple(decks)) for seed in range(100))
    log = next(log for log in played if not any(move["do"] in CUT or move["by"] == "judge" for move in log["moves"]))
    page = signed_in(browser, demo.site, demo.links["judge"])
    page.add_init_script(WATCH)
    page.set_viewport_size(PHONE)
    page.goto(f"/m/{match.match}/")
    page.get_by_role("button", name="Record game 1").click()
    expect(page.locator("#play")).to_be_visible(timeout=60_000)
    return page, Table(json.dumps(page.request.get(page.url.split("#")[0] + "table/").json())), log


def measure(browser: Browser, demo: Demonstration, game: str, moves: int) -> None:
    """Record a game on the board, and count it on the forms."""
    page, table, log = opened(browser, demo, game)
    thumb, forms = Thumb(page, table), Count()
    page.evaluate("window.waited = 0")
    for move in log["moves"][:moves]:
        on_the_forms(json.loads(table.view()), move, forms)
        thumb.record(move)
    waited = page.evaluate("window.waited") / 1000
    page.context.close()
    made = thumb.moves
    seconds = (TAP * thumb.taps + SWIPE * thumb.scrolls + LETTER * thumb.typed + waited) / made
    before = (TAP * forms.taps + SWIPE * forms.swipes + LETTER * forms.letters) / made
    print(f"{game}: {made} moves, {1000 * waited / made:.0f} ms of waiting a move")
    told("on the board", thumb.taps / made, thumb.scrolls / made, thumb.typed / made, seconds)
    told("on the forms, not counting the wait", forms.taps / made, forms.swipes / made, forms.letters / made, before)
    print(f"  forms to board, ratio of the seconds: {before / seconds:.2f}")


def told(where: str, taps: float, swipes: float, letters: float, seconds: float) -> None:
    """Print what a move takes."""
    gestures = f"{taps:.2f} taps (aim {AIM_TAPS}), {swipes:.2f} swipes, {letters:.2f} letters"
    print(f"  {where}: {gestures}, {seconds:.1f} s a move (aim {AIM_SECONDS})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=300, help="at most so many of each game")
    parser.add_argument("--games", nargs="+", choices=engine.games(), default=engine.games())
    args = parser.parse_args()
    with demonstration(FOLDER) as (demo, browser):
        for game in args.games:
            measure(browser, demo, game, args.moves)


if __name__ == "__main__":
    main()
