"""Imports the event of a verified file into an installation that does not have it: as an archive, or to play on.

Whoever runs the installation may import any file that holds. A file that an account uploads was perhaps written by it:
such a file must not speak for other accounts here, nor show the names of persons whom the account does not know.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import DataError, IntegrityError, models, transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from engine.face.lists import sound_images
from tournaments.accounts.models import Person, User, person_id
from tournaments.archive.faults import VerificationReport
from tournaments.archive.reading import EventFile
from tournaments.archive.sections import CARD_IMAGES, CATALOGUE, PERSON, SECTIONS, Row, Section
from tournaments.archive.writing import personal_name
from tournaments.common import jobs, ledger
from tournaments.common.models import LedgerEntry, LedgerHead, LedgerNote
from tournaments.common.names import as_name
from tournaments.common.refusals import Refusal
from tournaments.decks.images import save_images
from tournaments.decks.models import Catalogue
from tournaments.events.models import Event, StaffRole

BATCH = 200
IMPORTED = "@imported.invalid"  # the address of accounts that came with a file
Keys = dict[type[models.Model], dict[Any, Any]]  # the new rows of each model, by the key that lines refer to them with


def import_file(
    *,
    file: EventFile,
    found: VerificationReport,
    owner: User | None,
    now: datetime,
    play_on: bool = False,
    uploaded: bool = False,
) -> Event:
    """Create the event of a verified file and return it; `owner` becomes one of its owners.

    The event is archived, or with `play_on` stays in the state that the file has it in. Accounts that do not exist here
    are created inactive, without a password. Persons that exist here are left as they are. Everything happens in one
    transaction.

    `uploaded` is for a file that `owner` sent: a person here is then only taken for one of the file if they are in an
    event that the owner runs; else another person is created.

    Raises the refusals `file_does_not_hold` if `found` has faults, `event_exists` if the event is already here,
    `file_collides` if something else in the file belongs to another event here, or does not fit the database, and
    `accounts_here` for an uploaded file in which other accounts of this installation act.
    """
    if not found.holds:
        raise Refusal("file_does_not_hold", _("This file was changed: its checks fail."), details=[found.as_json()])
    public_id = file.event["public_id"]
    _refuse_known(public_id)
    try:
        with transaction.atomic():
            event = _write(file, owner, uploaded=uploaded)
            _admit(event, file, owner, now, play_on=play_on)
    except (DataError, IntegrityError) as error:  # PostgreSQL has limits that the format does not have
        _refuse_known(public_id)  # somebody else has just imported it
        raise Refusal("file_collides", _("Part of this file is already here, in another event.")) from error
    return event


def _refuse_known(public_id: str) -> None:
    if Event.objects.filter(public_id=public_id).exists():
        raise Refusal("event_exists", _("This event is already here."))


def _write(file: EventFile, owner: User | None, *, uploaded: bool) -> Event:
    # Create all rows, section by section, so that each can refer to those created before it.
    if uploaded:
        _refuse_other_accounts(file, owner)
    _import_catalogue(file, owner)
    keys: Keys = {User: _accounts(file), Person: _persons(file, _known_to(owner) if uploaded else Person.objects.all())}
    event: Event | None = None
    for section in SECTIONS:
        texts = {_key(row, section.key): row for row in file[personal_name(section)]}
        objects = [_object(section, row, texts, keys, event) for row in file[section.name]]
        section.model._default_manager.bulk_create(objects, batch_size=BATCH)
        if section.key:
            named = (_key(row, section.key) for row in file[section.name])
            keys[section.model] = dict(zip(named, objects, strict=True))
        if section.model is Event:
            event = objects[0]  # type: ignore[assignment]
    assert event is not None, "a file holds one event"
    entries = keys[LedgerEntry]
    LedgerNote.objects.bulk_create(
        LedgerNote(entry=entries[(row["entry"],)], salt=row["salt"], text=row["text"]) for row in file["note"]
    )
    last: Row = file["ledger"][-1] if file["ledger"] else {"number": 0, "hash": ""}
    LedgerHead.objects.create(chain=event.public_id, number=last["number"], hash=last["hash"])
    return event


def _object(section: Section, row: Row, texts: Mapping[Any, Row], keys: Keys, event: Event | None) -> models.Model:
    """Build a model instance from a line; missing personal fields get the replacement that their section defines."""
    personal = texts.get(_key(row, section.key), {}) if section.personal else {}
    values: dict[str, Any] = {name: personal.get(name, blank) for name, blank in section.personal.items()}
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
    # The key of a row as one flat tuple, however its parts are nested in the line.
    return tuple(part for name in names for part in _parts(row[name]))


def _parts(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _accounts_named(file: EventFile) -> set[str]:
    return {
        row[each.name]
        for section in SECTIONS
        for each in section.fields
        if each.related_model is User
        for row in file[section.name]
        if row[each.name] is not None
    }


def _refuse_other_accounts(file: EventFile, owner: User | None) -> None:
    """Refuse a file in which accounts of this installation act, except its owner and those that came with files."""
    acting = _accounts_named(file) | {row["actor"] for row in file["ledger"]}
    others = User.objects.filter(public_id__in=acting).exclude(email__endswith=IMPORTED)
    if owner is not None:
        others = others.exclude(pk=owner.pk)
    if others.exists():
        message = _("Other accounts of this site appear in this file. The operator of the site can import it.")
        raise Refusal("accounts_here", message)


def _known_to(owner: User | None) -> QuerySet[Person]:
    """The persons whom an account knows: the entrants of events that it runs."""
    roles = StaffRole.objects.filter(user=owner, role__in=(StaffRole.Role.OWNER, StaffRole.Role.ORGANIZER))
    return Person.objects.filter(entrants__event__in=roles.values("event")).distinct()


def _accounts(file: EventFile) -> dict[Any, User]:
    """The accounts that the file refers to, by public id; those that do not exist here are created inactive."""
    named = _accounts_named(file)
    known = User.objects.in_bulk(sorted(named), field_name="public_id")
    new = [
        User(public_id=each, email=f"{each}{IMPORTED}", password="!", is_active=False)  # noqa: S106
        for each in sorted(named - known.keys())
    ]
    User.objects.bulk_create(new, batch_size=BATCH)
    return {(user.public_id,): user for user in (*known.values(), *new)}


def _persons(file: EventFile, usable: QuerySet[Person]) -> dict[Any, Person]:
    """The persons of the file, by their public id in it.

    Those who exist here and are `usable` are not changed, even if they were erased here. For others who exist here, a
    person with another id is created.
    """
    rows = {row["public_id"]: row for row in file[PERSON.name]}
    named = {row["person"] for row in file["member"]}  # without the personal part these are ids alone
    known = {person.public_id: person for person in usable.filter(public_id__in=sorted(named))}
    taken = set(Person.objects.filter(public_id__in=sorted(named)).values_list("public_id", flat=True))
    new = {each: Person(**_person(rows.get(each, {"public_id": each}))) for each in sorted(named - known.keys())}
    for each in taken - known.keys():
        new[each].public_id = person_id()
    Person.objects.bulk_create(new.values(), batch_size=BATCH)
    return {(each,): person for each, person in (*known.items(), *new.items())}


def _person(row: Row) -> Row:
    erased = row.get("erased_at")
    names: Row = {each: as_name(row[each]) for each in ("given_name", "family_name", "public_name") if each in row}
    return {**row, **names, "erased_at": datetime.fromisoformat(erased) if erased else None}


def _import_catalogue(file: EventFile, owner: User | None) -> None:
    """Create the card catalogue of the event if it is not here. It may be private: only `owner` (or nobody) owns it.

    A catalogue that is here keeps the images that it has here.
    """
    for row in file[CATALOGUE.name]:
        if not Catalogue.objects.filter(sha256=row["sha256"]).exists():
            versions = Catalogue.objects.filter(owner=owner, game=row["game"], catalog=row["catalog"])
            version = (versions.aggregate(last=Max("version"))["last"] or 0) + 1
            created_at = datetime.fromisoformat(row["created_at"])
            made = Catalogue.objects.create(**{**row, "created_at": created_at, "version": version, "owner": owner})
            for images in file[CARD_IMAGES]:
                save_images(made, sound_images(made.document, images["addresses"]))


def _admit(event: Event, file: EventFile, owner: User | None, now: datetime, *, play_on: bool) -> None:
    """Archive the imported event unless it is played on, record the import, and have its standings computed."""
    before = event.status
    if not play_on and before != Event.Status.CANCELLED:  # a cancelled event stays cancelled
        event.status = Event.Status.ARCHIVED
        event.save(update_fields=["status"])
    if owner is not None:
        StaffRole.objects.get_or_create(event=event, user=owner, role=StaffRole.Role.OWNER)
    ledger.record(
        chain=event.public_id,
        actor=owner.public_id if owner else ledger.SYSTEM,
        code="event.imported",
        object=event.public_id,
        now=now,
        before={"status": before},
        after={"status": event.status, "digest": file.digest},
    )
    for stage in event.stages.filter(started_at__isnull=False):
        jobs.enqueue("standings.compute", str(stage.pk), payload={"stage": stage.pk}, now=now)
