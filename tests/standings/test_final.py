"""The final ranking over all stages, the winners, and their picture."""

from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.builders import NOW, a_bracket, a_published_round, a_running_event, play_out
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.common import jobs
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility
from tournaments.exports.datasets import table_of
from tournaments.paper.sheets import sheets_of
from tournaments.play import services as play
from tournaments.play.field import bracket_of
from tournaments.standings.selectors import final_rows, in_final_order, standings_of
from tournaments.standings.winners import winners_of

pytestmark = pytest.mark.django_db


def row(entrant: str, rank: int, points: int = 0) -> dict[str, object]:
    return {"entrant": entrant, "rank": rank, "points": points}


def test_bracket_players_rank_first_and_seeds_order_those_knocked_out_together() -> None:
    swiss = [row("a", 1, 9), row("b", 2, 6), row("c", 3, 6), row("d", 4, 3), row("e", 5, 3), row("f", 5, 3)]
    bracket = [row("d", 1), row("b", 2), row("a", 3), row("c", 3)]
    ranked = in_final_order([swiss, bracket], seeded={2})
    assert [(each["entrant"], each["rank"], each["stage"]) for each in ranked] == [
        ("d", 1, 2),
        ("b", 2, 2),
        ("a", 3, 2),
        ("c", 4, 2),
        ("e", 5, 1),
        ("f", 5, 1),
    ]
    assert [each["points"] for each in ranked] == [3, 6, 9, 6, 3, 3]


def test_ties_in_a_later_stage_without_seeds_follow_the_stage_before() -> None:
    first, second = [row("a", 1), row("b", 2), row("c", 2)], [row("c", 1), row("b", 1), row("a", 1)]
    assert [(each["entrant"], each["rank"]) for each in in_final_order([first, second])] == [
        ("a", 1),
        ("c", 2),
        ("b", 2),
    ]


def test_ties_in_the_first_stage_remain() -> None:
    assert [each["rank"] for each in in_final_order([[row("a", 1), row("b", 1), row("c", 3)], []])] == [1, 1, 3]


@pytest.fixture
def event(cast: Cast) -> Event:
    """A finished event: six players, a top four with a third-place match, and every match won by seat 2."""
    event = a_bracket(cast, players=6, rounds=2, cut_top=4, third_place=True)
    for _round in range(2):
        play_out(a_published_round(event, cast.organizer), cast.organizer, (0, 2, 0))
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    event.refresh_from_db()
    return event


def order_of(event: Event) -> list[str]:
    """The expected ranking: the top four by the bracket, then the others by their Swiss rank."""
    slots = bracket_of(event.stages.get(number=2)).slots
    final, third = (next(slot for key, slot in slots.items() if key == node) for node in ("W2.1", "T1"))
    first = [final.winner, final.loser, third.winner, third.loser]
    swiss = [each["entrant"] for each in standings_of(event.stages.get(number=1)).rows]
    return [*(player or "" for player in first), *(player for player in swiss if player not in first)]


def test_the_final_ranking_is_the_same_on_page_paper_export_and_api(event: Event) -> None:
    expected = order_of(event)
    names = {entrant.public_id: entrant.name for entrant in event.entrants.all()}
    assert [each["entrant"] for each in final_rows(event)] == expected
    assert [each["rank"] for each in final_rows(event)][:4] == [1, 2, 3, 4]
    exported = table_of(event, "final", {"public"}).as_dicts()
    assert [each["entrant"] for each in exported] == expected
    assert [each["structure"] for each in exported] == ["single_elimination"] * 4 + ["swiss"] * 2
    full = {entrant.public_id: entrant.full_name for entrant in event.entrants.all()}
    for_staff = table_of(event, "final", {"public", "staff"}).as_dicts()
    assert [each["name"] for each in for_staff] == [full[player] for player in expected]
    (sheet,) = sheets_of(event, None, "final")
    assert [line[1] for line in sheet.rows] == [names[player] for player in expected]
    told = Client().get(reverse("api:final", args=[event.public_id])).json()
    assert told["final"] and [each["entrant"]["id"] for each in told["rows"]] == expected
    assert [each["entrant"]["id"] for each in told["winners"]] == expected[:4]
    page = text(Client().get(address("final", event.public_id)))
    assert f'<a href="{address("standings", event.public_id)}" aria-current="page">' in page
    table = page[page.index("<tbody>") :]
    assert sorted(names.values(), key=table.index) == [names[player] for player in expected]


def test_a_finished_event_shows_its_winners_and_a_picture_for_sharing(event: Event) -> None:
    page = text(Client().get(address("event", event.public_id)))
    winner = event.entrants.get(public_id=order_of(event)[0]).name
    assert "Winners" in page and f"1. {winner}" in page and address("winners", event.public_id) in page
    picture = Client().get(address("winners", event.public_id))
    assert picture["Content-Type"] == "image/png"
    assert Image.open(BytesIO(picture.content)).size == (1200, 630)


def test_winners_decks_are_shown_to_readers_who_can_see_decklists(event: Event, cast: Cast) -> None:
    assert [each.deck for each in winners_of(event, {"public"}, "en")] == [None] * 4
    cells = {f"decklists.public.{part}": "now" for part in ("swiss", "cut")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    winners = winners_of(event, {"public"}, "en")
    assert all(each.deck for each in winners) and any(each.lead for each in winners)
    assert text(Client().get(address("event", event.public_id))).count(">Decklist<") == 4


def test_hidden_standings_hide_the_final_ranking_and_the_picture(event: Event, cast: Cast) -> None:
    cells = {f"standings.public.{part}": "never" for part in ("swiss", "cut")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    for page in ("final", "winners"):
        assert Client().get(address(page, event.public_id)).status_code == 403
        assert signed_in(cast.organizer).get(address(page, event.public_id)).status_code == 200
    assert Client().get(reverse("web:export", args=[event.public_id, "final", "csv"])).status_code == 403
    assert Client().get(reverse("api:final", args=[event.public_id])).status_code == 403
    assert "Winners" not in text(Client().get(address("event", event.public_id)))


def test_a_running_event_has_a_ranking_so_far_but_no_picture(cast: Cast) -> None:
    running = a_running_event(cast)
    assert "No standings yet" in text(Client().get(address("final", running.public_id)))
    assert Client().get(address("winners", running.public_id)).status_code == 404
    play_out(a_published_round(running, cast.organizer), cast.organizer)
    jobs.run_due(NOW)
    assert "Current ranking" in text(Client().get(address("final", running.public_id)))
    told = Client().get(reverse("api:final", args=[running.public_id])).json()
    assert (told["final"], told["winners"], len(told["rows"])) == (False, [], 4)
