"""Moves and missing facts of every game are described in the reader's language."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from django.utils import translation

from engine.core.replay import selfplay
from engine.core.text.registry import GAMES
from engine.face.live import Replayed
from tournaments.web.words.boards import fact_words, move_words

LANGUAGES = ("fr", "en", "it")
RAW = re.compile(r"\b[A-E]/|common/|_")  # a place ("A/field/1") or a key ("live_cards") in the notation of logs


@cache
def played(game: str) -> dict[str, Any]:
    return selfplay.play(game, 2)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_descriptions_of_moves_contain_no_raw_keys(game: str, lang: str) -> None:
    with translation.override(lang):
        said = [move_words(game, {"args": {}, **move}, {}) for move in played(game)["moves"]]
    assert [line for line in said if RAW.search(line)] == []


def test_a_move_names_the_cards_at_its_places() -> None:
    moments = list(Replayed(json.dumps(played("stellar-nexus"))).moments())
    moves = [moment.move for moment in moments if moment.move]
    attack = next(move for move in moves if "creature" in move["args"])
    ref = attack["at"][attack["args"]["creature"]]
    assert move_words("stellar-nexus", attack, {ref: "Chien de Scorie"}) == "Chien de Scorie attacks"
    move = {"do": "play", "args": {"card": "X-1", "on": "A/field/1"}, "at": {"A/field/1": "X-2"}}
    assert move_words("stellar-nexus", move, {"X-1": "Cuirasse", "X-2": "Chien"}) == "Plays Cuirasse on Chien"


def test_an_attack_names_the_cards_in_its_slots() -> None:
    moments = list(Replayed(json.dumps(played("star-safir"))).moments())
    attack = next(moment.move for moment in moments if moment.move and moment.move["do"] == "attack")
    by, territory = attack["by"], attack["args"]["territory"]
    fighter = attack["at"][f"{by}/T{territory}/fighters/{attack['args']['attackers'][0]}"]
    assert move_words("star-safir", attack, {fighter: "Raclos"}).startswith("Raclos ")


def test_a_missing_fact_is_described_in_the_terms_of_its_game() -> None:
    assert fact_words("memory.declared", "star-safir") == "who has declared a commander"
    assert fact_words("memory.declared", "stellar-nexus") == "Attacks or blocks declared: ?"
    assert fact_words("B/T1/fighters/2") == "Seat B, Territory 1, Fighters, slot 2"
