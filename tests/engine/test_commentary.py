"""Moves and chance read as sentences, in every game and language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from engine.core.cards.catalog import shipped_catalogs
from engine.core.replay.replay import Replay
from engine.core.shown import commentary
from engine.core.shown.commentary import capital, chance_words, chosen, move_line, move_sentence, move_sentences, placed
from engine.core.shown.words import Names, cards_at, names_of
from engine.core.table.header import load_game
from engine.core.text.phrases import known
from engine.core.text.registry import GAMES
from engine.core.text.rulebook import LANGUAGES
from tests.engine.games import a_game

NAMES = {"R": "Raclos", "S": "Sylvain", "T": "Tolas"}
RAW = re.compile(r"\b[A-E]/|common/|_|  |None|True|False|[{}\[\]]|\?|#|\b(?:DEMO|EFF)-|(?<!\S) ?,")
Told = tuple[Mapping[str, Any], Mapping[str, str]]


@cache
def told(game: str) -> list[Told]:
    """Entries of random games, each with the cards at its places: one of each shape for each value that has no name."""
    found: dict[object, Told] = {}
    for catalog in shipped_catalogs(game):
        for seed in range(4):
            for move, at in _entries(a_game(game, seed, catalog=catalog)):
                found.setdefault(_shape(game, move, at), (move, at))
    return list(found.values())


def _entries(log: dict[str, Any]) -> Iterator[Told]:
    replay = Replay(log)
    for move in log["moves"]:
        yield move, cards_at(replay.state, placed(log["game"], move))
        replay.step()


def _shape(game: str, move: Mapping[str, Any], at: Mapping[str, str]) -> object:
    def form(value: Any) -> object:
        if isinstance(value, list):
            return ("list", min(2, len(value)), *sorted({str(form(item)) for item in value}))
        if isinstance(value, dict):
            return tuple(value)
        if not isinstance(value, str):
            return value
        return re.sub(r"(DEMO|EFF)-[-\w]+", "REF", re.sub(r"^[A-E]/|\d+", "", value)), value in at

    args = {key: form(value) for key, value in placed(game, move).items()}
    chance = [(kind, form(value)) for item in move.get("chance", ()) for kind, value in item.items()]
    return str((move["do"], args, chance, move.get("resp"), "claims" in move))


@cache
def names(game: str, lang: str) -> Names:
    """The names of all cards of the game in a language."""
    return names_of({ref: card for catalog in shipped_catalogs(game) for ref, card in catalog.cards.items()}, lang)


@pytest.mark.parametrize("game", GAMES)
def test_every_shape_of_a_move_has_a_sentence_that_names_all_its_arguments(game: str) -> None:
    left_out = []
    for move, _ in told(game):
        args = {key: value for key, value in placed(game, move).items() if value not in ([], False)}
        found = chosen(game, move["do"], args, move["by"])
        if found is None:
            assert known(f"verb.{move['do']}")
        if args.keys() - (set() if found is None else found.arguments):
            left_out.append(move)
    assert left_out == []


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_has_words_without_arguments(game: str) -> None:
    moves = [{"by": "A", "do": verb, "args": {}} for verb in load_game(game).verbs()]
    said = [move_sentence(game, move, lang) for move in moves for lang in LANGUAGES]
    assert [sentence for sentence in said if RAW.search(sentence)] == []


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_sentences_contain_no_raw_keys(game: str, lang: str) -> None:
    known_names = names(game, lang)
    said = [move_sentence(game, move, lang, known_names, at) for move, at in told(game)]
    said += [move_sentence(game, move, lang, known_names) for move, _ in told(game)]  # without a board
    said += [move_sentence(game, move, lang, known_names, at, exact=True) for move, at in told(game)]
    said += [chance_words(game, move.get("chance", ()), lang, known_names) for move, _ in told(game)]
    assert [sentence for sentence in said if RAW.search(sentence)] == []


@pytest.mark.parametrize("game", GAMES)
def test_sentences_start_with_a_capital_and_end_without_a_full_stop(game: str) -> None:
    said = [move_sentence(game, move, lang, names(game, lang), at) for move, at in told(game) for lang in LANGUAGES]
    assert [sentence for sentence in said if sentence != capital(sentence) or sentence.endswith(".")] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_has_the_same_blanks_in_every_language(game: str) -> None:
    book = commentary._book(game)
    found = [template.phrase for templates in book.say.values() for template in templates]
    found += [phrase for nouns in book.noun.values() for phrase in nouns.values()]
    found += [*book.zone.values(), *book.value.values()]
    for phrase in found:
        assert set(phrase) == set(LANGUAGES), phrase
        assert len({tuple(sorted(re.findall(r"{(\w+)}", said))) for said in phrase.values()}) == 1, phrase


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_with_sentences_is_one_of_the_game(game: str) -> None:
    book = commentary._book(game)
    verbs = {*load_game(game).verbs(), "chance", "event"}
    assert {*book.say, *book.place, *book.noun} <= verbs


def said(game: str, lang: str, do: str, args: Mapping[str, Any] | None = None, **more: Any) -> str:
    """The sentence of a move of seat A in which R, S and T are the refs of Raclos, Sylvain and Tolas."""
    at = more.pop("at", {})
    return move_sentence(game, {"by": "A", "do": do, "args": args or {}, **more}, lang, NAMES.get, at)


FIGHT = {"territory": 2, "attackers": [1], "target": 3}
LINED_UP = {"A/T2/fighters/1": "R", "A/T2/fighters/2": "T", "B/T2/fighters/3": "S"}
ROW = {"A/field/1": "R", "B/field/2": "S", "A/rest/1": "R", "A/combat/1": "T", "A/leader": "R", "B/leader": "S"}


@pytest.mark.parametrize(
    ("game", "do", "args", "sentences"),
    [
        ("star-safir", "attack", FIGHT, {
            "en": "Raclos attacks Sylvain in territory 2",
            "fr": "Raclos attaque Sylvain dans le territoire 2",
            "it": "Raclos attacca Sylvain nel territorio 2",
        }),
        ("star-safir", "attack", {**FIGHT, "attackers": [1, 2]}, {
            "en": "Raclos and Tolas attack Sylvain in territory 2",
            "fr": "Raclos et Tolas attaquent Sylvain dans le territoire 2",
            "it": "Raclos e Tolas attaccano Sylvain nel territorio 2",
        }),
        ("star-safir", "attack", {**FIGHT, "territory": 1}, {
            "en": "The fighter in slot 1 attacks the fighter in slot 3 in territory 1",
            "fr": "Le combattant de l’emplacement 1 attaque le combattant de l’emplacement 3 dans le territoire 1",
            "it": "Il combattente dello spazio 1 attacca il combattente dello spazio 3 nel territorio 1",
        }),
        ("star-safir", "play", {"card": "R", "territory": 2, "slot": 1}, {
            "en": "Plays Raclos in territory 2, slot 1",
            "fr": "Joue Raclos dans le territoire 2, emplacement 1",
            "it": "Gioca Raclos nel territorio 2, spazio 1",
        }),
        ("star-safir", "play", {"card": "?", "face": "down", "territory": 2, "slot": 1}, {
            "en": "Places a card face down in territory 2, slot 1",
            "fr": "Pose une carte face cachée dans le territoire 2, emplacement 1",
            "it": "Mette una carta coperta nel territorio 2, spazio 1",
        }),
        ("star-safir", "move", {"territory": 2, "slot": 2, "to": 1, "to_slot": 3}, {
            "en": "Moves Tolas from territory 2 to territory 1, slot 3",
        }),
        ("star-safir", "sacrifice", {"territory": 2, "slot": 2}, {"fr": "Sacrifie Tolas dans le territoire 2"}),
        ("star-safir", "reveal", {"territory": 2, "slot": 2, "card": "R"}, {
            "en": "Reveals Raclos in territory 2, slot 2",
        }),
        ("star-safir", "mulligan", {"back": ["R", "S", "?"]}, {
            "en": "Shuffles Raclos, Sylvain and an unknown card into the deck and draws again",
            "fr": "Remet Raclos, Sylvain et une carte inconnue dans le deck et repioche",
            "it": "Rimette Raclos, Sylvain e una carta sconosciuta nel mazzo e ripesca",
        }),
        ("star-safir", "mulligan", {"back": 1}, {"en": "Shuffles one card into the deck and draws again"}),
        ("star-safir", "mulligan", {"back": 4}, {"en": "Shuffles 4 cards into the deck and draws again"}),
        ("star-safir", "commander", {"card": None}, {"en": "Plays without a commander"}),
        ("star-safir", "answer", {"pick": "yes"}, {"en": "Accepts", "fr": "Accepte", "it": "Accetta"}),
        ("star-safir", "answer", {"pick": None}, {"en": "Declines", "fr": "Décline", "it": "Rinuncia"}),
        ("star-safir", "answer", {"pick": "3"}, {"en": "Chooses 3"}),
        ("star-safir", "answer", {"pick": "B"}, {"en": "Chooses player B", "fr": "Choisit le joueur B"}),
        ("star-safir", "answer", {"pick": "A/T3/fighters/2"}, {"en": "Chooses slot 2 of A’s territory 3"}),
        ("star-safir", "answer", {"pick": "A/T3/discard/R"}, {
            "en": "Chooses Raclos in the discard of A’s territory 3",
        }),
        ("star-safir", "concede", {}, {"en": "Concedes", "fr": "Concède", "it": "Concede"}),
        ("star-safir", "draw_agreed", {}, {"en": "Records an agreed draw"}),
        ("star-safir", "time", {}, {"en": "Calls time"}),
        ("star-safir", "back_to", {"n": 12}, {"en": "Goes back to just after move 12"}),
        ("star-safir", "back_to", {"n": 0}, {"en": "Goes back to the start of the game"}),
        ("star-safir", "game_loss", {"seat": "B"}, {"en": "Gives player B a game loss"}),
        ("wakfu", "play", {"card": "S", "pay": [{"card": "A/leader"}, {"card": "A/rest/1", "mana": "Terre"}]}, {
            "en": "Plays Sylvain, paying with Raclos and Raclos (earth)",
            "fr": "Joue Sylvain en payant avec Raclos et Raclos (terre)",
            "it": "Gioca Sylvain pagando con Raclos e Raclos (terra)",
        }),
        ("wakfu", "play", {"card": "R", "pay": [], "on": "B/leader"}, {"en": "Plays Raclos on Sylvain"}),
        ("wakfu", "block", {"blockers": []}, {"en": "Does not block", "fr": "Ne bloque pas", "it": "Non blocca"}),
        ("wakfu", "block", {"blockers": ["A/combat/1", "A/leader"]}, {"en": "Blocks with Tolas and Raclos"}),
        ("wakfu", "move", {"card": "A/rest/1"}, {"en": "Sends Raclos to the combat zone"}),
        ("wakfu", "move", {"card": "A/combat/1"}, {"en": "Brings Tolas back to the rest zone"}),
        ("wakfu", "move", {"card": "A/rest/4"}, {"en": "Sends card 4 in A’s rest zone to the combat zone"}),
        ("wakfu", "distribute", {"on": "B/leader", "points": 1}, {"en": "Puts 1 point on Sylvain"}),
        ("wakfu", "distribute", {"done": True}, {"en": "Puts down no more points"}),
        ("altered", "play", {"card": "R", "expedition": "heros"}, {
            "en": "Plays Raclos in the Hero expedition",
            "fr": "Joue Raclos dans l’expédition du Héros",
            "it": "Gioca Raclos nella spedizione dell’Eroe",
        }),
        ("altered", "play", {"card": "R", "expedition": "compagnon", "scout": True}, {
            "en": "Plays Raclos with Scout in the Companion expedition",
        }),
        ("altered", "play", {"card": "A/reserve/2"}, {"en": "Plays card 2 from Reserve"}),
        ("altered", "play", {"card": "A/discard/R", "expedition": "heros"}, {
            "en": "Plays Raclos from the discard in the Hero expedition",
        }),
        ("altered", "expand", {"card": None}, {"en": "Puts no card into mana"}),
        ("altered", "expand", {"card": "?"}, {"en": "Puts an unknown card into mana"}),
        ("altered", "mana3", {"cards": ["?", "?", "?"]}, {"en": "Puts 3 unknown cards into mana"}),
        ("altered", "react", {"pick": "R#2"}, {"en": "Resolves the reaction of Raclos (2)"}),
        ("altered", "answer", {"pick": "B/exp_heros"}, {"en": "Chooses B’s Hero expedition"}),
        ("altered", "pass", {}, {"en": "Passes", "fr": "Passe", "it": "Passa"}),
        ("saint-seiya", "acquire", {"card": "B/field/2", "by": "force", "with": ["A/rest/1", "A/field/1"]}, {
            "en": "Acquires Sylvain by Force, with 2 Raclos",
            "fr": "Acquiert Sylvain par la Force, avec 2 Raclos",
            "it": "Acquisisce Sylvain con la Forza, usando 2 Raclos",
        }),
        ("saint-seiya", "heal", {"with": "A/field/1", "on": "B/field/2", "token": "frost"}, {
            "en": "Removes a frost from Sylvain with Raclos",
        }),
        ("saint-seiya", "effect", {"card": "A/field/1", "effect": "défausser"}, {
            "en": "Uses Raclos for its Discard effect",
            "fr": "Utilise Raclos pour son effet Défausser",
        }),
        ("saint-seiya", "engage", {"facing": "B/field/2"}, {"en": "Moves the Armour to face Sylvain"}),
        ("stellar-nexus", "attack", {"creature": "A/field/1"}, {"en": "Raclos attacks", "fr": "Raclos attaque"}),
        ("stellar-nexus", "attack", {"done": True}, {"en": "Declares no more attackers"}),
        ("stellar-nexus", "block", {"creature": "A/field/1", "attacker": "B/field/2"}, {
            "en": "Raclos blocks Sylvain",
            "it": "Raclos blocca Sylvain",
        }),
        ("stellar-nexus", "hero", {"card": "?"}, {"en": "Chooses a hidden hero"}),
        ("stellar-nexus", "first_player", {"first": "B"}, {"en": "Decides that player B begins"}),
        ("stellar-nexus", "answer", {"pick": "B/graveyard/S"}, {"en": "Chooses Sylvain in B’s graveyard"}),
    ],
)  # fmt: skip
def test_a_move_reads_as_a_sentence(game: str, do: str, args: Mapping[str, Any], sentences: Mapping[str, str]) -> None:
    assert {lang: said(game, lang, do, args, at=ROW | LINED_UP) for lang in sentences} == sentences


def test_what_an_entry_adds_to_its_move_is_told_after_it() -> None:
    game = "star-safir"
    assert said(game, "en", "end_turn", claims={"A.pv": 12, "A.pi": 3}) == (
        "Ends their turn (noted: A’s PV 12, A’s PI 3)"
    )
    assert said("stellar-nexus", "en", "play", {"card": "R"}, resp=True) == "Plays Raclos in response"
    assert said(game, "en", "manual", ref="R") == "Applies the effect of Raclos by hand"
    events: list[Any] = [
        {"counter": ["A", "pv", -2]},
        {"return": ["B", "T2/fighters/3"]},
        {"draw": ["B", ["R", "?"]]},
        {"vouch": ["A", "T"]},
    ]
    assert said(game, "en", "ruling", events=events, at=LINED_UP) == (
        "Gives a ruling: A’s PV -2; Sylvain goes back to the hand; player B draws Raclos and an unknown card; "
        "the judge vouches for Tolas until the end of the game"
    )


def test_every_event_of_a_ruling_has_words() -> None:
    marked: dict[str, Any] = {"mark": ["A", "field/1", "damage", 2]}
    moved: list[dict[str, Any]] = [{"discard": ["A", "field/1"]}, {"place": ["A", "R", "field"]}]
    events = [marked, *moved, {"create": ["A", "R", "field"]}, {"allow": ["A", "STN-CRE-1"]}]
    for lang in LANGUAGES:
        assert RAW.search(said("stellar-nexus", lang, "ruling", events=events, at=ROW)) is None
    assert said("stellar-nexus", "en", "ruling", events=[marked], at=ROW) == "Gives a ruling: Raclos: damage +2"


def test_a_line_names_the_actor_and_keeps_a_card_as_the_subject() -> None:
    attack = {"by": "A", "do": "attack", "args": {"creature": "A/field/1"}}
    assert move_line("stellar-nexus", attack, "en", NAMES.get, ROW) == "A: Raclos attacks"
    assert move_line("stellar-nexus", attack, "fr", NAMES.get, ROW) == "A : Raclos attaque"
    assert move_line("altered", {"by": "B", "do": "pass", "args": {}}, "en") == "B passes"
    assert move_line("altered", {"by": "judge", "do": "time", "args": {}}, "fr") == "l’arbitre annonce la fin du temps"


def test_moves_that_would_read_the_same_name_the_places_of_their_cards() -> None:
    moves = [{"by": "A", "do": "attack", "args": {"creature": f"A/field/{n}"}} for n in (1, 2, 3)]
    at = {"A/field/1": "R", "A/field/2": "S", "A/field/3": "R"}
    assert move_sentences("stellar-nexus", moves, "en", NAMES.get, at) == [
        "Raclos (A’s creature 1) attacks",
        "Sylvain attacks",
        "Raclos (A’s creature 3) attacks",
    ]


def test_players_are_named_where_their_names_are_known() -> None:
    move = {"by": "judge", "do": "game_loss", "args": {"seat": "B"}}
    assert move_sentence("wakfu", move, "en", {"B": "Ada"}.get) == "Gives Ada a game loss"
    assert chance_words("wakfu", [{"first_player": "A"}], "en", {"A": "Ada"}.get) == "Ada begins"


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        ([], ""),
        ([{"draw": ["R", "?"]}], "draws 2 cards: Raclos and an unknown card"),
        ([{"draw": ["R", "?", "?", "R"]}], "draws 4 cards: 2 Raclos and 2 unknown cards"),
        ([{"draw": ["?", "?"]}], "draws 2 cards"),
        ([{"draw": ["R"]}], "draws Raclos"),
        ([{"draw": []}], "draws nothing"),
        ([{"roll": [6, 3]}, {"roll": [6, 5]}], "rolls 3 and 5"),
        ([{"roll": [6, 3]}, {"roll": [6, 3]}], "rolls 3 and 3"),
        ([{"first_player": "A"}], "player A begins"),
        ([{"draw": ["R", "S"]}, {"draw": ["T"]}], "draws 2 cards: Raclos and Sylvain; draws Tolas"),
        ([{"reveal": ["R"]}, {"reveal": ["S"]}], "reveals Raclos and Sylvain"),
        ([{"look": ["?", "?"]}, {"pick": "S"}], "looks at 2 unknown cards; Sylvain is chosen at random"),
        ([{"draw": ["?"]}, {"resource": ["R"]}], "draws an unknown card; gets Raclos as a resource"),
    ],
)
def test_chance_reads_as_words(chance: list[dict[str, Any]], words: str) -> None:
    assert chance_words("stellar-nexus", chance, "en", NAMES.get) == words


@pytest.mark.parametrize("args", [{}, {"attackers": [1]}, {"territory": {}, "attackers": [[1]], "target": None}])
def test_a_move_that_cannot_be_read_still_has_words(args: dict[str, Any]) -> None:
    for lang in LANGUAGES:
        assert said("star-safir", lang, "attack", args)
        assert said("star-safir", lang, "no_such_verb", args) == "No such verb"
