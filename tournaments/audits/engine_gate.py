"""Where move logs meet the engine: the one module of this app that knows its inside."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import engine
from engine.core import log as logs
from engine.core import merge as half_logs
from engine.core import partial, views
from engine.core.ask import ask as engine_ask
from engine.core.ask import situation
from engine.core.cards import Catalog
from engine.core.choice import load_game
from engine.core.difference import difference as engine_difference
from engine.core.errors import EngineError, Impossible, Violation
from engine.core.phrases import error_message, known, note_key, speaker
from engine.core.registry import rulebook
from engine.core.replay import GOES_ON as GOES_ON
from engine.core.replay import Step
from engine.core.report import error_json, interpretations_json, repair_line, violations_json
from engine.core.rulebook import Rulebook
from engine.core.state import COMMON as COMMON
from engine.core.words import Words

QUIET = ("live", "inert", "made", "allowed", "vouched")  # notes that effects keep for themselves
LISTED_CHANCE = ("draw", "look", "resource", "reveal", "roll")  # kinds of chance that are lists
Catalogs = Sequence[Catalog]  # that logs may name beside those shipped with the engine


def log_fault(document: bytes, game: str, catalogs: Catalogs = ()) -> dict[str, Any] | None:
    """Why a document is no log of this game that the engine can read: code, message, path, n. None when it is one.

    A log that begins with a board that cannot be is readable: its audit says so.
    """
    if b"\\u0000" in document:  # PostgreSQL keeps none, and the report repeats what it cannot read
        return {"code": "nul", "message": "a NUL in a string", "path": "", "n": None}
    try:
        log = logs.parse(document)
        if log.header.game != game:
            return {"code": "wrong_game", "message": f"a log of {log.header.game}", "path": "game", "n": None}
        engine.Replay(log, catalogs=catalogs, keep=False)
    except Impossible:
        return None
    except EngineError as error:
        return {"code": error.code, "message": error.message, "path": error.path, "n": error.n}
    return None


def audit(document: str, catalogs: Catalogs = (), options: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The engine's report on a log, as JSON. Its messages are English; `in_language` says them otherwise.

    `options` are interpretations switched for this audit alone.
    """
    try:
        return engine.audit(_switched(document, options or {}), catalogs=catalogs).as_json("en")
    except EngineError:  # not even its header can be read: the engine reports that
        return engine.audit(document, catalogs=catalogs).as_json("en")


def _switched(document: str, options: Mapping[str, str]) -> logs.Log:
    """A log with interpretations switched. What it recorded stays, so its chain of hashes still holds."""
    log = logs.parse(document)
    return replace(log, header=replace(log.header, options={**log.header.options, **options}))


Document = str | Mapping[str, Any]  # JSON text, or its value


def ask(position: Document, move: Document, language: str, catalogs: Catalogs = ()) -> dict[str, Any]:
    """May `move`, an entry of a log, be made in `position`, a declared one or the end of a whole log?

    `{answer, violations, missing, error}` as the command line gives it; each missing fact has the section of its rule.
    """
    answer = engine_ask(position, move, catalogs=catalogs)
    found = answer.as_json(language)
    if answer.book is not None:
        book = answer.book
        found["missing"] = [{**item, "section": book.section(item["rule"], language)} for item in found["missing"]]
    return found


def board_of(position: Document, catalogs: Catalogs = ()) -> dict[str, Any]:
    """The board of a declared position as a judge sees it. Raises ValueError with what cannot be read or cannot be."""
    try:
        _game, state, _book = situation(position, catalogs)
        return views.board(state, None, views.JUDGE)
    except EngineError as error:
        raise ValueError(f"{error.path}: {error.message}" if error.path else error.message) from error


def difference(one: Document, two: Document, catalogs: Catalogs = ()) -> list[dict[str, Any]]:
    """The facts that differ between two positions, `{fact, one, two}`. Raises ValueError with what cannot be read."""
    try:
        return engine_difference(one, two, catalogs=catalogs)
    except EngineError as error:
        raise ValueError(f"{error.path}: {error.message}" if error.path else error.message) from error


@dataclass(frozen=True)
class Place:
    """What of a board may be declared: a counter, or a zone with the number of its `slots` (0 for a row or a pile).

    `counted` zones hold cards nobody sees: their number is declared. `bears` says that its cards have marks.
    """

    owner: str
    name: str
    counter: bool = False
    slots: int = 0
    single: bool = False
    counted: bool = False
    in_play: bool = False
    bears: bool = False


@dataclass(frozen=True)
class Mat:
    """What a declared position of a game may say."""

    phases: Sequence[str]
    notes: Sequence[str]
    marks: Sequence[str]
    verbs: Sequence[str]
    places: Sequence[Place]


def mat_of(game: str, seats: Sequence[str]) -> Mat:
    """The mat of a game for these seats."""
    loaded = load_game(game)
    layout = loaded.layout
    places = [place for seat in seats for place in _places(layout, seat, layout.counters, layout.zones)]
    common = [zone for zone in layout.common if zone not in layout.resolving]
    places += _places(layout, COMMON, layout.shared, common)
    notes = [note for note in loaded.notes if note not in (*QUIET, *layout.opening)]
    return Mat(loaded.phases, notes, layout.marks, list(loaded.verbs()), places)


def _places(layout: Any, owner: str, counters: Iterable[str], zones: Sequence[str]) -> Iterator[Place]:
    for name in counters:
        yield Place(owner, name, counter=True)
    for zone in dict.fromkeys(zone.rpartition("/")[0] if zone[-1].isdecimal() else zone for zone in zones):
        slots = sum(1 for known in zones if known.rpartition("/")[0] == zone)
        yield Place(
            owner,
            zone,
            slots=slots,
            single=layout.capacity.get(zone) == 1,
            counted=layout.hidden.get(zone) == "nobody",
            in_play=layout.in_play(zone),
            bears=bool(layout.marks) and zone in layout.rows,
        )


def game_of(position: Document) -> str | None:
    """The game a position or a log names; None where that cannot be read."""
    game = _top(position).get("game")
    return game if isinstance(game, str) else None


def options_of(position: Document) -> dict[str, str]:
    """The interpretations a position or a log switches."""
    options = _top(position).get("options")
    return dict(options) if isinstance(options, Mapping) else {}


def _top(document: Document) -> Mapping[str, Any]:
    try:
        value = logs.read(document)
    except EngineError:
        return {}
    return value if isinstance(value, Mapping) else {}


def report_in(report: Mapping[str, Any], game: str, language: str) -> dict[str, Any]:
    """A stored report with its sentences in `language`, and otherwise as the engine gave it."""
    book, words = rulebook(game), _words_of(report, game, language)
    first, result = report["first_illegal"], report["result"]
    options = {item["id"]: item["option"] for item in report["interpretations"]}
    said = {**report, "error": error_json(report["error"], language)}
    said["interpretations"] = interpretations_json(report["depends_on"], options, book, language)
    if result["ended"] is not None:
        ended = result["ended"]
        section = book.section(ended["rule"], language) if ended["rule"] else None
        words_of_reason = words.say(f"reason.{ended['reason']}")
        said["result"] = {**result, "ended": {**ended, "section": section, "words": words_of_reason}}
    if first is not None:
        broken = first["violations"]
        violations = [Violation(v["rule"], v["args"], tuple(v["depends_on"]), why=v["why"]) for v in broken]
        said["first_illegal"] = {**first, "violations": violations_json(violations, book, words)}
    said["repairs"] = [{**item, "message": repair_line(item, words)} for item in report.get("repairs", ())]
    return said


def in_language(report: Mapping[str, Any], game: str, language: str) -> dict[str, Any]:
    """A stored report as a page says it in `language`: also the words of its reason and of what was claimed, the
    section of each rule it names, and the names of its cards (`names`).
    """
    book, words = rulebook(game), _words_of(report, game, language)
    said = report_in(report, game, language)
    reason = said["result"]["reason"]
    said["result"] = {**said["result"], "reason": words.say(f"reason.{reason}") if reason else None}
    said["missing"] = [{**item, "section": book.section(item["rule"], language)} for item in report["missing"]]
    said["claims"] = [_claim_in_words(claim, book, words) for claim in report["claims"]]
    return {**said, "names": {ref: known[language] for ref, known in report["cards"].items()}}


def _words_of(report: Mapping[str, Any], game: str, language: str) -> Words:
    """The words for what a stored report names: it keeps the names of its cards."""
    names = {ref: known[language] for ref, known in report["cards"].items()}
    first = report["first_illegal"]
    return Words(language, game, names.get, first["at"] if first else {})


def _claim_in_words(claim: Mapping[str, Any], book: Rulebook, words: Words) -> dict[str, Any]:
    """A fact noted wrongly, with the section of the rule that gives its value."""
    section = book.section(claim["rule"], words.lang) if claim["rule"] else ""
    values = {key: words.value(claim[key]) for key in ("claimed", "computed")}
    return {**claim, **values, "words": words.fact(claim["claim"]), "section": section}


def interpretations(game: str, ids: list[str], options: Mapping[str, str], language: str) -> list[dict[str, Any]]:
    """What a verdict leans on, opened in `language`: id, why there is a gap, the option in force and what it says,
    whether that is the default, and what the others would say. `options` are those of the log; the default otherwise.
    """
    register = rulebook(game).interpretations
    return [_opened(register[id_], options, language) for id_ in ids if id_ in register]


def known_interpretations(game: str, language: str) -> list[dict[str, Any]]:
    """Every interpretation of a game's register: id, why there is a gap, the default, and what each option says."""
    register = rulebook(game).interpretations
    return [
        {
            "id": gap.id,
            "why": gap.why[language],
            "default": gap.default,
            "options": {option: words[language] for option, words in gap.options.items()},
        }
        for gap in register.values()
    ]


def _opened(gap: Any, options: Mapping[str, str], language: str) -> dict[str, Any]:
    option = options.get(gap.id, gap.default)
    return {
        "id": gap.id,
        "why": gap.why[language],
        "option": option,
        "says": gap.options[option][language],
        "by_default": option == gap.default,
        "others": [(key, words[language]) for key, words in gap.options.items() if key != option],
    }


def has_words(key: str) -> bool:
    """Whether the engine has words for a key as `zone.hand` or `verb.play`."""
    return known(key)


def say(key: str, language: str, **args: object) -> str:
    """The engine's words of a key."""
    return speaker(language)(key, **args)


def say_note(game: str, note: str, language: str, what: str) -> str:
    """What a note of a board says about `what`."""
    return speaker(language)(note_key(game, note), what=what)


def notes_told(board: Mapping[str, Any]) -> Mapping[str, Sequence[int | str]]:
    """The memory of a board that matters to who reads it now."""
    return views.notes_told(board)


def places_in_play(board: Mapping[str, Any]) -> list[str]:
    """The places of the cards in play of every seat, as "A/T1/fighters/2"."""
    game = load_game(board["game"])

    def places(value: Any, path: str) -> Iterator[str]:
        if isinstance(value, Mapping) and "ref" not in value:
            for key, inner in value.items():
                yield from places(inner, f"{path}/{key}")
        elif isinstance(value, list) and game.layout.in_play(path.partition("/")[2]):
            yield from (f"{path}/{number}" for number, card in enumerate(value, 1) if card is not None)

    return [place for seat, side in board["seats"].items() for place in places(side, seat)]


def in_play(game: str, zone: str) -> bool:
    """Whether the cards of a zone, named below its seat, lie in play; the others are piles or hold one card."""
    return load_game(game).layout.in_play(zone)


def seen_by(board: Mapping[str, Any], seat: str | None) -> dict[str, Any]:
    """A judge's board as one seat sees it, or as the public does (None): "?" for each card hidden from it.

    The options of a choice are left out where another seat makes it, for they may name a hand.
    """
    hidden = [zone for zone, who in load_game(board["game"]).layout.hidden.items() if who == "owner"]
    sides = {owner: side if owner == seat else _covered(side, hidden) for owner, side in board["seats"].items()}
    seen = {**board, "seats": sides}
    choice = board.get("pending")
    if choice and choice["by"] != seat:
        seen["pending"] = {key: value for key, value in choice.items() if key != "options"}
    return seen


def _covered(side: Mapping[str, Any], hidden: Sequence[str]) -> dict[str, Any]:
    def covered(cards: Any) -> Any:
        return ["?"] * len(cards) if isinstance(cards, list) else "?" if isinstance(cards, Mapping) else cards

    return {zone: covered(cards) if zone in hidden else cards for zone, cards in side.items()}


def board_text(board: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A board as lines of text, with these names of cards."""
    return views.as_text(board, language, names.get)


def card_at(board: Mapping[str, Any], place: str) -> Mapping[str, Any] | None:
    """The card at a place of a board, "A/T1/fighters/2"; None where none is, or no such place."""
    seat, *path = place.split("/")
    found: Any = board.get(COMMON) if seat == COMMON else board["seats"].get(seat)
    for part in path:
        if isinstance(found, Mapping) and "ref" not in found:
            found = found.get(part)
        elif isinstance(found, Sequence) and part.isdecimal() and 1 <= int(part) <= len(found):
            found = found[int(part) - 1]
        else:
            return None
    return found if isinstance(found, Mapping) and "ref" in found else None


def cards_at(board: Mapping[str, Any], value: Any) -> dict[str, str]:
    """The places among the arguments of an entry, with the refs of the known cards that lie there."""
    if isinstance(value, str):
        card = card_at(board, value) if "/" in value else None
        return {value: card["ref"]} if card and card["ref"] != "?" else {}
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return {place: ref for item in items for place, ref in cards_at(board, item).items()}


@dataclass(frozen=True)
class Merged:
    """Two logs as one (`document`), or where they first differ: a path, the entry's number, and what each has there."""

    document: dict[str, Any] | None
    path: str = ""
    n: int | None = None
    one: Any = None
    two: Any = None


def merge(one: str, two: str) -> Merged:
    """Two half-logs as one log with what either knows, or their first difference."""
    try:
        return Merged(half_logs.merge(one, two))
    except half_logs.Differ as difference:
        return Merged(None, difference.path, difference.n, difference.one, difference.two)


def read_entry(text: str) -> dict[str, Any]:
    """An entry of a log from its JSON. Raises ValueError with what is wrong in it."""
    try:
        value = logs.read(text)
    except EngineError as error:
        raise ValueError(error.message) from error
    if not isinstance(value, dict):
        raise ValueError("an entry is an object")
    return value


def open_argument(move: Mapping[str, Any]) -> str | None:
    """The argument of a legal move that leaves cards open: "?", a list with it, or their number alone."""
    args: Mapping[str, Any] = move.get("args") or {}
    key: str
    for key, value in args.items():
        listed = isinstance(value, (list, tuple)) and "?" in value
        if listed or (value == "?" and "face" not in args) or (key == "back" and isinstance(value, int)):
            return key
    return None


def moment_at(document: str, n: int, catalogs: Catalogs = ()) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The moves of a log up to entry `n` or to the one that is refused, and the last two boards of these."""
    moves: list[dict[str, Any]] = []
    boards: list[dict[str, Any]] = []
    for moment in islice(Replayed(document, catalogs).moments(), n + 1):
        moves += [moment.move] if moment.move else []
        boards = [*boards[-1:], moment.board]
    return moves, boards


def legal_moves(document: Document, n: int, catalogs: Catalogs = ()) -> list[dict[str, Any]]:
    """Every move that was legal after entry `n` of a log (0: before the first), as `{by, do, args, at}`.

    `at` are the refs of the known cards at the places among the arguments. Empty where the log cannot be followed as
    far; what is always allowed, as conceding, is not listed.
    """
    value = logs.read(document)
    try:
        game = engine.open_game({**value, "moves": value["moves"][:n]}, catalogs=catalogs)
    except EngineError:
        return []
    board = game.board()
    return [{**move, "at": cards_at(board, move["args"])} for move in game.legal_moves()]


@dataclass(frozen=True)
class Moment:
    """An entry and the board after it, as a judge sees it. The set-up, entry 0, has no move."""

    move: dict[str, Any] | None
    board: dict[str, Any]


class Replayed:
    """A log replayed once, from its first entry to its last or to the one that is refused.

    A log of which the header cannot be played has no moments at all.
    """

    def __init__(self, document: str, catalogs: Catalogs = (), options: Mapping[str, str] | None = None) -> None:
        log = _switched(document, options or {})
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
        """Whether the last entry that was replayed was refused."""
        return self._replay is not None and self._replay.stopped is not None

    def moments(self) -> Iterator[Moment]:
        """The board before the first entry, then each entry with the board after it.

        A refused entry comes last, with the board before it.
        """
        if self._replay is None:
            return
        board = self._board(self._replay)
        yield Moment(None, board)
        for entry in self._replay.log.entries:
            at = cards_at(board, entry.args)
            step = self._replay.step()
            if step is None:
                return
            self.last = step.n
            board = self._board(self._replay)
            yield Moment(_move(step, at), board)

    def _board(self, replay: engine.Replay) -> dict[str, Any]:
        return views.board(replay.state, replay.catalog, views.JUDGE)


def _move(step: Step, at: Mapping[str, str]) -> dict[str, Any]:
    """What a list of moves shows of an entry. Boards among its arguments are left out: they may be long.

    `at` are the refs of the cards at the places that its arguments name, before it was made, where there are any.
    """
    args = {key: value for key, value in step.entry.args.items() if not isinstance(value, Mapping)}
    named = {"at": dict(at)} if at else {}
    return {"n": step.n, "by": step.entry.by, "do": step.entry.do, "args": args, "outcome": step.outcome, **named}


def spectated(
    header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], numbers: Sequence[int], catalogs: Catalogs
) -> list[Moment]:
    """The entries of these numbers of a recorded game, in order, each with the board after it, as the public sees them.

    Number 0 is the set-up. A move names the cards that it brings to light or takes from there; any other is "?", for it
    may come from a hand and stay unseen.
    """
    log = logs.parse(canonical({**header, "moves": list(entries)}))
    replay = engine.Replay(log, catalogs=catalogs, keep=False)
    wanted, before = set(numbers), views.board(replay.state, replay.catalog)
    moments = [Moment(None, before)] if 0 in wanted else []
    for entry in replay.log.entries:
        step = replay.step()
        if step is None:
            break
        if not wanted & {step.n, step.n + 1}:
            continue
        board = views.board(replay.state, replay.catalog)
        if step.n in wanted:
            said = _move(step, cards_at(before, entry.args))
            args = _covered_args(said["args"], replay.catalog.cards, _brought_to_light(before, board))
            moments.append(Moment({**said, "args": args, "outcome": "ok"}, board))
        before = board
    return moments


def _brought_to_light(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """The cards that show more often or less often than before, and those that lie alone in a place of their own."""
    were, are = Counter(_refs(before)), Counter(_refs(after))
    lone = {card["ref"] for side in after["seats"].values() for card in side.values() if _is_card(card)}
    return lone | {ref for ref in {*were, *are} if were[ref] != are[ref]}


def _is_card(value: Any) -> bool:
    return isinstance(value, Mapping) and "ref" in value


def _refs(value: Any) -> Iterator[str]:
    """The cards that a board shows."""
    if _is_card(value):
        yield value["ref"]
    elif isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _refs(item)


def _covered_args(value: Any, cards: Container[str], told: Container[str]) -> Any:
    """The arguments of a move with "?" for each card that is not `told`."""
    if isinstance(value, Mapping):
        return {key: _covered_args(item, cards, told) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_covered_args(item, cards, told) for item in value]
    return "?" if isinstance(value, str) and value in cards and value not in told else value


def canonical(document: Mapping[str, Any]) -> bytes:
    """A log in the one way that it is written."""
    return logs.canonical(document)


class MoveRefused(Exception):
    """The rules or the form of logs refuse a move; `reasons` are sentences with their rules."""

    def __init__(self, reasons: list[dict[str, Any]]) -> None:
        super().__init__("refused")
        self.reasons = reasons


class LiveGame:
    """A game while it is recorded: what may be done, the board, and the log that grows. See `engine.open_game`."""

    def __init__(self, header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], catalogs: Catalogs) -> None:
        self._game = engine.open_game({**header, "moves": list(entries)}, catalogs=catalogs)

    @property
    def digest(self) -> str:
        """The hash of the chain up to now."""
        return self._game.digest

    @property
    def result(self) -> tuple[str | None, str] | None:
        """The winner (a seat, "draw" or None where it stays open) and the reason; None while the game goes on."""
        found = self._game.result
        return None if found is None else (found.winner, found.reason)

    def board(self) -> dict[str, Any]:
        """The board as a judge sees it."""
        return self._game.board()

    def legal_moves(self, actors: Sequence[str]) -> list[dict[str, Any]]:
        """What these actors may do now, as `{by, do, args, at}`."""
        board = self.board()
        moves = [move for move in self._game.legal_moves() if move["by"] in actors]
        return [{**move, "at": cards_at(board, move["args"])} for move in moves]

    def responses(self, actors: Sequence[str]) -> list[dict[str, Any]]:
        """What these actors may respond to the last entry, as `{by, do, args, resp, at}`."""
        board = self.board()
        found = [{**move, "resp": True} for move in self._game.responses() if move["by"] in actors]
        return [{**move, "at": cards_at(board, move["args"])} for move in found]

    def chance_of(self, move: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The chance that a legal move needs, with "?" for each card."""
        return self._game.chance_of(move)

    def accept(self, entry: Mapping[str, Any], language: str) -> str:
        """Make a move; the hash of the chain with it. Raises MoveRefused with all reasons."""
        try:
            self._game.accept(entry)
        except engine.Refusal as refused:
            rules = [reason.rule for reason in (*refused.violations, *refused.missing)]
            sentences = refused.messages(language) or [refused.message]
            raise MoveRefused([
                {"rule": rule, "message": sentence} for rule, sentence in zip(rules, sentences, strict=False)
            ]) from refused
        except EngineError as error:
            said = error_message(error.code, error.message, language)
            raise MoveRefused([{"rule": error.code, "message": said}]) from error
        return self._game.digest


def counters(game: str) -> list[str]:
    """The counters that each seat of a game has."""
    return list(load_game(game).layout.counters)


def pad_of(game: str, seats: Sequence[str]) -> tuple[str, list[str]]:
    """The verb that ends a turn on a score pad, and the facts noted with it: counters of the seats, or of nobody."""
    loaded = load_game(game)
    own = [f"{seat}.{name}" for name in loaded.layout.counters for seat in seats]
    return loaded.pad[0], own or [f"{COMMON}.{name}" for name in loaded.layout.shared]


def is_pad(document: str) -> bool:
    """Whether a log is a score pad: facts noted turn by turn, no move."""
    log = logs.parse(document)
    return log.header.start is None and partial.is_pad(load_game(log.header.game), log.entries)


def newest_ruleset(game: str) -> str:
    """The ruleset that new games of a game are played by."""
    return list(load_game(game).rulesets)[-1]
