"""Every name that a board or a list of moves can show has a phrase in three languages, in every game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from engine.core.cards.catalog import vocabulary_of
from engine.core.effects.game_base import Base
from engine.core.table.header import load_game
from engine.core.text import phrases
from engine.core.text.registry import GAMES
from engine.core.text.rulebook import LANGUAGES


def shown(name: str) -> Iterator[str]:
    """Yield the phrase key of everything that a game can show: zones, phases, notes, marks, figures, effects, verbs."""
    game, vocabulary = load_game(name), vocabulary_of(name)
    layout, language = game.layout, vocabulary.language
    assert language is not None
    parts = [
        part for zone in (*layout.zones, *layout.common) for part in zone.split("/") if part.isalpha() or "_" in part
    ]
    yield from (f"zone.{part}" for part in (*parts, *layout.counters))
    yield from (f"phase.{phase}" for phase in game.phases)
    yield from (phrases.note_key(name, note) for note in game.notes)
    yield from (f"mark.{mark}" for mark in layout.marks)
    yield from (f"figure.{key}" for key in (*vocabulary.printed, *vocabulary.optional, *language.words.get("stat", ())))
    yield from (f"lasts.{effect}" for effect in cast(Base, game).records.effects)
    yield from (f"forbidden.{what}" for what in language.words.get("forbidden", ()))
    ends = (end for end in language.words.get("duration", ()) if end in ("phase", "permanent", "while_source"))
    yield from (f"until.{end}" for end in ends)
    yield from (f"until.{end}" for end in language.words.get("duration", ()) if end.startswith("until:"))
    yield from (f"verb.{verb}" for verb in game.verbs())


@pytest.mark.parametrize("game", GAMES)
def test_everything_a_game_can_show_has_a_phrase(game: str) -> None:
    assert [key for key in shown(game) if not phrases.known(key)] == []


def test_every_phrase_exists_in_three_languages() -> None:
    assert all(set(words) == set(LANGUAGES) and all(words.values()) for words in phrases._table().values())


def test_every_phrase_has_the_same_placeholders_in_every_language() -> None:
    for key, words in phrases._table().items():
        holes = {tuple(sorted(part.split("}")[0] for part in said.split("{")[1:])) for said in words.values()}
        assert len(holes) == 1, key


def test_a_game_may_have_its_own_phrase_for_a_note() -> None:
    assert phrases.note_key("stellar-nexus", "declared") == "memory.stellar-nexus.declared"
    assert phrases.note_key("star-safir", "declared") == "memory.declared"


def test_rows_and_groups_of_slots_are_in_play_and_other_zones_are_not() -> None:
    safir, stellar = load_game("star-safir").layout, load_game("stellar-nexus").layout
    assert safir.in_play("T1/fighters") and stellar.in_play("field")
    assert not any(safir.in_play(zone) for zone in ("hand", "T1/discard", "commander"))
    assert not any(stellar.in_play(zone) for zone in ("hand", "graveyard", "exile", "hero"))
