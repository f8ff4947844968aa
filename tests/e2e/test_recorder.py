"""A whole self-played game recorded through the page, its connection lost on the way, and the audit confirms it."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.core import selfplay
from engine.core.decklist import Decklist
from tests.e2e.demonstration import Demonstration, signed_in

pytestmark = pytest.mark.slow
TABLE = 3  # of the running round, which nobody has reported
HEADER = """
import json
from tournaments.audits.models import Recording
print(json.dumps(Recording.objects.get().header["seats"]))
"""


def short_game(seats: dict[str, dict[str, object]]) -> dict[str, object]:
    """The shortest of some self-played games of these decks that needs no more than what the page offers."""
    decks = {seat: Decklist.from_json(said["deck"]) for seat, said in seats.items()}
    games = [selfplay.play("star-safir", seed, decks=decks, hidden=()) for seed in range(60)]
    plain = [game for game in games if not any(move["do"] == "mulligan" for move in game["moves"])]
    return min(plain, key=lambda game: len(game["moves"]))


def typed(chance: list[dict[str, object]]) -> str:
    """Chance as one types it."""
    items = [(kind, value) for item in chance for kind, value in item.items()]
    return "; ".join(f"{kind} {', '.join(value) if isinstance(value, list) else value}" for kind, value in items)


def enter(page: Page, move: dict[str, object]) -> None:
    """Choose a move on the page and record it."""
    form = page.locator(f"form:has(#do-{move['by']}-{move['do']})")
    if form.locator("select").count():
        wanted = {"by": move["by"], "do": move["do"], **({"args": move["args"]} if move.get("args") else {})}
        options = form.locator("option").evaluate_all("all => all.map(option => option.value)")
        form.locator("select").select_option(next(value for value in options if json.loads(value) == wanted))
    if not form.is_visible():
        page.locator("#endings summary").click()
    if "chance" in move:
        if not form.locator("[name=chance]").is_visible():
            form.locator("summary").click()
        form.locator("[name=chance]").fill(typed(move["chance"]))
    form.get_by_role("button").click()
    expect(page.locator("#state")).to_contain_text(re.compile(rf"^{move['n']} entr"))


@pytest.mark.timeout(500)
def test_a_self_played_game_is_recorded_through_the_page_and_confirmed(browser: Browser, demo: Demonstration) -> None:
    judge = signed_in(browser, demo.site, demo.links["judge"])
    match = demo.round(judge)[TABLE]["id"]
    judge.goto(f"/m/{match}/")
    judge.get_by_role("button", name="Record game 1").click()
    seats = json.loads(demo.site.manage("shell", "--verbosity", "0", "-c", HEADER))
    game = short_game(seats)
    moves = game["moves"]
    for move in moves[:3]:
        enter(judge, move)

    judge.context.set_offline(True)  # the connection is lost; what is sent meanwhile is kept
    expect(judge.locator("#unsent")).to_be_hidden()
    with pytest.raises(AssertionError):
        enter_quickly(judge, moves[3])
    expect(judge.locator("#unsent")).to_contain_text("sent again by itself")
    judge.context.set_offline(False)
    expect(judge.locator("#state")).to_contain_text("4 entries")
    expect(judge.locator("#unsent")).to_be_hidden()

    for move in moves[4:]:
        enter(judge, move)
    expect(judge.get_by_role("heading", name="The game is over")).to_be_visible()
    judge.locator("#hand-in").click()
    expect(judge.get_by_text("Confirmed: every move is legal")).to_be_visible(timeout=60_000)


def enter_quickly(page: Page, move: dict[str, object]) -> None:
    """Record a move of which no answer comes."""
    page.set_default_timeout(2_000)
    expect.set_options(timeout=1_500)
    try:
        enter(page, move)
    finally:
        page.set_default_timeout(15_000)
        expect.set_options(timeout=5_000)
