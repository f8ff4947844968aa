"""Writes an event in each format, as its program does, and says how much of it the format can carry."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournaments.swiss import trf
from tournaments.swiss.field import Field, Match, Player, points_of
from tournaments.transfers.brought import BroughtStage

WINS = 2  # games that win a match


@dataclass(frozen=True)
class Format:
    """How an event is written in a format, and what each of its matches is after it was read again."""

    name: str
    write: Callable[[Field], bytes]
    of_match: Callable[[Match], Match]
    gaps: str = ""  # the kind of match that a round without one becomes, if the player plays again later

    def carried(self, field: Field) -> Field:
        """The field as it is after it was written and read again."""
        rounds = [list(map(self.of_match, matches)) for matches in field.rounds]
        for player in field.players if self.gaps else ():
            played = [any(player.id in match.seats for match in matches) for matches in rounds]
            for number, there in enumerate(played):
                if not there and any(played[number:]):
                    rounds[number].append(Match(player.id, None, 0, 0, 0, self.gaps))
        return Field(field.players, tuple(map(tuple, rounds)))


def name_of(player: str) -> str:
    """The name of a player in the file: `P012` is `Player 12`."""
    return f"Player {int(player.removeprefix('P'))}"


def result_only(match: Match) -> Match:
    """The match as a format has it that only says who won."""
    if match.b is None:
        return replace(match, games_a=int(match.kind == "bye"), games_b=0, drawn=0)
    first, second = points_of(match)
    games = (1, 0, 0) if first > second else (0, 1, 0) if second > first else (0, 0, 1)
    return Match(match.a, match.b, *games)


def with_games(match: Match) -> Match:
    """The match as a format has it that says the games; 0-0-0 is one drawn game."""
    if match.b is None:
        return replace(match, games_a=WINS)
    if not any((match.games_a, match.games_b, match.drawn)):
        return replace(match, drawn=1)
    if match.games_a == match.games_b == 0:
        return replace(match, kind="intentional_draw")
    return match


def games_of_the_winner(match: Match) -> Match:
    """The match as a format has it that says the games of a match that was won."""
    if match.b is None or match.games_a == match.games_b:
        return with_games(match) if match.b is None else result_only(match)
    return replace(match, drawn=0)


def without_drawn_games(match: Match) -> Match:
    """The match as a format has it that has the games of both players, but no drawn ones."""
    if match.b is None or not match.games_a + match.games_b:
        return with_games(match) if match.b is None else result_only(match)
    return replace(match, drawn=0)


def field_of(keys: Sequence[str], stage: BroughtStage, names: Mapping[str, str]) -> Field:
    """The field of a stage that was read. `names` gives the id of the source for each key."""
    rounds = tuple(
        tuple(
            Match(
                names[match.seats[0]],
                names[match.seats[1]] if len(match.seats) == 2 else None,
                *(match.games or (0, 0, 0)),
                kind=match.kind,
            )
            for match in matches
        )
        for matches in stage.rounds
    )
    return Field(tuple(Player(names[key]) for key in keys), rounds)


def as_trf(field: Field) -> bytes:
    names = {player.id: name_of(player.id) for player in field.players}
    plan = trf.Plan(rounds=len(field.rounds))
    return trf.write(trf.tournament_of(field, names=names, ranks={}, plan=plan)).encode()


def as_nrtm(field: Field) -> bytes:
    """Cobra's JSON, every match one game for three points, and a draw one point for both."""
    number = {player.id: place for place, player in enumerate(field.players, 1)}
    players = [{"id": number[each.id], "name": name_of(each.id), "rank": number[each.id]} for each in field.players]
    rounds = []
    for matches in field.rounds:
        games: list[dict[str, Any]] = []
        for table, match in enumerate(matches, 1):
            points = (3, 0) if match.b is None else points_of(match)
            seats = [
                {"id": number.get(seat or ""), "role": None, "combinedScore": score}
                for seat, score in zip((match.a, match.b), points, strict=True)
            ]
            games.append({"table": table, "player1": seats[0], "player2": seats[1], "eliminationGame": False})
        rounds.append(games)
    return json.dumps({
        "name": "Event", "date": "2026-11-26", "cutToTop": 0, "preliminaryRounds": len(rounds),
        "players": players, "eliminationPlayers": [], "rounds": rounds, "uploadedFrom": "Cobra",
    }).encode()  # fmt: skip


def as_limitless(field: Field) -> bytes:
    standings = [
        {"player": each.id.lower(), "name": name_of(each.id), "placing": place, "record": {}, "drop": None}
        for place, each in enumerate(field.players, 1)
    ]
    pairings = []
    for number, matches in enumerate(field.rounds, 1):
        for table, match in enumerate(matches, 1):
            first, second = points_of(match)
            winner = match.a if first > second else match.b if second > first else None
            pairing = {"round": number, "phase": 1, "table": table, "player1": match.a.lower()}
            pairing |= {"winner": winner.lower() if winner else 0}
            pairings.append(pairing | ({"player2": match.b.lower()} if match.b else {}))
    phases = [{"phase": 1, "type": "SWISS", "rounds": len(field.rounds), "mode": "BO3"}]
    details = {"id": "1", "game": "PTCG", "name": "Event", "organizer": {"id": 1}, "phases": phases}
    return json.dumps({"details": details, "standings": standings, "pairings": pairings}).encode()


def as_topdeck(field: Field) -> bytes:
    standings = [
        {"standing": place, "name": name_of(each.id), "id": f"id-{each.id}", "points": 0, "winRate": 0.5}
        for place, each in enumerate(field.players, 1)
    ]
    rounds = []
    for number, matches in enumerate(field.rounds, 1):
        tables: list[dict[str, Any]] = []
        for table, match in enumerate((match for match in matches if match.b), 1):
            first, second = points_of(match)
            winner = match.a if first > second else match.b if second > first else ""
            games = max(match.games_a, match.games_b), min(match.games_a, match.games_b)
            tables.append({
                "table": table,
                "players": [_seat(match.a), _seat(match.b or "")],
                "winner": name_of(winner) if winner else "Draw",
                "winner_id": f"id-{winner}" if winner else "Draw",
                "winner_games": games[0] if winner else None,
                "loser_games": games[1] if winner else None,
                "status": "Completed",
            })  # fmt: skip
        if byes := [match.a for match in matches if match.b is None]:
            tables.append({"table": "Byes", "players": [_seat(each) for each in byes], "status": "Bye"})
        rounds.append({"round": number, "tables": tables})
    event = {"TID": "t", "tournamentName": "Event", "swissNum": len(rounds), "startDate": 1795694400, "topCut": 0}
    return json.dumps([event | {"standings": standings, "rounds": rounds}]).encode()


def _seat(player: str) -> dict[str, str]:
    return {"name": name_of(player), "id": f"id-{player}"}


def _sentence(match: Match) -> str:
    if match.b is None:
        return f"{name_of(match.a)} was assigned a bye"
    first, second = points_of(match)
    games = (match.games_a, match.games_b) if first >= second else (match.games_b, match.games_a)
    score = f"{games[0]}-{games[1]}-{match.drawn}"
    if first == second:
        return f"{score} Draw"
    return f"{name_of(match.a if first > second else match.b)} won {score}"


def as_melee(field: Field) -> bytes:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["Round", "Table", "Player 1", "Player 2", "Result"])
    for number, matches in enumerate(field.rounds, 1):
        for table, match in enumerate(matches, 1):
            second = name_of(match.b) if match.b else ""
            rows.writerow([f"Round {number}", table if match.b else "", name_of(match.a), second, _sentence(match)])
    return out.getvalue().encode("utf-8-sig")


def as_melee_json(field: Field) -> bytes:
    found = []
    for number, matches in enumerate(field.rounds, 1):
        for table, match in enumerate(matches, 1):
            seats = [(match.a, match.games_a), *([(match.b, match.games_b)] if match.b else [])]
            found.append({
                "Guid": f"{number}-{table}", "RoundNumber": number, "RoundId": 100 + number, "TableNumber": table,
                "HasResult": True, "GameDraws": match.drawn, "ResultString": _sentence(match),
                "Competitors": [
                    {"SortOrder": place, "GameWins": wins, "Team": {"Players": [
                        {"ID": int(seat[1:]), "Username": seat.lower(), "DisplayName": name_of(seat)}
                    ]}}
                    for place, (seat, wins) in enumerate(seats)
                ],
            })  # fmt: skip
    return json.dumps(found).encode()


def as_challonge(field: Field) -> bytes:
    """Version 1 of the API. A player with a bye has no match there, so byes are not written."""
    number = {player.id: 7000 + place for place, player in enumerate(field.players, 1)}
    participants = [
        {"participant": {"id": number[each.id], "name": name_of(each.id), "seed": place, "tournament_id": 1}}
        for place, each in enumerate(field.players, 1)
    ]
    matches = []
    for round_, some in enumerate(field.rounds, 1):
        for match in some:
            if match.b is None:
                continue
            first, second = points_of(match)
            winner = match.a if first > second else match.b if second > first else None
            matches.append({"match": {
                "id": len(matches) + 1, "tournament_id": 1, "round": round_, "state": "complete",
                "player1_id": number[match.a], "player2_id": number[match.b], "group_id": None,
                "winner_id": number[winner] if winner else None, "scores_csv": f"{match.games_a}-{match.games_b}",
            }})  # fmt: skip
    tournament = {"id": 1, "name": "Event", "tournament_type": "swiss", "started_at": "2026-11-26T19:00:00+01:00"}
    tournament |= {"participants": participants, "matches": matches}
    return json.dumps({"tournament": tournament}).encode()


def as_startgg(field: Field) -> bytes:
    """An answer of the API to "Sets in Event", with scores of the slots. Byes are no sets."""
    number = {player.id: 9000 + place for place, player in enumerate(field.players, 1)}
    nodes = []
    for round_, some in enumerate(field.rounds, 1):
        for match in some:
            if match.b is None:
                continue
            first, second = points_of(match)
            winner = match.a if first > second else match.b if second > first else None
            slots = [
                {
                    "entrant": {"id": number[seat], "name": name_of(seat)},
                    "standing": {"stats": {"score": {"value": games}}},
                }
                for seat, games in ((match.a, match.games_a), (match.b, match.games_b))
            ]
            nodes.append({
                "id": len(nodes) + 1, "round": round_, "state": 3, "slots": slots, "fullRoundText": f"Round {round_}",
                "winnerId": number[winner] if winner else None,
                "phaseGroup": {"phase": {"id": 5, "phaseOrder": 1, "bracketType": "SWISS"}},
            })  # fmt: skip
    entrants = [
        {"id": number[each.id], "name": name_of(each.id), "participants": [{"gamerTag": name_of(each.id)}]}
        for each in field.players
    ]
    sets = {"pageInfo": {"total": len(nodes)}, "nodes": nodes}
    event = {"id": 1, "name": "Event", "entrants": {"nodes": entrants}, "sets": sets}
    return json.dumps({"data": {"event": event}}).encode()


WITH_BYES = (
    Format("trf", as_trf, result_only, gaps="zero_bye"),
    Format("nrtm", as_nrtm, result_only),
    Format("limitless", as_limitless, result_only),
    Format("topdeck", as_topdeck, games_of_the_winner),
    Format("melee", as_melee, with_games),
    Format("melee", as_melee_json, with_games),
)
WITHOUT_BYES = (
    Format("challonge", as_challonge, without_drawn_games),
    Format("startgg", as_startgg, without_drawn_games),
)
