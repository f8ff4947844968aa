"""This app's interface to the engine: audits, replays, live games, positions, and words in the reader's language.

It is the only module of the app that imports the engine's internals. Documents go in and come out as JSON text or plain
values, and boards are in the form of `core.shown.views.board`. `catalogs` are always the cards that a log can refer to
in addition to those shipped with the engine (see `decks.engine_gate.own_catalogs`).
"""

import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engine
from engine.core.cards.catalog import Catalog, load_catalog
from engine.core.replay import merge as half_logs
from engine.core.replay import partial
from engine.core.replay.hidden_entries import concealed as hide_secrets
from engine.core.replay.replay import GOES_ON as GOES_ON
from engine.core.replay.selfplay import Dice
from engine.core.replay.trial import set_up
from engine.core.report.ask import ask as engine_ask
from engine.core.report.ask import situation
from engine.core.report.difference import difference as engine_difference
from engine.core.report.report import error_json, error_sentence, interpretations_json, repair_line, violations_json
from engine.core.shown import views
from engine.core.shown.commentary import capital, chance_words, move_line, move_sentence, move_sentences, placed
from engine.core.shown.words import Words
from engine.core.table import log as logs
from engine.core.table.header import load_game
from engine.core.table.state import COMMON as COMMON
from engine.core.table.step import Step
from engine.core.text.errors import EngineError, Impossible, Violation
from engine.core.text.phrases import error_message, known, note_key, speaker
from engine.core.text.registry import rulebook
from engine.core.text.rulebook import Rulebook
from tournaments.boards.words import cards_at

QUIET = ("live", "inert", "made", "allowed", "vouched")  # internal notes of the effect interpreter, not for people
LISTED_CHANCE = ("draw", "look", "resource", "reveal", "roll")  # kinds of chance whose value is a list
Catalogs = Sequence[Catalog]


def log_fault(document: bytes, game: str, catalogs: Catalogs = ()) -> dict[str, Any] | None:
    """Why the engine cannot read a document as a log of this game: `{code, message, path, n}`; None if it can.

    A log that starts from an impossible board is readable: that is a finding of its audit.
    """
    if b"\\u0000" in document:  # PostgreSQL cannot store NUL, and the report quotes what it cannot read
        return {"code": "nul", "message": error_message("not_json", "", get_language() or "en"), "path": "", "n": None}
    try:
        log = logs.parse(document)
        if log.header.game != game:
            return {
                "code": "wrong_game",
                "message": error_message("wrong_game", "", get_language() or "en", log.header.game),
                "path": "game",
                "n": None,
            }
        engine.Replay(log, catalogs=catalogs, keep=False)  # sets the game up, without replaying any entry
    except Impossible:
        return None
    except EngineError as error:
        return {"code": error.code, "message": _sentence(error), "path": error.path, "n": error.n}
    return None


def _sentence(error: EngineError) -> str:
    return error_sentence(error, get_language() or "en")


def audit(document: str, catalogs: Catalogs = (), options: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Audit a log and return the engine's report as JSON values, with English messages (see `in_language`).

    `options` overrides interpretations for this audit only, by their id.
    """
    try:
        return engine.audit(_with_options(document, options or {}), catalogs=catalogs).as_json("en")
    except EngineError:  # the header cannot be read, so there is nothing to override; the report says so
        return engine.audit(document, catalogs=catalogs).as_json("en")


def ruleset_in(document: bytes) -> str:
    """The id of the ruleset in the header of a log that can be read."""
    return logs.parse(document).header.ruleset


def _with_options(document: str, options: Mapping[str, str]) -> logs.Log:
    """A log with interpretations overridden, except those that its rules settle.

    Its raw header stays as recorded, so the hash chain still holds.
    """
    log = logs.parse(document)
    rules = load_game(log.header.game).rulesets.get(log.header.ruleset)
    if rules is not None:
        options = {name: option for name, option in options.items() if name in rules.book.interpretations}
    return replace(log, header=replace(log.header, options={**log.header.options, **options}))


Document = str | Mapping[str, Any]  # JSON text, or its parsed value


def ask(position: Document, move: Document, language: str, catalogs: Catalogs = ()) -> dict[str, Any]:
    """Say whether `move`, a log entry, is legal in `position`, a declared position or the end of a log.

    Returns `{answer, violations, missing, error}` as `python -m engine ask --json` does, and adds to each missing fact
    the section of its rule. `answer` is "legal", "illegal", "undetermined" or "unreadable".
    """
    answer = engine_ask(position, move, catalogs=catalogs)
    found = answer.as_json(language)
    if answer.book is not None:
        book = answer.book
        found["missing"] = [{**item, "section": book.section(item["rule"], language)} for item in found["missing"]]
    return found


def board_of(position: Document, catalogs: Catalogs = ()) -> dict[str, Any]:
    """The board of a position as a judge sees it. Raises ValueError if it is unreadable or impossible."""
    try:
        _game, state, _book = situation(position, catalogs)
        return views.board(state, None, views.JUDGE)
    except EngineError as error:
        raise ValueError(_sentence(error)) from error


def difference(one: Document, two: Document, catalogs: Catalogs = ()) -> list[dict[str, Any]]:
    """The facts that differ between two positions, as `{fact, one, two}`. Raises ValueError if one is unreadable."""
    try:
        return engine_difference(one, two, catalogs=catalogs)
    except EngineError as error:
        raise ValueError(_sentence(error)) from error


@dataclass(frozen=True)
class Place:
    """A part of a board that a judge can declare: a counter or a zone.

    `owner`: the letter of the seat, or `COMMON`.
    `counter`: a counter; the other fields are then unused.
    `slots`: the number of numbered slots of the zone; 0 for a row or a pile.
    `single`: the zone holds at most one card.
    `counted`: nobody sees the cards, so only their number is declared.
    `in_play`: its cards are in play.
    `bears`: its cards can carry marks.
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
    """Everything that a declared position of a game can contain, for forms that enter one."""

    phases: Sequence[str]
    notes: Sequence[str]
    marks: Sequence[str]
    verbs: Sequence[str]
    places: Sequence[Place]


def mat_of(game: str, seats: Sequence[str]) -> Mat:
    """The mat of a game with these seats."""
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
    # Numbered zones ("T1/fighters/2") are the slots of one place ("T1/fighters").
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
    """The id of the game that a position or log names; None if it cannot be read."""
    game = _top(position).get("game")
    return game if isinstance(game, str) else None


def options_of(position: Document) -> dict[str, str]:
    """The interpretations that a position or log overrides, by id; empty if it cannot be read."""
    options = _top(position).get("options")
    return dict(options) if isinstance(options, Mapping) else {}


def _top(document: Document) -> Mapping[str, Any]:
    try:
        value = logs.read(document)
    except EngineError:
        return {}
    return value if isinstance(value, Mapping) else {}


def report_in(report: Mapping[str, Any], game: str, language: str) -> dict[str, Any]:
    """A stored report with its messages in `language`, in the same form as the engine gave it."""
    book, words = rulebook(game), _words_of(report, game, language)
    first, result = report["first_illegal"], report["result"]
    options = {item["id"]: item["option"] for item in report["interpretations"]}
    translated = {**report, "error": error_json(report["error"], language)}
    translated["interpretations"] = interpretations_json(report["depends_on"], options, book, language)
    if result["ended"] is not None:
        ended = result["ended"]
        section = book.section(ended["rule"], language) if ended["rule"] else None
        words_of_reason = words.say(f"reason.{ended['reason']}")
        translated["result"] = {**result, "ended": {**ended, "section": section, "words": words_of_reason}}
    if first is not None:
        broken = first["violations"]
        violations = [Violation(v["rule"], v["args"], tuple(v["depends_on"]), why=v["why"]) for v in broken]
        translated["first_illegal"] = {**first, "violations": violations_json(violations, book, words)}
    # Reports from before there were repairs have no such key.
    translated["repairs"] = [{**item, "message": repair_line(item, words)} for item in report.get("repairs", ())]
    return translated


def in_language(report: Mapping[str, Any], game: str, language: str) -> dict[str, Any]:
    """A stored report prepared for a page in `language`.

    Like `report_in`, and also puts into words the reason why the game ended and the claims, and adds the section of
    each rule and the names of the cards (`names`, by ref).
    """
    book, words = rulebook(game), _words_of(report, game, language)
    translated = report_in(report, game, language)
    reason = translated["result"]["reason"]
    translated["result"] = {**translated["result"], "reason": words.say(f"reason.{reason}") if reason else None}
    translated["missing"] = [{**item, "section": book.section(item["rule"], language)} for item in report["missing"]]
    translated["claims"] = [_claim_in_words(claim, book, words) for claim in report["claims"]]
    return {**translated, "names": {ref: known[language] for ref, known in report["cards"].items()}}


def _words_of(report: Mapping[str, Any], game: str, language: str) -> Words:
    """Words for what a stored report names. Card names come from the report, so no catalogue has to be loaded."""
    names = {ref: known[language] for ref, known in report["cards"].items()}
    first = report["first_illegal"]
    return Words(language, game, names.get, first["at"] if first else {})


def _claim_in_words(claim: Mapping[str, Any], book: Rulebook, words: Words) -> dict[str, Any]:
    """A wrong claim in words, with the section of the rule that determines its value."""
    section = book.section(claim["rule"], words.lang) if claim["rule"] else ""
    values = {key: words.value(claim[key]) for key in ("claimed", "computed")}
    return {**claim, **values, "words": words.fact(claim["claim"]), "section": section}


def interpretations(game: str, ids: list[str], options: Mapping[str, str], language: str) -> list[dict[str, Any]]:
    """The interpretations `ids` that a verdict depends on, explained in `language`.

    `options` are the log's overrides; without one, the default is in force. Each item has `id`, `why` (the gap in the
    rules), `option` and `says` (the option in force and its text), `by_default`, and `others`, the other options as
    `(option, text)`.
    """
    register = rulebook(game).interpretations
    return [_opened(register[id_], options, language) for id_ in ids if id_ in register]


def known_interpretations(game: str, language: str) -> list[dict[str, Any]]:
    """All interpretations of a game, as `{id, why, default, options}`: why there is a gap, and each option's text."""
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
    """Whether the engine has words for a key such as `zone.hand` or `verb.play`."""
    return known(key)


def say(key: str, language: str, **args: object) -> str:
    """The engine's words for a key in `language`, filled in with `args`."""
    return speaker(language)(key, **args)


def say_note(game: str, note: str, language: str, what: str) -> str:
    """The sentence of a board's note about `what`."""
    return speaker(language)(note_key(game, note), what=what)


def places_in_play(board: Mapping[str, Any]) -> list[str]:
    """The places of all cards in play, such as "A/T1/fighters/2"."""
    game = load_game(board["game"])

    def places(value: Any, path: str) -> Iterator[str]:
        if isinstance(value, Mapping) and "ref" not in value:
            for key, inner in value.items():
                yield from places(inner, f"{path}/{key}")
        elif isinstance(value, list) and game.layout.in_play(path.partition("/")[2]):
            yield from (f"{path}/{number}" for number, card in enumerate(value, 1) if card is not None)

    return [place for seat, side in board["seats"].items() for place in places(side, seat)]


def in_play(game: str, zone: str) -> bool:
    """Whether the cards of a zone (named without its seat) are in play."""
    return load_game(game).layout.in_play(zone)


def seen_by(board: Mapping[str, Any], seat: str | None) -> dict[str, Any]:
    """Cut a judge's board down to what one seat sees, or the public (None). Hidden cards become "?".

    The options of a pending choice of another seat are left out, because they can name cards in hand.
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


def seen_move(
    move: Mapping[str, Any],
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    seat: str | None,
    cards: Container[str],
) -> dict[str, Any]:
    """A move of a log as one seat sees it, between two boards that `seen_by` cut down to what that seat sees.

    In the moves of others, every one of the `cards` (refs) that does not come or go on these boards becomes "?".
    """
    args = move["args"]
    if move["by"] != seat:
        args = _covered_args(args, cards, _brought_to_light(before, after))
    return {**move, "args": args, "at": move_cards(before, {**move, "args": args})}


def board_text(board: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A board as lines of text. `names` are the names of the cards, by ref."""
    return views.as_text(board, language, names.get)


def move_words(game: str, move: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A move as a sentence without who makes it. `move["at"]` has the cards at its places, `names` their names."""
    return move_sentence(game, move, language, names.get, move.get("at"))


def entry_words(game: str, move: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """A move in words with the seat, the table or the judge that makes it: “A plays Raclos”."""
    return capital(move_line(game, move, language, names.get, move.get("at")))


def entry_chance_words(game: str, entry: Mapping[str, Any], language: str, names: Mapping[str, str]) -> str:
    """What an entry notes of chance, in words: “draws Raclos”; "" if it notes none."""
    return chance_words(game, entry.get("chance") or [], language, names.get)


def entry_of(document: str, n: int | None) -> dict[str, Any] | None:
    """Entry `n` of a log as it was written; None if the log ends before."""
    moves: list[dict[str, Any]] = json.loads(document)["moves"]
    return moves[n - 1] if n is not None and n <= len(moves) else None


def moves_words(game: str, moves: Sequence[Mapping[str, Any]], language: str, names: Mapping[str, str]) -> list[str]:
    """Moves that are listed together, as sentences that differ wherever the moves do."""
    at = {place: ref for move in moves for place, ref in move.get("at", {}).items()}
    return move_sentences(game, moves, language, names.get, at)


def move_cards(board: Mapping[str, Any], move: Mapping[str, Any]) -> dict[str, str]:
    """The places that a move names, also by the number of a slot, with the ref of the card there on a board."""
    return cards_at(board, [move.get("args"), placed(board["game"], move)])


@dataclass(frozen=True)
class Merged:
    """The result of merging two logs.

    Either `document`, the merged log, or None and the first difference: its path, the number of the entry in each log
    (None where that log ends earlier, and for the header), and both values. `kind` is "move", "noted" (all moves agree,
    but not the figures noted beside one) or "header" (only that differs).
    """

    document: dict[str, Any] | None
    path: str = ""
    n: int | None = None
    n_two: int | None = None
    one: Any = None
    two: Any = None

    @property
    def kind(self) -> str:
        """What differs first; "" for two logs of the same game."""
        if self.document is not None:
            return ""
        if self.n is None and self.n_two is None:
            return "header"
        return "noted" if f".{half_logs.NOTED}" in self.path else "move"


def merge(one: str, two: str) -> Merged:
    """Merge two logs of one game, taking from each what it knows, or find their first difference."""
    try:
        return Merged(half_logs.merge(one, two))
    except half_logs.Differ as difference:
        return Merged(None, difference.path, difference.n, difference.n_two, difference.one, difference.two)


def read_entry(text: str) -> dict[str, Any]:
    """Parse a log entry from JSON text. Raises ValueError with the reason if it is not a JSON object."""
    try:
        value = logs.read(text)
    except EngineError as error:
        raise ValueError(_sentence(error)) from error
    if not isinstance(value, dict):
        raise ValueError(_("An object with keys is expected here."))
    return value


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


def moment_at(document: str, n: int, catalogs: Catalogs = ()) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The moves of a log up to entry `n`, or up to the refused one, and the last two boards on the way."""
    moves: list[dict[str, Any]] = []
    boards: list[dict[str, Any]] = []
    for moment in islice(Replayed(document, catalogs).moments(), n + 1):
        moves += [moment.move] if moment.move else []
        boards = [*boards[-1:], moment.board]
    return moves, boards


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


LANDMARKS = ("illegal", "doubts", "rulings", "claims")  # kinds of entries that one wants to jump to


class Replayed:
    """One replay of a log, from its first entry to its last or to a refused one.

    If the game cannot be set up from the header, there are no entries at all. `last` and `refused` are final only once
    `moments` or `outcomes` is exhausted; both advance the same replay, so use one of them, once.
    """

    def __init__(self, document: str, catalogs: Catalogs = (), options: Mapping[str, str] | None = None) -> None:
        log = _with_options(document, options or {})
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
            args = _covered_args(move["args"], replay.catalog.cards, _brought_to_light(before, board))
            moments.append(Moment({**move, "args": args, "outcome": "ok"}, board))
        before = board
    return moments


def _brought_to_light(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """Refs whose number of visible copies changed, and refs of cards that are alone in a zone (a commander, say)."""
    were, are = Counter(_refs(before)), Counter(_refs(after))
    lone = {card["ref"] for side in after["seats"].values() for card in side.values() if _is_card(card)}
    return lone | {ref for ref in {*were, *are} if were[ref] != are[ref]}


def _is_card(value: Any) -> bool:
    return isinstance(value, Mapping) and "ref" in value


def _refs(value: Any) -> Iterator[str]:
    """The refs of all cards on a board, with repetitions."""
    if _is_card(value):
        yield value["ref"]
    elif isinstance(value, (Mapping, list)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _refs(item)


def _covered_args(value: Any, cards: Container[str], visible: Container[str]) -> Any:
    """The arguments of a move, with every ref of `cards` that is not in `visible` replaced by "?"."""
    if isinstance(value, Mapping):
        return {key: _covered_args(item, cards, visible) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_covered_args(item, cards, visible) for item in value]
    return "?" if isinstance(value, str) and value in cards and value not in visible else value


def concealed(
    header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], own: Sequence[int], catalogs: Catalogs
) -> list[dict[str, Any]]:
    """The entries of a recorded game, with the cards that were drawn or chosen in secret unknown, except in `own`."""
    return hide_secrets(header, entries, own=own, catalogs=catalogs)


def canonical(document: Mapping[str, Any]) -> bytes:
    """A log in canonical form: sorted keys, no spaces, UTF-8."""
    return logs.canonical(document)


class Trial:
    """A small board of a game on which a card that is being written can be tried. Nothing of it is stored.

    `card` and `tokens` are cards as a catalogue has them; seat A has the card. Raises EngineError, as `ValueError`, for
    a card that cannot be read.
    """

    def __init__(self, game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]]) -> None:
        self._log, self._catalog = set_up(game, card, tokens)
        self.names = {each["ref"]: each["name"] for each in self._catalog["cards"]}

    def opened(self, entries: Sequence[Mapping[str, Any]]) -> tuple["LiveGame", int]:
        """The game after as many of the entries as are legal, and how many these are.

        The card may have changed since they were made, so that a later one is no longer legal. Raises ValueError if the
        board cannot be set up.
        """
        try:
            live = LiveGame(self._log, [], [load_catalog(self._catalog)])
        except EngineError as error:
            raise ValueError(_sentence(error)) from error
        for number, entry in enumerate(entries):
            try:
                live.accept(entry, "en")
            except MoveRefused:
                return live, number
        return live, len(entries)


class MoveRefused(Exception):
    """A move was refused. `reasons` are `{rule, message}`; for a malformed entry, `rule` is the engine's error code."""

    def __init__(self, reasons: list[dict[str, Any]]) -> None:
        super().__init__("refused")
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


def counters(game: str) -> list[str]:
    """The names of the counters that each seat of a game has."""
    return list(load_game(game).layout.counters)


def pad_of(game: str, seats: Sequence[str]) -> tuple[str, list[str]]:
    """The verb of a score pad's entries, and the facts that can be claimed with it.

    The facts are the counters of each seat, such as "A.pv", or the shared counters if the game has no others.
    """
    loaded = load_game(game)
    own = [f"{seat}.{name}" for name in loaded.layout.counters for seat in seats]
    return loaded.pad[0], own or [f"{COMMON}.{name}" for name in loaded.layout.shared]


def is_pad(document: str) -> bool:
    """Whether a log is a score pad: claims at the end of each turn and perhaps how the game ended, but no moves."""
    log = logs.parse(document)
    return log.header.start is None and partial.is_pad(load_game(log.header.game), log.entries)


def rulesets(game: str) -> list[str]:
    """The ids of the rulesets that a game can be replayed by, the newest last."""
    return list(load_game(game).rulesets)
