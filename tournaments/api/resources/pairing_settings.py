"""Pairing settings: options of a stage, players kept apart, clubs, fixed tables, and byes awarded in advance."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import ENTRANT, EVENT, ROUND, STAGE
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.entrants import entrant_of_request
from tournaments.api.serializers.pairing_settings import (
    AwardedByeInput,
    AwardedByeSerializer,
    ByesQuery,
    ForbiddenPairInput,
    ForbiddenPairSerializer,
    NeedsInput,
    NeedsSerializer,
    StagePairingInput,
    StagePairingSerializer,
    StageTablesInput,
    StageTablesSerializer,
)
from tournaments.common.refusals import NotAllowed, Refusal
from tournaments.events.access import (
    entrant_for_staff,
    event_for_staff,
    forbidden_pair_for_staff,
    own_entrants,
    plays,
    stage_for_staff,
    stage_for_viewer,
)
from tournaments.events.models import Entrant, Stage
from tournaments.events.pairing_settings import (
    allow_pair,
    choose_pairing,
    choose_tables,
    described_pairing,
    forbid_pair,
    note_needs,
    proposal_of,
)
from tournaments.events.selectors import forbidden_pairs_of, in_the_same_hall
from tournaments.play import services as play
from tournaments.play.access import round_for_staff
from tournaments.play.pairing_inputs import inputs_of, is_reproducible
from tournaments.play.selectors import awarded_byes_of

PLAY, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.ORGANIZE


def _shown(stage: Stage) -> dict[str, Any]:
    return {**described_pairing(stage), "proposed": proposal_of(stage)}


class StageSettings(Resource):
    """How the rounds of a Swiss stage are paired."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{STAGE}pairing/", name="stage_pairing", answers=StagePairingSerializer)
    def stages_pairing_read(self, request: Request, event_id: str, number: int) -> Response:
        """The options, and how many rounds are proposed and why. For anybody who may see the event."""
        return self.answer(_shown(stage_for_viewer(self.user, event_id, number)))

    @operation("PATCH", f"{STAGE}pairing/", takes=StagePairingInput, answers=StagePairingSerializer)
    def stages_pairing_change(self, request: Request, event_id: str, number: int) -> Response:
        """Change options, for rounds that have not been paired yet. For organizers and owners."""
        stage = stage_for_staff(self.user, event_id, number, "manage_event")
        choose_pairing(stage=stage, **self.arguments())
        return self.answer(_shown(stage_for_staff(self.user, event_id, number, "manage_event")))

    def _answer(self, stage: Stage) -> Response:
        shared = [{"event": event.public_id, "tables": tables} for event, tables in in_the_same_hall(stage)]
        shown = {"hall": stage.hall, "hall_skipped": stage.hall_skipped, "shared": shared}
        return self.answer(shown)

    @operation("GET", f"{STAGE}tables/", name="stage_tables", answers=StageTablesSerializer)
    def stages_tables_read(self, request: Request, event_id: str, number: int) -> Response:
        """The tables, and other events by the same staff that use some of them that day. For the desk."""
        return self._answer(stage_for_staff(self.user, event_id, number, "run_desk"))

    @operation("PUT", f"{STAGE}tables/", takes=StageTablesInput, answers=StageTablesSerializer)
    def stages_tables_choose(self, request: Request, event_id: str, number: int) -> Response:
        """Choose the tables, for rounds that have not been paired yet. For the desk."""
        stage = stage_for_staff(self.user, event_id, number, "run_desk")
        wanted = self.changed({"skipped": stage.hall_skipped})
        choose_tables(stage=stage, **wanted, by=self.user, now=self.now)
        return self._answer(stage_for_staff(self.user, event_id, number, "run_desk"))


class ForbiddenPairs(Resource):
    """Pairs who must not meet."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}forbidden-pairs/", name="forbidden_pairs", pages=ForbiddenPairSerializer)
    def forbidden_pairs_list(self, request: Request, event_id: str) -> Response:
        """All pairs who must not meet, with the reasons. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        return self.answer(forbidden_pairs_of(event))

    @operation(
        "POST", f"{EVENT}forbidden-pairs/", takes=ForbiddenPairInput, answers=ForbiddenPairSerializer, status=201
    )
    def forbidden_pairs_add(self, request: Request, event_id: str) -> Response:
        """Keep two entrants from meeting in Swiss rounds. Idempotent. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        wanted = self.read()
        found = {entrant.public_id: entrant for entrant in event.entrants.all()}
        missing = {name: [_("There is no such entrant.")] for name in ("first", "second") if wanted[name] not in found}
        if missing:
            raise serializers.ValidationError(missing)
        pair = forbid_pair(
            event=event,
            first=found[wanted["first"]],
            second=found[wanted["second"]],
            reason=wanted["reason"],
            by=self.user,
            now=self.now,
        )
        return self.answer(forbidden_pairs_of(event).get(pk=pair.pk))

    @operation("DELETE", f"{EVENT}forbidden-pairs/<int:pair>/", name="forbidden_pair")
    def forbidden_pairs_remove(self, request: Request, event_id: str, pair: int) -> Response:
        """Allow the two to meet again. For the desk."""
        found = forbidden_pair_for_staff(self.user, event_id, pair, "run_desk")
        allow_pair(pair=found, **self.arguments())
        return self.answer()


class PairingInputs(Resource):
    """The club and the fixed table of an entrant."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{ENTRANT}needs/", name="needs", answers=NeedsSerializer)
    def entrants_needs_read(self, request: Request, entrant_id: str) -> Response:
        """The club and the fixed table of an entrant. For the desk."""
        return self.answer(entrant_for_staff(self.user, entrant_id, "run_desk"))

    @operation("PUT", f"{ENTRANT}needs/", takes=NeedsInput, answers=NeedsSerializer)
    def entrants_needs_note(self, request: Request, entrant_id: str) -> Response:
        """Set one or both. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        wanted = self.changed({"club": entrant.club, "table": entrant.fixed_table})
        return self.answer(note_needs(entrant=entrant, **wanted, by=self.user, now=self.now))

    @operation("GET", f"{ROUND}inputs/", name="round_inputs", answers=OpenApiTypes.OBJECT)
    def rounds_inputs(self, request: Request, event_id: str, number: int) -> Response:
        """Everything that `python -m tournaments.swiss verify` reads to pair the round again. For the desk.

        The inputs of a draft are not shown to staff who play the event: they would give away the pairings.
        """
        round_ = round_for_staff(self.user, event_id, number, "run_desk")
        if round_.status == "draft" and plays(self.user, round_.stage.event):
            raise NotAllowed("staff_who_play", _("Staff who play see it when everybody else does."))
        if not is_reproducible(round_):
            raise Refusal(
                "not_computed", _("Only a Swiss round whose pairings have not been changed can be computed again.")
            )
        return self.answer(inputs_of(round_))


class Byes(Resource):
    """Byes given before their rounds were paired."""

    scopes = (PLAY, ORGANIZE)

    @operation("GET", f"{EVENT}byes/", name="byes", query=ByesQuery, pages=AwardedByeSerializer)
    def byes_list(self, request: Request, event_id: str) -> Response:
        """All of them, by round, or those of one `round`. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        return self.answer(awarded_byes_of(event).filter(**self.read_query()))

    @operation(
        "POST", f"{ENTRANT}byes/", name="entrant_byes", takes=AwardedByeInput, answers=AwardedByeSerializer, status=201
    )
    def byes_give(self, request: Request, entrant_id: str) -> Response:
        """Ask for a bye, as far as the stage allows it (the entrant, scope `play`), or award one (the desk)."""
        entrant = entrant_of_request(request, entrant_id)
        wanted = self.read()
        give = play.ask_bye if _asks(request, entrant) else play.award_bye
        bye = give(entrant=entrant, number=wanted["round"], kind=wanted["kind"], by=self.user, now=self.now)
        return self.answer(awarded_byes_of(entrant.event).get(pk=bye.pk))

    @operation("DELETE", f"{ENTRANT}byes/<int:number>/", name="entrant_bye")
    def byes_take_back(self, request: Request, entrant_id: str, number: int) -> Response:
        """Cancel the bye, as long as its round is not paired. For the entrant who asked for it, or the desk."""
        entrant = entrant_of_request(request, entrant_id)
        bye = awarded_byes_of(entrant.event).filter(entrant=entrant, number=number).first()
        if bye is None:
            raise Http404
        play.take_bye_back(bye=bye, **self.arguments(), asked=_asks(request, entrant))
        return self.answer()


def _asks(request: Request, entrant: Entrant) -> bool:
    """Whether the request is about one of the account's own entrants."""
    return entrant in own_entrants(request.user, entrant.event)
