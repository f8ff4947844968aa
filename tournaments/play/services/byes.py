"""Byes for rounds that are not paired yet: requested by players where the stage allows it, or awarded by staff."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.selectors import current_stage
from tournaments.play.models import AwardedBye
from tournaments.play.selectors import rounds_to_pair
from tournaments.play.services.entries import record

# From the least to the most valuable: the stage's setting is an upper bound for requests.
_KINDS = Stage.ByeOnRequest.values
_OVER = (Event.Status.DRAFT, Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


def ask_bye(*, entrant: Entrant, number: int, kind: str, by: User, now: datetime) -> AwardedBye:
    """Request a bye for a round, as the player. A second request for the round changes the kind.

    Raises Refusal `bye_not_offered` if the stage offers no such bye on request.
    """
    return _give(entrant, number, kind, by, now, asked=True)


def award_bye(*, entrant: Entrant, number: int, kind: str, by: User, now: datetime) -> AwardedBye:
    """Award an entrant a bye for a round to come, as staff. Awarding it again changes the kind."""
    return _give(entrant, number, kind, by, now, asked=False)


def take_bye_back(*, bye: AwardedBye, by: User, now: datetime, asked: bool = False) -> None:
    """Withdraw a bye, so that the entrant is paired in that round.

    With `asked`, the player withdraws their own request; a bye awarded by staff is then refused (`awarded_by_staff`).
    """
    with transaction.atomic():
        event = _event(bye.entrant)
        bye = AwardedBye.objects.select_related("stage", "entrant").get(pk=bye.pk)
        if asked and not bye.asked:
            raise NotAllowed("awarded_by_staff", _("The staff awarded this bye: ask them."))
        _refuse_own(bye.entrant, by, asked)
        _refuse_if_paired(bye.stage, bye.number)
        before = {"round": bye.number, "kind": bye.kind}
        bye.delete()
        record(event, by, "bye.taken_back", now, object=bye.entrant.public_id, before=before)


def _give(entrant: Entrant, number: int, kind: str, by: User, now: datetime, *, asked: bool) -> AwardedBye:
    if kind not in AwardedBye.Kind.values:
        raise InvalidInput("bye_unknown", _("There is no such bye."), details=list(AwardedBye.Kind.values))
    with transaction.atomic():
        event = _event(entrant)
        stage = current_stage(event)
        entrant = Entrant.objects.get(pk=entrant.pk)
        _refuse_own(entrant, by, asked)
        if entrant.status == Entrant.Status.DROPPED:
            raise Refusal("entrant_dropped", _("This entrant has dropped from the event."))
        if stage.kind != Stage.Kind.SWISS:
            raise Refusal("no_bye_here", _("Byes can only be given in a Swiss stage."))
        if asked and _KINDS.index(kind) > _KINDS.index(stage.byes_on_request):
            raise Refusal("bye_not_offered", _("In this stage, players cannot ask for this kind of bye."))
        _refuse_if_paired(stage, number)
        # An entrant has at most one bye per round: a second one replaces the kind of the first.
        bye = AwardedBye.objects.select_for_update().filter(entrant=entrant, number=number).first()
        if bye is None:
            bye = AwardedBye(stage=stage, entrant=entrant, number=number)
        elif asked and not bye.asked:
            raise NotAllowed("awarded_by_staff", _("The staff awarded this bye: ask them."))
        elif bye.kind == kind:
            return bye
        bye.kind, bye.asked, bye.at = kind, asked, now
        bye.save()
        code = "bye.asked" if asked else "bye.awarded"
        record(event, by, code, now, object=entrant.public_id, after={"round": number, "kind": kind})
    return bye


def _event(entrant: Entrant) -> Event:
    event = Event.objects.select_for_update().get(pk=entrant.event_id)
    if event.status in _OVER:
        raise Refusal("event_state", _("The event has moved on: this step is no longer possible."))
    return event


def _refuse_if_paired(stage: Stage, number: int) -> None:
    """Refuse a round that is not one of the stage (`round_unknown`) or is paired already (`already_paired`)."""
    ahead = rounds_to_pair(stage)
    if not stage.first_round <= number < ahead.stop:
        words = _("This stage has rounds %(first)d to %(last)d.") % {"first": stage.first_round, "last": ahead.stop - 1}
        raise InvalidInput("round_unknown", words, details=[number])
    if number not in ahead:
        raise Refusal("already_paired", _("This round is already paired."))


def _refuse_own(entrant: Entrant, by: User, asked: bool) -> None:
    """Refuse staff who award a bye to their own entrant; like every player, they may request one."""
    if not asked and any(own.pk == entrant.pk for own in own_entrants(by, entrant.event)):
        raise NotAllowed("staff_who_play", _("Staff who play cannot decide about their own entry."))
