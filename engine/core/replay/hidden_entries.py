"""The entries of a game as somebody at the table may see them: what others drew or chose in secret is left unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.replay.replay import CatalogSource, Replay
from engine.core.replay.selfplay import written
from engine.core.table.log import canonical, parse


def concealed(
    header: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    *,
    own: Sequence[int] = (),
    catalogs: Sequence[CatalogSource] = (),
) -> list[dict[str, Any]]:
    """Return the entries of a game without their hashes; those numbered `own` stay whole.

    Of the others, cards that were drawn, looked at or put away face down become "?", whoever's they are. The entries
    must be legal ones, such as those of a recording.
    """
    replay = Replay(parse(canonical({**header, "moves": list(entries)})), catalogs=catalogs, keep=False)
    verbs, found = replay.game.verbs(), []
    for entry in replay.log.entries:
        plain = {key: value for key, value in entry.raw.items() if key != "h"}
        verb = verbs.get(entry.do)
        if entry.n not in own and verb is not None:
            move = verb.parse(replay.state, entry)
            hidden = verb.conceal(move)
            if hidden != move:
                plain = {**written(hidden, entry.n), **{key: plain[key] for key in ("claims", "resp") if key in plain}}
        found.append(plain)
        replay.step()
    return found
