"""E-mail notifications: each ledger entry that concerns players enqueues one job, which sends the e-mails in batches.

Each e-mail has a key made of the entry and the account, so it is sent at most once, however often the job runs
(`common.mail`).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.mail import Letter, PutOff, post, post_office
from tournaments.common.models import LedgerEntry
from tournaments.common.refusals import InvalidInput
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.models import Entrant, Event
from tournaments.notices.models import Kind, Silence
from tournaments.notices.notifications import LATER, NOTIFICATIONS, Notification, page_of

BATCH = 100  # accounts read at a time
FRESH = timedelta(hours=6)  # an e-mail that would be later than this is no longer sent
BEFORE = timedelta(days=1)  # how long before the event players are reminded of a missing decklist
SALT = "arbitre.letters"


def ask_for_letters(entries: Sequence[LedgerEntry]) -> None:
    """Enqueue a job for each entry that causes a notification. A follower of the ledger (`common.ledger.follow`)."""
    for entry in entries:
        if entry.code not in NOTIFICATIONS:
            continue
        if entry.code == "event.details_changed":
            _remind_anew(entry)
        when = _reminder(entry.chain) if entry.code in LATER else entry.at
        if when is not None:
            _ask(entry, entry.at, when)


def _ask(entry: LedgerEntry, now: datetime, when: datetime) -> None:
    payload = {"chain": entry.chain, "number": entry.number}
    jobs.enqueue("notices.tell", f"{entry.chain}:{entry.number}", payload=payload, now=now, run_after=when)


def _remind_anew(entry: LedgerEntry) -> None:
    """Reschedule the reminders of an event if its start has changed."""
    when = _reminder(entry.chain)
    if "starts_at" in entry.after.get("changed", ()) and when is not None:
        for earlier in LedgerEntry.objects.filter(chain=entry.chain, code__in=LATER):
            _ask(earlier, entry.at, when)


def _reminder(event_id: str) -> datetime | None:
    starts_at = Event.objects.values_list("starts_at", flat=True).get(public_id=event_id)
    return starts_at and starts_at - BEFORE


def tell(*, chain: str, number: int, now: datetime, progress: Progress = unseen) -> None:
    """Send the e-mails of a ledger entry to everybody whom it still concerns. Nobody gets one twice.

    Nothing is sent if it is more than `FRESH` too late. Raises `PutOff`, after all others were sent, if the server
    will accept an e-mail only later.
    """
    entry = LedgerEntry.objects.get(chain=chain, number=number)
    event = Event.objects.get(public_id=chain)
    notification = NOTIFICATIONS[entry.code]
    due = (_reminder(chain) if entry.code in LATER else entry.at) or entry.at
    if now - due > FRESH:
        return
    if due > now and entry.code in LATER:  # the event was postponed meanwhile
        with transaction.atomic():
            _ask(entry, now, due)
        return
    readers = _readers(notification, event, entry)
    if not readers:  # before a connection to the mail server is opened
        return
    alike = notification.alike(entry) if notification.alike else ""
    put_off: PutOff | None = None
    with post_office(now) as connection:
        for done, (user, entrants) in enumerate(_batches(notification, event, entry, readers)):
            progress(100 * done // len(readers))
            key = f"{chain}:{number}:{user.public_id}"
            with translation.override(user.language):
                letter = _letter(notification, event, entry, user, entrants, alike)
            try:
                post(letter, to=user.email or "", language=user.language, key=key, now=now, connection=connection)
            except PutOff as later:  # a single busy mailbox must not delay the e-mails of everybody else
                put_off = later
    if put_off is not None:
        raise put_off


def _readers(notification: Notification, event: Event, entry: LedgerEntry) -> list[int]:
    """The keys of the accounts to notify: concerned, with a confirmed address, and not opted out."""
    concerned = notification.audience(event, entry).values("member__person__account")
    silent = Silence.objects.filter(kind=notification.kind).values("user")
    wanted = User.objects.filter(pk__in=concerned, is_active=True, email_confirmed_at__isnull=False)
    return list(wanted.exclude(email=None).exclude(pk__in=silent).order_by("pk").values_list("pk", flat=True))


def _batches(
    notification: Notification, event: Event, entry: LedgerEntry, readers: list[int]
) -> Iterator[tuple[User, list[Entrant]]]:
    """Yield each account with the concerned entrants it acts for (several for a guardian), read in batches."""
    for start in range(0, len(readers), BATCH):
        users = User.objects.in_bulk(readers[start : start + BATCH])
        entrants = notification.audience(event, entry).filter(member__person__account__in=users)
        acts_for: dict[int, list[Entrant]] = defaultdict(list)
        for entrant in entrants.prefetch_related("member_set__person").order_by("pk").distinct():
            for account in {member.person.account_id for member in entrant.member_set.all()}:
                if account is not None:
                    acts_for[account].append(entrant)
        for pk, user in users.items():
            if acts_for[pk]:
                yield user, acts_for[pk]


def _letter(
    notification: Notification, event: Event, entry: LedgerEntry, user: User, entrants: list[Entrant], alike: str
) -> Letter:
    # A dict keeps the order and drops repetitions: a guardian of three players reads an announcement once.
    lines = dict.fromkeys(notification.line(entry, entrant) if notification.line else alike for entrant in entrants)
    return Letter(
        subject=notification.subject(event, entry),
        lines=tuple(lines),
        action=_("Open the page"),
        path=page_of(notification, event),
        why=_("You get this letter because you take part in %(event)s.") % {"event": event.name},
        unsubscribe=unsubscribe_path(user, notification.kind),
    )


def choose_notices(*, user: User, kinds: list[str]) -> None:
    """Choose the kinds of notifications that an account gets. Refused: `notice_unknown` (with the unknown ones)."""
    unknown = sorted(set(kinds) - set(Kind.values))
    if unknown:
        raise InvalidInput("notice_unknown", _("There is no such kind of notice."), details=unknown)
    with transaction.atomic():
        Silence.objects.filter(user=user, kind__in=kinds).delete()
        silent = [Silence(user=user, kind=kind) for kind in Kind.values if kind not in kinds]
        Silence.objects.bulk_create(silent, ignore_conflicts=True)


def silence(*, user: User, kind: str) -> None:
    """Opt an account out of a kind of notification. Idempotent."""
    Silence.objects.bulk_create([Silence(user=user, kind=kind)], ignore_conflicts=True)


def unsubscribe_path(user: User, kind: str) -> str:
    """The path of the unsubscribe link for a kind of notification. It is signed, not stored, and needs no sign-in."""
    return reverse("web:unsubscribe", args=[user.public_id, kind, _signature(user.public_id, kind)])


def reader_of(public_id: str, kind: str, signature: str) -> User:
    """The account of an unsubscribe link; 404 if the signature is wrong or the account is not active."""
    user = User.objects.filter(public_id=public_id, is_active=True).first()
    genuine = is_signature(signature, f"{public_id}:{kind}", salt=SALT)
    if user is None or kind not in Kind.values or not genuine:
        raise Http404
    return user


def _signature(public_id: str, kind: str) -> str:
    return signature_of(f"{public_id}:{kind}", salt=SALT)
