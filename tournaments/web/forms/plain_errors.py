"""What a field says when a value is wrong, in our words: Django's own are written for those who wrote the form."""

from typing import Any

from django import forms
from django.core import validators
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy


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
