"""Random fields for tests, with draws, byes, drops and pairings of any quality."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tournaments.swiss.field import Field, Match, Player
from tournaments.swiss.teams import boards_won

SCORES = ((2, 0, 0), (2, 1, 0), (0, 2, 0), (1, 2, 0), (1, 1, 0), (1, 1, 1), (0, 0, 0))


def random_field(rng: Random, players: int, rounds: int, *, drops: int = 0, odd_byes: int = 0) -> Field:
    """A field whose rounds were paired at random, including rematches.

    Each round has up to `odd_byes` pairs of byes more than needed.
    """
    ids = [f"P{number:03}" for number in range(players)]
    played = []
    for _ in range(rounds):
        order = rng.sample(ids, players)
        matches = []
        for _ in range(players % 2 + 2 * rng.randint(0, odd_byes)):
            if order:
                matches.append(Match(order.pop(), None, 2, 0, 0, "bye"))
        if len(order) % 2:
            order.pop()
        matches += [Match(a, b, *rng.choice(SCORES)) for a, b in zip(order[::2], order[1::2], strict=True)]
        played.append(tuple(matches))
    gone = set(rng.sample(ids, min(drops, players)))
    return Field(tuple(Player(i, dropped=i in gone) for i in ids), tuple(played))


def swiss_field(rng: Random, players: int, rounds: int, *, drops: int = 0) -> Field:
    """A field paired by score in a simple way: sort by points, then at random, and pair neighbours."""
    ids = [f"P{number:03}" for number in range(players)]
    points = dict.fromkeys(ids, 0)
    played = []
    for _ in range(rounds):
        order = sorted(ids, key=lambda i: (-points[i], rng.random()))
        matches = []
        if players % 2:
            matches.append(Match(order.pop(), None, 2, 0, 0, "bye"))
            points[matches[0].a] += 3
        for a, b in zip(order[::2], order[1::2], strict=True):
            match = Match(a, b, *rng.choice(SCORES[:5]))
            points[a] += 3 * (match.games_a > match.games_b) + (match.games_a == match.games_b)
            points[b] += 3 * (match.games_b > match.games_a) + (match.games_a == match.games_b)
            matches.append(match)
        played.append(tuple(matches))
    gone = set(rng.sample(ids, drops))
    return Field(tuple(Player(i, dropped=i in gone) for i in ids), tuple(played))


def team_field(rng: Random, teams: int, rounds: int) -> Field:
    """A `messy_field` whose matches that were played are of three boards each."""
    field = messy_field(rng, teams, rounds)

    def by_boards(match: Match) -> Match:
        if match.kind not in ("played", "time"):
            return match
        boards = tuple(rng.choice(SCORES[:6]) for _board in range(3))
        return Match(match.a, match.b, *boards_won(boards), match.kind, boards)

    return Field(field.players, tuple(tuple(map(by_boards, matches)) for matches in field.rounds))


def field_of(players: Sequence[str], *rounds: Sequence[tuple[str, str | None, str]]) -> Field:
    """A field in short notation: ids, then rounds of (a, b, "2-1-0")."""
    played = []
    for matches in rounds:
        line = []
        for a, b, score in matches:
            games = [int(part) for part in score.split("-")]
            line.append(Match(a, b, games[0], games[1], games[2], "played" if b else "bye"))
        played.append(tuple(line))
    return Field(tuple(Player(player) for player in players), tuple(played))


ONE_SEAT = ("bye", "half_bye", "zero_bye", "missed")
TWO_SEATS = ("played", "time", "intentional_draw", "double_loss", "no_show", "forfeit", "penalty_loss")


def messy_field(rng: Random, players: int, rounds: int) -> Field:
    """A field with everything that can happen.

    It has each kind of match and bye, rounds without a match, drops, late entries, and occasionally a disqualification.
    """
    ids = [f"P{number:03}" for number in range(players)]
    played = []
    for _ in range(rounds):
        order = rng.sample(ids, players)
        matches = []
        while order:
            a, chance = order.pop(), rng.random()
            if chance < 0.1:
                continue
            if chance < 0.25 or not order:
                kind = rng.choice(ONE_SEAT)
                matches.append(Match(a, None, 2 * (kind == "bye"), 0, 0, kind))
            else:
                kind = "played" if chance < 0.7 else "disqualified" if chance > 0.99 else rng.choice(TWO_SEATS)
                matches.append(Match(a, order.pop(), *rng.choice(SCORES), kind=kind))
        played.append(tuple(matches))
    cast = [Player(i, dropped=rng.random() < 0.15, joined=rng.choice((1, 1, 1, 2, 3))) for i in ids]
    return Field(tuple(cast), tuple(played))


def with_clubs_and_seeds(field: Field, rng: Random) -> Field:
    """The same field with random seeds, clubs and requests for the bye."""
    seeds = rng.sample(range(1, len(field.players) + 1), len(field.players))
    return Field(
        tuple(
            Player(p.id, seed, p.dropped, rng.random() < 0.1, club=rng.choice(("", "x", "y")))
            for p, seed in zip(field.players, seeds, strict=True)
        ),
        field.rounds,
    )
