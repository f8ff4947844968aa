"""Shows what a service refuses on the form that sent it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms

from tournaments.common.refusals import InvalidInput, Refusal


@contextmanager
def refusals_on(form: forms.Form) -> Iterator[list[dict[str, Any]]]:
    """Put every sentence of a refused input on its form, with what was typed kept.

    Gives a list that receives the defects that are more than a sentence.
    """
    defects: list[dict[str, Any]] = []
    try:
        yield defects
    except InvalidInput as refusal:
        for sentence in (refusal.message, *refusal.details):
            if isinstance(sentence, dict):
                defects.append(sentence)
            else:
                form.add_error(None, str(sentence))


class Moved:
    """Catches the refusal of a result entered on a page that is old: the page is shown again, with both results."""

    def __init__(self) -> None:
        self.refusal: Refusal | None = None

    @contextmanager
    def told(self) -> Iterator[None]:
        """Keep `result_changed` in `refusal`; any other refusal goes on its way."""
        try:
            yield
        except Refusal as refusal:
            if refusal.code != "result_changed":
                raise
            self.refusal = refusal
