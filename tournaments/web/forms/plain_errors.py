"""What a field says when a value is wrong, in our words: Django's own are written for those who wrote the form."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core import validators
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.common.required import ENTER
from tournaments.web.forms.players import PlayerField


def use_plain_errors() -> None:
    """Replace Django's messages for every field of this process, also those of allauth. Idempotent."""
    one_of = _("Choose one of the options.")
    for field in (forms.ChoiceField, forms.MultipleChoiceField, forms.ModelChoiceField, forms.ModelMultipleChoiceField):
        field.default_error_messages = {**field.default_error_messages, "invalid_choice": one_of}
    forms.DateTimeField.default_error_messages = {"invalid": _("Enter a date and a time.")}
    validators.EmailValidator.message = _("Enter an e-mail address, such as name@example.org.")
    validators.URLValidator.message = _("Enter a web address, such as https://example.org.")
    forms.URLField.default_error_messages = {"invalid": validators.URLValidator.message}
    validators.MaxValueValidator.message = _("Too high: %(limit_value)s at most.")
    validators.MinValueValidator.message = _("Too low: %(limit_value)s at least.")
    validators.MaxLengthValidator.message = _("Too long: %(show_value)d characters (the limit is %(limit_value)d).")
    decimals: dict[str, Any] = dict(validators.DecimalValidator.messages)
    decimals["max_decimal_places"] = ngettext_lazy(
        "At most %(max)s decimal place.", "At most %(max)s decimal places.", "max"
    )
    validators.DecimalValidator.messages = decimals
    forms.BaseForm.add_error = _add_error  # type: ignore[assignment, method-assign]


_add = forms.BaseForm.add_error

# What to enter in a required field that `common.required` does not know, by what kind of field it is.
_KINDS: Sequence[tuple[type[forms.Field], Promise]] = (
    (PlayerField, _("Enter the name of a player.")),
    (forms.MultipleChoiceField, _("Choose at least one of the options.")),
    (forms.ChoiceField, _("Choose one of the options.")),
    (forms.ModelChoiceField, _("Choose one of the options.")),
    (forms.BooleanField, _("Tick this box.")),
    (forms.FileField, _("Choose a file.")),
    (forms.DateTimeField, _("Enter a date and a time.")),
    (forms.DateField, _("Enter a date.")),
    (forms.EmailField, _("Enter an e-mail address.")),
    (forms.URLField, _("Enter a web address, such as https://example.org.")),
    (forms.IntegerField, _("Enter a number.")),
)


def _add_error(form: forms.BaseForm, field: str | None, error: Any) -> None:
    """Django's `add_error`, except that a required field says what to enter."""
    said = getattr(error, "message", None)
    if field and getattr(error, "code", None) == "required" and said == forms.Field.default_error_messages["required"]:
        error = forms.ValidationError(_required(form, field), code="required")
    _add(form, field, error)


def _required(form: forms.BaseForm, name: str) -> str:
    field = form.fields[name]
    if name in ENTER:
        return str(ENTER[name])
    for kind, words in _KINDS:
        if isinstance(field, kind):
            return str(words)
    return gettext("Fill in “%(label)s”.") % {"label": form[name].label}
