"""What `manage.py check --deploy` says besides Django's own checks."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

PUBLISHER = ("OPERATOR", "OPERATOR_ADDRESS", "CONTACT", "HOSTED_BY", "HOSTED_BY_ADDRESS")


@register(deploy=True)
def check_publisher(**_options: Any) -> list[CheckMessage]:
    """Warn about a site in production that does not say who publishes or hosts it (`arbitre.W001`)."""
    missing = [name for name in PUBLISHER if not getattr(settings, name)]
    if not settings.PRODUCTION or not missing:
        return []
    said = f"The page of legal information is not complete: set {', '.join(missing)}."
    hint = "The law of many countries wants every site to name its publisher and host. See docs/settings.md."
    return [Warning(said, hint=hint, id="arbitre.W001")]
