"""The games of the demonstration: self-played logs, and a log with one illegal move."""

from collections.abc import Mapping
from typing import Any

import engine
from engine import face


def self_played(
    game: str, seed: int | str, match: Mapping[str, Any], decks: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the log of a complete legal game between two to five entrants.

    `decks` maps the entrants' public ids to their decklists as JSON, in the order of the seats, A first; `match` goes
    into the header of the log. The same seed gives the same game.
    """
    seated = dict(zip("ABCDE", decks, strict=False))
    own = {seat: decks[player] for seat, player in seated.items()}
    return face.live.self_played(game, seed, own, seated, match)


def winner_of(log: Mapping[str, Any]) -> str | None:
    """Return the public id of the winner of a self-played game; None for a draw."""
    seat = log["claimed"]["winner"]
    return log["seats"][seat]["player"] if seat in log["seats"] else None


def places_of(log: Mapping[str, Any]) -> list[tuple[int, int | None]]:
    """Return (rank, victory points) of each seat in a self-played game of three or more, in the order of the seats.

    The winner has rank 1; the others follow by their points, and equal points share a rank. Negative points become 0.
    """
    winner, score = log["claimed"]["winner"], log["claimed"]["score"]
    key = {seat: (seat == winner, score[seat]) for seat in log["seats"]}
    return [(1 + sum(other > key[seat] for other in key.values()), max(score[seat], 0)) for seat in log["seats"]]


def with_a_second_attack(log: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the log with one attack repeated, so that a fighter attacks twice in a turn (SAF-VI.3-5).

    The last suitable attack is repeated. Returns None if there is none: for example, no fighter survives an attack, so
    that repeating it breaks another rule first.
    """
    for position in range(len(log["moves"]) - 1, 0, -1):
        if log["moves"][position]["do"] != "attack":
            continue
        spoiled = _repeated(log, position)
        found = engine.audit(spoiled).as_json()["first_illegal"]
        if found and "SAF-VI.3-5" in {violation["rule"] for violation in found["violations"]}:
            return spoiled
    return None


def _repeated(log: Mapping[str, Any], position: int) -> dict[str, Any]:
    moves = [*log["moves"][: position + 1], log["moves"][position], *log["moves"][position + 1 :]]
    return {**log, "moves": [{**move, "n": n} for n, move in enumerate(moves, 1)]}
