"""Entries at the desk once an event is running, and late entries into rounds that have begun."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import Person, User
from tournaments.common.refusals import Refusal
from tournaments.decks.selectors import is_drafted
from tournaments.decks.services import open_late
from tournaments.events.models import Entrant, Event, Member, Stage
from tournaments.events.naming import refresh_shown_names
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import current_stage
from tournaments.events.services import add_entrant, desk_person, refuse_address, refuse_alone, refuse_same_name
from tournaments.events.teams import NewTeam, add_teams, enter_teams
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import last_round, last_round_of
from tournaments.play.services.entries import record
from tournaments.play.services.results import results_moved
from tournaments.play.services.stages import draw_first_stage_anew


def enter_at_desk(
    *,
    event: Event,
    given_name: str,
    family_name: str,
    by: User,
    now: datetime,
    another: bool = False,
    person: Person | None = None,
) -> Entrant:
    """Enter a person at the desk: as a walk-in until round 1 is paired, as a late entry afterwards.

    `person` is somebody known from another event, who has this name; else a new person is made. The caller has checked
    that `by` may see them.
    """
    with transaction.atomic():
        # Locked first, so that round 1 is not paired between this test and the entry.
        event = Event.objects.select_for_update().get(pk=event.pk)
        begun = event.status == Event.Status.RUNNING and last_round_of(event) is not None
        enter = enter_late if begun else add_entrant
        names = {"given_name": given_name, "family_name": family_name}
        return enter(event=event, **names, by=by, now=now, another=another, person=person)


def enter_late(
    *,
    event: Event,
    given_name: str,
    family_name: str,
    by: User,
    now: datetime,
    another: bool = False,
    person: Person | None = None,
) -> Entrant:
    """Enter a person at the desk while a first Swiss stage, or one of multiplayer tables, is being played.

    Each published round counts as a `missed` loss. Raises Refusal:

    - `draft_pairings`: pairings are a draft, which does not seat the entrant
    - `late_entry_closed`: the procedures allow no late entries or none after this round, the last planned round is
      paired, or the stage is a later one or of another structure
    - `name_taken`: somebody of this name is in the event, and the entry is not said to be `another` person's
    - `already_registered`: the known `person` is in the event
    - `event_full`

    The entrant's list may come in until their first pairing is published.
    """
    refuse_address(given_name, family_name)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        refuse_alone(event)
        stage = current_stage(event)
        last = last_round(stage)
        refuse_if_closed(event, stage, last)
        refuse_same_name(event, given_name, family_name, another=another)
        person = desk_person(event, given_name, family_name, person)
        entrant = Entrant.objects.create(event=event, registered_at=now, checked_in_at=now)
        Member.objects.create(event=event, entrant=entrant, person=person)
        refresh_shown_names(event)
        if stage.kind == Stage.Kind.TABLES:
            # A stage with entries seats only those who have one (`field.entered`).
            stage.entries.create(entrant=entrant, seed=stage.entries.count() + 1)
        miss_rounds(entrant, stage)
        open_late(entrant=entrant, by=by, now=now)
        missed = last.number if last else 0
        entry = record(event, by, "entrant.late", now, object=entrant.public_id, after={"missed": missed})
        results_moved(stage, entry.number, now)
    return entrant


def enter_teams_at_desk(*, event: Event, teams: Sequence[NewTeam], by: User, now: datetime) -> list[Entrant]:
    """Enter teams at the desk: like `events.teams.enter_teams` until round 1 is paired, as late entries afterwards."""
    with transaction.atomic():
        # Locked first, so that round 1 is not paired between this test and the entry.
        event = Event.objects.select_for_update().get(pk=event.pk)
        begun = event.status == Event.Status.RUNNING and last_round_of(event) is not None
        enter = _enter_teams_late if begun else enter_teams
        return enter(event=event, teams=teams, by=by, now=now)


def _enter_teams_late(*, event: Event, teams: Sequence[NewTeam], by: User, now: datetime) -> list[Entrant]:
    """Enter complete teams while a first Swiss stage is being played, all or none.

    Each published round counts as a `missed` loss. Refused: what `enter_late` refuses, and `add_teams`.
    """
    stage = current_stage(event)
    last = last_round(stage)
    refuse_if_closed(event, stage, last)
    entrants = add_teams(event, teams, now)
    for entrant in entrants:
        miss_rounds(entrant, stage)
        after = {"missed": last.number if last else 0}
        entry = record(event, by, "entrant.late", now, object=entrant.public_id, after=after)
        results_moved(stage, entry.number, now)
    return entrants


def miss_rounds(entrant: Entrant, stage: Stage) -> list[int]:
    """Record a `missed` loss in each round of a stage that was paired without the entrant.

    Returns the numbers of these rounds.
    """
    missed = list(stage.rounds.exclude(matches__seats__entrant=entrant).order_by("number"))
    for round_ in missed:
        match = Match.objects.create(
            round=round_, table=None, kind=Match.Kind.MISSED, games_drawn=0, authority=Match.Authority.WITNESSED
        )
        Seat.objects.create(round=round_, match=match, number=1, entrant=entrant, games_won=0, points=0)
    return [round_.number for round_ in missed]


def refuse_once_paired(sender: object, event: Event, **kwargs: Any) -> None:
    """Refuse a normal entry once round 1 is paired or its cards are drafted.

    Receiver of `events.signals.coming_in`.
    """
    stage = current_stage(event)
    if last_round_of(event) is not None or stage.number > 1 or is_drafted(stage):
        raise Refusal("registration_closed", _("Round 1 is paired: enter late players one by one."))


def redraw_first_stage(sender: object, event: Event, now: datetime, number: int, **kwargs: Any) -> None:
    """Draw the first stage again when the desk enters somebody between the start and the pairing of round 1.

    Receiver of `events.signals.came_in`. A Swiss stage has no seeds to draw.
    """
    if event.status != Event.Status.RUNNING:
        return
    stage = event.stages.select_for_update().select_related("event").get(number=1)
    if stage.kind != Stage.Kind.SWISS:
        draw_first_stage_anew(stage, now)
    results_moved(stage, number, now)


def refuse_if_closed(event: Event, stage: Stage, last: Round | None) -> None:
    """Refuse a late entry where the procedures, the stage or the number of places do not allow it."""
    if event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    rule = read_procedures(event.procedures).late_entry
    too_late = last is not None and 0 < rule.last_round <= last.number
    if not rule.allowed or too_late or stage.number > 1 or stage.kind not in (Stage.Kind.SWISS, Stage.Kind.TABLES):
        raise Refusal("late_entry_closed", _("Nobody can enter this stage any more."))
    if last is not None and last.status == Round.Status.DRAFT:
        raise Refusal("draft_pairings", _("Discard the draft pairings first: they do not include this entrant."))
    if last is not None and stage.rounds_planned is not None and last.of_stage >= stage.rounds_planned:
        raise Refusal("late_entry_closed", _("Nobody can enter this stage any more."))
    playing = event.entrants.filter(status=Entrant.Status.REGISTERED).count()
    if event.capacity is not None and playing >= event.capacity:
        raise Refusal("event_full", _("The event is full."))
