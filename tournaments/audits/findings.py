"""Compares a log with what is registered: is it of this game, and are its decks the players' lists?"""

from collections import Counter
from typing import Any

from tournaments.audits.models import MoveLog
from tournaments.decks.engine_gate import is_pooled, judge
from tournaments.decks.selectors import current_list, current_pool
from tournaments.events.models import Entrant, Stage
from tournaments.play.models import Match


def game_findings(log: MoveLog, header: dict[str, Any]) -> list[dict[str, Any]]:
    """`other_game`: the log says itself that it is of another game; `log_reused`: another game has the same log."""
    match = log.game.match
    here = {
        "event": match.round.stage.event.public_id,
        "round": match.round.number,
        "table": match.table,
        "game": log.game.number,
    }
    said = header.get("match") or {}
    findings = []
    if any(said[key] != value for key, value in here.items() if key in said):
        findings.append({"seat": "", "code": "other_game"})
    if MoveLog.objects.filter(sha256=log.sha256).exclude(game=log.game).exists():
        findings.append({"seat": "", "code": "log_reused"})
    return findings


def deck_findings(match: Match, header: dict[str, Any], *, pad: bool = False) -> list[dict[str, Any]]:
    """Every difference: a seat whose player is not of this match, a player without a list, a seat without a deck,
    cards that differ. In a limited stage a deck may change between games: there it is judged by its player's pool.

    A score `pad` needs no decks. Each finding is `{"seat", "code"}` with, for `deck_differs`, `missing` and `added`:
    copies by card reference, and for `deck_illegal`, its `violations`.
    """
    stage = match.round.stage
    entrants = {seat.entrant.public_id: seat.entrant for seat in match.seats.select_related("entrant")}
    findings: list[dict[str, Any]] = []
    named = [seat.get("player") for seat in header["seats"].values()]
    for letter, seat in sorted(header["seats"].items()):
        entrant = entrants.get(seat.get("player"))
        if entrant is None or named.count(seat.get("player")) > 1:
            findings.append({"seat": letter, "code": "player_unknown"})
            continue
        if pad and not seat.get("deck"):
            continue
        compare = _with_pool if is_pooled(stage) else _with_list
        if finding := compare(entrant, stage, seat.get("deck")):
            findings.append({"seat": letter, **finding})
    return findings


def _with_list(entrant: Entrant, stage: Stage, deck: dict[str, Any] | None) -> dict[str, Any]:
    """What is to be told of a deck that must be the registered list; nothing when it is."""
    registered = current_list(entrant, stage)
    if registered is None:
        return {"code": "no_list"}
    if not deck:
        return {"code": "no_deck"}
    missing, added = _difference(registered.cards, deck)
    return {"code": "deck_differs", "missing": missing, "added": added} if missing or added else {}


def _with_pool(entrant: Entrant, stage: Stage, deck: dict[str, Any] | None) -> dict[str, Any]:
    """What is to be told of a deck that may be any legal one of its player's pool; nothing when it is."""
    pool = current_pool(entrant, stage)
    if pool is None:
        return {"code": "no_pool"}
    if not deck:
        return {"code": "no_deck"}
    shape: dict[str, Any] = {key: deck[key] for key in ("commander", "main", "side") if key in deck}
    violations = judge(stage, shape, pool.cards)
    return {"code": "deck_illegal", "violations": violations} if violations else {}


def _difference(registered: dict[str, Any], played: dict[str, Any]) -> tuple[dict[str, int], dict[str, int]]:
    listed, seen = _cards(registered), _cards(played)
    return dict(sorted((listed - seen).items())), dict(sorted((seen - listed).items()))


def _cards(deck: dict[str, Any]) -> Counter[str]:
    cards = Counter(deck["main"])
    if deck.get("commander"):
        cards[deck["commander"]] += 1
    return cards
