"""Random legal games from a seed: sample logs for tests, demonstrations and benchmarks.

This is the only module of the core that uses `random`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.replay.replay import choose_catalog, load_game, perform
from engine.core.table.agenda import open_window
from engine.core.table.context import Context
from engine.core.table.game import Game, Move
from engine.core.table.log import Log, parse, parse_entry
from engine.core.table.state import State
from engine.core.table.verbs import leader, ranked
from engine.core.text import registry
from engine.core.text.errors import EngineError

MAX_ENTRIES = 2_000  # a game this long is ended by a concession, an agreed draw, time or a game loss


class Dice:
    """The dealer of self-play. Everything it gives comes from one seeded generator."""

    def __init__(self, seed: int | str) -> None:
        self.rng = random.Random(f"arbitre/{seed}")
        self.window = False

    def pick(self, options: Sequence[Any], kind: str = "pick") -> Any:
        """Return one of the options at random."""
        return self.rng.choice(options)

    def deal(self, unseen: Mapping[str, int], count: int, kind: str = "draw") -> list[str]:
        """Draw `count` cards, or all there are, from a multiset without replacement."""
        cards = [ref for ref in sorted(unseen) for _ in range(unseen[ref])]
        return self.rng.sample(cards, min(count, len(cards)))


def play(
    game: str,
    seed: int | str,
    *,
    catalog: Catalog | None = None,
    decks: Mapping[str, Decklist] | None = None,
    players: Mapping[str, str] | None = None,
    match: Mapping[str, int | str] | None = None,
    hidden: Sequence[str] | None = None,
    options: Mapping[str, str] | None = None,
    ruleset: str | None = None,
) -> dict[str, Any]:
    """Play a random legal game to its end and return its log (format 1), with the claimed result.

    The same arguments give the same game. `decks` are given by seat, and are random legal decks by default. `hidden`
    are the seats whose cards nobody saw: they are "?" until they are played; by default these seats are drawn from the
    seed. `players` and `match` go into the header. `ruleset` is by default the newest one. Raises EngineError if the
    game cannot be played.

    >>> log = play("star-safir", 7)
    >>> log["moves"][0]["do"]
    'first_player'
    """
    engine = load_game(game)
    cards = choose_catalog(game, {}, ()) if catalog is None else catalog
    # A seed must always give the same game, so the order in which the dice are used below must not change.
    dice = Dice(seed)
    seats = tuple(decks) if decks is not None else _table(engine, dice)
    if decks is None:
        build = registry.module(game, "deck").random_deck
        decks = {seat: build(dice.rng, cards) for seat in seats}
    if hidden is None:
        hidden = dice.pick([(), *((seat,) for seat in seats), tuple(seats)])
    document: dict[str, Any] = {
        "format": 1,
        "game": game,
        "ruleset": ruleset or list(engine.rulesets)[-1],
        "catalog": {"id": cards.id, "sha256": cards.sha256},
        "seats": {
            seat: {
                "player": (players or {}).get(seat, f"player-{seat}"),
                "deck": {"commander": decks[seat].commander, "main": dict(decks[seat].main)},
            }
            for seat in seats
        },
        "moves": [],
    }
    if match:
        document["match"] = dict(match)
    if options:
        document["options"] = dict(options)
    log = parse(document)
    while not _Table(engine, log, cards, dice, hidden).play(document):
        pass  # no sample if the rules leave the result to a judge: play another game
    return document


def _table(game: Game, dice: Dice) -> tuple[str, ...]:
    """Return the seats in play: both in a two-player game, otherwise a random number from two to all of them."""
    return game.seats if len(game.seats) == 2 else game.seats[: dice.rng.randint(2, len(game.seats))]


class _Table:
    """A game being played at random, and the log of it."""

    def __init__(self, game: Game, log: Log, catalog: Catalog, dice: Dice, hidden: Sequence[str]) -> None:
        self.game = game
        self.dice = dice
        self.hidden = hidden
        self.verbs = game.verbs()
        self.state: State = game.setup(log.header, catalog)
        self.ctx = Context(self.state)
        self.moves: list[dict[str, Any]] = []
        self.responders: list[str] = []  # who could respond to the move chosen last
        self.responding = False  # a window is open, and the next entry responds in it
        # One game in twenty is cut short by an ending that every game has, such as a concession.
        self.called = dice.rng.randint(20, 50) if dice.rng.randrange(20) == 0 else MAX_ENTRIES

    def play(self, document: dict[str, Any]) -> bool:
        """Play to the end and write the log into `document`. Returns whether the game has a winner or is a draw."""
        while self.state.result is None:
            called = len(self.moves) >= self.called and not self.responding
            self.entry(self.last_word() if called else self.choice())
        while (moves := list(self.game.candidates(self.state))) and len(self.moves) < MAX_ENTRIES:
            self.entry(self.dice.pick(moves))  # some games have moves after the end, such as showing hidden cards
        result = self.state.result
        document["moves"] = self.moves
        score = self.game.score(self.state)
        document["claimed"] = {"winner": result.winner, "score": score}
        if len(self.state.terms.seats) > 2 and (result.winner or "draw") == leader(score):
            document["claimed"]["ranks"] = ranked(score)
        return result.winner is not None

    def choice(self) -> Move:
        """Pick a verb, weighted by the habits of the game, then one of its candidates."""
        by_verb: dict[str, list[Move]] = {}
        for move in self.game.candidates(self.state):
            if not self.responding or move.do in self.game.responses:
                by_verb.setdefault(move.do, []).append(move)
        self.responders = [move.by for do in self.game.responses for move in by_verb.get(do, ())]
        names = list(by_verb)
        do = self.dice.rng.choices(names, [self.game.habits[name] for name in names])[0]
        chosen: Move = self.dice.pick(by_verb[do])
        return chosen

    def answerable(self, move: Move) -> bool:
        """Return whether this move is to open a window for another seat: where it may, three times in four."""
        if (self.state.agenda and not self.responding) or move.by not in self.game.seats:
            return False
        return any(seat != move.by for seat in self.responders) and self.dice.rng.randrange(4) != 0

    def last_word(self) -> Move:
        """Return one of the endings that every game has."""
        self.responders = []
        seat = self.dice.pick(self.state.terms.seats)
        endings = (
            Move(seat, "concede", {}),
            Move("table", "draw_agreed", {}),
            Move("judge", "time", {}),
            Move("judge", "game_loss", {"seat": seat}),
        )
        chosen: Move = self.dice.pick(endings)
        return chosen

    def entry(self, candidate: Move) -> None:
        """Make a move. If somebody is to respond to it, it stops in its window."""
        window = self.answerable(candidate) and self.made(candidate, window=True)
        if not window:
            self.made(candidate)
        self.responding = window

    def made(self, candidate: Move, *, window: bool = False) -> bool:
        """Play a candidate through the full check, deal its chance, and log it, with hidden cards as "?".

        With `window`, the next entry is meant to respond to it: if none can, nothing is played and False is returned.
        """
        verb = self.verbs[candidate.do]
        self.dice.window = self.ctx.window = window
        move = verb.close(self.state, candidate, self.dice)
        n = len(self.moves) + 1
        # Read back from its log form and checked like any other entry: this also tests that candidates are legal.
        checked = verb.parse(self.state, parse_entry(written(move, n), n))
        reasons = verb.check(self.state, checked)
        if reasons:
            raise EngineError("self_play", f"a candidate is refused: {move} {reasons}", n=n)
        answering = open_window(self.state) and move.do in self.game.responses
        perform(self.game, self.ctx, verb, checked)
        if window and not (open_window(self.state) and self.answers()):
            self.ctx.roll_back()
            return False
        raw = written(verb.conceal(move) if move.by in self.hidden else move, n)
        if answering:
            raw["resp"] = True
        if move.by in self.game.seats and self.dice.rng.randrange(5) == 0:
            raw["claims"] = {f"{move.by}.{name}": self.state.counters[f"{move.by}.{name}"] for name in self._counters()}
        self.moves.append(raw)
        return True

    def answers(self) -> bool:
        """Return whether somebody can respond in the open window."""
        return any(move.do in self.game.responses for move in self.game.candidates(self.state))

    def _counters(self) -> list[str]:
        return list(self.game.layout.counters)


def written(move: Move, n: int) -> dict[str, Any]:
    """Return a move whose chance is known as a log entry."""
    raw: dict[str, Any] = {"n": n, "by": move.by, "do": move.do}
    if move.args:
        raw["args"] = {key: list(value) if isinstance(value, tuple) else value for key, value in move.args.items()}
    if move.chance:
        raw["chance"] = [{kind: list(value) if isinstance(value, tuple) else value} for kind, value in move.chance]
    return raw
