"""Pages for leagues and for an organizer's player book: access, and what each action does."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, an_event, an_open_event, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tests.web.test_shell import INLINE
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.common import jobs
from tournaments.events.services import add_entrant
from tournaments.leagues.models import BookEntry, League
from tournaments.leagues.selectors import standings_of
from tournaments.leagues.services import add_event, create_league

# 10 and 6 points for the first two ranks, 1 point for attendance.
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
    """List the pages that the owner of a league can open."""
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
def test_every_page_opens_for_the_owner(cast, league, language):
    client = signed_in(cast.organizer)
    User.objects.filter(pk=cast.organizer.pk).update(language=language)
    for page in every_page(league, cast):
        shown = client.get(page)
        assert shown.status_code == 200, page
        assert not INLINE.search(text(shown)), page
        assert text(shown).count("<h1") == 1, page
        assert f'<html lang="{language}"' in text(shown), page


def test_a_private_league_is_hidden_from_others(cast, league):
    for client in (Client(), signed_in(cast.stranger), signed_in(cast.judge)):
        assert client.get(address("league", league.public_id)).status_code == 404
        assert client.get(address("league_export", league.public_id, "csv")).status_code == 404
        assert "Season" not in text(client.get("/leagues/"))


def test_an_unlisted_league_is_reachable_by_its_address_only(cast, league):
    League.objects.update(visibility="unlisted")
    page = Client().get(address("league", league.public_id))
    assert "Player 1" in text(page) and page["X-Robots-Tag"] == "noindex"
    assert "Season" not in text(Client().get("/leagues/"))
    League.objects.update(visibility="public")
    assert "Season" in text(Client().get("/leagues/"))


def test_only_the_owner_can_manage_a_league(cast, league):
    League.objects.update(visibility="public")
    event = league.events.get().public_id
    actions = [
        address("league_manage", league.public_id),
        address("league_event_add", league.public_id),
        address("league_event_remove", league.public_id, event),
        address("league_delete", league.public_id),
    ]
    for action in actions:
        assert signed_in(cast.stranger).post(action, FORM).status_code == 404, action
    assert League.objects.get().events.count() == 1


def test_a_new_league_gets_an_event_standings_and_an_export(cast, league):
    client = signed_in(cast.organizer)
    made = client.post("/leagues/new/", FORM)
    season = League.objects.exclude(pk=league.pk).get()
    assert made.url == address("league_manage", season.public_id)
    event = league.events.get().public_id
    client.post(address("league_event_add", season.public_id), {"event": event})
    jobs.run_due(NOW + timedelta(days=999))
    page = text(Client().get(address("league", season.public_id)))
    assert "Player 1" in page and "11" in page  # 10 for the first rank, 1 for attendance
    exported = Client().get(address("league_export", season.public_id, "json"))
    assert exported.json()["rows"][0]["total"] == "11"
    client.post(address("league_delete", season.public_id))
    assert not League.objects.filter(pk=season.pk).exists()


def test_the_history_of_a_league_names_its_events(cast, league):
    event = league.events.get()
    history = text(signed_in(cast.organizer).get(address("league_manage", league.public_id))).partition('id="ledger"')[
        2
    ]
    assert f"Event added to the league <strong>{event.name}</strong>" in history and event.public_id not in history


def test_an_event_of_somebody_else_cannot_be_added(cast, league):
    own = create_league(name="Mine", by=cast.stranger, now=NOW)
    event = league.events.get().public_id
    assert (
        signed_in(cast.stranger).post(address("league_event_add", own.public_id), {"event": event}).status_code == 422
    )
    assert own.events.count() == 0


def test_invalid_points_are_refused_and_the_input_is_kept(cast):
    answer = signed_in(cast.organizer).post("/leagues/new/", {**FORM, "by_rank": "10, x", "later": "-1"})
    assert answer.status_code == 422 and "10, x" in text(answer)
    assert not League.objects.exists()


def test_a_draft_event_in_a_league_is_shown_only_to_its_owner(cast, league):
    add_event(league=league, event=an_event(cast, name="Secret Open"), by=cast.organizer, now=NOW)
    League.objects.update(visibility="public")
    page = address("league", league.public_id)
    assert "Secret Open" in text(signed_in(cast.organizer).get(page))
    assert "Secret Open" not in text(Client().get(page))


def test_entries_of_the_player_book_can_be_edited_merged_and_split(cast, league):
    walk_in = add_entrant(event=an_open_event(cast), given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    typed, player = walk_in.member_set.get().person.public_id, own_person(cast.player).public_id
    client = signed_in(cast.organizer)
    client.post(address("book_entry", player), {"name": "The tall one", "notes": "Left-handed"})
    assert "The tall one" in text(client.get("/book/"))
    client.post(address("book_merge", typed), {"other": player})
    assert "Ada" in text(client.get(address("book_entry", player)))
    client.post(address("book_split", typed))
    assert not BookEntry.objects.exclude(same_as=None).exists()


def test_the_downloaded_data_include_notes_in_player_books(cast, league):
    player = own_person(cast.player)
    signed_in(cast.organizer).post(address("book_entry", player.public_id), {"name": "", "notes": "Left-handed"})
    (person,) = signed_in(cast.player).get(address("account_data")).json()["persons"]
    assert person["books"] == [{"name": "", "notes": "Left-handed"}]


def test_a_player_in_a_league_is_found_by_part_of_the_name(cast, league):
    League.objects.update(visibility="public")
    page = address("league", league.public_id)
    found = text(Client().get(f"{page}?find=ayer 1"))
    assert "Player 1" in found and "Player 2" not in found
    assert "Nobody here is called “nobody”." in text(Client().get(f"{page}?find=nobody"))


def test_a_player_book_is_hidden_from_everybody_but_its_owner(cast, league):
    player = own_person(cast.player).public_id
    for user in (cast.stranger, cast.scorekeeper, cast.player):
        assert signed_in(user).get(address("book_entry", player)).status_code == 404
        assert signed_in(user).post(address("book_entry", player), {"name": "x"}).status_code == 404
        assert signed_in(user).post(address("book_split", player)).status_code == 404
        assert "Player 2" not in text(signed_in(user).get("/book/"))
    assert Client().get("/book/").status_code == 302


def test_the_number_of_queries_does_not_grow_with_the_players(cast, league):
    League.objects.update(visibility="public")
    client, page = Client(), address("league", league.public_id)
    before = queries_of(client, page)
    event = a_running_event_of(cast, 6)
    add_event(league=league, event=event, by=cast.organizer, now=NOW)
    jobs.run_due(NOW + timedelta(minutes=1))
    assert len(standings_of(league, league.owner).lines) == 6
    assert queries_of(client, page) == before


def a_running_event_of(cast: Cast, players: int):
    event = a_running_event(cast, players=players)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    return event
