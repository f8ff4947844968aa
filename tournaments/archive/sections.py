"""The sections of an event file: one per table, with one line per row. Fields have the same names as in the models.

Lines contain no database keys: rows are identified by the `key` of their section, such as a public id. Fields that may
name a person are `personal`: they are in the second part of the file, which can be left out. See docs/event-file.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import F

from tournaments.accounts.models import Person, User
from tournaments.announcements.models import Announcement
from tournaments.audits.models import (
    Audit,
    Branch,
    Dispute,
    Feature,
    MoveLog,
    Photo,
    Position,
    RecordedEntry,
    Recording,
    Ruling,
    Signature,
)
from tournaments.common.models import LedgerEntry, LedgerNote
from tournaments.common.moments import is_accepted
from tournaments.decks.models import Catalogue, Decklist, Pool, Reopening
from tournaments.events.models import (
    Answer,
    Consent,
    Entrant,
    Event,
    ForbiddenPair,
    Member,
    Question,
    StaffRole,
    Stage,
    StageEntry,
)
from tournaments.judging.models import Call, DeckCheck, EndTurn, Penalty
from tournaments.play.models import (
    AwardedBye,
    Board,
    BoardReport,
    Clock,
    DraftClock,
    EmptySeat,
    Game,
    Loss,
    Match,
    Report,
    Round,
    Seat,
    TimeExtension,
)
from tournaments.standings.models import CategoryTick, PrizeCategory, PrizePick, PrizeTick

Row = dict[str, Any]
MOST = 2**63  # integers beyond 64 bits fit no column


@dataclass(frozen=True)
class Section:
    """A section of the file, with the rows of one table.

    - `event`: the lookup from a row to the public id of its event
    - `key`: the fields by which other lines refer to a row; empty if none do
    - `personal`: the fields in the personal part, with the value that replaces each when that part is missing
    - `left_out`: fields that are in no file
    - `only`: a condition on the rows that are in the file
    - `added`: fields that older files lack: the version of the format that brought each, and its value in older files
    """

    name: str
    model: type[models.Model]
    event: str
    key: tuple[str, ...] = ()
    personal: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    only: Mapping[str, Any] = field(default_factory=dict)
    added: Mapping[str, tuple[int, Any]] = field(default_factory=dict)

    @cached_property
    def fields(self) -> tuple["models.Field[Any, Any]", ...]:
        """The fields of a line in the main part, in the order of the model."""
        return tuple(
            each
            for each in self.model._meta.concrete_fields
            if not (each.primary_key or each.related_model is Event or each.name in (*self.personal, *self.left_out))
        )

    def rows_of(self, event: Event) -> Iterator[Row]:
        """Yield the rows of an event for the main part, oldest first."""
        yield from rows_in_lines(self._of(event), self.fields)

    def personal_of(self, event: Event) -> Iterator[Row]:
        """Yield the rows of an event for the personal part: the key, and the personal fields that are not empty."""
        if not self.personal:
            return
        named = tuple(field_of(self.model, name) for name in (*self.key, *self.personal))
        for row in rows_in_lines(self._of(event), named):
            texts = {name: row[name] for name in self.personal if row[name]}
            if texts:
                yield {**{name: row[name] for name in self.key}, **texts}

    def _of(self, event: Event) -> "models.QuerySet[Any]":
        return self.model._default_manager.filter(**{self.event: event.public_id}, **self.only).order_by("pk")

    def completed(self, row: Row, version: int) -> Row:
        """A row of a file of this version with the fields that later versions added."""
        missing = {name: value for name, (since, value) in self.added.items() if since > version}
        return {**missing, **row}

    def fault_of(self, row: Row) -> str:
        """Return the name of the first missing, unknown or invalid field of a row; empty if the row is valid."""
        names = {each.name for each in self.fields}
        if row.keys() != names:
            return sorted(row.keys() ^ names)[0]
        return next((each.name for each in self.fields if not fits(each, row[each.name])), "")


# In the order of the file: a row only refers to rows of earlier sections, so that an import can create them in turn.
SECTIONS: tuple[Section, ...] = (
    # Whoever imports the file decides anew which sites may embed a page of their installation, and the links that lead
    # to the event there are signed anew.
    Section(
        "event",
        Event,
        "public_id",
        ("public_id",),
        left_out=("embed_sites", "join_links"),
        added={
            "listing": (4, Event.Listing.PUBLIC),
            "approval": (4, False),
            "consent_under": (4, None),
            "team_size": (5, 1),
            "team_play": (5, Event.TeamPlay.TOGETHER),
            "substitutes": (5, 0),
        },
    ),
    Section("stage", Stage, "event__public_id", ("number",), added={"team_deck_limit": (5, None)}),
    # Without its table, the role of a scribe of one table would be one for all of them: it is in no file.
    Section("staff", StaffRole, "event__public_id", left_out=("table",), only={"table": None}),
    Section(
        "entrant",
        Entrant,
        "event__public_id",
        ("public_id",),
        personal={"club": "", "team_name": ""},
        added={"seed": (5, None)},
    ),
    Section(
        "member",
        Member,
        "event__public_id",
        ("entrant", "person"),
        added={"board": (5, None), "captain": (5, False)},
    ),
    Section("question", Question, "event__public_id", ("number",)),
    # Applicants are in no file, and neither are their answers.
    Section(
        "answer",
        Answer,
        "question__event__public_id",
        ("question", "person"),
        personal={"text": "…"},
        left_out=("by", "sentence"),
        only={"person__member__event": F("question__event")},
    ),
    Section(
        "consent",
        Consent,
        "event__public_id",
        ("person",),
        personal={"how": Consent.How.PAPER},
        left_out=("by", "sentence"),
        only={"person__member__event": F("event")},
    ),
    Section("stage_entry", StageEntry, "stage__event__public_id"),
    Section("forbidden_pair", ForbiddenPair, "event__public_id", ("first", "second"), personal={"reason": ""}),
    Section("pool", Pool, "stage__event__public_id", ("entrant", "stage", "version"), personal={"text": ""}),
    Section(
        "decklist",
        Decklist,
        "stage__event__public_id",
        ("entrant", "stage", "version"),
        personal={"text": ""},
        added={"member": (5, None)},
    ),
    Section("list_reopening", Reopening, "entrant__event__public_id", added={"member": (5, None)}),
    Section("awarded_bye", AwardedBye, "stage__event__public_id"),
    Section("round", Round, "stage__event__public_id", ("number",)),
    Section("match", Match, "round__stage__event__public_id", ("public_id",)),
    Section("seat", Seat, "round__stage__event__public_id", ("match", "number")),
    Section("board", Board, "match__round__stage__event__public_id", ("match", "number")),
    Section("game", Game, "match__round__stage__event__public_id", ("match", "number")),
    Section("report", Report, "match__round__stage__event__public_id"),
    Section("board_report", BoardReport, "board__match__round__stage__event__public_id"),
    Section("clock", Clock, "round__stage__event__public_id"),
    Section("draft_clock", DraftClock, "stage__event__public_id"),
    Section("time_extension", TimeExtension, "match__round__stage__event__public_id"),
    Section("empty_seat", EmptySeat, "seat__round__stage__event__public_id"),
    Section("loss", Loss, "entrant__event__public_id", ("public_id",)),
    # When a judge arrived is in the ledger alone, so that files stay as older installations read them.
    Section("call", Call, "match__round__stage__event__public_id", ("public_id",), left_out=("arrived_at",)),
    Section("end_turn", EndTurn, "match__round__stage__event__public_id"),
    Section("penalty", Penalty, "entrant__event__public_id", ("public_id",)),
    Section(
        "deck_check",
        DeckCheck,
        "entrant__event__public_id",
        ("public_id",),
        personal={"others": ""},
        added={"member": (5, None)},
    ),
    Section("announcement", Announcement, "event__public_id", ("public_id",), personal={"text": "…"}),
    # The judges of the installation that imports the file decide anew which replays they show to players.
    Section("log", MoveLog, "game__match__round__stage__event__public_id", ("public_id",), left_out=("shared_at",)),
    Section("audit", Audit, "log__game__match__round__stage__event__public_id"),
    Section("dispute", Dispute, "match__round__stage__event__public_id", ("public_id",)),
    Section("ruling", Ruling, "dispute__match__round__stage__event__public_id"),
    Section("branch", Branch, "log__game__match__round__stage__event__public_id"),
    Section("recording", Recording, "game__match__round__stage__event__public_id", ("public_id",)),
    Section("recorded_entry", RecordedEntry, "recording__game__match__round__stage__event__public_id"),
    Section("feature", Feature, "match__round__stage__event__public_id"),
    Section("position", Position, "match__round__stage__event__public_id", ("public_id",)),
    # A photo of a table may show people and is erased sooner than a file would be: the file only has its digest.
    Section("photo", Photo, "position__match__round__stage__event__public_id", ("public_id",), left_out=("jpeg",)),
    Section("signature", Signature, "position__match__round__stage__event__public_id"),
    Section("prize_category", PrizeCategory, "event__public_id", ("number",), personal={"value": "…"}),
    Section("prize_pick", PrizePick, "category__event__public_id"),
    Section("prize", PrizeTick, "entrant__event__public_id"),
    Section("category_prize", CategoryTick, "entrant__event__public_id"),
    Section("ledger", LedgerEntry, "chain", ("number",), left_out=("chain",)),
)
BY_NAME: Mapping[str, Section] = {section.name: section for section in SECTIONS}
CATALOGUE = Section("catalogue", Catalogue, "", left_out=("version", "owner", "group", "shared", "report"))
STANDINGS = "standings"
CARD_IMAGES = "card_images"
SOFTWARE = "software"  # the version of Arbitre that wrote the file
PERSON = Section("person", Person, "", ("public_id",), left_out=("account",))
NOTE = Section("note", LedgerNote, "entry__chain", ("entry",))

KEYS: Mapping[type[models.Model], tuple[str, ...]] = {
    User: ("public_id",),
    Person: ("public_id",),
    **{section.model: section.key for section in SECTIONS},
}


def paths(model: type[models.Model]) -> list[str]:
    """The lookups whose values identify a row of `model`; a key that is a foreign key is followed to its own key.

    For `Seat`, with the key `("match", "number")`, these are `["match__public_id", "number"]`.
    """
    found: list[str] = []
    for name in KEYS[model]:
        target = model._meta.get_field(name).related_model
        found += [f"{name}__{path}" for path in paths(target)] if target else [name]
    return found


def field_of(model: type[models.Model], name: str) -> "models.Field[Any, Any]":
    """Return a model's own field by name."""
    found: models.Field[Any, Any] = model._meta.get_field(name)  # type: ignore[assignment]  # never one of another model's
    return found


def rows_in_lines(rows: "models.QuerySet[Any]", fields: tuple["models.Field[Any, Any]", ...]) -> Iterator[Row]:
    """Yield rows of the database as rows of the file, with the given fields.

    A foreign key becomes the key of the row it refers to: a list if that has several parts, None if there is no row.
    Reads with `values_list`, 500 rows at a time: no model instances are created.
    """
    lookups: list[str] = []
    widths: list[tuple[str, int]] = []
    for each in fields:
        names = [f"{each.name}__{path}" for path in paths(each.related_model)] if each.related_model else [each.name]
        lookups += names
        widths.append((each.name, len(names)))
    for values in rows.values_list(*lookups).iterator(chunk_size=500):
        row: Row = {}
        start = 0
        for name, width in widths:
            key = [_json_value(value) for value in values[start : start + width]]
            row[name] = key[0] if width == 1 else None if None in key else key
            start += width
        yield row


def _json_value(value: Any) -> Any:
    # A value as it is written; times always in UTC with microseconds, so that the bytes never differ.
    return value.astimezone(UTC).isoformat(timespec="microseconds") if isinstance(value, datetime) else value


def fits(each: "models.Field[Any, Any]", value: Any) -> bool:
    """Whether a value from a file is valid for a field: its type, range and length, not what it refers to."""
    if value is None:
        return bool(each.null)
    if each.related_model is not None:
        return _is_key(value)
    if isinstance(each, models.JSONField):
        return True
    if isinstance(each, models.BooleanField):
        return isinstance(value, bool)
    if isinstance(each, models.IntegerField):
        low = 0 if "Positive" in type(each).__name__ else -MOST
        return isinstance(value, int) and not isinstance(value, bool) and low <= value < MOST
    if isinstance(each, models.DateTimeField):
        return isinstance(value, str) and _is_instant(value)
    # PostgreSQL cannot store a NUL in a text.
    return isinstance(value, str) and "\x00" not in value and len(value) <= (each.max_length or len(value))


def _is_key(value: Any) -> bool:
    parts = value if isinstance(value, list) else [value]
    return all(isinstance(part, str | int) and not isinstance(part, bool) for part in parts)


def _is_instant(value: str) -> bool:
    try:
        moment = datetime.fromisoformat(value)
        return moment.tzinfo is not None and is_accepted(moment)
    except ValueError:
        return False
