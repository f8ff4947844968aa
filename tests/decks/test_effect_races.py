"""Two people save what cards do at the same instant: different cards are both saved, of one card one is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.face.effects import card_digest
from tests.builders import NOW
from tests.cast import Cast
from tests.decks.test_effects import DRAWS, GAINS, newest
from tests.decks.test_own_catalogues import kept
from tests.play.test_races import at_once
from tournaments.decks.effects import save_card
from tournaments.decks.engine_gate import raw_cards
from tournaments.decks.models import Catalogue

pytestmark = pytest.mark.django_db(transaction=True)


def saving(cast: Cast, opened: Catalogue, ref: str, ability: dict[str, Any]) -> Callable[[], object]:
    """Return a function that saves one ability of a card as it was in the opened version."""
    seen = card_digest(raw_cards(opened)[ref])
    effects = {"abilities": [ability]}
    return lambda: save_card(catalogue=opened, ref=ref, seen=seen, effects=effects, by=cast.organizer, now=NOW)


def test_different_cards_saved_at_once_are_both_kept(cast: Cast) -> None:
    opened = kept(cast.organizer)
    told = at_once(saving(cast, opened, "OWN-1", DRAWS), saving(cast, opened, "OWN-2", GAINS))
    assert told == ["done", "done"]
    cards = raw_cards(newest(cast.organizer))
    assert (cards["OWN-1"]["abilities"], cards["OWN-2"]["abilities"]) == ([DRAWS], [GAINS])


def test_of_two_who_save_one_card_at_once_one_is_told(cast: Cast) -> None:
    opened = kept(cast.organizer)
    told = at_once(saving(cast, opened, "OWN-1", DRAWS), saving(cast, opened, "OWN-1", GAINS))
    assert told == ["card_changed", "done"]
    assert raw_cards(newest(cast.organizer))["OWN-1"]["abilities"] in ([DRAWS], [GAINS])
