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


@contextmanager
def refused_beside(form: forms.Form) -> Iterator[None]:
    """Put any refusal on its form, so that nothing typed is lost; `status_of` is the answer's status then."""
    try:
        yield
    except Refusal as refusal:
        form.is_valid()
        form.refusal = refusal  # type: ignore[attr-defined]  # for the page, which shows the code
        form.add_error(None, str(refusal.message))


def status_of(form: forms.Form) -> int:
    """The status of a page that shows a form again."""
    refusal: Refusal | None = getattr(form, "refusal", None)
    return refusal.status if refusal else 422 if form.errors else 200


class Moved:
    """Catches the refusal of a result that the page must show before it is entered: the page is shown again.

    Either another report came in since (`result_changed`), or what was played since stands on the result
    (`affects_later`).
    """

    def __init__(self) -> None:
        self.refusal: Refusal | None = None

    @property
    def effects(self) -> list[Any]:
        """What the result changes and what stands, if that is why it was refused."""
        return self.refusal.details if self.refusal and self.refusal.code == "affects_later" else []

    @contextmanager
    def told(self) -> Iterator[None]:
        """Keep such a refusal in `refusal`; any other goes on its way."""
        try:
            yield
        except Refusal as refusal:
            if refusal.code not in ("result_changed", "affects_later"):
                raise
            self.refusal = refusal
