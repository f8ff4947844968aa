"""Whatever is computed again by its name has a version: an old event is verified by the rules it was played by."""

from dataclasses import replace
from fractions import Fraction

import pytest

from engine.core.table.header import load_game
from tests.archive.files import file_of, verified
from tests.builders import NOW, a_running_event, a_stage_played
from tests.cast import Cast
from tournaments.archive import checks
from tournaments.events.models import Event
from tournaments.events.selectors import current_stage
from tournaments.standings.services import choose_scheme, compute_standings
from tournaments.swiss import schemes
from tournaments.swiss.schemes import PUBLISHED, newest, plain

pytestmark = pytest.mark.django_db


def played(cast: Cast, scheme: str) -> Event:
    """An event of five players with one round played, and its standings by a scheme."""
    event = a_running_event(cast, players=5)
    choose_scheme(event=event, scheme=scheme, by=cast.organizer, now=NOW)
    a_stage_played(event, cast.organizer, 1)
    compute_standings(stage_id=current_stage(event).pk, now=NOW)
    return Event.objects.get(pk=event.pk)


def corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish a second version of every scheme, with half the floor and the tiebreaks in another order."""
    second = [
        replace(
            each,
            name=f"{each.name}@2",
            tiebreaks=(each.tiebreaks[0], *reversed(each.tiebreaks[1:])),
            rules=replace(each.rules, floor=each.rules.floor / 2 or Fraction(1, 10)),
        )
        for each in PUBLISHED
    ]
    monkeypatch.setattr(schemes, "PUBLISHED", (*PUBLISHED, *second))


@pytest.mark.parametrize("scheme", [*(each.name for each in PUBLISHED), "fide:points,direct,omw", "points,omw"])
def test_an_event_is_verified_by_the_version_of_its_scheme(cast: Cast, monkeypatch, scheme: str) -> None:
    data = file_of(played(cast, scheme))
    assert not verified(data).faults
    corrected(monkeypatch)
    assert not verified(data).faults


def test_a_changed_version_would_be_found(cast: Cast, monkeypatch) -> None:
    data = file_of(played(cast, "mtr"))
    changed = [replace(each, rules=replace(each.rules, floor=Fraction(9, 10))) for each in PUBLISHED]
    monkeypatch.setattr(schemes, "PUBLISHED", tuple(changed))
    assert {fault.code for fault in verified(data).faults} == {"standings_differ"}


def test_who_chooses_a_scheme_gets_its_newest_version_and_a_stage_keeps_its_own(cast: Cast, monkeypatch) -> None:
    event = played(cast, "mtr")
    corrected(monkeypatch)
    choose_scheme(event=event, scheme="mtr", by=cast.organizer, now=NOW)
    assert current_stage(event).scheme == "mtr", "it has been chosen already"
    choose_scheme(event=event, scheme="fide", by=cast.organizer, now=NOW)
    assert current_stage(event).scheme == "fide@2"
    choose_scheme(event=event, scheme="mtr:points,omw", by=cast.organizer, now=NOW)
    assert current_stage(event).scheme == "mtr@2:points,omw"
    choose_scheme(event=event, scheme="mtr@2", by=cast.organizer, now=NOW)
    assert current_stage(event).scheme == "mtr@2"
    assert current_stage(a_running_event(cast, named="Guest")).scheme == "mtr@2", "a new event begins with the newest"


def test_names_with_and_without_versions() -> None:
    assert [plain(name) for name in ("mtr", "mtr@2", "mtr@2:points,omw", "points,omw")] == [
        "mtr",
        "mtr",
        "mtr:points,omw",
        "points,omw",
    ]
    names = ["mtr", "fide:points,omw", "points,omw"]
    assert [newest(name) for name in names] == names


def test_a_round_paired_by_another_version_is_no_fault_and_said_to_be_unchecked(cast: Cast, monkeypatch) -> None:
    data = file_of(played(cast, "mtr"))
    monkeypatch.setattr(checks, "ALGORITHM", "swiss-3")
    report = verified(data)
    assert not report.faults
    assert {fault.code for fault in report.left} >= {"other_version"}


@pytest.mark.parametrize("game", ["altered", "saint-seiya", "star-safir", "stellar-nexus", "wakfu"])
def test_every_ruleset_names_its_version(game: str) -> None:
    assert all("@" in name for name in load_game(game).rulesets)
