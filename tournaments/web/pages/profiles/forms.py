"""Form of a person's public profile."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.profiles.models import MAX_TEXT, Profile


class ProfileForm(forms.Form):
    """Whether there is a profile, and what it says."""

    shown = forms.BooleanField(label=gettext_lazy("Show a public profile to everybody"), required=False)
    short_name = forms.CharField(
        label=gettext_lazy("Short name"),
        help_text=gettext_lazy(
            "For a short address, such as /players/@name: 3 to 30 letters, digits, hyphens or underscores. Leave blank "
            "for none."
        ),
        max_length=31,  # an @ in front of it is accepted
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    text = forms.CharField(
        label=gettext_lazy("A few words"),
        help_text=gettext_lazy("At most 300 characters. Everybody can read them."),
        max_length=MAX_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    searchable = forms.BooleanField(label=gettext_lazy("Let search engines list the profile"), required=False)


def profile_form(profile: Profile | None, sent: Any = None) -> ProfileForm:
    """The form of a profile, or of one that is switched off; `sent` is the submitted data."""
    if profile is None:
        return ProfileForm(sent)
    names = ("short_name", "text", "searchable")
    return ProfileForm(sent, initial={"shown": True, **{name: getattr(profile, name) for name in names}})
