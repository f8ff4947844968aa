"""What pairing minds: options of a stage, pairs that must not meet, clubs, fixed tables, byes given before a round."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.schema import PAGING, page_of
from tournaments.api.serializers.pairing import (
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
from tournaments.api.views.entrants import entrant_of_request
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
from tournaments.events.pairing import (
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
from tournaments.play.selectors import awarded_byes_of
from tournaments.play.wishes import computable, inputs_of

PLAY, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.ORGANIZE


def _stage_answer(stage: Stage) -> Response:
    return Response(StagePairingSerializer({**described_pairing(stage), "proposed": proposal_of(stage)}).data)


class StagePairingView(Endpoint):
    """How the rounds of a Swiss stage are paired."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="stages_pairing_read", responses=StagePairingSerializer)
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """The options, and the rounds proposed with why. Public, as the event."""
        return _stage_answer(stage_for_viewer(request.user, event_id, number))

    @extend_schema(operation_id="stages_pairing_change", request=StagePairingInput, responses=StagePairingSerializer)
    def patch(self, request: Request, event_id: str, number: int) -> Response:
        """Change options, for the rounds that are not paired yet: organizers and owners."""
        stage = stage_for_staff(request.user, event_id, number, "manage_event")
        choose_pairing(stage=stage, by=request.user, now=self.now, **self.read(StagePairingInput))
        return _stage_answer(stage_for_staff(request.user, event_id, number, "manage_event"))


class StageTablesView(Endpoint):
    """The tables of the hall at which a stage is played."""

    scopes = (ORGANIZE,)

    def _answer(self, stage: Stage) -> Response:
        shared = [{"event": event.public_id, "tables": tables} for event, tables in in_the_same_hall(stage)]
        shown = {"hall": stage.hall, "hall_skipped": stage.hall_skipped, "shared": shared}
        return Response(StageTablesSerializer(shown).data)

    @extend_schema(operation_id="stages_tables_read", responses=StageTablesSerializer)
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """The tables, and which events of the same staff have some of them that day: the desk."""
        return self._answer(stage_for_staff(request.user, event_id, number, "run_desk"))

    @extend_schema(operation_id="stages_tables_choose", request=StageTablesInput, responses=StageTablesSerializer)
    def put(self, request: Request, event_id: str, number: int) -> Response:
        """Choose them, for the rounds that are not paired yet: the desk."""
        stage = stage_for_staff(request.user, event_id, number, "run_desk")
        choose_tables(stage=stage, by=request.user, now=self.now, **self.read(StageTablesInput))
        return self._answer(stage_for_staff(request.user, event_id, number, "run_desk"))


class ForbiddenPairsView(Endpoint):
    """Pairs that must not meet."""

    scopes = (ORGANIZE,)

    @extend_schema(
        operation_id="forbidden_pairs_list",
        parameters=PAGING,
        responses=page_of("ForbiddenPair", ForbiddenPairSerializer),
    )
    def get(self, request: Request, event_id: str) -> Response:
        """All of them with their reasons: the desk."""
        event = event_for_staff(request.user, event_id, "run_desk")
        return self.page(forbidden_pairs_of(event), ForbiddenPairSerializer)

    @extend_schema(
        operation_id="forbidden_pairs_add", request=ForbiddenPairInput, responses={201: ForbiddenPairSerializer}
    )
    def post(self, request: Request, event_id: str) -> Response:
        """Keep two entrants from meeting: the desk. Twice is once."""
        event = event_for_staff(request.user, event_id, "run_desk")
        wanted = self.read(ForbiddenPairInput)
        found = {entrant.public_id: entrant for entrant in event.entrants.all()}
        missing = {name: [_("There is no such entrant.")] for name in ("first", "second") if wanted[name] not in found}
        if missing:
            raise serializers.ValidationError(missing)
        pair = forbid_pair(
            event=event,
            first=found[wanted["first"]],
            second=found[wanted["second"]],
            reason=wanted["reason"],
            by=request.user,
            now=self.now,
        )
        return Response(ForbiddenPairSerializer(forbidden_pairs_of(event).get(pk=pair.pk)).data, status=201)


class ForbiddenPairView(Endpoint):
    """One pair that must not meet."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="forbidden_pairs_remove", responses={204: None})
    def delete(self, request: Request, event_id: str, pair: int) -> Response:
        """Let them meet again: the desk."""
        found = forbidden_pair_for_staff(request.user, event_id, pair, "run_desk")
        allow_pair(pair=found, by=request.user, now=self.now)
        return Response(status=204)


class NeedsView(Endpoint):
    """The club and the fixed table of an entrant."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="entrants_needs_read", responses=NeedsSerializer)
    def get(self, request: Request, entrant_id: str) -> Response:
        """What is noted: the desk."""
        return Response(NeedsSerializer(entrant_for_staff(request.user, entrant_id, "run_desk")).data)

    @extend_schema(operation_id="entrants_needs_note", request=NeedsInput, responses=NeedsSerializer)
    def put(self, request: Request, entrant_id: str) -> Response:
        """Note both: the desk."""
        entrant = entrant_for_staff(request.user, entrant_id, "run_desk")
        return Response(
            NeedsSerializer(note_needs(entrant=entrant, by=request.user, now=self.now, **self.read(NeedsInput))).data
        )


class ByesView(Endpoint):
    """Byes given before a round was paired."""

    @extend_schema(
        operation_id="byes_list", parameters=[ByesQuery, *PAGING], responses=page_of("AwardedBye", AwardedByeSerializer)
    )
    def get(self, request: Request, event_id: str) -> Response:
        """All of them, or of one `round`, by round: the desk."""
        event = event_for_staff(request.user, event_id, "run_desk")
        return self.page(awarded_byes_of(event).filter(**self.read_query(ByesQuery)), AwardedByeSerializer)


def _asks(request: Request, entrant: Entrant) -> bool:
    """Whether one asks for an entrant of one's own."""
    return entrant in own_entrants(request.user, entrant.event)


class EntrantByesView(Endpoint):
    """A bye for a round to come."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(operation_id="byes_give", request=AwardedByeInput, responses={201: AwardedByeSerializer})
    def post(self, request: Request, entrant_id: str) -> Response:
        """Ask for a bye, as far as the stage gives them (the entrant, scope `play`), or award one (the desk)."""
        entrant = entrant_of_request(request, entrant_id)
        wanted = self.read(AwardedByeInput)
        give = play.ask_bye if _asks(request, entrant) else play.award_bye
        bye = give(entrant=entrant, number=wanted["round"], kind=wanted["kind"], by=request.user, now=self.now)
        return Response(AwardedByeSerializer(awarded_byes_of(entrant.event).get(pk=bye.pk)).data, status=201)


class EntrantByeView(Endpoint):
    """One bye given before."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(operation_id="byes_take_back", responses={204: None})
    def delete(self, request: Request, entrant_id: str, number: int) -> Response:
        """Take it back while its round is not paired: the entrant what it asked for, the desk any."""
        entrant = entrant_of_request(request, entrant_id)
        bye = awarded_byes_of(entrant.event).filter(entrant=entrant, number=number).first()
        if bye is None:
            raise Http404
        play.take_bye_back(bye=bye, by=request.user, now=self.now, asked=_asks(request, entrant))
        return Response(status=204)


class RoundInputsView(Endpoint):
    """All that a round was paired from."""

    @extend_schema(operation_id="rounds_inputs", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, event_id: str, number: int) -> Response:
        """What `python -m tournaments.swiss verify` reads to pair the round again: the desk; no draft for who plays."""
        round_ = round_for_staff(request.user, event_id, number, "run_desk")
        if round_.status == "draft" and plays(request.user, round_.stage.event):
            raise NotAllowed("staff_who_play", _("Staff who play see it when everybody does."))
        if not computable(round_):
            raise Refusal("not_computed", _("Only a Swiss round as it was paired can be computed again."))
        return Response(inputs_of(round_))
