"""The private player book of an organizer: everybody who played in their events, with private names and notes.

The book stores no copy of the players: they are read from the organizer's events. A `BookEntry` exists only for a
person of whom the organizer has noted something: a private name, notes, or that they are the same player as another.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.services import erase_person
from tournaments.common import ledger
from tournaments.common.letters import folded
from tournaments.common.names import as_name, found_in, sort_key
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event, Member
from tournaments.leagues.access import organized_by
from tournaments.leagues.models import BookEntry
from tournaments.leagues.services import ask
from tournaments.swiss.league import one


@dataclass(frozen=True)
class BookPlayer:
    """A player of the book: a person, the `others` merged with them, the notes, and the number of events played.

    `key` is the primary key of the person into whom all others were merged, who may have been erased since.
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
        """The public id of the person who represents the player."""
        return self.person.public_id


def book_of(user: User, wanted: str = "") -> list[BookPlayer]:
    """The players of an account's book, sorted by name; only those whose names match `wanted`, if given.

    The number of queries does not depend on the number of players.
    """
    members = Member.objects.filter(event__in=organized_by(user).order_by().values("pk"))
    found = [player for player in players_of(user, members) if not wanted or _matches(player, wanted)]
    return sorted(found, key=lambda player: (sort_key(player.name), player.public_id))


def players_of(owner: User, members: QuerySet[Member]) -> list[BookPlayer]:
    """The players who are these members of entrants, as merged in the book of `owner`, with those in its entries."""
    entries = {entry.person_id: entry for entry in BookEntry.objects.filter(owner=owner).select_related("same_as")}
    played: defaultdict[int, set[int]] = defaultdict(set)
    for key, event in members.values_list("person", "event"):
        played[key].add(event)
    groups: defaultdict[int, list[Person]] = defaultdict(list)
    same = _chains(entries)
    for person in _persons(members, entries):
        groups[int(one(str(person.pk), same))].append(person)
    return [_player(key, group, entries, played) for key, group in groups.items()]


def _persons(members: QuerySet[Member], entries: Mapping[int, BookEntry]) -> list[Person]:
    """Everybody who played, and everybody else to whom the entries refer; erased persons are left out."""
    # A subquery instead of a list of thousands of keys.
    found = {person.pk: person for person in Person.objects.filter(pk__in=members.values("person"), erased_at=None)}
    named = {*entries, *(entry.same_as_id for entry in entries.values() if entry.same_as_id)}
    # `in_bulk` splits the list if needed; with `pk__in`, SQLite's limit on the number of values would apply.
    others = Person.objects.filter(erased_at=None).in_bulk([key for key in named if key not in found])
    return [*found.values(), *others.values()]


def _chains(entries: dict[int, BookEntry]) -> dict[str, str]:
    return {str(pk): str(entry.same_as_id) for pk, entry in entries.items() if entry.same_as_id}


def _player(key: int, group: list[Person], entries: dict[int, BookEntry], played: dict[int, set[int]]) -> BookPlayer:
    person, *others = sorted(group, key=lambda each: (each.pk != key, each.pk))
    entry = entries.get(person.pk)
    events = set().union(*(played.get(each.pk, set()) for each in group))
    private, notes = (entry.name, entry.notes) if entry else ("", "")
    return BookPlayer(key, person, private or known_as(person), private, notes, others, len(events))


def known_as(person: Person) -> str:
    """The name by which the book shows a person to its organizer: the full one."""
    return person.full_name


def _matches(player: BookPlayer, wanted: str) -> bool:
    return any(found_in(wanted, name) for name in (player.name, *(known_as(each) for each in player.others)))


def alike(players: list[BookPlayer]) -> list[list[BookPlayer]]:
    """Groups of players whose names differ only in accents, case or word order, so that they may be the same person."""
    groups: defaultdict[tuple[str, ...], list[BookPlayer]] = defaultdict(list)
    for player in players:
        groups[tuple(sorted(folded(player.name).split()))].append(player)
    return [group for group in groups.values() if len(group) > 1]


def player_of(user: User, person: Person) -> BookPlayer:
    """The player in an account's book to whom a person belongs."""
    return player_among(book_of(user), person)


def player_among(players: Iterable[BookPlayer], person: Person) -> BookPlayer:
    """The one of `players` (from `book_of`) to whom a person belongs."""
    return next(each for each in players if person == each.person or person in each.others)


def events_of(user: User, player: BookPlayer) -> QuerySet[Event]:
    """The events of an account that a player entered, newest first."""
    persons = [player.person, *player.others]
    organized: QuerySet[Event] = organized_by(user)
    return organized.filter(entrants__member__person__in=persons).order_by("-created_at", "-pk")


def write_entry(*, owner: User, person: Person, name: str, notes: str) -> BookEntry:
    """Set the private name and the notes of a person; "" deletes them. They are cut at 80 and 2,000 characters."""
    values = {"name": as_name(name), "notes": notes.strip()[:2000]}
    entry, _made = BookEntry.objects.update_or_create(owner=owner, person=person, defaults=values)
    return entry


def merge_players(*, owner: User, person: Person, into: Person, now: datetime) -> Person:
    """Merge two players of the book into one, and return the person who represents it.

    That person is the one of `into`, unless only the other one has an account: a name that a person chose takes
    precedence over one typed at a desk. The merge is recorded in the ledgers of all the owner's leagues.

    Refused: `player_unknown`, `same_player`, `both_entered` (with the events in which both are entered: they cannot be
    one person).
    """
    with transaction.atomic():
        # The owner's row guards the book: two merges at once could make a circle.
        User.objects.select_for_update().get(pk=owner.pk)
        return merge_two(book_of(owner), person=person, into=into, owner=owner, by=owner, now=now)


def merge_two(
    players: Iterable[BookPlayer], *, person: Person, into: Person, owner: User, by: User, now: datetime
) -> Person:
    """`merge_players` among these players of the book of `owner`. Call it with the row of `owner` locked."""
    known = {each: player for player in players for each in (player.person, *player.others)}
    if person not in known or into not in known:
        raise InvalidInput("player_unknown", _("There is no such player in your book."))
    first, second = known[person], known[into]
    if first.key == second.key:
        raise InvalidInput("same_player", _("These entries are already the same player."))
    if first.person.account_id is not None and second.person.account_id is None:
        first, second = second, first
    _refuse_two(first, second)
    BookEntry.objects.update_or_create(owner=owner, person_id=first.key, defaults={"same_as_id": second.key})
    _record_in_leagues(owner, by, "league.players_merged", first.person, now, after={"same_as": second.public_id})
    return second.person


def _refuse_two(first: BookPlayer, second: BookPlayer) -> None:
    """Refuse to merge players who are both entered in one event; the desk must merge their entries there first.

    An entrant who dropped before round 1 never played and does not count.
    """
    sides = [Member.objects.filter(person__in=[each.person, *each.others]) for each in (first, second)]
    here, there = (
        set(side.exclude(entrant__dropped_after=0).values_list("event__public_id", flat=True)) for side in sides
    )
    if both := sorted(here & there):
        sentence = _("Both are entered in the same event: merge their entries there first.")
        raise Refusal("both_entered", sentence, details=both)


def split_player(*, owner: User, person: Person, now: datetime, by: User | None = None) -> None:
    """Undo a merge: `person` is again a player of their own, with those merged into them. Idempotent.

    `by` is who does it, if it is not the owner of the book.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        entry = BookEntry.objects.filter(owner=owner, person=person).exclude(same_as=None).first()
        if entry is None or entry.same_as is None:
            return
        before = entry.same_as.public_id
        BookEntry.objects.filter(pk=entry.pk).update(same_as=None)
        _record_in_leagues(owner, by or owner, "league.players_split", person, now, before={"same_as": before})


def _record_in_leagues(owner: User, by: User, code: str, person: Person, now: datetime, **change: Any) -> None:
    """Record a change of the book in the ledgers of all the owner's leagues, and have their standings recomputed."""
    for league in owner.leagues.order_by("pk"):
        ledger.record(chain=league.public_id, actor=by.public_id, code=code, object=person.public_id, now=now, **change)
        ask(league, now)


def follow_person(*, old: Person, new: Person, **_signal: Any) -> None:
    """Move the book entries of a person typed at a desk to the person they turned out to be.

    Receives `accounts.signals.person_replaced`. Where a book has entries for both, the one of `new` takes precedence.
    """
    for entry in BookEntry.objects.filter(person=old):
        kept, _made = BookEntry.objects.get_or_create(owner=entry.owner, person=new)
        kept.name, kept.notes = kept.name or entry.name, kept.notes or entry.notes
        if kept.same_as_id is None and entry.same_as_id != new.pk:
            kept.same_as_id = entry.same_as_id
        kept.save()
        entry.delete()
    # First those that would refer to themselves, which the constraint `nobody_is_the_same_as_oneself` forbids.
    BookEntry.objects.filter(same_as=old, person=new).update(same_as=None)
    BookEntry.objects.filter(same_as=old).update(same_as=new)


def forget(*, person: Person, **_signal: Any) -> None:
    """Delete the names and notes that books have of an erased person, and erase the walk-ins merged with them.

    Receives `accounts.signals.person_erased`. The merges themselves stay recorded, by ids, so that the points of
    leagues do not change.
    """
    at = person.erased_at or Person.objects.exclude(erased_at=None).get(pk=person.pk).erased_at
    assert at is not None
    BookEntry.objects.filter(person=person).update(name="", notes="")
    said = Q(book_entries__same_as=person) | Q(pk__in=BookEntry.objects.filter(person=person).values("same_as"))
    for same in Person.objects.filter(said, account=None, erased_at=None).distinct():
        erase_person(person=same, now=at)
