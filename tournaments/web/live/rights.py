"""The rights of readers: who may have a stream, checked when it opens and again when that may have changed.

A stream shows no more than its page was allowed to show, and only as long as the page would be. The token in its
address names an audience and own entrants; the browser's session says which account asks. The ledger of the event tells
of changed roles and entries; `accounts.rights_changes` of sign-outs and new passwords.

What was found out about a reader is kept while its event is followed, so that neither messages nor reconnecting phones
cost a query. All readers of what everybody may see count as one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db import connections
from django.http import Http404

from tournaments.accounts.models import User
from tournaments.accounts.rights_changes import changes_since
from tournaments.accounts.sessions import signed_in
from tournaments.common.reading import reading
from tournaments.events.access import event_named, is_shown, own_entrants, readers_of
from tournaments.events.models import Entrant, Event
from tournaments.web.live.address import AUDIENCES, Reader


class Granted(NamedTuple):
    """A reader who may have a stream: the account's public id, if any, and those of its entrants at the event."""

    account: str = ""
    entrants: frozenset[str] = frozenset()


Key = tuple[str, Reader]
"""The public id of an event, and a reader there."""


def check(asked: Iterable[Key]) -> dict[Key, Granted | None]:
    """What each of these readers is granted now, read in a thread; None for one who may not have the stream."""
    try:
        with reading():  # the event, whose readers may come by the hundred, is read once
            return {key: granted(*key) for key in asked}
    finally:
        connections.close_all()


def changes(since: datetime) -> dict[int, str]:
    """The changes of rights outside of ledgers after a time, read in a thread: see `changes_since`."""
    try:
        return changes_since(since)
    finally:
        connections.close_all()


def accounts_of(entrants: Collection[str]) -> frozenset[str]:
    """The public ids of the accounts that these entrants belong to, read in a thread."""
    try:
        found = User.objects.filter(persons__member__entrant__public_id__in=entrants)
        return frozenset(found.values_list("public_id", flat=True))
    finally:
        connections.close_all()


def granted(event_id: str, reader: Reader) -> Granted | None:
    """What a reader is granted at an event now, in at most six queries; None if it may not have the stream."""
    try:
        event = event_named(event_id)
    except Http404:
        return None
    user = (signed_in(reader.session) if reader.session else None) or AnonymousUser()
    own = frozenset(entrant.public_id for entrant in own_entrants(user, event))
    if not AUDIENCES[reader.audience] <= readers_of(user, event):
        return None
    if reader.by_link:
        is_open = event.is_public and len(reader.own) == _count(event, reader.own)
    else:
        is_open = is_shown(user, event) and reader.own <= own
    return Granted(user.public_id if isinstance(user, User) else "", own) if is_open else None


def _count(event: Event, entrants: Collection[str]) -> int:
    return Entrant.objects.filter(event=event, public_id__in=entrants).count()


def is_concerned(reader: Reader, grant: Granted, whose: Collection[str]) -> bool:
    """Whether a change concerns a reader: `whose` are audiences, sessions, accounts and entrants."""
    return any(name in whose for name in (reader.audience, reader.session, grant.account) if name) or any(
        name in whose for name in grant.entrants | reader.own
    )


def concerned(known: Mapping[Reader, Granted], whose: Collection[str]) -> list[Reader]:
    """The readers among those known at an event whose rights may have changed."""
    return [reader for reader, grant in known.items() if is_concerned(reader, grant, whose)]


@dataclass(frozen=True)
class Rights:
    """What the streams of a process read about rights; each function runs in a thread."""

    check: Callable[[Iterable[Key]], Mapping[Key, Granted | None]] = check
    changes: Callable[[datetime], Mapping[int, str]] = changes
    accounts_of: Callable[[Collection[str]], frozenset[str]] = accounts_of
