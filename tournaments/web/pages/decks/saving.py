"""Save a submitted decklist or pool. If it cannot be saved, show it again with a button for each suggestion."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from django.http import HttpRequest
from django.utils.translation import get_language

from engine.face.lists import Draft
from tournaments.common.refusals import InvalidInput
from tournaments.decks.engine_gate import draft_list
from tournaments.events.models import Event

Saved = TypeVar("Saved")


@dataclass(frozen=True)
class NotSaved:
    """A list that was not saved, as text to edit, and the refusal; None if a suggestion was applied to it instead."""

    draft: Draft
    refusal: InvalidInput | None

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows the list. After a suggestion too it is an error: nothing is saved."""
        return self.refusal.status if self.refusal else 422


def save_list(request: HttpRequest, event: Event, text: str | bytes, save: Callable[[], Saved]) -> Saved | NotSaved:
    """Return what `save` returns, or why the list was not saved.

    The button of a suggestion submits the form with `suggestion`: then the suggestion is applied and nothing is saved,
    so that players see the corrected list before they submit it.
    """
    suggestion = request.POST.get("suggestion", "")
    if suggestion:
        return NotSaved(_draft(event, text, suggestion), None)
    try:
        return save()
    except InvalidInput as refusal:
        return NotSaved(_draft(event, text), refusal)


def _draft(event: Event, text: str | bytes, suggestion: str = "") -> Draft:
    return draft_list(event, text, get_language() or "en", suggestion)
