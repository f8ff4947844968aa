"""The procedures of an event: what its staff do at a late seat, at the end of time, at the prizes. Plain values.

They come from the preset and stand on the event as JSON, section by section; what is not said is the default here.
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
    """The player meeting before round 1: `held` says whether there is one."""

    held: bool = False


@dataclass(frozen=True)
class Tardiness:
    """Minutes after a seat was noted as empty: until `grace` nothing is lost, at `game_loss` a game, at `match_loss`
    the match.
    """

    grace: int = _number(0, 0, 120)
    game_loss: int = _number(5, 0, 120)
    match_loss: int = _number(10, 0, 120)


@dataclass(frozen=True)
class LateEntry:
    """Whether who comes after the start is let in, and up to which round (0: the last one planned), each round before
    it lost as missed.
    """

    allowed: bool = True
    last_round: int = _number(0, 0, 30)


@dataclass(frozen=True)
class MatchEnd:
    """What is played once time is called: so many units, who has the last one, who wins a game that is not over.

    `bracket` says who wins where there is no draw.
    """

    unit: str = _choice("none", "turn", "day", "table_round")
    count: int = _number(0, 0, 20)
    last: str = _choice("opponent", "active", "everybody")
    unfinished: str = _choice("draw", "leader", "judge")
    bracket: str = _choice("leader", "next_point", "judge")


@dataclass(frozen=True)
class Share:
    """So many units of the prizes for each rank from `first` to `last`.

    By points they are match points, of which an entrant has at least `first` and at most `last`.
    """

    first: int
    last: int
    units: int


@dataclass(frozen=True)
class Prizes:
    """How many units there are, and who gets how many: by `rank`, or by match `points`.

    Who shares a rank shares the units of its places.
    """

    by: str = _choice("rank", "points")
    units: int = _number(0, 0, 100_000)
    shares: tuple[Share, ...] = ()


@dataclass(frozen=True)
class Entry:
    """What it costs to take part, as the desk takes it: nothing is paid here. `cents` of a `currency`."""

    kind: str = _choice("free", "paid", "voucher")
    cents: int = _number(0, 0, 1_000_000)
    currency: str = "EUR"


@dataclass(frozen=True)
class Ending:
    """What a table plays once time is called, and who wins what is not over then (`draw`: nobody)."""

    unit: str
    count: int
    last: str
    winner: str


@dataclass(frozen=True)
class Limited:
    """Boosters of a player, the way each is passed (`L`, `R`), minutes to draft and build, players of a pod.

    The draft's clock: `cards` of a booster that are passed (0: no clock), `card_seconds` of a pick for each card left,
    `between_seconds` from one booster to the next.
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
    """All of them."""

    meeting: Meeting = Meeting()
    tardiness: Tardiness = Tardiness()
    late_entry: LateEntry = LateEntry()
    match_end: MatchEnd = MatchEnd()
    prizes: Prizes = Prizes()
    entry: Entry = Entry()
    limited: Limited = Limited()

    def to_json(self) -> dict[str, Any]:
        """Sections by name, each an object."""
        document = asdict(self)
        document["prizes"]["shares"] = list(document["prizes"]["shares"])
        return document


def ending(rule: MatchEnd, *, bracket: bool) -> Ending:
    """How a match ends once time is called. In a bracket no match is drawn: there the rule of the bracket wins."""
    winner = rule.bracket if bracket and rule.unfinished == "draw" else rule.unfinished
    return Ending(rule.unit, rule.count if rule.unit != "none" else 0, rule.last, winner)


def draft_steps(rule: Limited) -> tuple[Step, ...]:
    """The steps of a draft by its rule; none where no clock is wanted or nothing is passed.

    Raises `SwissError` when the picks leave no time to build.
    """
    if not (rule.cards and rule.minutes and rule.passing):
        return ()
    each, between = rule.card_seconds, rule.between_seconds
    return schedule(rule.passing, rule.cards, each=each, between=between, minutes=rule.minutes)


def read_procedures(raw: Any) -> Procedures:
    """Procedures from JSON; what is absent is the default.

    Refused as `procedures_invalid`, with a `{"path", "code"}` for each defect: `unknown_key`, `wrong_type`,
    `out_of_bounds`, `not_a_choice`, `out_of_order`, `too_many`.
    """
    faults: list[dict[str, str]] = []
    sections = {section.name: section.default for section in fields(Procedures)}
    given = _object(raw, "", sections, faults)
    read = {name: _section(type(sections[name]), given[name], name, faults) for name in given}
    if faults:
        raise InvalidInput("procedures_invalid", _("Some of the procedures are not possible."), details=faults)
    return Procedures(**read)


def _fault(path: str, code: str, faults: list[dict[str, str]]) -> None:
    faults.append({"path": path, "code": code})


def _object(raw: Any, path: str, known: Mapping[str, Any], faults: list[dict[str, str]]) -> dict[str, Any]:
    """The known keys of an object."""
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
        return kind()
    section = kind(**values)
    if code := _across(section):
        _fault(path, code, faults)
    return section


def value_fault(part: Any, value: Any) -> str:
    """What is wrong with the value of a plain field, or ""."""
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
    """What is wrong between the fields of a section, or ""."""
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
    """Shares as `{"first", "last", "units"}`, each of ranks that no other has."""
    if not isinstance(raw, list | tuple):
        _fault(path, "wrong_type", faults)
        return
    if len(raw) > MAX_SHARES:
        _fault(path, "too_many", faults)
        return
    after = -1
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
