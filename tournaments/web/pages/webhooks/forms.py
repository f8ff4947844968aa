"""Form for a webhook."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.common.outgoing import LONGEST_URL
from tournaments.web.words.webhooks import FORMATS, TOLD


class WebhookForm(forms.Form):
    """The address of a webhook, and the kinds of ledger entries that are sent there."""

    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=LONGEST_URL,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
        help_text=gettext_lazy("A public https address."),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Send messages about"),
        choices=list(TOLD.items()),
        widget=forms.CheckboxSelectMultiple,
        initial=["event", "round", "result"],
    )

    def __init__(self, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(data, label_suffix="", **kwargs)


class NewWebhookForm(WebhookForm):
    """The same, and what its messages look like, which stays."""

    format = forms.ChoiceField(
        label=gettext_lazy("Destination"),
        choices=list(FORMATS.items()),
        required=False,
        help_text=gettext_lazy("Discord and Slack get messages in your language, with what the public page shows."),
    )
    field_order = ("format", "url", "kinds")

    def clean_format(self) -> str:
        return self.cleaned_data["format"] or "arbitre"
