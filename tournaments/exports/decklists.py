"""The lists of an event together: an overview, and one text of all of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tournaments.decks.engine_gate import Profile, card_names, profiles_of
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, names_of

SECTIONS = (("main", "Deck"), ("side", "Sideboard"))


@dataclass(frozen=True)
class ListLine:
    """A list that counts, whose it is, with what it is known by and the copies in its main deck."""

    decklist: Decklist
    name: str
    profile: Profile
    cards: int


def overview_of(event: Event, language: str) -> list[ListLine]:
    """The lists that count, in the order in which their entrants came."""
    lists = _lists(event)
    found = profiles_of(event, [each.cards for each in lists], language) if event.has_engine else ()
    profiles = list(found) or [Profile("", ())] * len(lists)
    players = names_of(event.entrants.all())
    return [
        ListLine(each, players[each.entrant_id], profile, sum(each.cards.get("main", {}).values()))
        for each, profile in zip(lists, profiles, strict=True)
    ]


def as_text(event: Event) -> str:
    """All lists as players paste them, each under the name of its entrant; unchecked ones as they were written."""
    names, players = card_names(event), names_of(event.entrants.all())
    return "\n".join("\n".join(_written(each, players[each.entrant_id], names)) for each in _lists(event))


def _written(decklist: Decklist, player: str, names: Mapping[str, str]) -> Iterator[str]:
    yield f"# {player}"
    if not decklist.checked:
        yield from decklist.text.strip().splitlines()
    elif leader := decklist.cards.get("commander"):
        yield from ("Commander", f"1 {names.get(leader, leader)}")
    for part, title in SECTIONS:
        if cards := decklist.cards.get(part):
            yield from ("", title)
            lines = ((names.get(ref, ref), copies) for ref, copies in cards.items())
            yield from (f"{copies} {name}" for name, copies in sorted(lines))
    yield ""


def _lists(event: Event) -> list[Decklist]:
    lists = current_lists(current_stage(event)).exclude(entrant__status=Entrant.Status.WAITING)
    return list(lists.order_by("entrant__registered_at", "entrant"))
