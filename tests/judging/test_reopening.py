"""Reopening one player's decklist after the lock, with a reason and a penalty."""

import pytest

from tests.builders import NOW, a_running_event, an_entrant, an_open_event, deck_text
from tests.cast import Cast
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.common.models import LedgerEntry
from tournaments.decks.models import Decklist, Reopening
from tournaments.decks.services import close_list, lock_decks, submit_decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.services import grant_role
from tournaments.judging.models import Penalty
from tournaments.judging.penalties import reopen_with_penalty

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(cast: Cast) -> Event:
    return a_running_event(cast, players=2)


@pytest.fixture
def player(cast: Cast, event: Event) -> Entrant:
    return Entrant.objects.select_related("event").get(event=event, member__person__account=cast.player)


def submit(player: Entrant, by: object, seed: int = 9) -> Decklist:
    return submit_decklist(entrant=player, text=deck_text(seed), by=by, now=NOW)


def test_a_reopened_list_takes_one_new_version_and_both_are_kept(cast: Cast, event: Event, player: Entrant) -> None:
    with assert_refused("decks_locked"):
        submit(player, cast.player)
    penalty = reopen_with_penalty(entrant=player, reason="a card forgotten", by=cast.judge, now=NOW)
    assert (penalty.infraction, penalty.level) == ("list_wrong", "warning")
    assert submit(player, cast.player).version == 2
    with assert_refused("decks_locked"):
        submit(player, cast.player, seed=10)
    assert [kept.version for kept in player.decklists.order_by("version")] == [1, 2]
    entry = LedgerEntry.objects.get(chain=event.public_id, code="deck.reopened")
    assert entry.note.text == "a card forgotten" and entry.object == player.public_id


def test_reopening_one_list_leaves_the_others_locked(cast: Cast, event: Event, player: Entrant) -> None:
    reopen_with_penalty(entrant=player, reason="so", by=cast.judge, now=NOW)
    other = Entrant.objects.select_related("event").get(event=event, member__person__account=cast.opponent)
    with assert_refused("decks_locked"):
        submit(other, cast.opponent)


def test_staff_can_type_in_a_reopened_list_from_paper(cast: Cast, event: Event, player: Entrant) -> None:
    reopen_with_penalty(entrant=player, reason="so", by=cast.judge, now=NOW)
    page = address("staff_paper_list", event.public_id, player.public_id)
    assert page in text(signed_in(cast.scorekeeper).get(address("staff_entrants", event.public_id)))
    assert signed_in(cast.scorekeeper).post(page, {"text": deck_text(9)}).status_code == 302
    assert player.decklists.count() == 2


def test_a_reopened_list_can_be_closed_without_a_new_version(cast: Cast, player: Entrant) -> None:
    reopen_with_penalty(entrant=player, reason="so", by=cast.judge, now=NOW)
    with assert_refused("list_open"):
        reopen_with_penalty(entrant=player, reason="so", by=cast.judge, now=NOW)
    assert Penalty.objects.count() == 1
    assert Reopening.objects.count() == 1
    for _time in range(2):
        close_list(entrant=player, by=cast.judge, now=NOW)
    with assert_refused("decks_locked"):
        submit(player, cast.player)
    assert LedgerEntry.objects.filter(code="deck.closed").count() == 1


def test_a_list_is_not_reopened_without_a_reason_or_if_the_penalty_is_refused(cast: Cast, player: Entrant) -> None:
    with assert_refused("reason_missing"):
        reopen_with_penalty(entrant=player, reason=" ", by=cast.judge, now=NOW)
    with assert_refused("no_open_match"):
        reopen_with_penalty(entrant=player, reason="so", level="game_loss", by=cast.judge, now=NOW)
    assert not Reopening.objects.exists() and not Penalty.objects.exists()


def test_before_the_event_starts_a_list_is_reopened_with_a_warning(cast: Cast) -> None:
    event = an_open_event(cast)
    player = an_entrant(event, cast.player)
    with assert_refused("event_state"):
        reopen_with_penalty(entrant=player, reason="so", by=cast.judge, now=NOW)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    player.refresh_from_db()
    reopen_with_penalty(entrant=player, reason="so", by=cast.judge, now=NOW)
    assert submit(Entrant.objects.select_related("event").get(pk=player.pk), cast.player).version == 2


def test_only_a_head_judge_can_reopen_a_list_and_never_their_own(cast: Cast, event: Event, player: Entrant) -> None:
    grant_role(event=event, email=cast.player.email, role="head_judge", by=cast.organizer, now=NOW)
    with assert_refused("staff_who_play"):
        reopen_with_penalty(entrant=player, reason="so", by=cast.player, now=NOW)
    grant_role(event=event, email=cast.stranger.email, role="judge", by=cast.organizer, now=NOW)
    page = address("list_reopen", player.public_id)
    assert signed_in(cast.stranger).post(page, {"reason": "so"}).status_code == 403
    assert signed_in(cast.opponent).post(page, {"reason": "so"}).status_code == 404


def test_the_head_judge_reopens_a_list_on_the_page_and_the_player_sees_it(
    cast: Cast, event: Event, player: Entrant
) -> None:
    client, page = signed_in(cast.judge), address("penalty_give", player.public_id)
    assert "Open the list again" in text(client.get(page))
    sent = {"reason": "so", "infraction": "list_wrong", "level": "", "when": "now"}
    assert client.post(address("list_reopen", player.public_id), {**sent, "reason": ""}).status_code == 422
    assert client.post(address("list_reopen", player.public_id), sent).url == page
    assert "The list is open for one more version" in text(client.get(page))
    own = signed_in(cast.player)
    assert "reopened" in text(own.get(address("me", event.public_id)))
    assert 'name="text"' in text(own.get(address("deck", event.public_id)))
    assert client.post(address("list_close", player.public_id)).url == page
