"""Deck formats, pools, saved formats, and copies of events."""

from django.http import Http404
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from engine.face.lists import deck_formats
from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import ENTRANT, EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.entrants import entrant_of_request
from tournaments.api.resources.events import dated_arguments, event_answer
from tournaments.api.serializers.decks import (
    DeckFormatInput,
    DeckFormatsSerializer,
    DecklistInput,
    ListDraftSerializer,
    ListToReadInput,
    PoolSerializer,
    PoolsInput,
    PoolsSerializer,
    RulesetInput,
    RulesetSerializer,
)
from tournaments.api.serializers.events import (
    CloneInput,
    EventDetailSerializer,
    SavedFormatInput,
    SavedFormatSerializer,
)
from tournaments.audits.rulesets import choose_ruleset, ruleset_of, rulesets_of
from tournaments.decks.access import pool_for_reader
from tournaments.decks.engine_gate import draft_list, require_engine
from tournaments.decks.selectors import current_pool, current_pools
from tournaments.decks.services import check_size, choose_deck_format, register_pool, show_pools
from tournaments.events import services
from tournaments.events.access import event_for_staff, event_for_viewer, format_for_owner
from tournaments.events.models import Entrant, Event
from tournaments.events.selectors import current_stage, formats_of

PLAY, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.ORGANIZE


class DeckFormats(Resource):
    """The deck rules that an event's decklists are checked against."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}deck-format/", name="deck_format", answers=DeckFormatsSerializer)
    def deck_format_read(self, request: Request, event_id: str) -> Response:
        """The chosen deck format, and all those of the game with their options. For organizers and owners."""
        return self._answer(event_for_staff(self.user, event_id, "manage_event"))

    @operation("PUT", f"{EVENT}deck-format/", takes=DeckFormatInput, answers=DeckFormatsSerializer)
    def deck_format_choose(self, request: Request, event_id: str) -> Response:
        """Choose another deck format, before any decklist or pool is registered. For organizers and owners.

        The options of another format begin with its own defaults.
        """
        event = event_for_staff(self.user, event_id, "manage_event")
        stage = current_stage(event)
        stored = {"options": stage.deck_options, "team_limit": stage.team_deck_limit}
        wanted = self.changed(stored if self.read()["format"] == stage.deck_format else {**stored, "options": {}})
        choose_deck_format(
            event=event,
            deck_format=wanted["format"],
            options=wanted["options"],
            team_limit=wanted["team_limit"],
            by=self.user,
            now=self.now,
        )
        return self._answer(event)

    def _answer(self, event: Event) -> Response:
        stage = current_stage(event)
        known = deck_formats(event.game, get_language() or "en")
        chosen = {"format": stage.deck_format, "options": stage.deck_options, "team_limit": stage.team_deck_limit}
        shown = {**chosen, "formats": known}
        return self.answer(shown)

    @operation("GET", f"{EVENT}ruleset/", name="ruleset", answers=RulesetSerializer)
    def ruleset_read(self, request: Request, event_id: str) -> Response:
        """The ruleset that games are played by, and those you can choose. For organizers and owners."""
        return self._rules(event_for_staff(self.user, event_id, "manage_event"))

    @operation("PUT", f"{EVENT}ruleset/", takes=RulesetInput, answers=RulesetSerializer)
    def ruleset_choose(self, request: Request, event_id: str) -> Response:
        """Choose another ruleset, before a game is recorded. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        require_engine(event)
        choose_ruleset(event=event, **self.arguments())
        event.refresh_from_db(fields=["ruleset"])
        return self._rules(event)

    def _rules(self, event: Event) -> Response:
        require_engine(event)
        return self.answer({"ruleset": ruleset_of(event), "rulesets": rulesets_of(event)})

    @operation("GET", "formats/", name="formats", lists=SavedFormatSerializer, account_needed=True)
    def formats_list(self, request: Request) -> Response:
        """The formats you saved, by name."""
        return self.answer(formats_of(self.user))

    @operation("POST", "formats/", takes=SavedFormatInput, answers=SavedFormatSerializer, status=201)
    def formats_save(self, request: Request) -> Response:
        """Save the settings of an event as a format; the same name again replaces it. For its organizers and owners."""
        wanted = self.read()
        event = event_for_staff(self.user, wanted["event"], "manage_event")
        saved = services.save_format(event=event, name=wanted["name"], by=self.user, now=self.now)
        return self.answer(saved)

    @operation("DELETE", "formats/<slug:format_id>/", name="format")
    def formats_delete(self, request: Request, format_id: str) -> Response:
        """Delete a format. Events created from it stay as they are."""
        services.delete_format(saved=format_for_owner(self.user, format_id))
        return self.answer()

    @operation("POST", f"{EVENT}copy/", name="copy", takes=CloneInput, answers=EventDetailSerializer, status=201)
    def events_copy(self, request: Request, event_id: str) -> Response:
        """Create a draft event with the same settings, and become its owner. For organizers and owners of this one.

        A start in the past is refused (`starts_in_past`) until it is sent with `acknowledged`.
        """
        event = event_for_staff(self.user, event_id, "manage_event")
        made = services.clone_event(event=event, **dated_arguments(self, zone=event.time_zone))
        return event_answer(self, made)


class ListDrafts(Resource):
    """Decklists and pools that are only read."""

    scopes = (PLAY, ORGANIZE)

    @operation("POST", f"{EVENT}read-list/", name="read_list", takes=ListToReadInput, answers=ListDraftSerializer)
    def lists_read(self, request: Request, event_id: str) -> Response:
        """Read a decklist or pool without saving it: the lines that cannot be read, with suggestions.

        A share code, a document or a table comes back as text with a card on each line. For everybody who sees the
        event.
        """
        event = event_for_viewer(self.user, event_id)
        require_engine(event)
        wanted = self.read()
        check_size(wanted["text"])
        return self.answer(draft_list(event, wanted["text"], get_language() or "en", wanted["suggestion"]))


class Pools(Resource):
    """The pools of a limited event."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}pools/", name="pools", answers=PoolsSerializer)
    def pools_list(self, request: Request, event_id: str) -> Response:
        """The entrants who have registered a pool, without its cards, and who can see the pools. For staff."""
        return self._answer(event_for_staff(self.user, event_id, "view_staff_pages"))

    @operation("PUT", f"{EVENT}pools/", takes=PoolsInput, answers=PoolsSerializer)
    def pools_show(self, request: Request, event_id: str) -> Response:
        """Choose who can see the pools. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        show_pools(event=event, **self.arguments())
        return self._answer(event)

    def _answer(self, event: Event) -> Response:
        stage = current_stage(event)
        pools = current_pools(stage).select_related("entrant").defer("text").order_by("entrant__registered_at", "pk")
        return self.answer({"shown": stage.pools_shown, "pools": pools})

    @operation("GET", f"{ENTRANT}pool/", name="pool", answers=PoolSerializer)
    def pools_read(self, request: Request, entrant_id: str) -> Response:
        """The newest version of the pool.

        For the entrant, for staff who may read decklists and do not play, and for everybody once the event shows its
        pools.
        """
        entrant = Entrant.objects.filter(public_id=entrant_id).select_related("event").first()
        newest = current_pool(entrant, current_stage(entrant.event)) if entrant else None
        if newest is None:
            raise Http404
        return self.answer(pool_for_reader(self.user, newest.pk))

    @operation("PUT", f"{ENTRANT}pool/", takes=DecklistInput, answers=PoolSerializer, scopes=(PLAY, ORGANIZE))
    def pools_register(self, request: Request, entrant_id: str) -> Response:
        """Register a version of the pool. For the entrant (scope `play`), or the desk (scope `organize`)."""
        entrant = entrant_of_request(request, entrant_id)
        pool = register_pool(entrant=entrant, **self.arguments())
        return self.answer(pool)
