"""The player meeting, round 0: everybody sits in alphabetical order; an empty chair is somebody who did not come."""

from dataclasses import dataclass

from tournaments.decks.selectors import without_legal_list
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, names_of, sort_keys_of

CHAIRS = 2  # at a table


@dataclass(frozen=True)
class Chair:
    """A place at the meeting: number from 1, table, who sits there, whether a legal decklist is still owed."""

    number: int
    entrant: Entrant
    name: str
    owes_deck: bool

    @property
    def public_id(self) -> str:
        """That of who sits there."""
        return self.entrant.public_id

    @property
    def table(self) -> int:
        """The table of the chair, from 1."""
        return (self.number + CHAIRS - 1) // CHAIRS


def chairs_of(event: Event) -> list[Chair]:
    """The chairs of all registered entrants by name; names alike in the order they came. Four queries."""
    owing = set(without_legal_list(current_stage(event)).values_list("pk", flat=True))
    playing = event.entrants.filter(status=Entrant.Status.REGISTERED).order_by("registered_at", "pk")
    names, places = names_of(playing), sort_keys_of(playing)
    named = [(names.get(entrant.pk, entrant.public_id), entrant) for entrant in playing]
    by_name = sorted(named, key=lambda each: places.get(each[1].pk, ()))
    return [Chair(number, entrant, name, entrant.pk in owing) for number, (name, entrant) in enumerate(by_name, 1)]
