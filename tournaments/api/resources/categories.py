"""Prize categories. Their winners are in the final ranking."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import CATEGORY, EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.categories import (
    CategoryChangeInput,
    CategoryInput,
    CategoryMoveInput,
    CategorySerializer,
)
from tournaments.api.serializers.procedures import PrizeInput
from tournaments.events.access import entrant_for_staff, event_for_staff
from tournaments.standings import categories
from tournaments.standings.access import category_for_staff
from tournaments.standings.categories import categories_of
from tournaments.standings.services import tick_category_prize


class PrizeCategories(Resource):
    """The prize categories of an event."""

    scopes = (ApiToken.Scope.ORGANIZE,)
    account_needed = True

    @operation("GET", f"{EVENT}prize-categories/", name="prize_categories", lists=CategorySerializer)
    def prize_categories_list(self, request: Request, event_id: str) -> Response:
        """The prize categories in the order in which they are given. For staff; everybody can see the winners."""
        return self.answer(categories_of(event_for_staff(self.user, event_id, "view_staff_pages")))

    @operation("POST", f"{EVENT}prize-categories/", takes=CategoryInput, answers=CategorySerializer, status=201)
    def prize_categories_add(self, request: Request, event_id: str) -> Response:
        """Add a prize category at the end. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer(categories.add_category(event=event, **self.arguments()))

    @operation("PUT", CATEGORY, name="prize_category", takes=CategoryChangeInput, answers=CategorySerializer)
    def prize_categories_change(self, request: Request, event_id: str, number: int) -> Response:
        """Change the name of a category, or the entrants picked for it. For organizers and owners."""
        category = category_for_staff(self.user, event_id, number, "manage_event")
        return self.answer(categories.change_category(category=category, **self.arguments()))

    @operation("DELETE", CATEGORY)
    def prize_categories_remove(self, request: Request, event_id: str, number: int) -> Response:
        """Remove a category. For organizers and owners."""
        category = category_for_staff(self.user, event_id, number, "manage_event")
        categories.remove_category(category=category, by=self.user, now=self.now)
        return self.answer()

    @operation("PUT", f"{CATEGORY}prizes/<str:entrant_id>/", name="category_prize", takes=PrizeInput)
    def prize_categories_tick(self, request: Request, event_id: str, number: int, entrant_id: str) -> Response:
        """Mark the prize of a category as handed out to one of its winners, or undo that. For the desk."""
        category = category_for_staff(self.user, event_id, number, "run_desk")
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        tick_category_prize(category=category, entrant=entrant, **self.arguments())
        return self.answer()

    @operation(
        "POST",
        f"{CATEGORY}move/",
        name="prize_category_move",
        takes=CategoryMoveInput,
        lists=CategorySerializer,
        status=200,
    )
    def prize_categories_move(self, request: Request, event_id: str, number: int) -> Response:
        """Move a category one place up or down. For organizers and owners."""
        category = category_for_staff(self.user, event_id, number, "manage_event")
        categories.move_category(category=category, **self.arguments())
        return self.answer(categories_of(category.event))
