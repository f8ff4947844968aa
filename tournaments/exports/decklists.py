"""All decklists of an event: an overview, and one text with all of them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import F, QuerySet

from engine.face.lists import Profile
from tournaments.decks.engine_gate import card_names, profiles_of
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, names_of

SECTIONS = (("main", "Deck"), ("side", "Sideboard"))


@dataclass(frozen=True)
class ListLine:
    """A current decklist, the public name of its player, its profile, and the number of cards in its main deck."""

    decklist: Decklist
    name: str
    profile: Profile
    cards: int


def overview_of(event: Event, language: str, only: Collection[int] | None = None) -> list[ListLine]:
    """The current decklists in the order of registration; all, or `only` those with these primary keys.

    `language` is that of the leaders' names.
    """
    counted = _counted(event)
    lists = list(counted if only is None else counted.filter(pk__in=only))
    found = profiles_of(event, [each.cards for each in lists], language) if event.has_engine else ()
    profiles = list(found) or [Profile("", ())] * len(lists)
    entrants = event.entrants.all()
    players = names_of(entrants if only is None else entrants.filter(decklists__in=only))
    return [
        ListLine(each, _player(each, players), profile, sum(each.cards.get("main", {}).values()))
        for each, profile in zip(lists, profiles, strict=True)
    ]


def legality_of(event: Event) -> dict[int, bool]:
    """Whether each current decklist is legal, by primary key, in the order of `overview_of`."""
    return dict(_counted(event).values_list("pk", "legal"))


def as_text(event: Event) -> str:
    """All decklists as text, each below the name of its player, in a form that can be pasted as a decklist.

    Lists that were not checked are given as they were submitted.
    """
    names, players = card_names(event), names_of(event.entrants.all())
    return "\n".join("\n".join(_written(each, _player(each, players), names)) for each in _counted(event))


def _player(decklist: Decklist, players: Mapping[int, str]) -> str:
    """The public name of the player whose list it is, from the names of entrants by key; in a team with the team's."""
    return decklist.name if decklist.member_id else players[decklist.entrant_id]


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


def _counted(event: Event) -> QuerySet[Decklist]:
    # Players who dropped are included, as their decks were played; those on the waiting list never had a place.
    lists = current_lists(current_stage(event)).exclude(entrant__status=Entrant.Status.WAITING)
    return lists.select_related("entrant", "member__person").order_by(
        "entrant__registered_at", "entrant", F("member__board").asc(nulls_last=True), "member"
    )
