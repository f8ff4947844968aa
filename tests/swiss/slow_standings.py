"""Slow reference implementation of every tiebreak, in fractions, one player at a time, straight from docs/tiebreaks.md.

It shares nothing with `tournaments.swiss` except the field and the points of a match.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product

from tournaments.swiss.field import Field, Match, points_of

F = Fraction
UNREWARDED = ("absent", "bye", "half_bye", "zero_bye", "missed", "no_show", "forfeit", "disqualified")
NONE, ONE, THREE, THIRD = F(0), F(1), F(3), F(1, 3)
SCHEMES = {
    "mtr": {},
    "altered": {},
    "lorcana": {"byes": False},
    "pokemon": {"byes": False, "draw": F(1, 2), "floor": F(1, 4), "ceiling": F(3, 4)},
    "yugioh": {"byes": False, "floor": F(0)},
    "netrunner": {"floor": F(0)},
    "fide": {"win_points": F(1), "draw_points": F(1, 2), "virtual": True},
}


@dataclass
class Slow:
    """The figures of a field by the rules of one scheme."""

    field: Field
    byes: bool = True
    draw: Fraction = THIRD
    floor: Fraction = THIRD
    ceiling: Fraction = ONE
    win_points: Fraction = THREE
    draw_points: Fraction = ONE
    loss_points: Fraction = NONE
    loss: Fraction = NONE
    virtual: bool = False
    seed: int = 0

    @cached_property
    def players(self) -> list[str]:
        out = self.field.disqualified()
        return sorted(player.id for player in self.field.players if player.id not in out)

    def match(self, player: str, number: int) -> tuple[Match, int] | None:
        for match in self.field.rounds[number]:
            if player in match.seats:
                return match, match.seats.index(player)
        return None

    def result(self, player: str, number: int) -> str:
        """One of won, drawn and lost, or an empty string for no match."""
        joined = next(p.joined for p in self.field.players if p.id == player)
        found = self.match(player, number)
        if found is None:
            return "lost" if number + 1 < joined else ""
        return {3: "won", 1: "drawn", 0: "lost"}[points_of(found[0])[found[1]]]

    def kind(self, player: str, number: int) -> str:
        found = self.match(player, number)
        return found[0].kind if found else "absent"

    def rounds(self) -> range:
        return range(len(self.field.rounds))

    def gain(self, player: str, number: int) -> Fraction:
        worth = {"won": self.win_points, "drawn": self.draw_points}
        if self.kind(player, number) not in UNREWARDED:
            worth["lost"] = self.loss_points
        return worth.get(self.result(player, number), F(0))

    def opponent(self, player: str, number: int) -> str | None:
        found = self.match(player, number)
        if found is None or found[0].b is None:
            return None
        return found[0].seats[1 - found[1]]

    def opponents(self, player: str) -> list[str]:
        return [other for number in self.rounds() if (other := self.opponent(player, number))]

    def mean(self, values: list[Fraction], empty: Fraction) -> Fraction:
        return sum(values, F(0)) / len(values) if values else empty

    def points(self, player: str) -> Fraction:
        return sum((self.gain(player, number) for number in self.rounds()), F(0))

    def match_win(self, player: str) -> Fraction:
        counted = [
            self.result(player, number)
            for number in self.rounds()
            if self.result(player, number) and (self.byes or self.kind(player, number) not in ("bye", "half_bye"))
        ]
        if not counted:
            value = self.floor
        else:
            lost = sum(
                self.result(player, number) == "lost" and self.kind(player, number) not in UNREWARDED
                for number in self.rounds()
            )
            won = counted.count("won") + self.draw * counted.count("drawn") + self.loss * lost
            value = max(self.floor, won / len(counted))
        dropped = next(p.dropped for p in self.field.players if p.id == player)
        return min(value, self.ceiling) if dropped else value

    def game_win(self, player: str, floor: Fraction | None = None) -> Fraction:
        won = games = F(0)
        for number in self.rounds():
            found = self.match(player, number)
            if found and (self.byes or found[0].kind not in ("bye", "half_bye")):
                match, seat = found
                won += (match.games_a, match.games_b)[seat] + F(match.drawn, 3)
                games += match.games_a + match.games_b + match.drawn
        floor = self.floor if floor is None else floor
        return max(floor, won / games) if games else floor

    def omw(self, player: str) -> Fraction:
        return self.mean([self.match_win(other) for other in self.opponents(player)], self.floor)

    def gw(self, player: str) -> Fraction:
        return self.game_win(player)

    def ogw(self, player: str) -> Fraction:
        return self.mean([self.game_win(other) for other in self.opponents(player)], self.floor)

    def oomw(self, player: str) -> Fraction:
        return self.mean([self.omw(other) for other in self.opponents(player)], self.floor)

    def omw_1000(self, player: str) -> Fraction:
        return F((self.omw(player) * 1000 + F(1, 2)).__floor__())

    def oomw_1000(self, player: str) -> Fraction:
        return F((self.oomw(player) * 1000 + F(1, 2)).__floor__())

    def lost_squares(self, player: str) -> Fraction:
        return F(sum((number + 1) ** 2 for number in self.rounds() if self.result(player, number) == "lost"))

    def sos(self, player: str) -> Fraction:
        def a_round(other: str) -> Fraction:
            with_match = sum(bool(self.result(other, number)) for number in self.rounds())
            return self.points(other) / with_match if with_match else F(0)

        return self.mean([a_round(other) for other in self.opponents(player)], F(0))

    def esos(self, player: str) -> Fraction:
        return self.mean([self.sos(other) for other in self.opponents(player)], F(0))

    def cumulative(self, player: str) -> Fraction:
        return sum((self.gain(player, number) for last in self.rounds() for number in range(last + 1)), F(0))

    def wins(self, player: str) -> Fraction:
        return F(sum(self.result(player, n) == "won" and self.kind(player, n) != "bye" for n in self.rounds()))

    def win(self, player: str) -> Fraction:
        return F(sum(self.result(player, number) == "won" for number in self.rounds()))

    def won(self, player: str) -> Fraction:
        unplayed = ("bye", "no_show", "forfeit")
        return F(sum(self.result(player, n) == "won" and self.kind(player, n) not in unplayed for n in self.rounds()))

    def games_won(self, player: str) -> Fraction:
        found = [self.match(player, number) for number in self.rounds()]
        return F(sum((m.games_a, m.games_b)[seat] for m, seat in filter(None, found) if m.b is not None))

    def board_points(self, player: str) -> Fraction:
        return sum((self.boards(player, number) for number in self.rounds()), F(0))

    def boards(self, player: str, number: int) -> Fraction:
        if (found := self.match(player, number)) is None:
            return F(0)
        match, seat = found
        return (match.games_a, match.games_b)[seat] + F(match.drawn, 2)

    def board_buchholz(self, player: str) -> Fraction:
        return sum((self.board_points(other) for other in self.opponents(player)), F(0))

    def board_sonneborn_berger(self, player: str) -> Fraction:
        met = ((number, self.opponent(player, number)) for number in self.rounds())
        return sum((self.points(other) * self.boards(player, number) for number, other in met if other), F(0))

    def berlin(self, player: str) -> Fraction:
        total = F(0)
        for number in self.rounds():
            if (found := self.match(player, number)) is None:
                continue
            match, seat = found
            for weight, board in zip(range(len(match.boards), 0, -1), match.boards, strict=True):
                mine, theirs = board[seat], board[1 - seat]
                total += weight * (F(1) if mine > theirs else F(1, 2) if mine == theirs else F(0))
        return total

    def by_choice(self, player: str, number: int) -> bool:
        kind = self.kind(player, number)
        lost = self.result(player, number) == "lost"
        return kind in ("absent", "missed", "half_bye", "zero_bye") or (kind in ("no_show", "forfeit") and lost)

    def adjusted(self, player: str) -> Fraction:
        trailing = 0
        while trailing < len(self.field.rounds) and self.by_choice(player, len(self.field.rounds) - 1 - trailing):
            trailing += 1
        total = F(0)
        for number in self.rounds():
            at_the_end = number >= len(self.field.rounds) - trailing
            forfeit = self.kind(player, number) in ("no_show", "forfeit")
            total += self.draw_points if at_the_end and not forfeit else self.gain(player, number)
        return total

    def terms(self, player: str) -> list[tuple[Fraction, bool, Fraction]]:
        """For each round: the opponent's points, whether it was unplayed by choice, and the result (1, 1/2, 0)."""
        out = []
        for number in self.rounds():
            other = self.opponent(player, number)
            half = {"won": F(1), "drawn": F(1, 2)}.get(self.result(player, number), F(0))
            if not self.virtual:
                if other:
                    out.append((self.points(other), False, half))
                continue
            chosen = self.by_choice(player, number)
            if other is None:
                bound = len(self.field.rounds) * self.draw_points
                out.append((min(self.points(player), bound), chosen, half))
            elif self.kind(player, number) in ("no_show", "forfeit"):
                out.append((min(self.points(player), self.adjusted(other)), chosen, half))
            else:
                out.append((self.adjusted(other), False, half))
        return out

    def cut(self, player: str, lowest: int, highest: int) -> Fraction:
        left = self.terms(player)
        for _ in range(min(lowest, len(left))):
            candidates = [term for term in left if term[1]] or left
            left.remove(min(candidates, key=lambda term: term[0]))
        for _ in range(min(highest, len(left))):
            left.remove(max(left, key=lambda term: term[0]))
        return sum((term[0] for term in left), F(0))

    def buchholz(self, player: str) -> Fraction:
        return self.cut(player, 0, 0)

    def buchholz_cut1(self, player: str) -> Fraction:
        return self.cut(player, 1, 0)

    def buchholz_cut2(self, player: str) -> Fraction:
        return self.cut(player, 2, 0)

    def buchholz_median(self, player: str) -> Fraction:
        return self.cut(player, 1, 1)

    def sonneborn_berger(self, player: str) -> Fraction:
        return sum((points * half for points, _chosen, half in self.terms(player)), F(0))

    def random(self, player: str) -> Fraction:
        digest = hashlib.sha256(f"{self.seed}:{player}".encode()).hexdigest()
        return F(int(digest[:16], 16), 2**64)

    def rank(self, keys: dict[str, list[Fraction]], player: str) -> int:
        return 1 + sum(keys[other] > keys[player] for other in self.players)

    def opponents_rank(self, player: str, keys: dict[str, list[Fraction]]) -> Fraction:
        met = [F(self.rank(keys, other)) for other in self.opponents(player) if other in keys]
        return self.mean(met, F(len(self.field.players) + 1))

    def direct(self, player: str, keys: dict[str, list[Fraction]]) -> Fraction:
        group = [other for other in self.players if keys[other] == keys[player]]
        levels = self.levels(group)
        return F(sum(len(level) for level in levels[[player in level for level in levels].index(True) + 1 :]))

    def levels(self, group: list[str]) -> list[list[str]]:
        """Order the group by the matches inside it, considering every outcome of the missing ones."""
        if len(group) == 1:
            return [group]
        inside = {
            player: sum(
                (self.gain(player, number) for number in self.rounds() if self.opponent(player, number) in group), F(0)
            )
            for player in group
        }
        missing = [(a, b) for a, b in permutations(group, 2) if a < b and b not in self.opponents(a)]
        if missing:
            for leader in group:
                if self.always_ahead(leader, inside, missing):
                    return [[leader], *self.levels([other for other in group if other != leader])]
            return [group]
        out: list[list[str]] = []
        for value in sorted(set(inside.values()), reverse=True):
            level = [player for player in group if inside[player] == value]
            out += self.levels(level) if len(level) < len(group) else [level]
        return out

    def always_ahead(self, leader: str, inside: dict[str, Fraction], missing: list[tuple[str, str]]) -> bool:
        """Whether the leader stays alone in first place whatever the outcome of the missing matches.

        Up to eight missing matches, all outcomes are tried.
        """
        if len(missing) > 8:
            best = {p: inside[p] + self.win_points * sum(p in pair for pair in missing) for p in inside}
            return all(best[other] < inside[leader] for other in inside if other != leader)
        for winners in product(*missing):
            total = {player: inside[player] + self.win_points * winners.count(player) for player in inside}
            if any(total[other] >= total[leader] for other in total if other != leader):
                return False
        return True
