"""Enters many people without an account at once, whatever they were read from: a list, a file, another program."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.names import as_name
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.entry_files import MAX_NAME, valid_address
from tournaments.events.entry_invitations import ask_for_letters, keep_addresses
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.naming import refresh_shown_names
from tournaments.events.services import record, refuse_address, refuse_alone, require_desk_open
from tournaments.events.signals import came_in, lists_came

BATCH = 500  # rows per INSERT statement


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person to enter.

    - `given_name`: the first name, or the whole name; needed
    - `table`: the fixed table they need, which nobody else in the event has
    - `email`: kept to invite them to take over their entry; never shown to players
    - `decklist`: the text of a list as players paste it; it is submitted by a job
    - `line`: where they stand in the file, told with a list that cannot be read; 0 for no file
    - `person`: who they are, if known from an earlier event; then the names are theirs already
    """

    given_name: str
    family_name: str = ""
    family_first: bool = False
    club: str = ""
    table: int | None = None
    email: str = ""
    decklist: str = ""
    line: int = 0
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """A person to enter who is known from another event, with the club and, for an entry without an account, e-mail."""

    person: Person
    club: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Entered:
    """Who was entered, in the order given. The last `waiting` of them are on the waiting list."""

    entrants: tuple[Entrant, ...]
    waiting: int


def places_left(event: Event, wanted: int) -> int:
    """How many more entrants an event takes before the waiting list; `wanted` if it has no limit."""
    if event.capacity is None:
        return wanted
    return max(0, event.capacity - event.entrants.filter(status=Entrant.Status.REGISTERED).count())


def enter_people(
    *, event: Event, people: Sequence[Newcomer], by: User, now: datetime, source: str = "", invite: bool = False
) -> Entered:
    """Enter people, new or known from an earlier event, all or nobody, with one ledger entry.

    Each person becomes an entrant of their own: whether somebody is in the event already is for the caller to decide.
    E-mail addresses are kept for invitations; with `invite`, these are sent too, unless the event is a draft.
    Decklists are submitted by a job (`decks.entry_lists`). `source` is the public id of what the people were read from:
    it goes into the ledger, and the state of their lists is found by it.

    Refused: `registration_closed`, `event_full` (once the event runs there is no waiting list), `name_missing`,
    `name_is_address`, `too_many_emails`.
    """
    for person in people:
        refuse_address(person.given_name, person.family_name, person.club)
        if not as_name(person.given_name):
            raise InvalidInput("name_missing", _("Enter a first name or a nickname."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        require_desk_open(event)
        refuse_alone(event)
        places = places_left(event, len(people))
        if event.status == Event.Status.RUNNING and places < len(people):
            raise Refusal("event_full", _("The event is full."))
        entrants = _make(event, people, places, now)
        waiting = max(0, len(people) - places)
        if entrants:
            _tell(event, people, entrants, waiting, by, now, source, invite)
    return Entered(tuple(entrants), waiting)


def enter_known(
    *, event: Event, people: Sequence[Known], by: User, now: datetime, source: str, invite: bool = False
) -> Entered:
    """Enter people who are known from another event, `source`, all or nobody, with one ledger entry.

    None of them may be in the event. With `invite`, those with an address are invited to take over their entry, unless
    the event is a draft. Call it in a transaction.

    Refused: `registration_closed`, `event_full` (once the event runs there is no waiting list), `too_many_emails`.
    """
    event = Event.objects.select_for_update().get(pk=event.pk)
    require_desk_open(event)
    places = places_left(event, len(people))
    if event.status == Event.Status.RUNNING and places < len(people):
        raise Refusal("event_full", _("The event is full."))
    rows = [(each.club, None) for each in people]
    entrants = _make_of(event, [each.person for each in people], rows, places, now)
    waiting = max(0, len(people) - places)
    after = {"entered": len(entrants), "waiting": waiting, "entrants": [entrant.public_id for entrant in entrants]}
    entry = record(event, by, "entrant.qualified", now, object=source, after=after)
    came_in.send(sender=Event, event=event, entrants=list(entrants), by=by, now=now, number=entry.number)
    _invite(event, list(zip(entrants, (each.email for each in people), strict=True)), by, now, invite=invite)
    return Entered(tuple(entrants), waiting)


def _make(event: Event, people: Sequence[Newcomer], places: int, now: datetime) -> list[Entrant]:
    made = [_person(each) for each in people if each.person is None]
    new = iter(Person.objects.bulk_create(made, batch_size=BATCH))
    persons = [each.person or next(new) for each in people]
    return _make_of(event, persons, [(person.club, person.table) for person in people], places, now)


def _make_of(
    event: Event, persons: Sequence[Person], rows: Sequence[tuple[str, int | None]], places: int, now: datetime
) -> list[Entrant]:
    """An entrant for each person, with their club and fixed table; those beyond `places` wait."""
    entrants = Entrant.objects.bulk_create(
        [
            Entrant(
                event=event,
                registered_at=now,
                status=Entrant.Status.REGISTERED if at < places else Entrant.Status.WAITING,
                club=as_name(club, MAX_NAME),
                fixed_table=table,
            )
            for at, (club, table) in enumerate(rows)
        ],
        batch_size=BATCH,
    )
    pairs = zip(entrants, persons, strict=True)
    members = [Member(event=event, entrant=entrant, person=person) for entrant, person in pairs]
    Member.objects.bulk_create(members, batch_size=BATCH)
    refresh_shown_names(event)
    return entrants


def _person(person: Newcomer) -> Person:
    return Person(
        given_name=as_name(person.given_name, MAX_NAME),
        family_name=as_name(person.family_name, MAX_NAME),
        family_first=person.family_first,
    )


def _has_account(newcomer: Newcomer) -> bool:
    return newcomer.person is not None and newcomer.person.account_id is not None


def _tell(
    event: Event,
    people: Sequence[Newcomer],
    entrants: Sequence[Entrant],
    waiting: int,
    by: User,
    now: datetime,
    source: str,
    invite: bool,
) -> None:
    """Record who came in, and pass on what an entry has besides its row: address and list."""
    after = {"entered": len(entrants), "waiting": waiting, "entrants": [entrant.public_id for entrant in entrants]}
    entry = record(event, by, "entrant.imported", now, object=source, after=after)
    came_in.send(sender=Event, event=event, entrants=list(entrants), by=by, now=now, number=entry.number)
    pairs = list(zip(entrants, people, strict=True))
    # Who has an account has nothing to take over.
    mails = [(entrant, "" if _has_account(person) else person.email) for entrant, person in pairs]
    _invite(event, mails, by, now, invite=invite)
    lists = [(entrant, person.line, person.decklist) for entrant, person in pairs if person.decklist.strip()]
    if lists:
        lists_came.send(sender=Event, event=event, lists=lists, by=by, now=now, source=source)


def _invite(event: Event, pairs: Sequence[tuple[Entrant, str]], by: User, now: datetime, *, invite: bool) -> None:
    """Keep the addresses of new entrants, and ask for their letters if wanted."""
    addresses = [(entrant, valid_address(email)) for entrant, email in pairs]
    kept = keep_addresses([pair for pair in addresses if pair[1]], by=by, now=now)
    if invite and kept and event.is_public:
        ask_for_letters(event=event, invitations=kept, by=by, now=now)
