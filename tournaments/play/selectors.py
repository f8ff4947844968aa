"""Queries for rounds and matches, for pages, the API and services."""

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.db.models import Case, Count, F, IntegerField, Prefetch, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.common.models import LedgerEntry
from tournaments.common.reading import read_kept, read_once
from tournaments.events.access import plays
from tournaments.events.hall_tables import in_ranges
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import names_of
from tournaments.play.boards import load_boards, with_boards
from tournaments.play.field import worth_of
from tournaments.play.loading import newest_report, waiting_reports
from tournaments.play.models import AwardedBye, Match, Report, Round, Seat
from tournaments.swiss.crosstable import UNREWARDED
from tournaments.swiss.field import DRAW, LOSS, WIN

FOLLOW_UNDONE_FOR = timedelta(seconds=60)
# Ledger codes of manual edits of a draft, and of all entries that show who sits where in a round.
MANUAL_EDIT_CODES = ("round.swapped", "round.bye_given", "round.seated")
PAIRING_CODES = ("round.paired", *MANUAL_EDIT_CODES, "round.hand_undone", "round.mended", "round.kept")
MAX_ROUNDS = 30


def last_round(stage: Stage) -> Round | None:
    """The newest round of a stage, drafts included."""
    return stage.rounds.order_by("-number").first()


def last_round_of(event: Event) -> Round | None:
    """The newest round of an event in any stage, drafts included."""
    return Round.objects.filter(stage__event=event).select_related("stage__event").order_by("-number").first()


def visible_rounds(event: Event, *, staff: bool) -> list[Round]:
    """The rounds of all stages of an event, in order, with their clocks; drafts only with `staff`."""
    # Kept from page to page: results, which come all the time, do not change this list.
    found = read_once(
        ("rounds", event.pk), lambda: _bound(read_kept(event.public_id, "rounds", lambda: _rounds(event)), event)
    )
    return [round_ for round_ in found if staff or round_.status != Round.Status.DRAFT]


def _rounds(event: Event) -> list[Round]:
    rounds = Round.objects.filter(stage__event=event)
    return list(rounds.select_related("stage__event", "clock").order_by("number"))


def _bound(rounds: Iterable[Round], event: Event) -> list[Round]:
    """Copies of rounds whose stages lead to `event`, the object that this page has read.

    The rounds themselves are shared between pages (`read_kept`) and must not be changed.
    """
    found = [copy(round_) for round_ in rounds]
    for round_ in found:
        round_.stage = copy(round_.stage)
        round_.stage.event = event
    return found


def matches_of(round_: Round) -> QuerySet[Match]:
    """A round's matches with all that a list shows, tables first and byes last.

    Each match has `newest_report` (a key, or None) and `waiting_reports` (for `waiting_of`), and the boards of team
    matches are loaded (`boards.with_members`). The number of queries does not grow with the number of matches.
    """
    boards = [with_boards()] if round_.stage.event.has_boards else []
    return (
        bare_matches_of(round_)
        .prefetch_related(
            "seats__entrant__member_set__person",
            "extensions",
            Prefetch("reports", queryset=waiting_reports(), to_attr="waiting_reports"),
            *boards,
        )
        .select_related("round__stage__event")
    )


def waiting_of(match: Any) -> tuple[Report | None, Report | None]:
    """The standing and the counter report of a match that was read with its `waiting_reports`.

    The counter report is None without a standing one.
    """
    found = {report.status: report for report in match.waiting_reports}
    standing = found.get(Report.Status.STANDING)
    return standing, found.get(Report.Status.COUNTER) if standing else None


def bare_matches_of(round_: Round) -> QuerySet[Match]:
    """Like `matches_of`, without related objects: for long lists of which a few matches are loaded in full."""
    matches = round_.matches.annotate(newest_report=newest_report())
    return matches.order_by(F("table").asc(nulls_last=True), "pk")


@dataclass(frozen=True)
class Pairing:
    """A table of a round in brief. `match` is the key of the match; `seats` holds the entrants' keys and names."""

    match: int
    match_id: str
    table: int | None
    kind: str
    seats: tuple[tuple[int, str], ...]


def pairings_of(round_: Round, *, full: bool = False) -> list[Pairing]:
    """A round's tables in order, byes last, with `full` names for staff, else the public ones.

    Two queries, and no model instances, whatever the size of the round.
    """
    names = names_of(Entrant.objects.filter(seats__round=round_), full=full)
    seats = Seat.objects.filter(round=round_).order_by(F("match__table").asc(nulls_last=True), "match", "number")
    match, entrant = ("match", "match__public_id", "match__table", "match__kind"), ("entrant", "entrant__public_id")
    found = seats.values_list(*match, *entrant)
    return [
        Pairing(key, match, table, kind, tuple((key, names.get(key, public_id)) for *_table, key, public_id in rows))
        for (key, match, table, kind), rows in groupby(found, key=lambda row: row[:4])
    ]


def tables_said(round_: Round | None) -> str:
    """The sentence for a table that a round does not have: which tables it has. None if no round is being played."""
    numbered = Match.objects.none() if round_ is None else round_.matches.filter(table__isnull=False)
    tables = [table for table in numbered.order_by("table").values_list("table", flat=True) if table is not None]
    if round_ is None or not tables:
        return _("No round is being played.")
    named = {"number": round_.number, "first": tables[0], "last": tables[-1], "tables": in_ranges(tables)}
    if len(tables) == 1:
        return _("Round %(number)d has only table %(first)d.") % named
    if tables[-1] - tables[0] == len(tables) - 1:
        return _("Round %(number)d has tables %(first)d to %(last)d.") % named
    return _("Round %(number)d has only these tables: %(tables)s.") % named


def seats_said(match: Match) -> str:
    """The sentence for a seat that a table does not have: which seats it has."""
    count = match.seats.count()
    return ngettext("This table has only seat %(n)d.", "This table has seats 1 to %(n)d.", count) % {"n": count}


def is_hidden(round_: Round, user: Any) -> bool:
    """Whether the round is a draft that this reader may not see, because they play the event."""
    return round_.status == Round.Status.DRAFT and plays(user, round_.stage.event)


def shown_to_staff(matches: QuerySet[Match], user: Any, round_: Round) -> QuerySet[Match]:
    """These matches, or none if the round is hidden from this member of staff (`is_hidden`).

    Not even the tables of others are shown: the rest would tell them their own pairing.
    """
    return matches.none() if is_hidden(round_, user) else matches


def rounds_closed(stage: Stage) -> int:
    """The number of closed rounds of a stage: those that its standings count."""
    return stage.rounds.filter(status=Round.Status.CLOSED).count()


def waiting_tables(round_: Round) -> QuerySet[Match]:
    """Matches of a round that keep it from being closed: without a result, or disputed."""
    return round_.matches.filter(Q(games_drawn=None) | Q(disputed=True)).order_by("table")


def match_of_entrant(round_: Round, entrant: Entrant) -> Match | None:
    """The match of an entrant in a round, or None."""
    return matches_of(round_).filter(seats__entrant=entrant).first()


def history_of_account(user: Any) -> QuerySet[Entrant]:
    """The entrants that an account acts for, newest first, over all events.

    Each has the number of `matches` that count, how many of them were `won`, and the sum of `points`.
    """
    counts = Q(seats__match__games_drawn__isnull=False, seats__match__disputed=False)
    counts &= ~Q(seats__round__status=Round.Status.DRAFT)
    # At a multiplayer table first place wins; in a match of two, 3 match points.
    first = Q(seats__rank=1) | Q(seats__rank=None, seats__points=3)
    return (
        Entrant.objects
        .filter(pk__in=Entrant.objects.filter(member__person__account=user).values("pk"))
        .annotate(
            matches=Count("seats", filter=counts),
            won=Count("seats", filter=counts & first),
            points=Coalesce(Sum("seats__points", filter=counts), 0),
        )
        .select_related("event")
        .prefetch_related("member_set__person")
        .order_by("-registered_at", "-pk")
    )


# Ledger codes of entries that set or change the result that counts.
RESULT_CODES = (
    "result.confirmed", "result.entered", "result.ruled", "result.conceded", "result.penalized", "result.undone",
    "result.voided",
)  # fmt: skip


def paired_before_correction(match: Match) -> Round | None:
    """The later open Swiss round that was paired before the result of `match` was last changed.

    None if there is none, so nothing needs to be repaired.
    """
    later = Round.objects.filter(stage=match.round.stage_id, number__gt=match.round.number)
    swiss = later.filter(stage__kind=Stage.Kind.SWISS).exclude(status=Round.Status.CLOSED)
    open_ = swiss.select_related("stage__event").first()
    if open_ is None:
        return None
    changed = LedgerEntry.objects.filter(
        chain=open_.stage.event.public_id,
        object=match.public_id,
        code__in=RESULT_CODES,
        number__gt=open_.results_version,
    )
    return open_ if changed.exists() else None


def is_outdated(round_: Round) -> bool:
    """Whether a result of an earlier round was changed since this open Swiss round was paired or repaired."""
    if round_.status == Round.Status.CLOSED or round_.stage.kind != Stage.Kind.SWISS:
        return False
    earlier = Match.objects.filter(round__stage=round_.stage_id, round__number__lt=round_.number)
    changed = LedgerEntry.objects.filter(
        chain=round_.stage.event.public_id,
        object__in=earlier.values("public_id"),
        code__in=RESULT_CODES,
        number__gt=round_.results_version,
    )
    return changed.exists()


def points_before(round_: Round) -> dict[int, Fraction]:
    """The match points that each entrant (by key) had before a round of its stage."""
    stage = round_.stage
    seats = Seat.objects.filter(round__stage=stage, round__number__lt=round_.number)
    halves = F("points") * 2 if stage.is_tables else halves_of(stage)
    totals = seats.values("entrant").annotate(total=Sum(halves, default=0)).values_list("entrant", "total")
    return {entrant: Fraction(total, 2) for entrant, total in totals}


def halves_of(stage: Stage) -> Case:
    """A database expression for the points of a seat in a stage for two, in half points.

    Half points are integers, which the database sums exactly. A loss that was not played (no-show, forfeit,
    disqualification) earns nothing, even where a played loss does.
    """
    scoring = worth_of(stage)
    worth = {WIN: scoring.win, DRAW: scoring.draw, LOSS: scoring.loss}
    win, draw, loss = (int(2 * (points if own is None else own)) for points, own in worth.items())
    unplayed = Q(match__kind__in=UNREWARDED)
    return Case(
        When(points=WIN, then=win),
        When(points=DRAW, then=draw),
        When(~unplayed, points=LOSS, then=loss),
        default=0,
        output_field=IntegerField(),
    )


@dataclass(frozen=True)
class RecordBefore:
    """The record of an entrant in the earlier rounds of a stage: matches, byes and match points.

    At multiplayer tables (`ranked`) only the points mean anything.
    """

    won: int = 0
    lost: int = 0
    drawn: int = 0
    byes: int = 0
    points: int = 0
    ranked: bool = False


def records_before(round_: Round, only: QuerySet[Entrant] | None = None) -> dict[int, RecordBefore]:
    """The record with which each entrant, or each of `only`, comes to a round, by key. One query."""
    before = Seat.objects.filter(round__stage=round_.stage_id, round__number__lt=round_.number).select_related(None)
    if only is not None:
        before = before.filter(entrant__in=only)
    played = Q(match__table__isnull=False)
    sums = before.values("entrant").annotate(
        total=Sum("points", default=0),
        won=Count("pk", filter=played & Q(points=3)),
        drawn=Count("pk", filter=played & Q(points=1)),
        lost=Count("pk", filter=played & Q(points=0)),
        byes=Count("pk", filter=~played & Q(points__gt=0)),
    )
    ranked = round_.stage.is_tables
    return {
        line["entrant"]: RecordBefore(line["won"], line["lost"], line["drawn"], line["byes"], line["total"], ranked)
        for line in sums
    }


def seeds_used(stage: Stage, number: int) -> int:
    """The number of seeds that earlier drafts of a round have used up.

    Only drafts discarded by staff who do not play count: staff who play get the same seed again, so that they cannot
    draw until they like the pairings.
    """
    discarded = LedgerEntry.objects.filter(chain=stage.event.public_id, code="round.discarded", object=f"r{number}")
    return discarded.filter(after__reseed=True).count()


def chooser_of(match: Match) -> Seat | None:
    """The seat that chooses who starts at a match after a cut (the higher seed), or None if nobody does."""
    return choosers_of(match.round, [match]).get(match.pk)


def choosers_of(round_: Round, matches: Iterable[Match]) -> dict[int, Seat]:
    """The seat that chooses who starts at each of these matches, by match key. One query for a whole round."""
    stage = round_.stage
    if not stage.seed_chooses or stage.number == 1 or stage.is_tables:
        return {}
    seeds = dict(stage.entries.values_list("entrant", "seed"))
    duels = ((match, list(match.seats.all())) for match in matches if match.table is not None)
    return {
        match.pk: min(seats, key=lambda seat: seeds.get(seat.entrant_id, len(seeds) + 1))
        for match, seats in duels
        if len(seats) == 2
    }


def newest_report_id(match: Match) -> int:
    """The key of a match's newest report, or 0.

    Pages that change a result send it back, so that the service notices what came in meanwhile.
    """
    return match.reports.order_by("-pk").values_list("pk", flat=True).first() or 0


def newest_shown_round(event: Event) -> Round | None:
    """The newest round that everybody may see, with its stage and clock, or None."""
    return max(
        visible_rounds(event, staff=False), key=lambda round_: (round_.stage.number, round_.number), default=None
    )


def open_matches_of(entrants: Collection[Entrant]) -> dict[int, Match]:
    """The matches of these entrants in published rounds that are not closed, by entrant key."""
    seats = Seat.objects.filter(entrant__in=entrants, round__status=Round.Status.PUBLISHED)
    matches = list(
        Match.objects
        .filter(pk__in=seats.values("match"))
        .select_related("round__stage__event")
        .prefetch_related(
            "seats__entrant__member_set__person",
            "extensions",
            Prefetch("reports", queryset=waiting_reports(), to_attr="waiting_reports"),
        )
    )
    load_boards(matches)
    return {seat.entrant_id: match for match in matches for seat in match.seats.all()}


def follow_to_undo(round_: Round, now: datetime) -> LedgerEntry | None:
    """The ledger entry of the action that led to this round, while that action can still be undone.

    It can be undone for `FOLLOW_UNDONE_FOR`, until something else happens in the event. Announcements and changes of
    staff do not affect a round, so they do not count.
    """
    entries = LedgerEntry.objects.filter(chain=round_.stage.event.public_id)
    weighty = entries.exclude(code__startswith="announcement.").exclude(code__startswith="staff.")
    last = weighty.order_by("-number").first()
    # Reports and results of the new round are entries too, so nothing that players did is ever undone here.
    ours = last is not None and (last.code, last.object) == ("round.followed", f"r{round_.number}")
    return last if last is not None and ours and now <= last.at + FOLLOW_UNDONE_FOR else None


def declined_places(stage: Stage) -> list[str]:
    """The public ids of those who declined their place in a later stage when it was last started."""
    entries = LedgerEntry.objects.filter(
        chain=stage.event.public_id, code="stage.started", object=f"s{stage.number}"
    ).order_by("-number")
    last = entries.first()
    return list(last.after.get("declined", ())) if last is not None else []


def edit_to_undo(round_: Round) -> LedgerEntry | None:
    """The ledger entry of the last manual edit of a draft, if nothing else was done to the round since."""
    entries = LedgerEntry.objects.filter(chain=round_.stage.event.public_id, object=f"r{round_.number}")
    last = entries.order_by("-number").first()
    # `before` holds the tables that undoing restores.
    return last if last is not None and last.code in MANUAL_EDIT_CODES and last.before else None


def ledger_shown(event: Event, user: Any) -> QuerySet[LedgerEntry]:
    """The entries of an event's ledger that this member of its staff may read.

    For staff who play, entries with pairings of unpublished rounds are left out. That includes discarded drafts: if
    they discarded one themselves, the next draft uses the same seed.
    """
    entries = LedgerEntry.objects.filter(chain=event.public_id).order_by("number")
    if not plays(user, event):
        return entries
    shown = Round.objects.filter(stage__event=event).exclude(status=Round.Status.DRAFT)
    names = [f"r{number}" for number in shown.values_list("number", flat=True)]
    return entries.exclude(Q(code__in=PAIRING_CODES) & ~Q(object__in=names))


def awarded_byes_of(event: Event) -> QuerySet[AwardedBye]:
    """Byes awarded for rounds of an event, by round, with the entrants' names."""
    byes = AwardedBye.objects.filter(entrant__event=event).select_related("stage", "entrant__event")
    return byes.prefetch_related("entrant__member_set__person").order_by("number", "pk")


def rounds_to_pair(stage: Stage) -> range:
    """The numbers (within the event) of a stage's rounds that are not paired yet.

    Up to `MAX_ROUNDS` where the number of rounds is not planned.
    """
    numbers = [round_.number for round_ in visible_rounds(stage.event, staff=True) if round_.stage_id == stage.pk]
    first = max(numbers, default=stage.first_round - 1) + 1
    return range(first, stage.first_round + (stage.rounds_planned or MAX_ROUNDS))


def paired_in(round_: Round) -> list[int]:
    """The keys of the entrants with a table in a round; those with a bye or who missed it are left out."""
    return list(Seat.objects.filter(round=round_, match__table__isnull=False).values_list("entrant", flat=True))


def is_of_one_account(match: Match) -> bool:
    """Whether one account acts for everybody at a table, such as a guardian of two children.

    Nobody else could then confirm a report.
    """
    seats = match.seats.all() if _has_people(match) else match.seats.prefetch_related("entrant__member_set__person")
    accounts = [member.person.account_id for seat in seats for member in seat.entrant.member_set.all()]
    # Walk-ins have no account, and two of them are not one account.
    return len(accounts) > 1 and None not in accounts and len(set(accounts)) == 1


def _has_people(match: Match) -> bool:
    return "seats" in getattr(match, "_prefetched_objects_cache", {})
