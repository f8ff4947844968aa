"""Forms of the judge pages and of logs."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.audits import engine_gate
from tournaments.audits.disputes import LONGEST, Punished, Wanted
from tournaments.audits.models import Ruling
from tournaments.audits.services import MAX_LOG
from tournaments.play.models import Match, Seat
from tournaments.web.forms.judging import infraction_choices, level_choices
from tournaments.web.forms.staff import RulingForm, TableRulingForm
from tournaments.web.words import CORRECTIONS, DECISIONS, WHENS

PENALTY = ("penalty", "penalty_seat", "penalty_level", "penalty_when")
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


class SignForm(forms.Form):
    """What a player says of a kept board. On the judge's device `seat` names the player; the own seat needs no name."""

    agrees = forms.TypedChoiceField(choices=[("yes", ""), ("no", "")], coerce=lambda value: value == "yes")
    digest = forms.CharField(max_length=64)
    seat = forms.CharField(max_length=2, required=False)

    def __init__(self, *args: Any, seats: Sequence[Seat], own: Seat | None) -> None:
        super().__init__(*args)
        said = str(self.data.get("seat", ""))
        self.signs = own or next((seat for seat in seats if str(seat.number) == said), None)


class _Decision(forms.Form):
    """What a ruling decides beside its result: keep it, change it, or have it played again. `state` is the page's."""

    state = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=list(DECISIONS.items()),
        required=False,
        help_text=gettext_lazy("Kept is the result that counts, or the report that was contested."),
    )
    game = forms.IntegerField(
        label=gettext_lazy("Game to play again"),
        required=False,
        min_value=1,
        max_value=9,
        help_text=gettext_lazy("Where it is played again: empty for the whole match."),
    )

    penalty = forms.ChoiceField(
        label=gettext_lazy("With a penalty"),
        required=False,
        help_text=gettext_lazy("In the same gesture, with the reason of the ruling."),
    )
    penalty_seat = forms.TypedChoiceField(label=gettext_lazy("For"), required=False, coerce=int, empty_value=0)
    penalty_level = forms.ChoiceField(label=gettext_lazy("Penalty"), required=False)
    penalty_when = forms.ChoiceField(label=gettext_lazy("It counts in"), required=False, choices=list(WHENS.items()))

    def __init__(self, *args: Any, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, names=names, **kwargs)  # type: ignore[call-arg]  # of the result's form
        self.fields["penalty"].choices = [("", _("none")), *infraction_choices()]
        self.fields["penalty_seat"].choices = [("", "–"), *enumerate(names, 1)]
        self.fields["penalty_level"].choices = level_choices()

    def clean(self) -> dict[str, Any]:
        """A result is asked for where it is changed, which is what a ruling without a decision does."""
        data: dict[str, Any] = super().clean() or {}
        data["decision"] = data.get("decision") or Ruling.Decision.CHANGE
        if data["decision"] != Ruling.Decision.CHANGE:
            for name in set(self.errors) - {"reason", "game", "decision", "state", "seen", *PENALTY}:
                del self.errors[name]
        if data.get("penalty") and not data.get("penalty_seat"):
            self.add_error("penalty_seat", _("Say who gets the penalty."))
        return data

    @property
    def wanted(self) -> Wanted:
        """What the judge decides."""
        data = self.cleaned_data
        changed = data["decision"] == Ruling.Decision.CHANGE
        return Wanted(
            decision=data["decision"],
            reason=data["reason"],
            games=self.games if changed else None,  # type: ignore[attr-defined]  # of the result's form
            kind=data.get("kind", Match.Kind.PLAYED) if changed else Match.Kind.PLAYED,
            game=data.get("game") if data["decision"] == Ruling.Decision.REPLAY else None,
            penalty=self._punished(data),
        )

    def _punished(self, data: dict[str, Any]) -> Punished | None:
        if not data.get("penalty"):
            return None
        when = data.get("penalty_when") or "now"
        return Punished(data["penalty_seat"], data["penalty"], data.get("penalty_level", ""), when)


class DecisionForm(_Decision, RulingForm):
    """A judge's ruling on a match of two."""

    field_order = ("decision", "first", "second", "drawn", "kind", "game", "reason", *PENALTY)


class TableDecisionForm(_Decision, TableRulingForm):
    """A judge's ruling on a table of several."""


def decision_form(match: Match, *args: Any, **kwargs: Any) -> DecisionForm | TableDecisionForm:
    """The form of a ruling on a match of two or a table of several."""
    return (TableDecisionForm if match.has_ranks else DecisionForm)(*args, **kwargs)


class WhatIfForm(forms.Form):
    """A correction of a move: undone, replaced by a legal one or by any entry, or followed by a ruling."""

    correction = forms.ChoiceField(label=gettext_lazy("Correction"), choices=list(CORRECTIONS.items()))
    move = forms.ChoiceField(
        label=gettext_lazy("Move in its place"),
        required=False,
        help_text=gettext_lazy("The moves that were legal there."),
    )
    entry = forms.CharField(
        label=gettext_lazy("or any entry, as JSON"),
        required=False,
        max_length=MAX_QUESTION,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocapitalize": "off"}),
        help_text=gettext_lazy("One entry of a log: with its chance where cards are drawn; of the judge for a ruling."),
    )

    def __init__(self, *args: Any, moves: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["move"].choices = [("", "–"), *moves]

    def clean(self) -> dict[str, Any]:
        """The entry of the correction: the typed one before the chosen one."""
        data: dict[str, Any] = super().clean() or {}
        said = data.get("entry") or data.get("move") or ""
        try:
            data["said"] = engine_gate.read_entry(said) if said.strip() else None
        except ValueError as error:
            self.add_error("entry", str(error))
        return data


class BulkForm(forms.Form):
    """Under which interpretations all logs are audited again: each as the log has it, unless another is chosen."""

    def __init__(self, *args: Any, known: Sequence[Mapping[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for gap in known:
            options = [(option, f"{option}: {words}") for option, words in gap["options"].items()]
            self.fields[gap["id"]] = forms.ChoiceField(
                label=gap["id"],
                help_text=gap["why"],
                required=False,
                choices=[("", _("As each log has it (by default: %(option)s)") % {"option": gap["default"]}), *options],
            )

    @property
    def options(self) -> dict[str, str]:
        """The interpretations that are switched."""
        return {id_: option for id_, option in self.cleaned_data.items() if option}


class ReasonForm(forms.Form):
    """The words of a claim or of an appeal."""

    reason = forms.CharField(
        label=gettext_lazy("What happened"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )


class JumpForm(forms.Form):
    """The move to go to."""

    n = forms.IntegerField(min_value=0)
