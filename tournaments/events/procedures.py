"""The procedures of an event: tardiness, late entry, end of a match, prizes, entry fee, drafts. Plain values.

An event takes them over from its preset and stores them as JSON, section by section. What the JSON does not hold has
the default given here. The bounds and choices of each field are in its metadata, from which the form is built too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from django.utils.translation import gettext as _

from tournaments.common.refusals import InvalidInput
from tournaments.swiss.draft import Step, schedule
from tournaments.swiss.field import SwissError

MAX_SHARES = 64


def _number(default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"low": low, "high": high})


def _choice(default: str, *others: str) -> Any:
    return field(default=default, metadata={"choices": (default, *others)})


@dataclass(frozen=True)
class Meeting:
    """The player meeting before round 1: `held` is whether there is one."""

    held: bool = False


@dataclass(frozen=True)
class Tardiness:
    """Penalties for an empty seat, in minutes since it was noted as empty.

    Before `grace` the player is not late. A game is lost at `game_loss`, the match at `match_loss`. In a match of a
    single game, the match is lost at `game_loss`.
    """

    grace: int = _number(0, 0, 120)
    game_loss: int = _number(5, 0, 120)
    match_loss: int = _number(10, 0, 120)


@dataclass(frozen=True)
class LateEntry:
    """Late entry: whether players may enter after the start, and until which round.

    `last_round` is the last round that a late player may join (0: the last one planned). Each round paired without
    them counts as a loss.
    """

    allowed: bool = True
    last_round: int = _number(0, 0, 30)


@dataclass(frozen=True)
class MatchEnd:
    """What is played once time is called in the round.

    `count` more units (turns, days or rounds of the table) are played; `last` is who has the last one. `unfinished` is
    who wins a game that is not over by then; `bracket` replaces it where no match may be drawn.
    """

    unit: str = _choice("none", "turn", "day", "table_round")
    count: int = _number(0, 0, 20)
    last: str = _choice("opponent", "active", "everybody")
    unfinished: str = _choice("draw", "leader", "judge")
    bracket: str = _choice("leader", "next_point", "judge")


@dataclass(frozen=True)
class Share:
    """`units` of the prizes for each rank from `first` to `last`.

    If prizes go by points, `first` and `last` are bounds of an entrant's match points instead, both inclusive.
    """

    first: int
    last: int
    units: int


@dataclass(frozen=True)
class Prizes:
    """The prize pool in units (such as boosters), and who gets how many: by `rank`, or by match `points`.

    Entrants who share a rank split the units of the places they take. With `one_each`, an entrant takes one prize at
    most: that of the rank, or else that of the first prize category that they win.
    """

    by: str = _choice("rank", "points")
    units: int = _number(0, 0, 100_000)
    one_each: bool = False
    shares: tuple[Share, ...] = ()


@dataclass(frozen=True)
class Entry:
    """The entry fee: `cents` of a `currency` (ISO 4217); how it can be paid is the business of `payments`.

    A place that is not paid within `hours` goes to the waiting list if anybody waits; 0: never.
    """

    kind: str = _choice("free", "paid", "voucher")
    cents: int = _number(0, 0, 1_000_000)
    currency: str = "EUR"
    hours: int = _number(0, 0, 720)


@dataclass(frozen=True)
class Ending:
    """What a table plays once time is called, and who wins a game that is then unfinished (`draw`: nobody)."""

    unit: str
    count: int
    last: str
    winner: str


@dataclass(frozen=True)
class Limited:
    """Sealed deck and booster draft.

    `boosters` per player; `passing`, the direction (`L` or `R`) in which each booster is passed, such as "LRL", or ""
    for a sealed event; `minutes` to draft and build; `pod`, the players in a draft pod.

    The clock of the draft: `cards` picked from each booster (0: no clock), `card_seconds` of a pick for each card left
    to choose from, and `between_seconds` between two boosters.
    """

    boosters: int = _number(0, 0, 30)
    passing: str = ""
    minutes: int = _number(0, 0, 600)
    pod: int = _number(0, 0, 16)
    cards: int = _number(0, 0, 30)
    card_seconds: int = _number(3, 1, 20)
    between_seconds: int = _number(60, 0, 600)


@dataclass(frozen=True)
class Procedures:
    """All procedures of an event, one section per field."""

    meeting: Meeting = Meeting()
    tardiness: Tardiness = Tardiness()
    late_entry: LateEntry = LateEntry()
    match_end: MatchEnd = MatchEnd()
    prizes: Prizes = Prizes()
    entry: Entry = Entry()
    limited: Limited = Limited()

    def to_json(self) -> dict[str, Any]:
        """The JSON stored in `Event.procedures`: an object of sections, each an object."""
        document = asdict(self)
        document["prizes"]["shares"] = list(document["prizes"]["shares"])
        return document


def ending(rule: MatchEnd, *, bracket: bool) -> Ending:
    """How a match ends once time is called.

    No match of a bracket is drawn, so where the rule says `draw`, the rule for brackets applies instead.
    """
    winner = rule.bracket if bracket and rule.unfinished == "draw" else rule.unfinished
    return Ending(rule.unit, rule.count if rule.unit != "none" else 0, rule.last, winner)


def draft_steps(rule: Limited) -> tuple[Step, ...]:
    """The steps of a draft's clock; empty if there is no clock or nothing is passed.

    Raises `SwissError` (`draft_too_long`) if the picks leave no time to build.
    """
    if not (rule.cards and rule.minutes and rule.passing):
        return ()
    each, between = rule.card_seconds, rule.between_seconds
    return schedule(rule.passing, rule.cards, each=each, between=between, minutes=rule.minutes)


def read_procedures(raw: Any, *, whole: bool = False) -> Procedures:
    """Read procedures from JSON; what is absent has its default, or with `whole` is a defect.

    Raises `InvalidInput` `procedures_invalid`, with a `{"path", "code"}` for each defect. The codes are `unknown_key`,
    `wrong_type`, `out_of_bounds`, `not_a_choice`, `out_of_order`, `too_many` and `required`.
    """
    faults: list[dict[str, str]] = _missing(raw) if whole else []
    lacking = bool(faults)
    sections = {section.name: section.default for section in fields(Procedures)}
    given = _object(raw, "", sections, faults)
    read = {name: _section(type(sections[name]), given[name], name, faults) for name in given}
    if lacking:
        message = _("To replace the procedures, send every section and field; to change some of them, use PATCH.")
        raise InvalidInput("procedures_invalid", message, details=faults)
    if faults:
        raise InvalidInput("procedures_invalid", _("Some of the procedures are not possible."), details=faults)
    return Procedures(**read)


def with_changes(kept: Procedures, raw: Any) -> Procedures:
    """The procedures with the fields that the JSON names; all other fields stay. Raises like `read_procedures`."""
    if not isinstance(raw, Mapping):
        return read_procedures(raw)
    stored = kept.to_json()
    named = {
        name: {**stored.get(name, {}), **section} if isinstance(section, Mapping) else section
        for name, section in raw.items()
    }
    return read_procedures({**stored, **named})


def _missing(raw: Any) -> list[dict[str, str]]:
    """A fault for each section, and each field of the sections given, that a whole document lacks."""
    if not isinstance(raw, Mapping):
        return []
    paths = [section.name for section in fields(Procedures) if section.name not in raw]
    for section in fields(Procedures):
        given = raw.get(section.name)
        if isinstance(given, Mapping):
            default: Any = section.default
            paths += [f"{section.name}.{part.name}" for part in fields(default) if part.name not in given]
    return [{"path": path, "code": "required"} for path in paths]


def _fault(path: str, code: str, faults: list[dict[str, str]]) -> None:
    faults.append({"path": path, "code": code})


def _object(raw: Any, path: str, known: Mapping[str, Any], faults: list[dict[str, str]]) -> dict[str, Any]:
    """The known keys of a JSON object; the unknown ones are added to `faults`."""
    if not isinstance(raw, Mapping):
        _fault(path, "wrong_type", faults)
        return {}
    for key in raw:
        if key not in known:
            _fault(f"{path}.{key}".lstrip(".")[:80], "unknown_key", faults)
    return {key: raw[key] for key in known if key in raw}


def _section(kind: type, raw: Any, path: str, faults: list[dict[str, str]]) -> Any:
    known = {part.name: part for part in fields(kind)}
    given = _object(raw, path, known, faults)
    before = len(faults)
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name == "shares":
            values[name] = tuple(_shares(value, f"{path}.shares", faults))
        elif code := value_fault(known[name], value):
            _fault(f"{path}.{name}", code, faults)
        else:
            values[name] = value
    if len(faults) > before:
        return kind()  # reading goes on, so that the defects of all sections are reported together
    section = kind(**values)
    if code := _across(section):
        _fault(path, code, faults)
    return section


def value_fault(part: Any, value: Any) -> str:
    """The code of what is wrong with the value of a plain dataclass field, or ""."""
    # Compared exactly, not with isinstance: a bool is an int, and true is no number of minutes.
    if type(value) is not type(part.default):
        return "wrong_type"
    if "choices" in part.metadata and value not in part.metadata["choices"]:
        return "not_a_choice"
    if "low" in part.metadata and not part.metadata["low"] <= value <= part.metadata["high"]:
        return "out_of_bounds"
    if part.name == "passing" and (len(value) > 30 or set(value) - {"L", "R"}):
        return "not_a_choice"
    if part.name == "currency" and not (len(value) == 3 and value.isascii() and value.isalpha() and value.isupper()):
        return "not_a_choice"
    return ""


def _across(section: Any) -> str:
    """The code of what is wrong between the fields of a section, or ""."""
    if isinstance(section, Tardiness) and not section.grace <= section.game_loss <= section.match_loss:
        return "out_of_order"
    if isinstance(section, Limited) and section.passing and len(section.passing) != section.boosters:
        return "out_of_bounds"
    if isinstance(section, Limited) and not _time_to_build(section):
        return "out_of_bounds"
    return ""


def _time_to_build(rule: Limited) -> bool:
    try:
        draft_steps(rule)
    except SwissError:
        return False
    return True


def _shares(raw: Any, path: str, faults: list[dict[str, str]]) -> Iterator[Share]:
    """Read shares from `{"first", "last", "units"}` objects, which must be in order and must not overlap."""
    if not isinstance(raw, list | tuple):
        _fault(path, "wrong_type", faults)
        return
    if len(raw) > MAX_SHARES:
        _fault(path, "too_many", faults)
        return
    after = -1  # a share by points may begin at 0
    for index, item in enumerate(raw):
        where = f"{path}[{index}]"
        found = _object(item, where, {"first": 0, "last": 0, "units": 0}, faults)
        numbers = [found.get(name) for name in ("first", "last", "units")]
        if not all(type(number) is int and 0 <= number <= 100_000 for number in numbers):
            _fault(where, "out_of_bounds", faults)
            continue
        share = Share(*numbers)  # type: ignore[arg-type]
        if not after < share.first <= share.last:
            _fault(where, "out_of_order", faults)
            continue
        after = share.last
        yield share
