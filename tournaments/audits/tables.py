"""The rules in a browser: what a page needs to record a game without a network, or to try moves on a board.

The rules answer on the device at once. The server checks each recorded entry again as it comes in
(`recording.record_move`), and only then is it part of the recording.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine import face
from tournaments.accounts.models import User
from tournaments.audits import recording
from tournaments.audits.access import Recorder
from tournaments.audits.models import MoveLog
from tournaments.audits.replays import outline_of
from tournaments.common.refusals import Refusal
from tournaments.decks.engine_gate import own_catalog_documents, own_catalogs
from tournaments.decks.images import shown_images
from tournaments.events.models import Event

MOST_AT_ONCE = 200  # entries of one request


def may_have_table(recorder: Recorder) -> bool:
    """Whether this account's browser may know the whole game: it enters the moves of every seat.

    The rules need the registered lists of all players, which an opponent must not see.
    """
    return recorder.seat is None or set(recorder.recording.header["seats"]) <= set(recorder.actors)


def table_of(recorder: Recorder, *, by: User, language: str) -> dict[str, Any]:
    """Everything that `boards.table.Table` needs to play a recording on, and which entries this account made.

    `keys` are the keys of the account's own entries, None for those of others. A player's browser is not told which
    cards others drew. The account must pass `may_have_table`.
    """
    found = recorder.recording
    event = found.game.match.round.stage.event
    rows = list(found.entries.order_by("n").values_list("n", "entry", "key", "by_id"))
    entries: Sequence[Mapping[str, Any]] = [entry for _n, entry, _key, _by in rows]
    own = [n for n, _entry, _key, by_id in rows if by_id == by.pk]
    if recorder.seat is not None:
        entries = face.live.concealed(found.header, entries, own, own_catalogs(event))
    names = (seat.entrant.name for seat in found.game.match.seats.order_by("number"))
    players = dict(zip(found.header["seats"], names, strict=False))
    return {
        **table_to_try(found.header, event, players, language, entries),
        "recording": found.public_id,
        "closed": found.closed_at is not None,
        "undo_asked": found.undo_asked_by_id is not None,
        "keys": [key if by_id == by.pk else None for _n, _entry, key, by_id in rows],
        "seat": recorder.seat,
        "actors": recorder.actors,
    }


def table_after(log: MoveLog, n: int, *, players: Mapping[str, str], language: str) -> dict[str, Any] | None:
    """Everything that `boards.table.Table` needs to try moves after entry `n` of a log, or before it if it was refused.

    None beyond the last entry that was replayed, and before the audit. `players` are names by seat. Only for judges: it
    has the lists and hands of all players.
    """
    if not log.audit.verdict:
        return None
    outline = outline_of(log.audit)
    if n > outline["last"]:
        return None
    header = json.loads(log.document)
    entries = header.pop("moves")[: n - 1 if outline["refused"] and n == outline["last"] else n]
    header.pop("claimed", None)
    return table_to_try(header, log.game.match.round.stage.event, players, language, entries)


def table_to_try(
    header: Mapping[str, Any],
    event: Event,
    players: Mapping[str, str],
    language: str,
    entries: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Everything that `boards.table.Table` needs to try moves under the header of a log or of a declared position."""
    return {
        "header": header,
        "n": len(entries),
        "entries": entries,
        "catalogs": own_catalog_documents(event),
        "images": shown_images(event),
        "players": players,
        "seat": None,
        "actors": [*header["seats"], "table"],
        "language": language,
    }


@dataclass(frozen=True)
class Taken:
    """What became of entries that were sent: the keys of those that are recorded now, and the newest number.

    `refused` is the first one that was not taken, as `{key, code, message, details}`; those after it were not tried.
    """

    n: int
    keys: Sequence[str]
    refused: Mapping[str, Any] | None = None


def take_all(
    *, recorder: Recorder, by: User, sent: Sequence[Mapping[str, Any]], after: int, now: datetime, language: str
) -> Taken:
    """Enter moves that a browser made while it had no network, as `{key, entry}`, in order, from number `after` + 1.

    Each is entered on its own (see `recording.record_move`), up to the first that is refused. An entry that was taken
    before counts as taken; if somebody else has entered a move since, the next one is refused as `sequence_moved`.
    """
    keys: list[str] = []
    for item in sent[:MOST_AT_ONCE]:
        key = str(item["key"])
        try:
            kept = recording.record_move(
                recorder=recorder, by=by, entry=item["entry"], n=after + 1, key=key, now=now, language=language
            )
        except Refusal as refused:
            told = {"key": key, "code": refused.code, "message": refused.message, "details": refused.details}
            return Taken(after, keys, told)
        keys.append(key)
        after = max(after, kept.n)
    return Taken(after, keys)
