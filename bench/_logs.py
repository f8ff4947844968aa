"""Logs for the benchmarks: self-played games, and legal games of Star Safir of any length."""

import json
import random
from dataclasses import replace
from functools import cache
from itertools import cycle, islice

import engine
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.replay import selfplay
from engine.core.text import registry

GAME = "star-safir"
PLAIN, EFFECTS = "safir-demo", "safir-effects"
ACTING = ("played", "attack_declared", "end_turn", "activated")  # triggers that occur often in a game
FIGHTER = "DEMO-SAF-020"  # 1/1/3: it never destroys another of its kind
ROUND = 4  # turns between two rulings that take the points back: short logs need several, or their mix would differ


@cache
def catalog(name: str) -> Catalog:
    """A shipped catalogue of Star Safir, by id."""
    (found,) = [cards for cards in engine.catalogs(GAME) if cards.id == name]
    return found


def plain(seeds: range) -> list[bytes]:
    """Self-played logs with cards without effects, as a player would upload them."""
    return of(catalog(PLAIN), seeds)


def of(cards: Catalog, seeds: range) -> list[bytes]:
    """Self-played logs of a catalogue's game, with random legal decks."""
    return [json.dumps(selfplay.play(cards.game, seed, catalog=cards)).encode() for seed in seeds]


def numbered(documents: list[bytes], count: int) -> list[str]:
    """This many different documents: the games in turn, each with a number of its own."""
    games = [json.loads(document) for document in documents]
    return [json.dumps({**game, "x": {"number": n}}) for n, game in enumerate(islice(cycle(games), count))]


def longest(cards: Catalog, seeds: range) -> bytes:
    """The longest of the self-played logs of a catalogue."""
    return max(of(cards, seeds), key=length)


def length(document: bytes) -> int:
    """The number of entries of a log."""
    return len(json.loads(document)["moves"])


def beginning(document: bytes, moves: int) -> bytes:
    """The first entries of a log, as if it had been submitted before its end."""
    log = json.loads(document)
    log.pop("claimed", None)
    return json.dumps({**log, "moves": log["moves"][:moves]}).encode()


def others() -> list[Catalog]:
    """The catalogues of the games other than Star Safir, for which there is no `long_game`."""
    return [cards for game in engine.games() if game != GAME for cards in engine.catalogs(game)]


def acting(seeds: range) -> list[bytes]:
    """Self-played logs in which many entries run an effect.

    Every card of their decks has an ability that is triggered by playing, by attacking, by the end of a turn or by its
    commander.
    """
    cards = catalog(EFFECTS)
    found = []
    for seed in seeds:
        rng = random.Random(f"bench/{seed}")
        decks = {seat: _acting_deck(rng) for seat in ("A", "B")}
        found.append(json.dumps(selfplay.play(GAME, seed, catalog=cards, decks=decks)).encode())
    return found


def _acting_deck(rng: random.Random) -> Decklist:
    """A legal deck of such cards, led by a commander."""
    whole = catalog(EFFECTS)
    able = {
        ref: card
        for ref, card in whole.cards.items()
        if card.program is not None and any(trigger in card.program.triggers for trigger in ACTING)
    }
    build = registry.module(GAME, "deck").random_deck
    while True:
        deck: Decklist = build(rng, replace(whole, cards=able))
        if deck.commander is not None:
            return deck


def long_game(moves: int) -> bytes:
    """A legal, unfinished game with this many entries.

    Each seat plays one fighter; after that every turn is begin_turn, attack, end_turn. The two fighters cannot destroy
    each other, each calculation gives a PV, and every 4 turns the judge takes the points back, so nobody ever wins. The
    mix of moves is the same at every length except for the 25 cards each seat draws before its deck is empty.
    """
    cards = catalog(PLAIN)
    entries: list[dict[str, object]] = [
        {"by": "table", "do": "first_player", "chance": [{"first_player": "A"}]},
        {"by": "A", "do": "keep", "chance": [{"draw": ["?"] * 5}]},
        {"by": "B", "do": "keep", "chance": [{"draw": ["?"] * 5}]},
    ]
    deck = {ref: 2 for ref in sorted(cards.cards) if cards[ref].kind == "combattant"}
    main = dict(list({FIGHTER: 2, **deck}.items())[:15])
    left = {"A": 25, "B": 25}
    turn = 0
    while len(entries) < moves:
        seat = "AB"[turn % 2]
        turn += 1
        begin: dict[str, object] = {"by": seat, "do": "begin_turn"}
        if turn > 1 and left[seat]:
            left[seat] -= 1
            begin["chance"] = [{"draw": ["?"]}]
        act = {"by": seat, "do": "attack", "args": {"territory": 1, "attackers": [1], "target": 1}}
        if turn <= 2:
            act = {"by": seat, "do": "play", "args": {"card": FIGHTER, "territory": 1, "slot": 1}}
        entries += [begin, act, {"by": seat, "do": "end_turn"}]
        if turn % ROUND == 2 and turn > 2:
            taken = [{"counter": [owner, "pv", -ROUND // 2]} for owner in ("A", "B")]
            entries.append({"by": "judge", "do": "ruling", "reason": "points taken back", "events": taken})
    return json.dumps({
        "format": 1,
        "game": GAME,
        "ruleset": "safir-v2@1",
        "catalog": {"id": cards.id, "sha256": cards.sha256},
        "seats": {seat: {"deck": {"commander": None, "main": main}} for seat in ("A", "B")},
        "moves": [{"n": n, **entry} for n, entry in enumerate(entries[:moves], 1)],
    }).encode()
