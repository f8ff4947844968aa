"""Reads the `.tdf` files of TOM, with which Pokémon tournaments are run: players, Swiss rounds and the cut.

The format is XML and not documented: elements and codes are as public programs read and write them, of TOM 1.7 and 1.8.
A document type is refused before anything in it is read, so no entity is ever expanded or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from xml.parsers import expat

from django.utils.translation import gettext as _

from tournaments.transfers.brought import Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import MAX_MARKS, check_count, clean, unreadable
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import alone, both_lost, decided, unfinished
from tournaments.transfers.formats.source import Source
from tournaments.transfers.formats.values import NOON

MAX_DEPTH = 16
MAX_TEXT = 1_000  # characters of an element
ELIMINATION = "1"  # the type of a round; Swiss rounds have the type of the event
OPEN, FIRST, SECOND, TIE, BYE, LATE, BOTH_LOST = "0", "1", "2", "3", "5", "8", "10"  # outcomes of a match
_ROOT = re.compile(r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^>]{0,2000}-->\s*)?<tournament(?:\s[^>]{0,2000})?>")
_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")


@dataclass(slots=True)
class _Element:
    """An element of the document, with the line on which it begins."""

    name: str
    attributes: Mapping[str, str]
    line: int
    text: str = ""
    inner: list[_Element] = field(default_factory=list)

    def each(self, *path: str) -> Iterator[_Element]:
        """All elements at the end of this path of names."""
        if not path:
            yield self
            return
        for inner in self.inner:
            if inner.name == path[0]:
                yield from inner.each(*path[1:])

    def said(self, *path: str) -> str:
        """The text of the first element at the end of this path, on one line; "" if there is none."""
        return next((clean(found.text) for found in self.each(*path)), "")

    def attribute(self, name: str) -> str:
        """An attribute on one line; "" if there is none."""
        return clean(self.attributes.get(name, ""))

    @property
    def where(self) -> str:
        """The place of the element, for a refusal."""
        return _("Line %(line)d") % {"line": self.line}


def recognizes(source: Source) -> bool:
    """Whether a file is XML whose outermost element is a tournament with a list of players."""
    return bool(_ROOT.match(source.text)) and "<players" in source.text


def read(source: Source) -> Brought:
    """Read a file. Age divisions that were paired apart are read as one event."""
    root, losses = _parsed(source.text), Losses()
    players = _players(root, losses)
    pods = [pod for pod in root.each("pods", "pod") if any(pod.each("rounds", "round"))]
    swiss: dict[int, structure.Round] = {}
    cuts: list[dict[int, structure.Round]] = []
    for pod in pods:
        cut: dict[int, structure.Round] = {}
        for number, told in enumerate(pod.each("rounds", "round"), 1):
            at = int(told.attribute("number")) if re.fullmatch("[0-9]{1,4}", told.attribute("number")) else number
            into = cut if told.attribute("type") == ELIMINATION else swiss
            into[at] = into.get(at, ()) + tuple(_match(each, losses) for each in told.each("matches", "match"))
        cuts += [cut] if cut else []
    losses.add("divisions", count=len(pods) if len(pods) > 1 else 0)
    rounds = [swiss[number] for number in sorted(swiss)]
    if not pods:
        losses.add("matches_missing")
    stages = [BroughtStage(rounds=tuple(rounds))]
    if len(cuts) == 1:
        (cut,) = cuts
        bracket = tuple(cut[number] for number in sorted(cut))
        stages.append(structure.bracket(bracket, structure.seeded(structure.players_of(bracket), players, rounds)))
    elif cuts:
        losses.add("cuts", count=len(cuts))
    _count_missing(players, rounds, losses)
    losses.add("staff", count=sum(1 for _each in root.each("data", "organizer")))
    losses.add("ranks", count=sum(1 for _each in root.each("standings", "pod", "player")))
    losses.add("game", count=int(bool(root.attribute("gametype"))))
    place = " ".join(filter(None, (root.said("data", "city"), root.said("data", "country"))))
    starts_at = _date(root.said("data", "startdate"))
    return assembled("tom", players, stages, losses, name=root.said("data", "name"), place=place, starts_at=starts_at)


def _players(root: _Element, losses: Losses) -> list[BroughtPlayer]:
    found: list[BroughtPlayer] = []
    for each in root.each("players", "player"):
        check_count(len(found) + 1)
        given, family = each.said("firstname"), each.said("lastname")
        key = each.attribute("userid")
        losses.add("ids", count=int(bool(key)))
        losses.add("birth_dates", count=int(bool(each.said("birthdate"))))
        name = f"{given} {family}".strip()
        gone = each.said("dropped", "round") if each.said("dropped", "status") not in ("", "0") else ""
        after = int(gone) if re.fullmatch("[0-9]{1,4}", gone) else None
        found.append(BroughtPlayer(key or name, name, given, family, dropped_after=after))
    return found


def _match(each: _Element, losses: Losses) -> BroughtMatch:
    outcome = each.attribute("outcome")
    seats = [
        key
        for name in ("player", "player1", "player2")
        for seat in each.each(name)
        if (key := seat.attribute("userid"))
    ]
    if len(seats) == 1:
        if outcome not in (BYE, LATE, OPEN):
            raise unreadable(_("This match has one player, but its result is not that of a bye."), each.where)
        losses.add("late_losses", count=int(outcome == LATE))
        return alone(seats[0], "zero_bye" if outcome == LATE else "bye")
    if len(seats) != 2:
        raise unreadable(_("A match has at most two players."), each.where)
    number = each.said("tablenumber")
    table = int(number) if re.fullmatch("[1-9][0-9]{0,3}", number) else None
    first, second = seats
    if outcome == OPEN:
        return unfinished(first, second, table)
    if outcome == BOTH_LOST:
        return both_lost(first, second, table)
    winners = {FIRST: first, SECOND: second, TIE: ""}
    if outcome in winners:
        return decided(first, second, winners[outcome], table)
    raise unreadable(_("This match cannot be read."), each.where)


def _count_missing(players: list[BroughtPlayer], rounds: list[structure.Round], losses: Losses) -> None:
    """Count the rounds in which a player who had not left has no match."""
    for number, matches in enumerate(rounds):
        seated = {*structure.players_of([matches])}
        there = (each.key for each in players if each.dropped_after is None or each.dropped_after > number)
        losses.add("missing_rounds", count=sum(key not in seated for key in there))


def _date(text: str) -> datetime | None:
    """A date with the month first; noon in UTC."""
    found = _DATE.match(text)
    try:
        return datetime(int(found[3]), int(found[1]), int(found[2]), NOON, tzinfo=UTC) if found else None
    except ValueError:
        return None


def _parsed(text: str) -> _Element:
    """The outermost element. Raises `transfer_unreadable` for damaged or oversized XML, with the line."""
    if text.count("<") > MAX_MARKS:
        raise unreadable(_("The file holds too many values."))
    outside = _Element("", {}, 0)
    opened = [outside]
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True

    def refuse(*_told: Any) -> None:
        raise unreadable(_("This file declares a document type, which is not read."))

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > MAX_DEPTH:
            raise unreadable(_("The values of the file are nested too deeply."))
        opened[-1].inner.append(element := _Element(name.lower(), attributes, parser.CurrentLineNumber))
        opened.append(element)

    def characters(said: str) -> None:
        opened[-1].text += said if len(opened[-1].text) < MAX_TEXT else ""

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _name: opened.pop()
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(text.strip().encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise unreadable(_("This is not valid XML."), _("Line %(line)d") % {"line": error.lineno}) from None
    root = outside.inner[0]
    if root.name != "tournament":
        raise unreadable(_("This is not a file of this format."))
    return root
