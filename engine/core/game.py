"""What a game must provide: rulesets, a set-up, verbs, candidates and an outcome. Moves are small immutable values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from engine.core.cards import Catalog
from engine.core.decks import DeckRule, Format
from engine.core.errors import Malformed, Missing, Violation
from engine.core.rulebook import Rulebook
from engine.core.state import Layout, Outcome, State

if TYPE_CHECKING:
    from engine.core.context import Context
    from engine.core.log import Entry, Header

Draw = Sequence[str]


@dataclass(slots=True)
class Move:
    """A decision, its arguments in canonical form. `chance` is None while it is open, as in a candidate.

    Nothing changes one: mypy sees to that by `Final`, since a frozen class costs more at every move.
    """

    by: Final[str]
    do: Final[str]
    args: Final[Mapping[str, Any]]
    chance: Final[tuple[tuple[str, Any], ...] | None] = None


class Dealer(Protocol):
    """Where self-play gets its chance from. `window` says that the move being dealt for is to be responded to."""

    window: bool

    def pick(self, options: Sequence[Any]) -> Any:
        """One of the options."""
        ...

    def deal(self, unseen: Mapping[str, int], count: int) -> list[str]:
        """`count` cards drawn without return from a multiset of refs."""
        ...


class Verb(Protocol):
    """One kind of entry of a log."""

    def parse(self, state: State, entry: Entry) -> Move:
        """The entry as a move. Raises Malformed or Ambiguous."""
        ...

    def check(self, state: State, move: Move) -> list[Violation]:
        """Every reason why the move may not be made now; an empty list when it may."""
        ...

    def run(self, ctx: Context, move: Move) -> None:
        """Make a move that `check` let through."""
        ...

    def close(self, state: State, move: Move, dealer: Dealer) -> Move:
        """The candidate `move` with its chance drawn, ready to be written in a log."""
        ...

    def conceal(self, move: Move) -> Move:
        """The move as somebody who does not see its player's hand writes it down."""
        ...


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One published version of a game's rules. It never changes behaviour: a fix is a new version."""

    id: str
    book: Rulebook
    defaults: Mapping[str, str]

    def options(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Every interpretation with its option, the header's over the default.

        Raises Malformed: `unknown_interpretation` or `unknown_option`.
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
                raise Malformed("unknown_option", f"{id_} is one of: {names}", path=f"options.{id_}", value=option)
        return {**self.defaults, **chosen}


def ruleset(id_: str, book: Rulebook) -> Ruleset:
    """A ruleset with the default options of its register."""
    return Ruleset(id_, book, {name: gap.default for name, gap in book.interpretations.items()})


class Closing(NamedTuple):
    """What a log that stops here comes to, beyond the result its moves gave.

    `outcome` is how the game is decided all the same, if it is; `missing` what is still to be shown; `leans` the
    interpretations that say so.
    """

    outcome: Outcome | None = None
    missing: tuple[Missing, ...] = ()
    leans: tuple[str, ...] = ()


class Game(Protocol):
    """One game.

    `seats` are all there may be at a table; who sits there is in `Terms.seats`.
    `over_rule` is cited when somebody acts after the end, `phases` and `notes` are what a declared position may name,
    `numbered` those of the notes that hold plain numbers, `order` the note of cards that act, in the order they came,
    `frames` what each step of the agenda holds (kinds are those of `core.naming`), `habits` weighs the verbs in
    self-play, `responses` are those that may be made in a window, `pad` is the verb of a score pad, which notes points
    alone (its name is that of the verb it stands for).
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
        """What a decklist must respect."""
        ...

    def bare(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """A state with nothing on the mat, for a declared position; `seats` are those of the header, if it has any."""
        ...

    def unstated(self, state: State, stated: Collection[str]) -> Iterator[str]:
        """The facts of the turn a declared position leaves out, given the `notes` it states."""
        ...

    def answers(self, state: State, fact: str) -> Sequence[Any] | None:
        """Answers that a fact left out may have, enough of them that if they agree every other does; None: too many.

        A counter has integers, a note lists, a slot None or (ref, notes…); "lurks:" before a slot asks for those that
        matter from where they lie: None alone where no card does. An object under the note `order` comes first.
        """
        ...

    def cites(self, move: Move, fact: str) -> str:
        """The rule of a move that needs this fact."""
        ...

    def wants(self, state: State, move: Move) -> list[Violation]:
        """The facts left out that a move needs whatever the others are."""
        ...

    def settled(self, state: State, move: Move) -> tuple[str, ...]:
        """The facts a declared position left out that are known once this move is made."""
        ...

    def in_force(self, state: State, obj: int) -> Mapping[str, Any]:
        """What a board shows of a card in play beside what is printed: JSON values, none where nothing differs."""
        ...

    def record_json(self, state: State, record: tuple[Any, ...]) -> Mapping[str, Any]:
        """One of the effects that last, as JSON in which objects have their names."""
        ...

    def read_record(self, state: State, raw: Any, path: str) -> tuple[Any, ...]:
        """The record that `record_json` wrote. Raises Malformed."""
        ...

    def blank_pad(self, ruleset: str, options: Mapping[str, str], catalog: Catalog, seats: Sequence[str] = ()) -> State:
        """The state before the first turn of a score pad: nothing is known but the points."""
        ...

    def setup(self, header: Header, catalog: Catalog) -> State:
        """The state before the first entry."""
        ...

    def verbs(self) -> Mapping[str, Verb]:
        """The verbs by name."""
        ...

    def refresh(self, ctx: Context) -> None:
        """Put in force the effects of what a ruling put in play, and end those of what it took out."""
        ...

    def awaken(self, state: State) -> None:
        """Put the effects of the cards of a declared position in force."""
        ...

    def candidates(self, state: State) -> Iterator[Move]:
        """Every legal move, chance left open; without concede, ruling, manual and their like."""
        ...

    def implied(self, state: State, by: str, do: str) -> Move | None:
        """The move that a log may leave out before an entry `do` by `by`, because nothing happens in it; None: none.

        It leaves a phase in which nothing happens, or ends a list of choices (`done`). It never stands for a choice
        that a player must make, and each one brings the game closer to the entry.
        """
        ...

    def outcome(self, state: State) -> Outcome | None:
        """How the position ends the game, if it does."""
        ...

    def closing(self, state: State) -> Closing:
        """What becomes of a log that stops in this position."""
        ...

    def score(self, state: State) -> dict[str, int]:
        """The score by seat."""
        ...
