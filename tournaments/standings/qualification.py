"""Qualification: the first players of an event that is over enter another one.

Who takes a place is remembered, so that asking again enters nobody twice, and the place of a player who dropped
from the other event goes to the next.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.entering import Entered, Known, enter_known
from tournaments.events.models import Entrant, EntryInvitation, Event, Member
from tournaments.events.services import record
from tournaments.standings.models import Qualified
from tournaments.standings.selectors import final_rows

MOST = 500
_NOT_OPEN = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


class State:
    """What becomes of a player of the final ranking. Those of `TAKES` take one of the places."""

    ENTERS = "enters"
    QUALIFIED = "qualified"  # entered by an earlier qualification
    ENTERED = "entered"  # is in the other event anyway: the place goes to the next
    DROPPED = "dropped"  # from this event
    DECLINED = "declined"
    DISQUALIFIED = "disqualified"

    ALL = (ENTERS, QUALIFIED, ENTERED, DROPPED, DECLINED, DISQUALIFIED)
    TAKES = (ENTERS, QUALIFIED)


@dataclass(frozen=True)
class Candidate:
    """A player of the final ranking, and what becomes of them (`State`)."""

    rank: int
    entrant: Entrant
    state: str


def candidates_of(
    source: Event, into: Event, *, first: int, skip_dropped: bool = True, declined: Collection[str] = ()
) -> list[Candidate]:
    """The players of a final ranking, best first, down to the one who takes the last of the `first` places.

    `declined` are public ids of entrants of `source` who do not want the place. Disqualified entrants and those who are
    in the other event already are passed over, and so are those who dropped from `source` with `skip_dropped`.
    """
    entrants = {each.public_id: each for each in source.entrants.prefetch_related("member_set__person")}
    there = {member.person_id: member.entrant for member in Member.objects.filter(event=into).select_related("entrant")}
    came = set(Qualified.objects.filter(source=source, entrant__event=into).values_list("entrant", flat=True))
    found: list[Candidate] = []
    places = first
    for row in final_rows(source):
        entrant = entrants.get(row["entrant"])
        # A team has no person who could enter alone, and an erased person cannot be asked.
        if places == 0 or entrant is None or _person_of(entrant) is None:
            continue
        state = _state(entrant, there, came, skip_dropped=skip_dropped, declined=declined)
        found.append(Candidate(row["rank"], entrant, state))
        places -= state in State.TAKES
    return found


def _person_of(entrant: Entrant) -> Person | None:
    members = list(entrant.member_set.all())
    return members[0].person if len(members) == 1 and members[0].person.erased_at is None else None


def _state(
    entrant: Entrant, there: dict[int, Entrant], came: set[int], *, skip_dropped: bool, declined: Collection[str]
) -> str:
    if entrant.disqualified:
        return State.DISQUALIFIED
    person = _person_of(entrant)
    other = there.get(person.pk) if person is not None else None
    if other is not None:
        if other.status == Entrant.Status.DROPPED:
            return State.DECLINED
        return State.QUALIFIED if other.pk in came else State.ENTERED
    if entrant.public_id in declined:
        return State.DECLINED
    if skip_dropped and entrant.status == Entrant.Status.DROPPED:
        return State.DROPPED
    return State.ENTERS


def qualify(
    *,
    source: Event,
    into: Event,
    first: int,
    by: User,
    now: datetime,
    skip_dropped: bool = True,
    declined: Collection[str] = (),
    invite: bool = True,
) -> Entered:
    """Enter the first players of an event into another one, in one act (see `candidates_of`). Idempotent.

    They are registered, or on the waiting list if the event is full. Addresses that the desk of `source` has for
    entries without an account are kept for the other event, and with `invite` the invitations are sent. The act is
    recorded in the ledgers of both events.

    Refused: `out_of_bounds` (a number of places that is not 1 to `MOST`, or too many `declined`), `same_event`,
    `event_not_over` unless `source` is over, and as `events.entering.enter_known`.
    """
    if not 1 <= first <= MOST or len(declined) > 2 * MOST:
        raise InvalidInput("out_of_bounds", _("Some values are not possible."), details=["first"])
    if source.pk == into.pk:
        raise InvalidInput("same_event", _("Choose another event for the players to enter."))
    with transaction.atomic():
        # Two requests at once, in either direction, lock the events in one order.
        locked = Event.objects.select_for_update().filter(pk__in=[source.pk, into.pk]).order_by("pk")
        events = {event.pk: event for event in locked}
        source, into = events[source.pk], events[into.pk]
        if not source.is_over:
            raise Refusal("event_not_over", _("Finish this event first: its ranking can still change."))
        if into.status in _NOT_OPEN:
            raise Refusal("registration_closed", _("The event is over: nobody can be entered."))
        found = candidates_of(source, into, first=first, skip_dropped=skip_dropped, declined=declined)
        new = [each for each in found if each.state == State.ENTERS]
        if not new:
            return Entered((), 0)
        entered = _enter(source, into, new, by, now, invite=invite)
        Qualified.objects.bulk_create(
            Qualified(source=source, entrant=entrant, rank=each.rank)
            for entrant, each in zip(entered.entrants, new, strict=True)
        )
    return entered


def _enter(source: Event, into: Event, new: list[Candidate], by: User, now: datetime, *, invite: bool) -> Entered:
    """Enter the candidates and record it in both ledgers, whose heads are locked in the order of their names."""

    def said_here() -> None:
        after = {"into": into.public_id, "entrants": [each.entrant.public_id for each in new]}
        record(source, by, "standings.qualified", now, after=after)

    if source.public_id < into.public_id:
        said_here()
    emails = _emails(new)
    known = [
        Known(person, each.entrant.club, emails.get(each.entrant.pk, ""))
        for each in new
        if (person := _person_of(each.entrant)) is not None
    ]
    entered = enter_known(event=into, people=known, by=by, now=now, source=source.public_id, invite=invite)
    if source.public_id > into.public_id:
        said_here()
    return entered


def _emails(new: list[Candidate]) -> dict[int, str]:
    """The addresses that the desk has for entries that nobody has taken over, by the key of the entrant."""
    open_ = EntryInvitation.objects.filter(
        entrant__in=[each.entrant for each in new],
        entrant__member__person__account=None,
        accepted_by=None,
        withdrawn_at=None,
    )
    return dict(open_.exclude(email="").values_list("entrant", "email"))
