"""Pages of leagues and of the player book: who sees them, and the way from one to the next."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, an_event, an_open_event, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tests.web.test_shell import INLINE
from tournaments.accounts.services import own_person
from tournaments.common import jobs
from tournaments.events.services import add_entrant
from tournaments.leagues.models import BookEntry, League
from tournaments.leagues.selectors import standings_of
from tournaments.leagues.services import add_event, create_league

FORM = {
    "name": "Season",
    "visibility": "unlisted",
    "by_rank": "10, 6",
    "later": "0",
    "per_match_point": "0",
    "attendance": "1",
    "best": "",
}


@pytest.fixture
def league(cast: Cast) -> League:
    """A private league with one played event."""
    event = a_running_event(cast, players=2)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    made = create_league(name="Season", by=cast.organizer, now=NOW, rules={"best": 2})
    add_event(league=made, event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW + timedelta(minutes=1))
    return made


def every_page(league: League, cast: Cast) -> list[str]:
    """The pages that an owner reads."""
    person = own_person(cast.player).public_id
    return [
        "/leagues/",
        "/leagues/new/",
        address("league", league.public_id),
        address("league_player", league.public_id, person),
        address("league_manage", league.public_id),
        "/book/",
        address("book_entry", person),
    ]


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_every_page_of_the_owner_shows(cast, league, language):
    client = signed_in(cast.organizer)
    client.cookies["django_language"] = language
    for page in every_page(league, cast):
        shown = client.get(page)
        assert shown.status_code == 200, page
        assert not INLINE.search(text(shown)), page
        assert text(shown).count("<h1") == 1, page


def test_a_private_league_is_nowhere_for_others(cast, league):
    for client in (Client(), signed_in(cast.stranger), signed_in(cast.judge)):
        assert client.get(address("league", league.public_id)).status_code == 404
        assert client.get(address("league_export", league.public_id, "csv")).status_code == 404
        assert "Season" not in text(client.get("/leagues/"))


def test_an_unlisted_league_is_read_by_its_address_and_listed_nowhere(cast, league):
    League.objects.update(visibility="unlisted")
    page = Client().get(address("league", league.public_id))
    assert "Player 1" in text(page) and page["X-Robots-Tag"] == "noindex"
    assert "Season" not in text(Client().get("/leagues/"))
    League.objects.update(visibility="public")
    assert "Season" in text(Client().get("/leagues/"))


def test_nobody_but_the_owner_manages(cast, league):
    League.objects.update(visibility="public")
    event = league.events.get().public_id
    gestures = [
        address("league_manage", league.public_id),
        address("league_event_add", league.public_id),
        address("league_event_remove", league.public_id, event),
        address("league_delete", league.public_id),
    ]
    for gesture in gestures:
        assert signed_in(cast.stranger).post(gesture, FORM).status_code == 404, gesture
    assert League.objects.get().events.count() == 1


def test_the_way_from_a_new_league_to_its_standings(cast, league):
    client = signed_in(cast.organizer)
    made = client.post("/leagues/new/", FORM)
    season = League.objects.exclude(pk=league.pk).get()
    assert made.url == address("league_manage", season.public_id)
    event = league.events.get().public_id
    client.post(address("league_event_add", season.public_id), {"event": event})
    jobs.run_due(NOW + timedelta(days=999))
    page = text(Client().get(address("league", season.public_id)))
    assert "Player 1" in page and "11" in page
    exported = Client().get(address("league_export", season.public_id, "json"))
    assert exported.json()["rows"][0]["total"] == "11"
    client.post(address("league_delete", season.public_id))
    assert not League.objects.filter(pk=season.pk).exists()


def test_an_event_of_others_cannot_be_added(cast, league):
    own = create_league(name="Mine", by=cast.stranger, now=NOW)
    event = league.events.get().public_id
    assert (
        signed_in(cast.stranger).post(address("league_event_add", own.public_id), {"event": event}).status_code == 422
    )
    assert own.events.count() == 0


def test_wrong_figures_come_back_with_what_was_typed(cast):
    answer = signed_in(cast.organizer).post("/leagues/new/", {**FORM, "by_rank": "10, x", "later": "-1"})
    assert answer.status_code == 422 and "10, x" in text(answer)
    assert not League.objects.exists()


def test_a_draft_in_a_league_is_for_its_owner_alone(cast, league):
    add_event(league=league, event=an_event(cast, name="Secret Open"), by=cast.organizer, now=NOW)
    League.objects.update(visibility="public")
    page = address("league", league.public_id)
    assert "Secret Open" in text(signed_in(cast.organizer).get(page))
    assert "Secret Open" not in text(Client().get(page))


def test_the_book_keeps_merges_and_splits(cast, league):
    walk_in = add_entrant(event=an_open_event(cast), given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    typed, player = walk_in.member_set.get().person.public_id, own_person(cast.player).public_id
    client = signed_in(cast.organizer)
    client.post(address("book_entry", player), {"name": "The tall one", "notes": "Left-handed"})
    assert "The tall one" in text(client.get("/book/"))
    client.post(address("book_merge", typed), {"other": player})
    assert "Ada" in text(client.get(address("book_entry", player)))
    client.post(address("book_split", typed))
    assert not BookEntry.objects.exclude(same_as=None).exists()


def test_who_asks_for_all_that_is_kept_reads_what_a_book_says(cast, league):
    player = own_person(cast.player)
    signed_in(cast.organizer).post(address("book_entry", player.public_id), {"name": "", "notes": "Left-handed"})
    (person,) = signed_in(cast.player).get(address("account_data")).json()["persons"]
    assert person["books"] == [{"name": "", "notes": "Left-handed"}]


def test_a_player_of_a_league_is_found_by_a_part_of_the_name(cast, league):
    League.objects.update(visibility="public")
    page = address("league", league.public_id)
    found = text(Client().get(f"{page}?find=ayer 1"))
    assert "Player 1" in found and "Player 2" not in found
    assert "Nobody here is called “nobody”." in text(Client().get(f"{page}?find=nobody"))


def test_the_book_of_another_is_not_there(cast, league):
    player = own_person(cast.player).public_id
    for user in (cast.stranger, cast.scorekeeper, cast.player):
        assert signed_in(user).get(address("book_entry", player)).status_code == 404
        assert signed_in(user).post(address("book_entry", player), {"name": "x"}).status_code == 404
        assert signed_in(user).post(address("book_split", player)).status_code == 404
        assert "Player 2" not in text(signed_in(user).get("/book/"))
    assert Client().get("/book/").status_code == 302


def test_the_standings_cost_the_same_for_more_players(cast, league):
    League.objects.update(visibility="public")
    client, page = Client(), address("league", league.public_id)
    before = queries_of(client, page)
    event = a_running_event_of(cast, 6)
    add_event(league=league, event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW + timedelta(minutes=1))
    assert len(standings_of(league).lines) == 6
    assert queries_of(client, page) == before


def a_running_event_of(cast: Cast, players: int):
    event = a_running_event(cast, players=players)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return event
