"""Prices and codes of an event, payments of its entrants, and refunds."""

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import ENTRANT, EVENT
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.payments import (
    CodeInput,
    CodeSerializer,
    PayInput,
    PaymentSerializer,
    PaymentsQuery,
    PriceInput,
    PriceSerializer,
    RefundInput,
    RefundSerializer,
    StartPaymentInput,
)
from tournaments.api.throttles import PaymentThrottle
from tournaments.events.access import entrant_for_player, entrant_for_staff, event_for_staff, event_for_viewer
from tournaments.payments import services
from tournaments.payments.access import (
    code_for_staff,
    payment_for_player,
    payment_for_reader,
    payment_for_staff,
    tier_for_staff,
)
from tournaments.payments.selectors import codes_of, payments_of, tiers_of

ORGANIZE, PLAY = ApiToken.Scope.ORGANIZE, ApiToken.Scope.PLAY


class Prices(Resource):
    """The prices and codes of an event."""

    scopes = (ORGANIZE,)

    @operation("GET", f"{EVENT}prices/", name="prices", lists=PriceSerializer)
    def prices_list(self, request: Request, event_id: str) -> Response:
        """The prices of the event; if there are none, the entry fee in the procedures applies. Public."""
        return self.answer(tiers_of(event_for_viewer(self.user, event_id)).select_related("event"))

    @operation("POST", f"{EVENT}prices/", takes=PriceInput, answers=PriceSerializer, status=201)
    def prices_add(self, request: Request, event_id: str) -> Response:
        """Offer a price, in the currency of the event's entry fee. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer(services.add_price(event=event, **self.arguments()))

    @operation("DELETE", "prices/<slug:price_id>/", name="price")
    def prices_remove(self, request: Request, price_id: str) -> Response:
        """Stop offering a price. Payments that have been started can still be finished. For organizers and owners."""
        services.remove_price(tier=tier_for_staff(self.user, price_id), **self.arguments())
        return self.answer()

    @operation("GET", f"{EVENT}codes/", name="codes", lists=CodeSerializer, account_needed=True)
    def codes_list(self, request: Request, event_id: str) -> Response:
        """The codes of the event, and how often each was used. For the desk."""
        return self.answer(codes_of(event_for_staff(self.user, event_id, "run_desk")))

    @operation("POST", f"{EVENT}codes/", takes=CodeInput, answers=CodeSerializer, status=201)
    def codes_add(self, request: Request, event_id: str) -> Response:
        """Add a code that takes a percentage or an amount off a price. For organizers and owners."""
        event = event_for_staff(self.user, event_id, "manage_event")
        return self.answer(services.add_code(event=event, **self.arguments()))

    @operation("DELETE", "codes/<slug:code_id>/", name="code")
    def codes_remove(self, request: Request, code_id: str) -> Response:
        """Stop accepting a code. For organizers and owners."""
        services.remove_code(code=code_for_staff(self.user, code_id), **self.arguments())
        return self.answer()


class Payments(Resource):
    """The payments of entrants."""

    scopes = (ORGANIZE,)
    account_needed = True

    @operation("GET", f"{EVENT}payments/", name="payments", query=PaymentsQuery, pages=PaymentSerializer)
    def payments_list(self, request: Request, event_id: str) -> Response:
        """The payments of the event, newest first. For the desk."""
        event = event_for_staff(self.user, event_id, "run_desk")
        return self.answer(payments_of(event).filter(**self.read_query()))

    @operation("GET", "payments/<slug:payment_id>/", name="payment", answers=PaymentSerializer)
    def payments_read(self, request: Request, payment_id: str) -> Response:
        """A payment and its refunds. For the entrant and the desk."""
        return self.answer(payment_for_reader(self.user, payment_id))

    @operation("DELETE", "payments/<slug:payment_id>/", scopes=(PLAY,))
    def payments_cancel(self, request: Request, payment_id: str) -> Response:
        """Cancel your open payment. If you pay it at that very moment, it counts."""
        services.cancel_payment(payment=payment_for_player(self.user, payment_id), **self.arguments())
        return self.answer()

    @operation(
        "POST",
        f"{ENTRANT}payments/",
        name="entrant_payments",
        takes=StartPaymentInput,
        answers=PaymentSerializer,
        status=201,
        scopes=(PLAY,),
        throttle=PaymentThrottle,
    )
    def payments_start(self, request: Request, entrant_id: str) -> Response:
        """Begin to pay for your entry. The provider's page is opened a moment later: read the payment for its address.

        What settles the entry is the provider's message. Asking again in the same way gives the same payment.
        """
        entrant = entrant_for_player(self.user, entrant_id)
        return self.answer(services.start_payment(entrant=entrant, **self.arguments()))

    @operation(
        "POST",
        f"{ENTRANT}payments/desk/",
        name="desk_payment",
        takes=PayInput,
        answers=PaymentSerializer,
        status=201,
    )
    def payments_note(self, request: Request, entrant_id: str) -> Response:
        """Note that an entrant paid a price at the desk, and settle the entry. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        return self.answer(services.note_payment(entrant=entrant, **self.arguments()))

    @operation(
        "POST",
        "payments/<slug:payment_id>/refunds/",
        name="refunds",
        takes=RefundInput,
        answers=RefundSerializer,
        status=201,
    )
    def payments_refund(self, request: Request, payment_id: str) -> Response:
        """Give back a payment, whole or in part. The provider's message ends the refund. For organizers and owners."""
        payment = payment_for_staff(self.user, payment_id, "manage_event")
        return self.answer(services.refund(payment=payment, **self.arguments()))
