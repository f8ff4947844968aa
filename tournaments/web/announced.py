"""Render an event's announcements for its pages."""

from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from tournaments.announcements.selectors import heard
from tournaments.common.clock import now
from tournaments.events.models import Event


def announcements_to(user: Any, event: Event) -> SafeString:
    """The page region with the announcements that this reader should see, as HTML."""
    context = {"event": event, "announcements": heard(user, event, now())}
    return render_to_string("_fragments/_announcements.html", context)
