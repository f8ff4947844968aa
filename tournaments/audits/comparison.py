"""Compare two logs of one game: where they part, the two moves in words, and how far each can be replayed."""

from dataclasses import dataclass
from typing import Any

from engine import face
from engine.face.audits import Merged
from tournaments.audits import replays
from tournaments.audits.models import MoveLog
from tournaments.audits.services import merge_logs
from tournaments.decks.engine_gate import card_names


@dataclass(frozen=True)
class Side:
    """One of two compared logs at the move where they part.

    - `n`: the number of that entry in this log; None if the log ends before, and if only the headers differ
    - `entry`: the entry, as a replay tells it if one got that far; None without `n`
    - `board_at`: the entry whose board to show, at most the last one that was replayed; None before the audit is done
    """

    log: MoveLog
    n: int | None
    entry: dict[str, Any] | None
    board_at: int | None

    def said(self, language: str) -> str:
        """The move in words with its seat: “A plays Raclos”; "" if the log ends before it."""
        if self.entry is None:
            return ""
        event = self.log.game.match.round.stage.event
        return face.boards.entry_words(event.game, self.entry, language, card_names(event))


@dataclass(frozen=True)
class Comparison:
    """Two logs of one game as one `merged` log, or with their first difference; `sides` are the two logs there."""

    merged: Merged
    sides: tuple[Side, Side]


def compare_logs(*, one: MoveLog, two: MoveLog) -> Comparison:
    """Compare two logs of one game (`services.merge_logs`). Nothing is stored. Raises InvalidInput `not_two_logs`."""
    merged = merge_logs(one=one, two=two)
    return Comparison(merged, (_side(one, merged.n, merged), _side(two, merged.n_two, merged)))


def _side(log: MoveLog, n: int | None, merged: Merged) -> Side:
    entry = face.audits.entry_of(log.document, n)
    if entry is not None:  # what a ruling does can be put into words only once it was replayed
        entry.pop("events", None)
    if not log.audit.verdict or merged.kind in ("", "header"):
        return Side(log, n, entry, None)
    outline = replays.outline_of(log.audit)
    shown = min(n if n is not None else outline["recorded"], outline["last"])
    if shown < 0:  # the game could not be set up
        return Side(log, n, entry, None)
    found = replays.position(log.audit, shown)
    if entry is not None and found is not None and found.move is not None and shown == n:
        entry = {**entry, **found.move}
    return Side(log, n, entry, shown if found is not None else None)
