"""Time of a step through a replayed game in a browser, beside lichess' own board (chessground).

For each game, a judge opens the replay of a long self-played game, on a laptop and on a phone, and steps through it
with the arrow key held down, without the network once the whole game has arrived. A step is timed in the page, from the
first listener that hears the key to the end of the frame that shows the new board: what the scripts do, and the style,
layout and painting they cause. The wait until that frame begins is left out, because it depends on the screen. Each
step counts with its best time of some runs, so that other load on the machine matters little. Chessground steps through
as many positions of random chess games, each set from its FEN, and is timed in the same way, without the later frames
of its animation. It is fetched with npm; without npm, or offline, it is left out.

Bytes are those of the answer with the whole game, as sent and as read. Ten quick presses right after opening the page,
before the game has arrived, must move ten steps.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import tarfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from bench._installation import ready

FOLDER = ready()

import chess
from playwright.sync_api import Browser, Page, Response, expect

import engine
from bench._browser import demonstration
from bench._chess import pgn_texts, read
from bench._clock import milliseconds, percentile, ratio
from bench._logs import beginning
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.test_recorder import free_table

BOUND = 16  # milliseconds: a frame
QUICK = 10  # presses
PATIENCE = 120_000  # milliseconds
SCREENS = {"laptop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
CHESSGROUND = "@lichess-org/chessground@10.1.1"
PARTS = ("dist/chessground.min.js", *(f"assets/chessground.{name}.css" for name in ("base", "brown", "cburnett")))
# Times each key: until all listeners are done and the layout they cause, then the frame without the wait for it.
WATCH = """
let start = 0, frame = 0;
addEventListener("keydown", () => {
  start = performance.now();
  requestAnimationFrame(() => { frame = performance.now(); }); // asked for first, so it begins the frame
}, true);
addEventListener("keydown", () => {
  document.body.getBoundingClientRect();
  const heard = performance.now() - start;
  window.stepped = new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(heard + performance.now() - frame);
    port2.postMessage(null); // a task after the frame
  }));
});
"""
BOARD = """
<!doctype html><meta name="viewport" content="width=device-width"><title>Chess</title>
<body style="margin: 0"><div id="board" style="width: min(100vw, 800px); aspect-ratio: 1"></div>
"""
STEP_CHESS = """
async ({ source, fens }) => {
  const module = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const board = (await import(module)).Chessground(document.getElementById("board"), { fen: fens[0] });
  window.n = 0;
  addEventListener("keydown", (event) => {
    window.n += event.key === "ArrowRight" ? 1 : -1;
    board.set({ fen: fens[window.n] });
  });
}
"""


def long_game(decks: Sequence[dict[str, Any]], game: str, seeds: int, moves: int) -> bytes:
    """Return the longest of some self-played games with these decks, cut after so many moves."""
    seats = {seat: Decklist.from_json(deck) for seat, deck in zip("ABCDE", decks, strict=False)}
    played = (selfplay.play(game, seed, decks=seats, hidden=()) for seed in range(seeds))
    return beginning(json.dumps(max(played, key=lambda log: len(log["moves"]))).encode(), moves)


def uploaded(browser: Browser, demo: Demonstration, match: str, document: bytes) -> str:
    """Upload a log of game 1 of a match as a judge, wait for its audit, and return its id."""
    page = signed_in(browser, demo.site, demo.links["judge"])
    (token,) = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken"]
    headers = {"Content-Type": "application/json", "X-CSRFToken": token}
    answer = page.request.post(f"/api/v1/matches/{match}/games/1/logs/", data=document, headers=headers)
    assert answer.status == 201, answer.text()
    log: str = answer.json()["id"]
    page.goto(f"/logs/{log}/?n=0")
    expect(page.locator("#replay")).to_be_attached(timeout=PATIENCE)
    page.context.close()
    return log


def opened(page: Page, log: str) -> Response:
    """Open a replay, press the key ten times at once, and return the answer with the whole game once it is there."""
    page.goto(f"/logs/{log}/?n=0")
    last = page.locator("#replay").get_attribute("data-last")
    quick = min(QUICK, int(last or 0))
    with page.expect_response(re.compile(r"/steps/$"), timeout=PATIENCE) as answer:
        for _press in range(quick):
            page.keyboard.press("ArrowRight")
    answer.value.finished()
    expect(page.locator("#replay")).to_have_attribute("data-n", str(quick))
    for _press in range(quick):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#replay")).to_have_attribute("data-n", "0")
    page.context.set_offline(True)  # from here on, a step that needs a request is no step
    return answer.value


def stepped(page: Page, count: int, runs: int) -> tuple[list[float], float]:
    """Hold the arrow key down for so many steps, each after the frame of the one before, then run back; repeat.

    Returns the best time of each step, and of a step of the way back, in seconds.
    """
    best, back = [float("inf")] * count, float("inf")
    for _run in range(runs):
        for step in range(count):
            page.keyboard.down("ArrowRight")
            best[step] = min(best[step], page.evaluate("window.stepped"))
        page.keyboard.up("ArrowRight")
        back = min(back, ran_back(page, count))
    return [time / 1000 for time in best], back


def ran_back(page: Page, count: int) -> float:
    """Hold the other arrow key down, as fast as the browser takes it; return seconds per step until the last frame."""
    start: float = page.evaluate("performance.now()")
    for _step in range(count):
        page.keyboard.down("ArrowLeft")
    page.evaluate("window.stepped")
    page.keyboard.up("ArrowLeft")
    end: float = page.evaluate("performance.now()")
    return (end - start) / 1000 / count


def fetched(folder: Path) -> dict[str, str] | None:
    """Return the files of chessground that a page needs, by name; None if they cannot be fetched."""
    if shutil.which("npm") is None:
        print("npm is not on this machine, so chessground is left out (on Debian: apt install npm).")
        return None
    command = ["npm", "pack", "--silent", CHESSGROUND]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        print(f"npm could not fetch {CHESSGROUND}, so chessground is left out: {done.stderr.strip()[-200:]}")
        return None
    with tarfile.open(folder / done.stdout.strip().splitlines()[-1]) as archive:
        read_parts = {name: archive.extractfile(f"package/{name}") for name in PARTS}
        return {name: part.read().decode() for name, part in read_parts.items() if part is not None}


def positions(count: int) -> list[str]:
    """Return so many positions of random chess games, as the pieces of their FEN."""
    games = [read(text) for text in pgn_texts([count])]
    boards = (node.board() for game in games if game is not None for node in (game, *game.mainline()))
    found = [board.board_fen() for board in islice(boards, count)]
    assert len(found) == count and found[0] == chess.STARTING_BOARD_FEN
    return found


def chess_steps(page: Page, parts: dict[str, str], count: int, runs: int) -> tuple[list[float], float]:
    """Step through as many chess positions with chessground; returns what `stepped` does."""
    page.set_content(BOARD)
    source, *styles = parts.values()
    for style in styles:
        page.add_style_tag(content=style)
    page.evaluate(STEP_CHESS, {"source": source, "fens": positions(count + 1)})
    page.evaluate(WATCH)  # after chessground's listener, so that the last listener is ours
    times = stepped(page, count, runs)
    assert page.evaluate("window.n") == 0
    page.context.close()
    return times


def measure(browser: Browser, demo: Demonstration, game: str, args: argparse.Namespace, parts: dict[str, str]) -> None:
    """Step through one game on each screen, and through as much chess."""
    match = free_table(demo, game)
    log = uploaded(browser, demo, match.match, long_game(match.decks, game, args.seeds, args.moves))
    for screen, size in SCREENS.items():
        page = signed_in(browser, demo.site, demo.links["judge"], viewport=size)
        page.add_init_script(WATCH)
        answer = opened(page, log)
        count = int(page.locator("#replay").get_attribute("data-last") or 0)
        title = f"{game}, {screen}"
        print(f"{title}: {count} steps, {answer.request.sizes()['responseBodySize'] / 1024:,.0f} KiB sent", end=", ")
        print(f"{len(answer.body()) / 1024:,.0f} KiB read")
        ours, back = stepped(page, count, args.runs)
        expect(page.locator("#replay")).to_have_attribute("data-n", "0")
        page.context.close()
        told(title, ours, back)
        ratio("  times the bound, 95 of 100", 1000 * percentile(ours) / BOUND, f"at most 1, that is {BOUND} ms")
        if parts:
            page = a_page(browser, demo.site, viewport=size)
            theirs, back = chess_steps(page, parts, count, args.runs)
            told("chessground", theirs, back)
            beside = statistics.median(ours) / statistics.median(theirs)
            ratio("  times chessground, median", beside, "their board has 64 squares and no words")


def told(title: str, times: Sequence[float], back: float) -> None:
    """Print the times of all steps, and of a step of the way back."""
    milliseconds(f"  {title}: a step, median", statistics.median(times))
    milliseconds("    95 of 100", percentile(times))
    milliseconds("    the slowest", max(times))
    milliseconds("    held down, from step to step", back)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=300, help="at most so many of each game")
    parser.add_argument("--seeds", type=int, default=30, help="self-played games of which the longest is taken")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--games", nargs="+", default=engine.games(), choices=engine.games())
    args = parser.parse_args()
    parts = fetched(FOLDER) or {}
    with demonstration(FOLDER) as (demo, browser):
        for game in args.games:
            measure(browser, demo, game, args, parts)


if __name__ == "__main__":
    main()
