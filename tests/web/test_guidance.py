"""Guidance on pages: what the reader can do next, and links back to where they came from."""

import html
import re

import pytest
from django.test import Client

from tests.builders import (
    NOW,
    a_bracket,
    a_published_round,
    a_running_event,
    an_entrant,
    an_event,
    an_open_event,
    match_of,
    play_out,
)
from tests.cast import Cast
from tests.web.pages import address, signed_in, text
from tournaments.audits.models import Recording
from tournaments.decks.services import lock_decks
from tournaments.events.models import Event
from tournaments.events.services import choose_visibility, open_check_in
from tournaments.play import services as play
from tournaments.standings.services import compute_standings
from tournaments.web.words.boards import moves_words

pytestmark = pytest.mark.django_db
FEW = 12  # within this many moves a verb with several choices comes up
# The verb and the options of a choice on the recorder's page.
WHICH = r"</strong> ([^<]+)</p>\s*<div class=\"field\"><label[^>]*>Which one</label>(.*?)</select>"


@pytest.fixture
def finished(cast: Cast) -> Event:
    """A finished event with a bracket of four, in which the first seat won each match."""
    event = a_bracket(cast, players=4)
    for _round in range(2):
        play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.finish_event(event=event, by=cast.organizer, now=NOW)
    for stage in event.stages.all():
        compute_standings(stage_id=stage.pk, now=NOW)
    event.refresh_from_db()
    return event


def test_signing_in_from_the_header_returns_to_the_page(client: Client, cast: Cast) -> None:
    page = address("event", an_open_event(cast).public_id)
    assert text(client.get(page)).count(f"?next={page}") == 4, "twice in the head, twice where one registers"
    assert f'href="/sign-up/?next={page}"' in text(client.get(f"/sign-in/?next={page}"))
    for page in ("/", "/link/unknown/", "/password/", "/sign-in/?next=https://elsewhere.example/"):
        assert "?next=" not in text(client.get(page)).replace(page, ""), page


def test_a_finished_event_shows_its_podium(client: Client, finished: Event) -> None:
    shown = text(client.get(address("event", finished.public_id)))
    first = podium(shown)
    assert [rank for rank, _name in first] == ["1", "2", "3", "4"]
    assert len({name for _rank, name in first}) == 4
    assert '<dd class="num">1 + 2</dd>' in shown, "the rounds of both stages"


def podium(page: str) -> list[tuple[str, str]]:
    """Return (rank, name) of each player on the podium of a page."""
    return re.findall(r'podium__rank num">(\d).*?podium__name">([^<]+)<', page, re.DOTALL)


def test_the_podium_is_hidden_from_those_who_may_not_see_the_standings(
    client: Client, cast: Cast, finished: Event
) -> None:
    choose_visibility(event=finished, cells={"standings.public.cut": "never"}, by=cast.organizer, now=NOW)
    assert not podium(text(client.get(address("event", finished.public_id))))
    assert podium(text(signed_in(cast.player).get(address("event", finished.public_id))))


def test_a_player_sees_their_final_rank_on_their_page(cast: Cast, finished: Event) -> None:
    own = cast.player.persons.get().member_set.get(entrant__event=finished).entrant
    shown = text(signed_in(cast.player).get(address("me", finished.public_id)))
    rank = re.search(r"<strong>Rank (\d)</strong>", shown)
    assert rank
    assert (rank[1], own.name) in podium(text(signed_in(cast.player).get(address("event", finished.public_id))))


def test_a_bracket_rank_is_explained_and_links_back_to_its_stage(client: Client, finished: Event) -> None:
    table = text(client.get(address("standings", finished.public_id)))
    assert "After round 3" in table, "rounds are counted through the event"
    link = re.search(r'href="([^"]+/standings/[^"]+\?stage=2)"', table)
    assert link
    shown = text(client.get(link[1]))
    assert "how far a player got" in shown
    assert f'href="{address("stage", finished.public_id, 2)}"' in shown
    assert f'href="{address("standings", finished.public_id)}?stage=2"' in shown


def test_the_desk_of_a_finished_event_links_to_standings_and_exports(cast: Cast, finished: Event) -> None:
    shown = text(signed_in(cast.organizer).get(address("staff", finished.public_id)))
    card = shown[shown.index("Nothing left to do") :].split("</section>")[0]
    assert address("standings", finished.public_id) in card
    assert address("exports", finished.public_id) in card


def test_a_player_is_told_the_next_step_in_each_state_before_round_1(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.player)
    player, page = signed_in(cast.player), address("me", event.public_id)
    assert "Submit your decklist before the lists are locked." in text(player.get(page))
    lock_decks(event=event, by=cast.organizer, now=NOW)
    assert "Registration is closed, and decklists can no longer change." in text(player.get(page))
    open_check_in(event=event, by=cast.organizer, now=NOW)
    assert "Check in here, or you will not be paired." in text(player.get(page))
    player.post(address("check_in_self", event.public_id))
    assert "Your table appears here by itself" in text(player.get(page))


def test_an_event_without_required_decklists_says_so_and_does_not_warn(cast: Cast) -> None:
    event = an_open_event(cast, preset="free")
    an_entrant(event, cast.player, deck=None)
    player = signed_in(cast.player)
    shown = text(player.get(address("me", event.public_id)))
    assert "You may play without one." in shown
    assert "Not submitted" not in shown
    assert "You may play without one." in text(player.get(address("deck", event.public_id)))
    organizer = signed_in(cast.organizer)
    optional = text(organizer.get(address("staff_format", event.public_id)))
    assert "Lists are optional: players without one can play." in optional
    asking = text(organizer.get(address("staff_format", an_event(cast).public_id)))
    assert "To play without lists, choose “Not collected”" in html.unescape(asking)


def test_the_table_number_comes_before_the_first_visit_guide(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    shown = text(signed_in(cast.player).get(address("me", event.public_id)))
    assert shown.index("seat-number") < shown.index("guide-player")
    desk = text(signed_in(cast.organizer).get(address("staff", event.public_id)))
    assert desk.index('id="next"') < desk.index("guide-organizer")


def test_a_round_page_links_desk_staff_to_the_results_desk(cast: Cast) -> None:
    event = a_running_event(cast, players=2)
    a_published_round(event, cast.organizer)
    page, results = address("staff_round", event.public_id, 1), address("staff_results", event.public_id, 1)
    assert f'<a class="button" href="{results}">' in text(signed_in(cast.organizer).get(page))
    assert results not in text(signed_in(cast.judge).get(page))


def test_the_lowest_role_is_offered_first(cast: Cast) -> None:
    shown = text(signed_in(cast.organizer).get(address("staff_team", an_open_event(cast).public_id)))
    for select in re.findall(r"<select name=\"role\".*?</select>", shown, re.DOTALL):
        assert re.findall(r'value="(\w+)"', select)[0] == "judge"


def test_moves_to_choose_from_are_sentences_that_differ() -> None:
    play = {"by": "A", "do": "play", "args": {"card": "DEMO-1", "territory": 2, "slot": 3}}
    slots = [{"by": "A", "do": "attack", "args": {"territory": 2, "attackers": [n], "target": 1}} for n in (1, 2)]
    at = {"A/T2/fighters/1": "DEMO-1", "A/T2/fighters/2": "DEMO-1", "B/T2/fighters/1": "DEMO-2"}
    moves = [play, *({**attack, "at": at} for attack in slots)]
    assert moves_words("star-safir", moves, {"DEMO-1": "Colosse Bleu", "DEMO-2": "Chien"}) == [
        "Plays Colosse Bleu in territory 2, slot 3",
        "Colosse Bleu (slot 1 of A’s territory 2) attacks Chien in territory 2",
        "Colosse Bleu (slot 2 of A’s territory 2) attacks Chien in territory 2",
    ]


def test_the_recorder_shows_a_verb_once_above_its_choices(cast: Cast) -> None:
    match = match_of(a_published_round(a_running_event(cast, players=2), cast.organizer), cast.player)
    judge = signed_in(cast.judge)
    judge.post(address("record_open", match.public_id, 1))
    page = address("record", Recording.objects.get().public_id)
    for n in range(1, FEW):  # record the first move offered, with the proposed random outcome, until there is a choice
        shown = text(judge.get(page))
        groups = re.findall(WHICH, shown, re.DOTALL)
        if groups:
            break
        move, chance = (re.search(rf'name="{name}" value="([^"]+)"', shown) for name in ("move", "given"))
        assert move
        form = {"n": n, "key": f"a-key-of-the-page-{n}", "move": html.unescape(move[1])}
        if chance:
            form["chance"] = html.unescape(chance[1])
        assert judge.post(page, form).status_code == 302, form
    assert groups
    for verb, options in groups:
        said = re.findall(r"<option[^>]*>([^<]+)</option>", options)
        assert len(said) > 1
        assert not [words for words in said if words.startswith(verb)]
