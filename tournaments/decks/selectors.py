"""What pages and the API read of decklists."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.reading import read_once
from tournaments.decks.engine_gate import is_pooled, look_at, shipped
from tournaments.decks.models import Catalogue, CatalogueUpload, Decklist, Pool, Reopening
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage


@dataclass(frozen=True)
class Choice:
    """A catalogue an event may use. `version` is 0 for one that comes with the engine."""

    catalog: str
    version: int
    sha256: str
    cards: int
    chosen: bool
    own: bool = False
    pk: int | None = None


@dataclass(frozen=True)
class UploadState:
    """How far the reading of a list of cards is, in percent; `error` is the code of what stopped it."""

    progress: int
    error: str


def catalogue_choices(event: Event, user: Any) -> list[Choice]:
    """The catalogues of the event's game that this organizer may choose, newest first, and the one that it has.

    First those that come with the engine, then the account's own, then the operator's.
    """
    used = event.catalog_sha256
    choices = [Choice(name, 0, sha256, cards, sha256 == used) for name, sha256, cards in shipped(event.game)]
    seen = {choice.sha256 for choice in choices}
    rows = Catalogue.objects.filter(Q(owner=user) | Q(shared=True) | Q(sha256=used), game=event.game)
    for row in sorted(rows.defer("document"), key=lambda row: row.owner_id != user.pk):
        if row.sha256 not in seen:
            seen.add(row.sha256)
            named = (row.catalog, row.version, row.sha256, row.cards)
            choices.append(Choice(*named, row.sha256 == used, row.owner_id == user.pk, row.pk))
    return choices


def catalogues_of(user: User) -> QuerySet[Catalogue]:
    """The catalogues that an account keeps, by name, the newest version first."""
    return Catalogue.objects.filter(owner=user).defer("document")


def look_of(catalogue: Catalogue) -> dict[str, Any]:
    """The first cards of a catalogue and the linter's words, as `engine_gate.look_at` says them."""
    return catalogue.report or look_at(catalogue.document)


def state_of(upload: CatalogueUpload) -> UploadState:
    """How far the reading of a list is."""
    if upload.status != CatalogueUpload.Status.SENT:
        return UploadState(100, "")
    job = jobs.state_of("decks.read_cards", str(upload.pk))
    failed = job is not None and job.status == "failed"
    return UploadState(job.progress if job else 0, (job.error or "failed") if job and failed else "")


def events_with(catalogue: Catalogue) -> QuerySet[Event]:
    """The events whose lists are read with a catalogue."""
    return Event.objects.filter(game=catalogue.game, catalog_sha256=catalogue.sha256)


def current_list(entrant: Entrant, stage: Stage) -> Decklist | None:
    """The version of an entrant's list that counts: the newest. A list counts in later stages too."""
    return lists_of(entrant, stage).first()


def lists_of(entrant: Entrant, stage: Stage) -> QuerySet[Decklist]:
    """Every version of an entrant's list, the newest first."""
    known = Decklist.objects.filter(entrant=entrant, stage__event=stage.event_id, stage__number__lte=stage.number)
    return known.order_by("-stage__number", "-version")


def current_lists(stage: Stage) -> QuerySet[Decklist]:
    """The lists that count of a whole stage, one an entrant."""
    known = Decklist.objects.filter(stage__event=stage.event_id, stage__number__lte=stage.number)
    newest = known.filter(entrant=OuterRef("entrant")).order_by("-stage__number", "-version")
    return known.filter(pk=Subquery(newest.values("pk")[:1]))


def current_pool(entrant: Entrant, stage: Stage) -> Pool | None:
    """The version of an entrant's pool that counts: the newest. A pool counts in later stages too."""
    return pools_of(entrant, stage).first()


def pools_of(entrant: Entrant, stage: Stage) -> QuerySet[Pool]:
    """Every version of an entrant's pool, the newest first."""
    known = Pool.objects.filter(entrant=entrant, stage__event=stage.event_id, stage__number__lte=stage.number)
    return known.order_by("-stage__number", "-version")


def current_pools(stage: Stage) -> QuerySet[Pool]:
    """The pools that count of a whole stage, one an entrant."""
    known = Pool.objects.filter(stage__event=stage.event_id, stage__number__lte=stage.number)
    newest = known.filter(entrant=OuterRef("entrant")).order_by("-stage__number", "-version")
    return known.filter(pk=Subquery(newest.values("pk")[:1]))


def without_legal_list(stage: Stage) -> QuerySet[Entrant]:
    """Registered entrants whose required list is absent or illegal; nobody where lists are optional or not collected,
    or before the cards of the stage are drafted.
    """
    if stage.event.lists != Event.Lists.REQUIRED or (is_drafted(stage) and stage.started_at is None):
        return stage.event.entrants.none()
    return no_legal_list(stage)


def no_legal_list(stage: Stage) -> QuerySet[Entrant]:
    """Registered entrants whose list is absent or illegal, whether or not the event asks for one."""
    legal = current_lists(stage).filter(legal=True).values("entrant")
    return stage.event.entrants.filter(status=Entrant.Status.REGISTERED).exclude(pk__in=legal)


def is_drafted(stage: Stage) -> bool:
    """Whether players draft the cards of a stage once it has started: its pools and lists come in then."""
    return stage.kind == Stage.Kind.PODS and is_pooled(stage)


def lists_open(event: Event, now: datetime) -> bool:
    """Whether players hand in lists now: registration is open, and their deadline has not passed."""
    in_time = event.lists_due_at is None or now < event.lists_due_at
    return event.lists != Event.Lists.NONE and event.status == Event.Status.REGISTRATION and in_time


def types_lists(event: Event) -> bool:
    """Whether the desk types in the list of anybody: before the lock, whatever the deadline of the players."""
    return event.lists != Event.Lists.NONE and event.status in (Event.Status.DRAFT, Event.Status.REGISTRATION)


def types_missing(event: Event) -> bool:
    """Whether the desk types in the lists that are still missing: between the lock and the start."""
    return event.lists != Event.Lists.NONE and event.status in (Event.Status.LOCKED, Event.Status.CHECK_IN)


def takes_list(entrant: Entrant, now: datetime, *, desk: bool = False) -> bool:
    """Whether a version of an entrant's list may come in now: from the player, or typed in at the desk.

    A list that is open again takes versions from both.
    """
    event = entrant.event
    if event.lists == Event.Lists.NONE:
        return False
    if lists_open(event, now) or (desk and types_lists(event)):
        return True
    if open_again(entrant) is not None:
        return True
    if not (desk and types_missing(event)):
        return False
    last = current_list(entrant, current_stage(event))
    return last is None or not last.legal


def takes_pool(entrant: Entrant, now: datetime, *, desk: bool = False) -> bool:
    """Whether a version of an entrant's pool may come in now, as `takes_list` says it of lists."""
    event = entrant.event
    if event.lists == Event.Lists.NONE:
        return False
    if lists_open(event, now) or (desk and types_lists(event)) or is_open_late(entrant):
        return True
    return desk and types_missing(event) and current_pool(entrant, current_stage(event)) is None


def is_open_late(entrant: Entrant) -> bool:
    """Whether the pool and list of a late entrant, or of a draft, may come in: until the first pairing is published."""
    again = open_again(entrant)
    return again is not None and again.late


def open_again(entrant: Entrant) -> Reopening | None:
    """What keeps the list of an entrant open after the lock, if anything."""
    found = Reopening.objects.filter(entrant=entrant, closed_at=None)
    return read_once(("open again", entrant.pk), lambda: found.first())


def reopened(event: Event) -> set[int]:
    """The keys of the entrants whose lists are open again after the lock."""
    found = Reopening.objects.filter(entrant__event=event, closed_at=None)
    return set(found.values_list("entrant", flat=True))


def takers_of_pools(event: Event) -> set[int]:
    """The keys of the late entrants whose pools may come in after the lock."""
    found = Reopening.objects.filter(entrant__event=event, closed_at=None, late=True)
    return set(found.values_list("entrant", flat=True))
