"""The prize desk: who is due a prize, by rank or by category, and what has been handed out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.events.models import Event
from tournaments.standings.awards import Award, awards_of, sees_factions, shown_categories
from tournaments.standings.models import CategoryTick, PrizeTick
from tournaments.standings.prizes import PrizeSheet
from tournaments.standings.selectors import prizes_of


@dataclass(frozen=True)
class NotDue:
    """A prize that was handed out, and that the newest standings give to somebody else.

    It is the prize of a category (by its number), or one of `units` by rank or points.
    """

    entrant: str
    category: int | None = None
    name: str = ""
    units: int | None = None


@dataclass(frozen=True)
class PrizeDesk:
    """The prizes by the newest standings, the units handed out by entrant, and who has got which category's prize."""

    sheet: PrizeSheet
    awards: list[Award]
    units: Mapping[str, int]
    categories: frozenset[tuple[int, str]]
    not_due: list[NotDue]


def prize_desk(event: Event, user: Any) -> PrizeDesk:
    """The prize desk as this staff member may see it: winners by faction need the right to read decklists."""
    decks = sees_factions(event, user)
    sheet, awards = prizes_of(event), awards_of(event, decks=decks)
    ticks = PrizeTick.objects.filter(entrant__event=event).order_by("at", "pk")
    units = dict(ticks.values_list("entrant__public_id", "units"))
    shown = {category.pk: category for category in shown_categories(event, decks=decks)}
    handed = CategoryTick.objects.filter(category__in=shown).order_by("at", "pk")
    given = [(shown[pk], entrant) for pk, entrant in handed.values_list("category", "entrant__public_id")]
    due = {prize.entrant for prize in sheet.prizes}
    won = {(award.category.pk, entrant) for award in awards for entrant in award.entrants}
    not_due = [NotDue(entrant, units=number) for entrant, number in units.items() if entrant not in due]
    not_due += [NotDue(entrant, each.number, each.name) for each, entrant in given if (each.pk, entrant) not in won]
    return PrizeDesk(sheet, awards, units, frozenset((each.number, entrant) for each, entrant in given), not_due)
