"""The private player book of an organizer: who played its events, and what it says of them.

The book is no copy: who stands in it is read from the organizer's events, and a row is kept only of what is said.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import erase_person
from tournaments.common import ledger
from tournaments.common.names import folded, found_in, one_line, sort_key
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event, Member
from tournaments.leagues.access import organized_by
from tournaments.leagues.models import BookEntry
from tournaments.leagues.services import ask
from tournaments.swiss.league import one


@dataclass(frozen=True)
class BookPlayer:
    """A player of the book: the person, those said to be the same, what is kept, and how many events were played.

    `key` is that of the person at the end of what is said, which may be erased by now.
    """

    key: int
    person: Person
    name: str
    private_name: str
    notes: str
    others: list[Person]
    events: int

    @property
    def public_id(self) -> str:
        """That of the person who stands for the player."""
        return self.person.public_id


def book_of(user: User, wanted: str = "") -> list[BookPlayer]:
    """The players of an account's book by name, or those who match. The same queries, whatever the size."""
    entries = {entry.person_id: entry for entry in BookEntry.objects.filter(owner=user).select_related("same_as")}
    members = Member.objects.filter(event__in=organized_by(user))
    played: defaultdict[int, set[int]] = defaultdict(set)
    for key, event in members.values_list("person", "event"):
        played[key].add(event)
    ids = {*played, *entries, *(entry.same_as_id for entry in entries.values() if entry.same_as_id)}
    persons = {person.pk: person for person in _persons(ids)}
    groups: defaultdict[int, list[Person]] = defaultdict(list)
    same = _chains(entries)
    for person in persons.values():
        groups[int(one(str(person.pk), same))].append(person)
    players = [_player(key, group, entries, played) for key, group in groups.items()]
    found = [player for player in players if not wanted or _matches(player, wanted)]
    return sorted(found, key=lambda player: (sort_key(player.name), player.public_id))


def _persons(ids: set[int]) -> list[Person]:
    # Not `pk__in=ids`: SQLite takes a bounded number of values.
    return list(Person.objects.filter(erased_at=None).in_bulk(list(ids)).values())


def _chains(entries: dict[int, BookEntry]) -> dict[str, str]:
    return {str(pk): str(entry.same_as_id) for pk, entry in entries.items() if entry.same_as_id}


def _player(key: int, group: list[Person], entries: dict[int, BookEntry], played: dict[int, set[int]]) -> BookPlayer:
    person, *others = sorted(group, key=lambda each: (each.pk != key, each.pk))
    entry = entries.get(person.pk)
    events = set().union(*(played.get(each.pk, set()) for each in group))
    private, notes = (entry.name, entry.notes) if entry else ("", "")
    return BookPlayer(key, person, private or known_as(person), private, notes, others, len(events))


def known_as(person: Person) -> str:
    """The name that the book shows its organizer: the full one."""
    return person.full_name


def _matches(player: BookPlayer, wanted: str) -> bool:
    return any(found_in(wanted, name) for name in (player.name, *(known_as(each) for each in player.others)))


def alike(players: list[BookPlayer]) -> list[list[BookPlayer]]:
    """Players whose names are the same but for accents, case and order: perhaps they are one."""
    groups: defaultdict[tuple[str, ...], list[BookPlayer]] = defaultdict(list)
    for player in players:
        groups[tuple(sorted(folded(player.name).split()))].append(player)
    return [group for group in groups.values() if len(group) > 1]


def player_of(user: User, person: Person) -> BookPlayer:
    """The player for whom a person stands in an account's book."""
    return player_among(book_of(user), person)


def player_among(players: Iterable[BookPlayer], person: Person) -> BookPlayer:
    """The player of a book that was read for whom a person stands."""
    return next(each for each in players if person == each.person or person in each.others)


def events_of(user: User, player: BookPlayer) -> QuerySet[Event]:
    """The account's events that a player entered, newest first."""
    persons = [player.person, *player.others]
    organized: QuerySet[Event] = organized_by(user)
    return organized.filter(entrants__member__person__in=persons).order_by("-created_at", "-pk")


def write_entry(*, owner: User, person: Person, name: str, notes: str) -> BookEntry:
    """Keep a private name and notes of a person; empty ones are forgotten."""
    values = {"name": one_line(name)[:80], "notes": notes.strip()[:2000]}
    entry, _made = BookEntry.objects.update_or_create(owner=owner, person=person, defaults=values)
    return entry


def merge_players(*, owner: User, person: Person, into: Person, now: datetime) -> Person:
    """Say that two players of the book are one; returns the person who stands for it.

    That is `into`, but never a person typed at a desk before one with an account, whose name is its own. Who are both
    entered in one event are two.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)  # the lock of the book
        players = {each: player for player in book_of(owner) for each in (player.person, *player.others)}
        if person not in players or into not in players:
            raise InvalidInput("player_unknown", _("There is no such player in your book."))
        first, second = players[person], players[into]
        if first.key == second.key:
            raise InvalidInput("same_player", _("These are one player already."))
        if first.person.account_id is not None and second.person.account_id is None:
            first, second = second, first
        _refuse_two(owner, first, second)
        BookEntry.objects.update_or_create(owner=owner, person_id=first.key, defaults={"same_as_id": second.key})
        _tell(owner, "league.players_merged", first.person, now, after={"same_as": second.public_id})
    return second.person


def _refuse_two(owner: User, first: BookPlayer, second: BookPlayer) -> None:
    """Nobody sits at two tables: in an event that both played they are two, until its entries are merged."""
    sides = [Member.objects.filter(person__in=[each.person, *each.others]) for each in (first, second)]
    here, there = (
        set(side.exclude(entrant__dropped_after=0).values_list("event__public_id", flat=True)) for side in sides
    )
    if both := sorted(here & there):
        sentence = _("Both are entered in one event: merge their entries there first.")
        raise Refusal("both_entered", sentence, details=both)


def split_player(*, owner: User, person: Person, now: datetime) -> None:
    """Take back that a person is the same player as another one: both are again what they were. Twice is once."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        entry = BookEntry.objects.filter(owner=owner, person=person).exclude(same_as=None).first()
        if entry is None or entry.same_as is None:
            return
        before = entry.same_as.public_id
        BookEntry.objects.filter(pk=entry.pk).update(same_as=None)
        _tell(owner, "league.players_split", person, now, before={"same_as": before})


def _tell(owner: User, code: str, person: Person, now: datetime, **change: Any) -> None:
    """Write it into the ledgers of the owner's leagues, whose standings it changes."""
    for league in owner.leagues.order_by("pk"):
        ledger.record(
            chain=league.public_id, actor=owner.public_id, code=code, object=person.public_id, now=now, **change
        )
        ask(league, now)


def follow_person(*, old: Person, new: Person, **_signal: Any) -> None:
    """A person typed at a desk turned out to be another one: what books keep of the one is kept of the other."""
    for entry in BookEntry.objects.filter(person=old):
        kept, _made = BookEntry.objects.get_or_create(owner=entry.owner, person=new)
        kept.name, kept.notes = kept.name or entry.name, kept.notes or entry.notes
        if kept.same_as_id is None and entry.same_as_id != new.pk:
            kept.same_as_id = entry.same_as_id
        kept.save()
        entry.delete()
    BookEntry.objects.filter(same_as=old, person=new).update(same_as=None)
    BookEntry.objects.filter(same_as=old).update(same_as=new)


def forget(*, person: Person, **_signal: Any) -> None:
    """Erase what books keep of a person, and with it the persons typed at desks who are said to be the same.

    That they are one stays said, by ids: the points of a league stay what they were.
    """
    at = person.erased_at or Person.objects.exclude(erased_at=None).get(pk=person.pk).erased_at
    assert at is not None
    BookEntry.objects.filter(person=person).update(name="", notes="")
    said = Q(book_entries__same_as=person) | Q(pk__in=BookEntry.objects.filter(person=person).values("same_as"))
    for same in Person.objects.filter(said, account=None, erased_at=None).distinct():
        erase_person(person=same, now=at)
