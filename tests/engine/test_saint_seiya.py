"""Saint Seiya beyond its scenarios: known scores, packets, tables of two to five, positions, effects, refusals."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.core.abilities.language import faults, objects_of, operations_of
from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog, load_catalog, shipped_catalogs
from engine.core.decks.rules import check_deck
from engine.core.effects.host import Stack
from engine.core.replay.position import as_start
from engine.core.replay.replay import Replay, load_game
from engine.core.report.ask import ask
from engine.core.report.audit import audit
from engine.core.table import events
from engine.core.table.agenda import Frame
from engine.core.table.context import Context
from engine.core.table.state import from_json, to_json
from engine.core.table.verbs import ranked
from engine.games.saint_seiya.scoring import Set, points
from engine.games.saint_seiya.vocabulary import CHOSEN, LANGUAGE, TRIGGERS
from tests.engine import scenario
from tests.engine.games import a_game
from tests.engine.kits import KITS
from tests.engine.refused import reasons_of, refused
from tests.engine.saint_seiya import cast
from tests.engine.saint_seiya.listed import clause
from tests.engine.saint_seiya.refusals import REFUSALS
from tests.engine.shortened import without_draws

GAME = "saint-seiya"
KIT = KITS[GAME]
PLAIN, EFFECTS = shipped_catalogs(GAME)
DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "saint_seiya"
# The data directory is not part of the repository.
real = pytest.mark.skipif(not DATA.exists(), reason="../shared/data is absent")
KINDS = {"Armure de Bronze": "armure de bronze", "Relique": "relique", "Pilier": "pilier", "Epopée": "épopée"}


def data(name: str) -> Any:
    return json.loads(DATA.joinpath(f"{name}.json").read_text(encoding="utf-8"))


@cache
def base() -> Catalog:
    """The cards of the base set with figures, classes and conditional points, but without texts."""
    cards, heroes = [], [deck["heros"] for deck in data("starting_decks")["decks"]]
    for raw in data("cards"):
        if raw["id"] > 90:
            continue  # a card of an expansion
        kind = next((KINDS[name] for name in raw["classe"] if name in KINDS), "personnage")
        kind = "armure" if "Armure d'Or" in raw["classe"] else kind
        # Cards 1 to 5 are the Héros, 6 to 10 their bronze armours, 11 to 15 their Héros-Chevaliers, in the same order.
        kind = "héros" if raw["id"] <= 5 else "héros-chevalier" if 11 <= raw["id"] <= 15 else kind
        card = {"ref": f"B-{raw['id']}", "name": raw["nom"], "kind": kind, "factions": raw["classe"]}
        figures = {"cost_force": "cout_force", "cost_cosmos": "cout_cosmos", "pv": "pv"}
        figures |= {name: name for name in ("force", "cosmos", "soin")}
        card |= {name: raw[key] for name, key in figures.items() if raw[key] is not None}
        if raw["id"] <= 15:
            card["hero"] = heroes[(raw["id"] - 1) % 5]
        if raw["pv_variable"]:
            card["pv"] = card.get("pv", 0) + raw["pv_variable"].get("base", 0)
            card["abilities"] = [{"static": clause(raw["pv_variable"])}]
        cards.append(card)
    return load_catalog({"id": "base", "game": GAME, "cards": cards})


def scored(vector: dict[str, Any], tie: str) -> list[int]:
    def cards(ids: list[int]) -> list[Card]:
        return [base()[f"B-{number}"] for number in ids]

    players = zip("ABCDE", vector["players"], strict=False)
    sets = {seat: Set(cards(player["own"]), cards(player["destroyed"])) for seat, player in players}
    return list(points(sets, tie).values())


@real
def test_the_points_match_the_known_scores_without_a_tie() -> None:
    plain = [vector for vector in data("scoring_vectors") if not any(vector["flags"].values())]
    assert len(plain) == 80
    for vector in plain:
        assert [scored(vector, tie) for tie in ("sole", "first")] == [vector["vp"]] * 2


@real
def test_the_points_match_all_known_scores_if_the_first_of_tied_players_has_the_most() -> None:
    vectors = data("scoring_vectors")
    assert [scored(vector, "first") for vector in vectors] == [vector["vp"] for vector in vectors]


@real
def test_the_five_packets_of_the_box_are_legal_and_a_mixed_one_is_not() -> None:
    decks = [
        {f"B-{card['id']}": card["qty"] for card in (*deck["pioche"], *deck["mis_de_cote"])}
        for deck in data("starting_decks")["decks"]
    ]
    assert [check_deck(GAME, {"main": deck}, catalog=base()) for deck in decks] == [[]] * 5
    mixed = {"B-1": 9, "B-6": 1, "B-12": 5}
    assert [fault.rule for fault in check_deck(GAME, {"main": mixed}, catalog=base())] == ["SSD-JEU-5"]


def test_the_points_match_a_score_worked_out_by_hand() -> None:
    """Two Chevaliers Noirs of 1 point against one.

    E-MOST gives A, who has the most of them, 1 more; E-TEN gives B 1 for every ten cards owned.
    """
    card = cast.catalog().cards
    one = Set([card["NOIR"], card["DAME"], card["E-MOST"], *[card["H"]] * 7], [card["OR"]])
    two = Set([card["NOIR"], card["E-MOST"], card["E-TEN"], *[card["H"]] * 16], [])
    assert points({"A": one, "B": two}, "sole") == {"A": 1 + 1 + 1, "B": 1 + 1}


def test_tied_scores_share_a_rank_and_the_next_rank_is_skipped() -> None:
    assert ranked({"A": 5, "B": 9, "C": 5, "D": 1}) == {"A": 2, "B": 1, "C": 2, "D": 4}


def table_of(seats: int) -> dict[str, Any]:
    """Return a random game with this number of seats that ends by its own rules."""
    games = (a_game(GAME, seed) for seed in range(60))
    return next(game for game in games if len(game["seats"]) == seats and game["moves"][-1]["do"] == "end_turn")


@pytest.mark.parametrize("seats", [3, 5])
def test_a_wrong_claimed_rank_is_a_finding_and_the_right_ranks_are_not(seats: int) -> None:
    document = table_of(seats)
    assert audit(document).claims == ()
    last = max(document["claimed"]["ranks"], key=lambda seat: document["claimed"]["ranks"][seat])
    document["claimed"]["ranks"][last] = 1
    assert [claim.claim for claim in audit(document).claims] == [f"{last}.rank"]


def test_a_concession_at_a_table_of_three_leaves_the_ranks_to_the_judge() -> None:
    document = table_of(3)
    document["moves"] = [*document["moves"][:8], {"n": 9, "by": "A", "do": "concede"}]
    report = audit({**document, "claimed": {}})
    assert (report.verdict, report.computed) == ("undetermined", None)


@pytest.mark.parametrize("seats", [("A",), ("A", "C"), ("B", "C")])
def test_the_seats_are_two_or_more_without_gaps_from_the_first_on(seats: tuple[str, ...]) -> None:
    document = cast.header(seats={seat: {"deck": {"main": dict(cast.PACKET)}} for seat in seats})
    report = audit(document, catalogs=[cast.catalog()])
    assert (report.verdict, report.error["code"]) == ("unreadable", "unknown_seat")  # type: ignore[index]


@pytest.mark.slow
@pytest.mark.parametrize("cards", [PLAIN, EFFECTS], ids=["plain", "effects"])
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_candidates_are_exactly_the_moves_that_check_accepts(seed: int, cards: Catalog) -> None:
    replay = Replay(a_game(GAME, seed, catalog=cards, hidden=()), keep=False)
    verbs, compared, n = replay.game.verbs(), 0, 0
    while replay.step() is not None:
        state, n = replay.state, n + 1
        if n % 12 and not (state.agenda and n % 2 == 0):
            continue  # a sample of the positions, more of them while a choice is open
        before = to_json(state)
        held = [state.refs[obj] for seat in state.terms.seats for obj in state.zones[f"{seat}/hand"]]
        refs = list(dict.fromkeys([*(ref for ref in held if ref is not None), "DEMO-SSD-001", next(iter(cards.cards))]))
        refs = [ref for ref in refs if ref in cards]
        written = KIT.every_argument(state, refs)
        legal = [json.dumps(astuple(move)) for move in written if not verbs[move.do].check(state, move)]
        offered = replay.game.candidates(state)
        small = [move for move in offered if move.do != "acquire" or len(move.args["with"]) <= 3]
        assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in small)
        assert to_json(state) == before
        compared += 1
    assert compared > 10


@pytest.mark.parametrize("cards", [PLAIN, EFFECTS], ids=["plain", "effects"])
@pytest.mark.parametrize("seed", range(4))
def test_the_tail_of_a_game_from_its_declared_position_gives_the_same_result(seed: int, cards: Catalog) -> None:
    document = a_game(GAME, seed, catalog=cards)
    whole = audit(document)
    for n in sorted(random.Random(seed).sample(range(len(document["moves"])), 4)):
        replay = Replay(document, keep=False)
        for _ in range(n):
            replay.step()
        start = as_start(replay.game, replay.state)
        moves = [{**move, "n": index + 1} for index, move in enumerate(document["moves"][n:])]
        report = audit({**document, "start": start, "moves": moves})
        assert (report.verdict, report.computed, report.claims) == ("consistent_from", whole.computed, ()), n


def test_a_score_pad_of_flames_is_plausible_up_to_twelve_flames() -> None:
    def pad(*flames: int) -> str:
        moves = [
            {"n": n + 1, "by": "AB"[n % 2], "do": "end_turn", "claims": {"common.flames": count}}
            for n, count in enumerate(flames)
        ]
        return audit(cast.header(moves=moves), catalogs=[cast.catalog()]).verdict

    assert pad(12, 11, 11, 9) == "plausible"
    assert pad(12, 13) == "impossible_log"


def played(seeds: range, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Play games of the effects catalogue, assert that the audit confirms them, and count what occurred in them."""
    seen: Counter[str] = Counter()
    push = Stack.push

    def counted(stack: Stack, frame: Frame) -> None:
        if frame.get("step") == "do":
            seen.update(f"operation {word}" for word in operations_of(frame["ops"][:1]))
        push(stack, frame)

    for seed in seeds:
        document = a_game(GAME, seed, catalog=EFFECTS)
        with monkeypatch.context() as patch:
            patch.setattr(Stack, "push", counted)
            replay = Replay(document, keep=False)
            while (step := replay.step()) is not None:
                assert step.outcome == "ok", (seed, step)
        assert not list(events.broken_invariants(replay.state))
        assert from_json(json.loads(json.dumps(to_json(replay.state))), replay.state.terms) == replay.state
        report = audit(document)
        assert (report.verdict, report.claims, report.subject_to) == ("confirmed", (), ()), seed
        seen.update(f"verb {move['do']}" for move in document["moves"])
        seen[f"seats {len(document['seats'])}"] += 1
        seen[f"end {report.reason}"] += 1
    return seen


def test_random_games_with_effects_are_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = played(range(6), monkeypatch)
    assert seen["end points"] > 3
    assert seen["operation draw"] > 0


def test_the_effects_catalogue_uses_every_trigger_keyword_and_operation() -> None:
    abilities = [ability for card in EFFECTS.cards.values() for ability in card.abilities]
    assert {ability["on"] for ability in abilities if "on" in ability} == {*TRIGGERS}
    assert {*operations_of(abilities)} == {*LANGUAGE.operations} - {"manual"}
    assert {word["kw"] for card in EFFECTS.cards.values() for word in card.keywords} == {
        "Verrou Force",
        "Verrou Cosmos",
    }


# The exit code of `ask` is 0 for a legal move and 3 if a fact is missing.
@pytest.mark.parametrize(("cards", "verdict"), [(PLAIN, 0), (EFFECTS, 3)], ids=["plain", "effects"])
def test_an_undeclared_armour_is_asked_for_only_if_cards_have_effects(cards: Catalog, verdict: int) -> None:
    hero, price_of_one = (
        next(ref for ref, card in cards.cards.items() if wanted(card)) for wanted in (_fighter, _cheap)
    )
    board = {
        "seats": {"A": {"play": [{"ref": hero, "marks": {}, "on": "common/terrain/6"}]}, "B": {}},
        "common": {"flames": 9, "terrain": [None] * 5 + [price_of_one]},
    }
    turn = {"n": 4, "seat": "A", "phase": "principale", "first": "A"}
    position = {
        **{key: cast.header()[key] for key in ("format", "game", "ruleset")},
        "catalog": {"id": cards.id},
        "start": {"kind": "position", "turn": turn, "state": board},
    }
    move = {"by": "A", "do": "acquire", "args": {"card": "common/terrain/6", "by": "force", "with": ["A/play/1"]}}
    assert ask(position, move).exit_code == verdict


def _fighter(card: Card) -> bool:
    return card.vanilla and card.figures.get("force", 0) >= 2


def _cheap(card: Card) -> bool:
    return card.vanilla and card.figures.get("cost_force", 9) <= 2 and "Chevalier d'Or" not in card.factions


def acquired(*rulings: dict[str, Any]) -> str:
    """Return the verdict on a game in which A acquires a Général Marina, the judge rules, and B concedes."""
    terrain = ["P-1-1-0-F3C4"] * 5 + ["MARINA"]
    start = {
        "kind": "position",
        "turn": {"n": 5, "seat": "A", "phase": "principale", "first": "A"},
        "state": {
            "seats": {"A": cast.side({"play": ["HUGE @common/terrain/6"]}), "B": cast.side({})},
            "common": cast.common({"terrain": terrain}),
        },
        "memory": {"ready": []},
    }
    acquire = {"by": "A", "do": "acquire", "args": {"card": "common/terrain/6", "by": "force", "with": ["A/play/1"]}}
    moves = [acquire, *rulings, {"by": "B", "do": "concede"}]
    return audit(
        cast.header(start=start, moves=[{"n": n, **move} for n, move in enumerate(moves, 1)]), catalogs=[cast.catalog()]
    ).verdict


def test_a_pillar_that_is_owed_leaves_the_game_undetermined_until_a_judge_rules() -> None:
    ruling = {"by": "judge", "do": "ruling", "ref": "SSD-GM-1", "reason": "No pillars in play.", "events": []}
    assert acquired() == "undetermined"
    assert acquired(ruling) == "consistent_from"


@pytest.mark.parametrize("cards", [PLAIN, EFFECTS], ids=["plain", "effects"])
@pytest.mark.slow
def test_a_log_without_recorded_draws_gives_the_same_result(cards: Catalog) -> None:
    for seed in range(8):
        document = a_game(GAME, seed, catalog=cards)
        whole, report = audit(document), audit(without_draws(document))
        assert (report.verdict, report.computed, report.score) == (whole.verdict, whole.computed, whole.score), seed


@pytest.mark.parametrize(("rule", "why"), REFUSALS)
def test_a_refusal_gives_the_reason_that_applies_in_its_position(rule: str, why: str) -> None:
    book = load_game(GAME).rulesets["seiya-base@1"].book
    found = refused(GAME, *REFUSALS[rule, why])
    assert (rule, why) in [(reason.rule, reason.why) for reason in found]
    assert all(book.message(reason, lang) for reason in found for lang in ("fr", "en", "it"))


def test_every_reason_in_the_register_has_a_refusal_case() -> None:
    assert reasons_of(GAME, "SSD-") <= {*REFUSALS}


@pytest.mark.parametrize(
    "mine",
    [
        {"hand": ["BLANK", "H"], "play": ["BLANK used @common/terrain/1", "H @common/terrain/1"]},
        {"hand": ["H"], "play": ["H @common/terrain/2", "HUGE @common/terrain/2"], "marked": ["BLANK wound"]},
    ],
)
def test_candidates_match_check_with_cards_without_text(mine: dict[str, Any]) -> None:
    given = {"seats": {"A": mine}, "common": {"terrain": ["OR", "BLANK", "NOIR", "R", None, "DIV"]}}
    state = scenario.start({"game": GAME, "given": given})
    game = load_game(GAME)
    written = KIT.every_argument(state, ["BLANK", "H"])
    legal = [json.dumps(astuple(move)) for move in written if not game.verbs()[move.do].check(state, move)]
    assert sorted(legal) == sorted(json.dumps(astuple(move)) for move in game.candidates(state))


def test_the_effects_catalogue_has_discards_by_others_and_hidden_zones() -> None:
    trees = [tree for card in EFFECTS.cards.values() for tree in objects_of(list(card.abilities))]
    assert {tree["who"] for tree in trees if tree.get("op") == "discard" and "who" in tree} == {
        "opponent", "both", CHOSEN,
    }  # fmt: skip
    assert {"reserve", "hand", "discard"} <= {tree["zone"] for tree in trees if "zone" in tree}


@pytest.mark.parametrize(
    ("ability", "path"),
    [
        ({"on": "vaincu", "do": [{"op": "each", "of": {"zone": "hand"}, "do": [{"op": "fill"}]}]}, ".do[0].of"),
        ({"on": "vaincu", "do": [{"op": "destroy", "of": {"zone": "reserve", "take": "all"}}]}, ".do[0].of"),
        (
            {"on": "vaincu", "do": [{"op": "draw", "n": {"count": {"zone": "hand", "kind": "relique"}}}]},
            ".do[0].n.count",
        ),
        ({"static": {"cost": 1, "to": {"side": "any", "zone": "reserve"}}}, ".static.to"),
        ({"on": "vaincu", "of": {"zone": "hand"}, "do": [{"op": "fill"}]}, ".of"),
    ],
)
def test_hidden_cards_cannot_be_watched_or_taken_all_at_once(ability: dict[str, Any], path: str) -> None:
    assert [fault.path for fault in faults(ability, LANGUAGE)] == [path]


@pytest.mark.parametrize(
    ("ability", "message"),
    [
        ({"on": "vaincu", "do": [{"op": "discard"}]}, "either `of`, which cards, or `n`, how many"),
        ({"on": "vaincu", "do": [{"op": "discard", "n": 1, "of": {"zone": "hand"}}]},
         "either `of`, which cards, or `n`, how many"),
        ({"on": "vaincu", "do": [{"op": "wound", "of": {"rank": []}}]},
         "'[]' is not one of: Très Commun, Commun, Peu Commun, Rare, Très Rare"),
        ({"on": "vaincu", "do": [{"op": "wound", "of": {"rank": ["Rare", "Gold"]}}]},
         "'Gold' is not one of: Très Commun, Commun, Peu Commun, Rare, Très Rare"),
        ({"on": "vaincu", "if": {"reading": "I-SSD-15", "is": "turn"}, "do": [{"op": "fill"}]},
         "a reading is a condition of the operation if"),
        ({"on": "vaincu", "do": [{"op": "if", "cond": {"reading": "I-SSD-01", "is": "read"}, "do": [{"op": "fill"}]}]},
         "'I-SSD-01' is not one of: I-SSD-15, I-SSD-18, I-SSD-20, I-SSD-22"),
        ({"on": "vaincu", "if": {"counter": "flames"}, "do": [{"op": "fill"}]},
         "a condition on a number has at_least, at_most or both"),
    ],
)  # fmt: skip
def test_the_linter_says_what_is_wrong_with_a_word(ability: dict[str, Any], message: str) -> None:
    assert [fault.message for fault in faults(ability, LANGUAGE)] == [message]


def test_hidden_cards_can_be_counted_or_chosen() -> None:
    counted = {"on": "vaincu", "do": [{"op": "draw", "n": {"count": {"zone": "hand", "side": "opposing"}}}]}
    chosen = {"on": "vaincu", "do": [{"op": "destroy", "of": {"zone": "hand", "kind": "relique"}}]}
    shown = {"on": "vaincu", "do": [{"op": "destroy", "of": {"zone": "hand", "take": "all"}}]}
    assert [*faults(counted, LANGUAGE), *faults(chosen, LANGUAGE), *faults(shown, LANGUAGE)] == []


@pytest.mark.parametrize("there", list(itertools.permutations(["AE-END", "AE-GIFT", "A-2"], 2)), ids="+".join)
@pytest.mark.parametrize("flames", [1, 2])
def test_a_result_that_depends_on_the_order_depends_on_the_interpretation(there: tuple[str, str], flames: int) -> None:
    """Both cards leave the terrain at once: AE-END removes a Flame, perhaps the last one, and AE-GIFT lets A draw."""
    given = {
        "seats": {"A": {"hand": ["E-PURGE"]}},
        "common": {"flames": flames, "terrain": ["R", *there, "R", "R", "R"]},
    }
    play = {"by": "A", "do": "play", "args": {"card": "E-PURGE", "facing": "common/terrain/1"}}
    moves = [play, {"by": "A", "do": "answer", "args": {"pick": "yes"}}]
    found = {}
    for option in ("listed", "reverse"):
        item = {"game": GAME, "given": given, "options": {"I-SSD-13": option}, "moves": moves}
        state = scenario.start(item)
        context = Context(state)
        assert not scenario.play(item, state, context)
        found[option] = (state.result, len(state.zones["A/hand"])), "I-SSD-13" in context.depends_on
    (one, depends_on), (two, _) = found.values()
    assert one == two or depends_on
    assert (one == two) == (flames == 2 or "A-2" in there)
