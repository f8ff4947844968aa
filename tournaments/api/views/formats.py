"""How decks are judged and events are made: deck formats, pools, saved formats, copies of events."""

from django.http import Http404
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.endpoint import Endpoint
from tournaments.api.serializers.decks import (
    DeckFormatInput,
    DeckFormatsSerializer,
    DecklistInput,
    PoolSerializer,
    PoolsInput,
    PoolsSerializer,
)
from tournaments.api.serializers.events import (
    CloneInput,
    EventDetailSerializer,
    SavedFormatInput,
    SavedFormatSerializer,
)
from tournaments.api.views.entrants import entrant_of_request
from tournaments.api.views.events import event_answer
from tournaments.decks.access import pool_for_reader
from tournaments.decks.engine_gate import deck_formats
from tournaments.decks.selectors import current_pool, current_pools
from tournaments.decks.services import choose_deck_format, register_pool, show_pools
from tournaments.events import services
from tournaments.events.access import event_for_staff, format_for_owner
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, formats_of

PLAY, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.ORGANIZE


class DeckFormatView(Endpoint):
    """By which deck rules an event's lists are judged."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="deck_format_read", responses=DeckFormatsSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """The deck format in force, and those of the game with their options: organizers and owners."""
        return self._answer(event_for_staff(request.user, event_id, "manage_event"))

    @extend_schema(operation_id="deck_format_choose", request=DeckFormatInput, responses=DeckFormatsSerializer)
    def put(self, request: Request, event_id: str) -> Response:
        """Choose another one, before any list or pool is there: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        wanted = self.read(DeckFormatInput)
        choose_deck_format(
            event=event, deck_format=wanted["format"], options=wanted["options"], by=request.user, now=self.now
        )
        return self._answer(event)

    def _answer(self, event: Event) -> Response:
        stage = current_stage(event)
        known = deck_formats(event.game, get_language() or "en")
        shown = {"format": stage.deck_format, "options": stage.deck_options, "formats": known}
        return Response(DeckFormatsSerializer(shown).data)


class PoolsView(Endpoint):
    """The pools of a limited event."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="pools_list", responses=PoolsSerializer)
    def get(self, request: Request, event_id: str) -> Response:
        """Who has registered a pool, without its cards: staff."""
        return self._answer(event_for_staff(request.user, event_id, "view_staff_pages"))

    @extend_schema(operation_id="pools_show", request=PoolsInput, responses=PoolsSerializer)
    def put(self, request: Request, event_id: str) -> Response:
        """Choose who reads the pools: organizers and owners."""
        event = event_for_staff(request.user, event_id, "manage_event")
        show_pools(event=event, by=request.user, now=self.now, **self.read(PoolsInput))
        return self._answer(event)

    def _answer(self, event: Event) -> Response:
        stage = current_stage(event)
        pools = current_pools(stage).select_related("entrant").defer("text").order_by("entrant__registered_at", "pk")
        return Response(PoolsSerializer({"shown": stage.pools_shown, "pools": pools}).data)


class PoolView(Endpoint):
    """What an entrant opened or drafted."""

    scopes = (PLAY, ORGANIZE)

    @extend_schema(operation_id="pools_read", responses=PoolSerializer)
    def get(self, request: Request, entrant_id: str) -> Response:
        """The newest version: the entrant, staff who read decks and do not play, all once the event shows its pools."""
        entrant = Entrant.objects.filter(public_id=entrant_id).select_related("event").first()
        newest = current_pool(entrant, current_stage(entrant.event)) if entrant else None
        if newest is None:
            raise Http404
        return Response(PoolSerializer(pool_for_reader(request.user, newest.pk)).data)

    @extend_schema(operation_id="pools_register", request=DecklistInput, responses={200: PoolSerializer})
    def put(self, request: Request, entrant_id: str) -> Response:
        """Register a version: the entrant itself (scope `play`), or the desk (scope `organize`)."""
        entrant = entrant_of_request(request, entrant_id)
        pool = register_pool(entrant=entrant, by=request.user, now=self.now, **self.read(DecklistInput))
        return Response(PoolSerializer(pool).data)


class CopyView(Endpoint):
    """An event played again."""

    scopes = (ORGANIZE,)

    @extend_schema(operation_id="events_copy", request=CloneInput, responses={201: EventDetailSerializer})
    def post(self, request: Request, event_id: str) -> Response:
        """A new event, a draft, that is played as this one: its organizers and owners; you become its owner."""
        event = event_for_staff(request.user, event_id, "manage_event")
        made = services.clone_event(event=event, by=request.user, now=self.now, **self.read(CloneInput))
        return event_answer(request, made, 201)


class FormatsView(Endpoint):
    """Formats of one's own."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="formats_list", responses=SavedFormatSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The formats you saved, by name."""
        return Response(SavedFormatSerializer(formats_of(request.user), many=True).data)

    @extend_schema(operation_id="formats_save", request=SavedFormatInput, responses={201: SavedFormatSerializer})
    def post(self, request: Request) -> Response:
        """Keep how an event is played: its organizers and owners. The same name again replaces it."""
        wanted = self.read(SavedFormatInput)
        event = event_for_staff(request.user, wanted["event"], "manage_event")
        saved = services.save_format(event=event, name=wanted["name"], by=request.user, now=self.now)
        return Response(SavedFormatSerializer(saved).data, status=201)


class FormatView(Endpoint):
    """One of them."""

    scopes = (ORGANIZE,)
    account_needed = True

    @extend_schema(operation_id="formats_delete", responses={204: None})
    def delete(self, request: Request, format_id: str) -> Response:
        """Forget it. Events made from it stay as they are."""
        services.delete_format(saved=format_for_owner(request.user, format_id))
        return Response(status=204)
