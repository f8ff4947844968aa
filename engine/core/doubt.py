"""Doubt by default: the cards the engine cannot read, and when each of them could have acted.

A card cannot be read where its text is unknown or unsaid, or where it bears a keyword that the engine does not enforce
(`Card.executable`). Nobody can say what such a card did, so a game in which one of them could have acted is never
confirmed, and no move is held against anybody because of it, until a judge rules on the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.core.overrides import VOUCHED, note_of
from engine.core.places import at
from engine.core.words import texts

if TYPE_CHECKING:
    from engine.core.events import Event
    from engine.core.log import Entry
    from engine.core.replay import Step
    from engine.core.state import State

# Entries that no card's text has a say in: rulings, notes about the log, endings agreed on or ordered.
OUTSIDE = (
    "ruling", "manual", "checkpoint", "concede", "draw_agreed", "time", "game_loss",
)  # fmt: skip
JUMPS = ("gap", "back_to")  # entries that put another state in the place of this one

# Errors of an entry that a card nobody can read may explain: chance and answers that its text asks for.
EXPLAINED = ("unknown_chance", "missing_chance", "unanswered", "no_window", "not_in_hand", "empty_zone")

Owned = tuple[str, str]  # the owner and the ref of a card


@dataclass(frozen=True, slots=True)
class Doubts:
    """What is in doubt after an entry: the cards nobody ruled on since they could act, and those that still stand.

    `open` holds the refs in doubt, `standing` the cards that stand where they may act, by owner and ref.
    """

    open: Mapping[str, None] = field(default_factory=dict)
    standing: Mapping[Owned, None] = field(default_factory=dict)

    def touched(self, state: State, step: Step) -> bool:
        """Whether an entry may change what is in doubt: most do not, and are not looked at any closer."""
        if self.standing or step.violations or step.error or step.entry.do in JUMPS:
            return True
        return _brought(state, step.events)

    def after(self, state: State, step: Step) -> tuple[Doubts, tuple[str, ...]]:
        """The doubts once an entry was judged, and the refs that it puts in doubt.

        A card is put in doubt again where it may act after a ruling; a card that a judge vouched for never is.
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
        if refused:
            acting.update(_named(state, step))
        vouched = state.memory.get(VOUCHED, ()) if acting else ()
        raised = dict.fromkeys(
            ref for owner, ref in acting if ref not in self.open and note_of(owner, ref) not in vouched
        )
        return Doubts({**self.open, **raised}, now), tuple(raised)


def _brought(state: State, events: Sequence[Event]) -> bool:
    """Whether an entry named, moved or made a card that nobody can read."""
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
    """The refs of the cards that a ruling is about: the one it names, and those it vouches for."""
    vouched = (str(value[1]) for kind, value in ruling.events if kind == "vouch")
    return (*(() if ruling.ref is None else (ruling.ref,)), *vouched)


def standing(state: State) -> dict[Owned, None]:
    """The cards nobody can read that stand where they may act, by owner and ref, in the order of the zones."""
    unread, refs, owners = state.terms.cards.unread, state.refs, state.owners
    found: dict[Owned, None] = {}
    for path in state.terms.layout.shape(state.terms.seats).acting:
        for obj in state.zones[path]:
            ref = refs[obj]
            if ref in unread:
                found[owners[obj], str(ref)] = None
    return found


def _moved(state: State, events: Sequence[Event]) -> Iterator[tuple[Owned, None]]:
    """The cards nobody can read that an entry moved for everybody to see: played, discarded, destroyed, returned."""
    unread, public = state.terms.cards.unread, state.terms.layout.shape(state.terms.seats).public
    for event in events:
        if event[0] == "move" and event[2] in public and state.refs[event[1]] in unread:
            yield (state.owners[event[1]], str(state.refs[event[1]])), None


def _named(state: State, step: Step) -> Iterator[tuple[Owned, None]]:
    """The cards nobody can read that a refused entry, its chance or a reason against it names."""
    unread, by = state.terms.cards.unread, step.entry.by
    entry, args = step.entry, [reason.args for reason in step.violations]
    said = texts([entry.args, entry.chance, args])
    for text in said:
        if text in unread:
            yield (by, text), None
            continue
        obj = at(state, text)
        if obj is not None and state.refs[obj] in unread:
            yield (state.owners[obj], str(state.refs[obj])), None
