"""Forms for pairing settings: options of a stage, tables, forbidden pairs, clubs and fixed tables, awarded byes."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.events.hall_tables import MAX_TABLE
from tournaments.events.models import Stage
from tournaments.play.models import AwardedBye
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.players import PlayerField
from tournaments.web.words.results import KINDS
from tournaments.web.words.stages import BYES_ON_REQUEST, ORDERS

Players = Sequence[tuple[str, str]]


class PairingForm(forms.Form):
    """The pairing options of a Swiss stage. An `unseeded` one cannot be paired by seeds."""

    pairing_order = forms.ChoiceField(label=gettext_lazy("Order within a score group"))
    last_by_standing = forms.BooleanField(label=gettext_lazy("Pair the last round by standings"), required=False)
    clubs_apart = forms.BooleanField(
        label=gettext_lazy("Avoid club mates where possible (not in the last round)"),
        required=False,
    )
    even_sides = forms.BooleanField(
        label=gettext_lazy("The first seat starts: share it equally among the players"), required=False
    )
    byes_on_request = forms.ChoiceField(
        label=gettext_lazy("Byes that players can request"), choices=list(BYES_ON_REQUEST.items())
    )

    def __init__(self, *args: Any, unseeded: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_seed = (Stage.Order.FOLD, Stage.Order.SLIDE)
        choice_field(self, "pairing_order").choices = [
            (code, words) for code, words in ORDERS.items() if not (unseeded and code in by_seed)
        ]


class TablesForm(forms.Form):
    """The table numbers that a stage uses in the hall."""

    tables = forms.CharField(
        label=gettext_lazy("Tables"),
        help_text=gettext_lazy(
            "Ranges in the order in which they are filled, such as 1-40, 60-80. Leave blank to start from 1."
        ),
        max_length=200,
        required=False,
    )
    skipped = forms.CharField(
        label=gettext_lazy("Except"), help_text=gettext_lazy("Such as 13, 20-22."), max_length=200, required=False
    )


class ForbiddenPairForm(forms.Form):
    """Forbid two entrants to be paired with each other."""

    first = PlayerField(label=gettext_lazy("Player"))
    second = PlayerField(label=gettext_lazy("and"))
    reason = forms.CharField(
        label=gettext_lazy("Reason"), help_text=gettext_lazy("Only the desk can read it."), max_length=200
    )

    def __init__(self, *args: Any, players: Players, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            choice_field(self, name).choices = [("", "–"), *players]


class NeedsForm(forms.Form):
    """Set the club and the fixed table of an entrant."""

    entrant = PlayerField(label=gettext_lazy("Player"))
    club = forms.CharField(
        label=gettext_lazy("Club"),
        help_text=gettext_lazy("Or family. Leave blank for none."),
        max_length=80,
        required=False,
    )
    table = forms.IntegerField(
        label=gettext_lazy("Fixed table"),
        help_text=gettext_lazy("Leave blank for any table."),
        min_value=1,
        max_value=MAX_TABLE,
        required=False,
    )

    def __init__(self, *args: Any, players: Players, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "entrant").choices = [("", "–"), *players]


class AskByeForm(forms.Form):
    """Ask for a bye: the round, and the kind of bye."""

    number = forms.TypedChoiceField(label=gettext_lazy("Round"), coerce=int)
    kind = forms.ChoiceField(label=gettext_lazy("Bye"))

    def __init__(
        self, *args: Any, rounds: Sequence[int], kinds: Sequence[str] = AwardedBye.Kind.values, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rounds = rounds
        choice_field(self, "number").choices = [(number, str(number)) for number in rounds]
        choice_field(self, "kind").choices = [(kind, KINDS[kind]) for kind in kinds]


class AwardByeForm(AskByeForm):
    """Award a bye to an entrant, as staff."""

    entrant = PlayerField(label=gettext_lazy("Player"))
    field_order = ("entrant", "number", "kind")

    def __init__(self, *args: Any, players: Players, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice_field(self, "entrant").choices = [("", "–"), *players]
