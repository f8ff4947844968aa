"""Importing an event file into an installation that does not have the event."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.archive.files import file_of, forged, lines_of, rows, verified
from tests.builders import NOW, a_published_round, a_running_event, an_event, first_game, match_of, play_out
from tests.cast import Cast, account, make_cast
from tests.decks.test_own_catalogues import kept
from tests.refusals import assert_refused
from tournaments.accounts.models import Person, User
from tournaments.accounts.services import erase_person, own_person
from tournaments.announcements.services import announce
from tournaments.archive import importing
from tournaments.archive.services import import_event
from tournaments.audits import replays
from tournaments.audits.models import Audit
from tournaments.audits.services import submit_log
from tournaments.common import clock, jobs, ledger
from tournaments.decks.images import images_of_event, saved_images
from tournaments.decks.models import Catalogue
from tournaments.decks.services import choose_catalogue
from tournaments.events.models import Entrant, Event, StaffRole
from tournaments.play import services as play
from tournaments.play.models import Match
from tournaments.standings.awards import awards_of
from tournaments.standings.categories import add_category
from tournaments.standings.selectors import standings_of

pytestmark = pytest.mark.django_db(transaction=True)


def an_event_to_take_away() -> tuple[Event, Cast]:
    cast = make_cast()
    event = a_running_event(cast, players=4)
    round_ = a_published_round(event, cast.organizer)
    match = match_of(round_, cast.player)
    document = json.dumps(first_game(match)).encode()
    submit_log(game=match.games.get(number=1), document=document, by=cast.player, now=NOW)
    play.report_result(match=match, by=cast.player, games=[2, 0, 0], now=NOW)
    play_out(round_, cast.organizer)
    announce(event=event, text="Lunch at noon", by=cast.organizer, now=clock.now())
    jobs.run_due(clock.now())
    return event, cast


def imported(data: bytes, owner: User | None = None) -> Event:
    return import_event(stream=BytesIO(data), owner=owner, now=NOW)


def emptied() -> None:
    # An empty database stands for another installation.
    call_command("flush", interactive=False, verbosity=0)


def told(data: bytes) -> list[tuple[str, Any]]:
    """Return the sections and rows of a file, without its chain."""
    return [(line["section"], line["row"]) for line in lines_of(data)]


def test_a_file_exported_again_after_import_differs_only_by_the_import() -> None:
    event, _cast = an_event_to_take_away()
    before = file_of(event)
    emptied()
    owner = account("Keeper")
    again = imported(before, owner)
    after = file_of(again)
    assert verified(after).holds
    assert not list(ledger.faults(again.public_id))
    gone = [line for line in told(before) if line not in told(after)]
    come = [line for line in told(after) if line not in told(before)]
    assert [section for section, _row in gone] == ["head", "event", "signed_head", "end", "end"]
    assert [section for section, _row in come] == ["head", "event", "staff", "ledger", "signed_head", "end", "end"]
    ((_section, entry),) = [line for line in come if line[0] == "ledger"]
    assert (entry["code"], entry["after"]["digest"]) == ("event.imported", verified(before).digest)


def test_an_imported_event_is_archived_and_gets_its_standings_and_boards() -> None:
    event, _cast = an_event_to_take_away()
    data = file_of(event)
    emptied()
    again = imported(data, account("Keeper"))
    jobs.run_due(clock.now())
    assert again.status == Event.Status.ARCHIVED
    assert standings_of(again.stages.get()).rows
    assert replays.position(Audit.objects.get(), 1) is not None
    assert StaffRole.objects.filter(event=again, user__email="keeper@example.com", role="owner").exists()
    assert not User.objects.filter(email__endswith="@imported.invalid", is_active=True).exists()
    with assert_refused("event_state"):
        play.enter_result(match=Match.objects.first(), by=User.objects.first(), games=[0, 2, 0], now=NOW)


def test_prize_categories_and_seeds_survive_export_and_import() -> None:
    event, cast = an_event_to_take_away()
    first, second = event.entrants.order_by("pk")[:2]
    act = {"event": event, "by": cast.organizer, "now": NOW}
    add_category(name="Best junior", rule="picked", entrants=[second.public_id], **act)
    add_category(name="Best fox", rule="club", value="Foxes", makes_known=True, **act)
    Entrant.objects.filter(pk=first.pk).update(seed=1, club="Foxes")
    data = file_of(event)
    assert verified(data).holds
    emptied()
    again = imported(data, account("Keeper"))
    jobs.run_due(clock.now())
    won = [(award.category.name, award.entrants) for award in awards_of(again, decks=True)]
    assert won == [("Best junior", (second.public_id,)), ("Best fox", (first.public_id,))]
    assert again.entrants.get(seed=1).public_id == first.public_id


def test_entrants_of_a_file_without_names_are_shown_by_their_ids() -> None:
    event, _cast = an_event_to_take_away()
    data = file_of(event, names=False)
    emptied()
    again = imported(data)
    entrant = again.entrants.first()
    assert entrant.name == entrant.member_set.get().person.public_id
    assert verified(file_of(again)).digest != verified(data).digest
    assert again.announcements.get().text == "…"


def test_a_person_who_exists_here_is_not_changed_even_if_erased() -> None:
    event, cast = an_event_to_take_away()
    data = file_of(event)
    key = own_person(cast.player).public_id
    emptied()
    person = own_person(account("Somebody"))
    Person.objects.filter(pk=person.pk).update(public_id=key)
    erase_person(person=person, now=NOW)
    imported(data)
    person = Person.objects.get(public_id=key)
    assert (person.given_name, person.erased_at is not None) == ("", True)


def test_existing_events_unreadable_files_and_forged_files_are_refused() -> None:
    event, _cast = an_event_to_take_away()
    data = file_of(event)
    with assert_refused("event_exists"):
        imported(data)
    emptied()
    with assert_refused("file_unreadable"):
        imported(data[:-10])
    with assert_refused("file_does_not_hold"):
        imported(forged(data, lambda lines: rows(lines, "ledger")[0].update(actor="u-99999999zz")))
    assert not Event.objects.exists()


def test_the_commands_export_verify_and_import_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event, _cast = an_event_to_take_away()
    path, short = tmp_path / "event.jsonl.gz", tmp_path / "short.jsonl"
    call_command("export_event", event.public_id, out=path)
    call_command("export_event", event.public_id, out=short, without_names=True)
    call_command("verify_event", path)
    assert "everything holds" in capsys.readouterr().out
    spoiled = tmp_path / "spoiled.jsonl"
    spoiled.write_bytes(forged(short.read_bytes(), lambda lines: rows(lines, "round")[0].update(seed=5)))
    with pytest.raises(SystemExit) as exit_:
        call_command("verify_event", spoiled)
    assert exit_.value.code == 1 and "seed_foreign round 1" in capsys.readouterr().out
    spoiled.write_bytes(b"hello\n")
    for refused in (spoiled, tmp_path / "none"):
        with pytest.raises(CommandError) as error:
            call_command("verify_event", refused)
        assert error.value.returncode == 2
    with pytest.raises(CommandError, match="event_exists"):
        call_command("import_event", path)
    with pytest.raises(CommandError, match="no such account"):
        call_command("import_event", path, owner="nobody@example.com")
    with pytest.raises(CommandError, match="there is no event"):
        call_command("export_event", "e-none")
    emptied()
    call_command("import_event", path)
    assert Event.objects.get().public_id == event.public_id


def test_of_two_imports_at_once_the_second_says_that_the_event_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    event, _cast = an_event_to_take_away()
    content = file_of(event)
    emptied()
    real, waiting = importing._refuse_known, [content]

    def look(public_id: str) -> None:
        real(public_id)
        if waiting:  # the other one comes first, after both have looked
            import_event(stream=BytesIO(waiting.pop()), owner=None, now=clock.now())

    monkeypatch.setattr(importing, "_refuse_known", look)
    with assert_refused("event_exists"):
        import_event(stream=BytesIO(content), owner=None, now=clock.now())


def test_a_file_with_invalid_settings_is_refused_and_the_settings_are_named() -> None:
    event, _cast = an_event_to_take_away()

    def spoil(lines: list[dict[str, Any]]) -> None:
        rows(lines, "event")[0].update(visibility={"decklists.public.cut": "perhaps"}, procedures={"weather": {}})

    data = forged(file_of(event), spoil)
    emptied()
    with assert_refused("file_does_not_hold") as caught:
        imported(data)
    faults = [(fault["where"], fault["detail"]) for fault in caught.value.details[0]["faults"]]
    assert faults == [
        ("event.procedures", "weather unknown_key"),
        ("event.visibility", "decklists.public.cut not_a_choice"),
    ]
    assert not Event.objects.exists()


def test_the_images_of_an_organizers_cards_survive_export_and_import() -> None:
    cast = make_cast()
    images = {"A-1": "https://cards.example.org/1.jpg"}
    card = {"ref": "A-1", "name": "One", "kind": "combattant", "atk": 1, "val": 1, "def": 1, "text": ""}
    catalogue = kept(cast.organizer, json.dumps([{**card, "image": images["A-1"]}]))
    event = an_event(cast)
    choose_catalogue(event=event, sha256=catalogue.sha256, by=cast.organizer, now=NOW)
    data = file_of(event)

    def forge(lines: list[dict[str, Any]]) -> None:
        rows(lines, "card_images")[0]["addresses"] |= {"A-2": images["A-1"], "A-1": "http://cards.example.org/1.jpg"}

    for file, expected in ((data, images), (forged(data, forge), {})):
        emptied()
        owner = account("keeper")
        imported(file, owner)
        made = Catalogue.objects.get()
        assert (made.owner, made.sha256, saved_images(made)) == (owner, catalogue.sha256, expected)
        assert images_of_event(Event.objects.get()) == expected
