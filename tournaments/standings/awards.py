"""Who wins the prize categories of an event, by its final ranking."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.common.letters import folded
from tournaments.decks.access import lists_are_open
from tournaments.events.access import may_read_hidden, readers_of
from tournaments.events.models import Answer, Event, Member
from tournaments.events.procedures import read_procedures
from tournaments.standings.categories import categories_of
from tournaments.standings.models import PrizeCategory
from tournaments.standings.selectors import final_rows, prizes_of
from tournaments.standings.statistics import factions_of

Rule = PrizeCategory.Rule


@dataclass(frozen=True)
class Award:
    """A prize of a category: the entrants (public ids) who win it, all of one `rank`.

    `group` is the club or faction whose best they are; "" if the category has one prize.
    """

    category: PrizeCategory
    group: str
    rank: int
    entrants: tuple[str, ...]


def awards_for(event: Event, user: Any) -> list[Award]:
    """The awards as this account may see them: staff who can read decklists and do not play see those by faction."""
    return awards_of(event, decks=sees_factions(event, user))


def sees_factions(event: Event, user: Any) -> bool:
    """Whether this account sees who wins the categories by faction."""
    return may_read_hidden(user, event, "read_decks") or decks_shown(event, user)


def decks_shown(event: Event, user: Any) -> bool:
    """Whether this account sees the decklists of an event as everybody of its kind does, player or not."""
    return lists_are_open(event, readers_of(user, event))


def awards_of(event: Event, *, decks: bool) -> list[Award]:
    """The awards by the newest standings, in the order of the categories; those of one category best first.

    Disqualified entrants win nothing. The caller must check that the reader can see the standings. `decks` says whether
    they can see decklists: without it, no category by faction is awarded. If everybody takes one prize at most, the
    categories after it are left out too, because they would tell who has won it.
    """
    categories = shown_categories(event, decks=decks)
    if not categories:
        return []
    one_each = _one_each(event)
    out = set(event.entrants.filter(disqualified=True).values_list("public_id", flat=True))
    rows = [row for row in final_rows(event) if row["entrant"] not in out]
    taken = {prize.entrant for prize in prizes_of(event).prizes} if one_each else set()
    found: list[Award] = []
    for category in categories:
        won = list(_won(category, [row for row in rows if row["entrant"] not in taken]))
        found += won
        if one_each:
            taken |= {entrant for award in won for entrant in award.entrants}
    return found


def shown_categories(event: Event, *, decks: bool) -> list[PrizeCategory]:
    """The categories whose winners are shown, with or without the decklists; see `awards_of`."""
    categories = categories_of(event)
    hidden = [place for place, each in enumerate(categories) if each.rule == Rule.FACTION and not decks]
    if hidden and _one_each(event):
        return categories[: hidden[0]]
    return [each for place, each in enumerate(categories) if place not in hidden]


def _one_each(event: Event) -> bool:
    return read_procedures(event.procedures).prizes.one_each


def _won(category: PrizeCategory, rows: Sequence[Mapping[str, Any]]) -> Iterator[Award]:
    groups = _GROUPS[Rule(category.rule)](category)
    best: dict[str, tuple[int, str, list[str]]] = {}
    for row in rows:
        group = groups.get(row["entrant"])
        if group is None:
            continue
        rank, _name, winners = best.setdefault(folded(group), (row["rank"], group, []))
        if row["rank"] == rank:
            winners.append(row["entrant"])
    for rank, group, winners in best.values():
        yield Award(category, group, rank, tuple(winners))


def _answered(category: PrizeCategory) -> dict[str, str]:
    """The entrants all of whose members gave the answer."""
    said = Answer.objects.filter(question=category.question, text=category.value)
    persons = set(said.values_list("person", flat=True))
    wrong: set[str] = set()
    entrants: set[str] = set()
    for entrant, person in Member.objects.filter(event=category.event_id).values_list("entrant__public_id", "person"):
        (entrants if person in persons else wrong).add(entrant)
    return dict.fromkeys(entrants - wrong, "")


def _clubs(category: PrizeCategory) -> dict[str, str]:
    named = category.event.entrants.exclude(club="").values_list("public_id", "club")
    return _of_value(category, dict(named))


def _factions(category: PrizeCategory) -> dict[str, str]:
    return _of_value(category, factions_of(category.event))


def _of_value(category: PrizeCategory, groups: Mapping[str, str]) -> dict[str, str]:
    """The entrants of the club or faction that the category names, as one group; all, by group, if it names none."""
    if not category.value:
        return dict(groups)
    wanted = folded(category.value)
    return {entrant: "" for entrant, group in groups.items() if folded(group) == wanted}


def _picked(category: PrizeCategory) -> dict[str, str]:
    return {pick.entrant.public_id: "" for pick in category.picks.all()}


_GROUPS = {Rule.ANSWER: _answered, Rule.CLUB: _clubs, Rule.FACTION: _factions, Rule.PICKED: _picked}


def named(awards: Sequence[Award], names: Mapping[str, str]) -> list[tuple[Award, str]]:
    """The awards, each with the names of its winners, separated by commas."""
    return [(award, ", ".join(names.get(who, who) for who in award.entrants)) for award in awards]
