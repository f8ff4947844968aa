"""Images of cards in a browser: where they are loaded from, what is sent with that, and a board on which they fail."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.e2e.demonstration import Demonstration, demonstration_of, signed_in
from tests.e2e.site import Seeded, running_site
from tests.e2e.test_pages import look_at
from tests.e2e.test_recorder import by_forms

GAMES = ("star-safir", "altered")
HOST = "cards.example.org"
FAILS = 5  # one image in so many
# Script that gives images to the cards of a game's demonstration, and records the first moves of a game.
PICTURED = """
import json
from tests.e2e.test_card_images import HOST
from engine.core.replay import selfplay
from engine.core.decks.decklist import Decklist
from engine.core.text.registry import package
from importlib.resources import files
from tournaments.audits import recording
from tournaments.audits.access import Recorder
from tournaments.common.clock import now
from tournaments.decks.catalogues import import_catalogue
from tournaments.decks.selectors import current_list
from tournaments.play.models import Match
free = Match.objects.filter(round__stage__event__game="{game}", round__status="published", authority="",
    table__isnull=False, disputed=False, reports=None, games__recordings=None)
match = free.order_by("-round__stage__event__pk", "table").first()
event = match.round.stage.event
for file in files(package("{game}")).joinpath("cards").iterdir():
    document = json.loads(file.read_bytes())
    for n, card in enumerate(document["cards"]):
        card["image"] = f"https://{{HOST if n % 4 else 'elsewhere.example'}}/{{card['ref']}}.png"
    import_catalogue(game="{game}", content=json.dumps(document).encode(), name=document["id"], now=now())
seats = list(match.seats.order_by("number").select_related("entrant"))
lists = [current_list(seat.entrant, match.round.stage).cards for seat in seats]
decks = {{seat: Decklist.from_json(cards) for seat, cards in zip("AB", lists)}}
judge = event.staff_roles.get(role="owner").user
opened = recording.open_recording(game=match.games.get(number=1), by=judge, now=now())
recorder = Recorder(opened, None, (*opened.header["seats"], "table", "judge"))
games = [selfplay.play("{game}", seed, decks=decks, hidden=())["moves"] for seed in range(4)]
moves = max(games, key=len)
for n, move in enumerate(moves[: len(moves) // 2], 1):
    entry = {{key: value for key, value in move.items() if key not in ("n", "h", "claims")}}
    recording.record_move(recorder=recorder, by=judge, entry=entry, n=n, key=f"key-{{n:05}}", now=now())
print(opened.public_id)
"""


@pytest.fixture(scope="module")
def demo(template: Seeded, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    """The demonstration on a site that allows the host of the images."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARD_IMAGE_HOSTS", HOST)
        with running_site(Path(tmp_path_factory.mktemp("site")), template) as site:
            yield demonstration_of(site)


@pytest.fixture(scope="module", params=GAMES)
def recorded(request: pytest.FixtureRequest, demo: Demonstration) -> str:
    """The public id of a recording of a game whose cards have images."""
    return demo.site.run(PICTURED.format(game=request.param)).strip()


def picture(name: str) -> bytes:
    """Draw an invented card, always the same for the same name."""
    red, green, blue = zlib.crc32(name.encode()).to_bytes(4, "big")[:3]
    image = Image.new("RGB", (250, 350), (red // 2 + 60, green // 2 + 60, blue // 2 + 60))
    pen = ImageDraw.Draw(image)
    pen.ellipse((65, 55, 185, 175), fill=(blue, red, green))
    pen.rectangle((30, 215, 220, 320), fill=(245, 240, 225))
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def fails(address: str) -> bool:
    return zlib.crc32(address.encode()) % FAILS == 0


def with_pictures(page: Page) -> list[Request]:
    """Answer for the host of the images, some of which fail. Returns what is asked of any other site than ours."""
    asked: list[Request] = []

    def answer(route: Route) -> None:
        asked.append(route.request)
        if fails(route.request.url):
            route.abort()
        else:
            route.fulfill(body=picture(route.request.url), content_type="image/png")

    page.route(lambda address: "127.0.0.1" not in address, answer)
    return asked


def test_a_board_shows_images_of_allowed_hosts_and_reads_well_without_them(
    browser: Browser, demo: Demonstration, recorded: str, tmp_path: Path
) -> None:
    page = by_forms(signed_in(browser, demo.site, demo.links["judge"]))
    asked = with_pictures(page)
    page.goto(f"/recordings/{recorded}/")
    images = page.locator(".board .tile__image")
    expect(images.filter(visible=True).first).to_be_visible()
    assert images.count() < page.locator(".board .tile[data-ref]").count(), "those of another host are not drawn"
    images.evaluate_all("images => images.forEach((image) => { image.loading = 'eager'; })")  # those in piles too
    page.wait_for_function("() => [...document.querySelectorAll('.tile__image')].every((image) => image.complete)")
    look_at(page, tmp_path, "board")
    for image in images.all():
        box = image.bounding_box()
        assert box is not None and box["height"] > 10, "an image that failed keeps its place"
    shown = images.evaluate_all("images => images.filter((image) => image.naturalWidth).map((image) => image.src)")
    missing = images.evaluate_all("images => images.filter((image) => !image.naturalWidth).map((image) => image.src)")
    assert shown and all(map(fails, missing))
    for request in asked:
        assert request.url.startswith(f"https://{HOST}/")
        assert not {"referer", "cookie"} & request.all_headers().keys()
    page.context.close()


def test_the_policy_keeps_a_page_from_loading_images_of_any_other_host(
    browser: Browser, demo: Demonstration, recorded: str
) -> None:
    page = by_forms(signed_in(browser, demo.site, demo.links["judge"]))
    asked = with_pictures(page)
    page.goto(f"/recordings/{recorded}/")
    refused = page.evaluate(
        """() => new Promise((done) => {
            document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
            new Image().src = "https://elsewhere.example/1.png";
        })"""
    )
    assert refused == "img-src"
    assert not any("elsewhere.example" in request.url for request in asked)
    page.context.close()


@pytest.mark.skipif(not settings.BROWSER_RULES.is_dir(), reason="the rules for browsers are not made")
def test_the_recorder_that_runs_in_the_browser_draws_the_same_images(
    browser: Browser, demo: Demonstration, recorded: str, tmp_path: Path
) -> None:
    page = signed_in(browser, demo.site, demo.links["judge"])
    with_pictures(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/recordings/{recorded}/")
    board = page.locator("#play .board")
    expect(board).to_be_visible()
    drawn = board.locator(".tile__image").evaluate_all("images => images.map((image) => image.src)")
    given = json.loads(page.request.get(f"/recordings/{recorded}/table/").body())["images"]
    assert drawn and set(drawn) <= set(given.values())
    assert all(address.startswith(f"https://{HOST}/") for address in given.values())
    page.screenshot(path=tmp_path / "recorder-390.png")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.screenshot(path=tmp_path / "recorder-1280.png")
    page.context.close()
