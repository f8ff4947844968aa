"""Decklists that come in with entrants: checked in the preview, submitted by a job, and none is lost."""

import pytest
from django.urls import reverse

from tests.builders import NOW, a_sealed_event, an_entrant, an_open_event, deck_text
from tests.cast import Cast
from tests.web.pages import signed_in, text
from tournaments.common import clock, jobs
from tournaments.decks import entry_lists
from tournaments.decks.entry_lists import ListsReport, list_text, preview_lists, submitted
from tournaments.decks.models import Decklist, ListBatch
from tournaments.decks.services import lock_decks, submit_decklist
from tournaments.events import imports
from tournaments.events.entering import Newcomer, enter_people
from tournaments.events.models import EntryImport, Event

UNREADABLE = "3 No such card\n2 Nor this"


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def sheet() -> bytes:
    """A legal list on several lines and on one, an illegal one, an unreadable one, and nobody's."""
    legal = deck_text(1)
    cells = (legal, "; ".join(legal.splitlines()), legal.splitlines()[-1], UNREADABLE, "")
    rows = [f"Player {number},{quoted(cell)}" for number, cell in enumerate(cells, 1)]
    return "\n".join(["name,Decklist", *rows]).encode()


def uploaded(event: Event, cast: Cast, data: bytes) -> EntryImport:
    return imports.open_import(event=event, document=data, by=cast.scorekeeper, now=NOW)


def counts(report: ListsReport) -> tuple[int, int, int]:
    return report.legal, report.illegal, report.unreadable


def entered(event: Event, cast: Cast, *lists: str) -> list[str]:
    people = [Newcomer(f"Player {number}", decklist=text) for number, text in enumerate(lists, 1)]
    enter_people(event=event, people=people, by=cast.scorekeeper, now=NOW, source="test")
    jobs.run_due(NOW)
    return [problem.code for problem in submitted("test").problems]


@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("2 Ash\n3 Elm", ["2 Ash", "3 Elm"]),
        ("2 Ash; 3 Elm;", ["2 Ash", "3 Elm"]),
        ("2 Ash, the Tall, 3x Elm, x4 Oak", ["2 Ash, the Tall", "3x Elm", "x4 Oak"]),
        ("Ash, 4", ["Ash, 4"]),
        ("", []),
    ],
)
def test_a_list_on_one_line_is_split_where_a_card_ends(cell: str, lines: list[str]) -> None:
    assert list_text(cell).splitlines() == lines


def test_the_preview_says_how_many_lists_are_legal_illegal_and_unreadable(cast: Cast) -> None:
    event = an_open_event(cast)
    preview = imports.preview_of(uploaded(event, cast, sheet()))
    report = preview_lists(event, preview.entering, cast.scorekeeper)
    assert counts(report) == (2, 1, 1)
    (problem,) = report.problems
    assert [line for line, _message in problem.faults] == [1, 2]
    assert not Decklist.objects.exists()


def test_the_job_submits_the_lists_and_tells_the_unreadable_one_with_its_line_and_text(cast: Cast) -> None:
    event = an_open_event(cast)
    sent = uploaded(event, cast, sheet())
    line = next(line.number for line in imports.preview_of(sent).entering if line.given_name == "Player 4")
    imports.confirm_import(entry_import=sent, by=cast.scorekeeper, now=NOW)
    assert (submitted(sent.public_id).later, submitted(sent.public_id).progress) == (4, 0)
    for _twice in range(2):
        jobs.run_due(NOW)
        report = submitted(sent.public_id)
        assert (counts(report), report.progress) == ((2, 1, 1), 100)
    (problem,) = report.problems
    assert (problem.line, problem.entrant.name) == (line, "Player 4")
    assert Decklist.objects.filter(submitted_by=cast.scorekeeper).count() == 3
    assert entry_lists.unread_list(problem.entrant, cast.scorekeeper) == UNREADABLE
    entry_lists.forget_lists(batch_id=ListBatch.objects.get().pk)
    assert (entry_lists.unread_list(problem.entrant, cast.scorekeeper), Decklist.objects.count()) == ("", 3)


def test_a_job_that_is_run_again_after_it_stopped_submits_the_rest(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event = an_open_event(cast)
    people = [Newcomer(f"Player {number}", decklist=deck_text(number)) for number in range(3)]
    enter_people(event=event, people=people, by=cast.scorekeeper, now=NOW)
    monkeypatch.setattr(entry_lists, "SAVED_EVERY", 1)

    def stop(percent: int) -> None:
        if percent > 50:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        entry_lists.enter_lists(batch_id=ListBatch.objects.get().pk, now=NOW, progress=stop)
    assert Decklist.objects.count() == 2
    jobs.run_due(NOW)
    assert Decklist.objects.count() == 3


def test_a_list_that_the_player_has_submitted_meanwhile_stays(cast: Cast) -> None:
    event = an_open_event(cast)
    people = [Newcomer("Player 7", decklist=deck_text(1))]
    (entrant,) = enter_people(event=event, people=people, by=cast.scorekeeper, now=NOW, source="test").entrants
    submit_decklist(entrant=entrant, text=deck_text(2), by=cast.organizer, now=NOW)
    jobs.run_due(NOW)
    assert [problem.code for problem in submitted("test").problems] == ["list_there"]


def test_lists_of_people_entered_after_the_lock_are_submitted(cast: Cast) -> None:
    event = an_open_event(cast)
    lock_decks(event=event, by=cast.organizer, now=NOW)
    assert entered(event, cast, deck_text(1)) == []
    assert Decklist.objects.get().legal


def test_lists_that_cannot_be_submitted_are_refused_as_at_the_desk(cast: Cast) -> None:
    playing = an_open_event(cast)
    an_entrant(playing, cast.scorekeeper, deck=None)
    assert entered(playing, cast, deck_text(1)) == ["staff_who_play"]
    none = an_open_event(cast, lists="none")
    sent = uploaded(none, cast, sheet())
    report = preview_lists(none, imports.preview_of(sent).entering, cast.scorekeeper)
    assert (report.refusal, report.count) == ("lists_not_collected", 4)
    imports.confirm_import(entry_import=sent, by=cast.scorekeeper, now=NOW)
    jobs.run_due(NOW)
    assert (none.entrants.count(), submitted(sent.public_id).count) == (5, 0)
    sealed = a_sealed_event(cast)
    preview = imports.preview_of(uploaded(sealed, cast, sheet()))
    assert preview_lists(sealed, preview.entering, cast.scorekeeper).refusal == "pool_missing"


def test_the_page_of_an_import_shows_its_lists_and_only_readers_see_what_is_in_them(cast: Cast) -> None:
    event = an_open_event(cast)
    sent = imports.open_import(event=event, document=sheet(), by=cast.scorekeeper, now=clock.now())
    page = reverse("web:staff_import", args=[sent.public_id])
    assert "No such card" in text(signed_in(cast.scorekeeper).get(page))
    imports_of_another = signed_in(cast.organizer)
    an_entrant(event, cast.organizer, deck=None)
    assert "No such card" not in text(imports_of_another.get(page))
    signed_in(cast.scorekeeper).post(f"{page}confirm/")
    jobs.run_due(clock.now())
    shown = text(signed_in(cast.scorekeeper).get(page))
    assert "Player 4: some lines cannot be read" in " ".join(shown.split())
    entrant = event.entrants.get(member__person__given_name="Player 4")
    typing = reverse("web:staff_paper_list", args=[event.public_id, entrant.public_id])
    assert "3 No such card" in text(signed_in(cast.scorekeeper).get(typing))
