"""Makes an event of what a file of another program holds: to play on from its next round, or as an archive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common import ledger
from tournaments.common.jobs import Progress, unseen
from tournaments.common.refusals import InvalidInput
from tournaments.decks.services import create_event
from tournaments.events.models import Entrant, Event, Stage, StageEntry
from tournaments.events.pairing_settings import forbid_pair
from tournaments.events.scoring import SCORING_PRESETS
from tournaments.events.selectors import current_stage
from tournaments.events.services import BOUNDS
from tournaments.events.stages import add_stage
from tournaments.play.models import Match
from tournaments.play.selectors import rounds_to_pair
from tournaments.play.services import award_bye
from tournaments.play.services.bringing import BroughtTable, bring_rounds
from tournaments.standings.services import choose_scheme, choose_scoring
from tournaments.transfers.brackets import FittedBracket, fitted
from tournaments.transfers.brought import ROUND_ROBIN, SWISS, Brought, BroughtMatch, BroughtStage
from tournaments.transfers.entering import enter_players

Status = Event.Status
ORDERS: Mapping[str, tuple[str, str]] = {"trf": ("fide", "fide"), "nrtm": ("netrunner", "scheme")}
"""The tiebreak scheme and the scoring (`events.scoring`) that a format's events are ranked by, where we know."""


@dataclass(frozen=True)
class Settings:
    """What the organizer says about the event, where the file does not say it or says something else.

    - `scheme`, `scoring`: names, "" for what the format and the preset say
    - `byes`: whether who has no match in a Swiss round had a bye, for files that leave byes out; else it is missed
    - `archive`: whether the event is over
    """

    name: str
    preset: str
    game_name: str = ""
    best_of: int | None = None
    rounds: int | None = None
    round_minutes: int | None = None
    starts_at: datetime | None = None
    time_zone: str = ""
    scheme: str = ""
    scoring: str = ""
    byes: bool = False
    archive: bool = False


@dataclass
class _Made:
    """The event while it is being made, and its entrants by the keys of the file."""

    event: Event
    brought: Brought
    by: User
    now: datetime
    entrants: dict[str, Entrant] = field(default_factory=dict)


def make_event(
    *,
    brought: Brought,
    settings: Settings,
    by: User,
    now: datetime,
    source: str = "",
    progress: Progress = unseen,
) -> Event:
    """Create an event with the players and rounds of a file, owned by `by`, in one transaction.

    - Without rounds it is a draft with its entrants, to be opened as any other.
    - With rounds it is running: the last round is open if a match of it has no result, otherwise the next one can be
      paired. With `settings.archive` it is archived instead.

    `source` is the public id of what the file was uploaded as, by which its decklists are found.

    Refused as `create_event` is; also `nothing_brought` without players, `too_many_rounds`, `round_unfinished`, and
    `robin_unfinished` for a round robin that is to be played on.
    """
    if settings.byes:
        brought = with_byes(brought)
    _check(brought, settings)
    first = brought.stages[0] if brought.stages else BroughtStage()
    planned = settings.rounds or max(first.rounds_planned or 0, len(first.rounds)) or None
    with transaction.atomic():
        event = create_event(
            by=by,
            name=settings.name,
            preset=settings.preset,
            now=now,
            starts_at=settings.starts_at or brought.starts_at,
            rounds=planned if first.kind in (SWISS, ROUND_ROBIN) else None,
            best_of=settings.best_of or best_of(brought),
            round_minutes=settings.round_minutes,
            kind=Stage.Kind.SWISS if first.kind == ROUND_ROBIN else first.kind,
            game_name=settings.game_name,
            lists=Event.Lists.OPTIONAL,
            time_zone=settings.time_zone,
        )
        if brought.place:
            event.place = brought.place[:120]
            event.save(update_fields=["place"])
        _order(event, brought, settings, by, now)
        for later in brought.stages[1:]:
            add_stage(event=event, kind=later.kind, by=by, now=now, cut_top=_cut_of(later), **_options(later))
        made = _Made(event, brought, by, now)
        made.entrants = enter_players(event=event, players=brought.players, by=by, now=now, source=source)
        progress(40)
        if brought.rounds:
            _bring_in(made, settings, progress)
    return event


def best_of(brought: Brought) -> int | None:
    """How many games a match of the first stage has at most: what the file says, or the least that its scores fit in.

    None if the scores only say who won, or do not fit in as many games as a match here can have.
    """
    if brought.best_of in BOUNDS["best_of"]:
        return brought.best_of
    return _games_of(brought.stages[0]) if brought.stages else None


def _games_of(stage: BroughtStage) -> int | None:
    most = max((max(match.games[:2]) for matches in stage.rounds for match in matches if match.games), default=0)
    return next((games for games in BOUNDS["best_of"] if games // 2 + 1 >= most), None) if most > 1 else None


def with_byes(brought: Brought) -> Brought:
    """The event with a bye for whoever has no match in a Swiss round, and had not left before."""
    left = {player.key: player.dropped_after for player in brought.players}
    stages = tuple(
        replace(stage, rounds=tuple(_filled(matches, number, left) for number, matches in enumerate(stage.rounds)))
        if stage.kind == SWISS
        else stage
        for stage in brought.stages
    )
    return replace(brought, stages=stages)


def _filled(matches: Sequence[BroughtMatch], number: int, left: Mapping[str, int | None]) -> tuple[BroughtMatch, ...]:
    here = {seat for match in matches for seat in match.seats}
    resting = (key for key, after in left.items() if key not in here and (after is None or after > number))
    return (*matches, *(BroughtMatch((key,), kind=Match.Kind.BYE) for key in resting))


def _check(brought: Brought, settings: Settings) -> None:
    if not brought.players:
        raise InvalidInput("nothing_brought", _("There are no players in this file."))
    least, most = BOUNDS["rounds"]
    if not least - 1 <= brought.rounds <= most:
        raise InvalidInput("too_many_rounds", _("An event has at most %(most)d rounds.") % {"most": most})
    robin = [stage for stage in brought.stages if stage.kind == ROUND_ROBIN]
    unfinished = any(len(stage.rounds) < (stage.rounds_planned or 0) or _is_open(stage) for stage in robin)
    if unfinished and not settings.archive:
        message = _(
            "A round robin follows the schedule of the program that made it. Finish it there, "
            "or import it as an archive."
        )
        raise InvalidInput("robin_unfinished", message)


def _is_open(stage: BroughtStage) -> bool:
    last = stage.rounds[-1] if stage.rounds else ()
    return any(len(match.seats) > 1 and match.games is None for match in last)


def _cut_of(stage: BroughtStage) -> int | None:
    count = len(stage.seeds)
    least, most = BOUNDS["cut_top"]
    return count if least <= count <= most else None


def _options(stage: BroughtStage) -> dict[str, int]:
    """The options of a later stage that the file says; it has the others of the stage before."""
    options: dict[str, int] = {}
    if stage.kind == SWISS and stage.rounds_planned:
        options["rounds_planned"] = stage.rounds_planned
    if games := _games_of(stage):
        options["best_of"] = games
    return options


def _order(event: Event, brought: Brought, settings: Settings, by: User, now: datetime) -> None:
    """Rank the event as its program does, or as the organizer says."""
    if event.stages.get(number=1).kind != Stage.Kind.SWISS:
        return  # a bracket has an order of its own
    scheme, scoring = ORDERS.get(brought.format, ("", ""))
    scheme, scoring = settings.scheme or scheme, settings.scoring or scoring
    if scoring and scoring not in SCORING_PRESETS:
        raise InvalidInput("scoring_unknown", _("This scoring does not exist."), details=list(SCORING_PRESETS))
    if scheme:
        choose_scheme(event=event, scheme=scheme, by=by, now=now)
    if scoring:
        choose_scoring(event=event, scoring=SCORING_PRESETS[scoring].scoring, by=by, now=now)


def _bring_in(made: _Made, settings: Settings, progress: Progress) -> None:
    """Set the event running (or archived), and write the rounds of its stages."""
    status = Status.ARCHIVED if settings.archive else Status.RUNNING
    Event.objects.filter(pk=made.event.pk).update(status=status)
    made.event.status = status
    dropped = _drop(made)
    stages = list(made.event.stages.select_for_update().select_related("event").order_by("number"))
    started = ledger.Entry(
        made.event.public_id,
        made.by.public_id,
        "event.brought",
        made.event.public_id,
        made.now,
        before={"status": Status.DRAFT},
        after={"status": status, "format": made.brought.format, "rounds": made.brought.rounds},
    )
    ledger.record_all([started, *dropped])
    for at, (stage, said) in enumerate(zip(stages, made.brought.stages, strict=False)):
        if not (said.rounds or at == 0) or not _bring_stage(made, stage, said):
            break
        progress(50 + 40 * (at + 1) // len(stages))
    if status == Status.RUNNING:
        _plan_next(made)


def _drop(made: _Made) -> list[ledger.Entry]:
    gone = {player.key: player.dropped_after for player in made.brought.players if player.dropped_after is not None}
    for key, after in gone.items():
        made.entrants[key].status, made.entrants[key].dropped_after = Entrant.Status.DROPPED, after
    Entrant.objects.bulk_update([made.entrants[key] for key in gone], ["status", "dropped_after"], batch_size=500)
    return [
        ledger.Entry(
            made.event.public_id,
            made.by.public_id,
            "entrant.dropped",
            made.entrants[key].public_id,
            made.now,
            after={"after_round": after},
        )
        for key, after in gone.items()
    ]


def _bring_stage(made: _Made, stage: Stage, said: BroughtStage) -> bool:
    """Start a stage and write its rounds. False if it cannot be: a bracket that is not ours is played from the cut."""
    bracket = fitted(said) if stage.is_bracket else None
    if stage.is_bracket and bracket is None:
        return False
    last = made.event.stages.filter(number=stage.number - 1).first()
    stage.started_at = made.now
    stage.first_round = 1 if last is None else last.first_round + last.rounds.count()
    seeds = bracket.seeds if bracket else said.seeds if stage.number > 1 else ()
    if bracket is not None:
        stage.third_place = bracket.third_place
    stage.save(update_fields=["started_at", "first_round", "third_place"])
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entrant=made.entrants[key], seed=seed) for seed, key in enumerate(seeds, 1)
    )
    if stage.number > 1:
        after = {"kind": stage.kind, "seeds": [made.entrants[key].public_id for key in seeds], "drawn": []}
        ledger.record(
            chain=made.event.public_id,
            actor=made.by.public_id,
            code="stage.started",
            object=f"s{stage.number}",
            now=made.now,
            after=after,
        )
    bring_rounds(stage=stage, rounds=_tables(made, said, bracket), by=made.by, now=made.now)
    return True


def _tables(made: _Made, said: BroughtStage, bracket: FittedBracket | None) -> list[list[BroughtTable]]:
    if bracket is not None:
        placed = [[(each.node, each.match) for each in tables] for tables in bracket.rounds]
    else:
        placed = [[("", match) for match in tables] for tables in said.rounds]
    return [
        [
            BroughtTable(tuple(made.entrants[key] for key in match.seats), match.games, match.kind, match.table, node)
            for node, match in tables
        ]
        for tables in placed
    ]


def _plan_next(made: _Made) -> None:
    """Award the byes of the next round, and keep apart who must not meet, as the file says."""
    following = made.brought.rounds + 1
    goes_on = len(made.brought.stages) == 1 and following in rounds_to_pair(current_stage(made.event))
    for player in made.brought.players:
        if goes_on and player.awarded and player.dropped_after is None:
            award_bye(
                entrant=made.entrants[player.key], number=following, kind=player.awarded, by=made.by, now=made.now
            )
    for one, two in made.brought.apart:
        forbid_pair(
            event=made.event,
            first=made.entrants[one],
            second=made.entrants[two],
            reason=_("Kept apart in the imported file."),
            by=made.by,
            now=made.now,
        )
