"""Late entry: a person comes into rounds that have begun, the missed ones counting as losses."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.accounts.services import person_without_account
from tournaments.common.refusals import Refusal
from tournaments.decks.services import open_late
from tournaments.events.models import Entrant, Event, Member, Stage
from tournaments.events.procedures import read_procedures
from tournaments.events.selectors import current_stage
from tournaments.play.models import Match, Round, Seat
from tournaments.play.selectors import last_round
from tournaments.play.services.entries import record
from tournaments.play.services.results import results_moved


def enter_late(*, event: Event, given_name: str, family_name: str, by: User, now: datetime) -> Entrant:
    """Enter a person at the desk while a Swiss stage or tables of several are being played.

    Every round that is published counts as a `missed` loss. While pairings are a draft they do not know the entrant, so
    the draft is thrown away first. After the last planned round nobody comes in, or after the one that the procedures
    say. The entrant's list may come in until its first pairing is published.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        stage = current_stage(event)
        last = last_round(stage)
        _refuse_if_closed(event, stage, last)
        person = person_without_account(given_name=given_name, family_name=family_name)
        entrant = Entrant.objects.create(event=event, registered_at=now, checked_in_at=now)
        Member.objects.create(event=event, entrant=entrant, person=person)
        if stage.kind == Stage.Kind.TABLES:
            stage.entries.create(entrant=entrant, seed=stage.entries.count() + 1)
        for round_ in stage.rounds.all():
            match = Match.objects.create(
                round=round_,
                table=None,
                kind=Match.Kind.MISSED,
                games_drawn=0,
                authority=Match.Authority.WITNESSED,
            )
            Seat.objects.create(round=round_, match=match, number=1, entrant=entrant, games_won=0, points=0)
        open_late(entrant=entrant, by=by, now=now)
        missed = last.number if last else 0
        entry = record(event, by, "entrant.late", now, object=entrant.public_id, after={"missed": missed})
        results_moved(stage, entry.number, now)
    return entrant


def _refuse_if_closed(event: Event, stage: Stage, last: Round | None) -> None:
    if event.status != Event.Status.RUNNING:
        raise Refusal("event_state", _("The event is not running."))
    rule = read_procedures(event.procedures).late_entry
    too_late = last is not None and 0 < rule.last_round <= last.number
    if not rule.allowed or too_late or stage.number > 1 or stage.kind not in (Stage.Kind.SWISS, Stage.Kind.TABLES):
        raise Refusal("late_entry_closed", _("Nobody comes into this stage any more."))
    if last is not None and last.status == Round.Status.DRAFT:
        raise Refusal("draft_pairings", _("Throw the draft pairings away first: they do not know this entrant."))
    if last is not None and stage.rounds_planned is not None and last.of_stage >= stage.rounds_planned:
        raise Refusal("late_entry_closed", _("Nobody comes into this stage any more."))
    playing = event.entrants.filter(status=Entrant.Status.REGISTERED).count()
    if event.capacity is not None and playing >= event.capacity:
        raise Refusal("event_full", _("The event is full."))
