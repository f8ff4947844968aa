"""A small board on which a card can be tried, in every game and for every kind of card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

import engine
from engine.core.replay.selfplay import Dice
from engine.core.replay.trial import set_up
from engine.core.text import registry

GAMES = engine.games()
HELD = {
    "altered": ("personnage", "sort", "permanent"),
    "saint-seiya": ("personnage", "armure", "relique"),
    "star-safir": ("combattant", "magie"),
    "stellar-nexus": ("créature", "éphémère", "équipement"),
    "wakfu": ("créature", "allié", "équipement"),
}  # kinds that are played from the hand


def documents(game: str) -> Iterator[dict[str, Any]]:
    for file in files(registry.package(game)).joinpath("cards").iterdir():
        yield json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_card_can_be_tried_on_a_board_without_unknown_facts(game: str) -> None:
    for document in documents(game):
        tokens = [card for card in document["cards"] if card["kind"] == "jeton"]
        for card in document["cards"]:
            log, catalog = set_up(game, card, tokens)
            opened = engine.open_game(log, catalogs=[catalog])
            assert opened.board().get("unknown", []) == [], card["ref"]
            moves = opened.legal_moves()
            assert moves, card["ref"]
            if card["kind"] in HELD[game] and not card.get("abilities"):
                assert any(card["ref"] in json.dumps(move, ensure_ascii=False) for move in moves), card["ref"]


@pytest.mark.parametrize("game", GAMES)
def test_a_trial_can_be_played_on(game: str) -> None:
    document = next(documents(game))
    dice = Dice(f"trial of {game}")
    for card in document["cards"][:8]:
        log, catalog = set_up(game, card)
        opened = engine.open_game(log, catalogs=[catalog])
        for _ in range(12):
            moves = opened.legal_moves()
            if not moves or opened.result:
                break
            move = dice.pick(moves)
            chance = opened.chance_of(move, dice)
            assert opened.accept({**move, **({"chance": chance} if chance else {})}).outcome in ("ok", "unverified")
        assert len(opened), card["ref"]


def test_what_the_card_does_is_carried_out() -> None:
    card = {"ref": "M-9", "name": "Trouvaille", "kind": "magie", "val": 1, "text": "?",
            "abilities": [{"on": "played", "do": [{"op": "gain", "what": "pv", "n": 3}]}]}  # fmt: skip
    log, catalog = set_up("star-safir", card)
    opened = engine.open_game(log, catalogs=[catalog])
    before = opened.board()["seats"]["A"]["pv"]
    move = next(move for move in opened.legal_moves() if move["args"].get("card") == "M-9")
    opened.accept(move)
    assert opened.board()["seats"]["A"]["pv"] == before + 3
