"""Reads the JSON of Cobra and NRTM, the organizers of Netrunner events.

A match is won by who scored more points in it, whether it was one game or two. Points and sides are not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from tournaments.transfers.brought import Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import unreadable
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import agreed, alone, both_lost, decided, unfinished
from tournaments.transfers.formats.source import Source
from tournaments.transfers.formats.values import Value

PLAYER = ("id", "name")
LOST_OF_PLAYER = {
    "rank": "ranks",
    "matchPoints": "ranks",
    "strengthOfSchedule": "ranks",
    "extendedStrengthOfSchedule": "ranks",
    "corpIdentity": "identities",
    "runnerIdentity": "identities",
    "corpFaction": "identities",
    "runnerFaction": "identities",
    "sideBalance": "identities",
    "pronouns": "pronouns",
}
# `cutToTop` and `preliminaryRounds` follow from the rounds: Cobra counts those that were played, not those planned.
EVENT = ("name", "date", "players", "rounds", "eliminationPlayers", "cutToTop", "preliminaryRounds", "uploadedFrom")
LOST_OF_EVENT = {"tournamentOrganiser": "staff", "links": "ids", "abrTournamentId": "ids"}


def recognizes(source: Source) -> bool:
    """Whether a file is an object with players and rounds in which two players have seats."""
    document = source.json
    if not document.holds("players", "rounds"):
        return False
    if document.holds("eliminationPlayers") or document.holds("preliminaryRounds"):
        return True
    rounds = document.raw["rounds"]
    return isinstance(rounds, list) and bool(rounds) and Value(rounds[0]).items_hold("player1", "player2")


def read(source: Source) -> Brought:
    """Read a file: its players, the Swiss rounds and the bracket."""
    document, losses = source.document, Losses()
    losses.keys(document, EVENT, LOST_OF_EVENT)
    players = [_player(value, losses) for value in document.at("players").each()]
    swiss: list[structure.Round] = []
    cut: list[structure.Round] = []
    for value in document.at("rounds").each():
        games = list(value.each())
        matches = tuple(match for game in games if (match := _match(game, losses)))
        in_cut = bool(games) and bool(games[0].at("eliminationGame").flag())
        if cut and not in_cut:
            raise unreadable(_("A Swiss round cannot follow the bracket."), value.path)
        if matches:
            (cut if in_cut else swiss).append(matches)
    stages = [BroughtStage(rounds=tuple(swiss))]
    if cut:
        stages.append(structure.bracket(cut, _seeds(document, players, swiss, cut)))
    return assembled(
        "nrtm", players, stages, losses, name=document.at("name").text(), starts_at=document.at("date").moment()
    )


def _player(value: Value, losses: Losses) -> BroughtPlayer:
    losses.keys(value, PLAYER, LOST_OF_PLAYER)
    return BroughtPlayer(value.at("id").key(), value.at("name").text())


def _match(value: Value, losses: Losses) -> BroughtMatch | None:
    one, two, table = value.at("player1"), value.at("player2"), value.at("table").whole()
    first, second = one.at("id").key(), two.at("id").key()
    if not first and not second:
        losses.add("open_matches")
        return None
    if not first or not second:
        return alone(first or second)
    winners = [seat.at("winner").flag() for seat in (one, two)]
    if value.at("eliminationGame").flag() and winners != [None, None]:
        if winners[0] == winners[1]:
            return both_lost(first, second, table)
        return decided(first, second, first if winners[0] else second, table)
    points = [seat.at("combinedScore").whole() for seat in (one, two)]
    if points[0] is None or points[1] is None:
        return unfinished(first, second, table)
    losses.add("game_points")
    if points[0] != points[1]:
        return decided(first, second, first if points[0] > points[1] else second, table)
    if value.at("intentionalDraw").flag():
        return agreed(first, second, table)
    return decided(first, second, "", table) if points[0] else both_lost(first, second, table)


def _seeds(
    document: Value, players: Sequence[BroughtPlayer], swiss: Sequence[structure.Round], cut: Iterable[structure.Round]
) -> tuple[str, ...]:
    """The seeds that the file names; those it does not name follow in the order of the standings."""
    named = []
    for value in document.at("eliminationPlayers").each():
        seed, key = value.at("seed").whole(), value.at("id").key()
        if seed is not None and key:
            named.append((seed, key))
    known = [key for _seed, key in sorted(named)]
    entered = structure.players_of(cut)
    others = structure.seeded([key for key in entered if key not in known], players, swiss)
    return tuple(dict.fromkeys([*known, *others]))
