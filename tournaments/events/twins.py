"""Names that can hardly be told apart, such as one in Latin and one in Cyrillic letters: told where a name is entered.

Nobody is refused for it: "Ian" and "lan" may both be at the tables.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tournaments.common.letters import folded, look
from tournaments.events.entry_files import Line
from tournaments.events.models import Entrant, Event, Member


class Twins(NamedTuple):
    """The name of an entrant, given by public id, and a name of the event that looks like it."""

    entrant: str
    name: str
    other: str


_Known = defaultdict[str, dict[str, str]]  # by look: the name of a bearer by each spelling


def twins_of(event: Event, entrants: Iterable[Entrant]) -> list[tuple[Entrant, str]]:
    """Those of these entrants whose name looks like that of another entrant, but is spelt otherwise, with that name."""
    known, own = _names(event)
    found = ((entrant, _twin(known, own[entrant.public_id])) for entrant in entrants)
    return [(entrant, name) for entrant, name in found if name]


def twins_in(event: Event) -> list[Twins]:
    """The names of an event that look alike, each pair once. One query."""
    known, own = _names(event)
    found: dict[frozenset[str], Twins] = {}
    for entrant, names in own.items():
        for name in names:
            if (other := _twin(known, [name])) and other not in names:
                found.setdefault(frozenset((name, other)), Twins(entrant, name, other))
    return list(found.values())


def _names(event: Event) -> tuple[_Known, dict[str, list[str]]]:
    """All names of an event by their look, and those of each entrant by public id."""
    known: _Known = defaultdict(dict)
    own: defaultdict[str, list[str]] = defaultdict(list)
    rows = Member.objects.filter(event=event).order_by("pk")
    read = ("person__given_name", "person__family_name", "person__public_name")
    for entrant, team, given, family, nickname in rows.values_list("entrant__public_id", "entrant__team_name", *read):
        for name in filter(None, (team, f"{given} {family}".strip(), nickname)):
            own[entrant].append(name)
            known[look(name)].setdefault(folded(name), name)
    return known, own


def twin_lines(event: Event, lines: Sequence[Line]) -> list[int]:
    """The numbers of the lines whose name looks like that of an entrant, or of an earlier line."""
    known: _Known = defaultdict(dict)
    members = Member.objects.filter(event=event)
    for given, family in members.values_list("person__given_name", "person__family_name"):
        known[look(f"{given} {family}")].setdefault(folded(f"{given} {family}"), given)
    found = []
    for line in lines:
        name = f"{line.given_name} {line.family_name}"
        if _twin(known, [name]):
            found.append(line.number)
        known[look(name)].setdefault(folded(name), name)
    return found


def _twin(known: _Known, names: Iterable[str]) -> str:
    """A known name that looks like one of `names` and is spelt otherwise, or ""."""
    others = (other for name in names for spelt, other in known.get(look(name), {}).items() if spelt != folded(name))
    return next(others, "")
