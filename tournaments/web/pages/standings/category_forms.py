"""Forms for prize categories."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.events.models import Question
from tournaments.events.questions import TICKED
from tournaments.standings.categories import LONGEST_NAME, LONGEST_VALUE
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.players import PlayerField
from tournaments.web.words.labels import labelled
from tournaments.web.words.prizes import CATEGORY_RULES

Players = list[tuple[str, str]]


class CategoryForm(forms.Form):
    """A new prize category. `asked` are the questions by whose answers it can go."""

    name = forms.CharField(
        label=gettext_lazy("Name"), help_text=gettext_lazy("Such as “Best junior”."), max_length=LONGEST_NAME
    )
    rule = forms.ChoiceField(
        label=gettext_lazy("Who can win it"), choices=list(CATEGORY_RULES.items()), widget=forms.RadioSelect
    )
    answer = forms.ChoiceField(label=gettext_lazy("Answer"), required=False)
    value = forms.CharField(
        label=gettext_lazy("Club or faction"),
        help_text=gettext_lazy("Leave blank to give a prize to the best of each club or faction."),
        max_length=LONGEST_VALUE,
        required=False,
    )
    makes_known = forms.BooleanField(
        label=gettext_lazy("Everybody may see the answer or the club of the winners"), required=False
    )

    def __init__(self, data: Any = None, *, asked: Collection[Question]) -> None:
        super().__init__(data)
        answers = [
            (f"{question.number}:{place}", labelled(question.label, option))
            for question in asked
            for place, option in enumerate(question.options or [_("ticked")])
        ]
        self._options = {question.number: question.options or [TICKED] for question in asked}
        choice_field(self, "answer").choices = [("", "–"), *answers]

    def clean(self) -> dict[str, Any]:
        """Require the answer of a category that goes by one."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("rule") == "answer" and not data.get("answer"):
            self.add_error("answer", _("Choose the answer. The questions of the event are on the page Registration."))
        return data

    def wanted(self) -> dict[str, Any]:
        """The fields as `standings.categories` takes them."""
        data = dict(self.cleaned_data)
        answer = data.pop("answer")
        if data["rule"] == "answer" and answer:
            number, place = map(int, answer.split(":"))
            return {**data, "question": number, "value": self._options[number][place]}
        return {**data, "value": "" if data["rule"] == "picked" else data["value"]}


class CategoryNameForm(forms.Form):
    """The name of a prize category."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)


class PickForm(forms.Form):
    """A player to pick for a prize category."""

    entrant = PlayerField(label=gettext_lazy("Player"))

    def __init__(self, data: Any = None, *, players: Players) -> None:
        super().__init__(data)
        choice_field(self, "entrant").choices = [("", "–"), *players]
