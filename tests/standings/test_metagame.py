"""The metagame: what is counted and left out, the confidence interval, and who can see it when."""

import json
from random import Random

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings.metagame import Meeting, metagame, wilson
from tournaments.standings.statistics import FACTIONS, LEAD, metagame_of
from tournaments.web.pages.standings import statistics


# The first and the last can be computed by hand: z² / (n + z²) = 3.8415 / 13.8415.
@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [(0, 10, 0.0, 0.2775), (7, 10, 0.3968, 0.8922), (81, 263, 0.2553, 0.3662), (10, 10, 0.7225, 1.0)],
)
def test_the_interval_matches_wilsons_formula(won: int, played: int, low: float, high: float) -> None:
    assert wilson(won, played) == pytest.approx((low, high), abs=5e-5)


def test_the_interval_contains_the_rate_and_narrows_with_more_matches() -> None:
    random = Random(4)
    for _case in range(200):
        played = random.randint(1, 500)
        won = random.randint(0, played)
        low, high = wilson(won, played)
        closer = wilson(won * 4, played * 4)
        assert 0 <= low <= won / played <= high <= 1
        assert closer[1] - closer[0] < high - low


def test_mirror_matches_and_unknown_decks_are_counted_but_left_out_of_rates() -> None:
    decks = ["Red", "Red", "Blue", None]
    meetings = [
        Meeting("Red", "Blue", 1),
        Meeting("Blue", "Red", 0),
        Meeting("Red", "Red", 1),
        Meeting(None, "Red", -1),
    ]
    found = metagame(decks, meetings)
    assert (found.unknown, found.counted, found.mirrors, found.unclear) == (1, 2, 1, 1)
    red, blue = found.groups
    assert (red.name, red.decks, red.share, red.won, red.lost, red.drawn, red.rate) == ("Red", 2, 0.5, 1, 0, 1, 1.0)
    assert (blue.won, blue.lost, blue.drawn, blue.rate) == (0, 1, 1, 0.0)


def test_without_decks_or_matches_there_are_no_groups_and_no_interval() -> None:
    assert metagame([], []).groups == ()
    assert metagame(["Red"], []).groups[0].interval is None


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=7, rounds=1)


def test_byes_and_no_shows_do_not_count_for_decks(cast: Cast, event: Event) -> None:
    round_ = a_published_round(event, cast.organizer)
    first, second, _third = round_.matches.filter(table__isnull=False)
    play.enter_result(match=first, by=cast.organizer, games=(2, 0, 0), kind=Match.Kind.NO_SHOW, now=NOW)
    play.enter_result(match=second, by=cast.organizer, games=(2, 1, 0), now=NOW)
    for by in (LEAD, FACTIONS):
        found = metagame_of(event, by, "en")
        assert sum(group.decks for group in found.groups) + found.unknown == 7
        assert found.counted + found.mirrors + found.unclear == 1
        assert sum(group.won - group.lost for group in found.groups) == 0


def test_statistics_are_shown_once_the_event_is_over_and_its_lists_are_public(cast: Cast, event: Event) -> None:
    round_ = a_published_round(event, cast.organizer)
    page = address("statistics", event.public_id)
    table = address("export", event.public_id, "metagame", "json")
    visitor = Client()
    for closed in (page, table):
        answer = visitor.get(closed)
        assert (answer.status_code, "statistics_later" in text(answer)) == (403, True)
        assert signed_in(cast.player).get(closed).status_code == 403
        assert signed_in(cast.judge).get(closed).status_code == 200
    play_out(round_, cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    assert visitor.get(page).status_code == 403
    cells = {"decklists.public.swiss": "after_event", "decklists.public.cut": "after_event"}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    shown = text(visitor.get(page))
    assert "<title id=" in shown and "<desc id=" in shown and 'role="img"' in shown
    assert ">Player 3<" in text(visitor.get(address("decks", event.public_id)))
    rows = json.loads(visitor.get(table).content)["rows"]
    assert {row["by"] for row in rows} == {"lead", "factions"}
    assert all(row["low"] is None or row["low"] <= row["rate"] <= row["high"] for row in rows)
    assert queries_of(visitor, page) <= 20


@pytest.mark.parametrize(
    ("who", "told"), [("players", {"player": 200, "stranger": 403}), ("public", {"player": 200, "stranger": 200})]
)
def test_only_readers_who_can_see_decklists_can_see_statistics(
    cast: Cast, event: Event, who: str, told: dict[str, int]
) -> None:
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    page = address("statistics", event.public_id)
    table = address("export", event.public_id, "metagame", "csv")
    cells = {f"decklists.{each}.swiss": "never" for each in ("players", "public")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    route = f"/api/v1/events/{event.public_id}/exports/metagame/"
    for where in (page, table, route):
        # This fills the cache, which must not show the page to anybody else.
        assert signed_in(cast.judge).get(where).status_code == 200
        assert {signed_in(getattr(cast, name)).get(where).status_code for name in told} == {403}
    cells = {**cells, f"decklists.{who}.swiss": "after_event"}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    for where in (page, table, route):
        assert {name: signed_in(getattr(cast, name)).get(where).status_code for name in told} == told


def test_chart_coordinates_have_no_decimal_commas_in_french(
    cast: Cast, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not matches of the event: its random pairings may all be mirror matches, of which no rate is drawn.
    meetings = [Meeting("Red", "Blue", winner) for winner in (1, 0, 0)]
    monkeypatch.setattr(statistics, "metagame_of", lambda *_asked: metagame(["Red", "Blue"], meetings))
    client = signed_in(cast.judge)
    client.cookies["django_language"] = "fr"
    shown = text(client.get(address("statistics", event.public_id) + "?by=factions"))
    assert 'cx="' in shown and "," not in "".join(part.split('"')[0] for part in shown.split('cx="')[1:])


def test_decks_without_a_leader_or_faction_are_labelled_so(
    cast: Cast, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "metagame_of", lambda *_asked: metagame(["", "Red"], []))
    where = address("statistics", event.public_id)
    assert "no hero or commander" in text(signed_in(cast.judge).get(where))
    assert "no faction" in text(signed_in(cast.judge).get(where, {"by": FACTIONS}))
