"""The warning about names that can hardly be told apart, for every page on which names are entered."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.events.models import Entrant
from tournaments.events.twins import twins_of

MOST = 5  # warnings at once


def warn_of_twins(request: HttpRequest, entrants: Sequence[Entrant]) -> None:
    """Warn of names just entered that look like another name of the event but are spelled otherwise."""
    sentence = _("%(name)s looks like %(other)s but is spelled with other characters, perhaps of another alphabet.")
    for entrant, other in twins_of(entrants[0].event, entrants)[:MOST] if entrants else ():
        messages.warning(request, sentence % {"name": entrant.full_name, "other": other})
