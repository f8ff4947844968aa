"""A deck rule for teams: how many copies of a card the decks of all members may hold together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.cards.card import Card
from engine.core.cards.catalog import Catalog
from engine.core.decks.decklist import Decklist
from engine.core.decks.rules import Format, Submission, catalog_for, find_format, options_in_force
from engine.core.text import registry
from engine.core.text.errors import Unsupported, Violation

RULE = "TEAM-copies"
MOST = 99  # copies, the highest limit

CountedAs = Callable[[Card], str | None]
"""What the copies of a card are counted by, such as its name; None for a card that a team may hold without limit."""


@dataclass(frozen=True, slots=True)
class Excess(Violation):
    """A card of which a team holds too many copies. `holders` has the copies in each deck that holds it, by deck.

    Args: `card`, `ref`, `count`, `max`, `over` (the copies to take out), `decks` (the holders in words).
    """

    holders: Mapping[str, int] = field(default_factory=dict)


def limits_teams(game: str, fmt: Format | str | None = None) -> bool:
    """Whether a format can have a team limit: not if its decks are fixed, or built from a pool. Raises Unsupported."""
    return _counted_as(game, find_format(game, fmt)) is not None


def check_team(
    game: str,
    decks: Mapping[str, Decklist | Mapping[str, Any]],
    limit: int,
    fmt: Format | str | None = None,
    *,
    catalog: Catalog | bytes | str | Mapping[str, Any] | None = None,
) -> list[Excess]:
    """Return every card of which the decks of a team hold more than `limit` copies together, sorted by reference.

    - `decks` are the members' decks by any name for their owner, each a `Decklist` or its JSON shape.
    - `limit` is from 1 to `MOST`.
    - `fmt` and `catalog` are as for `check_deck`.

    Copies are counted in the main decks, by what the game's own limit of copies counts by: a version or a name. Cards
    without such a limit, such as the plain resources of Stellar Nexus, are free. Each deck on its own is checked by
    `check_deck`.

    Raises Unsupported (`unknown_game`, `unknown_format`, `no_catalog`, `no_team_limit`, `bad_team_limit`) and
    Malformed, as `check_deck`.

    >>> shared = {"main": {"DEMO-SAF-001": 2}}
    >>> [(each.args["count"], each.holders) for each in check_team("star-safir", {"A": shared, "B": shared}, 3)]
    [(4, {'A': 2, 'B': 2})]
    """
    form, cards = find_format(game, fmt), catalog_for(game, catalog)
    counted_as = _counted_as(game, form)
    if counted_as is None:
        raise Unsupported("no_team_limit", f"{form.id} of {game} limits no copies, so a team has no limit either")
    if not 1 <= limit <= MOST:
        raise Unsupported("bad_team_limit", f"a team limit is from 1 to {MOST}, not {limit}")
    options = options_in_force(game, form)
    listed = {owner: _read(deck) for owner, deck in sorted(decks.items())}
    copies: dict[str, dict[str, int]] = {}
    refs: dict[str, str] = {}
    for owner, deck in listed.items():
        for ref, count in deck.main.items():
            # An unknown card is reported by `check_deck`; here it counts as a card of its own.
            same = counted_as(cards[ref]) if ref in cards else ref
            if same is not None:
                holders = copies.setdefault(same, {})
                holders[owner] = holders.get(owner, 0) + count
                refs[same] = min(ref, refs.get(same, ref))  # the same card whatever the order of the decks
    naming = Submission(Decklist(), cards, options)
    return [
        _excess(naming.label(ref), ref, copies[same], limit)
        for same, ref in sorted(refs.items(), key=lambda item: item[1])
        if sum(copies[same].values()) > limit
    ]


def _counted_as(game: str, form: Format) -> CountedAs | None:
    found: CountedAs | None = registry.module(game, "deck").counted_as(form)
    return found


def _read(deck: Decklist | Mapping[str, Any]) -> Decklist:
    return deck if isinstance(deck, Decklist) else Decklist.from_json(deck)


def _excess(card: str, ref: str, holders: Mapping[str, int], limit: int) -> Excess:
    count = sum(holders.values())
    copies = {"count": count, "max": limit, "over": count - limit}
    return Excess(RULE, {"card": card, "ref": ref, **copies, "decks": in_words(holders)}, holders=holders)


def in_words(holders: Mapping[str, int]) -> str:
    """The copies in each deck, as they stand in the message: `Ann: 3, Bob: 2`."""
    return ", ".join(f"{owner}: {count}" for owner, count in holders.items())
