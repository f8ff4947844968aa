"""Compare a log with the game it was submitted for and with the registered lists of its players."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tournaments.audits.models import MoveLog
from tournaments.decks.engine_gate import is_pooled, judge
from tournaments.decks.models import Decklist, Pool
from tournaments.decks.selectors import current_lists, current_pools
from tournaments.events.models import Entrant, Stage
from tournaments.play.boards import Players, players_of
from tournaments.play.models import Game


@dataclass(frozen=True)
class Known:
    """Everything a batch of logs is compared with, read in a few queries.

    `games`: the keys of the games that have a log, by the log's SHA-256.
    `lists`: the current decklists, by the keys of stage, entrant and (in a team) member.
    `pools`: the current pool, by the keys of stage and entrant.
    `players`: in a team event, who may have played each game, by its key.
    """

    games: Mapping[str, set[int]]
    lists: dict[tuple[int, int, int | None], Decklist] = field(default_factory=dict)
    players: Mapping[int, Players] = field(default_factory=dict)
    pools: dict[tuple[int, int], Pool] = field(default_factory=dict)


def registered_for(logs: Sequence[MoveLog]) -> Known:
    """Read what these logs are compared with. Seats and stages of their matches should be prefetched."""
    games: dict[str, set[int]] = defaultdict(set)
    for sha256, game in MoveLog.objects.filter(sha256__in={log.sha256 for log in logs}).values_list("sha256", "game"):
        games[sha256].add(game)
    known = Known(games, players=players_of([log.game for log in logs]))
    entrants: dict[Stage, set[Entrant]] = defaultdict(set)
    for log in logs:
        match = log.game.match
        entrants[match.round.stage].update(seat.entrant for seat in match.seats.all())
    for stage, those in entrants.items():
        if is_pooled(stage):
            known.pools.update({
                (stage.pk, pool.entrant_id): pool for pool in current_pools(stage).filter(entrant__in=those)
            })
        else:
            found = current_lists(stage).filter(entrant__in=those)
            known.lists.update({(stage.pk, each.entrant_id, each.member_id): each for each in found})
    return known


def game_findings(log: MoveLog, header: dict[str, Any], known: Known) -> list[dict[str, Any]]:
    """Findings about the game of a log, as `{"seat": "", "code"}`.

    `other_game`: the log's header names another event, round, table or game. `log_reused`: the same document was
    submitted for another game too.
    """
    match = log.game.match
    actual = {
        "event": match.round.stage.event.public_id,
        "round": match.round.number,
        "table": match.table,
        "game": log.game.number,
    }
    named = header.get("match") or {}
    findings = []
    # A log need not name its match; what it does name must be right.
    if any(named[key] != value for key, value in actual.items() if key in named):
        findings.append({"seat": "", "code": "other_game"})
    if known.games.get(log.sha256, set()) - {log.game_id}:
        findings.append({"seat": "", "code": "log_reused"})
    return findings


def deck_findings(game: Game, header: dict[str, Any], known: Known, *, pad: bool = False) -> list[dict[str, Any]]:
    """Compare the decks of a log with the registered lists and return a finding `{"seat", "code"}` per difference.

    At a board of a team match, the list is that of the member who sat there. In a team that plays together, it is the
    one of a member that comes closest to the deck.

    `player_unknown`: the seat's player is not in this match, or is named twice.
    `no_list`, `no_pool`: the player has registered none. `no_deck`: the seat has no deck.
    `deck_differs`: other cards than the list; with `missing` and `added`, copies by card reference.
    `deck_illegal`: not a legal deck of the player's pool; with its `violations`.

    In a limited stage the deck may change between games, so it is checked against the pool instead of the list. With
    `pad` (a score pad) decks may be left out.
    """
    match, stage = game.match, game.match.round.stage
    entrants = {seat.entrant.public_id: seat.entrant for seat in match.seats.all()}
    findings: list[dict[str, Any]] = []
    named = [seat.get("player") for seat in header["seats"].values()]
    for letter, seat in sorted(header["seats"].items()):
        entrant = entrants.get(seat.get("player"))
        if entrant is None or named.count(seat.get("player")) > 1:
            findings.append({"seat": letter, "code": "player_unknown"})
            continue
        if pad and not seat.get("deck"):
            continue
        if is_pooled(stage):
            finding = _with_pool(known.pools.get((stage.pk, entrant.pk)), stage, seat.get("deck"))
        else:
            finding = _with_lists(_lists_of(entrant, game, known), seat.get("deck"))
        if finding:
            findings.append({"seat": letter, **finding})
    return findings


def _lists_of(entrant: Entrant, game: Game, known: Known) -> list[Decklist]:
    """The registered lists that an entrant may have played a game with: one, but for a team that plays together."""
    members: Sequence[int | None] = known.players.get(game.pk, {}).get(entrant.pk, (None,))
    found = (known.lists.get((game.match.round.stage_id, entrant.pk, member)) for member in members)
    return [decklist for decklist in found if decklist is not None]


def _with_lists(registered: Sequence[Decklist], deck: dict[str, Any] | None) -> dict[str, Any]:
    """The finding about a deck that must equal one of the registered lists: with the list that comes closest."""
    found = [_with_list(each, deck) for each in registered] or [_with_list(None, deck)]
    return min(found, key=_cards_apart)


def _cards_apart(finding: Mapping[str, Any]) -> int:
    copies: int = sum(finding.get("missing", {}).values()) + sum(finding.get("added", {}).values())
    return copies


def _with_list(registered: Decklist | None, deck: dict[str, Any] | None) -> dict[str, Any]:
    """The finding about a deck that must equal the registered list; empty if it does."""
    if registered is None:
        return {"code": "no_list"}
    if not deck:
        return {"code": "no_deck"}
    missing, added = _difference(registered.cards, deck)
    return {"code": "deck_differs", "missing": missing, "added": added} if missing or added else {}


def _with_pool(pool: Pool | None, stage: Stage, deck: dict[str, Any] | None) -> dict[str, Any]:
    """The finding about a deck that can be any legal deck from its player's pool; empty if it is one."""
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
