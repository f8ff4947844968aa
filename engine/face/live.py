"""Games that are replayed or recorded move by move: their boards, their legal moves, and the log that grows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import engine
from engine.core.cards.catalog import load_catalog
from engine.core.decks.decklist import Decklist
from engine.core.replay.hidden_entries import concealed as hide_secrets
from engine.core.replay.replay import GOES_ON as GOES_ON
from engine.core.replay.selfplay import Dice, play
from engine.core.replay.trial import set_up
from engine.core.report.report import error_sentence
from engine.core.shown import views
from engine.core.table import log as logs
from engine.core.table.step import Step
from engine.core.text.errors import EngineError
from engine.core.text.phrases import error_message
from engine.face.audits import canonical, with_options
from engine.face.boards import Catalogs, Document, brought_to_light, covered_args, move_cards

LISTED_CHANCE = ("draw", "look", "resource", "reveal", "roll")  # kinds of chance whose value is a list


def open_argument(move: Mapping[str, Any]) -> str | None:
    """The name of the argument of a legal move in which cards are still unknown; None if there is none.

    Such an argument is "?", a list with "?" in it, or the number of cards sent back (`back`). "?" for a card played
    face down (with `face`) does not count: that card stays unknown.
    """
    args: Mapping[str, Any] = move.get("args") or {}
    key: str
    for key, value in args.items():
        listed = isinstance(value, (list, tuple)) and "?" in value
        if listed or (value == "?" and "face" not in args) or (key == "back" and isinstance(value, int)):
            return key
    return None


class LegalMoves(NamedTuple):
    """Legal moves as `{by, do, args, at}`, and whether there are more than are listed.

    `at` has the refs of the known cards at the places that the arguments name. Moves that are always allowed, such as
    conceding, are not listed.
    """

    moves: list[dict[str, Any]]
    more: bool


def legal_moves(document: Document, n: int, catalogs: Catalogs = (), seats: Sequence[str] | None = None) -> LegalMoves:
    """The moves of these seats (None: of all) that were legal after entry `n` of a log (0: before the first).

    None at all if the log cannot be replayed that far.
    """
    value = logs.read(document)
    try:
        game = engine.open_game({**value, "moves": value["moves"][:n]}, catalogs=catalogs)
    except EngineError:
        return LegalMoves([], False)
    found, board = game.moves(seats), game.board()
    return LegalMoves([{**move, "at": move_cards(board, move)} for move in found.moves], found.more)


@dataclass(frozen=True)
class Moment:
    """An entry and the board after it, as a judge sees it. For the set-up (entry 0), `move` is None."""

    move: dict[str, Any] | None
    board: dict[str, Any]


def moment_at(document: str, n: int, catalogs: Catalogs = ()) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The moves of a log up to entry `n`, or up to the refused one, and the last two boards on the way."""
    moves: list[dict[str, Any]] = []
    boards: list[dict[str, Any]] = []
    for moment in islice(Replayed(document, catalogs).moments(), n + 1):
        moves += [moment.move] if moment.move else []
        boards = [*boards[-1:], moment.board]
    return moves, boards


LANDMARKS = ("illegal", "doubts", "rulings", "claims")  # kinds of entries that one wants to jump to


class Replayed:
    """One replay of a log, from its first entry to its last or to a refused one.

    If the game cannot be set up from the header, there are no entries at all. `last` and `refused` are final only once
    `moments` or `outcomes` is exhausted; both advance the same replay, so use one of them, once.
    """

    def __init__(self, document: str, catalogs: Catalogs = (), options: Mapping[str, str] | None = None) -> None:
        log = with_options(document, options or {})
        self.recorded = len(log.entries)
        self.players = {seat: who.player for seat, who in log.header.seats.items()}
        self.last = 0
        try:
            self._replay: engine.Replay | None = engine.Replay(log, catalogs=catalogs, keep=False)
        except EngineError:
            self._replay = None

    @property
    def options(self) -> dict[str, str]:
        """Every interpretation with the option in force."""
        return dict(self._replay.state.terms.options) if self._replay else {}

    @property
    def refused(self) -> bool:
        """Whether the replay stopped at a refused entry."""
        return self._replay is not None and self._replay.stopped is not None

    def outcomes(self) -> Iterator[tuple[int, str]]:
        """Yield the number and outcome of each entry, without computing boards."""
        while self._replay is not None and (step := self._replay.step()) is not None:
            self.last = step.n
            yield step.n, step.outcome

    def landmarks(self) -> dict[str, list[int]]:
        """Replay the log and return the entries one wants to jump to, by their kind (`LANDMARKS`).

        An entry can be of several kinds. The refused one is "illegal", and in no other list.
        """
        found: dict[str, list[int]] = {kind: [] for kind in LANDMARKS}
        for n, outcome in self.outcomes():
            entry = self._entry(n)
            if outcome not in GOES_ON:
                found["illegal"].append(n)
                continue
            if outcome != "ok":
                found["doubts"].append(n)
            if entry.claims:
                found["claims"].append(n)
            if entry.by == "judge":
                found["rulings"].append(n)
        return found

    def moments(self, first: int = 0) -> Iterator[Moment]:
        """Yield each entry from `first` on with the board after it. Entry 0 is the set-up, without a move.

        A refused entry comes last, with the board before it. No boards are computed before `first`, because computing a
        board takes far longer than replaying an entry.
        """
        if self._replay is None or not self._reaches(first - 1):
            return
        board = self._board(self._replay)
        if first == 0:
            yield Moment(None, board)
        for entry in self._replay.log.entries[self.last :]:
            at = move_cards(board, _written(entry))  # before the step: the cards may be somewhere else after it
            step = self._replay.step()
            if step is None:
                return
            self.last = step.n
            board = self._board(self._replay)
            yield Moment(_move(step, at), board)

    def _reaches(self, n: int) -> bool:
        """Replay up to entry `n`; False if the log could not be replayed that far."""
        outcomes = self.outcomes()
        while self.last < n:
            if next(outcomes, None) is None:
                return False
        return True

    def _entry(self, n: int) -> logs.Entry:
        assert self._replay is not None, "a game that could not be set up has no entries"
        return self._replay.log.entries[n - 1]

    def _board(self, replay: engine.Replay) -> dict[str, Any]:
        return views.board(replay.state, replay.catalog, views.JUDGE)


def _written(entry: logs.Entry) -> dict[str, Any]:
    return {"by": entry.by, "do": entry.do, "args": entry.args}


def _move(step: Step, at: Mapping[str, str]) -> dict[str, Any]:
    """The summary of an entry for lists of moves: `{n, by, do, args, outcome}`, and `at` if there is any.

    Objects among the arguments, such as whole boards, are left out, because they can be long. `at` has the refs of the
    cards at the places that the arguments name, as they were before the move.
    """
    args = {key: value for key, value in step.entry.args.items() if not isinstance(value, Mapping)}
    named = {"at": dict(at)} if at else {}
    return {"n": step.n, "by": step.entry.by, "do": step.entry.do, "args": args, "outcome": step.outcome, **named}


def spectated(
    header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], numbers: Sequence[int], catalogs: Catalogs
) -> list[Moment]:
    """Entries of a recorded game with the boards after them, as the public sees them.

    `entries` are replayed from the first; only those in `numbers` are returned, in order (0 is the set-up). A move
    names only cards that it makes visible or removes from sight. All others become "?", since they may come from a hand
    and stay hidden.
    """
    log = logs.parse(canonical({**header, "moves": list(entries)}))
    replay = engine.Replay(log, catalogs=catalogs, keep=False)
    wanted, before = set(numbers), views.board(replay.state, replay.catalog)
    moments = [Moment(None, before)] if 0 in wanted else []
    for entry in replay.log.entries:
        step = replay.step()
        if step is None:
            break
        if not wanted & {step.n, step.n + 1}:  # a wanted move also needs the board before it
            continue
        board = views.board(replay.state, replay.catalog)
        if step.n in wanted:
            move = _move(step, move_cards(before, _written(entry)))
            args = covered_args(move["args"], replay.catalog.cards, brought_to_light(before, board))
            moments.append(Moment({**move, "args": args, "outcome": "ok"}, board))
        before = board
    return moments


def concealed(
    header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], own: Sequence[int], catalogs: Catalogs
) -> list[dict[str, Any]]:
    """The entries of a recorded game, with the cards that were drawn or chosen in secret unknown, except in `own`."""
    return hide_secrets(header, entries, own=own, catalogs=catalogs)


class Trial:
    """A small board of a game on which a card that is being written can be tried. Nothing of it is stored.

    `card` and `tokens` are cards as a catalogue has them; seat A has the card. Raises EngineError, as `ValueError`, for
    a card that cannot be read.
    """

    def __init__(self, game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]]) -> None:
        self._log, self._catalog = set_up(game, card, tokens)
        self.names = {each["ref"]: each["name"] for each in self._catalog["cards"]}

    def opened(self, entries: Sequence[Mapping[str, Any]], language: str) -> tuple["LiveGame", int]:
        """The game after as many of the entries as are legal, and how many these are.

        The card may have changed since they were made, so that a later one is no longer legal. Raises ValueError if the
        board cannot be set up.
        """
        try:
            live = LiveGame(self._log, [], [load_catalog(self._catalog)])
        except EngineError as error:
            raise ValueError(error_sentence(error, language)) from error
        for number, entry in enumerate(entries):
            try:
                live.accept(entry, language)
            except MoveRefused:
                return live, number
        return live, len(entries)


class MoveRefused(Exception):
    """A move was refused. `reasons` are `{rule, message}`; for a malformed entry, `rule` is the engine's error code."""

    def __init__(self, reasons: list[dict[str, Any]]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


class LiveGame:
    """A game that is being recorded: its board, its legal moves, and a log that grows. Wraps `engine.open_game`."""

    def __init__(self, header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], catalogs: Catalogs) -> None:
        self._game = engine.open_game({**header, "moves": list(entries)}, catalogs=catalogs)

    @property
    def digest(self) -> str:
        """The hash of the chain up to the newest entry."""
        return self._game.digest

    @property
    def result(self) -> tuple[str | None, str] | None:
        """The winner (a seat, "draw", or None if the rules leave it open) and the reason; None during the game."""
        found = self._game.result
        return None if found is None else (found.winner, found.reason)

    def board(self) -> dict[str, Any]:
        """The board as a judge sees it."""
        return self._game.board()

    def cards_before(self, n: int, entry: Mapping[str, Any], seat: str | None = None) -> dict[str, str]:
        """The cards that lay at the places of entry `n` before it, as a seat saw them (None: a judge)."""
        board = self._game.board_at(n - 1, views.JUDGE if seat is None else seat)
        return move_cards(board, entry)

    def legal_moves(self, actors: Sequence[str]) -> LegalMoves:
        """The legal moves of these actors now."""
        found, board = self._game.moves(actors), self.board()
        return LegalMoves([{**move, "at": move_cards(board, move)} for move in found.moves], found.more)

    def responses(self, actors: Sequence[str]) -> LegalMoves:
        """The legal responses of these actors to the last entry, with `resp`."""
        found, board = self._game.moves(actors, responding=True), self.board()
        moves = [{**move, "resp": True, "at": move_cards(board, move)} for move in found.moves]
        return LegalMoves(moves, found.more)

    def chance_of(self, move: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The `chance` that a legal move needs in its entry, with "?" for each card."""
        return self._game.chance_of(move)

    def rolled(self, move: Mapping[str, Any], seed: str) -> list[dict[str, Any]]:
        """The `chance` of a legal move as it comes from a seed: dice that are rolled, cards that are drawn."""
        return self._game.chance_of(move, Dice(seed))

    def accept(self, entry: Mapping[str, Any], language: str) -> str:
        """Make a move and return the hash of the chain with it. Raises MoveRefused, with all reasons in `language`."""
        try:
            self._game.accept(entry)
        except engine.Refusal as refused:
            rules = [reason.rule for reason in (*refused.violations, *refused.missing)]
            sentences = refused.messages(language) or [error_message(refused.code, "", language)]
            raise MoveRefused([
                {"rule": rule, "message": sentence} for rule, sentence in zip(rules, sentences, strict=False)
            ]) from refused
        except EngineError as error:
            message = error_message(error.code, error.message, language)
            raise MoveRefused([{"rule": error.code, "message": message}]) from error
        return self._game.digest


def self_played(
    game: str,
    seed: int | str,
    decks: Mapping[str, Mapping[str, Any]],
    players: Mapping[str, str],
    match: Mapping[str, Any],
) -> dict[str, Any]:
    """The log of a complete legal game. `decks` are lists as JSON by seat; `match` goes into the header."""
    lists = {seat: Decklist.from_json(deck) for seat, deck in decks.items()}
    return play(game, seed, decks=lists, players=dict(players), match=dict(match))
