"""A feature match over a stream and in a frame of another site: what is shown, and which sites may frame it."""

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from time_machine import Traveller

from tests.audits.test_features import recorded
from tests.builders import NOW, a_published_round, a_running_event, match_of, users_of
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tests.web.test_watching import DELAY, at_minute
from tournaments.accounts.models import Person
from tournaments.accounts.services import own_person, stay_off_stream
from tournaments.audits import features
from tournaments.audits.models import Recording
from tournaments.audits.watching import games_won
from tournaments.common.models import LedgerEntry
from tournaments.events.embedding import MOST_SITES, choose_sites
from tournaments.events.models import Event
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db
CLUB, SHOP = "https://club.example", "https://shop.example:8443"


@pytest.fixture
def match(cast: Cast) -> Match:
    return match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)


@pytest.fixture
def opened(cast: Cast, match: Match) -> Recording:
    """A feature match with six recorded moves, one per minute, the first a minute after `NOW`."""
    features.name_feature(match=match, delay=DELAY, by=cast.judge, now=NOW)
    return recorded(cast, match, 6)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def named(cast: Cast, match: Match, *sites: str) -> Event:
    event = match.round.stage.event
    choose_sites(event=event, sites=sites, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def ancestors(answer: object) -> str:
    """Return which sites may frame a response, by its policy."""
    policy = answer.headers["Content-Security-Policy"]  # type: ignore[attr-defined]
    return next(part for part in policy.split("; ") if part.startswith("frame-ancestors"))


def test_the_overlay_shows_board_names_and_games_won_as_of_the_delay(
    match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    where = address("watch_overlay", match.public_id)
    at_minute(clock, DELAY + 3)
    page = text(client.get(where))
    assert 'class="board board--' in page and "Games won:" in page
    assert all(seat.entrant.name in page for seat in match.seats.all())
    part = text(client.get(where, headers={"HX-Request": "true"}))
    assert "<html" not in part and f'hx-get="{where}"' in part


def test_the_overlay_shows_nothing_before_the_first_game_and_without_a_feature(
    cast: Cast, match: Match, clock: Traveller, client: Client
) -> None:
    where = address("watch_overlay", match.public_id)
    recorded(cast, match, 6)
    at_minute(clock, 30)
    assert "<main" not in text(client.get(where)), "not a feature match yet"
    features.name_feature(match=match, delay=30, by=cast.judge, now=NOW)
    assert "<main" in text(client.get(where))
    at_minute(clock, 29)
    assert "<main" not in text(client.get(where)), "its first game has not begun for the public"
    at_minute(clock, 31)
    one, _two = users_of(match)
    stay_off_stream(person=own_person(one), off=True)
    assert "<main" not in text(client.get(where)), "a player opted out of streams"
    assert one.public_id not in text(client.get(where))
    Person.objects.update(off_stream=False)
    features.withdraw_feature(match=match, by=cast.judge, now=NOW)
    part = text(client.get(where, headers={"HX-Request": "true"}))
    assert "<main" not in part and 'id="overlay"' in part, "what was shown goes"


def test_games_won_are_counted_when_the_public_has_seen_the_end(cast: Cast, match: Match, clock: Traveller) -> None:
    feature = features.name_feature(match=match, delay=DELAY, by=cast.judge, now=NOW)
    opened = recorded(cast, match, 1000)
    feature.match = match
    last = opened.entries.order_by("n").last()
    assert last is not None
    at_end = last.at + feature.lag
    assert games_won(feature, NOW) == {}
    assert games_won(feature, at_end.replace(microsecond=0) - (at_end - last.at) / 100) == {}
    assert sum(games_won(feature, at_end).values()) == 1


def test_an_embed_is_framed_by_the_named_sites_only(
    cast: Cast, match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    where = address("watch_embed", match.public_id)
    at_minute(clock, DELAY + 3)
    assert client.get(where).status_code == 404, "the event names no site"
    named(cast, match, CLUB, SHOP)
    answer = client.get(where)
    assert ancestors(answer) == f"frame-ancestors {CLUB} {SHOP}"
    assert "X-Frame-Options" not in answer.headers
    page = text(answer)
    assert 'class="board board--' in page and address("watch", match.public_id) in page
    named(cast, match)
    assert client.get(where).status_code == 404


def test_an_embed_has_no_form_and_sets_no_cookie(
    cast: Cast, match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    where = address("watch_embed", match.public_id)
    at_minute(clock, DELAY + 3)
    named(cast, match, CLUB)
    for reader in (client, signed_in(cast.organizer)):
        answer = reader.get(where)
        page = text(answer)
        assert "<form" not in page and "csrf" not in page.lower() and "/sign-in/" not in page
        assert not answer.cookies
        assert "form-action 'none'" in answer.headers["Content-Security-Policy"]
        assert reader.post(where).status_code == 405


def test_all_other_pages_stay_out_of_frames(
    cast: Cast, match: Match, opened: Recording, clock: Traveller, client: Client
) -> None:
    event = named(cast, match, CLUB)
    at_minute(clock, DELAY + 3)
    pages = [address(name, match.public_id) for name in ("watch", "watch_screen", "watch_overlay", "match")]
    for page in (*pages, address("event", event.public_id), "/", "/sign-in/", address("watch_embed", "m-nobody")):
        answer = client.get(page)
        assert ancestors(answer) == "frame-ancestors 'none'", page
        assert answer.headers["X-Frame-Options"] == "DENY", page


def test_staff_copy_the_address_of_the_overlay_and_the_code_of_the_frame(
    cast: Cast, match: Match, opened: Recording
) -> None:
    where = address("feature", match.public_id)
    page = text(signed_in(cast.organizer).get(where))
    assert f"http://testserver{address('watch_overlay', match.public_id)}" in page
    assert address("staff_sites", match.round.stage.event.public_id) in page and "embed-code" not in page
    named(cast, match, CLUB)
    Person.objects.filter(account=users_of(match)[0]).update(given_name='" onload="alert(1)')
    page = text(signed_in(cast.organizer).get(where))
    code = page.split('id="embed-code"')[1].split("</textarea>")[0]
    assert f"http://testserver{address('watch_embed', match.public_id)}" in code
    # Escaped once for the page it is copied from, and once for the page it is pasted into.
    assert 'onload="' not in code and "onload=&quot;" not in code


@pytest.mark.parametrize(
    "site",
    [
        "http://club.example", "https://", "club.example", "https://*.club.example", "https://club.example/live",
        "https://club.example?a", "https://a:b@club.example", "https://club.example:0", "https://club.example:99999",
        "https://club.example; script-src *", "https://club example", "https://club.example'", "javascript:alert(1)",
        "https://club.exam\tple", "https://-club.example", "ftp://localhost", "https://[::1", "https://.example",
    ],
)  # fmt: skip
def test_what_is_not_an_origin_is_refused_and_nothing_is_saved(cast: Cast, match: Match, site: str) -> None:
    event = match.round.stage.event
    with assert_refused("site_invalid"):
        choose_sites(event=event, sites=[CLUB, site], by=cast.organizer, now=NOW)
    event.refresh_from_db()
    assert event.embed_sites == []


def test_sites_are_kept_as_browsers_write_them_once_each(cast: Cast, match: Match) -> None:
    said = (
        " https://CLUB.example/ ",
        CLUB,
        "https://club.example:443",
        "http://localhost:8000",
        "https://clüb.example",
        "",
    )
    event = named(cast, match, *said)
    assert event.embed_sites == [CLUB, "http://localhost:8000", "https://xn--clb-ioa.example"]
    entry = LedgerEntry.objects.get(chain=event.public_id, code="event.embed_sites_changed")
    assert entry.after == {"sites": event.embed_sites}
    named(cast, match, *said)
    assert LedgerEntry.objects.filter(code="event.embed_sites_changed").count() == 1, "nothing changed"
    with assert_refused("too_many_sites"):
        named(cast, match, *(f"https://{n}.example" for n in range(MOST_SITES + 1)))


def test_organizers_name_the_sites_on_a_page_also_after_the_event(cast: Cast, match: Match) -> None:
    event = match.round.stage.event
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    where, desk = address("staff_sites", event.public_id), signed_in(cast.organizer)
    assert signed_in(cast.scorekeeper).get(where).status_code == 403
    refused = desk.post(where, {"sites": f"{CLUB}\nnowhere"})
    assert refused.status_code == 422 and "Not the address of a site: nowhere" in text(refused)
    assert desk.post(where, {"sites": f"{CLUB}\r\n{SHOP}"}).status_code == 302
    event.refresh_from_db()
    assert event.embed_sites == [CLUB, SHOP]
    assert f"{CLUB}\n{SHOP}" in text(desk.get(where))
