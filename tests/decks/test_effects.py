"""What the cards of a catalogue do is saved as a new version, merged with what others save, and shared as a file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.face.effects import card_digest, written_effects
from tests.builders import NOW, an_event
from tests.cast import Cast
from tests.decks.test_own_catalogues import kept
from tests.refusals import assert_refused
from tournaments.accounts.models import User
from tournaments.common.refusals import Refusal
from tournaments.decks import effects
from tournaments.decks.access import newest_for_owner
from tournaments.decks.catalogues import delete_catalogue
from tournaments.decks.effects import apply_effects, preview_effects, save_card
from tournaments.decks.engine_gate import effects_of, raw_cards
from tournaments.decks.models import Catalogue
from tournaments.decks.services import choose_catalogue

pytestmark = pytest.mark.django_db

DRAWS: dict[str, Any] = {"on": "played", "do": [{"op": "draw", "n": 1}]}
GAINS: dict[str, Any] = {"on": "destroyed", "do": [{"op": "gain", "what": "pi", "n": 2}]}


def save(by: User, catalogue: Catalogue, ref: str, *abilities: dict[str, Any], seen: str = "") -> Catalogue:
    seen = seen or card_digest(raw_cards(catalogue)[ref])
    return save_card(catalogue=catalogue, ref=ref, seen=seen, effects={"abilities": list(abilities)}, by=by, now=NOW)


def newest(by: User) -> Catalogue:
    return newest_for_owner(by, "star-safir", "own")


def test_what_a_card_does_is_saved_as_a_new_version(cast: Cast) -> None:
    first = kept(cast.organizer)
    saved = save(cast.organizer, first, "OWN-1", DRAWS)
    assert (saved.version, saved.cards) == (2, first.cards)
    assert raw_cards(saved)["OWN-1"]["abilities"] == [DRAWS]
    assert "abilities" not in raw_cards(first)["OWN-1"], "the version it was written on has not changed"
    assert save(cast.organizer, saved, "OWN-1", DRAWS) == saved, "saving the same again changes nothing"


def test_writing_many_cards_leaves_one_version(cast: Cast) -> None:
    saved = kept(cast.organizer)
    for number in (1, 2, 3):
        saved = save(cast.organizer, saved, f"OWN-{number}", DRAWS)
    versions = Catalogue.objects.filter(owner=cast.organizer).order_by("version")
    assert [version.version for version in versions] == [1, 4], (
        "the uploaded one, and the one with all that was written"
    )
    assert [ref for ref, card in raw_cards(saved).items() if card.get("abilities")] == ["OWN-1", "OWN-2", "OWN-3"]


def test_an_event_keeps_the_version_it_uses(cast: Cast) -> None:
    written = save(cast.organizer, kept(cast.organizer), "OWN-1", DRAWS)
    event = an_event(cast)
    choose_catalogue(event=event, sha256=written.sha256, by=cast.organizer, now=NOW)
    again = save(cast.organizer, written, "OWN-2", DRAWS)
    event.refresh_from_db()
    assert event.catalog_sha256 == written.sha256 != again.sha256
    assert Catalogue.objects.filter(pk=written.pk).exists()


def test_two_people_can_write_different_cards_at_once(cast: Cast) -> None:
    opened = kept(cast.organizer)
    save(cast.organizer, opened, "OWN-1", DRAWS)
    save(cast.organizer, opened, "OWN-2", GAINS)
    cards = raw_cards(newest(cast.organizer))
    assert (cards["OWN-1"]["abilities"], cards["OWN-2"]["abilities"]) == ([DRAWS], [GAINS])


def test_the_second_who_saves_the_same_card_is_told(cast: Cast) -> None:
    opened = kept(cast.organizer)
    seen = card_digest(raw_cards(opened)["OWN-1"])
    save(cast.organizer, opened, "OWN-1", DRAWS)
    with assert_refused("card_changed") as refused:
        save(cast.organizer, opened, "OWN-1", GAINS, seen=seen)
    assert refused.value.details == [{"keywords": [], "abilities": [DRAWS]}]
    assert raw_cards(newest(cast.organizer))["OWN-1"]["abilities"] == [DRAWS]


def test_an_ability_with_a_fault_is_not_saved(cast: Cast) -> None:
    with assert_refused("ability_faulty") as refused:
        save(cast.organizer, kept(cast.organizer), "OWN-1", {"on": "played", "do": [{"op": "drow"}]})
    assert refused.value.details[0]["suggestions"] == ["draw"]


def test_a_card_that_is_gone_cannot_be_saved(cast: Cast) -> None:
    with assert_refused("card_unknown"):
        save(cast.organizer, kept(cast.organizer), "OWN-99", DRAWS, seen="x")


def test_going_back_to_what_an_older_version_has_names_it(cast: Cast) -> None:
    first = kept(cast.organizer)
    written = save(cast.organizer, first, "OWN-1", DRAWS)
    event = an_event(cast)
    choose_catalogue(event=event, sha256=written.sha256, by=cast.organizer, now=NOW)
    with assert_refused("catalogue_exists"):
        save(cast.organizer, written, "OWN-1")
    assert newest(cast.organizer) == written


def test_taking_back_what_was_written_leaves_the_first_version(cast: Cast) -> None:
    first = kept(cast.organizer)
    written = save(cast.organizer, first, "OWN-1", DRAWS)
    assert save(cast.organizer, written, "OWN-1") == first == newest(cast.organizer)


def test_a_file_of_effects_is_read_back_onto_another_catalogue(cast: Cast) -> None:
    written = save(cast.organizer, kept(cast.organizer), "OWN-1", DRAWS)
    content = written_effects(effects_of(written))
    assert json.loads(content) == {"OWN-1": {"abilities": [DRAWS]}}
    other = kept(cast.judge)
    saved, preview = apply_effects(catalogue=other, content=content, by=cast.judge, now=NOW)
    assert (preview.changed, saved.version) == (["OWN-1"], 2)
    assert raw_cards(saved)["OWN-1"]["abilities"] == [DRAWS]
    assert apply_effects(catalogue=saved, content=content, by=cast.judge, now=NOW)[0] == saved, "twice is once"


def test_a_file_is_previewed_card_by_card(cast: Cast) -> None:
    written = save(cast.organizer, kept(cast.organizer), "OWN-1", DRAWS)
    content = {
        "OWN-1": {"abilities": [DRAWS]},
        "OWN-2": {"abilities": [GAINS]},
        "OWN-3": {"abilities": [{"on": "nowhere", "do": [{"op": "draw", "n": 1}]}]},
        "OWN-4": {"text": "somebody's text"},
        "ELSE-1": {"abilities": [DRAWS]},
    }
    found = preview_effects(catalogue=written, content=json.dumps(content))
    assert (found.same, found.changed, found.unknown) == (["OWN-1"], ["OWN-2"], ["ELSE-1"])
    assert [fault["ref"] for fault in found.faulty] == ["OWN-3", "OWN-4"]


@pytest.mark.parametrize("content", ["", "[]", '{"OWN-1": []}', "{" * 100, '{"a": 1, "a": 2}', "\x00"])
def test_a_file_that_is_no_file_of_effects_is_refused(cast: Cast, content: str) -> None:
    catalogue = kept(cast.organizer)
    with assert_refused("effects_unreadable"):
        preview_effects(catalogue=catalogue, content=content)


def test_a_deleted_catalogue_cannot_be_written(cast: Cast) -> None:
    catalogue = kept(cast.organizer)
    seen = card_digest(raw_cards(catalogue)["OWN-1"])
    delete_catalogue(catalogue=catalogue)
    with pytest.raises(Refusal) as refused:
        save(cast.organizer, catalogue, "OWN-1", DRAWS, seen=seen)
    assert refused.value.code == "catalogue_not_found"


def test_a_version_saved_meanwhile_is_not_lost(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another card is saved while the new version is computed: it is computed again, from that one."""
    opened, computed = kept(cast.organizer), effects.look_at
    seen = card_digest(raw_cards(opened)["OWN-1"])

    def slowly(document: str) -> dict[str, Any]:
        monkeypatch.setattr(effects, "look_at", computed)
        save(cast.organizer, opened, "OWN-2", GAINS)
        return computed(document)

    monkeypatch.setattr(effects, "look_at", slowly)
    save(cast.organizer, opened, "OWN-1", DRAWS, seen=seen)
    cards = raw_cards(newest(cast.organizer))
    assert (cards["OWN-1"]["abilities"], cards["OWN-2"]["abilities"]) == ([DRAWS], [GAINS])
