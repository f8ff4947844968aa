"""Form for making a match a feature match."""

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.audits.features import DELAY, LEAST, MOST


class FeatureForm(forms.Form):
    """The delay with which the public follows a feature match, in minutes."""

    delay = forms.IntegerField(
        label=gettext_lazy("Delay in minutes"),
        help_text=gettext_lazy("Long enough that spectators cannot help a player."),
        initial=DELAY,
        min_value=LEAST,
        max_value=MOST,
    )
