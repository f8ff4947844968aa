"""Single- and double-elimination brackets of any size, with byes for the top seeds.

The nodes of a bracket depend only on the number of players. `read` combines them with the matches played so far and
reports, for every node, who sits there and what came of it. Seeding follows the Magic Tournament Rules, appendix E:
1-8, 4-5, 2-7, 3-6, so the top two seeds can only meet in the final.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.swiss.field import SwissError

MAX_PLAYERS = 1_024
NOBODY = ""
"""Stands for the player of a seat that nobody can reach: the opponent of a bye."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the player of a seat comes from.

    `what` is "seed" (then `seed` counts from 1), or "winner" or "loser" of the node with the id `node`.
    """

    what: str
    seed: int = 0
    node: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """One match of a bracket; `round` counts from 1 in the order of play.

    The id is made of the part of the bracket, the round in that part and the position: `W2.1` (winners' bracket),
    `L3.2` (losers' bracket), `T1` (match for third place), `F1` and `F2` (grand final and its reset).
    """

    id: str
    round: int
    seats: tuple[Source, Source]


@dataclass(frozen=True, slots=True)
class Bracket:
    """All nodes of a bracket, in the order of play."""

    players: int
    nodes: tuple[Node, ...]

    @property
    def rounds(self) -> int:
        """The maximum number of rounds."""
        return self.nodes[-1].round


@dataclass(frozen=True, slots=True)
class Played:
    """What the event has recorded for a node.

    `a` and `b` are its players (`NOBODY` for a bye). `winner` is None before there is a result.
    """

    a: str
    b: str
    winner: str | None


@dataclass(frozen=True, slots=True)
class Slot:
    """The current state of a node.

    A seat is None while its player is not known, and `NOBODY` if nobody can reach it. `state` is one of:

    - "waiting": a player is not known yet
    - "ready": both players are known, and the match has not been seated
    - "seated": the match has been seated and has no result
    - "played": the match has a result
    - "walkover": only one player is present and advances
    - "empty": nobody reaches this node, or it is the reset of a grand final that does not need one
    """

    node: Node
    a: str | None
    b: str | None
    state: str
    winner: str | None = None
    loser: str | None = None


@dataclass(frozen=True, slots=True)
class Consequence:
    """How a changed result affects a match that is already seated: `into` should sit there instead of `out`.

    `decided` means that this match already has a result, so it stands as it was played.
    """

    node: str
    out: str
    into: str
    decided: bool


def seed_order(size: int) -> tuple[int, ...]:
    """The seeds of a bracket from top to bottom: 1, 8, 4, 5, 2, 7, 3, 6 for size 8. `size` is a power of two."""
    order = [1]
    while len(order) < size:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return tuple(order)


def single_elimination(players: int, *, third_place: bool = False) -> Bracket:
    """Build a single-elimination bracket for 2 to `MAX_PLAYERS` players.

    `third_place` adds a match between the losers of the semi-finals. Raises `SwissError` `too_few_players` or
    `too_many_players`.
    """
    nodes = _winners(_size(players))
    semi_finals = [node for node in nodes if node.round == nodes[-1].round - 1]
    if third_place and semi_finals:
        first, second = semi_finals
        # Before the final, so that the last node of the bracket remains the final.
        nodes.insert(-1, Node("T1", nodes[-1].round, (Source("loser", node=first.id), Source("loser", node=second.id))))
    return Bracket(players, tuple(nodes))


def double_elimination(players: int, *, reset: bool = True) -> Bracket:
    """Build a double-elimination bracket: a player is out after two losses.

    With `reset`, the grand final is played again if the player from the losers' bracket wins it; without, that one
    match decides. After the first round, each round of the winners' bracket is played at the same time as a round of
    the losers' bracket. The order in which losers drop into the losers' bracket is changed from round to round, which
    postpones rematches. Raises `SwissError` as `single_elimination` does.
    """
    size = _size(players)
    # Winners' round r (from the second on) is played in round 2r - 2, beside losers' round 2r - 3. The losers' round in
    # between has no counterpart.
    nodes = [_at(node, 1 if node.round == 1 else 2 * node.round - 2) for node in _winners(size)]
    depth = size.bit_length() - 1
    alive = [Source("loser", node=node.id) for node in nodes if node.id.startswith("W1.")]
    number = 0
    for fallen_round in range(2, depth + 1):
        number += 1
        # Survivors of the losers' bracket play each other first, then those who dropped from the winners' bracket.
        alive = _losers_round(nodes, number, alive[::2], alive[1::2])
        fallen = [Source("loser", node=node.id) for node in nodes if node.id.startswith(f"W{fallen_round}.")]
        number += 1
        alive = _losers_round(nodes, number, alive, _turned(fallen, fallen_round))
    nodes.sort(key=lambda node: node.round)
    last = nodes[-1].round
    final = Node("F1", last + 1, (Source("winner", node=f"W{depth}.1"), alive[0]))
    nodes.append(final)
    if reset:
        nodes.append(Node("F2", last + 2, (Source("winner", node="F1"), Source("loser", node="F1"))))
    return Bracket(players, tuple(nodes))


def _size(players: int) -> int:
    if players < 2:
        raise SwissError("too_few_players", "a bracket needs two players", "players")
    if players > MAX_PLAYERS:
        raise SwissError("too_many_players", f"a bracket has at most {MAX_PLAYERS} players", "players")
    return 1 << (players - 1).bit_length()


def _winners(size: int) -> list[Node]:
    order = seed_order(size)
    sources = [Source("seed", seed=seed) for seed in order]
    nodes: list[Node] = []
    round_ = 0
    while len(sources) > 1:
        round_ += 1
        pairs = zip(sources[::2], sources[1::2], strict=True)
        winners = [Node(f"W{round_}.{place}", round_, pair) for place, pair in enumerate(pairs, 1)]
        nodes += winners
        sources = [Source("winner", node=node.id) for node in winners]
    return nodes


def _at(node: Node, round_: int) -> Node:
    return Node(node.id, round_, node.seats)


def _losers_round(nodes: list[Node], number: int, high: Sequence[Source], low: Sequence[Source]) -> list[Source]:
    """Add a round of the losers' bracket and return its winners as sources for the next round."""
    added = [Node(f"L{number}.{place}", number + 1, pair) for place, pair in enumerate(zip(high, low, strict=True), 1)]
    nodes += added
    return [Source("winner", node=node.id) for node in added]


def _turned(fallen: list[Source], round_: int) -> list[Source]:
    """The order in which the losers of a round enter the losers' bracket: reversed in even rounds, halves swapped in
    odd ones.
    """
    half = len(fallen) // 2
    return fallen[::-1] if round_ % 2 == 0 else fallen[half:] + fallen[:half]


def read(
    bracket: Bracket, seeds: Sequence[str], played: Mapping[str, Played], gone: Collection[str] = frozenset()
) -> dict[str, Slot]:
    """Return the current state of every node by id, in the order of play.

    `seeds` lists the players, top seed first. `played` holds what the event has recorded, by node id. `gone` holds the
    players who dropped: at a node that is not seated yet, their opponent advances. Raises `SwissError` `seeds_missing`
    if the number of seeds differs from the number of players of the bracket.
    """
    if len(seeds) != bracket.players:
        raise SwissError("seeds_missing", f"the bracket is for {bracket.players} players", "seeds")
    slots: dict[str, Slot] = {}
    for node in bracket.nodes:
        known = played.get(node.id)
        slots[node.id] = _as_played(node, known) if known else _as_expected(node, slots, seeds, gone)
    return slots


def _as_played(node: Node, known: Played) -> Slot:
    if known.winner is None:
        return Slot(node, known.a, known.b, "seated")
    loser = known.b if known.winner == known.a else known.a
    state = "walkover" if NOBODY in (known.a, known.b) else "played"
    return Slot(node, known.a, known.b, state, known.winner, loser)


def _as_expected(node: Node, slots: Mapping[str, Slot], seeds: Sequence[str], gone: Collection[str]) -> Slot:
    a, b = (_comes(source, slots, seeds) for source in node.seats)
    # The seats of the reset are always filled from F1, so whether it is played depends on who won F1.
    if node.id == "F2" and not _reset_needed(slots["F1"]):
        return Slot(node, a, b, "waiting" if slots["F1"].winner is None else "empty")
    if a is None or b is None:
        return Slot(node, a, b, "waiting")
    here = [player for player in (a, b) if player != NOBODY and player not in gone]
    if len(here) == 2:
        return Slot(node, a, b, "ready")
    if not here:
        return Slot(node, a, b, "empty", NOBODY, NOBODY)
    return Slot(node, a, b, "walkover", here[0], b if here[0] == a else a)


def _reset_needed(final: Slot) -> bool:
    """Whether the grand final was won by the player from the losers' bracket, so that both have lost once."""
    return final.winner not in (None, NOBODY) and final.winner == final.b and final.a != NOBODY


def _comes(source: Source, slots: Mapping[str, Slot], seeds: Sequence[str]) -> str | None:
    if source.what == "seed":
        return seeds[source.seed - 1] if source.seed <= len(seeds) else NOBODY
    slot = slots[source.node]
    return slot.winner if source.what == "winner" else slot.loser


def to_seat(slots: Mapping[str, Slot]) -> tuple[Slot, ...]:
    """The nodes to seat in the next round: "ready" ones and unrecorded walkovers.

    Empty when the bracket is over. Rounds are seated as a whole: while any seated match has no result, there is nothing
    to seat.
    """
    open_ = [slot for slot in slots.values() if slot.state in ("waiting", "ready", "seated")]
    return () if any(slot.state == "seated" for slot in open_) else _next_round(slots, open_)


def _next_round(slots: Mapping[str, Slot], open_: Iterable[Slot]) -> tuple[Slot, ...]:
    first = min((slot.node.round for slot in open_), default=0)
    return tuple(slot for slot in slots.values() if slot.node.round == first and slot.state in ("ready", "walkover"))


def is_over(slots: Mapping[str, Slot]) -> bool:
    """Whether nothing is left to play."""
    return all(slot.state in ("played", "walkover", "empty") for slot in slots.values())


def consequences(bracket: Bracket, slots: Mapping[str, Slot], node: str, winner: str) -> tuple[Consequence, ...]:
    """List the seats that would change if `winner` had won `node`, so that the user can confirm the correction.

    Matches that already have a result stand, and so does everything that followed from them. A bye passes the change on
    to the next node.
    """
    slot = slots[node]
    if slot.winner in (None, winner) or winner not in (slot.a, slot.b):
        return ()
    loser = slot.b if winner == slot.a else slot.a
    return tuple(_changes(bracket, slots, node, {"winner": (slot.winner, winner), "loser": (slot.loser, loser)}))


def _changes(
    bracket: Bracket, slots: Mapping[str, Slot], node: str, moved: Mapping[str, tuple[str | None, str | None]]
) -> Iterable[Consequence]:
    for following in bracket.nodes:
        for source in following.seats:
            slot = slots[following.id]
            out, into = moved.get(source.what, (None, None)) if source.node == node else (None, None)
            if out is None or into is None or out not in (slot.a, slot.b) or slot.state not in _SEATED:
                continue
            # A bye is recorded as won but nothing was played there, so the new player simply takes it over.
            bye = NOBODY in (slot.a, slot.b)
            yield Consequence(following.id, out, into, decided=slot.state == "played" and not bye)
            if bye:
                yield from _changes(bracket, slots, following.id, {"winner": (out, into)})


_SEATED = ("seated", "played", "walkover")


def places(bracket: Bracket, slots: Mapping[str, Slot], seeds: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Rank all players, best first, as (rank, player).

    Players rank by the round of their last defeat. Ranks are shared; equals are listed by seed. Players still in the
    bracket come before all who are out. The match for third place separates the losers of the semi-finals.
    """
    key = {player: _last_stand(bracket, slots, player) for player in seeds}
    ordered = sorted(seeds, key=lambda player: (-key[player][0], -key[player][1], seeds.index(player)))
    ranks: dict[tuple[int, int], int] = {}
    return tuple((ranks.setdefault(key[player], place), player) for place, player in enumerate(ordered, 1))


def _last_stand(bracket: Bracket, slots: Mapping[str, Slot], player: str) -> tuple[int, int]:
    """The round in which a player was eliminated, and 1 instead of 0 for the winner of the match for third place.

    A player who was not eliminated gets one more than the last round.
    """
    third = slots.get("T1")
    stands = [slot for slot in slots.values() if player in (slot.a, slot.b) and not _is_aside(slot)]
    last = stands[-1]
    if last.state in ("waiting", "ready", "seated") or last.winner == player:
        return bracket.rounds + 1, 0
    return last.node.round, int(third is not None and third.winner == player)


def _is_aside(slot: Slot) -> bool:
    """Whether a node says nothing about how far a player got: the match for third place, or an unneeded reset."""
    return slot.node.id == "T1" or (slot.node.id == "F2" and slot.state == "empty")
