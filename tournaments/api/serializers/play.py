"""Rounds, matches, reports and results, repairs, and clocks."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.base import BoundedList, Input, NamedSerializer
from tournaments.audits.axes import axes_of
from tournaments.play.boards import load_boards, reports_at
from tournaments.play.models import Board, Game, Match, Report, Round
from tournaments.play.selectors import chooser_of, paired_before_correction, waiting_of
from tournaments.play.services.repairs import Repair, begun_in
from tournaments.play.services.results import MAX_SCORE, PLAYER_KINDS, STAFF_KINDS
from tournaments.swiss.teams import is_by_board

CLOCK_ACTIONS = ("start", "cancel", "pause", "resume", "extend")
DRAFT_ACTIONS = ("start", "pause", "resume", "move", "undo")


class SeatSerializer(serializers.Serializer):
    """A seat at a match, with its result if one counts."""

    number = serializers.IntegerField()
    entrant = NamedSerializer()
    games_won = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text="At a multiplayer table.")
    score = serializers.IntegerField(allow_null=True, help_text="Victory points, at a multiplayer table.")


class PlaceSerializer(serializers.Serializer):
    """The result of one seat at a multiplayer table."""

    rank = serializers.IntegerField(min_value=1, max_value=5)
    score = serializers.IntegerField(min_value=0, max_value=MAX_SCORE, allow_null=True, required=False, default=None)


class BoardReportSerializer(serializers.Serializer):
    """The result of a board as one of its two players reported it."""

    id = serializers.IntegerField(source="pk")
    side = serializers.IntegerField(help_text="The number of the seat of the player's team: 1 or 2.")
    games = serializers.ListField(child=serializers.IntegerField())
    status = serializers.ChoiceField(Report.Status.choices)
    at = serializers.DateTimeField()


class TeamBoardSerializer(serializers.Serializer):
    """A board of a team match: who sits there, the games that count, and what its two players reported.

    `agreed` and the reports are for a match without a result. The reports are shown only to the players of the match
    and to staff.
    """

    number = serializers.IntegerField()
    first = serializers.CharField(source="first.name", help_text="Of the team of seat 1.")
    first_person = serializers.CharField(source="first.person.public_id")
    second = serializers.CharField(source="second.name", help_text="Of the team of seat 2.")
    second_person = serializers.CharField(source="second.person.public_id")
    games = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Games won by each side, and drawn; null: not played.",
    )
    agreed = serializers.SerializerMethodField()
    reports = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_agreed(self, board: Board) -> list[int] | None:
        """The games on which both players agree, while other boards of the match are missing; otherwise null."""
        agreed = reports_at(board).get(Report.Status.CONFIRMED)
        return list(agreed.games) if agreed else None

    @extend_schema_field(BoardReportSerializer(many=True))
    def get_reports(self, board: Board) -> list[dict[str, Any]]:
        """The reports that wait, differ, or are confirmed or contested."""
        shown = list(reports_at(board).values()) if self.context.get("shows_reports") else []
        return list(BoardReportSerializer(shown, many=True).data)


class ReportSerializer(serializers.Serializer):
    """A result as it was reported. `seat` is null if staff entered it."""

    id = serializers.IntegerField(source="pk")
    seat = serializers.IntegerField(source="seat.number", default=None, allow_null=True)
    kind = serializers.ChoiceField(Match.Kind.choices)
    games = serializers.SerializerMethodField()
    places = serializers.SerializerMethodField()
    boards = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Report.Status.choices)
    at = serializers.DateTimeField()

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_games(self, report: Report) -> list[int]:
        """Games won by seat 1, by seat 2, and drawn; empty for a multiplayer table, and with `boards`."""
        return [] if report.games and isinstance(report.games[0], list) else list(report.games)

    @extend_schema_field(PlaceSerializer(many=True))
    def get_places(self, report: Report) -> list[dict[str, int | None]]:
        """The rank and victory points of each seat at a multiplayer table; empty for a match of two."""
        if not report.games or not isinstance(report.games[0], list) or is_by_board(report.games):
            return []
        return [{"rank": rank, "score": score} for rank, score in report.games]

    @extend_schema_field(serializers.ListField(child=serializers.ListField(child=serializers.IntegerField())))
    def get_boards(self, report: Report) -> list[list[int]]:
        """The games of each board of a team match; empty for any other match."""
        return list(report.games) if is_by_board(report.games) else []


class MatchSerializer(serializers.Serializer):
    """A match of a round: a table or a bye.

    `report` is the pending report, and `differing_report` what another player reported differently. Both are shown only
    to the players of the match and to staff.
    """

    id = serializers.CharField(source="public_id")
    event = serializers.CharField(source="round.stage.event.public_id")
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(allow_null=True, help_text="Null for a bye.")
    kind = serializers.ChoiceField(Match.Kind.choices)
    has_result = serializers.BooleanField(help_text="Whether a result counts in the standings.")
    games_drawn = serializers.IntegerField(allow_null=True)
    authority = serializers.ChoiceField([(value, value) for value in Match.Authority.values], allow_blank=True)
    disputed = serializers.BooleanField()
    flags = serializers.JSONField(help_text="Why this pairing: flags by entrant.")
    node = serializers.CharField(allow_blank=True, help_text="Its place in a bracket, such as `W2.1`.")
    starts = serializers.IntegerField(allow_null=True, help_text="Number of the seat that starts, if that was chosen.")
    extension_minutes = serializers.SerializerMethodField()
    seats = SeatSerializer(many=True)
    report = serializers.SerializerMethodField()
    differing_report = serializers.SerializerMethodField()
    boards = serializers.SerializerMethodField()

    def get_extension_minutes(self, match: Match) -> int:
        """The extra time of this table beyond the round's, in minutes."""
        return sum(extension.minutes for extension in match.extensions.all())

    @extend_schema_field(ReportSerializer(allow_null=True))
    def get_report(self, match: Match) -> dict[str, Any] | None:
        """The report that is waiting to be confirmed."""
        return self._waiting(match, waiting_of(match)[0])

    @extend_schema_field(ReportSerializer(allow_null=True))
    def get_differing_report(self, match: Match) -> dict[str, Any] | None:
        """What another player reported differently, until one of them confirms the other's report or calls a judge."""
        return self._waiting(match, waiting_of(match)[1])

    @extend_schema_field(TeamBoardSerializer(many=True))
    def get_boards(self, match: Match) -> list[dict[str, Any]]:
        """The boards of a team match, by number; empty for any other match."""
        load_boards([match])
        boards = match.boards.all() if match.has_boards else ()
        context = {"shows_reports": self._shows_reports(match)}
        return list(TeamBoardSerializer(boards, many=True, context=context).data)

    def _waiting(self, match: Match, report: Report | None) -> dict[str, Any] | None:
        return ReportSerializer(report).data if report is not None and self._shows_reports(match) else None

    def _shows_reports(self, match: Match) -> bool:
        own = self.context.get("own", frozenset())
        return bool(self.context.get("staff")) or any(seat.entrant_id in own for seat in match.seats.all())


class GameSerializer(serializers.Serializer):
    """One game, as its audits found it."""

    number = serializers.IntegerField()
    winner = serializers.IntegerField(source="winner.number", default=None, allow_null=True, help_text="A seat.")
    ended = serializers.CharField(allow_blank=True)
    evidence = serializers.ChoiceField([(value, value) for value in Match.Evidence.values], allow_blank=True)
    report_digest = serializers.CharField(allow_blank=True)


class AxesSerializer(serializers.Serializer):
    """Who stands behind a result and what proves it, with the time of each. The two are independent of each other."""

    authority = serializers.ChoiceField([(value, value) for value in Match.Authority.values], allow_blank=True)
    by = serializers.CharField(allow_blank=True, help_text="`player`, `players`, `desk` or `judge`.")
    authority_at = serializers.DateTimeField(allow_null=True)
    evidence = serializers.ChoiceField([(value, value) for value in Match.Evidence.values], allow_blank=True)
    evidence_at = serializers.DateTimeField(allow_null=True)
    differ = serializers.BooleanField(help_text="Whether two players report different results, before a judge acts.")


class MatchDetailSerializer(MatchSerializer):
    """One match, with its games."""

    chooses = serializers.SerializerMethodField()
    axes = serializers.SerializerMethodField()
    newest_report = serializers.SerializerMethodField()
    paired_before = serializers.SerializerMethodField()
    games = serializers.SerializerMethodField()

    def get_chooses(self, match: Match) -> int | None:
        """The seat that chooses who starts: that of the higher seed, if the stage lets it choose."""
        chooser = chooser_of(match)
        return chooser.number if chooser else None

    @extend_schema_field(AxesSerializer())
    def get_axes(self, match: Match) -> dict[str, Any]:
        """The authority and the evidence of the result."""
        return AxesSerializer(axes_of([match])[match.pk]).data

    def get_newest_report(self, match: Match) -> int:
        """The id of the newest report, or 0. Send it as `seen` with a result that overrides it."""
        newest: int | None = match.newest_report  # type: ignore[attr-defined]  # annotated by `matches_of`
        return newest or 0

    def get_paired_before(self, match: Match) -> int | None:
        """The number of a later, open round that was paired before this result was corrected, and may need a repair."""
        later = paired_before_correction(match)
        shown = later is not None and (later.status != Round.Status.DRAFT or self.context.get("staff"))
        return later.number if later is not None and shown else None

    @extend_schema_field(GameSerializer(many=True))
    def get_games(self, match: Match) -> list[dict[str, Any]]:
        """The games, by number."""
        games = Game.objects.filter(match=match).select_related("winner").order_by("number")
        return list(GameSerializer(games, many=True).data)


class StartInput(Input):
    """The number of the seat that starts."""

    seat = serializers.IntegerField(min_value=1, max_value=2)


class RoundSerializer(serializers.Serializer):
    """A round. Its seed, algorithm and options say how it was paired, so that it can be paired again.

    `seed`, `cost` and `certified` of a draft are null for staff who play the event.
    """

    number = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage.number")
    of_stage = serializers.IntegerField(help_text="Which round of its stage, from 1.")
    status = serializers.ChoiceField(Round.Status.choices)
    tables = serializers.IntegerField(help_text="Without byes.")
    seed = serializers.IntegerField(allow_null=True)
    algorithm = serializers.CharField()
    asked = serializers.SerializerMethodField()
    cost = serializers.JSONField(allow_null=True)
    certified = serializers.BooleanField(allow_null=True)
    created_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.DictField(child=serializers.JSONField()))
    def get_asked(self, round_: Round) -> dict[str, Any]:
        """The options it was paired with, as named in docs/pairing.md, without those for single entrants."""
        options = round_.wishes.get("options", {})
        return {name: options[name] for name in ("order", "scheme", "last", "clubs", "sides") if name in options}

    def to_representation(self, instance: Round) -> dict[str, Any]:
        """Return the round as the reader may see it: a draft is reduced for those who play the event."""
        shown: dict[str, Any] = super().to_representation(instance)
        if instance.status == Round.Status.DRAFT and self.context.get("own"):
            shown.update(dict.fromkeys(("seed", "cost", "certified")))
        return shown


class RoundDetailSerializer(RoundSerializer):
    """A round with its matches, tables first and byes last."""

    count = serializers.SerializerMethodField()
    matches = serializers.SerializerMethodField()

    def get_count(self, round_: Round) -> int:
        """The number of matches that you may see, however many are returned."""
        return int(self.context["count"])

    @extend_schema_field(MatchSerializer(many=True))
    def get_matches(self, round_: Round) -> list[dict[str, Any]]:
        """The matches that you may see."""
        return list(MatchSerializer(self.context["matches"], many=True, context=self.context).data)


class ClockSerializer(serializers.Serializer):
    """The clock of a round. Count down to `ends_at`, correcting your own clock by its difference to `server_now`."""

    state = serializers.ChoiceField(
        ["ready", "scheduled", "running", "paused", "stopped"], help_text="`stopped`: its round is closed."
    )
    seconds = serializers.IntegerField(help_text="The length of the round, minutes added to all included.")
    seconds_left = serializers.IntegerField(help_text="Negative once time is called.")
    starts_at = serializers.DateTimeField(allow_null=True, help_text="While `scheduled`.")
    ends_at = serializers.DateTimeField(allow_null=True)
    server_now = serializers.DateTimeField()


class DraftStepSerializer(serializers.Serializer):
    """One step of a draft: a pick, the time between two boosters, or deck building."""

    phase = serializers.ChoiceField(["pick", "between", "build"])
    seconds = serializers.IntegerField()
    booster = serializers.IntegerField(help_text="From 1; 0 while decks are built.")
    pick = serializers.IntegerField(help_text="From 1; 0 outside a pick.")
    cards = serializers.IntegerField(help_text="Cards to choose from; 0 outside a pick.")
    passing = serializers.ChoiceField(
        ["L", "R", ""], help_text="Where the other cards are passed: `L` is to the next seat, clockwise."
    )


class DraftSerializer(serializers.Serializer):
    """The clock of a draft: its current step, and all steps."""

    state = serializers.ChoiceField(["ready", "running", "paused", "over"])
    number = serializers.IntegerField(help_text="Of the step, from 1.")
    step = DraftStepSerializer(allow_null=True, help_text="Null once the draft is over.")
    seconds_left = serializers.IntegerField(help_text="Of this step.")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="When this step ends, while it runs.")
    closes_at = serializers.DateTimeField(allow_null=True, help_text="When all decks are built, while it runs.")
    server_now = serializers.DateTimeField()
    steps = DraftStepSerializer(many=True)


class DraftInput(Input):
    """An action on the clock of a draft."""

    action = serializers.ChoiceField(DRAFT_ACTIONS)
    step = serializers.IntegerField(min_value=1, max_value=1000, required=False, help_text="With `move`.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require `step` with `move`, and refuse it with any other action."""
        if (attrs["action"] == "move") != ("step" in attrs):
            raise serializers.ValidationError({"step": [_("Give the step in `move`, and nothing else.")]})
        return attrs


class FollowInput(Input):
    """In how many minutes the clock of the next round starts."""

    minutes = serializers.IntegerField(min_value=0, max_value=60, default=3)
    acknowledged = serializers.BooleanField(default=False, help_text="Pair the round even if nobody meets in it.")


class PairInput(Input):
    """Whether to pair a round in which nobody meets."""

    acknowledged = serializers.BooleanField(default=False, help_text="Pair the round even if nobody meets in it.")


class ClockInput(Input):
    """An action on the clock of a round."""

    action = serializers.ChoiceField(CLOCK_ACTIONS)
    minutes = serializers.IntegerField(min_value=1, max_value=60, required=False, help_text="With `extend`.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require `minutes` with `extend`."""
        if attrs["action"] == "extend" and "minutes" not in attrs:
            raise serializers.ValidationError({"minutes": [self.fields["minutes"].error_messages["required"]]})
        return attrs


class MinutesInput(Input):
    """Extra minutes for one table."""

    minutes = serializers.IntegerField(min_value=1, max_value=60)


def _games() -> BoundedList:
    return BoundedList(
        child=serializers.IntegerField(min_value=0, max_value=9),
        min_length=3,
        max_length=3,
        required=False,
        help_text="For a match of two: games won by seat 1, by seat 2, and drawn.",
    )


def _places() -> BoundedList:
    return BoundedList(
        child=PlaceSerializer(),
        min_length=2,
        max_length=5,
        required=False,
        help_text="For a multiplayer table: rank and victory points of each seat, in order.",
    )


def _boards() -> BoundedList:
    return BoundedList(
        child=BoundedList(child=serializers.IntegerField(min_value=0, max_value=9), min_length=3, max_length=3),
        min_length=2,
        max_length=5,
        required=False,
        help_text="For a team match: games won by seat 1, by seat 2, and drawn, for each board in order.",
    )


class OutcomeInput(Input):
    """A result: `games` for a match of two, `places` for a multiplayer table, or `boards` for a team match."""

    games = _games()
    places = _places()
    boards = _boards()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require exactly one of the three, and return it as `games`, which is what the services take."""
        if sum(name in attrs for name in ("games", "places", "boards")) != 1:
            raise serializers.ValidationError({"games": [self.fields["games"].error_messages["required"]]})
        if "boards" in attrs:
            attrs["games"] = attrs.pop("boards")
        places = attrs.pop("places", None)
        if places is not None:
            attrs["games"] = [[place["rank"], place["score"]] for place in places]
        return attrs


class ReportInput(OutcomeInput):
    """The result reported by a player."""

    kind = serializers.ChoiceField(PLAYER_KINDS, default=Match.Kind.PLAYED)


class BoardReportInput(Input):
    """The result of one board: games won by the player of seat 1, by that of seat 2, and drawn."""

    games = BoundedList(child=serializers.IntegerField(min_value=0, max_value=9), min_length=3, max_length=3)


class ConfirmInput(Input):
    """The report that you read."""

    report = serializers.IntegerField(min_value=1)


class ContestInput(ConfirmInput):
    """The report that you read, and what is wrong with it."""

    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")


class ResultInput(OutcomeInput):
    """The result entered by the desk. Changing one that counts needs a reason."""

    seen = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="`newest_report` of the match as you read it: refused if another report has come in since.",
    )
    kind = serializers.ChoiceField(STAFF_KINDS, default=Match.Kind.PLAYED)
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")
    acknowledged = serializers.BooleanField(
        default=False, help_text="You have read what changes and what stands: the details of `affects_later`."
    )


class DeskResultInput(ResultInput):
    """The result entered by the desk. The owner of a finished event can reopen it with the same request."""

    reopen = serializers.BooleanField(
        default=False, help_text="Reopen a finished event to correct this result; needs the `reason`. Owners."
    )


class SlipInput(OutcomeInput):
    """A match slip entered by the desk. Changing a result or a pending report that differs needs a reason."""

    table = serializers.IntegerField(min_value=1, max_value=9999)
    kind = serializers.ChoiceField(STAFF_KINDS, default=Match.Kind.PLAYED)
    drops = BoundedList(
        child=serializers.IntegerField(min_value=1, max_value=5),
        max_length=5,
        default=list,
        help_text="Seats.",
    )
    reason = serializers.CharField(max_length=2000, required=False, allow_blank=True, default="")


class SwapInput(Input):
    """Two entrants of a draft."""

    first = serializers.CharField(max_length=20)
    second = serializers.CharField(max_length=20)


class ByeInput(Input):
    """An entrant of a draft."""

    entrant = serializers.CharField(max_length=20)


class HandQuery(serializers.Serializer):
    """A manual change to preview."""

    gesture = serializers.ChoiceField(["swap", "seat", "bye"], source="action")
    first = serializers.CharField(max_length=20)
    second = serializers.CharField(max_length=20, required=False, help_text="Of a swap and a seat.")


class ChangedSerializer(serializers.Serializer):
    """A table before and after the change: the entrants, seat by seat. `table` is null for byes."""

    table = serializers.IntegerField(allow_null=True)
    was = serializers.ListField(child=serializers.CharField())
    now = serializers.ListField(child=serializers.CharField())


class TriedSerializer(serializers.Serializer):
    """What a manual change would do. The costs are empty unless the stage is Swiss."""

    changes = ChangedSerializer(many=True)
    before = serializers.DictField(child=serializers.IntegerField(), help_text="The cost as it is, level by level.")
    after = serializers.DictField(child=serializers.IntegerField())
    forbidden = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), help_text="Pairs who must not meet, and would."
    )


class MendInput(Input):
    """The repair to apply, by its key; or `keep`, to leave the pairings as they are after a change."""

    way = serializers.CharField(max_length=16, help_text="A `key`, or `keep`.")


class ChangeSerializer(serializers.Serializer):
    """A table with different players, by their ids. `table` is null for the bye."""

    table = serializers.IntegerField(allow_null=True)
    was = serializers.ListField(child=serializers.CharField())
    now = serializers.ListField(child=serializers.CharField())


class WaySerializer(serializers.Serializer):
    """A way to repair a round: what changes, and its cost level by level."""

    key = serializers.CharField()
    new = serializers.IntegerField(source="choice.new", help_text="New pairs, including the bye.")
    certified = serializers.BooleanField(source="choice.pairing.certified")
    cost = serializers.DictField(source="choice.pairing.cost", child=serializers.IntegerField())
    changes = ChangeSerializer(source="choice.changes", many=True)
    begun = serializers.SerializerMethodField()

    def get_begun(self, way: Repair) -> list[int]:
        """The tables that would change and where something has already happened; with any, the repair is refused."""
        return begun_in(way, self.context["begun"])
