"""Forms of the judge pages and of logs."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.models import User
from tournaments.audits import disputes, engine_gate
from tournaments.audits.disputes import LONGEST, Punished, Wanted
from tournaments.audits.models import Ruling
from tournaments.audits.services import MAX_LOG
from tournaments.play.models import Match, Seat
from tournaments.web.forms.judging import infraction_choices, level_choices
from tournaments.web.forms.staff import RulingForm, TableRulingForm
from tournaments.web.words import CORRECTIONS, WHENS, score_words

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


REPLAY_GAME = "replay_game"  # on the page, one game played again is a decision of its own
# The fields of each decision; the reason and a penalty go with all of them.
SCORE = (Ruling.Decision.CHANGE,)
GAME = (REPLAY_GAME,)


class _Decision(forms.Form):
    """What a ruling decides beside its result: keep it, change it, or have it played again. `state` is the page's.

    All decisions are one form, of which the page shows the fields of the chosen decision alone; what was typed into
    the others never takes part.
    """

    use_required_attribute = False  # a field that is not shown must not keep the browser from sending the form

    state = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what you decide.")},
    )
    game = forms.TypedChoiceField(
        label=gettext_lazy("Game to play again"), required=False, coerce=int, empty_value=None
    )

    penalty = forms.ChoiceField(
        label=gettext_lazy("With a penalty"),
        required=False,
        help_text=gettext_lazy("Given together with the ruling, for the same reason."),
    )
    penalty_seat = forms.TypedChoiceField(label=gettext_lazy("For"), required=False, coerce=int, empty_value=0)
    penalty_level = forms.ChoiceField(label=gettext_lazy("Penalty"), required=False)
    penalty_when = forms.ChoiceField(label=gettext_lazy("It counts in"), required=False, choices=list(WHENS.items()))

    def __init__(self, *args: Any, names: Sequence[str], match: Match, by: User, **kwargs: Any) -> None:
        super().__init__(*args, names=names, **kwargs)  # type: ignore[call-arg]  # of the result's form
        self.kept = disputes.kept(match)
        games = [game.number for game in match.games.order_by("number")]
        # What was sent is never refused for being offered no more: the service says why, beside what was typed.
        open_ = frozenset(Ruling.Decision.values) if self.is_bound else disputes.decisions_open(match, by)
        self.fields["decision"].choices = _decisions(match, open_, self.kept, several=len(games) > 1)
        self.fields["game"].choices = [("", "–"), *((number, str(number)) for number in games)]
        self.fields["penalty"].choices = [("", _("none")), *infraction_choices()]
        self.fields["penalty_seat"].choices = [("", "–"), *enumerate(names, 1)]
        self.fields["penalty_level"].choices = level_choices()
        self.fields["reason"].widget.attrs["required"] = True

    @property
    def score_fields(self) -> list[forms.BoundField]:
        """The fields of a changed result, as the page shows them."""
        beside = {"decision", "game", "reason", *PENALTY}
        return [field for field in self.visible_fields() if field.name not in beside]

    @property
    def penalty_fields(self) -> list[forms.BoundField]:
        """The fields of a penalty."""
        return [self[name] for name in PENALTY]

    def clean(self) -> dict[str, Any]:
        """The fields of the chosen decision count; a score typed beside another one is asked about."""
        data: dict[str, Any] = super().clean() or {}
        decision = data.get("decision")
        if decision is not None and decision not in SCORE:
            beside = self._typed_beside(data)
            for name in set(self.errors) - {"reason", "game", "decision", "state", "seen", *PENALTY}:
                del self.errors[name]
            if beside:
                self.add_error("decision", beside)
        if decision == REPLAY_GAME and not data.get("game") and "game" not in self.errors:
            self.add_error("game", _("Say which game is played again."))
        if data.get("penalty") and not data.get("penalty_seat"):
            self.add_error("penalty_seat", _("Say who gets the penalty."))
        return data

    def _typed_beside(self, data: Mapping[str, Any]) -> str:
        """What is wrong where a score other than the one that stands was typed beside a decision without one."""
        shown = {name for name in self.fields if name.startswith(("rank_", "score_")) or name in ("first", "second")}
        if not shown or any(data.get(name) is None for name in shown if not name.startswith("score_")):
            return ""
        typed = self.games  # type: ignore[attr-defined]  # of the result's form
        if self.kept is not None and typed == self.kept[0]:
            return ""
        said = {"typed": score_words(typed)}
        return _("You typed %(typed)s, and this decision takes no score. Change the result to it, or clear it.") % said

    @property
    def wanted(self) -> Wanted:
        """What the judge decides."""
        data = self.cleaned_data
        changed, again = data["decision"] in SCORE, data["decision"] == REPLAY_GAME
        return Wanted(
            decision=Ruling.Decision.REPLAY if again else data["decision"],
            reason=data["reason"],
            games=self.games if changed else None,  # type: ignore[attr-defined]  # of the result's form
            kind=data.get("kind", Match.Kind.PLAYED) if changed else Match.Kind.PLAYED,
            game=data["game"] if again else None,
            penalty=self._punished(data),
        )

    def _punished(self, data: dict[str, Any]) -> Punished | None:
        if not data.get("penalty"):
            return None
        when = data.get("penalty_when") or "now"
        return Punished(data["penalty_seat"], data["penalty"], data.get("penalty_level", ""), when)


def _decisions(
    match: Match, open_: Collection[str], kept: tuple[list[Any], str] | None, *, several: bool
) -> list[tuple[str, str]]:
    """The decisions that are open, as buttons; keeping says what is kept."""
    found = []
    if Ruling.Decision.KEEP in open_:
        words = _("Keep the result: %(score)s") if match.has_result else _("Keep the report: %(score)s")
        said = words % {"score": score_words(kept[0])} if kept else _("Keep the result")
        found.append((Ruling.Decision.KEEP.value, said))
    if Ruling.Decision.CHANGE in open_:
        words = _("Change the result") if match.has_result else _("Rule another result") if kept else _("Rule a result")
        found.append((Ruling.Decision.CHANGE.value, words))
    if Ruling.Decision.REPLAY in open_:
        found += [(REPLAY_GAME, _("One game is played again"))] if several else []
        found.append((Ruling.Decision.REPLAY.value, _("The match is played again")))
    return found


class DecisionForm(_Decision, RulingForm):
    """A judge's ruling on a match of two."""

    field_order = ("decision", "first", "second", "drawn", "kind", "game", "reason", *PENALTY)


class TableDecisionForm(_Decision, TableRulingForm):
    """A judge's ruling on a table of several."""


def decision_form(match: Match, by: User, *args: Any, **kwargs: Any) -> DecisionForm | TableDecisionForm:
    """The form of a ruling on a match of two or a table of several, with the decisions open to this judge."""
    return (TableDecisionForm if match.has_ranks else DecisionForm)(*args, match=match, by=by, **kwargs)


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
