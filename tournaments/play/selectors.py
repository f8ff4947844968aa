"""What pages and the API read of rounds and matches."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max, Prefetch, Q, QuerySet, Sum

from tournaments.common.models import LedgerEntry
from tournaments.events.access import plays
from tournaments.events.models import Entrant, Event, Stage
from tournaments.play.models import AwardedBye, Match, Report, Round, Seat

FOLLOW_UNDONE_FOR = timedelta(seconds=60)
# Entries that tell who sits where in a draft.
PAIRING_CODES = ("round.paired", "round.swapped", "round.bye_given", "round.seated", "round.mended")
MAX_ROUNDS = 30


def last_round(stage: Stage) -> Round | None:
    """The newest round of a stage, a draft included."""
    return stage.rounds.order_by("-number").first()


def last_round_of(event: Event) -> Round | None:
    """The newest round of an event, whatever its stage, a draft included."""
    return Round.objects.filter(stage__event=event).select_related("stage__event").order_by("-number").first()


def visible_rounds(event: Event, *, staff: bool) -> QuerySet[Round]:
    """An event's rounds in order, stage after stage; drafts for staff alone."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage").order_by("number")
    return rounds if staff else rounds.exclude(status=Round.Status.DRAFT)


def matches_of(round_: Round) -> QuerySet[Match]:
    """A round's matches with all that a list shows, tables first and byes last; the queries do not grow.

    `newest_report` is the key of the newest report, or None; `standing_reports` the report that waits.
    """
    standing = Report.objects.filter(status=Report.Status.STANDING).select_related("seat")
    return (
        round_.matches
        .annotate(newest_report=Max("reports__pk"))
        .prefetch_related(
            "seats__entrant__member_set__person",
            "extensions",
            Prefetch("reports", queryset=standing, to_attr="standing_reports"),
        )
        .select_related("round__stage__event")
        .order_by(F("table").asc(nulls_last=True), "pk")
    )


def shown_to_staff(matches: QuerySet[Match], user: Any, round_: Round) -> QuerySet[Match]:
    """Staff who play see no table of a draft: from the others they would know their own."""
    hidden = round_.status == Round.Status.DRAFT and plays(user, round_.stage.event)
    return matches.none() if hidden else matches


def rounds_shown(stage: Stage) -> int:
    """How many rounds of a stage are published."""
    return stage.rounds.exclude(status=Round.Status.DRAFT).count()


def waiting_tables(round_: Round) -> QuerySet[Match]:
    """Matches of a round that still keep it from being closed."""
    return round_.matches.filter(Q(games_drawn=None) | Q(disputed=True)).order_by("table")


def match_of_entrant(round_: Round, entrant: Entrant) -> Match | None:
    """Where an entrant sits in a round."""
    return matches_of(round_).filter(seats__entrant=entrant).first()


def matches_of_entrant(event: Event, entrant: Entrant) -> QuerySet[Match]:
    """All published matches of an entrant, first round first."""
    return (
        Match.objects
        .filter(seats__entrant=entrant, round__stage__event=event)
        .exclude(round__status=Round.Status.DRAFT)
        .select_related("round__stage__event")
        .prefetch_related("seats__entrant__member_set__person")
        .order_by("round__number")
    )


def standing_report(match: Match) -> Report | None:
    """The report that waits for the opponent."""
    return match.reports.filter(status=Report.Status.STANDING).select_related("seat").first()


def points_before(round_: Round) -> dict[int, int]:
    """Match points that each entrant (by key) brought to a round."""
    seats = Seat.objects.filter(round__stage=round_.stage_id, round__number__lt=round_.number)
    return dict(seats.values("entrant").annotate(total=Sum("points", default=0)).values_list("entrant", "total"))


def seeds_used(stage: Stage, number: int) -> int:
    """How many seeds drafts of a round have used up: discarded drafts that staff who do not play threw away."""
    discarded = LedgerEntry.objects.filter(chain=stage.event.public_id, code="round.discarded", object=f"r{number}")
    return discarded.filter(after__reseed=True).count()


def newest_report_id(match: Match) -> int:
    """The key of a match's newest report, 0 when it has none: what a page that changes its result has seen."""
    return match.reports.order_by("-pk").values_list("pk", flat=True).first() or 0


def newest_shown_round(event: Event) -> Round | None:
    """The newest round that everybody may see, with its stage and clock."""
    shown = Round.objects.filter(stage__event=event).exclude(status=Round.Status.DRAFT)
    return shown.select_related("stage__event", "clock").order_by("-stage__number", "-number").first()


def open_matches_of(entrants: Collection[Entrant]) -> dict[int, Match]:
    """The match of each entrant in a published round that is not closed, by the entrant's key."""
    standing = Report.objects.filter(status=Report.Status.STANDING).select_related("seat")
    seats = Seat.objects.filter(entrant__in=entrants, round__status=Round.Status.PUBLISHED)
    matches = (
        Match.objects
        .filter(pk__in=seats.values("match"))
        .select_related("round__stage__event")
        .prefetch_related(
            "seats__entrant__member_set__person",
            "extensions",
            Prefetch("reports", queryset=standing, to_attr="standing_reports"),
        )
    )
    return {seat.entrant_id: match for match in matches for seat in match.seats.all()}


def follow_to_undo(round_: Round, now: datetime) -> LedgerEntry | None:
    """The gesture that led to this round, while it can still be undone: for a minute, until something else happens.

    Announcements and roles change nothing of a round, and do not stand in the way.
    """
    entries = LedgerEntry.objects.filter(chain=round_.stage.event.public_id)
    weighty = entries.exclude(code__startswith="announcement.").exclude(code__startswith="staff.")
    last = weighty.order_by("-number").first()
    ours = last is not None and (last.code, last.object) == ("round.followed", f"r{round_.number}")
    return last if last is not None and ours and now <= last.at + FOLLOW_UNDONE_FOR else None


def ledger_shown(event: Event, user: Any) -> QuerySet[LedgerEntry]:
    """The entries of an event's ledger that this member of its staff may read.

    Who plays the event reads the pairings of published rounds alone there: a draft that was thrown away comes back
    from the same seed.
    """
    entries = LedgerEntry.objects.filter(chain=event.public_id).order_by("number")
    if not plays(user, event):
        return entries
    shown = Round.objects.filter(stage__event=event).exclude(status=Round.Status.DRAFT)
    names = [f"r{number}" for number in shown.values_list("number", flat=True)]
    return entries.exclude(Q(code__in=PAIRING_CODES) & ~Q(object__in=names))


def awarded_byes_of(event: Event) -> QuerySet[AwardedBye]:
    """Byes given before their rounds were paired, by round, with names."""
    byes = AwardedBye.objects.filter(entrant__event=event).select_related("stage", "entrant__event")
    return byes.prefetch_related("entrant__member_set__person").order_by("number", "pk")


def rounds_to_pair(stage: Stage) -> range:
    """The rounds of a stage that are not paired yet, in the count of the event; 30 where their number is open."""
    last = last_round(stage)
    first = last.number + 1 if last else stage.first_round
    return range(first, stage.first_round + (stage.rounds_planned or MAX_ROUNDS))
