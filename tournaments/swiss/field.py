"""Players and finished rounds of a Swiss event, validated on construction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

# Bounds on the input, well above any real event, that keep time and memory of a request limited.
MAX_PLAYERS = 200_000
MAX_ROUNDS = 1_000
MAX_GAMES = 999
MAX_ID = 200

ALONE = frozenset({"bye", "half_bye", "zero_bye", "missed"})
"""Kinds of a match with a single player."""

SCORED = frozenset({"played", "time"})
"""Kinds whose result follows from the games; equal games are a draw."""

DECIDED = frozenset({"no_show", "forfeit", "concession", "penalty_loss", "disqualified"})
"""Kinds won by the player with more games. With equal games nobody wins and both lose."""

KINDS = ALONE | SCORED | DECIDED | {"intentional_draw", "double_loss"}

WIN, DRAW, LOSS = 3, 1, 0
ALONE_POINTS = {"bye": WIN, "half_bye": DRAW, "zero_bye": LOSS, "missed": LOSS}


_BY_ID = attrgetter("id")


class SwissError(ValueError):
    """Invalid input, or a request that cannot be met.

    `code` is stable, `message` is a sentence for people, and `path` says where in the input the problem is, for example
    `rounds[0].matches[2]`.
    """

    def __init__(self, code: str, message: str, path: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path


@dataclass(frozen=True, slots=True)
class Player:
    """One entrant.

    - `seed`: the rank before the event, 0 for none
    - `bye`: whether the player asks for the bye of the next round
    - `joined`: the first round (from 1) the player could play
    - `club`: players of the same club are kept apart if the pairing options ask for it
    """

    id: str
    seed: int = 0
    dropped: bool = False
    bye: bool = False
    joined: int = 1
    club: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """One match: games won by a, games won by b, drawn games, and the kind (one of `KINDS`).

    The kind is always stored, never inferred from the score: 0-0-0 is a draw in some events and a double loss in
    others. `b` is None for kinds with a single player.

    Of a team match, games are boards, and `boards` has the games of each in order, if it was played board by board.
    """

    a: str
    b: str | None
    games_a: int
    games_b: int
    drawn: int
    kind: str = "played"
    boards: tuple[tuple[int, int, int], ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The players of the match, one or two."""
        return (self.a,) if self.b is None else (self.a, self.b)


def points_of(match: Match) -> tuple[int, int]:
    """Match points of a and of b: 3 for a win or a bye, 1 for a draw or a half bye, 0 otherwise.

    Source: Magic Tournament Rules, appendix C.
    """
    # The most common kind first: this runs for every match of every table.
    if match.kind == "played":
        gap = match.games_a - match.games_b
        return (WIN, LOSS) if gap > 0 else (LOSS, WIN) if gap else (DRAW, DRAW)
    if match.kind in ALONE:
        return ALONE_POINTS[match.kind], LOSS
    if match.kind == "intentional_draw":
        return DRAW, DRAW
    if match.kind == "double_loss":
        return LOSS, LOSS
    if match.games_a == match.games_b:
        return (DRAW, DRAW) if match.kind in SCORED else (LOSS, LOSS)
    return (WIN, LOSS) if match.games_a > match.games_b else (LOSS, WIN)


@dataclass(frozen=True, slots=True)
class Field:
    """Players and finished rounds. Raises `SwissError` with the path of the first defect on construction."""

    players: tuple[Player, ...]
    rounds: tuple[tuple[Match, ...], ...]

    def __post_init__(self) -> None:
        known = _check_players(self.players)
        if len(self.rounds) > MAX_ROUNDS:
            raise SwissError("too_many_rounds", f"more than {MAX_ROUNDS} rounds", "rounds")
        for number, matches in enumerate(self.rounds):
            _check_round(matches, known, number)

    def matches(self) -> Iterator[Match]:
        """Iterate over the matches of all rounds in order."""
        for matches in self.rounds:
            yield from matches

    def disqualified(self) -> frozenset[str]:
        """Ids of players who lost a match of kind `disqualified`. If it has no winner, both are."""
        out: set[str] = set()
        for match in self.matches():
            if match.kind == "disqualified":
                out.update(seat for seat, points in zip(match.seats, points_of(match), strict=True) if not points)
        return frozenset(out)

    def live(self) -> tuple[Player, ...]:
        """Players who can be paired next, sorted by id: not dropped, not disqualified, and joined by the next round."""
        out, coming = self.disqualified(), len(self.rounds) + 1
        there = (p for p in self.players if not p.dropped and p.joined <= coming and p.id not in out)
        # Sorted, so that what is drawn from a seed does not depend on the order of the input.
        return tuple(sorted(there, key=_BY_ID))


def _check_players(players: tuple[Player, ...]) -> frozenset[str]:
    if len(players) > MAX_PLAYERS:
        raise SwissError("too_many_players", f"more than {MAX_PLAYERS} players", "players")
    known: set[str] = set()
    for number, player in enumerate(players):
        path = f"players[{number}]"
        if not isinstance(player.id, str) or not 0 < len(player.id) <= MAX_ID:
            raise SwissError("bad_player", f"a player's id is a text of 1 to {MAX_ID} characters", path)
        if player.id in known:
            raise SwissError("duplicate_player", f"{player.id} is listed twice", path)
        if player.joined < 1:
            raise SwissError("bad_player", "a player joins at round 1 or later", path)
        known.add(player.id)
    return frozenset(known)


def _check_round(matches: tuple[Match, ...], known: frozenset[str], number: int) -> None:
    seen: set[str] = set()
    for index, match in enumerate(matches):
        path = f"rounds[{number}].matches[{index}]"
        _check_match(match, path)
        for seat in match.seats:
            if seat not in known:
                raise SwissError("unknown_player", f"{seat} is not a player of the event", path)
            if seat in seen:
                raise SwissError("paired_twice", f"{seat} plays twice in round {number + 1}", path)
            seen.add(seat)


def _check_boards(match: Match, path: str) -> None:
    if len(match.boards) > MAX_GAMES or min(min(board) for board in match.boards) < 0:
        raise SwissError("board_invalid", "a board is games won by each side and games drawn", f"{path}.boards")
    won = sum(first > second for first, second, _drawn in match.boards)
    lost = sum(second > first for first, second, _drawn in match.boards)
    if (won, lost, len(match.boards) - won - lost) != (match.games_a, match.games_b, match.drawn):
        raise SwissError("boards_differ", "the boards do not add up to the score of the match", f"{path}.boards")


def _check_match(match: Match, path: str) -> None:
    if not match.a:
        raise SwissError("no_player", "the first seat of a match is empty", path)
    if match.a == match.b:
        raise SwissError("self_match", f"{match.a} cannot meet themselves", path)
    if min(match.games_a, match.games_b, match.drawn) < 0:
        raise SwissError("negative_games", "a number of games is negative", path)
    if max(match.games_a, match.games_b, match.drawn) > MAX_GAMES:
        raise SwissError("too_many_games", f"more than {MAX_GAMES} games in a match", path)
    if match.kind not in KINDS:
        raise SwissError("unknown_kind", f"{match.kind!r} is no kind of match; kinds: {', '.join(sorted(KINDS))}", path)
    if match.b is None and match.kind not in ALONE:
        raise SwissError("kind_needs_two", f"a match of kind {match.kind} has two players", path)
    if match.b is not None and match.kind in ALONE:
        raise SwissError("kind_needs_one", f"a match of kind {match.kind} has one player", path)
    if match.boards:
        _check_boards(match, path)
    if match.kind == "concession" and match.games_a == match.games_b:
        raise SwissError("no_winner", "a concession has a winner, and its games are equal", path)
