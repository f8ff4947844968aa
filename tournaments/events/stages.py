"""Actions on the planned stages of an event: add, configure and remove."""

import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.blueprints import scheme_for
from tournaments.events.models import Event, Stage
from tournaments.events.presets import PRESETS
from tournaments.events.services import MAX_STAGES, check_bounds, check_kind, record, refuse_kind_for_teams

Kind = Stage.Kind
# Options of each structure, besides those that all have (kind, games per match, round time) and the number of rounds.
OPTIONS: dict[str, tuple[str, ...]] = {
    Kind.SWISS: (),
    Kind.PODS: ("pod_size",),
    Kind.TABLES: ("table_size",),
    Kind.ROUND_ROBIN: ("twice",),
    Kind.SINGLE_ELIMINATION: ("third_place",),
    Kind.DOUBLE_ELIMINATION: ("reset",),
}
CUT = ("cut_top", "cut_points")
AFTER_CUT = (*CUT, "seed_chooses")
"""Options that only a stage after the first one has."""

COUNTED = (Kind.SWISS, Kind.PODS, Kind.TABLES)
"""Structures whose number of rounds is chosen. In the others it follows from the number of players."""
_LIVE = (Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)


def add_stage(*, event: Event, kind: str, by: User, now: datetime, **options: Any) -> Stage:
    """Add a stage after the existing ones; possible until the event is over.

    The new stage takes over the games per match, the round time and the deck rules of the stage before it. `options`
    are those of `configure_stage`.

        add_stage(event=event, kind="single_elimination", cut_top=8, by=user, now=now)

    Refused: `structure_unknown`, `event_state`, `too_many_stages` (at most `MAX_STAGES`), `option_unknown`,
    `out_of_bounds`, `team_structure`.
    """
    check_kind(kind)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        _refuse_if_over(event)
        if event.is_team_event:
            refuse_kind_for_teams(kind)
        last = event.stages.order_by("-number")[0]
        if last.number >= MAX_STAGES:
            raise Refusal("too_many_stages", _("An event has at most %(most)d stages.") % {"most": MAX_STAGES})
        stage = Stage(
            event=event,
            number=last.number + 1,
            kind=kind,
            best_of=last.best_of,
            round_minutes=last.round_minutes,
            seed=secrets.randbits(52),
            deck_format=last.deck_format,
            deck_options=last.deck_options,
            team_deck_limit=last.team_deck_limit,
            pools_shown=last.pools_shown,
        )
        _apply(stage, options)
        stage.save()
        record(event, by, "stage.added", now, object=f"s{stage.number}", after=described(stage))
    return stage


def configure_stage(*, stage: Stage, by: User, now: datetime, kind: str | None = None, **options: Any) -> Stage:
    """Change a stage that has not started. `options` are fields of `Stage`; those not given stay as they are.

    `cut_top` and `cut_points` say who advances from the previous stage, so a first stage has neither.

    Refused: `structure_unknown`, `event_state`, `stage_started`, `option_unknown` (with the names), `out_of_bounds`
    (with the names), `team_structure`.
    """
    if kind is not None:
        check_kind(kind)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=stage.event_id)
        stage = Stage.objects.select_for_update().get(pk=stage.pk)
        _refuse_if_over(event)
        if stage.started_at is not None:
            raise Refusal("stage_started", _("This stage has started: its structure does not change any more."))
        before = described(stage)
        if event.is_team_event:
            refuse_kind_for_teams(kind or stage.kind)
        stage.kind = kind or stage.kind
        _apply(stage, options)
        stage.save()
        after = described(stage)
        if after != before:
            record(event, by, "stage.configured", now, object=f"s{stage.number}", before=before, after=after)
    return stage


def remove_stage(*, stage: Stage, by: User, now: datetime) -> None:
    """Remove the last stage, if it has not started.

    Refused: `first_stage` (an event keeps its first stage), `stage_started`, `stage_not_last`.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=stage.event_id)
        stage = Stage.objects.select_for_update().get(pk=stage.pk)
        if stage.number == 1:
            raise Refusal("first_stage", _("The first stage cannot be removed."))
        if stage.started_at is not None:
            raise Refusal("stage_started", _("This stage has started: its structure does not change any more."))
        if event.stages.filter(number__gt=stage.number).exists():
            raise Refusal("stage_not_last", _("Remove the stages after it first."))
        record(event, by, "stage.removed", now, object=f"s{stage.number}", before=described(stage))
        stage.delete()


def described(stage: Stage) -> dict[str, Any]:
    """A stage's structure as it appears in the ledger and the API: the options that its kind uses, and no others."""
    names = ["kind", "best_of", "round_minutes", *(("rounds_planned",) if stage.kind in COUNTED else ())]
    names += [*OPTIONS[stage.kind], *(AFTER_CUT if stage.number > 1 else ())]
    return {name: getattr(stage, name) for name in names}


def _refuse_if_over(event: Event) -> None:
    if event.status not in (*_LIVE, Event.Status.RUNNING):
        raise Refusal("event_state", _("The event has moved on: this step is no longer possible."))


def _apply(stage: Stage, options: dict[str, Any]) -> None:
    """Set options on a stage. A refusal names every option that the structure does not have or that is out of bounds.

    An option that the structure does not have is ignored when it is None or False, as that asks for nothing.
    """
    known = {
        "rounds_planned",
        "best_of",
        "round_minutes",
        *OPTIONS[stage.kind],
        *(AFTER_CUT if stage.number > 1 else ()),
    }
    wrong = sorted(name for name, value in options.items() if name not in known and value not in (None, False))
    if wrong:
        raise InvalidInput("option_unknown", _("This structure has no such option."), details=wrong)
    figures = {name: value for name, value in options.items() if name in known and not isinstance(value, bool)}
    if "rounds_planned" in figures:
        figures["rounds"] = figures.pop("rounds_planned")
    check_bounds(**figures)
    for name in known & options.keys():
        value = options[name]
        # None clears these three; for the others, which have no empty value, it means "not given".
        if value is not None or name in ("rounds_planned", *CUT):
            setattr(stage, name, value)
    if stage.kind not in COUNTED:
        stage.rounds_planned = None
    stage.scheme = scheme_for(stage.kind, PRESETS[stage.event.preset])
