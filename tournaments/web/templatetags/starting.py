"""Template tag for the form that starts an event while some of its entrants are not ready."""

from collections.abc import Sequence
from typing import Any

from django import template

from tournaments.events.models import Event
from tournaments.play.services.events import takes_late

register = template.Library()


@register.inclusion_tag("web/staff/_start_unready.html", takes_context=True)
def start_unready(
    context: template.Context, event: Event, unready: Sequence[Any], *, without_check_in: bool = False
) -> dict[str, Any]:
    """The choices for starting the event: drop all unready entrants, or only those who cannot stay.

    Entrants who only lack a decklist can stay (`kept`) if the event allows late entries.
    """
    absent = sum(item.must_go for item in unready)
    return {
        "event": event,
        "csrf_token": context.get("csrf_token"),
        "unready": len(unready),
        "absent": absent,
        "kept": len(unready) - absent if takes_late(event) else 0,
        "without_check_in": without_check_in,
    }
