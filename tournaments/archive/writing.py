"""An event as the lines of its file. The same event in the same state is always the same bytes."""

import gzip
from collections.abc import Callable, Iterator
from io import BytesIO

from django.utils.translation import gettext as _

from tournaments.archive.lines import FORMAT, HEAD, SIGNED_HEAD, VERSION, Writer
from tournaments.archive.sections import CATALOGUE, NOTE, PERSON, SECTIONS, STANDINGS, Row, Section, rows_in_lines
from tournaments.common.heads import signed
from tournaments.common.jobs import Progress, unseen
from tournaments.common.ledger import revision
from tournaments.common.models import LedgerHead
from tournaments.common.refusals import Refusal
from tournaments.events.models import Event
from tournaments.play.field import ranking, terms_of
from tournaments.standings.services import row_as_json

TRIES = 5


def write_file(event: Event, *, names: bool = True, progress: Progress = unseen) -> bytes:
    """An event's file; without `names` it ends with the main part.

    Nothing is locked while it is read: when something happens in the event meanwhile, it is read again.
    """
    return _written(event, names, progress, b"".join)


def pack_file(event: Event, *, names: bool = True, progress: Progress = unseen) -> bytes:
    """The same packed by gzip, line by line: no more of it is in memory than the packed bytes."""
    return _written(event, names, progress, _packed)


def _packed(lines: Iterator[bytes]) -> bytes:
    packed = BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0) as file:
        file.writelines(lines)
    return packed.getvalue()


def _written(event: Event, names: bool, progress: Progress, write: Callable[[Iterator[bytes]], bytes]) -> bytes:
    for _try in range(TRIES):
        before = revision(event.public_id)
        written = write(_lines(Event.objects.get(pk=event.pk), names, progress))
        if revision(event.public_id) == before:
            return written
    raise Refusal("event_moves", _("Too much happens in this event just now: try again."))


def _lines(event: Event, names: bool, progress: Progress) -> Iterator[bytes]:
    writer = Writer()
    head = LedgerHead.objects.get(chain=event.public_id)
    ledger = {"number": head.number, "hash": head.hash}
    yield writer.line(HEAD, {"format": FORMAT, "version": VERSION, "event": event.public_id, "ledger": ledger})
    for done, section in enumerate(SECTIONS):
        progress(90 * done // len(SECTIONS))
        yield from (writer.line(section.name, row) for row in section.rows_of(event))
        if section.model is Event:
            yield from (writer.line(CATALOGUE.name, row) for row in catalogue_of(event))
    progress(90)
    yield from (writer.line(STANDINGS, row) for row in _standings(event))
    yield writer.line(SIGNED_HEAD, signed(event.public_id, head.number, head.hash).as_json())
    yield writer.end()
    if names:
        yield from (writer.line(name, row) for name, row in personal_of(event))
        yield writer.end()


def catalogue_of(event: Event) -> Iterator[Row]:
    """The organizer's own list of cards that decks and logs of the event are read with, if it has one."""
    kept = CATALOGUE.model._default_manager.filter(sha256=event.catalog_sha256)
    one = kept.order_by("pk").values("pk")[:1]  # several accounts may keep the same list
    yield from rows_in_lines(kept.filter(pk__in=one), CATALOGUE.fields)


def _standings(event: Event) -> Iterator[Row]:
    """The standings of each stage that has begun, by its scheme, as the results of now make them."""
    for stage in event.stages.filter(started_at__isnull=False).select_related("event").order_by("number"):
        rows = [row_as_json(row) for row in ranking(stage)]
        yield {"stage": stage.number, "scheme": stage.scheme, "terms": list(terms_of(stage.scheme)), "rows": rows}


def personal_of(event: Event) -> Iterator[tuple[str, Row]]:
    """Everything that may name a person: names, clubs, and texts that people wrote."""
    persons = PERSON.model._default_manager.filter(entrants__event=event).distinct().order_by("pk")
    yield from ((PERSON.name, row) for row in rows_in_lines(persons, PERSON.fields))
    for section in SECTIONS:
        yield from ((personal_name(section), row) for row in section.personal_of(event))
    yield from ((NOTE.name, row) for row in NOTE.rows_of(event))


def personal_name(section: Section) -> str:
    """What the lines with a section's personal fields are called."""
    return f"{section.name}.personal"
