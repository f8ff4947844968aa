"""What happens in an event: rounds, matches with their seats and games, reports, clocks and losses.

Standings are not stored here. They are computed from the closed rounds (`play.field`).
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.common.ids import new_id
from tournaments.events.models import Entrant, Member, Stage

BROUGHT = "elsewhere"
"""The algorithm of a round that was paired in another program (`services.bringing`): it cannot be computed again."""


def match_id() -> str:
    return new_id("m")


class Round(models.Model):
    """One round of a stage.

    The seed, the version of the algorithm and `wishes` (the pairing inputs) are stored, so that anyone can compute its
    pairings again.
    """

    class Status(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"
        CLOSED = "closed"

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    seed = models.BigIntegerField()
    algorithm = models.CharField(max_length=20)
    results_version = models.PositiveIntegerField(help_text="Of the results it was paired from.")
    cost = models.JSONField(default=dict)
    certified = models.BooleanField(default=False)
    wishes = models.JSONField(
        default=dict, help_text="What it was asked for beside its seed: `options`, and `clubs` and `seeds` by entrant."
    )
    created_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_round_per_number"),
            # Two people who pair at once compute the same round; the second write fails on one of these.
            models.UniqueConstraint(fields=["stage"], condition=~Q(status="closed"), name="one_open_round_per_stage"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.stage_id} round {self.number}"

    @property
    def of_stage(self) -> int:
        """The number of the round within its stage, from 1; `number` counts through the whole event."""
        return self.number - self.stage.first_round + 1

    @property
    def was_brought(self) -> bool:
        """Whether it was paired in another program."""
        return self.algorithm.removesuffix("+hand") == BROUGHT


class Match(models.Model):
    """One table of a round, with a seat for each player. A bye is a match with one seat and no table.

    `authority` says who stands behind the result, `evidence` what proves it. The two are independent: an audit never
    raises the authority, and a ruling proves nothing.
    """

    class Kind(models.TextChoices):
        """How a match ended. It is stored, never inferred from the score: 0-0-0 may be a draw or a double loss."""

        PLAYED = "played"
        BYE = "bye"
        HALF_BYE = "half_bye"
        ZERO_BYE = "zero_bye"
        MISSED = "missed"
        NO_SHOW = "no_show"
        FORFEIT = "forfeit"
        CONCESSION = "concession"
        INTENTIONAL_DRAW = "intentional_draw"
        PENALTY_LOSS = "penalty_loss"
        DOUBLE_LOSS = "double_loss"
        TIME = "time"
        DISQUALIFIED = "disqualified"

    class Authority(models.TextChoices):
        NONE = ""
        CLAIMED = "claimed"
        AGREED = "agreed"
        WITNESSED = "witnessed"
        RULED = "ruled"

    class Evidence(models.TextChoices):
        NONE = ""
        PLAUSIBLE = "plausible"
        CONSISTENT = "consistent"
        REPLAYED = "replayed"

    public_id = models.CharField(max_length=20, unique=True, default=match_id, editable=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    table = models.PositiveIntegerField(null=True, help_text="Empty for a bye.")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.PLAYED)
    games_drawn = models.PositiveSmallIntegerField(null=True, help_text="Empty until a result counts.")
    authority = models.CharField(max_length=10, choices=Authority.choices, default=Authority.NONE, blank=True)
    evidence = models.CharField(
        max_length=10,
        choices=Evidence.choices,
        default=Evidence.NONE,
        blank=True,
        help_text="What proves the result: the weakest evidence of the games that it counts.",
    )
    disputed = models.BooleanField(default=False)
    flags = models.JSONField(default=dict, help_text="Why this pairing: flags by entrant's public id.")
    node = models.CharField(max_length=10, default="", blank=True, help_text="Its place in a bracket, such as W2.1.")
    starts = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Number of the seat that starts, as the higher seed chose after a cut."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="one_match_per_table"),
            models.UniqueConstraint(fields=["round", "node"], condition=~Q(node=""), name="one_match_per_node"),
        ]
        ordering = ["table"]

    def __str__(self) -> str:
        return self.public_id

    @property
    def has_result(self) -> bool:
        """Whether a result counts in the standings: it was agreed, witnessed or ruled, and is not disputed."""
        return self.games_drawn is not None and not self.disputed

    @property
    def has_ranks(self) -> bool:
        """Whether the result is a rank for each seat (a multiplayer table). Reads the round's stage."""
        return self.table is not None and self.round.stage.is_tables

    @property
    def has_boards(self) -> bool:
        """Whether the result adds up those of boards (a team match). Reads the round's stage and event."""
        return self.table is not None and self.round.stage.event.has_boards


class SeatManager(models.Manager["Seat"]):
    """Seats together with their entrants, because nearly every use of a seat needs its entrant."""

    def get_queryset(self) -> models.QuerySet["Seat"]:
        return super().get_queryset().select_related("entrant")


class Seat(models.Model):
    """An entrant's place at a match.

    The round is stored here too, so that the database can enforce that nobody sits twice in a round.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    # An entrant who has been seated is never deleted by accident: the results of the opponents depend on the row.
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="seats")
    games_won = models.PositiveSmallIntegerField(null=True)
    points = models.PositiveSmallIntegerField(null=True, help_text="Match points of the result that counts.")
    rank = models.PositiveSmallIntegerField(null=True, help_text="At a table of several: 1 for the first.")
    score = models.PositiveIntegerField(null=True, help_text="At a table of several: victory points.")

    objects = SeatManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entrant"], name="one_seat_per_round"),
            models.UniqueConstraint(fields=["match", "number"], name="seats_are_distinct"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"


class Board(models.Model):
    """One board of a team match: who sits there for each team, and the games that count once the match has a result.

    A result that was not played board by board, such as a no-show, leaves the games empty.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField(help_text="From 1.")
    first = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+", help_text="Of the team of seat 1.")
    second = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+", help_text="Of the team of seat 2.")
    first_games = models.PositiveSmallIntegerField(null=True)
    second_games = models.PositiveSmallIntegerField(null=True)
    games_drawn = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_board_per_number")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.match_id} board {self.number}"

    @property
    def games(self) -> list[int] | None:
        """Games won by seat 1, by seat 2, and drawn; None until a result of the board counts."""
        if self.first_games is None or self.second_games is None or self.games_drawn is None:
            return None
        return [self.first_games, self.second_games, self.games_drawn]


class AwardedBye(models.Model):
    """A bye for a round that is not paired yet: requested by the player, or awarded by staff."""

    class Kind(models.TextChoices):
        ZERO_BYE = "zero_bye"
        HALF_BYE = "half_bye"
        BYE = "bye"

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="awarded_byes")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="awarded_byes")
    # A number and no foreign key: the round does not exist yet.
    number = models.PositiveSmallIntegerField(help_text="The round, in the count of the event.")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    asked = models.BooleanField(help_text="By the player; otherwise awarded by staff.")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entrant", "number"], name="one_awarded_bye_per_round")]
        ordering = ["number", "pk"]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.kind} in round {self.number}"


class Game(models.Model):
    """One game of a match. Move logs are submitted for a game, and audits report on one."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    winner = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")
    ended = models.CharField(max_length=20, default="", blank=True, help_text="How it ended, as an audit found.")
    evidence = models.CharField(max_length=10, choices=Match.Evidence.choices, default="", blank=True)
    report_digest = models.CharField(max_length=64, default="", blank=True, help_text="Of the audit behind it.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_game_per_number")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.match_id} game {self.number}"


class Report(models.Model):
    """A result as a player or the desk reported it.

    At most one report of a match is standing, and at most one counters it; the others are history. A counter report
    gives a different result than the standing one. It stays until one of the two players accepts the other's report or
    calls a judge, and is ignored once the match has a result.
    """

    class Status(models.TextChoices):
        STANDING = "standing"
        COUNTER = "counter"
        CONFIRMED = "confirmed"
        CONTESTED = "contested"
        REPLACED = "replaced"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, related_name="+", help_text="Empty for staff.")
    kind = models.CharField(max_length=20, choices=Match.Kind.choices, default=Match.Kind.PLAYED)
    games = models.JSONField(
        help_text="Games won by seat 1, by seat 2, and drawn: [2, 1, 0]. Of a table of several: rank and points of "
        "each seat, [[2, 5], [1, 9], [3, null]]. Of a team match: the games of each board, [[2, 1, 0], [0, 2, 0]]."
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STANDING)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(status="standing"), name="one_standing_report"),
            models.UniqueConstraint(fields=["match"], condition=Q(status="counter"), name="one_counter_report"),
        ]
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.match_id} {self.status}"


class BoardReport(models.Model):
    """The result of one board of a team match, as one of its two sides reported it.

    The statuses are those of `Report`: at most one report of a board is standing, one counters it, and one is
    confirmed. A confirmed one says that the players of the board agree. They are ignored once the match has a result.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    side = models.PositiveSmallIntegerField(help_text="The number of the seat of the team that reported it: 1 or 2.")
    games = models.JSONField(help_text="Games won by the player of seat 1, by that of seat 2, and drawn: [2, 1, 0].")
    status = models.CharField(max_length=10, choices=Report.Status.choices, default=Report.Status.STANDING)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["board"], condition=Q(status="standing"), name="one_standing_per_board"),
            models.UniqueConstraint(fields=["board"], condition=Q(status="counter"), name="one_counter_per_board"),
            models.UniqueConstraint(fields=["board"], condition=Q(status="confirmed"), name="one_agreed_per_board"),
        ]
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.board_id} {self.status}"


class Clock(models.Model):
    """The clock of a round. What it shows is computed from these values and `now`; nothing runs on the server."""

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="clock")
    seconds = models.PositiveIntegerField(help_text="The length of the round, minutes added to all included.")
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_seconds = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"clock of {self.round_id}"


class DraftClock(models.Model):
    """The clock of a stage's draft.

    There is no row until the clock is started. The steps of the draft follow from the event's procedures.
    """

    stage = models.OneToOneField(Stage, on_delete=models.CASCADE, related_name="draft_clock")
    started_at = models.DateTimeField(help_text="Since when it would have run, had it never stood still.")
    paused_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"draft clock of {self.stage_id}"


class TimeExtension(models.Model):
    """Extra minutes for one table."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="extensions")
    minutes = models.PositiveSmallIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.match_id} +{self.minutes}"


class EmptySeat(models.Model):
    """A seat that staff found empty.

    Its countdown is computed from `since`; see `play.services.tardiness`.
    """

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="emptiness")
    since = models.DateTimeField()
    noted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    filled_at = models.DateTimeField(null=True)
    game_lost_at = models.DateTimeField(null=True, help_text="When somebody confirmed the loss of a game.")

    def __str__(self) -> str:
        return f"seat {self.seat_id} since {self.since}"


def loss_id() -> str:
    return new_id("j")


class Loss(models.Model):
    """A game or match that an entrant loses without playing it out: because of a penalty or of being late.

    The reported result has to count it. A loss without a seat waits for the next round in which the entrant has an
    opponent.
    """

    class What(models.TextChoices):
        GAME = "game"
        MATCH = "match"

    public_id = models.CharField(max_length=20, unique=True, default=loss_id, editable=False)
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="losses")
    what = models.CharField(max_length=5, choices=What.choices)
    seat = models.ForeignKey(Seat, on_delete=models.SET_NULL, null=True, related_name="losses")
    game = models.PositiveSmallIntegerField(null=True, help_text="Which one; empty for a match.")
    later = models.BooleanField(default=False, help_text="Lost only if the match comes to that game.")
    carried = models.BooleanField(default=False, help_text="It had waited for the round it is served in.")
    # Restored when the loss is taken back.
    before = models.JSONField(null=True, help_text="The result whose place it took: games, kind, authority.")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(seat=None) | Q(what="match") | Q(game__isnull=False), name="a_lost_game_has_its_number"
            )
        ]
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.entrant_id} loses a {self.what}"
