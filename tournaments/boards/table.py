"""The table of a recorder: a game that is entered move by move, drawn and answered by the rules without a network.

It runs in a browser (`rules-worker.js`), and everything goes in and out as JSON. What it says is what the engine says;
only the server decides what is recorded.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import engine
from engine.face.audits import EngineError, error_message
from engine.face.boards import actor_words, item_words, move_cards, move_sentence, move_sentences
from engine.face.lists import load_catalog
from tournaments.boards.drawing import arrows_of, draw
from tournaments.boards.faces import faces_of
from tournaments.boards.reading import read_board
from tournaments.boards.taps import taps_of

LAST_MOVES = 40  # listed beside the board
ENDINGS = ("concede", "draw_agreed", "time")  # what is always allowed, by whom it concerns


class Table:
    """A game in progress, as one account sees and enters it.

    `document` is JSON: `header`, `entries`, `catalogs` (those of the event), `players` (names by seat), `seat` (the
    account's own, or null), `actors` (whom it may enter moves for), `images` (addresses by ref, those that are shown;
    optional) and `language`. Raises EngineError for a header that cannot be read or an entry that the rules refuse.
    """

    def __init__(self, document: str) -> None:
        given = json.loads(document)
        self.players: Mapping[str, str] = given["players"]
        self.seat: str | None = given["seat"]
        self.actors: Sequence[str] = given["actors"]
        self.language: str = given["language"]
        self.images: Mapping[str, str] = given.get("images", {})  # a document kept on a device may have none
        own = [load_catalog(catalog) for catalog in given["catalogs"]]
        header = given["header"]
        self.game = engine.open_game({**header, "moves": []}, catalogs=own)
        self.cards = self.game.catalog
        self.kinds = {ref: card.kind for ref, card in self.cards.cards.items()}
        self.before: dict[str, Any] | None = None
        self.told: list[dict[str, Any]] = []
        for entry in given["entries"]:
            self._accept(entry)

    def view(self) -> str:
        """Return what there is to show: `{n, board, moves, more, endings, last, over, picks}`.

        `board` is HTML. Each of `moves` has `entry`, `words`, `by` (the name of who makes it) and its taps (`needed`,
        `paying`). `last` are the newest entries in words, newest first. `picks` are the names of the cards that a tap
        on a hand can mean, by ref.
        """
        board = self.game.board()
        over = self.game.result is not None
        moves, more = ([], False) if over else self._moves(board)
        refs = {tap.partition("/")[2] for move in moves for tap in move["needed"] if tap.startswith("#")}
        last = self.told[-1] if self.told else None
        arrows = arrows_of(last, self.before) if last and self.before else ()
        read = read_board(
            board,
            self.players,
            self.before,
            language=self.language,
            faces=faces_of(self.cards.cards, self.language, self.images),
            near=self.seat,
        )
        return json.dumps({
            "n": len(self.game),
            "board": draw(read, self.language, arrows=arrows),
            "moves": moves,
            "more": more,
            "endings": [] if over else self._endings(),
            "last": [self._line(n) for n in range(len(self.told), max(0, len(self.told) - LAST_MOVES), -1)],
            "over": over,
            "picks": {ref: self.name(ref) for ref in refs if ref in self.kinds},
        })

    def complete(self, move: str, answers: str) -> str:
        """Return the next question about the chance of a move as `{question}`, or `{entry}` once it has all of it.

        `answers` are the answers so far. The options of a question are `{value, words}` each.
        """
        try:
            question, entry = self.game.complete(json.loads(move), json.loads(answers))
        except (EngineError, KeyError) as error:
            return json.dumps({"refused": [self._fault(error)]})
        if question is None:
            return json.dumps({"entry": entry})
        asked = question.as_json()
        asked["options"] = [{"value": value, "words": self._option(value)} for value in question.options]
        return json.dumps({"question": asked})

    def accept(self, entry: str) -> str:
        """Make a move, and return `{n}`, or why the rules refuse it as `{refused}`, a list of sentences."""
        try:
            self._accept(json.loads(entry))
        except engine.Refusal as refused:
            return json.dumps({"refused": refused.messages(self.language) or [self._fault(refused)]})
        except EngineError as error:
            return json.dumps({"refused": [self._fault(error)]})
        return json.dumps({"n": len(self.game)})

    def undo(self) -> str:
        """Take the last entry out again."""
        self.game.undo()
        self.told.pop()
        self.before = None
        return json.dumps({"n": len(self.game)})

    def name(self, ref: str) -> str:
        """Return the name of a card."""
        card = self.cards.cards.get(ref)
        return ref if card is None else card.name_in(self.language)

    def _accept(self, entry: Mapping[str, Any]) -> None:
        before = self.game.board()
        plain = {key: value for key, value in entry.items() if key not in ("n", "h")}
        self.game.accept(plain)
        self.before = before
        self.told.append({
            "by": entry["by"],
            "do": entry["do"],
            "args": entry.get("args") or {},
            "words": self._said(plain, before),
        })

    def _moves(self, board: Mapping[str, Any]) -> tuple[list[dict[str, Any]], bool]:
        """Return the moves and responses that can be tapped, and whether there are more than are listed."""
        legal, responses = self.game.moves(self.actors), self.game.moves(self.actors, responding=True)
        found = [*legal.moves, *({**move, "resp": True} for move in responses.moves)]
        at = {place: ref for move in found for place, ref in self._at(move, board).items()}
        said = move_sentences(self.cards.game, found, self.language, self.name_or_none, at)
        moves = [self._move(move, words, board) for move, words in zip(found, said, strict=True)]
        return moves, legal.more or responses.more

    def _move(self, move: Mapping[str, Any], said: str, board: Mapping[str, Any]) -> dict[str, Any]:
        taps = taps_of(move, board, self.kinds)
        return {
            "entry": dict(move),
            "by": self._who(move["by"]),
            "words": said,
            "needed": taps.needed,
            "paying": taps.paying,
        }

    def _at(self, move: Mapping[str, Any], board: Mapping[str, Any]) -> dict[str, str]:
        """Return the refs of the known cards at the places that a move names or means."""
        return move_cards({**board, "game": self.cards.game}, move)

    def _endings(self) -> list[dict[str, Any]]:
        made = {"table": "draw_agreed", "judge": "time"}
        entries: list[dict[str, Any]] = [{"by": by, "do": made.get(by, "concede"), "args": {}} for by in self.actors]
        return [{"entry": each, "by": self._who(each["by"]), "words": self._said(each, {})} for each in entries]

    def _line(self, n: int) -> dict[str, Any]:
        move = self.told[n - 1]
        return {"n": n, "by": self._who(move["by"]), "words": move["words"]}

    def _who(self, by: str) -> str:
        return self.players.get(by) or actor_words(by, self.language)

    def _said(self, move: Mapping[str, Any], board: Mapping[str, Any]) -> str:
        """Return a move as a sentence, without who makes it."""
        return move_sentence(self.cards.game, move, self.language, self.name_or_none, self._at(move, board))

    def name_or_none(self, ref: str) -> str | None:
        """Return the name of a card; None if the catalogue has none of that ref."""
        return self.name(ref) if ref in self.kinds else None

    def _option(self, value: Any) -> str:
        if value in self.players:
            return self.players[value]
        return item_words(self.cards.game, value, self.language, self.name_or_none)

    def _fault(self, error: Exception) -> str:
        if isinstance(error, EngineError):
            return error_message(error.code, error.message, self.language)
        return error_message("missing_chance", str(error), self.language)
