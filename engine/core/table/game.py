"""The interface of a game: `Game`, its `Verb`s, and the `Move`s they make.

Every game in `engine/games` implements these protocols; `effects.game_base.Base` has the parts that all of them share.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from engine.core.cards.catalog import Catalog
from engine.core.decks.rules import DeckRule, Format
from engine.core.table.chance import Dealer
from engine.core.table.context import Context
from engine.core.table.log import Entry, Header
from engine.core.table.state import Layout, Outcome, State
from engine.core.text.errors import Malformed, Missing, Violation
from engine.core.text.interrupt import each
from engine.core.text.rulebook import Rulebook

_Card = TypeVar("_Card")

MOST_GROUPS = 1024  # groups of cards listed for one move: all groups of ten


class Wanted:
    """The moves that are asked for: of which seats, by which verbs, and how many ways to make one move at most.

    `seats` and `verbs` are None for all of them. A way is a group of cards that attacks, or a payment: their number
    doubles with each card, so each list of them has an end. A way that is not listed can be played all the same, as
    `check` does not look here. `cut` tells, once the moves have been listed, whether ways were left out.
    """

    __slots__ = ("cut", "seats", "verbs", "ways")

    def __init__(
        self, seats: Container[str] | None = None, verbs: Container[str] | None = None, ways: int = MOST_GROUPS
    ) -> None:
        self.seats = seats
        self.verbs = verbs
        self.ways = ways
        self.cut = False

    def seat(self, seat: str | None) -> str | None:
        """Return the seat if its moves are asked for, else None."""
        return seat if self.seats is None or seat in self.seats else None

    def among(self, seats: Iterable[str]) -> Iterator[str]:
        """Yield those of the seats whose moves are asked for."""
        return (seat for seat in seats if self.seats is None or seat in self.seats)

    def verb(self, do: str) -> bool:
        """Return whether moves of this verb are asked for."""
        return self.verbs is None or do in self.verbs

    def first(self, found: Iterator[_Card]) -> Iterator[_Card]:
        """Yield the first ways to make a move."""
        yield from each(islice(found, self.ways))
        self.cut = self.cut or next(found, None) is not None

    def groups(
        self, cards: Sequence[_Card], fewest: int = 1, fits: Callable[[Sequence[_Card]], bool] | None = None
    ) -> Iterator[tuple[_Card, ...]]:
        """Yield the groups of at least so many of the cards, small ones first; after the last way that of all cards.

        With `fits`, only the groups that fit, of the first `MOST_GROUPS`.

        >>> list(Wanted().groups("ab"))
        [('a',), ('b',), ('a', 'b')]
        >>> sum(1 for group in Wanted().groups(range(60)))
        1025
        """
        every = chain.from_iterable(combinations(cards, size) for size in range(fewest, len(cards) + 1))
        listed = 0
        rest = None
        for group in each(islice(every, MOST_GROUPS)):
            if fits is None or fits(group):
                if listed == self.ways:
                    rest = group
                    break
                listed += 1
                yield group
        rest = rest or next(every, None)
        if rest is not None:
            self.cut = self.cut or len(rest) < len(cards)
            if fits is None or fits(tuple(cards)):
                yield tuple(cards)


@dataclass(slots=True)
class Move:
    """A decision, with its arguments in canonical form. `chance` is None while it is open, as in a candidate.

    Treat moves as immutable. Only mypy enforces it, through `Final`: a frozen dataclass is slower to create, and one is
    created at every move.
    """

    by: Final[str]
    do: Final[str]
    args: Final[Mapping[str, Any]]
    chance: Final[tuple[tuple[str, Any], ...] | None] = None


class Verb(Protocol):
    """One kind of log entry, such as "play" or "attack"."""

    def parse(self, state: State, entry: Entry) -> Move:
        """Read an entry as a move. Raises Malformed or Ambiguous."""
        ...

    def check(self, state: State, move: Move) -> list[Violation]:
        """Return every reason against making the move now; empty if it is legal. Does not change the state."""
        ...

    def run(self, ctx: Context, move: Move) -> None:
        """Make a move that `check` found legal, by emitting events."""
        ...

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """Return a candidate with its chance drawn from the dealer, ready to be written to a log."""
        ...

    def conceal(self, move: Move) -> Move:
        """Return the move as recorded by somebody who does not see the player's hidden cards."""
        ...


class TurnVerb(Verb, Protocol):
    """A verb of the rule text, which lists its own moves."""

    def candidates(self, state: State, wanted: Wanted) -> Iterator[Move]:
        """Yield the legal moves of this verb that are asked for, with chance left open.

        The seat is looked at first, so that the moves of the others cost nothing, and `interrupt.each` goes over cards.
        """
        ...


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A published version of a game's rules ("safir-v2@1"). Its behaviour never changes: a fix is a new version.

    `book` has the interpretations that are left open; `defaults` also has the option of each one that it settles.
    """

    id: str
    book: Rulebook
    defaults: Mapping[str, str]

    def options(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Return the option of every interpretation: the one `chosen` in a log's header, or else the default.

        Raises Malformed: `unknown_interpretation`, also for one that this version settles, or `unknown_option`.
        """
        known = self.book.interpretations
        if not chosen:
            return self.defaults
        for id_, option in chosen.items():
            if id_ not in known:
                path = f"options.{id_[:40]}"
                raise Malformed("unknown_interpretation", f"no interpretation {id_[:40]!r}", path=path, value=id_)
            if option not in known[id_].options:
                names = ", ".join(known[id_].options)
                raise Malformed("unknown_option", f"{id_} must be one of: {names}", path=f"options.{id_}", value=option)
        return {**self.defaults, **chosen}


def ruleset(id_: str, book: Rulebook, settled: Mapping[str, str] = MappingProxyType({})) -> Ruleset:
    """Create a ruleset with the default options of its register.

    `settled` has the option of each interpretation about which the text of this version leaves no choice.
    """
    left_open = {name: gap for name, gap in book.interpretations.items() if name not in settled}
    defaults = {name: gap.default for name, gap in left_open.items()}
    return Ruleset(id_, replace(book, interpretations=MappingProxyType(left_open)), {**defaults, **settled})


class Closing(NamedTuple):
    """What to conclude from a log that stops here, besides the result of its moves.

    `outcome` is how the game is decided nevertheless, if it is; `missing` lists what players still have to show,
    without which the result is undetermined; `depends_on` lists the interpretations that matter for this.
    """

    outcome: Outcome | None = None
    missing: tuple[Missing, ...] = ()
    depends_on: tuple[str, ...] = ()


class Game(Protocol):
    """One game.

    - `seats`: all seats a table may have. The seats taken in a given game are in `Terms.seats`.
    - `over_rule`: the rule cited against an action after the end of the game.
    - `phases` and `notes`: the phases and notes that a declared position may name. `numbered` are the notes that hold
      plain numbers instead of objects; `order` is the note that lists the cards with effects, in the order they came.
    - `frames`: the keys of each step of the agenda with the kind of their value, as defined in `core.table.naming`.
    - `habits`: how likely self-play is to choose each verb (relative weights).
    - `responses`: the verbs that can be used in a response window.
    - `pad`: the verb of a score pad, which records points only, under the name of the verb it replaces.
    """

    id: str
    seats: tuple[str, ...]
    rulesets: Mapping[str, Ruleset]
    layout: Layout
    over_rule: str
    phases: tuple[str, ...]
    notes: tuple[str, ...]
    numbered: tuple[str, ...]
    order: str
    frames: Mapping[str, Mapping[str, str]]
    pad: tuple[str, Verb]
    habits: Mapping[str, int]
    responses: tuple[str, ...]

    def deck_rules(self, fmt: Format) -> Sequence[DeckRule]:
        """Return the deck rules of a format."""
        ...

    def bare(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return an empty state to fill with a declared position. `seats` are those of the log's header, if any."""
        ...

    def left_out(self, state: State, stated: Collection[str]) -> Iterator[str]:
        """Yield the facts of the turn that a declared position leaves out, given the notes it has `stated`."""
        ...

    def answers(self, state: State, fact: str) -> Sequence[Any] | None:
        """Return the values to try for an undeclared fact, or None if there are too many.

        They must be representative: if the verdict on a move is the same for all of them, it is the same for every
        other value. The values of a counter are integers, those of a note lists, those of a slot None (empty) or
        (ref, notes…). The prefix "lurks:" before a slot asks only for the cards whose effects matter from there: the
        values are then None alone if there is no such card. An object noted under `order` is put first there.
        """
        ...

    def cites(self, move: Move, fact: str) -> str:
        """Return the id of the rule by which a move depends on an undeclared fact."""
        ...

    def wants(self, state: State, move: Move) -> list[Violation]:
        """Return the undeclared facts that a move needs in any case, whatever the other facts are."""
        ...

    def settled(self, state: State, move: Move) -> tuple[str, ...]:
        """Return the facts, undeclared so far, that are known once this move has been made."""
        ...

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """Return what a board shows of a card in play beyond what is printed, as JSON values; may be empty."""
        ...

    def record_json(self, state: State, record: tuple[Any, ...]) -> Mapping[str, Any]:
        """Return a lasting effect as JSON, with objects given by their names."""
        ...

    def read_record(self, state: State, raw: Any, path: str) -> tuple[Any, ...]:
        """Read a record that `record_json` wrote. Raises Malformed."""
        ...

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """Return the state before the first turn of a score pad, in which only the points are known."""
        ...

    def setup(self, header: Header, catalog: Catalog) -> State:
        """Return the state before the first entry of a complete log."""
        ...

    def verbs(self) -> Mapping[str, Verb]:
        """Return the verbs by name."""
        ...

    def refresh(self, ctx: Context) -> None:
        """Start the effects of cards that a ruling put into play, and end those of cards that it removed."""
        ...

    def awaken(self, state: State) -> None:
        """Start the effects of the cards in play in a declared position."""
        ...

    def candidates(self, state: State, wanted: Wanted | None = None) -> Iterator[Move]:
        """Yield the legal moves that are asked for (None: all), with their chance open.

        Verbs of every game (concede, ruling, manual…) are left out. Of the ways to make one move, which are groups of
        cards or payments, only the first are listed.
        """
        ...

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """Return the next move that a log may leave out before an entry `do` by `by`, or None.

        Such a move leaves a phase in which nothing happens, or ends a list of choices (`done`). It never replaces a
        choice that a player has to make, and each one brings the game closer to the entry.
        """
        ...

    def outcome(self, state: State) -> Outcome | None:
        """Return how this position ends the game, or None if it does not."""
        ...

    def closing(self, state: State) -> Closing:
        """Return what to conclude from a log that stops in this position."""
        ...

    def score(self, state: State) -> dict[str, int]:
        """Return the score by seat, without the seats whose score is not known."""
        ...
