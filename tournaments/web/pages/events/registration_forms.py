"""Forms for how people come to an event."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.consent import AGES
from tournaments.events.models import Question
from tournaments.events.questions import LONGEST_HELP, LONGEST_LABEL, LONGEST_OPTION, MOST_OPTIONS
from tournaments.web.words.entrants import QUESTION_KINDS
from tournaments.web.words.events import LISTINGS


class RegistrationForm(forms.Form):
    """The settings of registration, as `events.registration` takes them."""

    listing = forms.ChoiceField(label=_("Who can find the event"), choices=LISTINGS.items, widget=forms.RadioSelect)
    approval = forms.BooleanField(label=_("The desk approves each registration"), required=False)
    consent_under = forms.IntegerField(
        label=_("Players under this age need a guardian’s consent"),
        help_text=_("From 10 to 21. Leave blank to ask for none. No date of birth is stored."),
        required=False,
        min_value=AGES[0],
        max_value=AGES[1],
    )


class QuestionForm(forms.Form):
    """A question to everybody who registers. The kind can be chosen only when it is added."""

    kind = forms.ChoiceField(label=_("Kind of answer"), choices=QUESTION_KINDS.items)
    label = forms.CharField(label=_("Question, or the sentence to tick"), max_length=LONGEST_LABEL)
    help = forms.CharField(label=_("Help text"), required=False, max_length=LONGEST_HELP)
    options = forms.CharField(
        label=_("Options"),
        help_text=_("One per line, 2 to 20. Only for a choice."),
        required=False,
        max_length=MOST_OPTIONS * (LONGEST_OPTION + 2),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    required = forms.BooleanField(label=_("An answer is required"), required=False)

    def __init__(self, sent: Any = None, *, question: Question | None = None) -> None:
        values = {} if question is None else {name: getattr(question, name) for name in ("label", "help", "required")}
        options = "\n".join(question.options) if question else ""
        super().__init__(sent, initial={**values, "options": options})
        if question is not None:
            del self.fields["kind"]
            if question.kind != Question.Kind.CHOICE:
                del self.fields["options"]

    def wanted(self) -> dict[str, Any]:
        """The fields as `events.questions` takes them."""
        lines = self.cleaned_data.get("options", "").splitlines()
        return {**self.cleaned_data, **({"options": lines} if "options" in self.fields else {})}
