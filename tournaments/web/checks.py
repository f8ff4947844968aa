"""What `manage.py check` says besides Django's own checks; also what only `check --deploy` says."""

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


@register
def check_names_of_settings(**_options: Any) -> list[CheckMessage]:
    """Warn about variables whose names are nearly those of settings, which would be ignored (`arbitre.W002`)."""
    return [
        Warning(
            f"{name} is not a setting of Arbitre, so it does nothing.", hint=f"Do you mean {meant}?", id="arbitre.W002"
        )
        for name, meant in settings.MISSPELT_SETTINGS.items()
    ]
