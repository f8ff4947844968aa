"""An event file brought into an installation that does not have the event: it is kept there, over and archived."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import DataError, IntegrityError, models, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.archive.faults import Found
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import CATALOGUE, PERSON, SECTIONS, Row, Section
from tournaments.archive.writing import personal_name
from tournaments.audits.models import Audit
from tournaments.common import jobs, ledger
from tournaments.common.models import LedgerEntry, LedgerHead, LedgerNote
from tournaments.common.refusals import Refusal
from tournaments.decks.models import Catalogue
from tournaments.events.models import Event, StaffRole

BATCH = 200
Keys = dict[type[models.Model], dict[Any, Any]]


def import_file(*, file: EventFile, found: Found, owner: User | None, now: datetime) -> Event:
    """Bring in an event whose file was verified; it ends as `archived`, and `owner` becomes one of its owners.

    Accounts that are not known here are made as names without a way in; persons that are known here stay as they are.
    Refused: `file_does_not_hold`, `event_exists`, `file_collides`.
    """
    if not found.holds:
        raise Refusal("file_does_not_hold", _("This file was changed: it does not hold."), details=[found.as_json()])
    public_id = file.event["public_id"]
    if Event.objects.filter(public_id=public_id).exists():
        raise Refusal("event_exists", _("This event is here already."))
    try:
        with transaction.atomic():
            event = _write(file, owner)
            _close(event, file, owner, now)
    except (DataError, IntegrityError) as error:  # PostgreSQL knows bounds that the format does not
        raise Refusal("file_collides", _("Something of this file is here already, in another event.")) from error
    return event


def _write(file: EventFile, owner: User | None) -> Event:
    _import_catalogue(file, owner)
    keys: Keys = {User: _accounts(file), Person: _persons(file)}
    event: Event | None = None
    for section in SECTIONS:
        texts = {_key(row, section.key): row for row in file[personal_name(section)]}
        made = [_object(section, row, texts, keys, event) for row in file[section.name]]
        section.model._default_manager.bulk_create(made, batch_size=BATCH)
        if section.key:
            named = (_key(row, section.key) for row in file[section.name])
            keys[section.model] = dict(zip(named, made, strict=True))
        if section.model is Event:
            event = made[0]  # type: ignore[assignment]
    assert event is not None, "a file holds one event"
    entries = keys[LedgerEntry]
    LedgerNote.objects.bulk_create(
        LedgerNote(entry=entries[(row["entry"],)], salt=row["salt"], text=row["text"]) for row in file["note"]
    )
    last: Row = file["ledger"][-1] if file["ledger"] else {"number": 0, "hash": ""}
    LedgerHead.objects.create(chain=event.public_id, number=last["number"], hash=last["hash"])
    return event


def _object(section: Section, row: Row, texts: Mapping[Any, Row], keys: Keys, event: Event | None) -> models.Model:
    """A row of the database from a line; personal fields that were left out take their stand-in."""
    told = texts.get(_key(row, section.key), {}) if section.personal else {}
    values: dict[str, Any] = {name: told.get(name, blank) for name, blank in section.personal.items()}
    for each in section.fields:
        value = row[each.name]
        if each.related_model is not None:
            values[each.name] = None if value is None else keys[each.related_model][_parts(value)]
        else:
            values[each.name] = each.to_python(value) if isinstance(each, models.DateTimeField) else value
    if any(each.related_model is Event for each in section.model._meta.concrete_fields):
        values["event"] = event
    if section.model is LedgerEntry:
        values["chain"] = event.public_id if event else ""
    return section.model(**values)


def _key(row: Row, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(part for name in names for part in _parts(row[name]))


def _parts(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _accounts(file: EventFile) -> dict[Any, User]:
    """The accounts that lines name, by public id; who is not known here is made without a way in."""
    named = {
        row[each.name]
        for section in SECTIONS
        for each in section.fields
        if each.related_model is User
        for row in file[section.name]
        if row[each.name] is not None
    }
    known = User.objects.in_bulk(sorted(named), field_name="public_id")
    new = [
        User(public_id=each, email=f"{each}@imported.invalid", password="!", is_active=False)  # noqa: S106
        for each in sorted(named - known.keys())
    ]
    User.objects.bulk_create(new, batch_size=BATCH)
    return {(user.public_id,): user for user in (*known.values(), *new)}


def _persons(file: EventFile) -> dict[Any, Person]:
    """The persons of the file, by public id; who is known here stays as here, erased or not."""
    told = {row["public_id"]: row for row in file[PERSON.name]}
    named = {row["person"] for row in file["member"]}
    known = Person.objects.in_bulk(sorted(named), field_name="public_id")
    new = [Person(**_person(told.get(each, {"public_id": each}))) for each in sorted(named - known.keys())]
    Person.objects.bulk_create(new, batch_size=BATCH)
    return {(person.public_id,): person for person in (*known.values(), *new)}


def _person(row: Row) -> Row:
    erased = row.get("erased_at")
    return {**row, "erased_at": datetime.fromisoformat(erased) if erased else None}


def _import_catalogue(file: EventFile, owner: User | None) -> None:
    """The list may be private: it becomes that of the owner of the event, or of nobody."""
    for row in file[CATALOGUE.name]:
        if not Catalogue.objects.filter(sha256=row["sha256"]).exists():
            mine = Catalogue.objects.filter(owner=owner, game=row["game"], catalog=row["catalog"])
            version = (mine.aggregate(last=Max("version"))["last"] or 0) + 1
            created_at = datetime.fromisoformat(row["created_at"])
            Catalogue.objects.create(**{**row, "created_at": created_at, "version": version, "owner": owner})


def _close(event: Event, file: EventFile, owner: User | None, now: datetime) -> None:
    """Archive what came in, say so in its ledger, and ask for what is computed again: standings and boards."""
    before = event.status
    if before != Event.Status.CANCELLED:
        event.status = Event.Status.ARCHIVED
        event.save(update_fields=["status"])
    if owner is not None:
        StaffRole.objects.get_or_create(event=event, user=owner, role=StaffRole.Role.OWNER)
    ledger.record(
        chain=event.public_id,
        actor=owner.public_id if owner else "system",
        code="event.imported",
        object=event.public_id,
        now=now,
        before={"status": before},
        after={"status": event.status, "digest": file.digest},
    )
    for stage in event.stages.filter(started_at__isnull=False):
        jobs.enqueue("standings.compute", str(stage.pk), payload={"stage": stage.pk}, now=now)
    if Audit.objects.filter(log__game__match__round__stage__event=event).exists():
        jobs.enqueue("archive.boards", event.public_id, payload={"event": event.public_id}, now=now)
