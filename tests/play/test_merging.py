"""Merging two entries of the same player: before the start, while rounds are played, and when it is refused."""

import pytest

from tests.builders import NOW, a_published_round, an_entrant, an_open_event, deck_text, play_out
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.accounts.models import Person
from tournaments.accounts.services import own_person
from tournaments.common import ledger
from tournaments.decks.selectors import current_list
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events.models import Entrant, Event
from tournaments.events.pairing_settings import forbid_pair
from tournaments.events.presets import FREE
from tournaments.events.selectors import current_stage
from tournaments.events.services import add_entrant
from tournaments.play import services as play
from tournaments.play.field import field_of
from tournaments.play.models import Seat


def typed(event: Event, cast: Cast, name: str = "Ada") -> Entrant:
    return add_entrant(event=event, given_name=name, family_name="Rossi", by=cast.organizer, now=NOW, another=True)


def merged(gone: Entrant, into: Entrant, cast: Cast) -> Entrant:
    return play.merge_entrants(entrant=gone, into=into, by=cast.organizer, now=NOW)


def a_running_free_event(cast: Cast, players: int) -> Event:
    """A started event of a game without decklists, with the cast's player and opponent, and walk-ins."""
    event = an_open_event(cast, preset=FREE, game_name="Go", rounds=4)
    for user in (cast.player, cast.opponent):
        an_entrant(event, user, deck=None)
    for number in range(3, players + 1):
        typed(event, cast, f"Walk-in {number}")
    lock_decks(event=event, by=cast.organizer, now=NOW)
    play.start_event(event=event, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event


def test_a_walk_in_entered_twice_can_be_merged(cast):
    event = an_open_event(cast)
    first, second = typed(event, cast), typed(event, cast)
    kept = merged(second, first, cast)
    assert list(event.entrants.all()) == [kept] and kept.public_id == first.public_id
    assert Person.objects.filter(given_name="Ada").count() == 1
    assert list(ledger.faults(event.public_id)) == []


@pytest.mark.parametrize("keep_typed", [True, False])
def test_merging_a_walk_in_with_a_registration_keeps_the_account_and_the_list(cast, keep_typed):
    event = an_open_event(cast)
    walk_in, entrant = typed(event, cast), an_entrant(event, cast.player, deck=1)
    gone, into = (entrant, walk_in) if keep_typed else (walk_in, entrant)
    kept = merged(gone, into, cast)
    assert kept.member_set.get().person == own_person(cast.player)
    assert current_list(kept, current_stage(event)).legal
    assert not Person.objects.filter(given_name="Ada").exists()


def test_of_two_lists_the_one_of_the_remaining_entry_counts(cast):
    event = an_open_event(cast)
    walk_in, entrant = typed(event, cast), an_entrant(event, cast.player, deck=1)
    submit_decklist(entrant=walk_in, text=deck_text(2), by=cast.organizer, now=NOW)
    digest = current_list(entrant, current_stage(event)).digest
    assert current_list(merged(walk_in, entrant, cast), current_stage(event)).digest == digest


def test_the_freed_place_goes_to_the_waiting_list(cast):
    event = an_open_event(cast, capacity=2)
    first, second = typed(event, cast), typed(event, cast)
    waiting = an_entrant(event, cast.player, deck=None)
    merged(second, first, cast)
    waiting.refresh_from_db()
    assert waiting.status == Entrant.Status.REGISTERED


def test_entries_of_two_accounts_cannot_be_merged(cast):
    event = an_open_event(cast)
    first, second = (an_entrant(event, user, deck=None) for user in (cast.player, cast.opponent))
    with assert_refused("two_accounts"):
        merged(first, second, cast)


def test_staff_cannot_merge_their_own_entry(cast):
    event = an_open_event(cast)
    own, other = an_entrant(event, cast.organizer, deck=None), typed(event, cast)
    with assert_refused("staff_who_play"):
        merged(other, own, cast)


def test_entrants_who_met_cannot_be_merged(cast):
    event = a_running_free_event(cast, 3)
    first, second = [seat.entrant for seat in a_published_round(event, cast.organizer).matches.get(table=1).seats.all()]
    with assert_refused("have_met"):
        merged(first, second, cast)


def test_entrants_who_both_played_in_a_round_cannot_be_merged(cast):
    event = a_running_free_event(cast, 4)
    round_ = a_published_round(event, cast.organizer)
    first, second = [match.seats.get(number=1) for match in round_.matches.all()]
    with assert_refused("both_played") as caught:
        merged(first.entrant, second.entrant, cast)
    assert caught.value.details == [1]


def test_a_dropped_player_entered_again_keeps_all_results_after_the_merge(cast):
    event = a_running_free_event(cast, 4)
    entrant = Entrant.objects.get(event=event, member__person__account=cast.player)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    play.drop(entrant=entrant, by=cast.organizer, now=NOW)
    again = play.enter_late(event=event, given_name="Ada", family_name="", by=cast.organizer, now=NOW)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    kept = merged(again, entrant, cast)
    kinds = dict(Seat.objects.filter(entrant=kept).values_list("round__number", "match__kind"))
    assert kinds.keys() == {1, 2} and "missed" not in kinds.values()
    assert (kept.status, kept.dropped_after) == (Entrant.Status.REGISTERED, None)
    assert kept.member_set.get().person == own_person(cast.player)
    field = field_of(current_stage(event))
    assert again.public_id not in {player.id for player in field.players}
    assert a_published_round(event, cast.organizer).matches.filter(seats__entrant=kept).exists()
    assert list(ledger.faults(event.public_id)) == []


def test_merging_is_refused_while_pairings_are_a_draft(cast):
    event = a_running_free_event(cast, 4)
    play.pair_round(stage=current_stage(event), by=cast.organizer, now=NOW)
    first, second = event.entrants.filter(member__person__account=None)
    with assert_refused("draft_pairings"):
        merged(first, second, cast)


def test_a_forbidden_pair_stays_forbidden_after_a_merge(cast):
    event = an_open_event(cast)
    first, second, other = typed(event, cast), typed(event, cast), an_entrant(event, account("Player 9"), deck=None)
    forbid_pair(event=event, first=second, second=other, reason="Sisters", by=cast.organizer, now=NOW)
    forbid_pair(event=event, first=first, second=second, reason="Twice", by=cast.organizer, now=NOW)
    merged(second, first, cast)
    pair = event.forbidden_pairs.get()
    assert {pair.first, pair.second} == {first, other} and pair.reason == "Sisters"
