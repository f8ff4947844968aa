"""Gestures on what an event is: created, opened, its staff named, its entrants registered and checked in."""

import secrets
from collections.abc import Mapping
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

import engine
from tournaments.accounts.models import Person, User
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Entrant, Event, Member, StaffRole, Stage
from tournaments.events.presets import PRESETS

Status = Event.Status
# The figures of an event: from, to; the games of a match are one of these.
BOUNDS: Mapping[str, tuple[int, ...]] = {
    "capacity": (1, 5_000),
    "rounds": (1, 30),
    "round_minutes": (1, 600),
    "best_of": (1, 3, 5),
    "cut_top": (2, 1_024),
    "cut_points": (0, 1_000),
    "pod_size": (6, 11),
    "table_size": (3, 5),
}
# The tiebreaks of a structure; the others keep those of the event's format.
SCHEMES: Mapping[str, str] = {
    Stage.Kind.TABLES: "multiplayer",
    Stage.Kind.SINGLE_ELIMINATION: "bracket",
    Stage.Kind.DOUBLE_ELIMINATION: "bracket",
}
MAX_STAGES = 6


def create_event(
    *,
    by: User,
    name: str,
    preset: str,
    now: datetime,
    capacity: int | None = None,
    starts_at: datetime | None = None,
    rounds: int | None = None,
    best_of: int | None = None,
    round_minutes: int | None = None,
    kind: str | None = None,
) -> Event:
    """Create an event from a preset, as a draft that its staff alone see; `by` becomes its owner.

    Its first stage has the structure of the preset, or that of `kind`; `events.stages` changes it and adds others.
    """
    if kind is not None:
        check_kind(kind)
    if preset not in PRESETS:
        raise InvalidInput("preset_unknown", _("There is no such format."), details=sorted(PRESETS))
    if not name.strip():
        raise InvalidInput("name_missing", _("The event needs a name."))
    check_bounds(capacity=capacity, rounds=rounds, best_of=best_of, round_minutes=round_minutes)
    chosen = PRESETS[preset]
    (catalog,) = (shipped for shipped in engine.catalogs(chosen.game) if shipped.id == chosen.catalog)
    with transaction.atomic():
        event = Event.objects.create(
            name=name.strip()[:120],
            preset=preset,
            game=chosen.game,
            ruleset=chosen.ruleset,
            catalog=catalog.id,
            catalog_sha256=catalog.sha256,
            capacity=capacity,
            starts_at=starts_at,
            created_by=by,
            created_at=now,
        )
        Stage.objects.create(
            event=event,
            kind=kind or chosen.kind,
            rounds_planned=rounds,
            best_of=best_of or chosen.best_of,
            round_minutes=round_minutes or chosen.round_minutes,
            scheme=SCHEMES.get(kind or chosen.kind, chosen.scheme),
            seed=secrets.randbits(52),
        )
        StaffRole.objects.create(event=event, user=by, role=StaffRole.Role.OWNER)
        ledger.open_chain(event.public_id)
        record(event, by, "event.created", now, after={"preset": preset})
    return event


def _possible(name: str, value: int) -> bool:
    bounds = BOUNDS[name]
    return value in bounds if name == "best_of" else bounds[0] <= value <= bounds[1]


def check_kind(kind: str) -> None:
    """Refuse a structure that there is not."""
    if kind not in Stage.Kind.values:
        raise InvalidInput("structure_unknown", _("There is no such structure."), details=list(Stage.Kind.values))


def check_bounds(**given: int | None) -> None:
    """What is given must be within `BOUNDS`; every figure that is not is named."""
    wrong = [name for name, value in given.items() if value is not None and not _possible(name, value)]
    if wrong:
        raise InvalidInput("out_of_bounds", _("Some figures are not possible."), details=wrong)


def move_event(
    event: Event, *, by: User, now: datetime, allowed: tuple[str, ...], to: str, code: str, note: str = ""
) -> None:
    """Take an event from one of the `allowed` states to another, inside a transaction; refused from elsewhere."""
    before = event.status
    if not Event.objects.filter(pk=event.pk, status__in=allowed).update(status=to):
        raise Refusal("event_state", _("The event has moved on: this step is not open now."))
    event.status = to
    record(event, by, code, now, before={"status": before}, after={"status": to}, note=note)


def open_registration(*, event: Event, by: User, now: datetime) -> None:
    """Make the event public and let players register and submit decklists."""
    with transaction.atomic():
        move_event(event, by=by, now=now, allowed=(Status.DRAFT,), to=Status.REGISTRATION, code="event.opened")


def open_check_in(*, event: Event, by: User, now: datetime) -> None:
    """Let players and staff say who is there."""
    with transaction.atomic():
        move_event(event, by=by, now=now, allowed=(Status.LOCKED,), to=Status.CHECK_IN, code="event.check_in_opened")


def cancel_event(*, event: Event, by: User, now: datetime, reason: str = "") -> None:
    """Cancel an event from any state before it is finished."""
    live = (Status.DRAFT, Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN, Status.RUNNING)
    with transaction.atomic():
        move_event(event, by=by, now=now, allowed=live, to=Status.CANCELLED, code="event.cancelled", note=reason)


def grant_role(*, event: Event, email: str, role: str, by: User, now: datetime) -> StaffRole:
    """Give an account a role at the event. Twice is once."""
    if role not in StaffRole.Role.values:
        raise InvalidInput("role_unknown", _("There is no such role."), details=list(StaffRole.Role.values))
    user = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if user is None:
        raise InvalidInput("account_unknown", _("There is no account with this e-mail address."))
    with transaction.atomic():
        granted, made = StaffRole.objects.get_or_create(event=event, user=user, role=role)
        if made:
            record(event, by, "staff.granted", now, object=user.public_id, after={"role": role})
    return granted


def revoke_role(*, role: StaffRole, by: User, now: datetime) -> None:
    """Take a role back; the last owner's stays."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=role.event_id)
        owners = StaffRole.objects.filter(event=event, role=StaffRole.Role.OWNER)
        if role.role == StaffRole.Role.OWNER and not owners.exclude(pk=role.pk).exists():
            raise Refusal("last_owner", _("An event keeps at least one owner."))
        if StaffRole.objects.filter(pk=role.pk).delete()[0]:
            record(event, by, "staff.revoked", now, object=role.user.public_id, before={"role": role.role})


def register(*, event: Event, person: Person, by: User, now: datetime) -> Entrant:
    """Enter a person in an event, or on its waiting list when it is full. A second time is refused.

    Who dropped while registration is open comes back at the end of the queue.
    """
    try:
        with transaction.atomic():
            return _enter(event, person, by, now)
    except IntegrityError:
        raise Refusal("already_registered", _("This person is registered already."))


def add_entrant(*, event: Event, given_name: str, family_name: str, by: User, now: datetime) -> Entrant:
    """Enter a person who has no account, from the desk."""
    if not given_name.strip():
        raise InvalidInput("name_missing", _("A first name or a nickname is needed."))
    with transaction.atomic():
        person = Person.objects.create(given_name=given_name.strip()[:80], family_name=family_name.strip()[:80])
        return _enter(event, person, by, now)


def _enter(event: Event, person: Person, by: User, now: datetime) -> Entrant:
    # The event's row is the lock of its capacity: two last places are never given at once.
    event = Event.objects.select_for_update().get(pk=event.pk)
    if event.status != Status.REGISTRATION:
        raise Refusal("registration_closed", _("Registration is not open."))
    taken = event.entrants.filter(status=Entrant.Status.REGISTERED).count()
    full = event.capacity is not None and taken >= event.capacity
    status = Entrant.Status.WAITING if full else Entrant.Status.REGISTERED
    entrant = Entrant.objects.filter(event=event, member__person=person, status=Entrant.Status.DROPPED).first()
    if entrant is not None:
        entrant.status, entrant.dropped_after, entrant.registered_at = status, None, now
        entrant.save(update_fields=["status", "dropped_after", "registered_at"])
    else:
        entrant = Entrant.objects.create(event=event, registered_at=now, status=status)
        Member.objects.create(event=event, entrant=entrant, person=person)
    record(event, by, "entrant.registered", now, object=entrant.public_id, after={"status": entrant.status})
    return entrant


def check_in(*, entrant: Entrant, by: User | Entrant, now: datetime) -> None:
    """Note that an entrant is there. Twice is once. `by` is the entrant itself when its seat link did it."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status != Status.CHECK_IN:
            raise Refusal("check_in_closed", _("Check-in is not open."))
        here = Entrant.objects.filter(pk=entrant.pk, status=Entrant.Status.REGISTERED, checked_in_at=None)
        if here.update(checked_in_at=now):
            record(event, by, "entrant.checked_in", now, object=entrant.public_id)


def record(
    event: Event,
    by: User | Entrant,
    code: str,
    now: datetime,
    *,
    object: str = "",
    before: object = None,
    after: object = None,
    note: str = "",
) -> None:
    """One line of the event's ledger."""
    ledger.record(
        chain=event.public_id,
        actor=by.public_id,
        code=code,
        object=object or event.public_id,
        now=now,
        before=before,
        after=after,
        note=note.strip()[:2000],
    )
