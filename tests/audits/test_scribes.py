"""Scribes record any game of an event, or those of one table, for all seats, and can do nothing else there."""

import pytest
from django.http import Http404

from tests.builders import NOW, a_published_round, a_running_event, an_entrant, an_event, an_open_event, match_of
from tests.cast import Cast, account
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.audits import recording
from tournaments.audits.access import event_to_record, game_to_record, log_for_reader, recorder_for
from tournaments.audits.models import Recording
from tournaments.audits.selectors import tables_to_record
from tournaments.common.models import LedgerEntry
from tournaments.decks.access import decklist_for_reader
from tournaments.decks.selectors import current_list
from tournaments.events.access import readers_of, require
from tournaments.events.invitations import accept, invite
from tournaments.events.models import Event, StaffRole
from tournaments.events.selectors import current_stage
from tournaments.events.services import choose_visibility, grant_role, revoke_role
from tournaments.play import services as play
from tournaments.play.access import match_for_judge, match_for_staff, match_for_viewer
from tournaments.play.models import Match

pytestmark = pytest.mark.django_db
FIRST = {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]}
KEEP = {"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 5}]}
RULING = {"by": "judge", "do": "ruling", "reason": "A penalty", "events": [{"counter": ["A", "pi", -1]}]}


@pytest.fixture
def event(cast: Cast) -> Event:
    event = a_running_event(cast, players=4)
    a_published_round(event, cast.organizer)
    return event


@pytest.fixture
def match(cast: Cast, event: Event) -> Match:
    return match_of(event.stages.get().rounds.get(), cast.player)


def a_scribe(cast: Cast, event: Event, table: int | None = None) -> User:
    """An account that is a scribe of the event, of one table or of all."""
    user = account("Scribe")
    grant_role(event=event, email=user.email, role="scribe", table=table, by=cast.organizer, now=NOW)
    return user


def opened_by(user: User, match: Match) -> Recording:
    game = game_to_record(user, match.public_id, 1)
    return recording.open_recording(game=game, by=user, now=NOW)


def enter(opened: Recording, by: User, entry: dict[str, object], n: int) -> None:
    recorder = recorder_for(by, opened.public_id)
    recording.record_move(recorder=recorder, by=by, entry=entry, n=n, key=f"key-{n}", now=NOW)


def test_a_scribe_records_for_all_seats_and_the_log_says_so(cast: Cast, event: Event, match: Match) -> None:
    scribe = a_scribe(cast, event)
    opened = opened_by(scribe, match)
    recorder = recorder_for(scribe, opened.public_id)
    assert (recorder.seat, recorder.actors, recorder.is_scribe) == (None, ("A", "B", "table"), True)
    enter(opened, scribe, FIRST, 1)
    enter(opened, scribe, KEEP, 2)
    recording.ask_undo(recorder=recorder, by=scribe, n=3, key="undo-3", now=NOW)
    assert opened.entries.get(n=3).entry["do"] == "back_to"
    log = recording.hand_in(recorder=recorder, by=scribe, now=NOW)
    assert opened.header["recorded_by"] == {"who": "scribe", "when": "live"}
    assert (log.uploaded_by, log_for_reader(scribe, log.public_id)) == (scribe, log)


def test_a_scribe_continues_what_a_judge_opened_but_cannot_read_its_log(cast: Cast, event: Event, match: Match) -> None:
    scribe, opened = a_scribe(cast, event), opened_by(cast.judge, match)
    assert opened_by(scribe, match) == opened
    enter(opened, scribe, FIRST, 1)
    log = recording.hand_in(recorder=recorder_for(scribe, opened.public_id), by=scribe, now=NOW)
    assert log.uploaded_by == cast.judge
    with assert_refused("role_too_low"):
        log_for_reader(scribe, log.public_id)


def test_a_scribe_enters_no_ruling(cast: Cast, event: Event, match: Match) -> None:
    scribe = a_scribe(cast, event)
    opened = opened_by(scribe, match)
    enter(opened, scribe, FIRST, 1)
    with assert_refused("not_your_seat"):
        enter(opened, scribe, RULING, 2)
    enter(opened, cast.judge, RULING, 2)


def test_a_scribe_of_one_table_records_that_table_only(cast: Cast, event: Event, match: Match) -> None:
    other = Match.objects.exclude(pk=match.pk).get(round=match.round)
    scribe = a_scribe(cast, event, table=match.table)
    assert [line.match for line in tables_to_record(event, match.table)] == [match]
    assert [line.match.table for line in tables_to_record(event, None)] == [1, 2]
    opened = opened_by(cast.judge, other)
    opened_by(scribe, match)
    for refused in (lambda: game_to_record(scribe, other.public_id, 1), lambda: recorder_for(scribe, opened.public_id)):
        with assert_refused("other_table"):
            refused()
    grant_role(event=event, email=scribe.email, role="scribe", table=other.table, by=cast.organizer, now=NOW)
    assert recorder_for(scribe, opened.public_id).is_scribe
    with assert_refused("other_table"):
        game_to_record(scribe, match.public_id, 1)


def test_a_scribe_of_another_event_finds_nothing_here(cast: Cast, event: Event, match: Match) -> None:
    opened = opened_by(cast.judge, match)
    elsewhere = a_scribe(cast, an_event(cast, name="Elsewhere"))
    with pytest.raises(Http404):
        game_to_record(elsewhere, match.public_id, 1)
    with pytest.raises(Http404):
        recorder_for(elsewhere, opened.public_id)
    with pytest.raises(Http404):
        event_to_record(elsewhere, event.public_id)


def test_whoever_plays_in_the_match_records_their_own_seat_although_they_are_a_scribe(
    cast: Cast, event: Event, match: Match
) -> None:
    grant_role(event=event, email=cast.player.email, role="scribe", by=cast.organizer, now=NOW)
    opened = opened_by(cast.player, match)
    recorder = recorder_for(cast.player, opened.public_id)
    assert (recorder.seat is not None, recorder.is_scribe, len(recorder.actors)) == (True, False, 2)
    other = Match.objects.exclude(pk=match.pk).get(round=match.round)
    with assert_refused("staff_who_play"):
        game_to_record(cast.player, other.public_id, 1)
    with assert_refused("staff_who_play"):
        event_to_record(cast.player, event.public_id)


def test_a_scribe_does_nothing_else_at_the_event(cast: Cast, event: Event, match: Match) -> None:
    scribe = a_scribe(cast, event)
    for action in ("view_staff_pages", "run_desk", "judge", "read_decks", "extend_time", "manage_event", "announce"):
        with assert_refused("role_too_low"):
            require(scribe, event, action)
    with assert_refused("role_too_low"):
        match_for_judge(scribe, match.public_id)
    with assert_refused("role_too_low"):
        match_for_staff(scribe, match.public_id, "run_desk")
    decklist = current_list(match.seats.first().entrant, current_stage(event))
    with assert_refused("role_too_low"):
        decklist_for_reader(scribe, decklist.pk)
    assert readers_of(scribe, event) == {"public"}


def test_a_scribe_records_where_pairings_are_hidden_but_sees_no_draft(cast: Cast, event: Event, match: Match) -> None:
    scribe = a_scribe(cast, event)
    cells = {"pairings.public.swiss": "never", "pairings.players.swiss": "never"}
    choose_visibility(event=event, cells=cells, by=cast.organizer, now=NOW)
    match = Match.objects.get(pk=match.pk)
    with assert_refused("hidden_now"):
        match_for_viewer(scribe, match.public_id)
    assert game_to_record(scribe, match.public_id, 1).match == match
    play.unpublish_round(round_=match.round, by=cast.organizer, now=NOW)
    with pytest.raises(Http404):
        game_to_record(scribe, match.public_id, 1)
    assert tables_to_record(event, None) == []


def test_a_revoked_scribe_is_out_at_once(cast: Cast, event: Event, match: Match) -> None:
    scribe = a_scribe(cast, event)
    opened = opened_by(scribe, match)
    revoke_role(role=StaffRole.objects.get(user=scribe), by=cast.organizer, now=NOW)
    with pytest.raises(Http404):
        recorder_for(scribe, opened.public_id)


def test_only_a_scribe_has_a_table(cast: Cast) -> None:
    event = an_open_event(cast)
    for refused in (
        lambda: grant_role(event=event, email=cast.judge.email, role="judge", table=3, by=cast.organizer, now=NOW),
        lambda: invite(event=event, role="judge", table=3, by=cast.organizer, now=NOW),
    ):
        with assert_refused("table_not_taken"):
            refused()


def test_a_scribe_invited_again_gets_the_new_table_and_the_ledger_has_both(cast: Cast) -> None:
    event = an_open_event(cast)
    scribe = a_scribe(cast, event, table=3)
    invitation = invite(event=event, role="scribe", table=5, by=cast.organizer, now=NOW)
    for _twice in range(2):
        assert accept(invitation=invitation, by=scribe, now=NOW).table == 5
    told = LedgerEntry.objects.filter(chain=event.public_id, object=scribe.public_id).order_by("number")
    assert [(entry.before, entry.after) for entry in told] == [
        (None, {"role": "scribe", "table": 3}),
        (
            {"role": "scribe", "table": 3},
            {"role": "scribe", "table": 5, "invitation": invitation.public_id},
        ),
    ]


def test_a_judge_who_is_a_scribe_too_stays_a_judge(cast: Cast, event: Event, match: Match) -> None:
    grant_role(event=event, email=cast.judge.email, role="scribe", table=99, by=cast.organizer, now=NOW)
    assert recorder_for(cast.judge, opened_by(cast.judge, match).public_id).rules


def test_an_entrant_who_does_not_sit_at_the_table_is_no_scribe_of_it(cast: Cast) -> None:
    event = an_open_event(cast)
    an_entrant(event, cast.stranger)
    grant_role(event=event, email=cast.stranger.email, role="scribe", by=cast.organizer, now=NOW)
    with assert_refused("staff_who_play"):
        event_to_record(cast.stranger, event.public_id)
