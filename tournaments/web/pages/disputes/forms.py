"""Forms for rulings on disputed results."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournaments.accounts.models import User
from tournaments.audits import disputes
from tournaments.audits.disputes import LONGEST, RulingPenalty, Wanted
from tournaments.audits.models import Ruling
from tournaments.common.clock import now
from tournaments.play.models import Match
from tournaments.web.forms.choices import choice_field
from tournaments.web.pages.judging.forms import infraction_choices, level_choices
from tournaments.web.pages.results.desk import names_at
from tournaments.web.pages.results.forms import SCORE_FIELDS, RulingForm
from tournaments.web.words.judging import WHENS
from tournaments.web.words.results import score_words

PENALTY = ("penalty", "penalty_seat", "penalty_level", "penalty_when")


REPLAY_GAME = "replay_game"  # the page offers replaying a single game as a decision of its own


# The decisions that need a score, and those that need a game. The reason and a penalty go with every decision.
SCORE = (Ruling.Decision.CHANGE,)


GAME = (REPLAY_GAME,)


class DecisionForm(RulingForm):
    """The decision of a ruling: keep the result, change it, or have the match or a game played again.

    All decisions share this one form; the page shows only the fields of the chosen
    one, and what was typed into the others is ignored. `state` is the `disputes.state_of` of the match when the page
    was loaded.
    """

    field_order = ("decision", *SCORE_FIELDS, "kind", "game", "reason", *PENALTY)
    use_required_attribute = False  # a required field that is hidden would keep the browser from submitting the form

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
        help_text=gettext_lazy("It is given with the ruling, for the same reason."),
    )
    penalty_seat = forms.TypedChoiceField(label=gettext_lazy("For"), required=False, coerce=int, empty_value=None)
    penalty_level = forms.ChoiceField(label=gettext_lazy("Penalty"), required=False)
    penalty_when = forms.ChoiceField(label=gettext_lazy("Applies to"), required=False, choices=list(WHENS.items()))

    def __init__(self, *args: Any, match: Match, by: User, **kwargs: Any) -> None:
        super().__init__(*args, match=match, **kwargs)
        self._by = by
        self.kept = disputes.kept(match)
        games = [game.number for game in match.games.order_by("number")]
        self._several = len(games) > 1
        # A submitted decision that is no longer offered passes here, so that the service can say why it is refused.
        choice_field(self, "decision").choices = self._offered(Ruling.Decision.values)
        choice_field(self, "game").choices = [("", "–"), *((number, str(number)) for number in games)]
        choice_field(self, "penalty").choices = [("", pgettext("a penalty", "none")), *infraction_choices()]
        choice_field(self, "penalty_seat").choices = [("", "–"), *enumerate(names_at(match), 1)]
        choice_field(self, "penalty_level").choices = level_choices()
        self.fields["reason"].widget.attrs["required"] = True

    def _offered(self, decisions: Collection[str]) -> list[tuple[str, str]]:
        return _decisions(self.match, frozenset(decisions), self.kept, several=self._several)

    def offer_open(self) -> "DecisionForm":
        """Leave only the decisions that are open now, for the page that shows the form (again).

        A submitted form keeps all that could be right where none is open, so that nothing typed is lost.
        """
        open_: Collection[str] = disputes.decisions_open(self.match, self._by, now())
        if self.is_bound and not open_:
            open_ = set(Ruling.Decision.values) - (set() if self.kept else {Ruling.Decision.KEEP})
        choice_field(self, "decision").choices = self._offered(open_)
        return self

    @property
    def score_fields(self) -> list[forms.BoundField]:
        """The fields of the new result, in page order."""
        beside = {"decision", "game", "reason", *PENALTY}
        return [field for field in self.visible_fields() if field.name not in beside]

    @property
    def penalty_fields(self) -> list[forms.BoundField]:
        """The fields of the penalty."""
        return [self[name] for name in PENALTY]

    def clean(self) -> dict[str, Any]:
        """Drop the errors of fields that the chosen decision does not use.

        A score that was typed beside a decision without a score is an error, as the judge may have meant to change it.
        """
        data: dict[str, Any] = super().clean() or {}
        decision = data.get("decision")
        if decision is not None and decision not in SCORE:
            beside = self._typed_beside(data)
            for name in set(self.errors) - {"reason", "game", "decision", "state", "seen", *PENALTY}:
                del self.errors[name]
            if beside:
                self.add_error("decision", beside)
        if decision == REPLAY_GAME and not data.get("game") and "game" not in self.errors:
            self.add_error("game", _("Choose the game to play again."))
        if data.get("penalty") and not data.get("penalty_seat"):
            self.add_error("penalty_seat", _("Choose who gets the penalty."))
        return data

    def _typed_beside(self, data: Mapping[str, Any]) -> str:
        """The error message if a score was typed that differs from the current one; "" if there is none."""
        shown = {
            name
            for name in self.fields
            if name.startswith(("rank_", "score_", "board_")) or name in ("first", "second")
        }
        if not shown or any(data.get(name) in (None, "") for name in shown if not name.startswith("score_")):
            return ""
        typed = self.games
        if self.kept is not None and typed == self.kept[0]:
            return ""
        score = {"typed": score_words(typed)}
        return (
            _("You typed %(typed)s, but this decision takes no score. Choose to change the result, or clear the score.")
            % score
        )

    @property
    def wanted(self) -> Wanted:
        """The ruling that the judge wants to give, for `disputes.rule`."""
        data = self.cleaned_data
        changed, again = data["decision"] in SCORE, data["decision"] == REPLAY_GAME
        return Wanted(
            decision=Ruling.Decision.REPLAY if again else data["decision"],
            reason=data["reason"],
            games=self.games if changed else None,
            kind=self.result_kind if changed else Match.Kind.PLAYED,
            game=data["game"] if again else None,
            penalty=self._punished(data),
        )

    def _punished(self, data: dict[str, Any]) -> RulingPenalty | None:
        if not data.get("penalty"):
            return None
        when = data.get("penalty_when") or "now"
        return RulingPenalty(data["penalty_seat"], data["penalty"], data.get("penalty_level", ""), when)


def _decisions(
    match: Match, open_: Collection[str], kept: tuple[list[Any], str] | None, *, several: bool
) -> list[tuple[str, str]]:
    """The open decisions as choices; the one to keep says which result is kept."""
    found = []
    if Ruling.Decision.KEEP in open_:
        words = _("Keep the result: %(score)s") if match.has_result else _("Keep the report: %(score)s")
        label = words % {"score": score_words(kept[0])} if kept else _("Keep the result")
        found.append((Ruling.Decision.KEEP.value, label))
    if Ruling.Decision.CHANGE in open_:
        words = _("Change the result") if match.has_result or kept else _("Set the result")
        found.append((Ruling.Decision.CHANGE.value, words))
    if Ruling.Decision.REPLAY in open_:
        found += [(REPLAY_GAME, _("Play one game again"))] if several else []
        found.append((Ruling.Decision.REPLAY.value, _("Play the match again")))
    return found


class ReasonForm(forms.Form):
    """The text of a claim or an appeal."""

    reason = forms.CharField(
        label=gettext_lazy("What happened"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )
