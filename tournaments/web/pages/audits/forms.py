"""Forms for logs and audits: upload, questions, signatures, what-if branches and bulk audits."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import face
from tournaments.audits.models import Branch
from tournaments.audits.services import MAX_LOG
from tournaments.play.models import Seat
from tournaments.web.forms.choices import choice_field
from tournaments.web.words.boards import language
from tournaments.web.words.judging import CORRECTIONS

MAX_QUESTION = 512 * 1024  # characters


class LogForm(forms.Form):
    """A move log, as a file or as pasted text."""

    file = forms.FileField(
        label=gettext_lazy("Log file"), required=False, help_text=gettext_lazy("JSON, at most 8 MiB."), max_length=200
    )
    text = forms.CharField(
        label=gettext_lazy("Or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        """Require exactly one of the two."""
        data: dict[str, Any] = super().clean() or {}
        if "file" in self.errors or "text" in self.errors:
            return data
        file, text = bool(data.get("file")), bool((data.get("text") or "").strip())
        if not file and not text:
            raise forms.ValidationError(_("Choose the file of the log, or paste its text."))
        if file and text:
            raise forms.ValidationError(
                _("You chose a file and pasted a text. Only one of them can be the log: remove the other.")
            )
        return data

    def document(self) -> bytes:
        """The bytes of the log. A file is read up to one byte beyond the limit, which is enough to refuse it."""
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
        help_text=gettext_lazy("A declared position, or the log so far. What you leave out counts as unknown."),
    )
    move = forms.CharField(
        label=gettext_lazy("Move"),
        max_length=MAX_QUESTION,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("One entry of a log: who acts, what they do, and the details."),
    )


class SignForm(forms.Form):
    """A player's answer to a saved board.

    `own` is the seat of the account; on a judge's device it is None, and the field `seat` says who signs. `signs` is
    the seat that signs, if there is one.
    """

    agrees = forms.TypedChoiceField(choices=[("yes", ""), ("no", "")], coerce=lambda value: value == "yes")
    digest = forms.CharField(max_length=64)
    seat = forms.CharField(max_length=2, required=False)

    def __init__(self, *args: Any, seats: Sequence[Seat], own: Seat | None) -> None:
        super().__init__(*args)
        seat_number = str(self.data.get("seat", ""))
        self.signs = own or next((seat for seat in seats if str(seat.number) == seat_number), None)


class WhatIfForm(forms.Form):
    """A correction of a move: undo it, replace it, insert an entry after it, or swap it with the next one.

    The new entry is one of the legal moves (`moves`), or any entry as JSON.
    """

    correction = forms.ChoiceField(
        label=gettext_lazy("Correction"),
        choices=[(value, words) for value, words in CORRECTIONS.items() if value != Branch.Correction.CONTINUE],
    )
    move = forms.ChoiceField(
        label=gettext_lazy("Replacement move"),
        required=False,
        help_text=gettext_lazy("Only the moves that were legal at this point."),
    )
    entry = forms.CharField(
        label=gettext_lazy("Or any log entry, as JSON"),
        required=False,
        max_length=MAX_QUESTION,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy(
            "If the move draws cards or rolls dice, add what came up as “chance”. For a ruling, write “judge” as “by”."
        ),
    )

    def __init__(self, *args: Any, moves: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "move").choices = [("", "–"), *moves]

    def clean(self) -> dict[str, Any]:
        """Set `said` to the entry of the correction: the typed one if there is any, else the chosen one, else None."""
        data: dict[str, Any] = super().clean() or {}
        typed = data.get("entry") or data.get("move") or ""
        try:
            data["said"] = face.audits.read_entry(typed, language()) if typed.strip() else None
        except ValueError as error:
            self.add_error("entry", str(error))
        return data


class LineForm(forms.Form):
    """The moves that a judge made on the board of a log, as JSON `{"entries": […]}`."""

    line = forms.CharField(max_length=MAX_QUESTION)

    def clean_line(self) -> list[dict[str, Any]]:
        """Read the JSON and check that it has a list of entries. The engine checks the entries themselves."""
        try:
            entries = face.audits.read_entry(self.cleaned_data["line"], language())["entries"]
        except (ValueError, KeyError):
            entries = None
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise forms.ValidationError(_("These moves cannot be read."))
        return entries


class BulkForm(forms.Form):
    """The interpretations for a bulk audit: those of each log, unless another option is chosen here."""

    def __init__(self, *args: Any, known: Sequence[Mapping[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for gap in known:
            options = [
                (option, _("%(words)s (by default)") % {"words": words} if option == gap["default"] else words)
                for option, words in gap["options"].items()
            ]
            self.fields[gap["id"]] = forms.ChoiceField(
                label=gap["why"],
                help_text=gap["id"],
                required=False,
                choices=[("", _("As in each log")), *options],
            )

    @property
    def options(self) -> dict[str, str]:
        """The chosen options, by interpretation id."""
        return {id_: option for id_, option in self.cleaned_data.items() if option}


class JumpForm(forms.Form):
    """The number of the move to go to."""

    n = forms.IntegerField(min_value=0)
