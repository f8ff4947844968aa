"""Actions on an event before play: creation, settings, registration, staff, entrants and check-in.

Each action is one transaction that locks the event's row first and writes one ledger entry. What is refused raises
`Refusal`, `InvalidInput` or `NotAllowed` with a code.
"""

import secrets
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.accounts.owning import owned_by, owns
from tournaments.accounts.selectors import account_of_address
from tournaments.accounts.services import person_without_account
from tournaments.common import ledger
from tournaments.common.letters import folded
from tournaments.common.models import LedgerEntry
from tournaments.common.moments import check_dates
from tournaments.common.names import as_name
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events import blueprints
from tournaments.events.blueprints import Blueprint, scheme_for
from tournaments.events.entry_files import is_address, name_key
from tournaments.events.models import Entrant, Event, Member, Question, SavedFormat, StaffRole, Stage
from tournaments.events.naming import refresh_shown_names
from tournaments.events.presets import PRESETS
from tournaments.events.procedures import Procedures, read_procedures, with_changes
from tournaments.events.selectors import registration_at
from tournaments.events.signals import came_in, coming_in
from tournaments.events.visibility import read_visibility
from tournaments.events.zones import check_zone

Status = Event.Status
LONGEST_CONTACT = 200
MAX_FORMATS = 100  # per account
# Inclusive bounds of the numbers that organizers may set; for `best_of`, the values themselves.
BOUNDS: Mapping[str, tuple[int, ...]] = {
    "capacity": (1, 5_000),
    "rounds": (1, 30),
    "round_minutes": (1, 600),
    "best_of": (1, 3, 5),
    "team_size": (1, 5),
    "substitutes": (0, 5),
    "team_deck_limit": (1, 99),
    "cut_top": (2, 1_024),
    "cut_points": (0, 1_000),
    "pod_size": (6, 11),
    "table_size": (3, 5),
}
MAX_STAGES = 6
NOT_FOR_TEAMS = (Stage.Kind.PODS, Stage.Kind.TABLES)
# The states in which a section of the procedures may be changed; a section not named here, in `_NOT_OVER`.
_BEFORE_PLAY = (Status.DRAFT, Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN)
_NOT_OVER = (*_BEFORE_PLAY, Status.RUNNING)
_OPEN_IN = {
    "limited": _BEFORE_PLAY,
    "prizes": (*_NOT_OVER, Status.FINISHED),
    "entry": (*_NOT_OVER, Status.FINISHED),
}


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
    game_name: str = "",
    lists: str | None = None,
    time_zone: str = "",
) -> Event:
    """Create an event owned by `by`, as a draft that only its staff can see.

    `preset` is the id of a preset (`events.presets`) or of one of the account's saved formats. `rounds`, `best_of`,
    `round_minutes` and `kind` override the first stage; `events.stages` changes it later and adds others. `game_name`
    is for a game that the engine does not know.

        create_event(by=user, name="Summer Open", preset="star-safir", now=now, capacity=64)

    Raises `InvalidInput`: `out_of_bounds` (with the names), `time_zone_unknown`, `preset_unknown`, `lists_unknown`,
    `structure_unknown`, `name_missing`, `date_out_of_range`; for a format of teams also Refusal `team_structure`.
    """
    check_bounds(capacity=capacity, rounds=rounds, best_of=best_of, round_minutes=round_minutes)
    check_zone(time_zone)
    plan = _plan(preset, by)
    plan = replace(plan, event={**plan.event, "time_zone": time_zone})
    if lists is not None:
        check_lists(lists)
        plan = replace(plan, event={**plan.event, "lists": lists})
    if kind is not None:
        check_kind(kind)
        # The preset's number of rounds belongs to its own structure, so it is dropped with it.
        scheme = scheme_for(kind, PRESETS[str(plan.event["preset"])])
        plan.stages[0].update(kind=kind, scheme=scheme, rounds_planned=None)
    figures = {"rounds_planned": rounds, "best_of": best_of, "round_minutes": round_minutes}
    plan.stages[0].update({key: value for key, value in figures.items() if value is not None})
    if as_name(game_name) and not plan.event["game"]:
        plan = replace(plan, event={**plan.event, "game_name": as_name(game_name)})
    return _build(plan, name, capacity, starts_at, by, now)


def clone_event(*, event: Event, name: str, by: User, now: datetime, starts_at: datetime | None = None) -> Event:
    """Create a draft event with the settings of an existing one, without its entrants and staff.

    Format, stages, capacity, procedures, description, link, fee and time zone are copied. `by` becomes the owner.
    """
    plan = blueprints.of_event(event)
    said = {name: getattr(event, name) for name in ("description", "link", "fee", "time_zone")}
    plan = replace(plan, event={**plan.event, **said})
    return _build(plan, name, event.capacity, starts_at, by, now, {"from": event.public_id})


def save_format(*, event: Event, name: str, by: User, now: datetime) -> SavedFormat:
    """Save the settings of an event as a named format of the account; a format of the same name is replaced.

    If the account gave that one to a club, it is replaced for the club too, as long as the account manages the club.

    Refused: `name_missing`, `too_many_formats` (at most `MAX_FORMATS`).
    """
    name = as_name(name)
    if not name:
        raise InvalidInput("name_missing", _("The format needs a name."))
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # so that two requests at once cannot exceed the limit
        known = SavedFormat.objects.filter(owner=by, name=name).first()
        if known is not None and not owns(by, known):
            raise Refusal("format_of_club", _("A club holds a format that you saved under this name: choose another."))
        if known is None and by.saved_formats.count() >= MAX_FORMATS:
            raise Refusal("too_many_formats", _("You already have a hundred formats: delete one."))
        saved, _made = SavedFormat.objects.update_or_create(
            owner=by,
            name=name,
            defaults={"blueprint": blueprints.of_event(event).to_json(), "created_at": now},
        )
    return saved


def delete_format(*, saved: SavedFormat) -> None:
    """Delete a saved format. Events created from it do not change."""
    saved.delete()


def closed_sections(event: Event) -> set[str]:
    """The sections of an event's procedures that can no longer be changed."""
    return {part.name for part in fields(Procedures) if event.status not in _OPEN_IN.get(part.name, _NOT_OVER)}


def change_procedures(*, event: Event, procedures: object, by: User, now: datetime, whole: bool = False) -> None:
    """Change the fields of an event's procedures that are named; all others stay. With `whole`, every one is needed.

    Refused: `procedures_invalid`; `event_state` (with the sections) if a section that is closed would change, and then
    nothing is saved.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        kept = read_procedures(event.procedures)
        replaced = read_procedures(procedures, whole=True) if whole else with_changes(kept, procedures)
        before, wanted = kept.to_json(), replaced.to_json()
        changed = [name for name in wanted if wanted[name] != before[name]]
        if not changed:
            return
        if late := sorted(closed_sections(event).intersection(changed)):
            message = _("The event has moved on: some of these procedures can no longer change.")
            raise Refusal("event_state", message, details=late)
        event.procedures = wanted
        event.save(update_fields=["procedures"])
        record(
            event,
            by,
            "event.procedures_changed",
            now,
            before={name: before[name] for name in changed},
            after={name: wanted[name] for name in changed},
        )


def change_contact(*, event: Event, contact: str, by: User, now: datetime) -> None:
    """Set how players can reach the organizer; "" to show nothing. Refused: `contact_too_long`.

    It may be personal data, so the ledger records only whether a contact is shown.
    """
    wanted = " ".join(contact.split())
    if len(wanted) > LONGEST_CONTACT:
        raise InvalidInput("contact_too_long", _("A contact has at most 200 characters."))
    with transaction.atomic():
        if Event.objects.filter(pk=event.pk).exclude(contact=wanted).update(contact=wanted):
            record(event, by, "event.contact_changed", now, after={"shown": bool(wanted)})
    event.contact = wanted


def choose_visibility(*, event: Event, cells: object, by: User, now: datetime) -> dict[str, str]:
    """Change cells of the visibility table (`events.visibility`) and return the complete table.

    Cells not given stay as they are. Possible until the event is archived or cancelled, so that what opens or closes
    after the end can still be chosen. Refused: `event_state`, `visibility_invalid`.
    """
    if not isinstance(cells, Mapping):
        cells = {"": cells}  # no such cell: `read_visibility` refuses it below
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status in (Status.ARCHIVED, Status.CANCELLED):
            raise Refusal("event_state", _("The event is over."))
        before = read_visibility(event.visibility)
        wanted = read_visibility({**event.visibility, **cells})
        changed = [cell for cell in wanted if wanted[cell] != before[cell]]
        if changed:
            event.visibility = wanted
            event.save(update_fields=["visibility"])
            changes = [{cell: table[cell] for cell in changed} for table in (before, wanted)]
            record(event, by, "event.visibility_chosen", now, before=changes[0], after=changes[1])
    return wanted


def _plan(preset: str, by: User) -> Blueprint:
    """The blueprint of a preset, or of a saved format that belongs to the account or to a club it manages."""
    if preset in PRESETS:
        return blueprints.of_preset(PRESETS[preset])
    saved = SavedFormat.objects.filter(owned_by(by), public_id=preset).first()
    if saved is None:
        raise InvalidInput("preset_unknown", _("There is no such format."), details=sorted(PRESETS))
    return blueprints.of_saved(saved)


def _build(
    plan: Blueprint,
    name: str,
    capacity: int | None,
    starts_at: datetime | None,
    by: User,
    now: datetime,
    after: dict[str, str] | None = None,
) -> Event:
    check_dates(starts_at=starts_at)
    name = as_name(name, 120)
    if not name:
        raise InvalidInput("name_missing", _("The event needs a name."))
    if plan.event.get("team_size", 1) > 1:  # of a format that was saved from a team event, or of a copy of one
        for stage in plan.stages:
            refuse_kind_for_teams(stage["kind"])
    with transaction.atomic():
        event = Event.objects.create(
            **plan.event, name=name, capacity=capacity, starts_at=starts_at, created_by=by, created_at=now
        )
        for values in plan.stages:
            # 52 bits: a JSON number that is exact in every reader (JavaScript's limit is 53 bits).
            Stage.objects.create(**values, event=event, seed=secrets.randbits(52))
        for number, values in enumerate(plan.questions, start=1):
            Question.objects.create(**values, event=event, number=number, position=number)
        StaffRole.objects.create(event=event, user=by, role=StaffRole.Role.OWNER)
        ledger.open_chain(event.public_id)
        record(event, by, "event.created", now, after={"preset": event.preset, **(after or {})})
    return event


def _possible(name: str, value: int) -> bool:
    bounds = BOUNDS[name]
    return value in bounds if name == "best_of" else bounds[0] <= value <= bounds[1]


def check_kind(kind: str) -> None:
    """Refuse an unknown structure (`structure_unknown`)."""
    if kind not in Stage.Kind.values:
        raise InvalidInput("structure_unknown", _("There is no such structure."), details=list(Stage.Kind.values))


def check_lists(lists: str) -> None:
    """Refuse an unknown choice about decklists (`lists_unknown`)."""
    if lists not in Event.Lists.values:
        raise InvalidInput("lists_unknown", _("There is no such choice."), details=list(Event.Lists.values))


def check_bounds(**given: int | None) -> None:
    """Refuse numbers outside of `BOUNDS` (`out_of_bounds`, with the names of all of them). None is always accepted."""
    wrong = [name for name, value in given.items() if value is not None and not _possible(name, value)]
    if wrong:
        raise InvalidInput("out_of_bounds", _("Some values are not possible."), details=wrong)


def move_event(
    event: Event, *, by: User, now: datetime, allowed: tuple[str, ...], to: str, code: str, note: str = ""
) -> None:
    """Move an event from one of the `allowed` states to the state `to`, and record it in the ledger as `code`.

    Call it inside a transaction. Refused from any other state: `event_state`.
    """
    before = Event.objects.select_for_update().values_list("status", flat=True).get(pk=event.pk)
    # The conditional update is the check: it also catches somebody else having moved the event a moment ago.
    if not Event.objects.filter(pk=event.pk, status__in=allowed).update(status=to):
        raise Refusal("event_state", _("The event has moved on: this step is no longer possible."))
    event.status = to
    record(event, by, code, now, before={"status": before}, after={"status": to}, note=note)


def open_registration(*, event: Event, by: User, now: datetime) -> None:
    """Publish the event and let players register and submit decklists."""
    with transaction.atomic():
        move_event(event, by=by, now=now, allowed=(Status.DRAFT,), to=Status.REGISTRATION, code="event.opened")


def open_check_in(*, event: Event, by: User, now: datetime) -> None:
    """Open check-in, so that players and staff can mark who is present. Possible once decklists are locked."""
    with transaction.atomic():
        move_event(event, by=by, now=now, allowed=(Status.LOCKED,), to=Status.CHECK_IN, code="event.check_in_opened")


def cancel_event(*, event: Event, by: User, now: datetime, reason: str = "") -> None:
    """Cancel an event that is not finished yet, in any state."""
    live = (Status.DRAFT, Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN, Status.RUNNING)
    with transaction.atomic():
        move_event(event, by=by, now=now, allowed=live, to=Status.CANCELLED, code="event.cancelled", note=reason)


def grant_role(*, event: Event, email: str, role: str, by: User, now: datetime, table: int | None = None) -> StaffRole:
    """Give the account with this e-mail address a role at the event. Idempotent.

    `table` is for scribes: the only table whose games they record (None: every table). A scribe who is given the role
    again gets the new table.

    Refused: `role_unknown`, `table_not_taken`, `account_unknown`.
    """
    require_role(role, table)
    user = account_of_address(email)
    if user is None:
        raise InvalidInput("account_unknown", _("There is no account with this e-mail address."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        return give_role(event=event, user=user, role=role, table=table, by=by, now=now)


def require_role(role: str, table: int | None) -> None:
    """Refuse a role that does not exist (`role_unknown`), and a table for any but scribes (`table_not_taken`)."""
    if role not in StaffRole.Role.values:
        raise InvalidInput("role_unknown", _("There is no such role."), details=list(StaffRole.Role.values))
    if table is not None and role != StaffRole.Role.SCRIBE:
        raise InvalidInput("table_not_taken", _("Only scribes have a table: leave the table out."))


def give_role(
    *, event: Event, user: User, role: str, table: int | None, by: User, now: datetime, **said: str
) -> StaffRole:
    """Give an account a role, with its table if it is a scribe's. Call it with the event locked.

    `said` is added to the ledger entry. If the account has the role already, at this table, nothing changes.
    """
    granted, new = StaffRole.objects.get_or_create(event=event, user=user, role=role, defaults={"table": table})
    if not new and granted.table == table:
        return granted
    before = None if new else _told(granted)
    granted.table = table
    granted.save(update_fields=["table"])
    record(event, by, "staff.granted", now, object=user.public_id, before=before, after={**_told(granted), **said})
    return granted


def _told(role: StaffRole) -> dict[str, Any]:
    return {"role": role.role} if role.table is None else {"role": role.role, "table": role.table}


def revoke_role(*, role: StaffRole, by: User, now: datetime) -> None:
    """Revoke a role. An event keeps at least one owner: the last one is refused (`last_owner`). Idempotent."""
    with transaction.atomic():
        # The lock keeps two owners from removing each other at the same time.
        event = Event.objects.select_for_update().get(pk=role.event_id)
        owners = StaffRole.objects.filter(event=event, role=StaffRole.Role.OWNER)
        if role.role == StaffRole.Role.OWNER and not owners.exclude(pk=role.pk).exists():
            raise Refusal("last_owner", _("An event needs at least one owner."))
        if StaffRole.objects.filter(pk=role.pk).delete()[0]:
            record(event, by, "staff.revoked", now, object=role.user.public_id, before=_told(role))


def hand_over(*, event: Event, email: str, by: User, now: datetime, stay: bool = True) -> StaffRole:
    """Make the account with this e-mail address the owner in the place of `by`, with one ledger entry.

    `by` stays as an organizer, and keeps what other roles they have, or leaves the staff. Other owners stay.

    Refused: `account_unknown`, `owner_already` if the account is an owner or is that of `by`, `not_owner`.
    """
    user = account_of_address(email)
    if user is None:
        raise InvalidInput("account_unknown", _("There is no account with this e-mail address."))
    roles = StaffRole.Role
    with transaction.atomic():
        # The lock keeps two owners from handing over at the same time.
        event = Event.objects.select_for_update().get(pk=event.pk)
        mine = StaffRole.objects.filter(event=event, user=by)
        if not mine.filter(role=roles.OWNER).exists():
            raise Refusal("not_owner", _("Only an owner can hand the event over."))
        owner, new = StaffRole.objects.get_or_create(event=event, user=user, role=roles.OWNER)
        if not new:
            raise Refusal("owner_already", _("This account already owns the event."))
        (mine.filter(role=roles.OWNER) if stay else mine).delete()
        if stay:
            StaffRole.objects.get_or_create(event=event, user=by, role=roles.ORGANIZER)
        before, after = {"owner": by.public_id}, {"owner": user.public_id, "stays": stay}
        record(event, by, "staff.handed_over", now, object=user.public_id, before=before, after=after)
    return owner


def register(*, event: Event, person: Person, by: User, now: datetime, team_name: str = "") -> Entrant:
    """Register a person for an event, or put them on its waiting list if it is full.

    For a team event, the person registers a team called `team_name`, as its captain at the first board. A person who
    dropped while registration is open may register again, at the end of the queue.

    Refused: `registration_closed`, `already_registered`, `approval_needed` (see `events.approval`), `team_needed`,
    `no_teams`, `name_is_address`, `team_name_taken`.
    """
    try:
        with transaction.atomic():
            return _enter(event, person, by, now, team_name=team_name)
    except IntegrityError:  # the constraint `a_person_enters_once`
        raise Refusal("already_registered", _("This person is already registered."))


def enter_approved(*, event: Event, person: Person, by: User, now: datetime) -> Entrant:
    """Enter a person whose application the desk approved, or put them on the waiting list. Call it in a transaction.

    Refused: `registration_closed` once round 1 is paired, `event_full` once the event runs.
    """
    event = Event.objects.select_for_update().get(pk=event.pk)
    require_desk_open(event)
    return _enter(event, person, by, now, desk=True, present=False)


def add_entrant(
    *,
    event: Event,
    given_name: str,
    family_name: str,
    by: User,
    now: datetime,
    another: bool = False,
    person: Person | None = None,
) -> Entrant:
    """Enter a person without an account at the desk, before round 1 is paired.

    A walk-in is checked in at once if check-in is open or the event is running.

    Refused: `name_is_address`, `registration_closed`, `event_full` (once the event runs there is no waiting list),
    `name_taken` if somebody of this name is in the event, unless this is `another` person of the same name, and
    `already_registered` if the known `person` is in the event.
    """
    refuse_address(given_name, family_name)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        require_desk_open(event)
        refuse_same_name(event, given_name, family_name, another=another)
        return _enter(event, desk_person(event, given_name, family_name, person), by, now, desk=True)


def desk_person(event: Event, given_name: str, family_name: str, known: Person | None) -> Person:
    """The person whom the desk enters: a new one, or the `known` one, who must not be in the event yet."""
    if known is None:
        return person_without_account(given_name=given_name, family_name=family_name)
    if Member.objects.filter(event=event, person=known).exists():
        raise Refusal("already_registered", _("This person is already registered."))
    return known


def refuse_kind_for_teams(kind: str) -> None:
    """Refuse a structure that has no matches of two for a team event (`team_structure`)."""
    if kind in NOT_FOR_TEAMS:
        raise Refusal(
            "team_structure", _("Teams play matches of two: they cannot use draft pods or multiplayer tables.")
        )


def require_desk_open(event: Event) -> None:
    """Refuse desk entries once round 1 is paired or the event is over (`registration_closed`).

    Call it with the event's row locked. Only `play` knows about rounds: it listens to `coming_in` and refuses there.
    """
    if event.status not in _NOT_OVER:
        raise Refusal("registration_closed", _("The event is over: nobody can be entered."))
    if event.status == Status.RUNNING:
        coming_in.send(sender=Event, event=event)


def refuse_address(*names: str) -> None:
    """Refuse an e-mail address as a name (`name_is_address`), since names are public."""
    if any(is_address(name) for name in names):
        raise InvalidInput("name_is_address", _("Names are public, so an e-mail address cannot be one. Type a name."))


def refuse_alone(event: Event) -> None:
    """Refuse to enter a single player into a team event (`team_needed`)."""
    if event.is_team_event:
        raise Refusal("team_needed", _("Teams play this event: register a team, or join one by its link."))


def free_team_name(event: Event, name: str, *, other_than: Entrant | None = None) -> str:
    """A team name in the form in which it is stored. Call it with the event's row locked.

    Refused: `name_missing`, `name_is_address`, `team_name_taken`.
    """
    name = as_name(name)
    if not name:
        raise InvalidInput("name_missing", _("The team needs a name."))
    refuse_address(name)
    others = event.entrants.exclude(team_name="")
    if other_than is not None:
        others = others.exclude(pk=other_than.pk)
    if folded(name) in {folded(taken) for taken in others.values_list("team_name", flat=True)}:
        raise Refusal("team_name_taken", _("Another team of this event has this name."))
    return name


def refuse_same_name(event: Event, given_name: str, family_name: str, *, another: bool) -> None:
    """Refuse a name that is in the event already (`name_taken`, with the ids of its bearers), unless `another`."""
    if another:
        return
    wanted = name_key(as_name(given_name), as_name(family_name))
    names = Member.objects.filter(event=event).values_list(
        "entrant__public_id", "person__given_name", "person__family_name"
    )
    same = [public_id for public_id, given, family in names if name_key(given, family) == wanted]
    if wanted and same:
        sentence = _("This name is in the event already. Is this another person of the same name?")
        raise Refusal("name_taken", sentence, details=same)


def _enter(
    event: Event,
    person: Person,
    by: User,
    now: datetime,
    *,
    desk: bool = False,
    present: bool = True,
    team_name: str = "",
) -> Entrant:
    """Enter a person, or in a team event a team whose captain they are.

    At the `desk` registration need not be open, and they are checked in if they are `present`.
    """
    # The event's row guards its capacity: without the lock, two requests could both take the last place.
    event = Event.objects.select_for_update().get(pk=event.pk)
    if not desk:
        require_registration(event, now)
        if event.approval:
            raise Refusal("approval_needed", _("The organizer decides on each registration: apply for a place."))
    if not team_name:
        refuse_alone(event)
    elif not event.is_team_event:
        raise Refusal("no_teams", _("No teams play this event: everybody plays alone."))
    taken = event.entrants.filter(status=Entrant.Status.REGISTERED).count()
    full = event.capacity is not None and taken >= event.capacity
    if full and event.status == Status.RUNNING:
        raise Refusal("event_full", _("The event is full."))
    status = Entrant.Status.WAITING if full else Entrant.Status.REGISTERED
    here = now if desk and present and not full and event.status in (Status.CHECK_IN, Status.RUNNING) else None
    # Somebody who dropped gets the old row back: its public id is on paper and in the ledger.
    entrant = Entrant.objects.filter(event=event, member__person=person, status=Entrant.Status.DROPPED).first()
    if entrant is not None:
        if team_name:
            if not entrant.member_set.filter(person=person, captain=True).exists():
                raise Refusal("already_registered", _("This person is in a team that has dropped: leave it first."))
            entrant.team_name = free_team_name(event, team_name, other_than=entrant)
        entrant.status, entrant.dropped_after, entrant.registered_at = status, None, now
        entrant.save(update_fields=["status", "dropped_after", "registered_at", "team_name"])
    else:
        name = free_team_name(event, team_name) if team_name else ""
        entrant = Entrant.objects.create(
            event=event, registered_at=now, status=status, checked_in_at=here, team_name=name
        )
        place = {"board": 1, "captain": True} if name else {}
        Member.objects.create(event=event, entrant=entrant, person=person, **place)
        refresh_shown_names(event)
    entry = record(event, by, "entrant.registered", now, object=entrant.public_id, after={"status": entrant.status})
    if desk:
        came_in.send(sender=Event, event=event, entrants=[entrant], by=by, now=now, number=entry.number)
    return entrant


def require_registration(event: Event, now: datetime) -> None:
    """Refuse players' own registration while it is not open, by the event's state or by the clock."""
    if registration_at(event, now) != "open":
        raise Refusal("registration_closed", why_closed(event, now))


def why_closed(event: Event, now: datetime) -> str:
    """Why players cannot register themselves now."""
    if registration_at(event, now) == "later":
        return _("Registration is not open yet.")
    if event.status == Status.CANCELLED:
        return _("This event is cancelled.")
    if event.status in (Status.FINISHED, Status.ARCHIVED):
        return _("This event is over.")
    if event.status == Status.RUNNING:
        return _("This event has started: registration is closed.")
    return _("Registration is closed.")


def check_in(*, entrant: Entrant, by: User | Entrant, now: datetime) -> None:
    """Check an entrant in. Idempotent. `by` is the entrant itself if it was done through its seat link.

    Refused: `check_in_closed`, `entrant_dropped`, `entrant_waiting`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status != Status.CHECK_IN:
            raise Refusal("check_in_closed", _("Check-in is not open."))
        _refuse_not_playing(entrant)
        here = Entrant.objects.filter(pk=entrant.pk, status=Entrant.Status.REGISTERED, checked_in_at=None)
        if here.update(checked_in_at=now):
            record(event, by, "entrant.checked_in", now, object=entrant.public_id)


def _refuse_not_playing(entrant: Entrant) -> None:
    status = Entrant.objects.values_list("status", flat=True).get(pk=entrant.pk)
    if status == Entrant.Status.DROPPED:
        raise Refusal("entrant_dropped", _("This entrant has dropped from the event."))
    if status == Entrant.Status.WAITING:
        raise Refusal("entrant_waiting", _("This entrant is on the waiting list: there is no place yet."))


def undo_check_in(*, entrant: Entrant, by: User | Entrant, now: datetime) -> None:
    """Undo a check-in while check-in is open, else `check_in_closed`. Idempotent."""
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if event.status != Status.CHECK_IN:
            raise Refusal("check_in_closed", _("Check-in is not open."))
        here = Entrant.objects.filter(pk=entrant.pk, checked_in_at__isnull=False)
        if here.update(checked_in_at=None):
            record(event, by, "entrant.check_in_undone", now, object=entrant.public_id)


def settle_entry(*, entrant: Entrant, how: str, by: User, now: datetime) -> None:
    """Record at the desk how an entrant settled the entry fee: `paid`, `voucher`, or "" to undo. Idempotent.

    Refused: `entry_unknown`, `entry_free`.
    """
    if how not in Entrant.Settled.values:
        raise InvalidInput("entry_unknown", _("There is no such way to settle the entry."))
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=entrant.event_id)
        if read_procedures(event.procedures).entry.kind == "free":
            raise Refusal("entry_free", _("Entry to this event is free."))
        before = Entrant.objects.get(pk=entrant.pk).settled
        if Entrant.objects.filter(pk=entrant.pk).exclude(settled=how).update(settled=how):
            entrant.settled = how
            record(
                event,
                by,
                "entrant.settled",
                now,
                object=entrant.public_id,
                before={"how": before},
                after={"how": how},
            )


def mark_settled(*, entrant: Entrant, before: str, after: str) -> bool:
    """Change how the entry of an entrant is settled, if it is still as in `before`. False if it is not.

    For `payments`, which writes the ledger entry. Call it with the event's row locked.
    """
    changed = Entrant.objects.filter(pk=entrant.pk, settled=before).update(settled=after) == 1
    if changed:
        entrant.settled = after
    return changed


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
) -> LedgerEntry:
    """Write an entry to the event's ledger and return it.

    `object` is the public id of what was acted on, the event's own if left out. `note` is cut at 2,000 characters.
    """
    return ledger.record(
        chain=event.public_id,
        actor=by.public_id,
        code=code,
        object=object or event.public_id,
        now=now,
        before=before,
        after=after,
        note=note.strip()[:2000],
    )
