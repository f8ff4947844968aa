"""Models of an event: its settings, stages, staff, entrants, forbidden pairs and imports."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournaments.accounts.models import Person
from tournaments.common.ids import new_id
from tournaments.common.names import Named, NameDistinction, SortKey, natural, shown, shown_to_staff, sort_key


def event_id() -> str:
    return new_id("e")


def entrant_id() -> str:
    return new_id("p")


def format_id() -> str:
    return new_id("f")


def import_id() -> str:
    return new_id("i")


def invitation_id() -> str:
    return new_id("i")


def application_id() -> str:
    return new_id("r")


class Event(models.Model):
    """A tournament. `public_id` identifies it in URLs and names its ledger chain."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        REGISTRATION = "registration"
        LOCKED = "locked"
        CHECK_IN = "check_in"
        RUNNING = "running"
        FINISHED = "finished"
        ARCHIVED = "archived"
        CANCELLED = "cancelled"

    class Lists(models.TextChoices):
        """Whether players submit decklists. An optional list is checked in the same way as a required one."""

        REQUIRED = "required"
        OPTIONAL = "optional"
        NONE = "none"

    class Listing(models.TextChoices):
        """Who can find and see the event once it is no draft; see `events.listing`."""

        PUBLIC = "public"
        UNLISTED = "unlisted"
        PRIVATE = "private"

    class TeamPlay(models.TextChoices):
        """How teams play: all together for one result, or each member at a board, whose results add up."""

        TOGETHER = "together"
        BOARDS = "boards"

    public_id = models.CharField(max_length=20, unique=True, default=event_id, editable=False)
    name = models.CharField(max_length=120)
    preset = models.CharField(max_length=40, help_text="The format preset it was created from.")
    game = models.CharField(max_length=30, blank=True, help_text="Empty: a game that the engine does not know.")
    game_name = models.CharField(max_length=80, default="", blank=True, help_text="What such a game is called.")
    ruleset = models.CharField(max_length=40, blank=True)
    catalog = models.CharField(max_length=64, blank=True, help_text="Id of the catalogue its decks are read with.")
    # By content, not by key: an event file refers to the same cards on another installation, and a catalogue that an
    # event uses cannot change under it.
    catalog_sha256 = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.DRAFT)
    capacity = models.PositiveIntegerField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    place = models.CharField(max_length=120, default="", blank=True, help_text="Where it is played.")
    time_zone = models.CharField(max_length=60, default="", blank=True, help_text="Of that place; empty: of the site.")
    contact = models.CharField(
        max_length=200, default="", blank=True, help_text="How players reach the organizer, for everybody to read."
    )
    description = models.TextField(default="", blank=True, help_text="Markdown, for everybody to read.")
    link = models.URLField(max_length=300, default="", blank=True, help_text="Where else to read about it.")
    fee = models.CharField(max_length=120, default="", blank=True, help_text="What it costs to enter, in words.")
    listing = models.CharField(max_length=10, choices=Listing.choices, default=Listing.PUBLIC)
    approval = models.BooleanField(default=False, help_text="Whether the desk decides on each registration.")
    consent_under = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Players under this age need a guardian's consent; empty: nobody does."
    )
    join_links = models.PositiveIntegerField(default=0, help_text="How many join links a new one has replaced.")
    lists = models.CharField(max_length=10, choices=Lists.choices, default=Lists.REQUIRED)
    team_size = models.PositiveSmallIntegerField(default=1, help_text="Players of a team; 1: everybody plays alone.")
    team_play = models.CharField(max_length=10, choices=TeamPlay.choices, default=TeamPlay.TOGETHER)
    substitutes = models.PositiveSmallIntegerField(default=0, help_text="How many a team may have beside its players.")
    registration_opens_at = models.DateTimeField(null=True, blank=True, help_text="Empty: as soon as it is public.")
    registration_closes_at = models.DateTimeField(null=True, blank=True, help_text="Empty: until the desk closes it.")
    lists_due_at = models.DateTimeField(null=True, blank=True, help_text="Empty: until the desk locks them.")
    scoring = models.JSONField(default=dict, blank=True, help_text="As `events.scoring` reads it.")
    procedures = models.JSONField(default=dict, blank=True, help_text="As `events.procedures` reads them.")
    visibility = models.JSONField(default=dict, blank=True, help_text="As `events.visibility` reads it.")
    embed_sites = models.JSONField(
        default=list,
        blank=True,
        help_text="Origins of sites that may embed feature matches, such as https://club.example.",
    )
    # An account is never deleted, only erased (`accounts.services.erase_account`): ledgers go on naming its id.
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="event_has_a_name")]
        indexes = [models.Index(fields=["status", "-created_at"], name="event_list")]

    def __str__(self) -> str:
        return self.public_id

    @property
    def is_public(self) -> bool:
        """Whether it is no draft: a draft is visible to its staff only. Who sees the others is up to `listing`."""
        return self.status != self.Status.DRAFT

    @property
    def is_for_everybody(self) -> bool:
        """Whether anybody may open its pages: it is no draft, and not private."""
        return self.is_public and self.listing != self.Listing.PRIVATE

    @property
    def is_over(self) -> bool:
        """Whether it was played to the end (a cancelled event was not)."""
        return self.status in (self.Status.FINISHED, self.Status.ARCHIVED)

    @property
    def is_team_event(self) -> bool:
        """Whether teams enter it instead of single players."""
        return self.team_size > 1

    @property
    def has_boards(self) -> bool:
        """Whether each member of a team plays at a board of their own, whose results add up to the match."""
        return self.is_team_event and self.team_play == self.TeamPlay.BOARDS

    @property
    def has_engine(self) -> bool:
        """Whether the engine knows the game; if not, decklists are stored unchecked and logs are not audited."""
        return bool(self.game)


class Stage(models.Model):
    """A part of an event played in one structure, such as the Swiss rounds or the top cut.

    Rounds are numbered through the whole event; those of a stage begin with `first_round`.
    """

    class Kind(models.TextChoices):
        SWISS = "swiss"
        PODS = "pods"
        TABLES = "tables"
        ROUND_ROBIN = "round_robin"
        SINGLE_ELIMINATION = "single_elimination"
        DOUBLE_ELIMINATION = "double_elimination"

    class Order(models.TextChoices):
        """How opponents are chosen within a score group of a Swiss stage."""

        RANDOM = "random"
        FOLD = "fold"
        SLIDE = "slide"
        STANDING = "standing"

    class ByeOnRequest(models.TextChoices):
        """The best bye that a player may request, in ascending order."""

        NONE = "none"
        ZERO_BYE = "zero_bye"
        HALF_BYE = "half_bye"
        BYE = "bye"

    class PoolsShown(models.TextChoices):
        """Who may see the pools of a limited stage, besides their players and the staff who may read decklists."""

        STAFF = "staff"
        LOCKED = "locked"
        OVER = "over"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.SWISS)
    rounds_planned = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Empty: proposed at the start.")
    best_of = models.PositiveSmallIntegerField(default=3)
    round_minutes = models.PositiveSmallIntegerField(default=50)
    deck_format = models.CharField(
        max_length=40, default="", blank=True, help_text="By which decklists are judged; empty: they are not."
    )
    deck_options = models.JSONField(
        default=dict, blank=True, help_text="Interpretations of the deck rules that are not the default: id to option."
    )
    team_deck_limit = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Most copies of a card across the decks of a team; empty: no limit."
    )
    pools_shown = models.CharField(max_length=10, choices=PoolsShown.choices, default=PoolsShown.STAFF)
    scheme = models.CharField(
        max_length=200, default="mtr", help_text="The tiebreaks of its standings: a scheme's name, or a list of them."
    )
    seed = models.BigIntegerField(help_text="From which every round's pairing seed is derived.")
    cut_top = models.PositiveSmallIntegerField(null=True, blank=True, help_text="How many come into it from before.")
    cut_points = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Points needed to come into it.")
    seed_chooses = models.BooleanField(default=False, help_text="After a cut: the higher seed chooses who starts.")
    third_place = models.BooleanField(default=False, help_text="Single elimination: a match for the third place.")
    reset = models.BooleanField(default=True, help_text="Double elimination: the grand final may be played again.")
    twice = models.BooleanField(default=False, help_text="Round robin: everybody meets everybody twice.")
    pod_size = models.PositiveSmallIntegerField(default=8, help_text="Players of a draft pod, where it can be.")
    table_size = models.PositiveSmallIntegerField(default=4, help_text="Players at a table of several.")
    pairing_order = models.CharField(max_length=10, choices=Order.choices, default=Order.RANDOM)
    last_by_standing = models.BooleanField(default=False, help_text="Swiss: its last round is paired by standing.")
    clubs_apart = models.BooleanField(default=False, help_text="Swiss: club mates meet only where nothing is lost.")
    even_sides = models.BooleanField(default=False, help_text="Swiss: the first seat is shared out evenly.")
    byes_on_request = models.CharField(max_length=10, choices=ByeOnRequest.choices, default=ByeOnRequest.NONE)
    hall = models.CharField(
        max_length=200, default="", blank=True, help_text="Its tables, such as 1-40,60-80. Empty: counted from 1."
    )
    hall_skipped = models.CharField(max_length=200, default="", blank=True, help_text="Tables of these left out.")
    started_at = models.DateTimeField(null=True, blank=True)
    first_round = models.PositiveSmallIntegerField(default=1, help_text="Its first round in the count of the event.")
    # See docs/decisions/0005-results-version-is-the-ledgers-revision.md.
    results_version = models.PositiveIntegerField(
        default=0, help_text="The event's revision when a result last changed; standings are computed from one version."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_stage_per_number"),
            models.CheckConstraint(condition=Q(best_of__in=[1, 3, 5]), name="stage_best_of_odd"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.number}"

    @property
    def games(self) -> int:
        """How many games decide a match: those of `best_of`, or the boards of a team match. Reads the event."""
        return self.event.team_size if self.event.has_boards else self.best_of

    @property
    def is_bracket(self) -> bool:
        """Whether it is an elimination bracket, in which no match may be drawn."""
        return self.kind in (self.Kind.SINGLE_ELIMINATION, self.Kind.DOUBLE_ELIMINATION)

    @property
    def is_tables(self) -> bool:
        """Whether its matches rank two to five players at a table, instead of counting games between two."""
        return self.kind == self.Kind.TABLES


class StageEntry(models.Model):
    """An entrant's place in a stage: the seed and, in a draft, the pod and the seat in it.

    A Swiss first stage has no entries, as its players need no seeds.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="entries")
    entrant = models.ForeignKey("Entrant", on_delete=models.PROTECT, related_name="stage_entries")
    seed = models.PositiveSmallIntegerField(help_text="From 1, best first.")
    pod = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Seat in the pod, clockwise from 1.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="one_entry_per_stage"),
            models.UniqueConstraint(fields=["stage", "seed"], name="one_entrant_per_seed"),
            models.UniqueConstraint(fields=["stage", "pod", "place"], name="one_entrant_per_pod_seat"),
        ]
        ordering = ["seed"]

    def __str__(self) -> str:
        return f"{self.stage_id}: seed {self.seed}"


class SavedFormat(models.Model):
    """The settings of an event that an organizer saved to create others from. Only its owner or group sees them."""

    public_id = models.CharField(max_length=20, unique=True, default=format_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_formats")
    group = models.ForeignKey(
        "auth.Group", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", help_text="`accounts.owning`"
    )
    name = models.CharField(max_length=80)
    blueprint = models.JSONField(help_text="What an event takes over from it, as `events.blueprints` writes it.")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="one_saved_format_per_name")]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.public_id


class StaffRole(models.Model):
    """A role that an account has at an event. An account may have several; `events.access` says what each allows.

    `table` is for scribes: the number of the only table whose games they record.
    """

    class Role(models.TextChoices):
        OWNER = "owner"
        ORGANIZER = "organizer"
        SCOREKEEPER = "scorekeeper"
        HEAD_JUDGE = "head_judge"
        JUDGE = "judge"
        SCRIBE = "scribe"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="staff_roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="staff_roles")
    role = models.CharField(max_length=12, choices=Role.choices)
    table = models.PositiveIntegerField(null=True, blank=True, help_text="Of a scribe; empty: every table.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "user", "role"], name="one_staff_role"),
            models.CheckConstraint(condition=Q(table=None) | Q(role="scribe"), name="only_a_scribe_has_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


class Invitation(models.Model):
    """A role that the holder of a link may accept, once.

    The e-mail address is deleted when the invitation is accepted, withdrawn, or expires.
    """

    public_id = models.CharField(max_length=20, unique=True, default=invitation_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=StaffRole.Role.choices)
    table = models.PositiveIntegerField(null=True, blank=True, help_text="Of a scribe: as `StaffRole.table`.")
    email = models.EmailField(default="", blank=True, help_text="Where the link was sent.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.public_id


class Guest(models.Model):
    """An account that followed the join link of a private event, and can see it since."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="guests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="guest_of")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="a_guest_once")]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.user_id}"


class Application(models.Model):
    """A person who wants to enter an event at which the desk decides on each registration; see `events.approval`.

    It takes no place: an approved one becomes an entrant. `reason` is for the person to read.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        APPROVED = "approved"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    public_id = models.CharField(max_length=20, unique=True, default=application_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="applications")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="applications")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.WAITING)
    applied_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=500, default="", blank=True, help_text="Why it was declined.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "person"],
                condition=Q(status__in=["waiting", "declined"]),
                name="one_application_at_once",
            )
        ]
        ordering = ["applied_at", "pk"]

    def __str__(self) -> str:
        return self.public_id

    @property
    def name(self) -> str:
        """The public name of the person, as no name in an event is reserved for somebody who is not in it."""
        return self.person.name

    @property
    def full_name(self) -> str:
        """The full name of the person, for staff."""
        return self.person.full_name


class Entrant(models.Model):
    """What is paired: one person, or a team. A team has a name; without one, it is made of those of its members."""

    class Status(models.TextChoices):
        REGISTERED = "registered"
        WAITING = "waiting"
        DROPPED = "dropped"

    class Settled(models.TextChoices):
        """How the entry fee was settled at the desk."""

        NO = ""
        PAID = "paid"
        VOUCHER = "voucher"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entrants")
    public_id = models.CharField(max_length=20, unique=True, default=entrant_id, editable=False)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.REGISTERED)
    registered_at = models.DateTimeField()
    checked_in_at = models.DateTimeField(null=True, blank=True)
    settled = models.CharField(max_length=10, choices=Settled.choices, default=Settled.NO, blank=True)
    dropped_after = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Rounds played before the drop.")
    disqualified = models.BooleanField(default=False, help_text="Out of ranks and prizes; what was played stays.")
    club = models.CharField(max_length=80, default="", blank=True, help_text="Or family, shop, school.")
    seed = models.PositiveSmallIntegerField(null=True, blank=True, help_text="From 1, best first; for the first stage.")
    fixed_table = models.PositiveIntegerField(null=True, blank=True, help_text="The table that this entrant needs.")
    team_name = models.CharField(max_length=80, default="", blank=True, help_text="Of a team; empty for a player.")
    members: "models.ManyToManyField[Person, Member]" = models.ManyToManyField(
        Person, through="Member", related_name="entrants"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "fixed_table"], name="one_entrant_per_fixed_table"),
            models.UniqueConstraint(
                fields=["event", "team_name"], condition=~Q(team_name=""), name="one_team_per_team_name"
            ),
            models.CheckConstraint(
                condition=Q(status="dropped", dropped_after__isnull=False)
                | (~Q(status="dropped") & Q(dropped_after__isnull=True)),
                name="a_drop_says_when",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def name(self) -> str:
        """The public name. It reads `member_set` with its persons, so prefetch these in lists."""
        return self.team_name or " / ".join(member.name for member in self.member_set.all()) or self.public_id

    @property
    def full_name(self) -> str:
        """The full name, for staff."""
        return self.team_name or " / ".join(member.full_name for member in self.member_set.all()) or self.public_id

    @property
    def sort_key(self) -> SortKey:
        """The key that sorts a list by family name, or by the name of the team."""
        if self.team_name:
            return natural(self.team_name)
        return tuple(piece for member in self.member_set.all() for piece in member.sort_key)


class MemberManager(models.Manager["Member"]):
    """A manager that always joins the person.

    A prefetch of a thousand persons fails on SQLite ("Expression tree is too large"); with the join there is nothing
    left to prefetch.
    """

    def get_queryset(self) -> models.QuerySet["Member"]:
        return super().get_queryset().select_related("person")


class Member(models.Model):
    """A person in an entrant. `event` is repeated here for the constraint that a person enters an event once."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE)
    person = models.ForeignKey(Person, on_delete=models.PROTECT)
    letters = models.PositiveSmallIntegerField(
        default=1, help_text="Letters of the family name that tell the public name from all others of the event."
    )
    apart = models.CharField(
        max_length=10, default="", blank=True, help_text='What tells two equal names apart: "club", or a number.'
    )

    board = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="In a team: the board, from 1. Empty for a substitute, and outside of teams."
    )
    captain = models.BooleanField(default=False, help_text="Acts for the team: names it and orders its boards.")

    objects = MemberManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "person"], name="a_person_enters_once"),
            models.UniqueConstraint(fields=["entrant", "board"], name="one_member_per_board"),
            models.UniqueConstraint(fields=["entrant"], condition=Q(captain=True), name="one_captain_per_team"),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.person_id}"

    @property
    def named(self) -> Named:
        """The person's name, with what may be used to distinguish it from other names."""
        return Named(self.person.parts, self.person.public_name, self.person.shown_in_full, self.entrant.club)

    @property
    def distinction(self) -> NameDistinction:
        """How the name is distinguished from the others in the event; kept up to date by `events.naming`."""
        return NameDistinction(self.letters, self.apart)

    @property
    def name(self) -> str:
        """The person's public name in this event."""
        return shown(self.named, self.distinction) or self.person.public_id

    @property
    def full_name(self) -> str:
        """The person's full name, as staff see it in this event."""
        return shown_to_staff(self.named, self.distinction) or self.person.public_id

    @property
    def sort_key(self) -> SortKey:
        """The key that sorts a list by family name; for a person who has only a nickname, by that."""
        return sort_key(self.person.parts) or natural(self.person.public_name)


class EntryInvitation(models.Model):
    """An invitation to take over an entry that the desk made, for whoever has the link, once.

    It exists from when the address is known; the letter is sent when staff ask for it. The address is deleted when the
    invitation is accepted, withdrawn, or expires, and when the person is erased.
    """

    public_id = models.CharField(max_length=20, unique=True, default=invitation_id, editable=False)
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="entry_invitations")
    email = models.EmailField(default="", blank=True, help_text="Where the link is sent; only the desk sees it.")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", help_text="Who last had it sent."
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True, help_text="When staff last asked for a letter.")
    sent_at = models.DateTimeField(null=True, help_text="When the last letter was sent; before `asked_at`: not yet.")
    opened_at = models.DateTimeField(null=True, help_text="When the link was first opened.")
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entrant"],
                condition=Q(accepted_by=None, withdrawn_at=None),
                name="an_entry_has_one_invitation",
            )
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.public_id


class Question(models.Model):
    """What an organizer asks everybody who registers; see `events.questions`. `number` names it within the event."""

    class Kind(models.TextChoices):
        TEXT = "text"
        CHOICE = "choice"
        CONSENT = "consent"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="questions")
    number = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField(help_text="Its place in the order in which they are asked.")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    label = models.CharField(max_length=200, help_text="The question; of a consent, the sentence to tick.")
    help = models.CharField(max_length=300, default="", blank=True)
    options = models.JSONField(default=list, blank=True, help_text="Of a choice, in order.")
    required = models.BooleanField(default=False)
    removed_at = models.DateTimeField(null=True, blank=True, help_text="When it was removed, if it has answers.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_question_per_number")]
        ordering = ["position", "number"]

    def __str__(self) -> str:
        return f"{self.event_id}: question {self.number}"


class Answer(models.Model):
    """A person's answer to a question of an event, whether they are its entrant or have applied."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="answers")
    text = models.CharField(max_length=500)
    at = models.DateTimeField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", help_text="Who ticked it."
    )
    sentence = models.CharField(
        max_length=200, default="", db_default="", help_text="Of a sentence that was ticked: how it read then."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "person"], name="one_answer_per_person")]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.person_id}"


class Consent(models.Model):
    """That a person has reached the age from which an event asks for no consent, or that a guardian consented."""

    class How(models.TextChoices):
        OF_AGE = "of_age"
        GUARDIAN = "guardian"
        PAPER = "paper"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="consents")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="consents")
    how = models.CharField(max_length=10, choices=How.choices)
    at = models.DateTimeField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text="Who said it at registration, or noted it at the desk.",
    )
    sentence = models.CharField(
        max_length=200, default="", db_default="", help_text="What they agreed to; empty on paper."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "person"], name="one_consent_per_person")]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.person_id}"


class Ban(models.Model):
    """Somebody whose registration an organizer accepts at no event of theirs; see `events.bans`.

    It names a person, or holds the keyed digest of an e-mail address. `reason` is for the organizer alone.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bans")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, blank=True, related_name="bans")
    address = models.CharField(max_length=64, null=True, blank=True, help_text="Keyed digest of an e-mail address.")
    reason = models.CharField(max_length=300, default="", blank=True)
    until = models.DateField(null=True, blank=True, help_text="The last day; empty: no end.")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "person"], name="one_ban_per_person"),
            models.UniqueConstraint(fields=["owner", "address"], name="one_ban_per_address"),
            models.CheckConstraint(
                condition=Q(person=None, address__isnull=False) | Q(person__isnull=False, address=None),
                name="a_ban_names_one_of_both",
            ),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.pk}"


class ForbiddenPair(models.Model):
    """Two entrants who must never be paired in a Swiss round; `first` has the lower primary key."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=200, help_text="Read by staff alone.")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="a_pair_is_forbidden_once"),
            models.CheckConstraint(condition=Q(first__lt=models.F("second")), name="a_forbidden_pair_in_order"),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}"


class EntryImport(models.Model):
    """An uploaded file of entrants. They are entered only when it is confirmed; then `document` is emptied."""

    class Status(models.TextChoices):
        OPEN = "open"
        CONFIRMED = "confirmed"
        DONE = "done"

    public_id = models.CharField(max_length=20, unique=True, default=import_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entry_imports")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    document = models.BinaryField(help_text="The file as it came; empty once its entrants are entered.")
    reading = models.JSONField(help_text="How it is read, as `events.entry_files` says it.")
    twice = models.BooleanField(default=False, help_text="Whether who has a name that is there already is entered too.")
    report = models.JSONField(default=dict, help_text="How many were entered, and the refused lines; no names.")
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    uploaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.public_id
