"""The boards of an audited game, stored in pages of `PAGE` entries, so that any board is one row away.

A page is computed when somebody first opens one of its moves: see docs/decisions/0007-boards-are-kept-in-pages.md.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any, TypedDict

from django.db import IntegrityError, OperationalError, transaction

from engine import face
from engine.face.live import Moment
from tournaments.audits.models import Audit, ReplayPage
from tournaments.common.outages import is_lost
from tournaments.decks.engine_gate import own_catalogs

PAGE = 32  # entries; showing one board reads and decompresses one page
MARKED = 200  # at most this many entries of each kind are listed in an outline


class Outline(TypedDict):
    """A summary of a replayed log, for pages that need it without any board.

    `players`: the public id of each seat's player, from the header.
    `options`: every interpretation with the option in force.
    `recorded`: how many entries the log has.
    `last`: how many entries were replayed, including a refused one.
    `refused`: whether the last replayed entry was refused.
    `landmarks`: the numbers of the entries that one wants to jump to, the first `MARKED` of each kind
    (`face.live.Replayed.landmarks`).
    """

    players: dict[str, str | None]
    options: dict[str, str]
    recorded: int
    last: int
    refused: bool
    landmarks: dict[str, list[int]]


@dataclass(frozen=True)
class Position:
    """The board after entry `n` as a judge sees it, the board `before` it (None at the start), and the moves around it.

    For a refused entry, `board` is the one before it: a refused move changes nothing.
    """

    n: int
    board: dict[str, Any]
    before: dict[str, Any] | None
    moves: list[dict[str, Any]]

    @property
    def move(self) -> dict[str, Any] | None:
        """Entry `n` itself; None at the start."""
        return next((move for move in self.moves if move["n"] == self.n), None)


def outline_of(audit: Audit) -> Outline:
    """The outline of an audited log: replayed (without boards) on the first call, then stored with the audit."""
    if "landmarks" not in audit.outline:
        found = _outlined(audit)
        with _unless_lost():
            Audit.objects.filter(pk=audit.pk).update(outline=found)
        audit.outline = found
    known: Outline = audit.outline
    return known


def _outlined(audit: Audit) -> Outline:
    replay = face.live.Replayed(audit.log.document, own_catalogs(audit.log.game.match.round.stage.event))
    landmarks = {kind: found[:MARKED] for kind, found in replay.landmarks().items()}
    return Outline(
        players=replay.players,
        options=replay.options,
        recorded=replay.recorded,
        last=replay.last,
        refused=replay.refused,
        landmarks=landmarks,
    )


def marked(landmarks: Mapping[str, Sequence[int]]) -> list[int]:
    """The entries at which something was found: the refused one, and those whose outcome is not "ok"."""
    return sorted((*landmarks.get("illegal", ()), *landmarks.get("doubts", ())))


def position(audit: Audit, n: int, around: int = 0) -> Position | None:
    """The board after entry `n`, with the moves up to `around` entries before and after it.

    None if the replay did not reach `n`, or if the log is not audited yet. Once the pages around `n` are stored this
    takes one query, whatever `n` and the length of the log.
    """
    last = outline_of(audit)["last"] if audit.verdict else -1
    if not 0 <= n <= last:
        return None
    first = max(0, min(n - around, n - 1))  # at least one entry back, for the board before
    pages = _pages(audit, first // PAGE, min(n + around, last) // PAGE)
    if not pages:
        return None
    boards = _boards(pages[n // PAGE])
    before = boards[n % PAGE - 1] if n % PAGE else _boards(pages[n // PAGE - 1])[-1] if n else None
    moves = [move for number in sorted(pages) for move in pages[number].moves]
    return Position(n, boards[n % PAGE], before, [move for move in moves if abs(move["n"] - n) <= around])


def positions(audit: Audit, around: int = 0) -> Iterator[Position]:
    """Yield every position of a replay, from the start to the last entry, as `position` returns them.

    Nothing if the log is not audited yet. Takes two queries, however long the game is.
    """
    last = outline_of(audit)["last"] if audit.verdict else -1
    pages = _pages(audit, 0, last // PAGE) if last >= 0 else {}
    moves = [move for number in sorted(pages) for move in pages[number].moves]
    before, n = None, 0
    for number in sorted(pages):
        for board in _boards(pages[number]):
            yield Position(n, board, before, moves[max(0, n - around - 1) : n + around])
            before, n = board, n + 1


def all_moves(audit: Audit, until: int) -> list[dict[str, Any]]:
    """The moves of a replay up to entry `until`, including a refused one."""
    pages = _pages(audit, 0, min(until, outline_of(audit)["last"]) // PAGE)
    return [move for number in sorted(pages) for move in pages[number].moves if move["n"] <= until]


def first_difference(audit: Audit, catalogs: face.boards.Catalogs, options: Mapping[str, str]) -> int | None:
    """The first entry at which a log replays differently under other interpretations than it was audited with.

    `options` maps interpretation ids to options. Returns 0 for the set-up, None if all boards and outcomes are equal.
    """
    again = face.live.Replayed(audit.log.document, catalogs, options).moments()
    for n, (old, new) in enumerate(zip_longest(_as_audited(audit), again)):
        # The stored board has been through JSON, which turns tuples into lists: so must the new one.
        if old is None or new is None or old != (_outcome(new.move), json.loads(json.dumps(new.board))):
            return n
    return None


def _as_audited(audit: Audit) -> Iterator[tuple[str, dict[str, Any]]]:
    """The outcome of each entry of a log and the board after it, from its stored pages or computed now."""
    for number in range(outline_of(audit)["last"] // PAGE + 1):
        page = _pages(audit, number, number).get(number)
        if page is None:
            return
        outcomes = {move["n"]: _outcome(move) for move in page.moves}
        for place, board in enumerate(_boards(page)):
            yield outcomes.get(number * PAGE + place, ""), board


def _as_kept(value: Any) -> Any:
    """A JSON value with its keys in the order of PostgreSQL's jsonb: by length, then bytewise.

    So a page that was just computed reads the same as one from the database.
    """
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
        return {key: _as_kept(value[key]) for key in keys}
    return [_as_kept(item) for item in value] if isinstance(value, (list, tuple)) else value


def _outcome(move: Mapping[str, Any] | None) -> str:
    return str(move["outcome"]) if move else ""


def _pages(audit: Audit, first: int, last: int) -> dict[int, ReplayPage]:
    """The pages `first` to `last`, by number; missing ones are computed and stored.

    Empty if the game cannot be set up from the log's header.
    """
    pages = {page.number: page for page in audit.pages.filter(number__range=(first, last))}
    missing = [number for number in range(first, last + 1) if number not in pages]
    if missing:
        drawn = _drawn(audit, missing[0], missing[-1])
        _keep([page for page in drawn if page.number in missing])
        pages = {page.number: page for page in drawn} | pages
    return pages


def _drawn(audit: Audit, first: int, last: int) -> list[ReplayPage]:
    """Compute the pages `first` to `last` from the log."""
    catalogs = own_catalogs(audit.log.game.match.round.stage.event)
    moments = face.live.Replayed(audit.log.document, catalogs).moments(first * PAGE)
    drawn = ((number, list(islice(moments, PAGE))) for number in range(first, last + 1))
    return [_page(audit, number, listed) for number, listed in drawn if listed]


def _keep(pages: list[ReplayPage]) -> None:
    with _unless_lost():
        # Two readers may compute the same page at once; both computed the same, so the second is ignored.
        ReplayPage.objects.bulk_create(pages, batch_size=100, ignore_conflicts=True)


@contextmanager
def _unless_lost() -> Iterator[None]:
    """Try to store computed data, ignoring a full or busy database: the reader still gets what was computed.

    Ignores a log that was withdrawn meanwhile too. A lost connection is raised all the same.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        return
    except OperationalError as error:
        if is_lost(error):
            raise


def _page(audit: Audit, number: int, moments: Sequence[Moment]) -> ReplayPage:
    moves = [_as_kept(moment.move) for moment in moments if moment.move is not None]
    boards = json.dumps([moment.board for moment in moments], ensure_ascii=False, separators=(",", ":"))
    return ReplayPage(audit=audit, number=number, moves=moves, boards=zlib.compress(boards.encode()))


def _boards(page: ReplayPage) -> list[dict[str, Any]]:
    boards: list[dict[str, Any]] = json.loads(zlib.decompress(page.boards))
    return boards
