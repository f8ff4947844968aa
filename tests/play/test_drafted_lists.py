"""Lists in draft events: pools and lists are submitted between the start and the publication of round 1."""

import pytest

from tests.builders import NOW, a_pool, an_open_event, sealed_texts
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tests.web.pages import address, signed_in, text
from tournaments.accounts.models import User
from tournaments.accounts.services import own_person
from tournaments.decks.services import lock_decks, register_pool, submit_decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage
from tournaments.events.services import register
from tournaments.play import services as play

pytestmark = pytest.mark.django_db


def drafters(cast: Cast) -> tuple[Event, dict[User, Entrant]]:
    """A started draft event with six entrants who have no pool and no list yet."""
    event = an_open_event(cast, preset="altered-draft")
    users = [cast.player, cast.opponent, *(account(f"Player {number}") for number in range(3, 7))]
    entrants = {user: register(event=event, person=own_person(user), by=user, now=NOW) for user in users}
    lock_decks(event=event, by=cast.organizer, now=NOW)
    with assert_refused("decks_locked"):
        a_pool(entrants[cast.player], cast.player)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event, entrants


def hand_in(entrant: Entrant, user: User, seed: int) -> None:
    """Register a pool, and submit a legal deck built from it."""
    a_pool(entrant, user, seed)
    assert submit_decklist(entrant=entrant, text=sealed_texts(seed)[1], by=user, now=NOW).legal


def test_a_draft_event_starts_without_lists_but_round_1_waits_for_them(cast: Cast) -> None:
    event, entrants = drafters(cast)
    assert "still open" in text(signed_in(cast.player).get(address("me", event.public_id)))
    for seed, (user, entrant) in enumerate(list(entrants.items())[1:], 2):
        hand_in(entrant, user, seed)
    with assert_refused("not_ready") as refused:
        play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert refused.value.details == [entrants[cast.player].public_id]
    hand_in(entrants[cast.player], cast.player, 1)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    play.publish_round(round_=round_, by=cast.organizer, now=NOW)
    with assert_refused("decks_locked"):
        register_pool(entrant=entrants[cast.player], text=sealed_texts(7)[0], by=cast.player, now=NOW)


def test_round_1_is_paired_once_players_without_a_list_are_dropped(cast: Cast) -> None:
    event, entrants = drafters(cast)
    for seed, (user, entrant) in enumerate(list(entrants.items())[1:], 2):
        hand_in(entrant, user, seed)
    play.drop(entrant=entrants[cast.player], by=cast.organizer, now=NOW)
    round_ = play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    assert round_.matches.filter(seats__entrant=entrants[cast.player]).count() == 0
