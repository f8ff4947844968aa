"""Doubt by default: the cards that the engine cannot read, and when each of them could have acted.

The engine cannot read a card whose text is unknown or not expressed as abilities, or which has a keyword that the
engine does not enforce (see `Card.executable`). What such a card did at the table is unknown. So until a judge rules on
it, a game in which it could have acted is never confirmed, and no move that it could explain is held against a player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.shown.words import texts
from engine.core.table.events import Event
from engine.core.table.log import JUMPS, Entry
from engine.core.table.overrides import VOUCHED, note_of
from engine.core.table.places import at
from engine.core.table.state import State
from engine.core.table.step import Step

# Entries that no card text can affect: rulings, notes about the log, and games ended by agreement or order.
OUTSIDE = (
    "ruling", "manual", "checkpoint", "concede", "draw_agreed", "time", "game_loss",
)  # fmt: skip

# Errors that an unreadable card may explain: its text could have asked for the chance or the answer in question.
EXPLAINED = ("unknown_chance", "missing_chance", "unanswered", "no_window", "not_in_hand", "empty_zone")

Owned = tuple[str, str]  # the owner and the ref of a card


@dataclass(frozen=True, slots=True)
class Doubts:
    """The unreadable cards after an entry.

    `open` holds the refs in doubt: cards that could have acted since a judge last ruled on them. `standing` holds the
    cards that are now in a zone where they may act, by owner and ref. Both are used as ordered sets.
    """

    open: Mapping[str, None] = field(default_factory=dict)
    standing: Mapping[Owned, None] = field(default_factory=dict)

    def touched(self, state: State, step: Step) -> bool:
        """Whether an entry may change the doubts. Most do not, and this test is cheap."""
        if self.standing or step.violations or step.error or step.entry.do in JUMPS:
            return True
        return _brought(state, step.events)

    def after(self, state: State, step: Step) -> tuple[Doubts, tuple[str, ...]]:
        """Return the doubts after an entry, and the refs that this entry puts in doubt.

        A card that a judge ruled on is in doubt again once it may act again; a card that a judge vouched for never is.
        """
        do, refused = step.entry.do, bool(step.violations or step.error)
        if do in JUMPS and not refused:
            return Doubts({}, standing(state)), ()
        if do == "ruling" and not refused:
            done = settled(step.entry)
            return Doubts({ref: None for ref in self.open if ref not in done}, standing(state)), ()
        if do in OUTSIDE:
            return self, ()
        now = standing(state)
        acting = {**self.standing, **now, **dict(_moved(state, step.events))}
        if refused:  # the move may be legal because of the text of a card that it names
            acting.update(_named(state, step))
        vouched = state.memory.get(VOUCHED, ()) if acting else ()
        raised = dict.fromkeys(
            ref for owner, ref in acting if ref not in self.open and note_of(owner, ref) not in vouched
        )
        return Doubts({**self.open, **raised}, now), tuple(raised)


def _brought(state: State, events: Sequence[Event]) -> bool:
    """Whether an entry identified, moved or created an unreadable card."""
    unread, refs = state.terms.cards.unread, state.refs
    for event in events:
        kind = event[0]
        if kind == "move" or kind == "name":
            if refs[event[1]] in unread:
                return True
        elif kind == "create" and event[3] in unread:
            return True
    return False


def settled(ruling: Entry) -> tuple[str, ...]:
    """Return the refs of the cards that a ruling settles: the one it names, and those it vouches for."""
    vouched = (str(value[1]) for kind, value in ruling.events if kind == "vouch")
    return (*(() if ruling.ref is None else (ruling.ref,)), *vouched)


def standing(state: State) -> dict[Owned, None]:
    """Return the unreadable cards in zones where cards may act, by owner and ref, in zone order."""
    unread, refs, owners = state.terms.cards.unread, state.refs, state.owners
    found: dict[Owned, None] = {}
    for path in state.terms.layout.shape(state.terms.seats).acting:
        for obj in state.zones[path]:
            ref = refs[obj]
            if ref in unread:
                found[owners[obj], str(ref)] = None
    return found


def _moved(state: State, events: Sequence[Event]) -> Iterator[tuple[Owned, None]]:
    """Yield the unreadable cards that an entry moved to a public zone: played, discarded, destroyed or returned."""
    unread, public = state.terms.cards.unread, state.terms.layout.shape(state.terms.seats).public
    for event in events:
        if event[0] == "move" and event[2] in public and state.refs[event[1]] in unread:
            yield (state.owners[event[1]], str(state.refs[event[1]])), None


def _named(state: State, step: Step) -> Iterator[tuple[Owned, None]]:
    """Yield the unreadable cards named by a refused entry, by its recorded chance or by a violation."""
    unread, by = state.terms.cards.unread, step.entry.by
    entry, args = step.entry, [reason.args for reason in step.violations]
    named = texts([entry.args, entry.chance, args])
    for text in named:
        if text in unread:
            yield (by, text), None
            continue
        obj = at(state, text)
        if obj is not None and state.refs[obj] in unread:
            yield (state.owners[obj], str(state.refs[obj])), None
