"""The menu of an event's desk: its pages in groups, with those needed now first."""

import pytest

from tests.builders import NOW, a_published_round, a_running_event, an_event, an_open_event, play_out
from tests.cast import Cast
from tests.web.pages import address, signed_in
from tournaments.accounts.models import User
from tournaments.events.models import Event
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


def menu(user: User, event: Event) -> dict[str, list[str]]:
    """Map each group of the menu to the labels of its links."""
    shown = signed_in(user).get(address("staff", event.public_id)).context["menu"]
    return {group.key: [link.words for link in group.links] for group in shown}


def test_the_links_needed_now_follow_the_state_of_the_event(cast: Cast) -> None:
    draft = menu(cast.organizer, an_event(cast))
    assert draft["now"][:2] == ["Details of the event", "Stages"]
    assert menu(cast.organizer, an_open_event(cast))["now"][0] == "Entrants and lists"
    event = a_running_event(cast, rounds=2)
    a_published_round(event, cast.organizer)
    running = menu(cast.organizer, event)
    assert running["now"][:2] == ["Round 1", "Results"]
    assert "rounds" not in running and "Deck format" in running["setting-up"] and "Exports" in running["afterwards"]
    for round_ in (event.stages.get().rounds.get(), None):
        play_out(round_ or a_published_round(event, cast.organizer), cast.organizer)
    assert menu(cast.organizer, event)["rounds"] == ["Round 1"]
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    over = menu(cast.organizer, event)
    assert over["now"][:2] == ["Standings", "Exports"] and over["rounds"] == ["Round 2", "Round 1"]


@pytest.mark.slow
def test_every_link_is_in_one_group_only_and_opens_for_its_reader(cast: Cast) -> None:
    event = a_running_event(cast)
    a_published_round(event, cast.organizer)
    for user in (cast.organizer, cast.scorekeeper, cast.judge):
        client = signed_in(user)
        groups = client.get(address("staff", event.public_id)).context["menu"]
        links = [link.address for group in groups for link in group.links]
        assert len(links) == len(set(links)) > 6
        assert {link: client.get(link).status_code for link in links} == dict.fromkeys(links, 200)
