"""The providers that take payments: classes of django-payments, with what the library leaves open closed here.

Which of them exist is up to the settings (`PAYMENT_VARIANTS`); there is none unless its keys are set. The library's
views are not used: they confirm whatever comes back for a payment, without looking at amount, currency or repetition.
See docs/decisions/0030-paid-by-a-signed-notice.md.

What a provider says is read into `Said`, which knows nothing of the provider's own shapes. The module of a provider is
imported when it is first needed: its client is large.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.conf import settings
from payments.core import provider_factory

from tournaments.payments.models import Payment, Refund

LONGEST_NOTICE = 256 * 1024  # bytes
LONGEST_ID = 100
SECONDS = 10.0  # that a request to a provider may take
PAID, ENDED, REFUND = "paid", "ended", "refund"
OPEN, APPROVED = "open", "approved"  # of providers whose money we have to take: still to be approved, and approved

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, OverflowError)
"""What reading a notice of an unexpected shape may raise."""


class ProviderDown(Exception):
    """The provider did not answer, or asks to be asked again later."""


class ProviderRefused(Exception):
    """The provider will not do it, however often it is asked."""


class BadNotice(Exception):
    """A notice whose signature is wrong, missing or too old, or which cannot be read."""


@dataclass(frozen=True)
class Opened:
    """A page of the provider where a payment can be made: its id there, and its address."""

    id: str
    address: str


@dataclass(frozen=True)
class Said:
    """What a provider says about a payment or a refund.

    - `what`: `PAID`, `ENDED` (it will not be paid any more), `REFUND`, `APPROVED` (the money can be taken), `OPEN` (it
      can still be approved), or "" if it means nothing here
    - `reference`: the payment's token, for all but `REFUND`
    - `session`, `money`: the provider's ids of the page and of the money that came in
    - `cents`, `currency`: the amount, in the unit that the provider counts in
    - `refund`, `refund_id`, `state`: the public id of our refund (empty: made elsewhere), the provider's id, its state
    """

    notice_id: str
    kind: str
    what: str
    reference: str = ""
    session: str = ""
    money: str = ""
    cents: int = 0
    currency: str = ""
    refund: str = ""
    refund_id: str = ""
    state: str = Refund.Status.PENDING


class Provider(Protocol):
    """What a provider can do. Each call may raise ProviderDown or ProviderRefused."""

    title: str

    def open(self, payment: Payment) -> Opened:
        """Make the page where a payment is made. The same payment always gets the same page."""

    def close(self, payment: Payment) -> None:
        """End a payment's page, so that nobody can pay there. Refused if it was paid or has ended."""

    def ask(self, payment: Payment) -> Said:
        """What has become of a payment's page, for when the notice was lost."""

    def take(self, payment: Payment) -> None:
        """Take the money of a payment that is `APPROVED`; its notice follows. The same payment is taken once.

        Refused if it was taken before, or if the provider declines it.
        """

    def give_back(self, refund: Refund) -> Said:
        """Ask for a refund. The same refund is made once, however often this is called."""

    def ask_refund(self, refund: Refund) -> Said:
        """What has become of a refund, for when its notice was lost."""

    def counted(self, cents: int, payment: Payment) -> int:
        """An amount in the unit that the provider counts the payment's currency in."""

    def read(self, body: bytes, headers: Mapping[str, str], now: datetime) -> Said:
        """Read a notice. Raises BadNotice if it is not signed for us, or was signed too long ago.

        Raises ProviderDown if the signature cannot be checked now.
        """


def names() -> list[str]:
    """The names of the providers that the settings have, in their order."""
    return list(settings.PAYMENT_VARIANTS)


def provider_of(name: str) -> Provider:
    """The provider with this name. Raises ValueError if the settings do not have it."""
    found: Provider = provider_factory(name)
    return found


def document_of(body: bytes) -> dict[str, Any]:
    """The document of a notice, with the `id` that all providers give theirs. Raises BadNotice if there is none."""
    try:
        document = json.loads(body)
        # No number that JSON does not have, and no half of a character: neither can be saved. Nor can a NUL.
        written = json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadNotice(type(error).__name__) from error
    if b"\\u0000" in written:
        raise BadNotice("a NUL")
    notice_id = document.get("id") if isinstance(document, dict) else None
    if not isinstance(notice_id, str) or not 0 < len(notice_id) <= LONGEST_ID:
        raise BadNotice("not a notice")
    return dict(document)


def title_of(name: str) -> str:
    """What people call a provider; the name itself if the settings no longer have it."""
    return provider_of(name).title if name in names() else name
