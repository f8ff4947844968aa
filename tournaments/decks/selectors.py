"""Read queries on decklists, pools and card catalogues, for pages and the API."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from engine.face.lists import look_at, shipped
from tournaments.accounts.models import User
from tournaments.accounts.owning import owned_by
from tournaments.common import jobs
from tournaments.common.prepared import Prepared, SmallInt
from tournaments.common.reading import read_once
from tournaments.decks.engine_gate import is_pooled
from tournaments.decks.models import Catalogue, CatalogueUpload, Decklist, Pool, Reopening
from tournaments.events.access import ACTIONS
from tournaments.events.models import Entrant, Event, Member, Stage
from tournaments.events.selectors import current_stage

# The states in which an event can be moved to another catalogue.
BEFORE_START = (Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)


@dataclass(frozen=True)
class Choice:
    """A catalogue that an event may use. `version` is 0, and `pk` None, for one shipped with the engine."""

    catalog: str
    version: int
    sha256: str
    cards: int
    chosen: bool
    own: bool = False
    pk: int | None = None

    @property
    def is_demonstration(self) -> bool:
        """Whether it is shipped with the engine: invented cards for trying Arbitre out."""
        return self.version == 0


@dataclass(frozen=True)
class UploadState:
    """The progress of reading a card list, in percent; `error` is the code of the failure that stopped it, or ""."""

    progress: int
    error: str


def catalogue_choices(event: Event, user: Any) -> list[Choice]:
    """The catalogues of the event's game that this organizer may choose, and the one that the event has.

    Those shipped with the engine come first, then the account's own, then the shared ones, each by name and newest
    version first. Equal contents are listed once.
    """
    used = event.catalog_sha256
    choices = [Choice(name, 0, sha256, cards, sha256 == used) for name, sha256, cards in shipped(event.game)]
    seen = {choice.sha256 for choice in choices}
    own = set(catalogues_of(user).values_list("pk", flat=True))
    rows = Catalogue.objects.filter(Q(pk__in=own) | Q(shared=True) | Q(sha256=used), game=event.game)
    for row in sorted(rows.defer("document"), key=lambda row: row.pk not in own):
        if row.sha256 not in seen:
            seen.add(row.sha256)
            named = (row.catalog, row.version, row.sha256, row.cards)
            choices.append(Choice(*named, row.sha256 == used, row.pk in own, row.pk))
    return choices


def chosen_of(choices: Iterable[Choice]) -> Choice | None:
    """The catalogue that the event has; None if it is not installed."""
    return next((choice for choice in choices if choice.chosen), None)


def newer_of(choices: Sequence[Choice]) -> Choice | None:
    """The newest version of the event's catalogue, if the event has an older one."""
    used = chosen_of(choices)
    if used is None:
        return None
    same = [choice for choice in choices if (choice.catalog, choice.own) == (used.catalog, used.own)]
    newest = max(same, key=lambda choice: choice.version)
    return newest if newest.version > used.version > 0 else None


def best_catalogue(game: str, user: User) -> Catalogue | None:
    """The catalogue for a new event of a game: the account's newest, or else the newest shared one, or None."""
    rows = _usable(user).filter(game=game)
    return max(rows, key=lambda row: (not row.shared, row.created_at, row.pk), default=None)


def newest_catalogues(user: User) -> list[Catalogue]:
    """The newest version of every catalogue that an account may choose, by game and name, its own first."""
    newest = {(row.game, row.shared, row.catalog, row.owner_id or 0): row for row in _usable(user).order_by("version")}
    return [newest[key] for key in sorted(newest)]


def _usable(user: User) -> QuerySet[Catalogue]:
    return Catalogue.objects.filter(owned_by(user) | Q(shared=True)).defer("document", "report")


def newest_owned(user: Any, game: str, catalog: str) -> Catalogue | None:
    """The newest version of a catalogue of the account, without its document; if it has none, of a club it manages."""
    rows = catalogues_of(user).filter(game=game, catalog=catalog)
    return max(rows, key=lambda row: (row.owner_id == user.pk, -(row.owner_id or 0), row.version), default=None)


def events_behind(catalogue: Catalogue, user: User) -> QuerySet[Event]:
    """The events that the account manages, that have an older version of a catalogue and have not begun."""
    older = Catalogue.objects.filter(
        owner=catalogue.owner, game=catalogue.game, catalog=catalogue.catalog, version__lt=catalogue.version
    )
    mine = Event.objects.filter(staff_roles__user=user, staff_roles__role__in=ACTIONS["manage_event"])
    return mine.filter(
        game=catalogue.game, catalog_sha256__in=older.values("sha256"), status__in=BEFORE_START
    ).distinct()


def catalogues_of(user: Any) -> QuerySet[Catalogue]:
    """The catalogues of an account and of the clubs it manages, by game and name, newest version first."""
    return Catalogue.objects.filter(owned_by(user)).defer("document")


def look_of(catalogue: Catalogue) -> dict[str, Any]:
    """The first cards of a catalogue and the linter's report, as returned by `face.lists.look_at`."""
    return catalogue.report or look_at(catalogue.document)


def state_of(upload: CatalogueUpload) -> UploadState:
    """The progress of reading an uploaded card list."""
    if upload.status != CatalogueUpload.Status.SENT:
        return UploadState(100, "")
    job = jobs.state_of("decks.read_cards", str(upload.pk))
    failed = job is not None and job.status == "failed"
    return UploadState(job.progress if job else 0, (job.error or "failed") if job and failed else "")


def events_with(catalogue: Catalogue) -> QuerySet[Event]:
    """The events that use a catalogue."""
    return Event.objects.filter(game=catalogue.game, catalog_sha256=catalogue.sha256)


# Read for nearly every page of a player, so the SQL is built only once.
_CURRENT_LIST = Prepared(
    lambda entrant, event, number: (
        _known_lists(entrant, event, number).filter(member=None).order_by("-stage__number", "-version")[:1]
    ),
    int,
    int,
    SmallInt,
)


def current_list(entrant: Entrant, stage: Stage, member: Member | None = None) -> Decklist | None:
    """The newest version of an entrant's decklist, or None. The list of an earlier stage counts in later ones too.

    In a team, that of a `member`; a team has no list without one.
    """
    if member is not None:
        return lists_of(entrant, stage, member).first()
    return next(iter(_CURRENT_LIST.rows(entrant.pk, stage.event_id, stage.number)), None)


def lists_of(entrant: Entrant, stage: Stage, member: Member | None = None) -> QuerySet[Decklist]:
    """Every version of an entrant's decklist, or in a team of that of a `member`, newest first."""
    known = _known_lists(entrant.pk, stage.event_id, stage.number).filter(member=member)
    return known.order_by("-stage__number", "-version")


def last_version(entrant: Entrant, stage: Stage) -> int:
    """The highest version of an entrant's decklists, 0 without any. In a team the lists of all members count."""
    found = _known_lists(entrant.pk, stage.event_id, stage.number).aggregate(last=Max("version"))["last"]
    return int(found or 0)


def _known_lists(entrant: int, event: int, number: int) -> QuerySet[Decklist]:
    """The lists of an entrant (key) in an event (key), for its stages up to a number."""
    return Decklist.objects.filter(entrant=entrant, stage__event=event, stage__number__lte=number)


def current_lists(stage: Stage) -> QuerySet[Decklist]:
    """The newest decklist of each entrant of a stage; in a team event, of each member."""
    known = Decklist.objects.filter(stage__event=stage.event_id, stage__number__lte=stage.number)
    owner = "member" if stage.event.is_team_event else "entrant"
    # One query for all entrants; `current_list` would take one for each.
    newest = known.filter(**{owner: OuterRef(owner)}).order_by("-stage__number", "-version")
    return known.filter(pk=Subquery(newest.values("pk")[:1]))


def team_lists(team: Entrant, stage: Stage) -> list[Decklist]:
    """The current decklists of the members of a team, with their members, by board and then the substitutes."""
    found = current_lists(stage).filter(entrant=team).select_related("member__person")
    return sorted(found, key=_place_of)


def _place_of(decklist: Decklist) -> tuple[bool, int, int]:
    member = decklist.member
    board = member.board if member else None
    return board is None, board or 0, decklist.member_id or 0


def current_pool(entrant: Entrant, stage: Stage) -> Pool | None:
    """The newest version of an entrant's pool, or None. The pool of an earlier stage counts in later ones too."""
    return pools_of(entrant, stage).first()


def pools_of(entrant: Entrant, stage: Stage) -> QuerySet[Pool]:
    """Every version of an entrant's pool, newest first."""
    known = Pool.objects.filter(entrant=entrant, stage__event=stage.event_id, stage__number__lte=stage.number)
    return known.order_by("-stage__number", "-version")


def current_pools(stage: Stage) -> QuerySet[Pool]:
    """The newest pool of each entrant of a stage."""
    known = Pool.objects.filter(stage__event=stage.event_id, stage__number__lte=stage.number)
    newest = known.filter(entrant=OuterRef("entrant")).order_by("-stage__number", "-version")
    return known.filter(pk=Subquery(newest.values("pk")[:1]))


def without_legal_list(stage: Stage) -> QuerySet[Entrant]:
    """Registered entrants whose required decklist is missing or illegal.

    Empty if lists are optional or not collected, or if the cards of the stage are not drafted yet.
    """
    if stage.event.lists != Event.Lists.REQUIRED or (is_drafted(stage) and stage.started_at is None):
        return stage.event.entrants.none()
    return no_legal_list(stage)


def no_legal_list(stage: Stage) -> QuerySet[Entrant]:
    """Registered entrants whose decklist is missing or illegal, whether or not the event requires one.

    In a team event: the teams in which that is so for a member who has a board.
    """
    playing = stage.event.entrants.filter(status=Entrant.Status.REGISTERED)
    if stage.event.is_team_event:
        seated = members_without_legal_list(stage).filter(board__isnull=False)
        return playing.filter(pk__in=seated.order_by().values("entrant"))
    return playing.exclude(pk__in=current_lists(stage).filter(legal=True).values("entrant"))


def members_without_legal_list(stage: Stage) -> QuerySet[Member]:
    """Members of registered teams, substitutes included, whose decklist is missing or illegal."""
    legal = current_lists(stage).filter(legal=True, member__isnull=False).values("member")
    playing = Member.objects.filter(event=stage.event_id, entrant__status=Entrant.Status.REGISTERED)
    return playing.exclude(pk__in=legal)


def lacks_legal_list(entrant: Entrant, stage: Stage) -> bool:
    """Whether an entrant's decklist is missing or illegal; in a team, that of a member who has a board."""
    legal = set(current_lists(stage).filter(entrant=entrant, legal=True).values_list("member", flat=True))
    if not stage.event.is_team_event:
        return not legal
    seated = entrant.member_set.filter(board__isnull=False).values_list("pk", flat=True)
    return not legal >= set(seated)


def is_drafted(stage: Stage) -> bool:
    """Whether the cards of a stage are drafted, so that its pools and decklists are submitted after its start."""
    return stage.kind == Stage.Kind.PODS and is_pooled(stage)


def lists_open(event: Event, now: datetime) -> bool:
    """Whether players can submit decklists now: registration is open, and the deadline has not passed."""
    in_time = event.lists_due_at is None or now < event.lists_due_at
    return event.lists != Event.Lists.NONE and event.status == Event.Status.REGISTRATION and in_time


def desk_can_enter_lists(event: Event) -> bool:
    """Whether the desk can enter anybody's decklist: until the lock, whatever the deadline for players."""
    return event.lists != Event.Lists.NONE and event.status in (Event.Status.DRAFT, Event.Status.REGISTRATION)


def desk_can_enter_missing(event: Event) -> bool:
    """Whether the desk can enter missing decklists: between the lock and the start."""
    return event.lists != Event.Lists.NONE and event.status in (Event.Status.LOCKED, Event.Status.CHECK_IN)


def can_submit_list(entrant: Entrant, now: datetime, *, desk: bool = False, member: Member | None = None) -> bool:
    """Whether a decklist can be submitted for an entrant now, by the player or, with `desk`, by the desk.

    In a team, for a `member`. A reopened list accepts versions from both.
    """
    event = entrant.event
    if event.lists == Event.Lists.NONE:
        return False
    if lists_open(event, now) or (desk and desk_can_enter_lists(event)):
        return True
    if open_again(entrant, member) is not None:
        return True
    if not (desk and desk_can_enter_missing(event)):
        return False
    # Between the lock and the start, the desk fills gaps only: a legal list is changed by a judge who reopens it.
    last = current_list(entrant, current_stage(event), member)
    return last is None or not last.legal


def can_register_pool(entrant: Entrant, now: datetime, *, desk: bool = False) -> bool:
    """Whether a pool can be registered for an entrant now, by the player or, with `desk`, by the desk.

    Unlike a list, a pool is not reopened by a judge: only a late reopening accepts it after the lock.
    """
    event = entrant.event
    if event.lists == Event.Lists.NONE:
        return False
    if lists_open(event, now) or (desk and desk_can_enter_lists(event)) or is_open_late(entrant):
        return True
    return desk and desk_can_enter_missing(event) and current_pool(entrant, current_stage(event)) is None


def is_open_late(entrant: Entrant, member: Member | None = None) -> bool:
    """Whether an entrant has a late reopening: late entrants and drafts, until the first pairing is published."""
    again = open_again(entrant, member)
    return again is not None and again.late


_OPEN_AGAIN = Prepared(lambda entrant: Reopening.objects.filter(entrant=entrant, closed_at=None).order_by("pk"), int)


def open_again(entrant: Entrant, member: Member | None = None) -> Reopening | None:
    """The open reopening of an entrant's decklist after the lock, or None; in a team, of that of a `member`."""
    opened = read_once(("open again", entrant.pk), lambda: _OPEN_AGAIN.rows(entrant.pk))
    key = member.pk if member else None
    return next((each for each in opened if each.member_id in (None, key)), None)


def reopened(event: Event) -> set[int]:
    """The keys of the entrants whose decklists are reopened."""
    found = Reopening.objects.filter(entrant__event=event, closed_at=None)
    return set(found.values_list("entrant", flat=True))


def reopened_members(event: Event) -> set[int]:
    """The keys of the members of teams whose own decklist is reopened, not that of their whole team."""
    found = Reopening.objects.filter(entrant__event=event, closed_at=None, member__isnull=False)
    return {key for key in found.values_list("member", flat=True) if key is not None}


def takers_of_pools(event: Event) -> set[int]:
    """The keys of the entrants with a late reopening, whose pools can be registered after the lock."""
    found = Reopening.objects.filter(entrant__event=event, closed_at=None, late=True)
    return set(found.values_list("entrant", flat=True))
