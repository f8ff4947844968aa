"""A replayed game kept in pages, so that the board after any move is one row away, whatever the length of the log.

The audit's job writes the pages, every web process reads them: docs/decisions/0007-boards-are-kept-in-pages.md.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any, TypedDict

from tournaments.audits import engine_gate
from tournaments.audits.engine_gate import Moment
from tournaments.audits.models import Audit, ReplayPage
from tournaments.common.jobs import Progress, unseen
from tournaments.decks.engine_gate import own_catalogs

PAGE = 32  # entries: one page is read and unpacked for one board
MARKED = 200  # entries of a log that an outline names
REPLAYED = 70  # percent of an audit's work that its boards are


class Outline(TypedDict):
    """What pages need of a log at once.

    `players` are the public ids that the header names, by seat; `options` every interpretation with the option in
    force; `recorded` how many entries the log has, `last` how many were replayed, the refused one included;
    `refused` says that the last of these was refused; `marked` are the entries that were not simply in order, the
    first `MARKED` of them.
    """

    players: dict[str, str | None]
    options: dict[str, str]
    recorded: int
    last: int
    refused: bool
    marked: list[int]


@dataclass(frozen=True)
class Position:
    """The board after entry `n` as a judge sees it, the one `before` (None at the start), and the moves around it.

    At the refused entry the board is the one before it: the move never happened.
    """

    n: int
    board: dict[str, Any]
    before: dict[str, Any] | None
    moves: list[dict[str, Any]]

    @property
    def move(self) -> dict[str, Any] | None:
        """The move that led here; None at the start."""
        return next((move for move in self.moves if move["n"] == self.n), None)


def of_log(audit: Audit, progress: Progress = unseen) -> tuple[list[ReplayPage], Outline]:
    """Replay the log of an audit: its pages, not yet saved, and its outline."""
    catalogs = own_catalogs(audit.log.game.match.round.stage.event)
    replay = engine_gate.Replayed(audit.log.document, catalogs)
    moments = replay.moments()
    pages: list[ReplayPage] = []
    while listed := list(islice(moments, PAGE)):
        pages.append(_page(audit, len(pages), listed))
        progress(REPLAYED * len(pages) * PAGE // (replay.recorded + PAGE))
    outline = Outline(
        players=replay.players,
        options=replay.options,
        recorded=replay.recorded,
        last=replay.last,
        refused=replay.refused,
        marked=[move["n"] for page in pages for move in page.moves if move["outcome"] != "ok"][:MARKED],
    )
    return pages, outline


def position(audit: Audit, n: int, around: int = 0) -> Position | None:
    """The board after entry `n` with the moves up to `around` before and after it; None where none was reached.

    Two queries, whatever `n` and the length of the log; a third where `n` begins a page.
    """
    boards = _boards(audit, n // PAGE)
    if n % PAGE >= len(boards):
        return None
    before = boards[n % PAGE - 1] if n % PAGE else _boards(audit, n // PAGE - 1)[-1] if n else None
    near = audit.pages.filter(number__range=(max(0, n - around) // PAGE, (n + around) // PAGE))
    moves = [move for moves in near.order_by("number").values_list("moves", flat=True) for move in moves]
    return Position(n, boards[n % PAGE], before, [move for move in moves if abs(move["n"] - n) <= around])


def all_moves(audit: Audit) -> list[dict[str, Any]]:
    """Every move of a replay, the refused one included."""
    pages = audit.pages.order_by("number").values_list("moves", flat=True)
    return [move for moves in pages for move in moves]


def first_difference(audit: Audit, catalogs: engine_gate.Catalogs, options: Mapping[str, str]) -> int | None:
    """The first entry at which a log goes another way than its kept replay, with these interpretations switched.

    0 is the set-up; None where every board and every outcome is the same.
    """
    again = engine_gate.Replayed(audit.log.document, catalogs, options).moments()
    for n, (old, new) in enumerate(zip_longest(_kept(audit), again)):
        if old is None or new is None or old != (_outcome(new.move), json.loads(json.dumps(new.board))):
            return n
    return None


def _kept(audit: Audit) -> Iterator[tuple[str, dict[str, Any]]]:
    """The outcome of each entry of a kept replay, with the board after it."""
    for page in audit.pages.order_by("number").iterator(chunk_size=1):
        outcomes = {move["n"]: _outcome(move) for move in page.moves}
        for place, board in enumerate(json.loads(zlib.decompress(page.boards))):
            yield outcomes.get(page.number * PAGE + place, ""), board


def _outcome(move: Mapping[str, Any] | None) -> str:
    return str(move["outcome"]) if move else ""


def _page(audit: Audit, number: int, moments: Sequence[Moment]) -> ReplayPage:
    moves = [moment.move for moment in moments if moment.move is not None]
    boards = json.dumps([moment.board for moment in moments], ensure_ascii=False, separators=(",", ":"))
    return ReplayPage(audit=audit, number=number, moves=moves, boards=zlib.compress(boards.encode()))


def _boards(audit: Audit, number: int) -> list[dict[str, Any]]:
    """The boards of a page, none where there is no such page."""
    packed = audit.pages.filter(number=number).values_list("boards", flat=True).first()
    boards: list[dict[str, Any]] = json.loads(zlib.decompress(packed)) if packed else []
    return boards
