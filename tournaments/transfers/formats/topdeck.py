"""Reads the JSON of TopDeck.gg: a tournament with standings and rounds, or one of the three alone.

Source: topdeck.gg, "Tournaments V2". Tables of more than two players cannot be matches here: then only the players are
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from tournaments.transfers.brought import Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats import decks
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import MAX_DECKLIST, unreadable
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import alone, are_games, both_lost, decided, scored, unfinished
from tournaments.transfers.formats.source import Source
from tournaments.transfers.formats.values import Value

PLAYER = ("name", "id", "uid", "decklist", "deckObj", "email", "status", "droppedInRound")
RANKS = (
    *("standing", "points", "winRate", "opponentWinRate", "gameWinRate", "opponentGameWinRate", "successRate"),
    *("opponentSuccessRate", "wins", "losses", "draws", "byes", "winsSwiss", "winsBracket", "lossesSwiss"),
    *("lossesBracket", "winRateSwiss", "winRateBracket"),
)
LOST_OF_PLAYER = {
    **dict.fromkeys(RANKS, "ranks"),
    **dict.fromkeys(("discord", "discordId"), "contacts"),
    "elo": "ratings",
    "teamTag": "teams",
}
TOLD = ("tournamentName", "name", "startDate", "eventData", "location")
# `topCut` and `swissNum` follow from the rounds.
EVENT = (*TOLD, "standings", "rounds", "data", "info", "topCut", "swissNum")
LOST_OF_EVENT = {
    **dict.fromkeys(("TID", "tid"), "ids"),
    **dict.fromkeys(("game", "format"), "game"),
    **dict.fromkeys(("averageElo", "modeElo", "medianElo", "topElo"), "ratings"),
}
DRAW, BYES = "draw", "byes"


def recognizes(source: Source) -> bool:
    """Whether a file is a tournament, or a list of standings, rounds or attendees, as the API answers them."""
    document = source.json
    if document.items_hold("TID", "tournamentName"):
        return True
    if _is_standings(document) or _is_rounds(document) or document.items_hold("uid", "name", "status"):
        return True
    return document.holds("TID") or _is_standings(document.part("standings")) or _is_rounds(document.part("rounds"))


def _is_standings(value: Value) -> bool:
    return value.items_hold("standing", "name") or value.items_hold("name", "deckObj")


def _is_rounds(value: Value) -> bool:
    return value.items_hold("round", "tables")


@dataclass
class _Found:
    """The players by key in the order in which they are met, and what is lost."""

    losses: Losses
    players: dict[str, BroughtPlayer] = field(default_factory=dict)
    pods: int = 0


def read(source: Source) -> Brought:
    """Read a file. A list of tournaments must have one."""
    document = source.document
    if document.items_hold("TID"):
        if len(document.raw) > 1:
            raise unreadable(_("The file has several tournaments: export one at a time."))
        document = next(document.each())
    found = _Found(Losses())
    if isinstance(document.raw, list):
        event = Value(None)
        standings = Value(None) if _is_rounds(document) else document
        rounds = document if _is_rounds(document) else Value(None)
    else:
        event, standings, rounds = document, document.at("standings"), document.at("rounds")
    found.losses.keys(event, EVENT, LOST_OF_EVENT)
    for value in standings.each():
        _add_player(value, found)
    stages = _stages(rounds, found)
    if not found.pods and not any(stage.rounds for stage in stages):
        found.losses.add("matches_missing")
    told = event.first("data", "info") if event.holds("data") or event.holds("info") else event
    if told != event:
        found.losses.keys(told, EVENT, LOST_OF_EVENT)
    return assembled(
        "topdeck",
        found.players.values(),
        stages,
        found.losses,
        name=told.first("tournamentName", "name").text(),
        place=_place(event),
        starts_at=told.at("startDate").moment(),
    )


def _place(event: Value) -> str:
    where = event.first("eventData", "location")
    if isinstance(where.raw, str):
        return where.text()
    parts = [where.first("location", "name").text(), where.at("city").text()] if where else []
    return ", ".join(dict.fromkeys(filter(None, parts)))


def _key(value: Value) -> str:
    return value.first("id", "uid").key() or value.at("name").key()


def _add_player(value: Value, found: _Found) -> None:
    status = value.at("status").text()
    if status == "waitlist":
        found.losses.add("waiting")
        return
    found.losses.keys(value, PLAYER, LOST_OF_PLAYER)
    key = _key(value)
    if key in found.players:
        raise unreadable(_("“%(key)s” is in the list of players twice.") % {"key": key}, value.path)
    found.players[key] = BroughtPlayer(
        key, value.at("name").text() or key, email=value.at("email").text(), decklist=_decklist(value, found.losses)
    )
    dropped = value.at("droppedInRound").whole()
    if dropped is not None or status == "dropped":
        found.players[key] = replace(found.players[key], dropped_after=max(0, dropped or 0))


def _decklist(value: Value, losses: Losses) -> str:
    text = value.at("decklist").text(MAX_DECKLIST + 1) if value.at("decklist") else ""
    built = decks.of_sections(value.at("deckObj")) if value.at("deckObj") else ""
    if built:
        return built
    if not text:
        return ""
    if decks.is_link(text):
        losses.add("deck_links")
        return ""
    made = decks.pasted(str(value.at("decklist").raw))
    if not made:
        losses.add("decklists")
    return made


def _stages(rounds: Value, found: _Found) -> list[BroughtStage]:
    swiss: list[structure.Round] = []
    cut: list[structure.Round] = []
    known = bool(found.players)
    for value in rounds.each():
        label = value.at("round").text()
        matches = tuple(match for table in value.at("tables").each() for match in _matches(table, found, known=known))
        if cut and not structure.is_cut(label):
            raise unreadable(_("A Swiss round cannot follow the bracket."), value.path)
        if matches:
            (cut if structure.is_cut(label) else swiss).append(matches)
    if found.pods:
        found.losses.add("multiplayer", count=found.pods)
        return []
    players = list(found.players.values())
    for player in players:
        if player.dropped_after == 0:
            last = [number for number, matches in enumerate(swiss, 1) if player.key in structure.players_of([matches])]
            found.players[player.key] = replace(player, dropped_after=max(last, default=0))
    stages = [BroughtStage(rounds=structure.with_byes(swiss))]
    if cut:
        seeds = structure.seeded(structure.players_of(cut), players, swiss)
        stages.append(structure.bracket(cut, seeds))
    return stages


def _matches(value: Value, found: _Found, *, known: bool) -> Sequence[BroughtMatch]:
    """The match of a table. The byes of a round are one table of everybody who has one."""
    seats = list(value.at("players").each())
    if not known:  # no standings: the players are those of the tables
        for seat in seats:
            found.players.setdefault(_key(seat), BroughtPlayer(_key(seat), seat.at("name").text() or _key(seat)))
    keys = [_key(seat) for seat in seats]
    number = value.at("table").raw
    status = value.at("status").text().lower()
    if status == "bye" or (isinstance(number, str) and number.lower() == BYES):
        return [alone(key) for key in keys]
    if len(keys) > 2:
        found.pods += 1
        return ()
    if len(keys) < 2:
        return [alone(key) for key in keys]
    return [_match(value, seats, status)]


def _match(value: Value, seats: Sequence[Value], status: str) -> BroughtMatch:
    first, second = (_key(seat) for seat in seats)
    table = value.at("table").whole()
    winner, named = value.at("winner_id").key(), value.at("winner").text()
    if DRAW in (winner.lower(), named.lower()):
        return decided(first, second, "", table)
    if not winner and named:
        winner = next((_key(seat) for seat in seats if seat.at("name").text() == named), named)
    if not winner:
        return both_lost(first, second, table) if status == "completed" else unfinished(first, second, table)
    if winner not in (first, second):
        raise unreadable(_("The winner is neither of the two players."), value.path)
    won, lost = value.at("winner_games").whole(), value.at("loser_games").whole()
    if won is None or lost is None or not are_games(won, lost) or won <= lost:
        return decided(first, second, winner, table)
    return scored(first, second, (won, lost, 0) if winner == first else (lost, won, 0), table)
