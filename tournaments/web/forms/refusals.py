"""Show refusals of a service on the form that was submitted.

    with refusals_on(form):
        service(**form.cleaned_data)
        return redirect(…)
    return render(…)  # shows the form again, with its errors

Only refusals are caught: after a success, the block leaves with its own `return`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms

from tournaments.common.refusals import InvalidInput, Refusal


@contextmanager
def refusals_on(form: forms.Form) -> Iterator[list[dict[str, Any]]]:
    """Catch InvalidInput and add its message and each of its details to the form, which keeps what was typed.

    Details that are dicts cannot be shown as a sentence: they are appended to the list that the context manager gives.
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
    """Catch any Refusal and add its message to the form, so that nothing typed is lost.

    The response's status is then `status_of(form)`.
    """
    try:
        yield
    except Refusal as refusal:
        form.is_valid()  # `add_error` needs a form that has been validated
        form.refusal = refusal  # type: ignore[attr-defined]  # for the page, which shows the code
        form.add_error(None, str(refusal.message))


def status_of(form: forms.Form) -> int:
    """The HTTP status of a page that shows a form: that of its refusal, 422 if it has errors, else 200."""
    refusal: Refusal | None = getattr(form, "refusal", None)
    return refusal.status if refusal else 422 if form.errors else 200


class ToConfirm:
    """Catches the refusals of a result that its page has to show before the result can be entered.

    Either the result has changed since the page was loaded (`result_changed`), or later rounds depend on it
    (`affects_later`), or the same penalty was given just now (`penalty_twice`).
    """

    def __init__(self) -> None:
        self.refusal: Refusal | None = None

    @property
    def effects(self) -> list[Any]:
        """What the new result would change in later rounds and what would stand; empty after any other refusal."""
        return self.refusal.details if self.refusal and self.refusal.code == "affects_later" else []

    @property
    def twice(self) -> str:
        """The id of the same penalty that was given just now; empty after any other refusal."""
        return str(self.refusal.details[0]["id"]) if self.refusal and self.refusal.code == "penalty_twice" else ""

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Catch such a refusal and store it in `refusal`; raise any other."""
        try:
            yield
        except Refusal as refusal:
            if refusal.code not in ("result_changed", "affects_later", "penalty_twice"):
                raise
            self.refusal = refusal
