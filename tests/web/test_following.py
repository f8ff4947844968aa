"""Following a player: the page of an entrant, what it hides, and the tables of those whom a browser follows."""

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, an_event, match_of, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.common.reading import forget_kept
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import choose_visibility
from tournaments.play.models import Match, Round
from tournaments.standings.services import compute_standings
from tournaments.web.live.topics import about
from tournaments.web.pages.public.following import MOST_FOLLOWED

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    """Six players in their second round, the first with results and standings."""
    event = a_running_event(cast, players=6)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    a_published_round(event, cast.organizer)
    return event


@pytest.fixture
def match(event: Event, cast: Cast) -> Match:
    return match_of(Round.objects.get(number=2), cast.player)


@pytest.fixture
def player(event: Event, cast: Cast) -> Entrant:
    return event.entrants.get(member__person__account=cast.player)


def page_of(entrant: Entrant, client: Client | None = None) -> str:
    return text((client or Client()).get(address("entrant", entrant.event.public_id, entrant.public_id)))


def opponent_of(entrant: Entrant, number: int) -> Entrant:
    seat = Match.objects.get(round__number=number, seats__entrant=entrant).seats.exclude(entrant=entrant).get()
    return seat.entrant


def hide(event: Event, cast: Cast, *what: str) -> None:
    cells = {f"{each}.{who}.swiss": "never" for each in what for who in ("public", "players")}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)


def test_the_page_shows_the_table_the_earlier_rounds_and_the_place(player: Entrant, match: Match) -> None:
    page = page_of(player)
    assert f'<p class="seat-number"><a href="{address("match", match.public_id)}">{match.table}</a>' in page
    now, later = page.split('id="place-title"')
    place, earlier = later.split('id="history"')
    assert opponent_of(player, 2).name in now and "No result yet" in now
    assert opponent_of(player, 1).name in earlier and "2–0" in earlier.replace("0–2", "2–0")
    assert "After round 1" in place and address("standing", player.event.public_id, player.public_id) in place
    assert "clock" in now


def test_the_page_follows_its_own_matches_and_everybodys_clock(player: Entrant, match: Match) -> None:
    live = page_of(player).split('id="entrant"')[1].split('data-live="')[1].split('"')[0].split()
    assert {"round", "clock", "standings", about("result", match.public_id), about("table", match.public_id)} <= {*live}
    assert "result" not in live, "the results of others concern it only in the standings"


def test_names_lead_to_the_page_from_pairings_standings_and_entrants(player: Entrant, client: Client) -> None:
    event = player.event.public_id
    where = f'href="{address("entrant", event, player.public_id)}"'
    pairings = address("pairings", event, 2)
    for page in (pairings, f"{pairings}?by=name", address("standings", event), address("entrants", event)):
        assert where in text(client.get(page)), page


def test_what_the_event_hides_is_not_on_the_page(event: Event, player: Entrant, match: Match, cast: Cast) -> None:
    hide(event, cast, "pairings")
    page = page_of(player)
    assert "The pairings are hidden for now." in page
    assert match.public_id not in page and opponent_of(player, 1).name not in page
    assert 'id="place-title"' in page and address("standing", event.public_id, player.public_id) not in page
    told = Client().get(f"/api/v1/entrants/{player.public_id}/progress/").json()
    assert (told["match"], told["earlier"], told["pairings_hidden"]) == (None, [], True)
    hide(event, cast, "standings")
    page = page_of(player)
    assert "The standings are hidden for now." in page and 'id="place-title"' not in page
    told = Client().get(f"/api/v1/entrants/{player.public_id}/progress/").json()
    assert (told["place"], told["standings_hidden"]) == (None, True)
    assert 'id="place-title"' in page_of(player, signed_in(cast.judge)), "staff see it"


def test_an_event_or_entrant_that_is_not_public_has_no_page(player: Entrant, cast: Cast) -> None:
    draft = an_event(cast)
    for who in (Client(), signed_in(cast.stranger)):
        assert who.get(address("entrant", player.event.public_id, "p-nobody")).status_code == 404
        assert who.get(address("entrant", draft.public_id, player.public_id)).status_code == 404
    Event.objects.filter(pk=player.event.pk).update(status=Event.Status.DRAFT)
    forget_kept()
    for who in (Client(), signed_in(cast.stranger)):
        assert who.get(address("entrant", player.event.public_id, player.public_id)).status_code == 404
        assert who.get(f"/api/v1/entrants/{player.public_id}/progress/").status_code == 404


def test_an_opponent_of_a_draft_is_not_shown(event: Event, player: Entrant, cast: Cast) -> None:
    Round.objects.filter(number=2).update(status=Round.Status.DRAFT)
    forget_kept()
    match = Match.objects.get(round__number=2, seats__entrant=player)
    for who in (Client(), signed_in(cast.player), signed_in(cast.judge)):
        assert match.public_id not in page_of(player, who)
    assert "The next table appears here" in page_of(player)


def test_the_api_gives_what_the_page_shows(player: Entrant, match: Match, client: Client) -> None:
    told = client.get(f"/api/v1/entrants/{player.public_id}/progress/").json()
    assert (told["entrant"]["id"], told["round"], told["status"]) == (player.public_id, 2, "registered")
    assert (told["match"]["id"], told["match"]["table"]) == (match.public_id, match.table)
    assert [each["round"] for each in told["earlier"]] == [1]
    assert (told["place"]["round"], sum(told["place"]["record"])) == (1, 1)
    assert told["clock"]["state"] == "ready"
    assert (told["pairings_hidden"], told["standings_hidden"]) == (False, False)


def test_the_number_of_queries_does_not_grow_with_the_rounds(event: Event, player: Entrant, cast: Cast) -> None:
    where, reader = address("entrant", event.public_id, player.public_id), signed_in(cast.stranger)
    forget_kept()
    before = queries_of(reader, where)
    play_out(Round.objects.get(number=2), cast.organizer)
    a_published_round(event, cast.organizer)
    forget_kept()
    assert queries_of(reader, where) == before


def test_the_tables_of_followed_players_are_listed(event: Event, player: Entrant, match: Match, client: Client) -> None:
    where = address("followed", event.public_id, 2)
    both = [seat.entrant for seat in match.seats.all()]
    other = event.entrants.exclude(pk__in=[each.pk for each in both]).first()
    assert other is not None
    query = "&".join(f"who={each.public_id}" for each in (player, other))
    part = text(client.get(f"{where}?{query}", headers={"HX-Request": "true"}))
    assert "<html" not in part and part.count("<li>") == 2
    assert all(f"<strong>{each.name}</strong>" in part for each in (player, other))
    assert address("match", match.public_id) in part
    nobody = text(client.get(f"{where}?who=p-nobody", headers={"HX-Request": "true"}))
    assert "<li>" not in nobody and " hidden>" in nobody
    many = "&".join(f"who=p-{n}" for n in range(MOST_FOLLOWED)) + f"&who={player.public_id}"
    assert player.name not in text(client.get(f"{where}?{many}")), "no more than the limit"


def test_the_pairings_page_has_a_place_for_them_and_nothing_of_them(event: Event, client: Client) -> None:
    page = text(client.get(address("pairings", event.public_id, 2)))
    assert f'data-followed="{address("followed", event.public_id, 2)}"' in page
    assert "Players you follow" not in page
