"""What pages and the API read of decklists."""

from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery

from tournaments.decks.engine_gate import shipped
from tournaments.decks.models import Catalogue, Decklist, Pool
from tournaments.events.models import Entrant, Event, Stage


@dataclass(frozen=True)
class Choice:
    """A catalogue an event may use. `version` is 0 for one that comes with the engine."""

    catalog: str
    version: int
    sha256: str
    cards: int
    chosen: bool


def catalogue_choices(event: Event) -> list[Choice]:
    """The catalogues of the event's game: those that come with the engine, then those of organizers, newest first."""
    own = Catalogue.objects.filter(game=event.game).values_list("catalog", "version", "sha256", "cards")
    known = [*((name, 0, sha256, cards) for name, sha256, cards in shipped(event.game)), *own]
    return [Choice(*row, chosen=row[2] == event.catalog_sha256) for row in known]


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
    """Registered entrants whose list is absent or illegal; nobody's is asked for where no deck rules are known."""
    if not stage.deck_format:
        return stage.event.entrants.none()
    legal = current_lists(stage).filter(legal=True).values("entrant")
    return stage.event.entrants.filter(status=Entrant.Status.REGISTERED).exclude(pk__in=legal)
