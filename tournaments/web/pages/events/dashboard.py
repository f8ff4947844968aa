"""The dashboard of an event: its counters, its next step, and what stands in the way of that."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from tournaments.common.clock import now
from tournaments.decks.selectors import without_legal_list
from tournaments.events.access import ACTIONS, may, roles_of
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import current_stage, entrants_of, missing_players, next_stage
from tournaments.play.field import is_decided, players_left
from tournaments.play.models import Match, Round
from tournaments.play.selectors import last_round, last_round_of, visible_rounds, waiting_tables
from tournaments.web.words.entrants import missing_words
from tournaments.web.words.events import OVER, state_of
from tournaments.web.words.stages import STRUCTURES

Status = Event.Status


@dataclass(frozen=True)
class NextStep:
    """The one thing to do next, in words, with a sentence on what it means.

    It is either a step of the event (`step`: a key of `events.STEPS`, `pair` or `stage`) or a page to go to (`page`, a
    URL name). `action` is the permission it needs (`access.ACTIONS`), `confirm` whether to ask first.
    """

    words: str
    means: str
    step: str = ""
    page: str = ""
    number: int = 0
    action: str = "manage_event"
    confirm: bool = False


@dataclass(frozen=True)
class Unready:
    """An entrant who is not ready for the start, with the reasons.

    `must_go` is whether the event can start only without the entrant: not checked in although check-in is open, or a
    team with too few players. The others only lack a decklist.
    """

    entrant: Entrant
    reasons: Sequence[str]
    must_go: bool = False


@dataclass(frozen=True)
class Dashboard:
    """Everything that the dashboard shows."""

    state: object
    next: NextStep | None
    stage: Stage
    rounds: list[Round]
    counts: dict[str, int]
    unready: list[Unready]
    waiting: list[int]
    disputed: int
    not_paid: int
    may: frozenset[str] = field(default_factory=frozenset)

    @property
    def may_next(self) -> bool:
        """Whether the reader's role covers the next step."""
        return self.next is not None and self.next.action in self.may

    @property
    def rounds_of_stage(self) -> int:
        """How many rounds the current stage has so far."""
        return sum(round_.stage_id == self.stage.pk for round_ in self.rounds)

    @property
    def can_cancel(self) -> bool:
        """Whether the event can still be cancelled."""
        return self.stage.event.status not in OVER


def actions_of(user: Any, event: Event) -> frozenset[str]:
    """The actions (keys of `access.ACTIONS`) that an account's roles at an event cover."""
    roles = roles_of(user, event)
    return frozenset(action for action, needed in ACTIONS.items() if roles & needed)


def offered_at(user: Any, event: Event) -> frozenset[str]:
    """The actions of an account that the pages of a round should offer.

    Those that the state of the event would refuse are left out. Includes `correct` if results can be corrected, if need
    be by reopening a finished event.
    """
    actions = actions_of(user, event)
    if event.status == Status.RUNNING:
        return actions | ({"correct"} if "run_desk" in actions else frozenset())
    return frozenset({"view_staff_pages", "correct"} if can_reopen(user, event) else {"view_staff_pages"})


def can_reopen(user: Any, event: Event) -> bool:
    """Whether the event is finished and the account may reopen it."""
    return event.status == Status.FINISHED and may(user, event, "reopen_event")


def not_ready(event: Event) -> list[Unready]:
    """The registered entrants who are not ready.

    They are a team with too few players, have no legal list, or are not checked in while check-in is open.
    """
    without = without_legal_list(current_stage(event)).values_list("pk", flat=True)
    listless = set(without)
    short = missing_players(event)
    missing = Q(pk__in=without) | Q(pk__in=short)
    if event.status == Status.CHECK_IN:
        missing |= Q(checked_in_at=None)
    found = []
    for entrant in entrants_of(event).filter(missing, status=Entrant.Status.REGISTERED):
        reasons = [missing_words(short[entrant.pk])] if entrant.pk in short else []
        if entrant.pk in listless:
            reasons.append(_("no legal decklist"))
        absent = event.status == Status.CHECK_IN and entrant.checked_in_at is None
        if absent:
            reasons.append(_("not checked in"))
        found.append(Unready(entrant, reasons, must_go=absent or entrant.pk in short))
    return found


def not_paid(event: Event) -> int:
    """How many registered entrants have not paid the entry fee; 0 if entry is free."""
    if read_procedures(event.procedures).entry.kind == "free":
        return 0
    return event.entrants.filter(status=Entrant.Status.REGISTERED, settled=Entrant.Settled.NO).count()


def dashboard_of(event: Event, user: Any) -> Dashboard:
    """The dashboard of an event for a member of its staff."""
    stage = current_stage(event)
    last = last_round(stage) or last_round_of(event)
    waiting = _waiting(last) if last and _open(last) else []
    before_start = event.status in (Status.REGISTRATION, Status.LOCKED, Status.CHECK_IN)
    return Dashboard(
        state=state_of(event, now()).short,
        next=next_step(event, stage, last, waiting),
        stage=stage,
        rounds=visible_rounds(event, staff=True),
        counts=_counts(event),
        unready=not_ready(event) if before_start else [],
        waiting=waiting,
        not_paid=not_paid(event) if before_start else 0,
        disputed=Match.objects.filter(round__stage__event=event, disputed=True).count(),
        may=actions_of(user, event),
    )


def _waiting(round_: Round) -> list[int]:
    # A match without a table is a bye or a missed round, which has its result from the start.
    return [table for table in waiting_tables(round_).values_list("table", flat=True) if table is not None]


def _open(round_: Round) -> bool:
    return round_.status == Round.Status.PUBLISHED


def _counts(event: Event) -> dict[str, int]:
    playing = Q(status=Entrant.Status.REGISTERED)
    return event.entrants.aggregate(
        playing=Count("pk", filter=playing),
        here=Count("pk", filter=playing & Q(checked_in_at__isnull=False)),
        queued=Count("pk", filter=Q(status=Entrant.Status.WAITING)),
        dropped=Count("pk", filter=Q(status=Entrant.Status.DROPPED)),
    )


def next_step(event: Event, stage: Stage, last: Round | None, waiting: Sequence[int]) -> NextStep | None:
    """The next step of an event; None if there is none.

    `stage` is the current stage, `last` the newest round, `waiting` the tables of it without a result.
    """
    if event.status == Status.RUNNING:
        return _next_of_rounds(stage, last, waiting)
    lists = event.lists != Event.Lists.NONE
    opening = _("The event becomes public; players can register.")
    if event.is_team_event:
        opening = _("The event becomes public; teams can register.")
    elif lists:
        opening = _("The event becomes public. Players can register and submit decklists.")
    locking = _(
        "Registration closes, and players can no longer change their lists. You can undo this until check-in opens."
    )
    closing = _("Players will no longer be able to register. You can undo this until check-in opens.")
    if event.is_team_event:
        closing = _("Teams will no longer be able to register. You can undo this until check-in opens.")
    steps: dict[str, NextStep] = {
        Status.DRAFT: NextStep(
            _("Open registration"),
            opening,
            step="open",
        ),
        Status.REGISTRATION: NextStep(
            _("Lock decklists") if lists else _("Close registration"),
            locking if lists else closing,
            step="lock",
            confirm=True,
        ),
        Status.LOCKED: NextStep(
            _("Open check-in"),
            _("Teams check in, or the desk does it for them.")
            if event.is_team_event
            else _("Players check in, or the desk does it for them."),
            step="check_in",
        ),
        Status.CHECK_IN: NextStep(
            _("Start the event"),
            _("The first round can be paired. Until then you can still add teams.")
            if event.is_team_event
            else _("The first round can be paired. Until then you can still add players."),
            step="start",
        ),
    }
    return steps.get(event.status)


def _next_of_rounds(stage: Stage, last: Round | None, waiting: Sequence[int]) -> NextStep | None:
    own = last if last is not None and last.stage_id == stage.pk else None
    if own is None or own.status == Round.Status.CLOSED:
        over, few = is_decided(stage, own), players_left(stage) < 2
        if over or few:
            return _after_stage(stage, few=few) if last is not None else _too_few()
        number = last.number + 1 if last else 1
        return NextStep(
            _("Pair round %(number)d") % {"number": number},
            _("This makes the pairings as a draft. Only staff see them until you publish them."),
            step="pair",
            number=number,
            action="run_desk",
        )
    if own.status == Round.Status.DRAFT:
        words = _("View the draft of round %(number)d") % {"number": own.number}
        means = _(
            "Players cannot see anything yet. Publish the draft so that they can find their tables, or discard it."
        )
    elif waiting:
        words = _("Go to the desk of round %(number)d") % {"number": own.number}
        means = _("Enter the missing results. The round can be closed once every table has one.")
    else:
        words = _("Close round %(number)d") % {"number": own.number}
        means = _("All results are final. Closing the round adds it to the standings; then the next one can be paired.")
    return NextStep(words, means, page="web:staff_round", number=own.number, action="run_desk")


def _too_few() -> NextStep:
    return NextStep(
        _("Go to the entrants"),
        _("Fewer than two players are left, so no round can be paired. Add players, or cancel the event."),
        page="web:staff_entrants",
        action="run_desk",
    )


def _after_stage(stage: Stage, *, few: bool) -> NextStep:
    """What follows a stage in which nothing is left to play, or `few`er than two players are left."""
    later = next_stage(stage.event)
    if later is None:
        played = _("All planned rounds are played. The standings become final.")
        left = _("Fewer than two players are left, so the event ends here. The standings become final.")
        return NextStep(_("Finish the event"), left if few else played, step="finish", confirm=True)
    named = {"number": later.number, "structure": STRUCTURES[later.kind]}
    if few:
        return NextStep(
            _("Go to the stages"),
            _(
                "Fewer than two players are left, so stage %(number)d cannot be played."
                " Remove it, then finish the event."
            )
            % named,
            page="web:staff_stages",
        )
    return NextStep(
        _("Start stage %(number)d: %(structure)s") % named,
        _("The standings decide who qualifies. You can undo this until a round of the stage is paired."),
        step="stage",
    )
