"""Pages of public profiles and of what an account follows."""

import pytest
from django.test import Client

from tests.builders import NOW, a_published_round, a_running_event, match_of, play_out
from tests.cast import Cast
from tests.web.pages import address, queries_of, signed_in, text
from tests.web.test_shell import INLINE
from tournaments.accounts.guardians import add_person
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.common import jobs
from tournaments.events.models import Event
from tournaments.play import services as play
from tournaments.profiles.models import Follow, Profile
from tournaments.profiles.services import hide_profile, show_profile

pytestmark = pytest.mark.django_db
FORM = {"shown": "on", "short_name": "player-1", "text": "Hello", "searchable": ""}


def shown(user, **said) -> Profile:
    return show_profile(person=own_person(user), now=NOW, **said)


@pytest.fixture
def event(cast: Cast) -> Event:
    """A running event of two players with one closed round."""
    made = a_running_event(cast, players=2)
    play_out(a_published_round(made, cast.organizer), cast.organizer)
    jobs.run_due(NOW)
    return made


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_every_page_opens_empty_and_with_an_event(cast: Cast, event: Event, language: str) -> None:
    shown(cast.player), shown(cast.opponent, short_name="rival"), shown(cast.stranger)
    me, child = own_person(cast.player).public_id, add_person(guardian=cast.player, given_name="Player 8").public_id
    client = signed_in(cast.player)
    User.objects.filter(pk=cast.player.pk).update(language=language)
    client.post(address("event_follow", event.public_id))
    client.post(address("player_follow", "@rival"))
    pages = [
        address("profile", me),
        address("profile", own_person(cast.stranger).public_id),
        address("head_to_head", me, "@rival"),
        address("head_to_head", me, own_person(cast.stranger).public_id),
        address("own_profile", me),
        address("own_profile", child),
        address("following"),
        "/",
    ]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200 and not INLINE.search(text(answer)), page
        assert f'<html lang="{language}"' in text(answer), page


def test_the_page_of_a_profile_shows_the_event_and_links_to_head_to_head(cast: Cast, event: Event) -> None:
    shown(cast.player, short_name="ace", text="Hello <b>you</b>"), shown(cast.opponent, short_name="rival")
    page = text(Client().get("/players/@ace/"))
    assert "Spring Open" in page and "Hello &lt;b&gt;you&lt;/b&gt;" in page and " of 2" in page
    assert "/players/@ace/against/@rival/" in page
    against = text(Client().get("/players/@ace/against/@rival/"))
    assert "Spring Open" in against
    assert cast.player.public_id not in page and "example.com" not in page


def test_a_profile_that_is_switched_off_is_not_found_by_anybody(cast: Cast) -> None:
    shown(cast.player), shown(cast.opponent)
    me, other = (own_person(user).public_id for user in (cast.player, cast.opponent))
    client = signed_in(cast.player)
    client.post(address("own_profile", me), {"short_name": "ace"})
    for browser in (client, Client()):
        assert browser.get(address("profile", me)).status_code == 404
        assert browser.get(address("head_to_head", other, me)).status_code == 404
    assert signed_in(cast.stranger).post(address("player_follow", me)).status_code == 404


def test_head_to_head_is_with_somebody_else(cast: Cast) -> None:
    me = shown(cast.player).address
    assert Client().get(address("head_to_head", me, me)).status_code == 404


def test_only_the_account_that_acts_for_a_person_changes_the_profile(cast: Cast) -> None:
    child = add_person(guardian=cast.player, given_name="Player 8")
    page = address("own_profile", child.public_id)
    assert signed_in(cast.stranger).post(page, FORM).status_code == 404
    assert Client().post(page, FORM)["Location"].startswith("/sign-in/")
    assert signed_in(cast.player).post(page, FORM).status_code == 302
    assert Profile.objects.get().person == child


def test_a_refused_profile_keeps_what_was_typed(cast: Cast) -> None:
    page = address("own_profile", own_person(cast.player).public_id)
    answer = signed_in(cast.player).post(page, {**FORM, "short_name": "admin"})
    assert answer.status_code == 422 and "reserved" in text(answer) and "Hello" in text(answer)


def test_search_engines_are_kept_out_unless_the_person_allows_them(cast: Cast) -> None:
    profile, rival = shown(cast.player), shown(cast.opponent, searchable=True)
    pages = [address("profile", profile.address), address("head_to_head", rival.address, profile.address)]
    assert [Client().get(page)["X-Robots-Tag"] for page in pages] == ["noindex", "noindex"]
    assert "X-Robots-Tag" not in Client().get(address("profile", rival.address))


def test_names_on_the_pages_of_an_event_link_to_profiles_and_no_longer_once_off(cast: Cast, event: Event) -> None:
    round_ = a_published_round(event, cast.organizer)
    entrant = match_of(round_, cast.player).seats.get(entrant__members=own_person(cast.player)).entrant
    pages = [
        address("entrants", event.public_id),
        address("standings", event.public_id),
        address("pairings", event.public_id, 2),
        address("pairings", event.public_id, 2) + "?by=name",
        address("entrant", event.public_id, entrant.public_id),
    ]
    for client in (Client(), signed_in(cast.stranger)):
        assert not any("/players/" in text(client.get(page)) for page in pages)
        shown(cast.player, short_name="ace")
        for page in pages:
            assert "/players/@ace/" in text(client.get(page)), page
        play.enter_result(match=round_.matches.get(), by=cast.organizer, games=(2, 0, 0), now=NOW)
        assert "/players/@ace/" in text(client.get(pages[2]))  # with the line of the match replaced
        hide_profile(person=own_person(cast.player))
        assert not any("/players/" in text(client.get(page)) for page in pages)


def test_following_is_one_button_and_a_list(cast: Cast, event: Event) -> None:
    client = signed_in(cast.stranger)
    page, follow = address("event", event.public_id), address("event_follow", event.public_id)
    assert follow in text(client.get(page)) and follow not in text(Client().get(page))
    assert client.post(follow)["Location"] == page
    assert "Stop following" in text(client.get(page))
    assert "Spring Open" in text(client.get(address("following")))
    assert "Following" in text(client.get("/")) and "Following" not in text(signed_in(cast.judge).get("/"))
    assert client.post(follow, {"stop": "", "next": "/account/following/"})["Location"] == "/account/following/"
    assert not Follow.objects.exists()


def test_nobody_sees_who_follows_whom(cast: Cast, event: Event) -> None:
    profile = shown(cast.player)
    signed_in(cast.stranger).post(address("player_follow", profile.address))
    page = address("profile", profile.address)
    assert "Stop following" in text(signed_in(cast.stranger).get(page))
    assert "ollowing" not in text(signed_in(cast.player).get(page))
    assert text(Client().get(page)).count("ollow") == 0


def test_the_download_of_ones_data_has_profile_and_follows(cast: Cast, event: Event) -> None:
    shown(cast.player, short_name="ace", text="Hello")
    rival, client = shown(cast.opponent), signed_in(cast.player)
    client.post(address("player_follow", rival.address))
    client.post(address("event_follow", event.public_id))
    data = client.get(address("account_data")).json()
    assert data["persons"][0]["profile"] == {
        "short_name": "ace",
        "text": "Hello",
        "searchable": False,
        "made": NOW.isoformat(),
    }
    assert [(each["event"], each["player"]) for each in data["follows"]] == [
        (None, rival.person.public_id),
        (event.public_id, None),
    ]


def test_the_page_of_a_profile_takes_few_queries(cast: Cast, event: Event) -> None:
    assert queries_of(Client(), address("profile", shown(cast.player).address)) == 8
