"""TRF, the text format in which chess programs exchange Swiss events: TRF16, its extensions by JaVaFo, and TRF26.

`read` and `write` convert text, `field_of` and `tournament_of` convert to and from a field. Each player is a line `001`
with fixed columns, and ten columns for each round (docs/tiebreaks.md, "TRF"). Lines of other codes are kept as they
are; what they say about the next round is in `coming`. The format stores who won a match, but not by how many games: a
field that is written and read again has the same results, not the same games. Points are 1, ½ and 0, as other programs
expect. Errors name the line in their `path`.

Sources: FIDE Handbook, C.04 (TRF16) and "TRF26" (2025); JaVaFo, "Advanced User Manual", for codes that begin with X.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from fractions import Fraction
from itertools import combinations

from tournaments.swiss.field import DRAW, LOSS, MAX_ROUNDS, WIN, Field, Match, Player, SwissError, points_of

MOST_PLAYERS = 9_999
MOST_CHARACTERS = 8 * 2**20
NAME, FIRST_ROUND, ROUND_WIDTH = 33, 91, 10

WON, DRAWN, LOST = "1", "=", "0"
FORFEIT_WON, FORFEIT_LOST = "+", "-"
PLAYED = {WON: WON, "W": WON, DRAWN: DRAWN, "D": DRAWN, LOST: LOST, "L": LOST}
"""Results of a match that was played. The letters are those of unrated matches."""
ALONE = {"U": "bye", "F": "bye", "H": "half_bye", "Z": "zero_bye"}
"""Results of a round without an opponent, and the kinds of match they stand for."""
SIGNS = {FORFEIT_WON: "F", DRAWN: "H", FORFEIT_LOST: "Z"}
"""Signs that some programs write for a round without an opponent, and the letters for them."""
WORTH = {"1": 2, "W": 2, "+": 2, "U": 2, "F": 2, "=": 1, "D": 1, "H": 1}
"""Points of a result, in half points; results not listed give none."""
ANSWERS = {WON: LOST, DRAWN: DRAWN, LOST: WON}
LETTERS = {"bye": "U", "half_bye": "H", "zero_bye": "Z", "missed": "Z"}
AWARDED = {"bye": "F", "half_bye": "H"}
"""Letters of the byes that staff award for the next round."""
COMMENT = "#"
LINE_END = re.compile(r"\r\n|\r|\n")
TEAM, TEAM_NAME, TEAM_PLAYERS = "013", 31, 32
"""The code of a team's line, the columns of its name after the code, and the place of the first start number."""
TEAM_26, TEAM_NAME_26, MOST_TEAMS, MOST_MEMBERS = "310", 32, 999, 14
"""The code of a team's line in TRF26, the columns of its name, and how many teams and players it has room for."""
ROUNDS, ROUNDS_26, ABSENT, BYES_26, APART, APART_26 = "XXR", "142", "XXZ", "240", "XXP", "260"
FIRST_COLOUR = (("XXC", "white1"), ("152", "W"))
"""Lines that give player 1 white in the first round. Engines do not pair that round without them."""
"""Codes of lines about what is planned, each as JaVaFo and as TRF26 (without an equivalent: `XXZ`, `240`) write it."""
N_ = str  # marks a text for translation, which is done where it is shown
MISTYPED = re.compile("[0-79][0-9]1")
"""Codes that can only be a player's with a typing error; `801` is about teams."""
NEARLY_A_PLAYER = re.compile(r"\W*[0O][0O][1Il](?![0-9])")
"""How a player's line begins that is not in its columns. Passed over, a player would be lost."""
SEPARATORS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
"""Columns (from 1) of a player's line that must be blank."""


class TrfError(SwissError):
    """A line that cannot be read, or a file that is too large. The message is `template` with `values` filled in."""

    def __init__(self, code: str, path: str, template: str, **values: int | str) -> None:
        super().__init__(code, template % values, path)
        self.template = template
        self.values = values


@dataclass(frozen=True, slots=True)
class Entry:
    """One round of a player.

    It has the opponent's start number (0 for none), the colour (`w`, `b` or `-`) and the result.
    """

    opponent: int
    colour: str
    result: str


@dataclass(frozen=True, slots=True)
class Competitor:
    """A line `001`.

    An entry is None for a round about which the line says nothing. `half_points` is twice the number of points.
    """

    number: int
    name: str
    entries: tuple[Entry | None, ...] = ()
    half_points: int = 0
    rank: int = 0
    sex: str = ""
    title: str = ""
    rating: int = 0
    federation: str = ""
    id: str = ""
    birth: str = ""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A file: its players in the order of their start numbers, and all other lines as (code, text).

    `passed_over` are the numbers of lines that are not TRF, such as rulers and what a program adds at the end.
    """

    competitors: tuple[Competitor, ...]
    headers: tuple[tuple[str, str], ...] = ()
    passed_over: tuple[int, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds that any player has an entry for; the last one may be yet to be paired (`played`)."""
        return max((len(each.entries) for each in self.competitors), default=0)

    @property
    def played(self) -> int:
        """The number of rounds up to the last one with a match of two, or in which everybody had a bye."""
        last = max(
            (n for each in self.competitors for n, entry in enumerate(each.entries, 1) if entry and entry.opponent),
            default=0,
        )
        while last < self.rounds and all(len(each.entries) > last for each in self.competitors):
            last += 1
        return last


@dataclass(frozen=True, slots=True)
class Team:
    """A team and the start numbers of its players, in the order of their boards: a line `013`, or `310` in TRF26.

    Only `310` has the rest: the team's `number` for pairing, its `rank`, and twice its match points (2 for a match won,
    1 for a draw, as TRF26 counts them) and game points (those of its players).
    """

    name: str
    players: tuple[int, ...]
    number: int = 0
    rank: int = 0
    half_match_points: int = 0
    half_game_points: int = 0

    @property
    def line(self) -> tuple[str, str]:
        """The line `013` as a header of a tournament. A name is cut to its columns; numbers have four and a blank."""
        name = _plain(self.name)[:TEAM_NAME].ljust(TEAM_PLAYERS)
        return TEAM, name + " ".join(f"{number:4}" for number in self.players)

    @property
    def line_26(self) -> tuple[str, str]:
        """The line `310`, without the nickname and the strength of the team, which are left blank.

        Raises `SwissError` `bad_trf` for more teams or players than it has room for.
        """
        if not 0 < self.number <= MOST_TEAMS or len(self.players) > MOST_MEMBERS:
            room = f"a line 310 has room for {MOST_TEAMS} teams of {MOST_MEMBERS} players"
            raise SwissError("bad_trf", room, f"team {self.number}")
        points = " ".join(f"{half / 2:6.1f}" for half in (self.half_match_points, self.half_game_points))
        name = _plain(self.name)[:TEAM_NAME_26].ljust(TEAM_NAME_26)
        members = " ".join(f"{number:4}" for number in self.players)
        return TEAM_26, f"{self.number:3} {name} {'':5} {'':6} {points} {self.rank or '':3}  {members}"


def teams_of(tournament: Tournament) -> tuple[Team, ...]:
    """Read the teams of a file, from its lines `310` or else `013`.

    Lines without a name, with start numbers that no player has, or with points that are none are passed over.
    """
    known = {each.number for each in tournament.competitors}
    for wanted, reads in ((TEAM_26, _team_26), (TEAM, _team)):
        lines = (reads(text) for code, text in tournament.headers if code == wanted)
        found = tuple(team for team in lines if team and team.name and team.players and known.issuperset(team.players))
        if found:
            return found
    return ()


def _team(text: str) -> Team:
    return Team(text[:TEAM_PLAYERS].strip(), _numbers(text[TEAM_PLAYERS:].split()))


def _team_26(text: str) -> Team | None:
    # The columns of the line from the fifth on: text[0] is column 5.
    number, rank = (_numbers([part.strip() or "0"]) for part in (text[0:3], text[64:67]))
    points = [_halves(part) for part in (text[50:56], text[57:63])]
    if not number or not rank or None in points:
        return None
    match_points, game_points = (half or 0 for half in points)
    return Team(text[4:36].strip(), _numbers(text[69:].split()), number[0], rank[0], match_points, game_points)


def _halves(text: str) -> int | None:
    """Twice these points, 0 if they are blank; None if they are no points such as `15.5`."""
    text = text.strip() or "0"
    return int(2 * Fraction(text)) if re.fullmatch(r"[0-9]{1,4}(\.[05])?", text) else None


@dataclass(frozen=True, slots=True)
class Coming:
    """What a file says about the rounds that are not paired yet.

    - `planned`: the number of rounds of the event, None if it does not say
    - `awarded`: byes of the next round by start number, each a kind of match of a single player
    - `apart`: pairs of start numbers that must not meet in the next round
    """

    planned: int | None = None
    awarded: Mapping[int, str] = dataclass_field(default_factory=dict)
    apart: tuple[tuple[int, int], ...] = ()


def coming(tournament: Tournament) -> Coming:
    """Read what is said about the rounds to come: `XXR` or `142`, `XXZ`, `240`, `XXP`, `260`, and entries of byes.

    Lines that cannot be read are passed over, since programs write their own things there.
    """
    following = tournament.played + 1
    planned: int | None = None
    awarded: dict[int, str] = {}
    apart: list[tuple[int, int]] = []
    for code, text in tournament.headers:
        words = text.split()
        if code == BYES_26:
            kind, words = ALONE.get(text[:1].upper()), text[1:].split()
            numbers = _numbers(words)
            if kind and numbers and numbers[0] == following:
                awarded |= dict.fromkeys(numbers[1:], kind)
            continue
        numbers = _numbers(words)
        if code in (ROUNDS, ROUNDS_26) and len(numbers) == 1 and tournament.played <= numbers[0] <= MAX_ROUNDS:
            planned = numbers[0]
        elif code == ABSENT:
            awarded |= dict.fromkeys(numbers, "zero_bye")
        elif code == APART and len(numbers) == 2:
            apart.append((numbers[0], numbers[1]))
        elif code == APART_26 and len(numbers) > 3 and numbers[0] <= following <= numbers[1]:
            apart += combinations(numbers[2:], 2)
    known = {each.number for each in tournament.competitors}
    for each in tournament.competitors:
        if len(each.entries) == following and (entry := each.entries[-1]):
            awarded[each.number] = ALONE[entry.result]
    return Coming(
        planned,
        {number: kind for number, kind in awarded.items() if number in known},
        tuple(dict.fromkeys((min(pair), max(pair)) for pair in apart if known.issuperset(pair) and len({*pair}) == 2)),
    )


def _numbers(words: Sequence[str]) -> tuple[int, ...]:
    """These words as whole numbers; empty if one of them is none."""
    return tuple(map(int, words)) if all(re.fullmatch("[0-9]{1,4}", word) for word in words) else ()


def read(text: str) -> Tournament:
    """Parse a TRF text. Raises `TrfError` `bad_trf` with the line, or `too_large`."""
    if len(text) > MOST_CHARACTERS:
        raise TrfError("too_large", "", N_("This file is too large: a TRF file has at most 8 million characters."))
    competitors: dict[int, Competitor] = {}
    headers: list[tuple[str, str]] = []
    lines: dict[int, int] = {}
    passed_over: list[int] = []
    for at, line in enumerate(LINE_END.split(text.removeprefix("\ufeff")), start=1):
        if not (line := line.rstrip()) or line.startswith(COMMENT):
            continue
        ruler, coded = _is_ruler(line), len(line) > 2 and line[:3].isalnum() and not line[3:4].strip()
        if not ruler and line[:4] != "001 " and NEARLY_A_PLAYER.match(line):
            raise _bad(at, N_("A line must begin with a code of three characters and a blank."))
        if ruler or not coded:
            passed_over.append(at)
            continue
        if line[:3] != "001":
            headers.append((line[:3], line[4:]))
            if MISTYPED.fullmatch(line[:3]):  # passed over, a player would be lost
                raise _bad(at, N_("No line has the code %(found)s. A player’s line has 001."), found=line[:3])
            continue
        found = _competitor(line, at)
        if found.number in competitors:
            twice = N_("Line %(line)d already has the start number %(number)d.")
            raise _bad(at, twice, line=lines[found.number], number=found.number)
        competitors[found.number], lines[found.number] = found, at
    if not competitors:
        raise _bad(1, N_("The file has no players. A player’s line begins with 001."))
    for found in competitors.values():
        _check_opponents(found, competitors, lines)
    players = tuple(competitors[number] for number in sorted(competitors))
    return Tournament(players, tuple(headers), tuple(passed_over))


def write(tournament: Tournament) -> str:
    """Format a tournament as TRF16. Raises `SwissError` `bad_trf` for a value that does not fit its columns."""
    lines = [f"{code} {text}".rstrip() for code, text in tournament.headers]
    lines += [_line(each) for each in tournament.competitors]
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned after the rounds of a field, for the programs that read its file.

    - `rounds`: the number of rounds of the event, None if it is not known: nothing is said about the next round then
    - `awarded`: byes of the next round by id, each a kind of match of a single player
    - `forbidden`: pairs of ids that must not meet
    """

    rounds: int | None = None
    awarded: Mapping[str, str] = dataclass_field(default_factory=dict)
    forbidden: tuple[tuple[str, str], ...] = ()


NO_PLAN = Plan()


def tournament_of(
    field: Field,
    *,
    names: Mapping[str, str],
    ranks: Mapping[str, int],
    headers: Iterable[tuple[str, str]] = (),
    plan: Plan = NO_PLAN,
) -> Tournament:
    """Convert a field to a tournament that pairing engines accept.

    Start numbers follow the order of the players, and names are cut to the 33 columns of the format. Players without a
    name get their id, players without a rank (disqualified) the last one. Every player has an entry for every round,
    `Z` where nothing is known, and those who cannot be paired next have one more. A double loss is a forfeit of both,
    since engines refuse two losses; the two must not meet again. Raises `SwissError` `too_many_players`.
    """
    if len(field.players) > MOST_PLAYERS:
        raise SwissError("too_many_players", f"TRF numbers at most {MOST_PLAYERS:,} players", "players")
    number = {player.id: place for place, player in enumerate(field.players, start=1)}
    entries: dict[str, list[Entry | None]] = {player.id: [] for player in field.players}
    for played, matches in enumerate(field.rounds):
        for match in matches:
            for seat, player in enumerate(match.seats):
                entries[player].append(_entry(match, seat, number))
        for each in entries.values():
            each += [_alone("zero_bye")] * (played + 1 - len(each))
    away = _away(field, plan)
    for player, kind in away.items():
        entries[player].append(_alone(kind))
    competitors = (
        Competitor(
            number[player.id],
            _plain(names.get(player.id, player.id))[:NAME].rstrip() or str(number[player.id]),
            tuple(entries[player.id]),
            half_points=sum(WORTH.get(entry.result, 0) for entry in entries[player.id] if entry),
            rank=ranks.get(player.id, 0) or len(field.players),
        )
        for player in field.players
    )
    lines = (*headers, *_planned(field, plan, away, number))
    # The columns of a team's line have a meaning, so its blanks stay.
    kept = ((code, text if code in (TEAM, TEAM_26) else " ".join(text.split())) for code, text in lines)
    return Tournament(tuple(competitors), tuple(kept))


def _away(field: Field, plan: Plan) -> dict[str, str]:
    """Who is not paired in the next round, by id, with the kind of bye; empty after the last round."""
    if plan.rounds is None or len(field.rounds) >= plan.rounds:
        return {}
    there = {player.id for player in field.live()}
    absent = {player.id: "zero_bye" for player in field.players if player.id not in there}
    return absent | {player: kind for player, kind in plan.awarded.items() if player in there}


def _planned(field: Field, plan: Plan, away: Mapping[str, str], number: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """The lines about the rounds to come, for JaVaFo and its kin and for readers of TRF26."""
    if plan.rounds is None:
        return
    following = len(field.rounds) + 1
    yield ROUNDS, str(plan.rounds)
    yield ROUNDS_26, str(plan.rounds)
    if all(match.b is None for match in field.matches()):  # afterwards engines find the colour in the results
        yield from FIRST_COLOUR
    for letter, kinds in (("F", ("bye",)), ("H", ("half_bye",)), ("Z", ("zero_bye",))):
        if some := sorted(number[player] for player, kind in away.items() if kind in kinds):
            yield BYES_26, " ".join([letter, f"{following:03}", *(f"{each:04}" for each in some)])
    lost = {match.seats for match in field.matches() if match.kind == "double_loss"}
    apart = {(number[one], number[two]) for one, two in {*plan.forbidden, *lost} if {one, two} <= number.keys()}
    for one, two in sorted({(min(pair), max(pair)) for pair in apart}):
        yield APART, f"{one} {two}"
        yield APART_26, f"{following:03} {max(plan.rounds, following):03} {one:04} {two:04}"


def _alone(kind: str) -> Entry:
    return Entry(0, "-", AWARDED.get(kind, "Z"))


def field_of(tournament: Tournament) -> Field:
    """Convert a tournament to a field.

    Ids are the start numbers, and white has the first seat. A win or a bye is 1-0, a draw is 0-0-1.
    """
    said = {each.number: each.entries for each in tournament.competitors}
    rounds = []
    for played in range(tournament.played):
        matches = []
        for number, entries in said.items():
            entry = entries[played] if played < len(entries) else None
            if entry is None:
                continue
            if not entry.opponent:
                kind = ALONE[entry.result]
                matches.append(Match(str(number), None, int(kind == "bye"), 0, 0, kind))
            # Each match is on two lines: take it from white's, or from the lower start number if there are no colours.
            elif entry.colour == "w" or (entry.colour == "-" and number < entry.opponent):
                answer = said[entry.opponent][played]
                matches.append(_match(number, entry, answer.result if answer else ""))
        rounds.append(tuple(matches))
    return Field(tuple(Player(str(number), seed=number) for number in said), tuple(rounds))


def _match(number: int, entry: Entry, answer: str) -> Match:
    result, answered = PLAYED.get(entry.result, entry.result), PLAYED.get(answer, answer)
    kind = "forfeit" if result in (FORFEIT_WON, FORFEIT_LOST) else "played"
    games = {WON: (1, 0, 0), FORFEIT_WON: (1, 0, 0), DRAWN: (0, 0, 1)}.get(result, (0, 1, 0))
    # Both lines say the same: both players lost, or neither turned up.
    if result == answered != DRAWN:
        games, kind = (0, 0, 0), kind if kind == "forfeit" else "double_loss"
    return Match(str(number), str(entry.opponent), *games, kind=kind)


def _entry(match: Match, seat: int, number: Mapping[str, int]) -> Entry:
    if match.b is None:
        return Entry(0, "-", LETTERS[match.kind])
    gained = points_of(match)[seat]
    if match.kind in ("no_show", "forfeit", "double_loss") or gained == LOSS == points_of(match)[1 - seat]:
        result = FORFEIT_WON if gained == WIN else FORFEIT_LOST
    else:
        result = WON if gained == WIN else DRAWN if gained == DRAW else LOST
    return Entry(number[match.a if seat else match.b], "b" if seat else "w", result)


def _shortened(entries: Sequence[Entry | None]) -> tuple[Entry | None, ...]:
    """Remove the empty rounds at the end."""
    last = max((place for place, entry in enumerate(entries, start=1) if entry), default=0)
    return tuple(entries[:last])


def _plain(text: str) -> str:
    """The text on one line, with unprintable characters replaced and repeated spaces collapsed."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _bad(at: int, template: str, **values: int | str) -> TrfError:
    return TrfError("bad_trf", f"line {at}", template, **values)


def _is_ruler(line: str) -> bool:
    """Whether a line only shows the columns, as in `001 SSSS sTTT NNNN`."""
    words = line.removeprefix("001").split()
    return len(words) > 2 and all(word.isalpha() and len(set(word[1:] or word)) == 1 for word in words)


def _competitor(line: str, at: int) -> Competitor:
    for column in SEPARATORS:
        if line[column - 1 : column].strip():
            raise _bad(at, N_("Column %(column)d of a player’s line must be blank."), column=column)
    name = line[14:47].strip()
    if not name:
        raise _bad(at, N_("Columns 15 to 47 must hold the player’s name."))
    number = _whole(line[4:8], at, N_("Columns 5 to 8 must hold the start number."))
    if not number:
        raise _bad(at, N_("A start number must be 1 or more."))
    points = line[80:84].strip() or "0"
    if not re.fullmatch(r"[0-9]{1,4}(\.[05])?", points):
        raise _bad(at, N_("Columns 81 to 84 must hold the points, such as 4.5."))
    return Competitor(
        number,
        name,
        _entries(line, at),
        half_points=int(2 * Fraction(points)),
        rank=_whole(line[85:89], at, N_("Columns 86 to 89 must hold the rank.")),
        sex=line[9:10].strip(),
        title=line[10:13].strip(),
        rating=_whole(line[48:52], at, N_("Columns 49 to 52 must hold the rating.")),
        federation=line[53:56].strip(),
        id=line[57:68].strip(),
        birth=line[69:79].strip(),
    )


def _whole(text: str, at: int, what: str) -> int:
    text = text.strip() or "0"
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise _bad(at, what)
    return int(text)


def _entries(line: str, at: int) -> tuple[Entry | None, ...]:
    # Editors strip trailing blanks, so the last block may be short; it is padded below.
    blocks = [line[start : start + ROUND_WIDTH] for start in range(FIRST_ROUND, len(line), ROUND_WIDTH)]
    if len(blocks) > MAX_ROUNDS:
        raise _bad(at, N_("There are more than %(most)d rounds."), most=MAX_ROUNDS)
    return _shortened([_block(block.ljust(ROUND_WIDTH), played, at) for played, block in enumerate(blocks, start=1)])


def _block(block: str, played: int, at: int) -> Entry | None:
    opponent, colour, result = block[:4].strip(), block[5].replace(" ", "-"), block[7].upper()
    if (block[4] + block[6] + block[8:]).strip():
        raise _bad(at, N_("Round %(round)d is not in its ten columns."), round=played)
    if not re.fullmatch(r"[0-9]{0,4}", opponent):
        raise _bad(at, N_("Round %(round)d: the opponent must be a start number, or 0000 for none."), round=played)
    number = int(opponent or 0)
    if number == 0:
        if result == " ":
            return None
        letter = SIGNS.get(result, result)
        if letter not in ALONE or colour != "-":
            alone = N_("Round %(round)d: without an opponent, the result must be U, F, H or Z, without a colour.")
            raise _bad(at, alone, round=played)
        return Entry(0, "-", letter)
    if colour not in "wb-" or (result not in PLAYED and result not in "+-"):
        marks = N_("Round %(round)d: the colour must be w, b or -, and the result one of 1 = 0 W D L + -")
        raise _bad(at, marks, round=played)
    return Entry(number, colour, result)


def _check_opponents(found: Competitor, competitors: Mapping[int, Competitor], lines: Mapping[int, int]) -> None:
    """Check that the lines of both players of a match agree."""
    for played, entry in enumerate(found.entries, start=1):
        if entry is None or not entry.opponent:
            continue
        at, about = lines[found.number], {"round": played, "opponent": entry.opponent}
        if entry.opponent == found.number or entry.opponent not in competitors:
            nobody = N_("Round %(round)d: the opponent %(opponent)d is not another player in the file.")
            raise _bad(at, nobody, **about)
        theirs = competitors[entry.opponent].entries[played - 1 : played]
        if not theirs or theirs[0] is None or theirs[0].opponent != found.number:
            silent = N_("Round %(round)d: player %(opponent)d does not have player %(number)d as the opponent.")
            raise _bad(at, silent, **about, number=found.number)
        if not _agree(entry, theirs[0]):
            differs = N_("Round %(round)d: the line of player %(opponent)d gives another result or colour.")
            raise _bad(at, differs, **about)


def _agree(ours: Entry, theirs: Entry) -> bool:
    if {ours.colour, theirs.colour} not in ({"w", "b"}, {"-"}):
        return False
    if ours.result in PLAYED and theirs.result in PLAYED:
        first, second = PLAYED[ours.result], PLAYED[theirs.result]
        return ANSWERS[first] == second or first == second == LOST
    return {ours.result, theirs.result} in ({FORFEIT_WON, FORFEIT_LOST}, {FORFEIT_LOST})


def _line(each: Competitor) -> str:
    points = f"{each.half_points // 2}.{5 * (each.half_points % 2)}"
    values = (
        ("start number", str(each.number), 4),
        ("sex", each.sex, 1),
        ("title", each.title, 3),
        ("name", each.name, NAME),
        ("rating", str(each.rating or ""), 4),
        ("federation", each.federation, 3),
        ("id", each.id, 11),
        ("birth", each.birth, 10),
        # Four columns hold 99.5, or whole points from 100 on.
        ("points", points if len(points) <= 4 else points.removesuffix(".0"), 4),
        ("rank", str(each.rank or ""), 4),
    )
    for what, text, width in values:
        if len(text) > width or not text.isprintable():
            raise SwissError("bad_trf", f"{what} of player {each.number} does not fit in {width} columns")
    number, sex, title, name, rating, federation, id_, birth, shown, rank = (text for _what, text, _width in values)
    head = f"001 {number:>4} {sex:1}{title:>3} {name:33} {rating:>4} {federation:3} {id_:>11} "
    head += f"{birth:10} {shown:>4} {rank:>4}"
    return head + "".join(
        f"  {entry.opponent:04} {entry.colour} {entry.result}" if entry else " " * ROUND_WIDTH for entry in each.entries
    )
