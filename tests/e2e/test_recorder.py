"""The recorder in a browser: a whole game of each kind is recorded and confirmed, and moves survive a bad connection.

A forged copy of the recorded game is then submitted in a dispute; the judge finds the forged move in the replay and
rules on the match.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import engine
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from tests.e2e.demonstration import Demonstration, signed_in
from tests.e2e.site import Site

LONGEST = 80  # moves of a game that is entered by hand
SEEDS = 400  # self-played games to choose from
# Script that finds a free table of a game and prints what `Table` holds.
FREE_TABLE = """
import json
from tournaments.accounts.models import User
from tournaments.accounts.services import make_sign_in_link
from tournaments.common.clock import now
from tournaments.decks.selectors import current_list
from tournaments.play.models import Match
free = Match.objects.filter(round__stage__event__game="{game}", round__status="published", authority="",
    table__isnull=False, disputed=False, reports=None)
match = free.exclude(games__recordings__isnull=False).order_by("-round__stage__event__pk", "table").first()
seats = list(match.seats.order_by("number").select_related("entrant"))
users = [User.objects.get(persons__member__entrant=seat.entrant) for seat in seats]
print(json.dumps({{
    "event": match.round.stage.event.public_id,
    "match": match.public_id,
    "names": [seat.entrant.name for seat in seats],
    "decks": [current_list(seat.entrant, match.round.stage).cards for seat in seats],
    "links": [make_sign_in_link(user=user, now=now(), hours=1) for user in users],
}}))
"""


@dataclass(frozen=True)
class Table:
    """A table of a running round without a report, with sign-in links of its players."""

    site: Site
    event: str
    match: str
    names: list[str]
    decks: list[dict[str, Any]]
    links: list[str]

    def player(self, browser: Browser, number: int) -> Page:
        """Open a page signed in as the player in a seat, counted from 0."""
        return signed_in(browser, self.site, f"{self.site.url}/link/{self.links[number]}/")


@pytest.fixture(autouse=True)
def _closed(browser: Browser) -> Iterator[None]:
    """Close what a test opened: a page that stays open follows its match."""
    yield
    for context in browser.contexts:
        context.close()


def by_forms(page: Page) -> Page:
    """Return the page without the rules in the browser, so that games are recorded by forms."""
    page.add_init_script("delete window.WebAssembly")
    return page


def free_table(demo: Demonstration, game: str) -> Table:
    """Return the first free table of a game."""
    told = demo.site.run(FREE_TABLE.format(game=game))
    return Table(demo.site, **json.loads(told))


def short_game(game: str, table: Table) -> dict[str, Any]:
    """Return the shortest of three self-played games with these decks in which the page offers every move."""
    decks = {seat: Decklist.from_json(deck) for seat, deck in zip("ABCDE", table.decks, strict=False)}
    played = (selfplay.play(game, seed, decks=decks, hidden=()) for seed in range(SEEDS))
    short = (log for log in played if len(log["moves"]) <= LONGEST and engine.audit(log).verdict == "confirmed")
    # Responses and rulings have forms of their own, which the tests of the page cover.
    plain = (log for log in short if not any(move.get("resp") or move["by"] == "judge" for move in log["moves"]))
    return min(islice(plain, 3), key=lambda log: len(log["moves"]))


def forged(log: dict[str, Any]) -> tuple[dict[str, Any], int, str]:
    """Repeat the last move that is illegal the second time; return the log, the number of that move, and the rule."""
    for position in range(len(log["moves"]) - 2, 0, -1):
        moves = [*log["moves"][: position + 1], *log["moves"][position:]]
        plain = [{key: value for key, value in move.items() if key != "h"} for move in moves]
        copy = {**log, "moves": [{**move, "n": n} for n, move in enumerate(plain, 1)]}
        found = engine.audit(copy)
        first = found.as_json()["first_illegal"]
        if found.verdict == "illegal_action" and first["n"] == position + 2:
            return copy, position + 2, first["violations"][0]["rule"]
    raise AssertionError("no move of this game is illegal when it is made twice")


def typed(chance: list[dict[str, Any]]) -> str:
    """Write random outcomes the way they are typed into the form."""
    items = [(kind, value) for item in chance for kind, value in item.items()]
    return "; ".join(
        f"{kind} {', '.join(map(str, value)) if isinstance(value, list) else value}" for kind, value in items
    )


def enter(page: Page, move: dict[str, Any]) -> None:
    """Choose a move on the page and record it."""
    form = page.locator(f"form:has(#do-{move['by']}-{move['do']})")
    wanted = {"by": move["by"], "do": move["do"], **({"args": move["args"]} if move.get("args") else {})}
    values = form.locator("option, input[name=move]").evaluate_all("all => all.map(field => field.value)")
    offered = [json.loads(value) for value in values]
    if wanted not in offered:  # its cards are unknown until drawn: the page offers "?" and a field to name them
        key = next(key for key in ("back", "cards", "card") if key in move["args"])
        cards = move["args"][key] if isinstance(move["args"][key], list) else [move["args"][key]]
        blanks = (["?"] * len(cards), len(cards), "?")
        wanted = next(said for said in offered if said["args"][key] in blanks)
        form.locator("[name=cards]").fill(", ".join(cards))
    if form.locator("select[name=move]").count():
        form.locator("[name=move]").select_option(values[offered.index(wanted)])
    if not form.is_visible():
        page.locator("#endings summary").click()
    if "chance" in move:
        if not form.locator("[name=chance]").is_visible():
            form.locator("summary").click()
        form.locator("[name=chance]").fill(typed(move["chance"]))
    form.get_by_role("button").click()
    entered = page.get_by_text(re.compile(rf"^{move['n']} entr"))
    expect(entered.or_(page.locator("#recorder [role=alert]"))).to_be_visible()
    assert entered.is_visible(), (move, page.locator("#recorder [role=alert]").inner_text())


def record(judge: Page, table: Table, log: dict[str, Any]) -> dict[str, Any]:
    """Record a game through the page, submit it, check that it is confirmed, and return the saved log."""
    judge.goto(f"/m/{table.match}/")
    judge.get_by_role("button", name="Record game 1").click()
    expect(judge.locator("#recorder")).to_be_visible()
    for move in log["moves"]:
        enter(judge, move)
    expect(judge.get_by_role("heading", name="The game is over")).to_be_visible()
    judge.locator("#hand-in summary").click()
    judge.locator("#hand-in-now").click()
    judge.get_by_role("link", name="Open the audit").click()
    expect(judge.get_by_text("Confirmed: every move is legal")).to_be_visible()
    kept: dict[str, Any] = judge.request.get(judge.url.split("#")[0].rstrip("/") + "/file/").json()
    return kept


def report_and_contest(table: Table, first: Page, second: Page) -> None:
    """Report a win of the first seat and contest it as the second."""
    first.goto(f"/m/{table.match}/report/")
    if first.locator("#id_rank_1").count():
        for number in range(1, len(table.names) + 1):
            first.locator(f"#id_rank_{number}").fill(str(number))
    else:
        first.locator("#id_first").fill("1")
    first.get_by_role("button", name="Report result").click()
    expect(first.get_by_text("You reported").first).to_be_visible()
    second.goto(f"/m/{table.match}/")
    second.get_by_text("That is not right").click()
    second.get_by_label("What happened").fill("A move was made twice.")
    second.get_by_role("button", name="Call a judge about this result").click()
    expect(second.get_by_text("A judge will decide").first).to_be_visible()


def hand_in_the_copy(table: Table, second: Page, copy: dict[str, Any], file: Path) -> None:
    """Submit the forged copy as a log of the game, as the second seat."""
    file.write_text(json.dumps(copy, ensure_ascii=False))
    second.goto(f"/m/{table.match}/")
    second.get_by_role("link", name="Submit a log of game 1").click()
    second.locator("input[type=file]").set_input_files(file)
    second.get_by_role("button", name="Add the log").click()
    expect(second.get_by_role("heading", name="Audit of a log")).to_be_visible()


def find_and_rule(judge: Page, table: Table, n: int, rule: str) -> None:
    """As the judge, follow the dispute to the forged move, and rule that the second seat won."""
    judge.goto(f"/e/{table.event}/judge/")
    judge.locator(f"a[href='/m/{table.match}/judge/']").first.click()
    ruling = judge.url
    line = judge.locator("#games p", has_text="Illegal move")
    expect(line).to_be_visible()
    line.get_by_role("link").first.click()
    expect(judge.locator("#audit").get_by_text(rule).first).to_be_visible()
    judge.locator("#go-first").click()
    expect(judge.get_by_role("heading", name="Before the first move")).to_be_visible()
    judge.locator("#go-illegal").click()
    expect(judge.get_by_role("heading", name=f"Move {n}, refused by the rules")).to_be_visible()
    expect(judge.locator("#doubt").get_by_text(rule).first).to_be_visible()
    judge.goto(ruling)
    judge.get_by_label("Change the result").check()
    if judge.locator("#id_rank_1").count():
        for number in range(1, len(table.names) + 1):
            judge.locator(f"#id_rank_{number}").fill(str({1: 2, 2: 1}.get(number, number)))
    else:
        judge.locator("#id_first").fill("0")
        judge.locator("#id_second").fill("1")
    judge.get_by_label("Reason").fill("The second of the two was illegal.")
    judge.get_by_role("button", name="Make ruling", exact=True).click()
    expect(judge.get_by_text("No result is contested.").or_(judge.get_by_text("Look into it"))).to_be_visible()


def match_points(page: Page, table: Table) -> list[int]:
    """Return the points that the result gives each seat."""
    seats = page.request.get(f"/api/v1/matches/{table.match}/").json()["seats"]
    return [seat["points"] for seat in seats]


@pytest.mark.parametrize("game", engine.games())
def test_a_recorded_game_is_confirmed_and_a_forged_copy_found_and_ruled_on(
    browser: Browser, demo: Demonstration, game: str, tmp_path: Path
) -> None:
    judge = by_forms(signed_in(browser, demo.site, demo.links["judge"]))
    table = free_table(demo, game)
    kept = record(judge, table, short_game(game, table))
    copy, n, rule = forged(kept)
    first, second = table.player(browser, 0), table.player(browser, 1)
    report_and_contest(table, first, second)
    hand_in_the_copy(table, second, copy, tmp_path / "copy.json")
    find_and_rule(judge, table, n, rule)
    first_points, second_points, *_others = match_points(judge, table)
    assert second_points > first_points


def first_moves(judge: Page, demo: Demonstration) -> None:
    """Start recording a game, up to the first player's decision to keep."""
    table = free_table(demo, "star-safir")
    judge.goto(f"/m/{table.match}/")
    judge.get_by_role("button", name="Record game 1").click()
    expect(judge.locator("#recorder")).to_be_visible()
    enter(judge, {"n": 1, "by": "table", "do": "first_player", "chance": [{"first_player": "A"}]})


def test_a_move_made_offline_is_sent_again(browser: Browser, demo: Demonstration) -> None:
    judge = by_forms(signed_in(browser, demo.site, demo.links["judge"]))
    first_moves(judge, demo)
    judge.context.set_offline(True)  # the page keeps what is sent meanwhile
    judge.locator("form:has(#do-A-keep)").get_by_role("button").click()
    expect(judge.locator("#unsent")).to_contain_text("sent again by itself")
    judge.context.set_offline(False)
    expect(judge.locator("#state")).to_contain_text("2 entries")
    expect(judge.locator("#unsent")).to_be_hidden()


def test_a_move_whose_response_is_lost_counts_once(browser: Browser, demo: Demonstration) -> None:
    judge = by_forms(signed_in(browser, demo.site, demo.links["judge"]))
    first_moves(judge, demo)
    answers: list[str] = []

    def lose_the_first(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        answer = route.fetch(max_redirects=0)  # the server processes the move
        answers.append(str(answer.status))
        return route.abort() if len(answers) == 1 else route.continue_()

    judge.route("**/recordings/**", lose_the_first)
    judge.locator("form:has(#do-A-keep)").get_by_role("button").click()
    expect(judge.locator("#state")).to_contain_text("2 entries")
    expect(judge.locator("#unsent")).to_be_hidden()
    assert len(answers) > 1
    judge.reload()
    expect(judge.locator("#state")).to_contain_text("2 entries")


def test_a_move_made_after_the_session_ended_is_sent_after_signing_in(browser: Browser, demo: Demonstration) -> None:
    judge = by_forms(signed_in(browser, demo.site, demo.links["judge"]))
    first_moves(judge, demo)
    recording = judge.url
    judge.context.clear_cookies(name="sessionid")
    judge.locator("form:has(#do-A-keep)").get_by_role("button").click()
    expect(judge.get_by_role("heading", name="Sign in")).to_be_visible()
    judge.goto(demo.links["judge"])
    judge.get_by_role("button", name="Sign in as this account").click()
    expect(judge.get_by_role("button", name="Sign out")).to_be_visible()
    judge.goto(recording)
    expect(judge.locator("#state")).to_contain_text("2 entries")
