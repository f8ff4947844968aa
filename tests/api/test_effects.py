"""What cards do, through the API: words, sentences, saving in turn, and files of effects."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api import scenes
from tests.api.scenes import DRAWS, token_client
from tests.cast import Cast
from tournaments.decks.models import Catalogue

pytestmark = pytest.mark.django_db

EFFECTS = "/api/v1/catalogues/star-safir/own/effects/"
CARD = EFFECTS + "OWN-1/"
GAINS: dict[str, Any] = {"on": "played", "do": [{"op": "gain", "what": "pi", "n": 2}]}


def writer(cast: Cast) -> Any:
    scenes.with_cards(cast)
    return token_client(cast.organizer, "read", "organize")


def test_the_words_of_a_game_come_in_the_readers_language(cast: Cast) -> None:
    client = token_client(cast.organizer, "read")
    words = client.get("/api/v1/effect-words/altered/", headers={"Accept-Language": "it"}).json()
    labels = {item["word"]: item["label"] for item in words["triggers"]}
    assert labels["phase:midi"] == "All’inizio del Mezzogiorno"
    assert client.get("/api/v1/effect-words/chess/").status_code == 404


def test_a_draft_is_read_with_its_problems_and_nothing_is_stored(cast: Cast) -> None:
    wrong = {"on": "played", "do": [{"op": "drow", "n": 1}]}
    sent = {"kind": "magie", "abilities": [DRAWS, wrong]}
    read = writer(cast).post("/api/v1/effect-words/star-safir/read/", sent, format="json").json()
    assert read["sentences"][0]["en"] == "When this card is played: draw 1 card."
    assert read["sentences"][1]["en"] == "This ability is not complete yet."
    (problem,) = read["problems"]
    assert (problem["ability"], problem["path"], problem["suggestions"]) == (1, ".do[0].op", ["draw"])


def test_a_card_is_saved_and_the_second_to_save_is_told(cast: Cast) -> None:
    client = writer(cast)
    card = client.get(CARD).json()
    saved = client.put(CARD, {"abilities": [DRAWS], "seen": card["digest"]}, format="json")
    assert (saved.status_code, saved.json()["version"], saved.json()["abilities"]) == (200, 2, [DRAWS])
    again = client.put(CARD, {"abilities": [DRAWS], "seen": card["digest"]}, format="json")
    assert again.json()["version"] == 2, "saving the same again changes nothing"
    late = client.put(CARD, {"abilities": [GAINS], "seen": card["digest"]}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "card_changed")
    assert late.json()["details"] == [{"keywords": [], "abilities": [DRAWS]}]


def test_a_faulty_ability_is_refused_with_its_problems(cast: Cast) -> None:
    client = writer(cast)
    seen = client.get(CARD).json()["digest"]
    for abilities in ([{"on": "never", "do": [{"op": "draw", "n": 1}]}], ["draw"], [[]], [7]):
        answer = client.put(CARD, {"abilities": abilities, "seen": seen}, format="json")
        assert (answer.status_code, answer.json()["code"]) in (
            (422, "ability_faulty"),
            (422, "effects_unreadable"),
        )
    assert Catalogue.objects.filter(owner=cast.organizer).count() == 1


def test_a_preview_of_a_file_stores_nothing(cast: Cast) -> None:
    client = writer(cast)
    file = {"OWN-1": {"abilities": [DRAWS]}, "OWN-9": {}, "OWN-1 ": {"text": "x"}}
    shown = client.post(EFFECTS, {"effects": file, "preview": True}, format="json").json()
    assert (shown["changed"], shown["unknown"], shown["version"]) == (["OWN-1"], ["OWN-9", "OWN-1 "], 1)
    done = client.post(EFFECTS, {"effects": file}, format="json").json()
    assert (done["changed"], done["version"]) == (["OWN-1"], 2)
    assert client.get(EFFECTS).json() == {"OWN-1": {"abilities": [DRAWS]}}


def test_a_card_or_catalogue_of_somebody_else_is_not_found(cast: Cast) -> None:
    client = writer(cast)
    assert client.get(EFFECTS + "OWN-99/").status_code == 404
    stranger = token_client(cast.stranger, "read", "organize")
    assert stranger.get(CARD).status_code == 404
    assert stranger.put(CARD, {"abilities": [], "seen": ""}, format="json").status_code == 404
