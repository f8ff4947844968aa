"""Forms of the judge pages and of logs."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.audits.services import MAX_LOG

MAX_QUESTION = 512 * 1024  # characters


class LogForm(forms.Form):
    """A move log, as a file or as pasted text."""

    file = forms.FileField(
        label=gettext_lazy("Log file"), required=False, help_text=gettext_lazy("JSON, at most 8 MiB."), max_length=200
    )
    text = forms.CharField(
        label=gettext_lazy("or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        """Exactly one of the two."""
        data: dict[str, Any] = super().clean() or {}
        if "file" in self.errors or "text" in self.errors:
            return data
        if bool(data.get("file")) == bool((data.get("text") or "").strip()):
            raise forms.ValidationError(_("Choose a file or paste the text of the log, one of the two."))
        return data

    def document(self) -> bytes:
        """The log's bytes. A longer file is read one byte beyond the limit only: that is enough to refuse it."""
        file = self.cleaned_data.get("file")
        if file:
            return bytes(file.read(MAX_LOG + 1))
        return str(self.cleaned_data["text"]).replace("\r\n", "\n").encode()


class QuestionForm(forms.Form):
    """A position and a move, both as JSON."""

    position = forms.CharField(
        label=gettext_lazy("Position"),
        max_length=MAX_QUESTION,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("A declared position, or the log up to now. What you leave out counts as unknown."),
    )
    move = forms.CharField(
        label=gettext_lazy("Move"),
        max_length=MAX_QUESTION,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("One entry of a log: who, what, and with which arguments."),
    )


class JumpForm(forms.Form):
    """The move to go to."""

    n = forms.IntegerField(min_value=0)
