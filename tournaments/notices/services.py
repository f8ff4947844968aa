"""Notifications: each ledger entry that concerns players enqueues a job for the e-mails, and one for the pushes.

Each e-mail has a key made of the entry and the account, so it is sent at most once, however often the job runs
(`common.mail`). The pushes are sent by `notices.pushing`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min, Model, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.mail import Letter, PutOff, post, post_office
from tournaments.common.models import LedgerEntry
from tournaments.common.prepared import Prepared
from tournaments.common.refusals import InvalidInput
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Application, Entrant, Event
from tournaments.notices.followers import FOLLOWED, Followed, due_at
from tournaments.notices.models import KINDS, OFF_AT_FIRST, ONLY_PUSHED, Channel, Kind, PushSubscription, Silence, Wish
from tournaments.notices.notifications import LATER, NOTIFICATIONS, Addressed, Concerned, Notification, page_of

BATCH = 100  # accounts read at a time
FRESH = timedelta(hours=6)  # an e-mail that would be later than this is no longer sent
BEFORE = timedelta(days=1)  # how long before the event players are reminded of a missing decklist
SALT = "arbitre.letters"
PERSON: Mapping[type[Model], str] = {Entrant: "member__person", Application: "person"}
_PREFETCHED: Mapping[type[Model], str] = {Entrant: "member_set__person", Application: "person"}


JOBS = {Channel.LETTER: "notices.tell", Channel.PUSH: "notices.push"}
_ANY_DEVICE = Prepared(lambda: PushSubscription.objects.order_by()[:1])


@dataclass(frozen=True)
class Due:
    """A ledger entry to notify players of now, and the accounts that want it through one channel."""

    event: Event
    entry: LedgerEntry
    notification: Notification
    readers: list[int]


def ask_for_notices(entries: Sequence[LedgerEntry]) -> None:
    """Enqueue the jobs of each entry that causes a notification. A follower of the ledger (`common.ledger.follow`)."""
    for entry in entries:
        if entry.code in FOLLOWED:
            _ask_for_followers(entry, entry.at)
        if entry.code not in NOTIFICATIONS:
            continue
        if entry.code == "event.details_changed":
            _remind_anew(entry)
        when = _reminder(entry.chain) if entry.code in LATER else entry.at
        if when is not None:
            _ask(entry, entry.at, when)


def _ask(entry: LedgerEntry, now: datetime, when: datetime, *channels: Channel) -> None:
    """Enqueue the jobs of an entry for these channels, or for all that anybody may want it by."""
    kind = NOTIFICATIONS[entry.code].kind
    for channel in channels or Channel:
        # A reminder is asked for days before: until then, somebody may add the first device.
        needed = entry.code in LATER or _ANY_DEVICE.rows() if channel == Channel.PUSH else kind not in ONLY_PUSHED
        if needed:
            payload = {"chain": entry.chain, "number": entry.number}
            jobs.enqueue(JOBS[channel], f"{entry.chain}:{entry.number}", payload=payload, now=now, run_after=when)


def _ask_for_followers(entry: LedgerEntry, now: datetime) -> None:
    payload = {"chain": entry.chain, "number": entry.number}
    event = Event.objects.get(public_id=entry.chain)
    key, when = f"{entry.chain}:{entry.number}", due_at(event, entry)
    jobs.enqueue("notices.tell_followers", key, payload=payload, now=now, run_after=when)


def _remind_anew(entry: LedgerEntry) -> None:
    """Reschedule the reminders of an event if its start has changed."""
    when = _reminder(entry.chain)
    if "starts_at" in entry.after.get("changed", ()) and when is not None:
        for earlier in LedgerEntry.objects.filter(chain=entry.chain, code__in=LATER):
            _ask(earlier, entry.at, when)


def _reminder(event_id: str) -> datetime | None:
    starts_at = Event.objects.values_list("starts_at", flat=True).get(public_id=event_id)
    return starts_at and starts_at - BEFORE


def due_now(*, chain: str, number: int, channel: Channel, now: datetime) -> Due | None:
    """Look up whom a ledger entry still concerns; None if nobody, or if it is more than `FRESH` too late.

    If it is too early, because the event was postponed meanwhile, the job is enqueued again.
    """
    entry = LedgerEntry.objects.get(chain=chain, number=number)
    event = Event.objects.get(public_id=chain)
    notification = NOTIFICATIONS[entry.code]
    due = (_reminder(chain) if entry.code in LATER else entry.at) or entry.at
    if now - due > FRESH:
        return None
    if due > now and entry.code in LATER:
        with transaction.atomic():
            _ask(entry, now, due, channel)
        return None
    readers = _readers(notification, event, entry, channel)
    return Due(event, entry, notification, readers) if readers else None


def tell(*, chain: str, number: int, now: datetime, progress: Progress = unseen) -> None:
    """Send the e-mails of a ledger entry to everybody whom it still concerns. Nobody gets one twice.

    Nothing is sent if it is more than `FRESH` too late. Raises `PutOff`, after all others were sent, if the server
    will accept an e-mail only later.
    """
    due = due_now(chain=chain, number=number, channel=Channel.LETTER, now=now)
    if due is None:  # before a connection to the mail server is opened
        return
    alike = due.notification.alike(due.entry) if due.notification.alike else ""
    put_off: PutOff | None = None
    with post_office(now) as connection:
        for done, (user, entrants) in enumerate(batches_of(due)):
            progress(100 * done // len(due.readers))
            key = f"{chain}:{number}:{user.public_id}"
            with translation.override(user.language):
                letter = _letter(due, user, entrants, alike)
            try:
                post(letter, to=user.email or "", language=user.language, key=key, now=now, connection=connection)
            except PutOff as later:  # a single busy mailbox must not delay the e-mails of everybody else
                put_off = later
    if put_off is not None:
        raise put_off


def tell_followers(*, chain: str, number: int, now: datetime, progress: Progress = unseen) -> None:
    """Send the e-mails of a ledger entry to the followers of its event. Nobody gets one twice.

    Nothing is sent if it is more than `FRESH` too late, or no longer true. Raises `PutOff` as `tell` does.
    """
    entry = LedgerEntry.objects.get(chain=chain, number=number)
    event = Event.objects.get(public_id=chain)
    followed, due = FOLLOWED[entry.code], due_at(event, entry)
    if due > now:  # the opening of registration was put off meanwhile
        with transaction.atomic():
            _ask_for_followers(entry, now)
        return
    if now - due > FRESH or not followed.is_true(event):
        return
    readers = list(_reached(followed.audience(event), Kind.FOLLOWED))
    if not readers:  # before a connection to the mail server is opened
        return
    put_off: PutOff | None = None
    with post_office(now) as connection:
        for done, pk in enumerate(readers):
            progress(100 * done // len(readers))
            user = User.objects.get(pk=pk)
            with translation.override(user.language):
                letter = _letter_to_follower(followed, event, user)
            key = f"{chain}:{number}:followed:{user.public_id}"
            try:
                post(letter, to=user.email or "", language=user.language, key=key, now=now, connection=connection)
            except PutOff as later:
                put_off = later
    if put_off is not None:
        raise put_off


def _letter_to_follower(followed: Followed, event: Event, user: User) -> Letter:
    return Letter(
        subject=followed.subject() % {"event": event.name},
        lines=(followed.line(),),
        action=_("Open the page"),
        path=reverse(followed.page, args=[event.public_id]),
        why=_("You get this e-mail because you follow %(event)s.") % {"event": event.name},
        unsubscribe=unsubscribe_path(user, Kind.FOLLOWED),
    )


def _persons(concerned: Concerned) -> list[Person]:
    if isinstance(concerned, Application):
        return [concerned.person]
    return [member.person for member in concerned.member_set.all()]


def _readers(notification: Notification, event: Event, entry: LedgerEntry, channel: Channel) -> list[int]:
    """The keys of the accounts to notify: concerned, not opted out, and with a confirmed address or a device."""
    audience = notification.audience(event, entry)
    concerned = audience.values(f"{PERSON[audience.model]}__account")
    silent = Silence.objects.filter(kind=notification.kind, channel=channel).values("user")
    wanted = User.objects.filter(pk__in=concerned, is_active=True).exclude(pk__in=silent)
    if channel == Channel.LETTER:
        reached = wanted.filter(email_confirmed_at__isnull=False).exclude(email=None)
    else:
        reached = wanted.filter(pk__in=PushSubscription.objects.values("user"))
    return list(reached.order_by("pk").values_list("pk", flat=True))


def _reached(concerned: QuerySet[User], kind: Kind) -> QuerySet[User, int]:
    """The keys of those of these accounts that can be written to and have asked for e-mails of this kind."""
    reachable = concerned.filter(is_active=True, email_confirmed_at__isnull=False).exclude(email=None)
    wanted = reachable.filter(pk__in=Wish.objects.filter(kind=kind).values("user"))
    return wanted.order_by("pk").values_list("pk", flat=True)


def batches_of(due: Due) -> Iterator[tuple[User, list[Addressed]]]:
    """Yield each account with the concerned entrants or applications it acts for (a guardian may have several)."""
    for start in range(0, len(due.readers), BATCH):
        users = User.objects.in_bulk(due.readers[start : start + BATCH])
        own = _own_persons(users)
        audience = due.notification.audience(due.event, due.entry)
        found = audience.filter(**{f"{PERSON[audience.model]}__account__in": users}).order_by("pk").distinct()
        acts_for: dict[int, list[Addressed]] = defaultdict(list)
        for each in found.prefetch_related(_PREFETCHED[audience.model]):
            persons = _persons(each)
            for account in {person.account_id for person in persons}:
                if account is not None:
                    is_own = len(persons) == 1 and persons[0].pk == own.get(account)
                    acts_for[account].append(Addressed(each, is_own))
        for pk, user in users.items():
            if acts_for[pk]:
                yield user, acts_for[pk]


def _own_persons(users: Collection[int]) -> dict[int, int]:
    """The key of each account's own person, its first, by the key of the account."""
    persons = Person.objects.filter(account__in=users).order_by()
    return dict(persons.values_list("account").annotate(Min("pk")))


def _letter(due: Due, user: User, addressed: Sequence[Addressed], alike: str) -> Letter:
    notification, event, entry = due.notification, due.event, due.entry
    line = notification.line
    # A dict keeps the order and drops repetitions: a guardian of three players reads an announcement once.
    lines = dict.fromkeys(line(entry, each, lambda other: other.name) if line else alike for each in addressed)
    playing = _("You get this e-mail because you take part in %(event)s.")
    applied = _("You get this e-mail because you asked for a place in %(event)s.")
    return Letter(
        subject=notification.subject(event, entry),
        lines=tuple(lines),
        action=_("Open the page"),
        path=page_of(notification, event),
        why=(applied if isinstance(addressed[0].concerned, Application) else playing) % {"event": event.name},
        unsubscribe=unsubscribe_path(user, notification.kind),
    )


def choose_notices(*, user: User, kinds: list[str], channel: Channel = Channel.LETTER) -> None:
    """Choose the kinds of notifications that an account gets by a channel.

    Refused: `notice_unknown` (with the kinds that this channel does not have).
    """
    unknown = sorted(set(kinds) - set(KINDS[channel]))
    if unknown:
        raise InvalidInput("notice_unknown", _("There is no such kind of notification."), details=unknown)
    with transaction.atomic():
        Silence.objects.filter(user=user, channel=channel, kind__in=kinds).delete()
        silent = [
            Silence(user=user, kind=kind, channel=channel)
            for kind in KINDS[channel]
            if kind not in {*kinds, *OFF_AT_FIRST}
        ]
        Silence.objects.bulk_create(silent, ignore_conflicts=True)
        if channel == Channel.PUSH:
            return
        Wish.objects.filter(user=user).exclude(kind__in=kinds).delete()
        wishes = [Wish(user=user, kind=kind) for kind in sorted(OFF_AT_FIRST & set(kinds))]
        Wish.objects.bulk_create(wishes, ignore_conflicts=True)


def silence(*, user: User, kind: str) -> None:
    """Opt an account out of the e-mails of a kind. Idempotent."""
    if kind in OFF_AT_FIRST:
        Wish.objects.filter(user=user, kind=kind).delete()
    else:
        Silence.objects.bulk_create([Silence(user=user, kind=kind)], ignore_conflicts=True)


def unsubscribe_path(user: User, kind: str) -> str:
    """The path of the unsubscribe link for a kind of notification. It is signed, not stored, and needs no sign-in."""
    return reverse("web:unsubscribe", args=[user.public_id, kind, _signature(user.public_id, kind)])


def reader_of(public_id: str, kind: str, signature: str) -> User:
    """The account of an unsubscribe link; 404 if the signature is wrong or the account is not active."""
    user = User.objects.filter(public_id=public_id, is_active=True).first()
    genuine = is_signature(signature, f"{public_id}:{kind}", salt=SALT)
    if user is None or kind not in KINDS[Channel.LETTER] or not genuine:
        raise Http404
    return user


def _signature(public_id: str, kind: str) -> str:
    return signature_of(f"{public_id}:{kind}", salt=SALT)
