"""Uploading a file, and what becomes of it: an event of ours to play on, entrants, or nothing."""

import gzip
from dataclasses import replace
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.management import call_command

from tests.archive.files import file_of, lines_of, rows
from tests.builders import NOW, a_published_round, a_running_event, an_open_event, play_out
from tests.cast import Cast, account, make_cast
from tests.refusals import assert_refused
from tests.transfers.files import TRF
from tournaments.accounts.models import Person, User
from tournaments.archive.present import verify_event
from tournaments.archive.services import import_event
from tournaments.common import jobs
from tournaments.common.refusals import Refusal
from tournaments.events.imports import preview_of
from tournaments.events.models import Event, StaffRole
from tournaments.events.selectors import current_stage
from tournaments.play import services as play
from tournaments.play.selectors import last_round_of
from tournaments.transfers.contents import described
from tournaments.transfers.making import Settings
from tournaments.transfers.models import Transfer
from tournaments.transfers.services import (
    MAX_OPEN,
    confirm_transfer,
    discard_transfer,
    enter_players_of,
    open_transfer,
    run_transfer,
)

pytestmark = pytest.mark.django_db(transaction=True)


def taken_away() -> bytes:
    """The file of a running event, whose second round is open, from an installation that is gone."""
    cast = make_cast()
    event = a_running_event(cast, players=4)
    play_out(a_published_round(event, cast.organizer), cast.organizer)
    a_published_round(event, cast.organizer)
    jobs.run_due(NOW + timedelta(days=1))
    data = file_of(event)
    call_command("flush", interactive=False, verbosity=0)
    return data


def opened(data: bytes, by: User) -> Transfer:
    return open_transfer(document=data, by=by, now=NOW)


def confirmed(transfer: Transfer, goal: str, settings: Settings | None = None) -> Transfer:
    confirm_transfer(transfer=transfer, goal=goal, settings=settings, by=transfer.owner, now=NOW)
    run_transfer(transfer_id=transfer.pk, now=NOW)
    transfer.refresh_from_db()
    return transfer


def test_an_event_of_ours_is_played_on_to_its_end() -> None:
    data = gzip.compress(taken_away())
    keeper = account("Keeper")
    transfer = opened(data, keeper)
    said = described(transfer)
    assert (transfer.format, said.players, said.rounds, said.waiting, said.event_status) == (
        "event_file",
        4,
        2,
        2,
        "running",
    )
    event = confirmed(transfer, "play_on").made
    assert event is not None and event.status == Event.Status.RUNNING
    assert StaffRole.objects.get(event=event, user=keeper).role == "owner"
    round_ = last_round_of(event)
    assert round_ is not None
    play_out(round_, keeper)
    third = a_published_round(event, keeper)
    play_out(third, keeper)
    play.finish_event(event=event, by=keeper, now=NOW)
    assert not verify_event(Event.objects.get(pk=event.pk)).faults


def test_an_event_of_ours_becomes_an_archive() -> None:
    event = confirmed(opened(taken_away(), account("Keeper")), "archive").made
    assert event is not None and event.status == Event.Status.ARCHIVED
    with pytest.raises(Refusal):
        play.pair_round(stage=current_stage(event), by=event.created_by, now=NOW)


def test_a_file_in_which_somebody_here_acts_is_refused_from_a_page() -> None:
    # Whoever can rewrite a file can build its chain anew: it must not speak for the accounts of this site.
    cast = make_cast()
    event = a_running_event(cast, players=4)
    data = file_of(event)
    actor = cast.scorekeeper.public_id
    call_command("flush", interactive=False, verbosity=0)
    here = account("Scorekeeper")
    User.objects.filter(pk=here.pk).update(public_id=actor)
    transfer = opened(data, account("Keeper"))
    with pytest.raises(Refusal) as refused:
        confirmed(transfer, "play_on")
    assert refused.value.code == "accounts_here"
    assert not Event.objects.exists()
    transfer.refresh_from_db()
    assert transfer.status == Transfer.Status.OPEN, "another choice can be made"
    assert import_event(stream=BytesIO(data), owner=None, now=NOW).public_id == event.public_id, "the operator may"


def test_the_name_of_somebody_here_is_not_learned_from_their_id() -> None:
    data = taken_away()
    named = next(person for person in _persons_of(data))
    known = Person.objects.create(public_id=named, given_name="Hidden", family_name="Name")
    event = confirmed(opened(data, account("Keeper")), "play_on").made
    assert event is not None
    entered = Person.objects.filter(entrants__event=event)
    assert entered.count() == 4 and known not in entered
    assert not entered.filter(given_name="Hidden").exists()
    assert not verify_event(event).faults


def _persons_of(data: bytes) -> list[str]:
    return [row["person"] for row in rows(lines_of(data), "member")]


def test_the_persons_of_ones_own_events_are_the_same_persons() -> None:
    data = taken_away()
    keeper = account("Keeper")
    first = confirmed(opened(data, keeper), "play_on").made
    assert first is not None
    persons = set(Person.objects.filter(entrants__event=first).values_list("public_id", flat=True))
    assert persons == set(_persons_of(data))


def test_an_event_that_is_here_is_not_imported_again() -> None:
    data = taken_away()
    keeper = account("Keeper")
    confirmed(opened(data, keeper), "play_on")
    with pytest.raises(Refusal) as refused:
        confirmed(opened(data, keeper), "play_on")
    assert refused.value.code == "event_exists"


def test_a_changed_file_is_not_imported() -> None:
    data = taken_away().replace(b'"games_won":2', b'"games_won":1')
    with pytest.raises(Refusal) as refused:
        confirmed(opened(data, account("Keeper")), "play_on")
    assert refused.value.code == "file_does_not_hold"
    assert not Event.objects.exists()


def test_a_job_that_runs_twice_makes_one_event(cast: Cast) -> None:
    transfer = opened(TRF, cast.organizer)
    confirmed(transfer, "play_on", Settings("Kites", "free"))
    run_transfer(transfer_id=transfer.pk, now=NOW)
    confirm_transfer(transfer=transfer, goal="play_on", settings=None, by=cast.organizer, now=NOW)
    run_transfer(transfer_id=transfer.pk, now=NOW)
    assert Event.objects.count() == 1
    assert Transfer.objects.get().document == b"", "the file is not kept any longer than it is needed"


def test_trf_is_ranked_as_chess_is(cast: Cast) -> None:
    event = confirmed(opened(TRF, cast.organizer), "play_on", Settings("Kites", "free")).made
    assert event is not None
    stage = current_stage(event)
    assert (stage.scheme, event.scoring["draw"], stage.rounds_planned) == ("fide", 0.5, 3)


def test_players_are_handed_on_to_the_import_of_entrants(cast: Cast) -> None:
    event = an_open_event(cast)
    entry_import = enter_players_of(transfer=opened(TRF, cast.organizer), event=event, by=cast.organizer, now=NOW)
    assert [line.given_name for line in preview_of(entry_import).entering] == ["Player 1", "Player 2"]
    assert not event.entrants.exists(), "nobody is entered before the import is confirmed"


def test_a_plain_list_only_makes_entrants(cast: Cast) -> None:
    transfer = opened(b"First name,Last name\nAda,Lune\n", cast.organizer)
    assert (transfer.format, described(transfer).goals) == ("roster", ("entrants",))
    with assert_refused("goal_unknown"):
        confirm_transfer(transfer=transfer, goal="play_on", settings=None, by=cast.organizer, now=NOW)
    event = an_open_event(cast)
    entry_import = enter_players_of(transfer=transfer, event=event, by=cast.organizer, now=NOW)
    assert [line.family_name for line in preview_of(entry_import).entering] == ["Lune"]
    with assert_refused("already_used"):
        enter_players_of(transfer=transfer, event=event, by=cast.organizer, now=NOW)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"what": "ever"}', "transfer_format_unknown"),
        (b"\x00\x01\x02", "transfer_format_unknown"),
        (b" " * (8 * 2**20 + 1), "file_too_large"),
    ],
)
def test_what_is_not_known_is_refused(cast: Cast, data: bytes, code: str) -> None:
    with assert_refused(code):
        open_transfer(document=data, by=cast.organizer, now=NOW)
    assert not Transfer.objects.exists()


def test_another_programs_file_needs_a_name_and_a_game(cast: Cast) -> None:
    transfer = opened(TRF, cast.organizer)
    with assert_refused("settings_missing"):
        confirm_transfer(transfer=transfer, goal="play_on", settings=None, by=cast.organizer, now=NOW)


def test_files_that_wait_are_bounded_and_discarded(cast: Cast) -> None:
    for _each in range(MAX_OPEN):
        last = opened(TRF, cast.organizer)
    with assert_refused("too_many_transfers"):
        open_transfer(document=TRF, by=cast.organizer, now=NOW)
    discard_transfer(transfer=last)
    opened(TRF, cast.organizer)
    jobs.run_due(NOW + timedelta(days=2))
    assert not Transfer.objects.exists(), "files are deleted after a day"


def test_a_refused_event_leaves_the_file_open(cast: Cast) -> None:
    transfer = opened(TRF, cast.organizer)
    with pytest.raises(Refusal):
        confirmed(transfer, "play_on", Settings("Kites", "no-such-game"))
    transfer.refresh_from_db()
    assert transfer.status == Transfer.Status.OPEN and not Event.objects.exists()
    assert confirmed(transfer, "archive", replace(Settings("Kites", "free"))).made is not None
