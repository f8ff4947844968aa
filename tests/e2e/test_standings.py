"""Standings in a browser: which rounds count, tiebreak order and points, exports, and the end of an event.

Pages are also checked for faults on phone and desk; see `faults_of`.
"""

import csv
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.demonstration import Demonstration, a_page, signed_in
from tests.e2e.test_pages import faults_of

ROUNDS = 2
# "2–0–1 +1 bye": won, lost, drawn, byes.
RECORD = re.compile(r"(\d)–(\d)–(\d)(?: \+(\d) byes?)?")
# A script that makes four events of five players. `running` has a round in play; `ending` has played its top four and
# waits to be finished.
PLAYED = """
from tournaments.common import jobs
from tournaments.common.clock import now
from tournaments.decks.services import lock_decks
from tournaments.demo.services import demo_event, demo_people
from tournaments.events.selectors import current_stage
from tournaments.events.services import add_entrant, create_event, open_registration
from tournaments.events.stages import add_stage
from tournaments.play import services as play
by = demo_people(demo_event())["organizer"]
def started(name):
    event = create_event(name=name, preset="star-safir", rounds={rounds} + 1, lists="none", by=by, now=now())
    open_registration(event=event, by=by, now=now())
    for given in ("Ada", "Bob", "Chloé", "Dan", "Eve"):
        add_entrant(event=event, given_name=given, family_name="", by=by, now=now())
    if name == "ending":
        add_stage(event=event, kind="single_elimination", cut_top=4, by=by, now=now())
    lock_decks(event=event, by=by, now=now())
    play.start_event(event=event, by=by, now=now())
    return event
def published(event):
    round_ = play.pair_round(stage=current_stage(event), by=by, now=now())
    play.publish_round(round_=round_, by=by, now=now())
    return round_
def played(event, rounds):
    for _round in range(rounds):
        round_ = published(event)
        for match in round_.matches.filter(table__isnull=False):
            play.enter_result(match=match, by=by, games=(2, match.table % 2, 0), now=now())
        play.close_round(round_=round_, by=by, now=now())
events = {{name: started(name) for name in ("running", "resting", "choosing", "ending")}}
played(events["running"], {rounds})
published(events["running"])
played(events["resting"], {rounds})
played(events["choosing"], {rounds})
played(events["ending"], {rounds} + 1)
play.start_stage(event=events["ending"], by=by, now=now())
played(events["ending"], 2)
jobs.run_due(now())
for name, event in events.items():
    print(name, event.public_id)
"""


@pytest.fixture(scope="module")
def events(demo: Demonstration) -> dict[str, str]:
    """Create the events of `PLAYED` and return their addresses by name."""
    told = demo.site.run(PLAYED.format(rounds=ROUNDS))
    return {name: f"/e/{event}/" for name, event in (line.split() for line in told.splitlines())}


@pytest.fixture(scope="module")
def organizer(demo: Demonstration, browser: Browser) -> Page:
    return signed_in(browser, demo.site, demo.links["organizer"], reduced_motion="reduce")


@pytest.fixture(scope="module")
def visitor(demo: Demonstration, browser: Browser) -> Page:
    return a_page(browser, demo.site, reduced_motion="reduce")


def counted(page: Page, event: str) -> list[list[str]]:
    """Return the rows of the standings, once all results are included."""
    page.goto(event + "standings/")
    expect(page.locator("#standings tbody tr")).to_have_count(5)
    expect(page.get_by_text("Newer results are being counted")).to_have_count(0)
    return [row.locator("th, td").all_inner_texts() for row in page.locator("#standings tbody tr").all()]


def enter(organizer: Page, event: str, table: int) -> None:
    """Enter a win of the first seat at the results desk, for a table of the last round."""
    organizer.goto(f"{event}staff/rounds/{ROUNDS + 1}/results/?find={table}")
    organizer.locator("#slip button[name=outcome]").first.click()
    expect(organizer.locator("#entries")).to_contain_text(f"Table {table}:")


def test_a_running_round_adds_nothing_to_the_standings_until_it_is_closed(
    events: dict[str, str], organizer: Page, visitor: Page
) -> None:
    event, after = events["running"], f"After round {ROUNDS}"
    before = counted(visitor, event)
    expect(visitor.get_by_text(after)).to_be_visible()
    assert not faults_of(visitor)
    enter(organizer, event, 1)
    assert counted(visitor, event) == before  # includes neither the new result nor the bye of the round
    expect(visitor.get_by_text(after)).to_be_visible()
    enter(organizer, event, 2)
    organizer.goto(f"{event}staff/rounds/{ROUNDS + 1}/")
    organizer.get_by_role("button", name="Close the round").first.click()
    expect(visitor.get_by_text(f"After round {ROUNDS + 1}")).to_be_visible()  # without a reload
    assert sum(points_of(counted(visitor, event))) == sum(points_of(before)) + 3 * 3


def points_of(rows: list[list[str]], win: int = 3) -> list[int]:
    """Return the points of each row, after checking them against its record and byes."""
    for _rank, _name, points, record, *_tiebreaks in rows:
        told = RECORD.fullmatch(record)
        assert told, record
        won, _lost, drawn, byes = (int(figure or 0) for figure in told.groups())
        assert int(points) == win * (won + byes) + drawn
    return [int(row[2]) for row in rows]


def test_the_record_shows_byes_and_the_export_has_exact_and_decimal_figures(
    events: dict[str, str], visitor: Page
) -> None:
    shown = counted(visitor, events["resting"])
    assert sum(points_of(shown)) == 3 * 3 * ROUNDS
    assert sum("+1 bye" in row[3] for row in shown) == ROUNDS
    visitor.goto(events["resting"] + "exports/")
    assert not faults_of(visitor)
    with visitor.expect_download() as download:
        visitor.get_by_role("link", name="CSV Standings").click()
    assert download.value.suggested_filename.endswith("-standings.csv")
    with download.value.path().open(encoding="utf-8-sig", newline="") as file:
        taken = list(csv.DictReader(file))
    for row, (rank, name, points, record, *tiebreaks) in zip(taken, shown, strict=True):
        assert [row[column] for column in ("rank", "name", "points", "round")] == [rank, name, points, str(ROUNDS)]
        assert record.startswith("–".join(row[column] for column in ("won", "lost", "drawn")))
        assert row["byes"] == ("1" if "bye" in record else "0")
        assert [f"{100 * float(row[term]):.2f}" for term in ("omw", "gw", "ogw")] == tiebreaks
        assert all(re.fullmatch(r"\d+( ÷ \d+)?", row[f"{term}_exact"]) for term in ("omw", "gw", "ogw"))


def test_the_standings_follow_the_tiebreak_order_and_points_chosen(
    events: dict[str, str], organizer: Page, visitor: Page
) -> None:
    event = events["choosing"]
    organizer.goto(event + "staff/")
    organizer.get_by_role("link", name="Tiebreaks", exact=True).click()
    own_order = organizer.get_by_label("Your own order, chosen below")
    expect(own_order).to_be_visible()
    assert not faults_of(organizer)
    own_order.check()
    then = organizer.get_by_label("Then by")
    for place, tiebreak in enumerate(("Wins", "Wins", "", "", "")):
        then.nth(place).select_option(label=tiebreak or "– nothing –")
    organizer.get_by_role("button", name="Save order").click()
    expect(organizer.get_by_role("alert")).to_contain_text("A tiebreak is chosen twice.")
    assert not faults_of(organizer)
    then.nth(1).select_option(label="Buchholz")
    organizer.get_by_role("button", name="Save order").click()
    expect(organizer.get_by_text("The standings are being computed again in this order.")).to_be_visible()
    points_of(counted(visitor, event))
    expect(visitor.locator("#standings thead th")).to_have_text([
        "Rank",
        "Name",
        "Points",
        "Won–lost–drawn",
        "Wins",
        "Buchholz",
    ])
    organizer.get_by_label("Your own values, below").check()
    draw = organizer.get_by_label("Points for a draw")
    for label, value in (("win", "2"), ("draw", "3"), ("loss", "0")):
        organizer.get_by_label(f"Points for a {label}").fill(value)
    organizer.get_by_role("button", name="Save points").click()
    expect(organizer.get_by_text("a draw no more than a win")).to_be_visible()
    expect(draw).to_have_value("3")  # the input is kept
    assert not faults_of(organizer)
    draw.fill("1")
    organizer.get_by_role("button", name="Save points").click()
    expect(organizer.get_by_text("Points and floor are saved")).to_be_visible()
    assert sum(points_of(counted(visitor, event), win=2)) == 2 * 3 * ROUNDS


def test_everybody_sees_the_final_ranking_and_the_winners_at_the_end(
    events: dict[str, str], organizer: Page, visitor: Page
) -> None:
    event = events["ending"]
    visitor.goto(event + "final/")
    expect(visitor.get_by_role("heading", name="Current ranking")).to_be_visible()
    assert visitor.request.get(event + "winners.png").status == 404
    visitor.goto(event)
    organizer.goto(event + "staff/")
    organizer.get_by_role("region", name="Next").locator("summary").click()
    organizer.get_by_role("region", name="Next").get_by_role("button", name="Finish").click()
    winners = visitor.get_by_role("region", name="Winners")
    expect(winners.get_by_role("listitem")).to_have_count(4)  # without a reload
    assert not faults_of(visitor)
    winners.get_by_role("link", name="Final ranking").click()
    for page in (visitor, organizer):
        page.goto(event + "final/")
        expect(page.get_by_role("heading", name="Final ranking", exact=True)).to_be_visible()
        ranked = page.locator("#final tbody th").all_inner_texts()
        assert len(ranked) == 5
        expect(page.locator(".podium__name")).to_have_text(ranked[:4])
        assert not faults_of(page)
    picture = visitor.locator(".podium__picture")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("naturalWidth", 1200)
    expect(picture).to_have_attribute("alt", re.compile(f"^Winners of ending: 1. {ranked[0]}, 2. {ranked[1]}, "))
    with visitor.expect_download() as download:
        visitor.get_by_role("link", name="Download picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
