"""Fixtures: a stand-in of Stripe that the settings name, and events with an entry fee."""

from collections.abc import Iterator

import pytest
from payments.core import PROVIDER_CACHE
from pytest_django import Settings

from tests.builders import NOW, an_open_event
from tests.cast import Cast
from tests.payments.stripe_standin import KEY, SECRET, Standin, standin
from tournaments.events.models import Event
from tournaments.events.services import change_procedures


@pytest.fixture
def stripe(settings: Settings) -> Iterator[Standin]:
    """A stand-in of Stripe, set up as the only provider."""
    with standin() as running:
        given = {"api_key": KEY, "endpoint_secret": SECRET, "api_base": running.url}
        settings.PAYMENT_VARIANTS = {"stripe": ("tournaments.payments.stripe_checkout.Stripe", given)}
        PROVIDER_CACHE.clear()
        yield running
    PROVIDER_CACHE.clear()


@pytest.fixture
def charging(cast: Cast) -> Event:
    """An event with open registration and an entry fee of 12 euros."""
    event = an_open_event(cast)
    entry = {"entry": {"kind": "paid", "cents": 1200, "currency": "EUR"}}
    change_procedures(event=event, procedures=entry, by=cast.organizer, now=NOW)
    event.refresh_from_db()
    return event
