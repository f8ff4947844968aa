"""Erased people stay erased when an older backup is restored."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django import Settings

from tests.builders import NOW, a_published_round, a_running_event
from tests.cast import Cast, account, make_cast
from tournaments.accounts.models import Person, User
from tournaments.accounts.services import (
    create_account,
    erase_account,
    erase_person,
    own_person,
    person_without_account,
)
from tournaments.common import erasures, ledger
from tournaments.common.models import LedgerNote

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def journal(tmp_path: Path, settings: Settings) -> Path:
    settings.ERASURE_JOURNAL = str(tmp_path / "erased.jsonl")
    return tmp_path / "erased.jsonl"


def restored(path: Path) -> str:
    said = StringIO()
    call_command("restore", path, force=True, stdout=said)
    return said.getvalue()


def test_people_and_accounts_erased_after_a_backup_stay_erased_when_it_is_restored(tmp_path: Path) -> None:
    cast: Cast = make_cast()
    a_published_round(a_running_event(cast, players=2), cast.organizer)
    walk_in = person_without_account(given_name="Walk", family_name="In")
    by_name = create_account(email=None, password=None, given_name="Name", family_name="Only", sign_in_name="by.name")
    call_command("backup", tmp_path / "backup.tar", stdout=StringIO())
    for user in (cast.player, by_name):
        erase_account(user=user, now=NOW)
    erase_person(person=walk_in, now=NOW)
    said = restored(tmp_path / "backup.tar")
    assert "5 ids, erased again: 5" in said  # three people and two accounts
    assert "chains verified: 1, no faults" in said
    walk_in.refresh_from_db()
    assert (walk_in.given_name, walk_in.erased_at) == ("", NOW)
    for public_id in (cast.player.public_id, by_name.public_id):
        user = User.objects.get(public_id=public_id)
        assert (user.email, user.sign_in_name, user.is_active) == (f"{public_id}@erased.invalid", None, False)
    assert not Person.objects.filter(given_name="Name").exists()
    assert own_person(cast.opponent).erased_at is None


def test_a_note_erased_after_a_backup_stays_erased_when_it_is_restored(tmp_path: Path, journal: Path) -> None:
    ledger.open_chain("e-notes")
    with transaction.atomic():
        ledger.record(chain="e-notes", actor="system", code="match.ruled", object="m-1", now=NOW, note="A quarrel.")
        ledger.record(chain="e-notes", actor="system", code="match.ruled", object="m-2", now=NOW, note="They agreed.")
    call_command("backup", tmp_path / "backup.tar", stdout=StringIO())
    call_command("erase_note", "e-notes", "1", stdout=StringIO())
    assert [json.loads(line)["id"] for line in journal.read_text().splitlines()] == ["e-notes/1"]
    assert "1 ids, erased again: 1" in restored(tmp_path / "backup.tar")
    assert list(LedgerNote.objects.values_list("text", flat=True)) == ["They agreed."]


def test_a_note_whose_erasure_could_not_be_written_down_is_added_by_the_next_backup(
    tmp_path: Path, journal: Path
) -> None:
    ledger.open_chain("e-notes")
    with transaction.atomic():
        ledger.record(chain="e-notes", actor="system", code="match.ruled", object="m-1", now=NOW, note="A quarrel.")
    ledger.erase_note("e-notes", 1)
    call_command("backup", tmp_path / "backup.tar", stdout=StringIO())
    assert json.loads(journal.read_text())["id"] == "e-notes/1"


def test_the_journal_holds_ids_and_times_and_is_readable_only_by_its_owner(journal: Path) -> None:
    user = account("Somebody")
    person = own_person(user)
    erase_account(user=user, now=NOW)
    assert erasures.read() == {person.public_id: NOW, user.public_id: NOW}
    assert journal.stat().st_mode & 0o077 == 0
    assert "omebody" not in journal.read_text()


def test_an_erasure_that_is_rolled_back_is_not_in_the_journal(journal: Path) -> None:
    class Undone(Exception):
        pass

    def undone() -> None:
        with transaction.atomic():
            erase_account(user=account("Somebody"), now=NOW)
            raise Undone

    with pytest.raises(Undone):
        undone()
    assert not journal.exists()


def test_an_erasure_stands_if_the_journal_cannot_be_written_and_the_next_backup_adds_it(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ERASURE_JOURNAL = str(tmp_path / "later" / "erased.jsonl")
    user = account("Somebody")
    person = own_person(user)
    erase_account(user=user, now=NOW)
    person.refresh_from_db()
    assert person.erased_at == NOW
    assert "the erasure journal cannot be written" in caplog.text
    (tmp_path / "later").mkdir()
    call_command("backup", tmp_path / "backup.tar", stdout=StringIO())
    assert set(erasures.read()) == {person.public_id, user.public_id}


def test_who_is_erased_only_in_the_database_that_is_replaced_stays_erased(tmp_path: Path, journal: Path) -> None:
    person = person_without_account(given_name="Walk", family_name="In")
    call_command("backup", tmp_path / "backup.tar", stdout=StringIO())
    erase_person(person=person, now=NOW)
    journal.unlink()
    assert "1 ids, erased again: 1" in restored(tmp_path / "backup.tar")


def test_half_a_line_in_the_journal_costs_no_other_line(journal: Path) -> None:
    journal.write_text('{"id": "n-half')
    erasures.append({"n-whole": NOW})
    assert erasures.read() == {"n-whole": NOW}
