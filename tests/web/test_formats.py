"""Pages for deck formats, sealed pools, saved formats and copies of events: access and actions."""

import pytest
from django.test import Client
from django.utils.html import escape

from engine.core.cards.catalog import shipped_catalogs
from tests.builders import NOW, a_pool, a_sealed_event, an_entrant, an_event, misspelt, sealed_texts
from tests.cast import Cast, account
from tests.web.pages import address, queries_of, signed_in, text
from tournaments.accounts.models import User
from tournaments.decks.models import Decklist, Pool
from tournaments.decks.services import lock_decks
from tournaments.events.models import Entrant, Event, SavedFormat, Stage
from tournaments.events.services import grant_role, save_format

pytestmark = pytest.mark.django_db
POOL, DECK = sealed_texts(1)


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_sealed_event(cast)


@pytest.fixture
def entrant(event: Event, cast: Cast) -> Entrant:
    return an_entrant(event, cast.player, deck=None)


def staff_pages(event: Event, entrant: Entrant) -> dict[str, tuple[str, str]]:
    """Map each staff page to (a role that may use it, a role that is too low to act on it)."""
    return {
        address("staff_format", event.public_id): ("organizer", "scorekeeper"),
        address("staff_pools", event.public_id): ("organizer", "scorekeeper"),
        address("staff_type_pool", event.public_id, entrant.public_id): ("scorekeeper", "judge"),
    }


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_each_staff_page_opens_for_its_role_in_every_language(
    event: Event, entrant: Entrant, cast: Cast, language: str
) -> None:
    User.objects.update(language=language)
    for page, (role, _low) in staff_pages(event, entrant).items():
        response = signed_in(User.objects.get(pk=getattr(cast, role).pk)).get(page)
        assert (response.status_code, f'<html lang="{language}"' in text(response)) == (200, True), page


def test_staff_pages_are_hidden_from_strangers_and_refused_to_lower_roles(
    event: Event, entrant: Entrant, cast: Cast
) -> None:
    for page, (_role, low) in staff_pages(event, entrant).items():
        for method in ("get", "post"):
            assert getattr(signed_in(cast.stranger), method)(page).status_code == 404, page
        assert "role_too_low" in text(signed_in(getattr(cast, low)).post(page)), page
        assert Client().get(page).status_code == 302, page


def test_a_player_registers_a_pool_and_then_a_deck(event: Event, entrant: Entrant, cast: Cast) -> None:
    client = signed_in(cast.player)
    deck, pool = address("deck", event.public_id), address("my_pool", event.public_id)
    assert "Register your pool first" in text(client.get(deck))
    assert address("my_pool", event.public_id) in text(client.get(address("me", event.public_id)))
    refused = client.post(pool, {"text": "1 Nobody Knows"})
    assert (refused.status_code, "deck_unreadable" in text(refused)) == (422, True)
    assert client.post(pool, {"text": POOL}).url == deck
    assert client.post(deck, {"text": DECK}).status_code == 302
    assert (Pool.objects.get().count, Decklist.objects.get().legal) == (40, True)
    assert Pool.objects.get().digest in text(client.get(pool))


@pytest.mark.parametrize("page", ["my_pool", "staff_type_pool"])
def test_a_suggestion_corrects_a_line_of_a_pool_and_saves_nothing(
    event: Event, entrant: Entrant, cast: Cast, page: str
) -> None:
    player = page == "my_pool"
    client = signed_in(cast.player if player else cast.scorekeeper)
    path = address(page, event.public_id) if player else address(page, event.public_id, entrant.public_id)
    pool = misspelt(POOL, shipped_catalogs("altered")[0])
    assert f'value="{escape(pool.button)}"' in text(client.post(path, {"text": pool.text}))
    applied = client.post(path, {"text": pool.text, "suggestion": pool.button})
    assert (applied.status_code, "Every line can be read now." in text(applied)) == (422, True)
    assert not Pool.objects.exists()
    assert client.post(path, {"text": pool.corrected}).status_code == 302
    assert Pool.objects.get().count == 40


def test_a_deck_without_a_pool_is_refused(event: Event, entrant: Entrant, cast: Cast) -> None:
    response = signed_in(cast.player).post(address("deck", event.public_id), {"text": DECK})
    assert (response.status_code, "pool_missing" in text(response)) == (409, True)


def test_after_the_lock_a_pool_is_read_only(event: Event, entrant: Entrant, cast: Cast) -> None:
    a_pool(entrant, cast.player)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    page = text(signed_in(cast.player).get(address("my_pool", event.public_id)))
    assert "<textarea" not in page and "counts for the whole event" in page


def test_the_pool_page_exists_only_for_players_of_a_limited_event(entrant: Entrant, event: Event, cast: Cast) -> None:
    other = an_event(cast)
    Event.objects.filter(pk=other.pk).update(status="registration")
    an_entrant(Event.objects.get(pk=other.pk), cast.player, deck=None)
    assert signed_in(cast.player).get(address("my_pool", other.public_id)).status_code == 404
    assert signed_in(cast.opponent).get(address("my_pool", event.public_id)).status_code == 404


def test_the_desk_can_type_in_a_pool(event: Event, entrant: Entrant, cast: Cast) -> None:
    client = signed_in(cast.scorekeeper)
    page = address("staff_type_pool", event.public_id, entrant.public_id)
    assert page in text(client.get(address("staff_pools", event.public_id)))
    faulty = client.post(page, {"text": "1 Nobody Knows"})
    assert (faulty.status_code, "Nobody Knows" in text(faulty)) == (422, True)
    assert client.post(page, {"text": POOL}).url == address("staff_pools", event.public_id)
    assert Pool.objects.get().registered_by == cast.scorekeeper


def test_staff_who_play_cannot_type_in_pools_of_others(event: Event, entrant: Entrant, cast: Cast) -> None:
    an_entrant(event, cast.scorekeeper, deck=None)
    page = address("staff_type_pool", event.public_id, entrant.public_id)
    assert "staff_who_play" in text(signed_in(cast.scorekeeper).get(page))
    overview = text(signed_in(cast.scorekeeper).get(address("staff_pools", event.public_id)))
    assert page not in overview


def test_a_pool_is_visible_as_the_event_chooses(event: Event, entrant: Entrant, cast: Cast) -> None:
    page = address("pool", a_pool(entrant, cast.player).pk)
    answers = {name: signed_in(getattr(cast, name)).get(page).status_code for name in ("player", "judge", "stranger")}
    assert answers == {"player": 200, "judge": 200, "stranger": 404}
    assert Client().get(page).status_code == 404
    signed_in(cast.organizer).post(address("staff_pools", event.public_id), {"shown": "locked"})
    lock_decks(event=event, by=cast.organizer, now=NOW)
    assert Client().get(page).status_code == 200
    assert Client().get(address("pool", 10**9)).status_code == 404


def test_a_pool_is_found_by_part_of_a_name(event: Event, entrant: Entrant, cast: Cast) -> None:
    a_pool(entrant, cast.player)
    an_entrant(event, cast.opponent, deck=None)
    client, page = signed_in(cast.scorekeeper), address("staff_pools", event.public_id)
    both, found, none = (text(client.get(page + find)) for find in ("", "?find=ayer 1", "?find=nobody"))
    assert "Player 1" in both and "Player 2" in both
    assert "Player 1" in found and "Player 2" not in found
    assert "Nobody here is called “nobody”." in none


def test_the_number_of_queries_does_not_grow_with_the_pools(event: Event, entrant: Entrant, cast: Cast) -> None:
    a_pool(entrant, cast.player)
    client, page = signed_in(cast.organizer), address("staff_pools", event.public_id)
    one = queries_of(client, page)
    for number in range(4):
        user = account(f"More {number}")
        a_pool(an_entrant(event, user, deck=None), user)
    assert queries_of(client, page) == one


def test_the_organizer_chooses_the_format_and_its_options(cast: Cast) -> None:
    event = an_event(cast, preset="altered")
    client, page = signed_in(cast.organizer), address("staff_format", event.public_id)
    sent = {"deck_format": "altered-sealed", "I-ALT-08": "text", "I-ALT-09": "others"}
    assert client.post(page, sent).status_code == 302
    stage = Stage.objects.get(event=event)
    assert (stage.deck_format, stage.deck_options) == ("altered-sealed", {"I-ALT-09": "others"})
    assert client.post(page, {"deck_format": "chess"}).status_code == 422
    assert 'I-ALT-09</dt><dd class="code">others' in text(client.get(address("event", event.public_id)))


def test_the_page_says_why_a_format_was_refused(event: Event, entrant: Entrant, cast: Cast) -> None:
    a_pool(entrant, cast.player)
    page = address("staff_format", event.public_id)
    answer = signed_in(cast.organizer).post(page, {"deck_format": "altered-draft"})
    assert (answer.status_code, "decks_exist" in text(answer)) == (409, True)


def test_an_event_of_an_unknown_game_says_that_decks_are_not_checked(cast: Cast) -> None:
    data = {"name": "Go night", "preset": "free", "game_name": "Go"}
    signed_in(cast.organizer).post(address("event_new"), data)
    event = Event.objects.get(name="Go night")
    client = signed_in(cast.organizer)
    assert "does not know this game" in text(client.get(address("staff_format", event.public_id)))
    assert "Go" in text(client.get(address("event", event.public_id)))
    client.post(address("staff_step", event.public_id, "open"))
    event.refresh_from_db()
    an_entrant(event, cast.player, deck=None)
    player = signed_in(cast.player)
    assert player.post(address("deck", event.public_id), {"text": "361 stones"}).status_code == 302
    assert "Not checked" in text(player.get(address("deck", event.public_id)))
    assert "361 stones" in text(client.get(address("staff_deck", Decklist.objects.get().pk)))


def test_an_organizer_copies_an_event_and_saves_its_format(event: Event, cast: Cast) -> None:
    client = signed_in(cast.organizer)
    led = client.post(address("staff_clone", event.public_id), {"name": "Again"}).url
    assert led == address("staff", Event.objects.get(name="Again").public_id)
    assert client.post(address("staff_save_format", event.public_id), {"name": "Ours"}).url == address("formats")
    saved = SavedFormat.objects.get()
    assert "Ours" in text(client.get(address("formats"))) and saved.public_id in text(client.get(address("event_new")))
    client.post(address("event_new"), {"name": "From ours", "preset": saved.public_id})
    assert Event.objects.get(name="From ours").preset == "altered-sealed"
    assert client.post(address("format_delete", saved.public_id)).url == address("formats")
    assert not SavedFormat.objects.exists()


def test_a_copy_or_a_format_without_a_name_is_refused(event: Event, cast: Cast) -> None:
    for name in ("staff_clone", "staff_save_format"):
        answer = signed_in(cast.organizer).post(address(name, event.public_id), {"name": ""})
        assert (answer.status_code, "name_missing" in text(answer)) == (422, True)


def test_only_organizers_of_the_event_can_copy_it_or_save_its_format(event: Event, cast: Cast) -> None:
    saved = save_format(event=event, name="Ours", by=cast.organizer, now=NOW)
    for name in ("staff_clone", "staff_save_format"):
        page = address(name, event.public_id)
        assert signed_in(cast.stranger).post(page, {"name": "Mine"}).status_code == 404
        assert signed_in(cast.scorekeeper).post(page, {"name": "Mine"}).status_code == 403
        assert signed_in(cast.organizer).get(page).url == address("staff", event.public_id)
    grant_role(event=event, email=cast.stranger.email, role="organizer", by=cast.organizer, now=NOW)
    assert signed_in(cast.stranger).post(address("format_delete", saved.public_id)).status_code == 404
    assert "Ours" not in text(signed_in(cast.stranger).get(address("event_new")))


def test_an_organizer_chooses_the_rules_that_games_are_played_by(cast: Cast) -> None:
    event = an_event(cast, preset="altered")
    client, page = signed_in(cast.organizer), address("staff_format", event.public_id)
    shown = text(client.get(page))
    assert "Rules of the game" in shown and "Complete Rules 3.0 (June 2025)" in shown
    answer = client.post(address("staff_ruleset", event.public_id), {"ruleset": "altered-2024@1"})
    assert answer.status_code == 302
    event.refresh_from_db()
    assert event.ruleset == "altered-2024@1"
    assert "Rules of September 2024" in text(client.get(address("event", event.public_id)))


def test_a_game_with_one_edition_of_its_rules_offers_no_choice(cast: Cast) -> None:
    event, client = an_event(cast), signed_in(cast.organizer)
    assert "Rules of the game" not in text(client.get(address("staff_format", event.public_id)))
    page = address("staff_ruleset", event.public_id)
    assert client.post(page, {"ruleset": "altered-2025@1"}).status_code == 422
    assert client.post(page, {"ruleset": "safir-v2@1"}).status_code == 302  # those that it has anyway


def test_the_rules_are_chosen_by_organizers_alone(cast: Cast) -> None:
    event = an_event(cast, preset="altered")
    page = address("staff_ruleset", event.public_id)
    assert signed_in(cast.stranger).post(page, {"ruleset": "altered-2024@1"}).status_code == 404
    assert "role_too_low" in text(signed_in(cast.scorekeeper).post(page, {"ruleset": "altered-2024@1"}))
    assert Client().post(page).status_code == 302
    event.refresh_from_db()
    assert event.ruleset == "altered-2025@1"
