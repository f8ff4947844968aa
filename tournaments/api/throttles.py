"""Rate limits for requests that cost more than a read. The general limits are in the settings."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle


class _WriteThrottle(UserRateThrottle):
    """Counts writes only."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return whether this request is within the limit."""
        return request.method in SAFE_METHODS or super().allow_request(request, view)


class UploadThrottle(_WriteThrottle):
    """Move logs, score pads, questions, saved boards and photos: each costs an audit or other heavy work."""

    scope = "uploads"
    rate = "30/min"


class PaperThrottle(_WriteThrottle):
    """PDFs, bulk audits, webhooks and their test messages: each starts jobs or is kept for a day."""

    scope = "papers"
    rate = "30/min"


class ImportThrottle(_WriteThrottle):
    """Files of entrants: each is kept for a day."""

    scope = "imports"
    rate = "30/min"


class CardsThrottle(_WriteThrottle):
    """Lists of cards: each is read and linted."""

    scope = "cards"
    rate = "60/hour"


class EffectsThrottle(_WriteThrottle):
    """What cards do: each is linted, and saving one writes a whole catalogue."""

    scope = "effects"
    rate = "120/min"


class FileThrottle(UserRateThrottle):
    """Event files: each reads the whole event."""

    scope = "files"
    rate = "10/min"


class VerificationThrottle(_WriteThrottle):
    """Files to verify: each costs all the audits of an event."""

    scope = "verifications"
    rate = "10/hour"


class CheckThrottle(_WriteThrottle):
    """Checks of events: each reads and recomputes the whole event."""

    scope = "checks"
    rate = "10/hour"


class ReportThrottle(_WriteThrottle):
    """Results, claims, appeals and calls by players: one person plays at one table."""

    scope = "reports"
    rate = "60/min"


class PaymentThrottle(_WriteThrottle):
    """Payments that are begun: slow enough that codes cannot be guessed."""

    scope = "payments"
    rate = "30/min"


class InviteThrottle(_WriteThrottle):
    """Staff named by e-mail address: slow enough that addresses cannot be tried in bulk."""

    scope = "invites"
    rate = "20/min"
