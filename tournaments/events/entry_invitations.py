"""Invitations to take over an entry: letters to people whom the desk entered with an e-mail address.

The link in the letter is signed with the installation's key and not stored; the row of the invitation says whether it
is still valid. Addresses are seen by the desk only: no ledger entry, export or event file holds them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.common.mail import Letter, PutOff, post, post_office
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.common.signatures import is_signature, signature_of
from tournaments.events.claims import claim_entry, typed_person
from tournaments.events.entry_files import valid_address
from tournaments.events.models import Entrant, EntryInvitation, Event
from tournaments.events.services import record

SALT = "arbitre.entry-invitation"
DAYS = 30  # that a link is valid, and an address is kept without being used
LETTERS_A_DAY = 5_000  # per account, so that invitations cannot be used to send spam
AT_ONE_ADDRESS = 20  # open invitations of one event: a group may have one mailbox
AGAIN_AFTER = timedelta(days=1)  # between two letters to the same person
BATCH = 500  # rows per statement
# While these last, letters make sense: a draft is seen by its staff only.
SENT_IN = (Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING)


class State:
    """What has become of inviting an entrant. `ACCOUNT`: the entry belongs to an account without an invitation."""

    NO_ADDRESS = "no_address"
    NOT_INVITED = "not_invited"
    SENDING = "sending"
    INVITED = "invited"
    OPENED = "opened"
    TAKEN_OVER = "taken_over"
    ACCOUNT = "account"

    ALL = (NOT_INVITED, NO_ADDRESS, SENDING, INVITED, OPENED, TAKEN_OVER, ACCOUNT)


@dataclass(frozen=True, slots=True)
class Invited:
    """What the desk sees of an entrant's invitation; `invitation` is None if none is open."""

    entrant: Entrant
    state: str
    invitation: EntryInvitation | None = None

    @property
    def email(self) -> str:
        """The address that the letter is sent to, "" if there is none."""
        return self.invitation.email if self.invitation else ""


@dataclass(frozen=True, slots=True)
class Sending:
    """How far the letters of an event are: how many are still to be sent, and whether the job has given up."""

    waiting: int
    stopped: bool


def open_invitations(now: datetime) -> Q:
    """The condition on invitations that can still be accepted."""
    return Q(accepted_by=None, withdrawn_at=None, expires_at__gt=now)


def is_open(invitation: EntryInvitation, now: datetime) -> bool:
    """Whether an invitation can still be accepted."""
    untouched = invitation.accepted_by_id is None and invitation.withdrawn_at is None
    return untouched and invitation.expires_at > now


def state_of(invitation: EntryInvitation | None) -> str:
    """The state of an entrant without an account, by its open invitation."""
    if invitation is None:
        return State.NO_ADDRESS
    if invitation.asked_at is None:
        return State.NOT_INVITED
    if invitation.sent_at is None or invitation.sent_at < invitation.asked_at:
        return State.SENDING
    return State.OPENED if invitation.opened_at else State.INVITED


def invited_of(event: Event, entrants: Iterable[Entrant], now: datetime) -> list[Invited]:
    """The invitation of each entrant. Two queries; the entrants have their members prefetched."""
    theirs = EntryInvitation.objects.filter(entrant__event=event)
    # By the event and not by their keys, of which there may be more than SQLite takes in one query.
    opened = {each.entrant_id: each for each in theirs.filter(open_invitations(now))}
    accepted = set(theirs.exclude(accepted_by=None).values_list("entrant_id", flat=True))
    return [_invited(entrant, opened.get(entrant.pk), entrant.pk in accepted) for entrant in entrants]


def _invited(entrant: Entrant, invitation: EntryInvitation | None, accepted: bool) -> Invited:
    if any(member.person.account_id is not None for member in entrant.member_set.all()):
        return Invited(entrant, State.TAKEN_OVER if accepted else State.ACCOUNT)
    return Invited(entrant, state_of(invitation), invitation)


def sending_of(event: Event) -> Sending:
    """How far the letters of an event are."""
    waiting = _unsent(event).count()
    job = jobs.state_of("events.invite_entrants", event.public_id) if waiting else None
    return Sending(waiting, job is not None and job.status == "failed")


def _unsent(event: Event) -> QuerySet[EntryInvitation]:
    asked = EntryInvitation.objects.filter(entrant__event=event, accepted_by=None, withdrawn_at=None)
    return asked.filter(Q(sent_at=None) | Q(sent_at__lt=F("asked_at")), asked_at__isnull=False).exclude(email="")


def keep_addresses(pairs: Sequence[tuple[Entrant, str]], *, by: User, now: datetime) -> list[EntryInvitation]:
    """Store the e-mail addresses of new entrants, and return their invitations, of which no letter is sent yet.

    An address of more than `AT_ONE_ADDRESS` entrants is kept for that many of them. In a transaction.
    """
    seen: dict[str, int] = {}
    made = []
    for entrant, email in pairs:
        seen[email] = seen.get(email, 0) + 1
        if seen[email] <= AT_ONE_ADDRESS:
            made.append(_new(entrant, email, by, now))
    return EntryInvitation.objects.bulk_create(made, batch_size=BATCH)


def _new(entrant: Entrant, email: str, by: User, now: datetime) -> EntryInvitation:
    return EntryInvitation(entrant=entrant, email=email, made_by=by, made_at=now, expires_at=now + timedelta(days=DAYS))


def set_address(*, entrant: Entrant, email: str, by: User, now: datetime) -> EntryInvitation | None:
    """Enter or correct the address of an entrant, or delete it with "". No letter is sent yet.

    The link in a letter to an earlier address becomes invalid. The address that is there already changes nothing.

    Refused: `address_invalid`, `already_claimed`, `too_many_invitations` (twenty of one address in the event).
    """
    address = valid_address(email)
    if email.strip() and not address:
        raise InvalidInput("address_invalid", _("This is not an e-mail address."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        entrant = Entrant.objects.select_for_update().get(pk=entrant.pk)
        before = _open_of(entrant, now)
        if before is not None and before.email == address:
            return before
        if not address:
            _end(event, entrant, by, now)
            return None
        if typed_person(entrant) is None:
            raise Refusal("already_claimed", _("This entry belongs to an account."))
        same = EntryInvitation.objects.filter(open_invitations(now), entrant__event=event, email=address)
        if same.exclude(entrant=entrant).count() >= AT_ONE_ADDRESS:
            raise Refusal("too_many_invitations", _("Twenty players already have this address: use another."))
        _end(event, entrant, by, now)
        made = _new(entrant, address, by, now)
        made.save()
        record(event, by, "entrant.address_noted", now, object=entrant.public_id)
    return made


def withdraw(*, entrant: Entrant, by: User, now: datetime) -> None:
    """Withdraw the invitation of an entrant and delete the address. Idempotent. An entry taken over stays so."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        _end(event, Entrant.objects.select_for_update().get(pk=entrant.pk), by, now)


def _open_of(entrant: Entrant, now: datetime) -> EntryInvitation | None:
    return EntryInvitation.objects.filter(open_invitations(now), entrant=entrant).first()


def _end(event: Event, entrant: Entrant, by: User, now: datetime) -> None:
    """End the invitation of an entrant, also an expired one: an entrant has at most one that is not."""
    found = EntryInvitation.objects.filter(entrant=entrant, accepted_by=None, withdrawn_at=None)
    if found.update(withdrawn_at=now, email=""):
        record(event, by, "entrant.invitation_withdrawn", now, object=entrant.public_id)


def invite(
    *, event: Event, by: User, now: datetime, entrants: Collection[str] | None = None, again: bool = False
) -> int:
    """Send a letter to entrants whose address is known, and return to how many.

    - `entrants`: public ids; None for everybody
    - `again`: those who were invited and have not taken over their entry, instead of those not yet invited

    Nobody gets two letters within a day (`AGAIN_AFTER`). Those who have an account, or whose letter is on its way, get
    none. The letters are sent by a job.

    Refused: `event_state` in a draft and once the event is over, `too_many_emails` (nobody is invited then).
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # so that requests at once cannot exceed the daily limit
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status not in SENT_IN:
            raise Refusal("event_state", _("You can only invite players while the event is open or running."))
        found = list(to_invite(event, now, entrants, again=again).select_related("entrant").order_by("pk"))
        if found:
            ask_for_letters(event=event, invitations=found, by=by, now=now)
    return len(found)


def to_invite(
    event: Event, now: datetime, entrants: Collection[str] | None = None, *, again: bool = False
) -> QuerySet[EntryInvitation]:
    """The invitations of which `invite` would send a letter now, with the same arguments."""
    found = EntryInvitation.objects.filter(open_invitations(now), entrant__event=event).exclude(email="")
    found = found.filter(entrant__member__person__account=None).exclude(entrant__status=Entrant.Status.DROPPED)
    if entrants is not None:
        found = found.filter(entrant__public_id__in=entrants)
    if not again:
        return found.filter(asked_at=None)
    return found.filter(sent_at__gte=F("asked_at"), asked_at__lte=now - AGAIN_AFTER)


def ask_for_letters(*, event: Event, invitations: Sequence[EntryInvitation], by: User, now: datetime) -> None:
    """Have the letters of invitations sent by a job. Call it with the event locked. Refused: `too_many_emails`."""
    recent = EntryInvitation.objects.filter(made_by=by, asked_at__gt=now - timedelta(days=1)).count()
    if recent + len(invitations) > LETTERS_A_DAY:
        sentence = _("You can send 5,000 invitations a day. Wait until tomorrow.")
        raise Refusal("too_many_emails", sentence, details=[LETTERS_A_DAY])
    asked = {"asked_at": now, "made_by": by, "expires_at": now + timedelta(days=DAYS)}
    keys = [invitation.pk for invitation in invitations]
    for start in range(0, len(keys), BATCH):
        EntryInvitation.objects.filter(pk__in=keys[start : start + BATCH]).update(**asked)
    after = {"invited": len(keys), "entrants": [invitation.entrant.public_id for invitation in invitations]}
    record(event, by, "entrant.invited", now, after=after)
    jobs.enqueue("events.invite_entrants", event.public_id, payload={"event": event.pk}, now=now)


def send_letters(*, event_id: int, now: datetime, progress: Progress = unseen) -> None:
    """Send every letter that staff asked for and that is not sent yet; run by the job `events.invite_entrants`.

    Raises `PutOff`, after all others were sent, if the server will accept a letter only later.
    """
    event = Event.objects.get(pk=event_id)
    keys = list(_unsent(event).values_list("pk", flat=True))
    if not keys or event.status not in SENT_IN:
        return
    put_off: PutOff | None = None
    with post_office(now) as connection:
        for done, key in enumerate(keys):
            progress(100 * done // len(keys))
            try:
                _send(key, now, connection)
            except PutOff as later:  # a single busy mailbox must not delay the letters of everybody else
                put_off = later
    if put_off is not None:
        raise put_off


def _send(key: int, now: datetime, connection: object) -> None:
    # Read again: it may have been withdrawn or accepted since the job began.
    found = EntryInvitation.objects.filter(open_invitations(now), pk=key)
    invitation = found.select_related("entrant__event", "made_by").prefetch_related("entrant__member_set").first()
    if invitation is None or not invitation.email or invitation.asked_at is None:
        return
    known = User.objects.filter(email=invitation.email, is_active=True).first()
    language = (known or invitation.made_by).language
    with translation.override(language):
        letter = _letter(invitation)
    asked = invitation.asked_at
    name = f"entry:{invitation.public_id}:{asked.timestamp():.0f}"
    post(letter, to=invitation.email, language=language, key=name, now=now, connection=connection)
    EntryInvitation.objects.filter(pk=key, asked_at=asked).update(sent_at=max(now, asked))


def _letter(invitation: EntryInvitation) -> Letter:
    event = invitation.entrant.event
    named = {"event": event.name, "name": invitation.entrant.full_name, "days": DAYS}
    lines = [_("The organizer of %(event)s has entered %(name)s as a player.") % named]
    if event.lists == Event.Lists.NONE:
        lines.append(_("With an account you can see your pairings and report your own results."))
    else:
        lines.append(_("With an account you can submit your decklist, see your pairings and report your own results."))
    lines.append(_("The link works once, for %(days)d days.") % named)
    return Letter(
        subject=_("Your entry in %(event)s") % named,
        lines=tuple(lines),
        action=_("Take over the entry"),
        path=path_of(invitation),
        why=_("You get this e-mail because the organizer of the event gave your address. It is used for nothing else."),
    )


def secret_of(invitation: EntryInvitation) -> str:
    """The signature in an invitation's link."""
    return signature_of(invitation.public_id, salt=SALT)


def path_of(invitation: EntryInvitation) -> str:
    """The path of an invitation's link, signature included."""
    return reverse("web:entry_invitation", args=[invitation.public_id, secret_of(invitation)])


def invitation_for_holder(public_id: str, secret: str) -> EntryInvitation:
    """The invitation of a link, valid or not; 404 if the signature is wrong or the event is a draft."""
    found = EntryInvitation.objects.filter(public_id=public_id).select_related("entrant__event").first()
    if found is None or not found.entrant.event.is_public or not is_signature(secret, public_id, salt=SALT):
        raise Http404
    return found


def note_opened(*, invitation: EntryInvitation, now: datetime) -> None:
    """Note that the link of an invitation was opened, the first time."""
    EntryInvitation.objects.filter(open_invitations(now), pk=invitation.pk, opened_at=None).update(opened_at=now)


def accept(*, invitation: EntryInvitation, person: Person, by: User, now: datetime) -> Entrant:
    """Give the entry to a person of the account `by`, as `claims.claim_entry` does. Idempotent for that account.

    Refused: `invitation_spent` if somebody else accepted it, or it was withdrawn or has expired; and what `claim_entry`
    refuses.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=invitation.entrant.event_id)
        entrant = Entrant.objects.select_for_update().get(pk=invitation.entrant_id)
        # A conditional update: if two accounts accept at once, only one of them matches.
        found = EntryInvitation.objects.filter(open_invitations(now), pk=invitation.pk)
        if found.update(accepted_by=by, email=""):
            return claim_entry(entrant=entrant, person=person, by=by, now=now)
        theirs = Entrant.objects.filter(pk=entrant.pk, event=event, member__person__account=by)
        if theirs.exists() and EntryInvitation.objects.filter(pk=invitation.pk, accepted_by=by).exists():
            return entrant
    raise Refusal("invitation_spent", _("This invitation is no longer valid. Ask for a new one."))


def follow_replaced(*, new: Person, **_signal: object) -> None:
    """When an entry goes to an account by another way than its invitation, end this with its address.

    Receives `accounts.signals.person_replaced`.
    """
    if new.account_id is not None:
        theirs = EntryInvitation.objects.filter(entrant__member__person=new, accepted_by=None)
        keys = list(theirs.values_list("pk", flat=True))
        EntryInvitation.objects.filter(pk__in=keys).update(accepted_by=new.account_id, email="")


def forget_person(*, person: Person, **_signal: object) -> None:
    """End the invitations of an erased person, and those to the address of an erased account.

    Receives `accounts.signals.person_erased`. A guardian who removes a child keeps theirs.
    """
    erased_at = Person.objects.values_list("erased_at", flat=True).get(pk=person.pk)
    wanted = Q(entrant__member__person=person)
    account = person.account
    if account is not None and account.email and not Person.objects.filter(account=account).exists():
        wanted |= Q(email=account.email)
    keys = list(EntryInvitation.objects.filter(wanted).values_list("pk", flat=True))
    ended = EntryInvitation.objects.filter(pk__in=keys)
    ended.filter(accepted_by=None, withdrawn_at=None).update(withdrawn_at=erased_at)
    ended.update(email="")


def forget_expired(*, now: datetime) -> None:
    """Delete the addresses of invitations that have expired."""
    EntryInvitation.objects.filter(expires_at__lte=now).exclude(email="").update(email="")


def told_to(user: User) -> list[Mapping[str, str]]:
    """The open invitations to the confirmed address of an account, as plain values for its data export."""
    if not user.email or user.email_confirmed_at is None:
        return []
    theirs = EntryInvitation.objects.filter(email=user.email).select_related("entrant__event").order_by("pk")
    return [
        {
            "event": each.entrant.event.public_id,
            "event_name": each.entrant.event.name,
            "entrant": each.entrant.public_id,
            "email": each.email,
            "made": each.made_at.isoformat(),
            "expires": each.expires_at.isoformat(),
        }
        for each in theirs
    ]
