"""What bbpPairings refuses when it is asked to pair the next round of a TRF file, rule by rule.

Written from the rules of its reader (version 6, files `fileformats/trf.cpp`, `tournament/tournament.h` and `main.cpp`),
since the program itself cannot be installed where the tests run. Only what a file of individual players with the usual
points can meet is here: teams, other points and accelerations are refused as a whole, since we write none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from dataclasses import field as dataclass_field

LEAST = 84  # characters of a player's line
FIRST, WIDTH = 91, 10
POINTS = {"+": 10, "W": 10, "1": 10, "F": 10, "U": 10, "D": 5, "=": 5, "H": 5, **dict.fromkeys("-L0Z ", 0)}
UNPLAYED = "+-HFUZ "
MOST_POINTS = 1998  # in tenths
NOT_WRITTEN = ("013", "310", "250", "XXA", "162", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "192", "299")


class Refused(ValueError):
    """A file that bbpPairings does not take, and why."""


@dataclass(frozen=True)
class Round:
    """One round of a player. `opponent` is the player's own number if there was none."""

    opponent: int
    colour: str
    points: int
    played: bool
    paired: bool


@dataclass
class Reader:
    """What was read so far: the rounds and points of each player, and what the other lines say."""

    players: dict[int, list[Round]] = dataclass_field(default_factory=dict)
    points: dict[int, int] = dataclass_field(default_factory=dict)
    byes: list[tuple[int, int]] = dataclass_field(default_factory=list)
    played: int = 0
    expected: int = 0
    colour: str = ""

    def read(self, line: str) -> None:
        """Take in one line."""
        code = line[:3]
        require(code not in NOT_WRITTEN, f"a line {code}")
        match code:
            case "001":
                self.player(line)
            case "240":
                require(len(line) >= 11, "240: too short")
                at = number(line[6:9])
                self.byes += [(at, each) for each in numbers(line, 10)]
            case "260":
                require(len(line) >= 18, "260: too short")
                number(line[4:7])
                number(line[8:11])
                numbers(line, 12)
            case "XXP":
                for word in line[3:].split():
                    number(word)
            case "142" | "XXR":
                self.expected = number(line[3:])
            case "152":
                require(len(line) == 5 and line[4] in "WB", "152: neither W nor B")
                self.colour = line[4]
            case "XXC":
                words = line[3:].split()
                self.colour = "W" if "white1" in words else "B" if "black1" in words else self.colour

    def player(self, line: str) -> None:
        """Take in a line of a player."""
        require(len(line) >= LEAST, "001: too short")
        own = number(line[4:8])
        if line[48:52].strip():
            require(re.fullmatch("[0-9]+", line[48:52].strip()), "001: the rating")
        require(own not in self.players, "001: a pairing number is repeated")
        self.points[own] = tenths(line[80:84])
        rounds: list[Round] = []
        skipped, at = 0, FIRST
        while at <= len(line) - 8:
            found = block(line[at : at + 8], own)
            if found is None:
                skipped += 1
            else:
                rounds += [Round(own, "", 0, played=False, paired=False)] * skipped
                skipped = 0
                self.played = max(self.played, len(rounds))
                rounds.append(found)
                if found.paired:
                    self.played = max(self.played, len(rounds))
            at += WIDTH
        require(not line[at:].strip(), "001: something after the last round")
        self.players[own] = rounds

    def finish(self) -> None:
        """Check the whole, as before the next round is paired."""
        require({*self.players} == {*range(1, len(self.players) + 1)}, "a pairing number is missing")
        if self.players and all(len(rounds) > self.played for rounds in self.players.values()):
            self.played += 1
        require(self.expected, "the number of rounds is not said")
        require(self.played <= self.expected - 1, "more rounds than there are to be")
        for own, rounds in self.players.items():
            rounds += [Round(own, "", 0, played=False, paired=False)] * (self.played - len(rounds))
        require(all(each in self.players for _at, each in self.byes), "240: no such player")
        self.pairs()
        self.scores()
        require(self.colour or self.coloured(), "the colour of the first round is not said")

    def pairs(self) -> None:
        """Check that both players of a match that was played say the same."""
        for own, rounds in self.players.items():
            for at, each in enumerate(rounds):
                if each.played:
                    require(each.opponent in self.players, "no such opponent")
                    theirs = self.players[each.opponent][at]
                    agree = theirs.played and theirs.opponent == own and theirs.colour != each.colour
                    require(agree, f"round {at + 1} of {own} contradicts {each.opponent}")

    def scores(self) -> None:
        """Check the points of each player, which may have those of a bye of the next round in them."""
        for own, rounds in self.players.items():
            counted = sum(each.points for each in rounds[: self.played])
            coming = rounds[self.played].points if len(rounds) > self.played else 0
            require(counted <= MOST_POINTS, "too many points")
            require(self.points[own] in (counted, counted + coming), f"the points of {own}")

    def coloured(self) -> bool:
        """Return whether the colour that the first player had in the first round can be told from the results."""
        colours = [[each.colour for each in rounds] for rounds in self.players.values()]
        first = min((at for each in colours for at, colour in enumerate(each) if colour), default=None)
        if first is None:
            return False
        there = (rounds for _own, rounds in sorted(self.players.items()) if any(r.paired for r in rounds[: first + 1]))
        return any(rounds[first].colour for rounds in there if first < len(rounds))


def check(text: str) -> Reader:
    """Read a file as bbpPairings does before it pairs the next round. Raises `Refused`."""
    reader = Reader()
    for line in re.split("[\r\n]", text):
        if len(line) >= 3:
            reader.read(line)
    reader.finish()
    return reader


def block(text: str, own: int) -> Round | None:
    """Read one round of a player's line; None if it is blank."""
    opponent = own
    if text[:4] not in ("    ", "0000"):
        opponent = number(text[:4])
        require(opponent != own, "001: a player who meets themselves")
    colour, result = text[5], text[7].upper()
    require(colour in "wb- ", "001: the colour")
    require(opponent != own or colour in "- ", "001: a colour without an opponent")
    require(result in POINTS, "001: the result")
    require(result not in "HFUZ " or opponent == own, f"001: a result {result!r} with an opponent")
    plain = result in UNPLAYED or colour in "wb" or (result == "=" and opponent == own)
    require(plain, "001: a result without a colour")
    if text[:4] == "    " and colour == " " and result == " ":
        return None
    played = opponent != own and colour in "wb" and result not in UNPLAYED
    return Round(opponent, colour.strip("- "), POINTS[result], played, paired=opponent != own or result in "U+")


def number(text: str) -> int:
    """Read a number from 1."""
    require(re.fullmatch(" *[0-9]+ *", text) and int(text), f"not a number from 1: {text!r}")
    return int(text)


def numbers(line: str, at: int) -> list[int]:
    """Read start numbers of four columns each, with a blank between them."""
    found = []
    while at <= len(line) - 4:
        found.append(number(line[at : at + 4]))
        at += 5
    require(not line[at:].strip(), "something after the last start number")
    return found


def tenths(text: str) -> int:
    """Read points with at most one decimal, in tenths."""
    require(re.fullmatch(r" *[0-9]+(\.[0-9])? *", text), f"001: points {text!r}")
    return round(10 * float(text))


def require(holds: object, why: str) -> None:
    """Refuse the file unless something holds."""
    if not holds:
        raise Refused(why)
