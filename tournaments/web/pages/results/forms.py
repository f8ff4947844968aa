"""Forms for results: reports by players, entries at the desk, and rulings."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.refusals import InvalidInput
from tournaments.events.models import Entrant
from tournaments.play.models import Match
from tournaments.play.services.results import STAFF_KINDS
from tournaments.swiss.teams import is_by_board
from tournaments.web.forms.boards import PREFIX as BOARD
from tournaments.web.forms.boards import board_fields, boards_in, written
from tournaments.web.forms.choices import choice_field
from tournaments.web.forms.places import place_fields, places_in
from tournaments.web.pages.results.desk import names_at
from tournaments.web.pages.results.outcomes import typed_outcome
from tournaments.web.words.results import KINDS, PLAYER_KINDS

BY_BOARD = (Match.Kind.PLAYED, Match.Kind.TIME)  # kinds of a team match whose boards are entered
SCORE_FIELDS = ("first", "second", "drawn")


class SeenForm(forms.Form):
    """Base for forms that set a result: `seen` is the key of the newest report on the page, 0 for none.

    With it the service notices if another report has come in since the page was loaded.
    """

    seen = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    @property
    def seen_report(self) -> int | None:
        """The newest report that the page showed; None if the form does not say."""
        return self.cleaned_data.get("seen")


class ResultForm(SeenForm):
    """A result that staff set for a match, field by field: scores, or ranks at a multiplayer table."""

    field_order: Sequence[str] = (*SCORE_FIELDS, "kind", "reason")
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind of result"),
        choices=[(kind, KINDS[kind]) for kind in STAFF_KINDS],
        initial=Match.Kind.PLAYED,
    )
    acknowledged = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, match: Match, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.match = match
        names = names_at(match)
        if match.has_ranks:
            del self.fields["kind"]
            self.fields = {**place_fields(names), **self.fields}
        elif match.has_boards:
            self.fields |= {**board_fields(match), "winner": _winner_field(names)}
            boards = [name for name in self.fields if name.startswith(BOARD)]
            decided = ["decision"] if "decision" in self.fields else []
            rest = [name for name in self.field_order if name not in ("decision", "kind")]
            self.order_fields([*decided, *boards, "kind", "winner", *rest])
        else:
            self.fields |= score_fields(names)
            self.order_fields(self.field_order)

    @property
    def games(self) -> list[Any]:
        """Games won by seat 1, by seat 2, and drawn; or the `[rank, victory points]` of each seat, or each board."""
        if self.match.has_ranks:
            return places_in(self.cleaned_data)
        if self.match.has_boards:
            return self._team_games()
        return [self.cleaned_data[field] for field in SCORE_FIELDS]

    def _team_games(self) -> list[Any]:
        """The games of each board; for a result that was not played, the boards that the winner needs."""
        if self.result_kind in BY_BOARD:
            return boards_in(self.cleaned_data)
        needed = self.match.round.stage.games // 2 + 1
        winner = self.cleaned_data.get("winner")
        return [needed if winner == "1" else 0, needed if winner == "2" else 0, 0]

    @property
    def result_kind(self) -> str:
        """The kind of the result; multiplayer tables are simply played."""
        return str(self.cleaned_data.get("kind", Match.Kind.PLAYED))


class DeskForm(ResultForm):
    """A result entered at the desk, with the players who drop.

    Keys of the results desk and buttons of the round desk are written out as its fields first (`written_out`), so that
    every result of the desk is checked, refused and sent again in the same way.
    """

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Required to change a result that is already valid."),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    reopen = forms.BooleanField(required=False, widget=forms.HiddenInput)
    drop = forms.TypedMultipleChoiceField(required=False, coerce=int, widget=forms.MultipleHiddenInput)

    def __init__(self, *args: Any, match: Match, **kwargs: Any) -> None:
        super().__init__(*args, match=match, **kwargs)
        choice_field(self, "drop").choices = list(enumerate(names_at(match), 1))

    def check(self) -> None:
        """Raise InvalidInput `score_invalid` for invalid input, where there is no page to show the form's errors."""
        if self.is_valid():
            return
        if self.match.has_ranks:
            raise InvalidInput("score_invalid", _("Type one rank for each player, in the order of the slip."))
        if self.match.has_boards:
            raise InvalidInput("boards_missing", _("Give the result of each board."))
        raise InvalidInput("score_invalid", _("Enter the games won by each side, and the games drawn."))

    @property
    def drops(self) -> list[Entrant]:
        """The entrants who drop with the slip."""
        return [seat.entrant for seat in self.match.seats.all() if seat.number in self.cleaned_data["drop"]]

    def sent_again(self, **changed: Any) -> list[tuple[str, Any]]:
        """Names and values of hidden inputs that send the same result again, with some fields `changed`.

        The reason is left out, because it is shown and can be edited.
        """
        data = {**self.cleaned_data, **changed}
        return [
            (name, value)
            for name in self.fields
            if name != "reason"
            for value in (data[name] if isinstance(data[name], list) else [data[name]])
            if value is not None and value is not False
        ]


def _winner_field(names: Sequence[str]) -> forms.Field:
    return forms.ChoiceField(
        label=_("Winner of a match that was not played"),
        choices=[("", _("nobody")), *((str(number), name) for number, name in enumerate(names, 1))],
        required=False,
    )


def score_fields(names: Sequence[str]) -> dict[str, forms.Field]:
    """The fields `first`, `second` and `drawn` by name, labeled with the names of the two players."""
    fields: dict[str, forms.Field] = {
        field: forms.IntegerField(label=_("Games won by %(name)s") % {"name": name}, min_value=0, max_value=9)
        for field, name in zip(("first", "second"), names, strict=True)
    }
    drawn = forms.IntegerField(label=_("Games drawn"), min_value=0, max_value=9, initial=0)
    return {**fields, "drawn": drawn}


def written_out(match: Match, data: QueryDict) -> QueryDict:
    """The data for a `DeskForm` from a POST, with a key (`outcome`) or button (`score`) written out as its fields.

    Raises InvalidInput `score_invalid` if the key or the button means nothing at this match.
    """
    if "outcome" in data:
        outcome = typed_outcome(match, data.get("outcome", ""))
        games, kind = outcome.games, outcome.kind
    elif "score" in data:
        score = data.get("score", "")
        if not re.fullmatch(r"\d-\d-\d", score, re.ASCII) or match.has_ranks or match.has_boards:
            raise InvalidInput("score_invalid", _("Enter the games won by each side, and the games drawn."))
        games, kind = score.split("-"), Match.Kind.PLAYED
    else:
        return data
    written = data.copy()
    written.update(_fields_of(match, games, kind))
    return written


def _fields_of(match: Match, games: Sequence[Any], kind: str) -> dict[str, str]:
    if match.has_ranks:
        return {f"rank_{seat}": str(rank) for seat, (rank, _points) in enumerate(games, 1)}
    if match.has_boards and is_by_board(games):
        return {**{f"{BOARD}{number}": written(board) for number, board in enumerate(games, 1)}, "kind": kind}
    if match.has_boards:
        winner = "1" if games[0] > games[1] else "2" if games[1] > games[0] else ""
        return {"kind": kind, "winner": winner}
    return {**{field: str(won) for field, won in zip(SCORE_FIELDS, games, strict=True)}, "kind": kind}


class RulingForm(ResultForm):
    """A result set by a judge, who has to give a reason."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("What was found and why it is decided this way. Staff can read it in the ledger."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class ReportForm(forms.Form):
    """A player's report: the `games` of a button ("2-1-0", seat 1 first), or the three fields of the complete form."""

    games = forms.RegexField(r"^\d-\d-\d$", required=False)
    first = forms.IntegerField(min_value=0, max_value=9, required=False)
    second = forms.IntegerField(min_value=0, max_value=9, required=False)
    drawn = forms.IntegerField(label=gettext_lazy("Games drawn"), min_value=0, max_value=9, required=False)
    kind = forms.ChoiceField(label=gettext_lazy("How it ended"), choices=list(PLAYER_KINDS.items()), required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("games"):
            data["score"] = [int(part) for part in data["games"].split("-")]
        elif "first" in data and "second" in data and data["first"] is not None and data["second"] is not None:
            data["score"] = [data["first"], data["second"], data.get("drawn") or 0]
        elif not self.errors:
            raise forms.ValidationError(_("Enter how many games each side won."), code="score_missing")
        data["kind"] = data.get("kind") or Match.Kind.PLAYED
        return data


class BoardsForm(forms.Form):
    """A player's report of a team match: the result of each board."""

    def __init__(self, *args: Any, match: Match, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = board_fields(match)
        for field in self.fields.values():
            field.required = True

    @property
    def result(self) -> dict[str, Any]:
        """The score and kind, as the service takes them."""
        return {"score": boards_in(self.cleaned_data), "kind": Match.Kind.PLAYED}


class PlacesForm(forms.Form):
    """A player's report of a multiplayer table: rank and victory points of each seat."""

    def __init__(self, *args: Any, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = place_fields(names)

    @property
    def result(self) -> dict[str, Any]:
        """The score and kind, as the service takes them."""
        return {"score": places_in(self.cleaned_data), "kind": Match.Kind.PLAYED}


class ContestForm(forms.Form):
    """Contest a report; the reason is optional."""

    reason = forms.CharField(max_length=2000, required=False)
