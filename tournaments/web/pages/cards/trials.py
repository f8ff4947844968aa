"""Try a card that is being written on a small board: its moves, the state after each, and the choices it asks for.

Nothing is stored: the form holds the moves that were made, and they are replayed with the card as it is written now.
"""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.face.live import MoveRefused, Trial
from tournaments.web.pages.audits.boards import board_html, named
from tournaments.web.words.boards import actor_words, language, move_words, moves_words

MOST_MOVES = 60  # of one trial
MOST_BYTES = 40_000  # of the moves in the form
SHOWN = 80  # legal moves on the page
ACTORS = ("A", "B", "table", "judge")
SEED = re.compile(r"^[0-9a-f]{8}$")


@dataclass
class Tried:
    """The moves made on the board of a trial. `running` says whether there is one; dice come from the `seed`."""

    running: bool = False
    seed: str = ""
    moves: list[dict[str, Any]] = field(default_factory=list)

    @property
    def as_text(self) -> str:
        """What the form holds."""
        return json.dumps({"seed": self.seed, "moves": self.moves}, ensure_ascii=False) if self.running else ""


def sent_trial(text: str) -> Tried:
    """The trial in a form that was sent. What cannot be read is no trial."""
    try:
        found = json.loads(text[:MOST_BYTES]) if text else None
    except ValueError:
        return Tried()
    if not isinstance(found, dict) or not isinstance(found.get("moves"), list):
        return Tried()
    moves = [move for move in found["moves"] if isinstance(move, dict)][:MOST_MOVES]
    seed = str(found.get("seed", ""))
    return Tried(True, seed if SEED.match(seed) else "0" * 8, moves)


def try_out(
    tried: Tried, command: str, game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]]
) -> None:
    """Carry out a command: `try` sets the board up, `play|number` makes a move, `back` undoes one, `stop` ends it."""
    verb, _bar, number = command.partition("|")
    if verb == "try":
        tried.running, tried.seed, tried.moves = True, secrets.token_hex(4), []
    elif verb == "stop":
        tried.running, tried.moves = False, []
    elif verb == "back":
        tried.moves = tried.moves[:-1]
    elif verb == "play" and tried.running and number.isdecimal():
        _play(tried, int(number), Trial(game, card, tokens))


def _play(tried: Tried, number: int, trial: Trial) -> None:
    try:
        live, legal = trial.opened(tried.moves, language())
    except ValueError:
        return
    tried.moves = tried.moves[:legal]
    moves = live.legal_moves(ACTORS).moves
    if number >= len(moves) or len(tried.moves) >= MOST_MOVES:
        return
    move = {key: moves[number][key] for key in ("by", "do", "args")}
    chance = live.rolled(move, f"{tried.seed}/{len(tried.moves)}")
    entry = {**move, **({"chance": chance} if chance else {})}
    try:
        live.accept(entry, "en")
    except MoveRefused:
        return
    tried.moves.append(entry)


def trial_words(
    tried: Tried, game: str, card: Mapping[str, Any], tokens: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """What the page shows of a trial: the board, the moves made and those that are legal; None without a trial.

    `fault` says why there is no board. Moves that name the card come first.
    """
    if not tried.running:
        return None
    trial = Trial(game, card, tokens)
    try:
        live, legal = trial.opened(tried.moves, language())
    except ValueError as error:
        return {"fault": str(error)}
    lost, tried.moves = len(tried.moves) - legal, tried.moves[:legal]
    names, whole = trial.names, live.board()
    before = trial.opened(tried.moves[:-1], language())[0].board() if tried.moves else None
    made = [{**move, "at": live.cards_before(n, move)} for n, move in enumerate(tried.moves, 1)]
    listed = [] if live.result else list(enumerate(live.legal_moves(ACTORS).moves))
    listed.sort(key=lambda each: not _names(each[1], str(card["ref"])))
    offered = moves_words(game, [move for _, move in listed[:SHOWN]], names)
    return {
        "board": board_html(whole, {}, before, faces=named(names)),
        "made": [{"by": actor_words(move["by"]), "words": move_words(game, move, names)} for move in made],
        "moves": [
            {
                "number": number,
                "by": actor_words(move["by"]),
                "words": words,
            }
            for (number, move), words in zip(listed, offered, strict=False)
        ],
        "more": max(0, len(listed) - SHOWN),
        "lost": lost,
        "over": live.result is not None,
    }


def _names(move: Mapping[str, Any], ref: str) -> bool:
    """Whether a move names a card, by itself or by its place."""
    return ref in json.dumps([move["args"], move["at"]], ensure_ascii=False)
