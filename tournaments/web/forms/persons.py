"""The form of a person for whom an account acts."""

from django import forms
from django.utils.translation import gettext_lazy


class PersonForm(forms.Form):
    """The names of a child; the family name is shown as its first letter."""

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
        help_text=gettext_lazy("Empty: the first name and the first letter of the last name."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
