"""Fixtures: stand-ins of Stripe and PayPal that the settings name, and events with an entry fee."""

from collections.abc import Iterator

import pytest
from payments.core import PROVIDER_CACHE
from pytest_django import Settings

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tests.payments import paypal_standin, stripe_standin
from tournaments.events.models import Event
from tournaments.events.services import change_procedures


@pytest.fixture
def stripe(settings: Settings) -> Iterator[stripe_standin.Standin]:
    """A stand-in of Stripe, set up as a provider beside those that are."""
    with stripe_standin.standin() as running:
        given = {"api_key": stripe_standin.KEY, "endpoint_secret": stripe_standin.SECRET, "api_base": running.url}
        _set_up(settings, "stripe", "tournaments.payments.stripe_checkout.Stripe", given)
        yield running
    PROVIDER_CACHE.clear()


@pytest.fixture
def paypal(settings: Settings) -> Iterator[paypal_standin.Standin]:
    """A stand-in of PayPal, set up as a provider beside those that are."""
    with paypal_standin.standin() as running:
        given = {"client_id": paypal_standin.CLIENT_ID, "secret": paypal_standin.SECRET, "api_base": running.url}
        given["webhook_id"] = paypal_standin.WEBHOOK_ID
        _set_up(settings, "paypal", "tournaments.payments.paypal_orders.PayPal", given)
        yield running
    PROVIDER_CACHE.clear()


def _set_up(settings: Settings, name: str, path: str, given: dict[str, str]) -> None:
    settings.PAYMENT_VARIANTS = settings.PAYMENT_VARIANTS | {name: (path, given)}
    PROVIDER_CACHE.clear()


@pytest.fixture
def charging(cast: Cast) -> Event:
    """An event with open registration and an entry fee of 12 euros."""
    event = an_open_event(cast)
    entry = {"entry": {"kind": "paid", "cents": 1200, "currency": "EUR"}}
    change_procedures(event=event, procedures=entry, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event
