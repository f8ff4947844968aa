"""The podium of an event, with the winners' decks if the reader can see them."""

from collections.abc import Collection
from dataclasses import dataclass

from tournaments.decks.access import lists_are_open
from tournaments.decks.engine_gate import profiles_of
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, entrants_of
from tournaments.standings.selectors import final_rows

PODIUM = 3
AFTER_BRACKET = 4
"""Ranks shown after a bracket, so that both losers of the semi-finals are named."""
MOST = 8
"""The most names shown, for a rank that many players share."""


@dataclass(frozen=True)
class Winner:
    """An entrant on the podium.

    `deck` is the key of their list and `lead` its hero or commander; None and empty if the reader cannot see lists.
    """

    rank: int
    entrant: Entrant
    deck: int | None = None
    lead: str = ""


def winners_of(event: Event, readers: Collection[str], language: str) -> list[Winner]:
    """The podium of an event: the first `PODIUM` ranks, or `AFTER_BRACKET` if the last stage was a bracket.

    Empty until the event is over. `readers` decides about the decks only: the caller must check that the reader can see
    the standings.
    """
    last = event.stages.order_by("number").last() if event.is_over else None
    ranks = AFTER_BRACKET if last is not None and last.is_bracket else PODIUM
    rows = [row for row in final_rows(event) if row["rank"] <= ranks][:MOST] if last is not None else []
    found = entrants_of(event).filter(public_id__in=[row["entrant"] for row in rows])
    entrants = {entrant.public_id: entrant for entrant in found}
    decks = _decks(event, list(entrants.values()), language) if rows and lists_are_open(event, readers) else {}
    return [
        Winner(row["rank"], entrants[row["entrant"]], *decks.get(entrants[row["entrant"]].pk, ()))
        for row in rows
        if row["entrant"] in entrants
    ]


def _decks(event: Event, entrants: list[Entrant], language: str) -> dict[int, tuple[int, str]]:
    """The key of each entrant's current list and its leader, by the entrant's key. Teams, which have several, none."""
    current = current_lists(current_stage(event)).filter(entrant__in=entrants, member=None)
    lists = list(current.values_list("entrant", "pk", "cards"))
    if not event.has_engine:
        return {entrant: (pk, "") for entrant, pk, _cards in lists}
    profiles = profiles_of(event, [cards for _entrant, _pk, cards in lists], language)
    return {entrant: (pk, profile.lead) for (entrant, pk, _cards), profile in zip(lists, profiles, strict=True)}
