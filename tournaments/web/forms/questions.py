"""The form with what registration asks of a person: the event's questions, and a guardian's consent."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.refusals import InvalidInput
from tournaments.events.consent import sentence_of
from tournaments.events.models import Consent, Event, Question
from tournaments.events.questions import LONGEST_ANSWER, TICKED, questions_of

FAULTS: Mapping[str, Any] = {
    "missing": gettext_lazy("Answer this question."),
    "not_an_option": gettext_lazy("Choose one of the options."),
    "too_long": gettext_lazy("An answer has at most 500 characters."),
}


class QuestionsForm(forms.Form):
    """The questions of an event, with a field `q<number>` for each.

    `acts_for` says that the account is guardian of the person, `required` that required questions must be answered, and
    `asks_consent` that the form also asks for the age or the consent.
    """

    def __init__(
        self,
        sent: Any,
        event: Event,
        *,
        answers: Mapping[int, str] | None = None,
        required: bool = True,
        asks_consent: bool = False,
        acts_for: bool = False,
    ) -> None:
        super().__init__(sent)
        if asks_consent and event.consent_under is not None:
            self.fields["consent"] = _consent_field(event.consent_under, acts_for=acts_for)
        shown = set(event.prize_categories.exclude(question=None).values_list("question", flat=True))
        for question in questions_of(event):
            field = _field(question, (answers or {}).get(question.number, ""), required)
            if question.pk in shown:
                says = _("A prize depends on this answer: everybody sees who wins it.")
                field.help_text = f"{field.help_text} {says}".strip()
            self.fields[f"q{question.number}"] = field

    def answers(self) -> dict[str, str]:
        """The answers by the number of the question."""
        given = {name: value for name, value in self.cleaned_data.items() if name.startswith("q")}
        return {name[1:]: TICKED if value is True else value or "" for name, value in given.items()}

    def consent(self) -> str:
        """How the consent is given; "" if it was not asked."""
        return str(self.cleaned_data.get("consent", ""))

    def refuse(self, refusal: InvalidInput) -> None:
        """Show the faults of a refusal beside the fields they are about."""
        for fault in refusal.details:
            name = f"q{fault['question']}" if isinstance(fault, dict) else ""
            if name in self.fields:
                self.add_error(name, str(FAULTS.get(fault["code"], refusal.message)))
        if not self.errors:
            self.add_error(None, str(refusal.message))


def _field(question: Question, answer: str, required: bool) -> forms.Field:
    said: dict[str, Any] = {
        "label": question.label,
        "help_text": question.help,
        "required": required and question.required,
        "error_messages": {"required": FAULTS["missing"]},
    }
    if question.kind == Question.Kind.CONSENT:
        return forms.BooleanField(initial=answer == TICKED, **said)
    if question.kind == Question.Kind.CHOICE:
        options = [(option, option) for option in question.options]
        choices = [("", _("Choose…")), *options]
        return forms.ChoiceField(choices=choices, initial=answer, **said)
    return forms.CharField(max_length=LONGEST_ANSWER, initial=answer, **said)


def _consent_field(age: int, *, acts_for: bool) -> forms.Field:
    choices = [(Consent.How.OF_AGE, sentence_of(Consent.How.OF_AGE, age))]
    help_text = _(
        "A younger player needs a guardian, who registers them with their own account, or consents at the desk."
    )
    if acts_for:
        choices.append((Consent.How.GUARDIAN, sentence_of(Consent.How.GUARDIAN, age)))
        help_text = ""
    return forms.ChoiceField(
        label=_("Age"), help_text=help_text, choices=choices, widget=forms.RadioSelect, required=True
    )
