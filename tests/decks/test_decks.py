"""Decklists: submission with all faults reported, versions, the lock, and who may read them."""

import pytest
from django.http import Http404

from tests.builders import NOW, an_entrant, an_open_event, deck_text
from tests.cast import Cast
from tests.refusals import assert_refused
from tournaments.decks.access import decklist_for_reader
from tournaments.decks.engine_gate import describe, list_notes, read_list
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_list, without_legal_list
from tournaments.decks.services import lock_decks, submit_decklist, unlock_decks
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def entrant(cast: Cast) -> Entrant:
    """The entrant of the cast's player, without a decklist."""
    return an_entrant(an_open_event(cast), cast.player, deck=None)


def submit(entrant: Entrant, text: str | bytes, cast: Cast) -> Decklist:
    return submit_decklist(entrant=entrant, text=text, by=cast.player, now=NOW)


def test_a_legal_list_is_saved_with_its_digest(entrant: Entrant, cast: Cast) -> None:
    kept = submit(entrant, deck_text(1), cast)
    assert (kept.legal, kept.version, kept.violations) == (True, 1, [])
    assert len(kept.digest) == 64


def test_an_illegal_list_is_saved_with_all_its_violations(entrant: Entrant, cast: Cast) -> None:
    kept = submit(entrant, "Deck\n3 DEMO-SAF-001\n", cast)
    assert not kept.legal
    assert {"SAF-I-2", "SAF-I-3"} <= {violation["rule"] for violation in kept.violations}
    told = describe(entrant.event, kept.violations, "fr")
    assert all(violation["message"] and violation["section"] for violation in told)


def test_all_unreadable_lines_are_reported_and_nothing_is_saved(entrant: Entrant, cast: Cast) -> None:
    with assert_refused("deck_unreadable") as caught:
        submit(entrant, "2 DEMO-SAF-001\n2 Nobody Knows\n0 DEMO-SAF-002\n", cast)
    assert [fault["line"] for fault in caught.value.details] == [2, 3]
    assert not Decklist.objects.exists()


@pytest.mark.parametrize("text", ["1 x\n" * 20_000, b"\xff\xfe\x00" * 30_000])
def test_an_oversized_list_is_refused(entrant: Entrant, cast: Cast, text: str | bytes) -> None:
    with assert_refused("deck_too_large"):
        submit(entrant, text, cast)


def test_an_empty_list_is_saved_as_illegal(entrant: Entrant, cast: Cast) -> None:
    kept = submit(entrant, "", cast)
    assert "SAF-I-2" in {violation["rule"] for violation in kept.violations}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_text_of_a_file_is_kept_so_that_it_can_be_read_again(entrant: Entrant, cast: Cast, encoding: str) -> None:
    text = deck_text(1) + "\n# Réserve d’idées\n"
    kept = submit(entrant, text.encode(encoding), cast)
    assert (kept.text, kept.legal) == (text, True)
    assert read_list(kept.stage, kept.text, "en").digest == kept.digest


def test_a_list_says_which_cards_were_left_out(entrant: Entrant, cast: Cast) -> None:
    kept = submit(entrant, deck_text(1) + "\n# Maybeboard\n2 DEMO-SAF-001\n", cast)
    assert kept.legal
    assert list_notes(kept.stage, kept.text, "en") == [
        {"code": "left_out", "message": "Cards under “# Maybeboard”, which do not count: 2."}
    ]
    assert "2" in list_notes(kept.stage, kept.text, "fr")[0]["message"]


def test_a_list_with_a_section_that_is_not_understood_is_not_saved(entrant: Entrant, cast: Cast) -> None:
    for marker, code in (
        ("//Sideboard (1)", "no_sideboard"),
        ("=== perhaps ===", "unclear_section"),
        ("Extra", "no_such_section"),
    ):
        with assert_refused("deck_unreadable") as caught:
            submit(entrant, f"{deck_text(1)}\n{marker}\n1 DEMO-SAF-001\n", cast)
        assert [fault["code"] for fault in caught.value.details] == [code]
    assert not Decklist.objects.exists()


def test_submitting_the_same_list_again_makes_no_new_version(entrant: Entrant, cast: Cast) -> None:
    first = submit(entrant, deck_text(1), cast)
    assert submit(entrant, deck_text(1) + "\n\n", cast).pk == first.pk


def test_a_corrected_list_becomes_the_current_version(entrant: Entrant, cast: Cast) -> None:
    submit(entrant, "3 DEMO-SAF-001", cast)
    assert [absent.pk for absent in without_legal_list(current_stage(entrant.event))] == [entrant.pk]
    submit(entrant, deck_text(2), cast)
    assert current_list(entrant, current_stage(entrant.event)).version == 2
    assert not without_legal_list(current_stage(entrant.event)).exists()


def test_a_list_submitted_after_the_lock_is_refused(entrant: Entrant, cast: Cast) -> None:
    lock_decks(event=entrant.event, by=cast.organizer, now=NOW)
    with assert_refused("decks_locked"):
        submit(entrant, deck_text(1), cast)
    unlock_decks(event=entrant.event, by=cast.organizer, now=NOW)
    assert submit(entrant, deck_text(1), cast).legal


def test_only_the_player_and_staff_who_do_not_play_can_read_a_list(entrant: Entrant, cast: Cast) -> None:
    kept = submit(entrant, deck_text(1), cast)
    for user in (cast.player, cast.judge, cast.organizer):
        assert decklist_for_reader(user, kept.pk) == kept
    for user in (cast.opponent, cast.stranger):
        with pytest.raises(Http404):
            decklist_for_reader(user, kept.pk)
    with assert_refused("role_too_low"):
        decklist_for_reader(cast.scorekeeper, kept.pk)


def test_staff_who_play_cannot_enter_the_lists_of_others(entrant: Entrant, cast: Cast) -> None:
    an_entrant(entrant.event, cast.scorekeeper)
    with assert_refused("staff_who_play"):
        submit_decklist(entrant=entrant, text=deck_text(1), by=cast.scorekeeper, now=NOW)


def test_a_list_is_refused_if_the_catalogue_of_the_event_is_not_installed(entrant: Entrant, cast: Cast) -> None:
    Event.objects.update(catalog_sha256="0" * 64)
    entrant.event.refresh_from_db()
    with assert_refused("catalog_unknown"):
        submit(entrant, deck_text(1), cast)


def test_a_judge_who_plays_cannot_read_the_lists_of_others(entrant: Entrant, cast: Cast) -> None:
    kept = submit(entrant, deck_text(1), cast)
    an_entrant(entrant.event, cast.judge)
    with assert_refused("staff_who_play"):
        decklist_for_reader(cast.judge, kept.pk)
