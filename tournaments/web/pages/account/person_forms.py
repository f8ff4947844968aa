"""Form with the names of a person for whom an account acts."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.accounts.models import Person


class PersonForm(forms.Form):
    """The names of a person, and how much of them others see."""

    given_name = forms.CharField(
        label=gettext_lazy("First name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    family_name = forms.CharField(
        label=gettext_lazy("Last name"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    public_name = forms.CharField(
        label=gettext_lazy("Public name"),
        help_text=gettext_lazy(
            "Leave blank to show the first name, and as much of the last name as is needed to tell players apart."
        ),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    family_first = forms.BooleanField(label=gettext_lazy("The last name comes first"), required=False)
    shown_in_full = forms.BooleanField(label=gettext_lazy("Show the whole name to everybody"), required=False)


def names_form(person: Person, sent: Any = None, **options: Any) -> PersonForm:
    """The form of a person's names, with the current ones as initial values; `sent` is the submitted data."""
    return PersonForm(sent, initial={name: getattr(person, name) for name in PersonForm.base_fields}, **options)
