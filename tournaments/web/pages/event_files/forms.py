"""Forms for event files."""

from django import forms
from django.utils.translation import gettext_lazy


class VerifyForm(forms.Form):
    """Upload an event file to verify."""

    file = forms.FileField(
        label=gettext_lazy("Event file"),
        help_text=gettext_lazy("As it was downloaded, compressed (.gz) or not; at most 8 MiB."),
        max_length=200,
        allow_empty_file=True,
    )
