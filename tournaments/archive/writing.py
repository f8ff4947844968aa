"""Writes the event file of an event. The same event in the same state always gives the same bytes."""

import gzip
from collections.abc import Callable, Iterator
from io import BytesIO

from django.utils.translation import gettext as _

from engine.version import VERSION as RELEASE
from tournaments.archive.lines import FORMAT, HEAD, SIGNED_HEAD, VERSION, Writer
from tournaments.archive.sections import (
    CARD_IMAGES,
    CATALOGUE,
    NOTE,
    PERSON,
    SECTIONS,
    SOFTWARE,
    STANDINGS,
    Row,
    Section,
    rows_in_lines,
)
from tournaments.common.heads import signed
from tournaments.common.jobs import Progress, unseen
from tournaments.common.ledger import revision
from tournaments.common.models import LedgerHead
from tournaments.common.refusals import Refusal
from tournaments.decks.images import images_of_event
from tournaments.events.models import Event
from tournaments.play.field import ranking, terms_of
from tournaments.standings.services import row_as_json

TRIES = 5


def write_file(event: Event, *, names: bool = True, progress: Progress = unseen) -> bytes:
    """Return the file of an event; without `names` only its main part, which names no persons.

    Nothing is locked while the event is read: if it changes meanwhile, it is read again, up to `TRIES` times. Raises
    the refusal `event_moves` if it changes every time.
    """
    return _written(event, names, progress, b"".join)


def pack_file(event: Event, *, names: bool = True, progress: Progress = unseen) -> bytes:
    """Return the file compressed with gzip, line by line, so that only the compressed bytes are held in memory."""
    return _written(event, names, progress, _packed)


def _packed(lines: Iterator[bytes]) -> bytes:
    packed = BytesIO()
    # No name and no time in the header: the same event must give the same bytes.
    with gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0) as file:
        file.writelines(lines)
    return packed.getvalue()


def _written(event: Event, names: bool, progress: Progress, write: Callable[[Iterator[bytes]], bytes]) -> bytes:
    for _try in range(TRIES):
        before = revision(event.public_id)
        written = write(_lines(Event.objects.get(pk=event.pk), names, progress))
        if revision(event.public_id) == before:
            return written
    raise Refusal("event_moves", _("Too much is happening in this event right now: try again."))


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
        yield writer.line(SOFTWARE, {"arbitre": RELEASE})  # not in the main part: an upgrade must not change its digest
        yield writer.end()


def catalogue_of(event: Event) -> Iterator[Row]:
    """The organizer's own card catalogue with which the decklists and logs of the event are read, if there is one."""
    catalogues = CATALOGUE.model._default_manager.filter(sha256=event.catalog_sha256)
    first = catalogues.order_by("pk").values("pk")[:1]  # several accounts may have uploaded the same catalogue
    yield from rows_in_lines(catalogues.filter(pk__in=first), CATALOGUE.fields)


def _standings(event: Event) -> Iterator[Row]:
    """The standings of each stage that has started, computed from the current results."""
    for stage in event.stages.filter(started_at__isnull=False).select_related("event").order_by("number"):
        rows = [row_as_json(row) for row in ranking(stage)]
        yield {"stage": stage.number, "scheme": stage.scheme, "terms": list(terms_of(stage.scheme)), "rows": rows}


def personal_of(event: Event) -> Iterator[tuple[str, Row]]:
    """Section names and rows of the personal part: names, clubs, texts that people wrote, and the images of cards.

    Images name nobody, but like names they may change or go later without changing what the file proves.
    """
    persons = PERSON.model._default_manager.filter(entrants__event=event).distinct().order_by("pk")
    yield from ((PERSON.name, row) for row in rows_in_lines(persons, PERSON.fields))
    for section in SECTIONS:
        yield from ((personal_name(section), row) for row in section.personal_of(event))
    yield from ((NOTE.name, row) for row in NOTE.rows_of(event))
    if images := images_of_event(event):
        yield CARD_IMAGES, {"addresses": images}


def personal_name(section: Section) -> str:
    """The name of the section that holds the personal fields of `section`, such as `entrant.personal`."""
    return f"{section.name}.personal"
