"""Small files of each format, written by hand to what its program documents."""

from __future__ import annotations

import json

TRF = b"""\
012 Spring Open
022 Lyon
042 2026/11/26
062 4
102 Arbiter, Ann
XXR 5
001    1 m GM Player 1                          2501 FRA     1234567 1990/02/01  1.5    1  0002 w 1  0003 w =
001    2      Player 2                                                           1.0    3  0001 b 0  0004 w +
001    3      Player 3                                                           1.5    1  0000 - U  0001 b =
001    4      Player 4                                                           0.0    4            0002 b -
XXP 1 4
XXZ 4
"""


def _seat(player: int | None, **more: object) -> dict[str, object]:
    return {"id": player, "role": None, **more}


def _pairing(table: int, one: dict[str, object], two: dict[str, object], **more: object) -> dict[str, object]:
    told = {"intentionalDraw": False, "twoForOne": False, "eliminationGame": False}
    return {"table": table, "player1": one, "player2": two, **told, **more}


NRTM = json.dumps({
    "name": "Autumn Run",
    "date": "2026-11-26",
    "cutToTop": 2,
    "preliminaryRounds": 2,
    "tournamentOrganiser": {"nrdbId": 12, "nrdbUsername": "somebody"},
    "players": [
        {"id": 11, "name": "Player 1", "rank": 1, "corpIdentity": "One", "runnerIdentity": "Two", "matchPoints": 6},
        {"id": 12, "name": "Player 2", "rank": 2, "pronouns": "they/them", "strengthOfSchedule": "1.5"},
        {"id": 13, "name": "Player 3", "rank": 3},
    ],
    "eliminationPlayers": [
        {"id": 12, "name": "Player 2", "rank": 1, "seed": 2},
        {"id": 11, "name": "Player 1", "rank": 2, "seed": 1},
    ],
    "rounds": [
        [
            _pairing(1, _seat(11, combinedScore=6), _seat(12, combinedScore=0)),
            _pairing(2, _seat(None, combinedScore=0), _seat(13, combinedScore=6)),
        ],
        [
            _pairing(1, _seat(12, combinedScore=3), _seat(13, combinedScore=3), intentionalDraw=True),
            _pairing(2, _seat(11, combinedScore=6), _seat(None)),
        ],
        [_pairing(1, _seat(11, winner=False), _seat(12, winner=True), eliminationGame=True)],
    ],
    "uploadedFrom": "Cobra",
    "links": [{"rel": "uploadedfrom", "href": "https://example.org/tournaments/1"}],
}).encode()  # fmt: skip

LIMITLESS_DETAILS = {
    "id": "63", "game": "PTCG", "format": "STANDARD", "name": "Night Cup", "date": "2026-11-26T15:00:00.000Z",
    "players": 4, "organizer": {"id": 1, "name": "Somebody"}, "platform": "PTCGL", "decklists": True,
    "isPublic": True, "isOnline": True,
    "phases": [
        {"phase": 1, "type": "SWISS", "rounds": 2, "mode": "BO1"},
        {"phase": 2, "type": "SINGLE_BRACKET", "rounds": 1, "mode": "BO3"},
    ],
}  # fmt: skip
LIMITLESS_STANDINGS = [
    {"player": "one", "name": "Player 1", "country": "FR", "placing": 1, "drop": None,
     "record": {"wins": 3, "losses": 0, "ties": 0}, "deck": {"id": "box", "name": "Box"},
     "decklist": {"pokemon": [{"count": 3, "set": "AAA", "number": "1", "name": "Card One"}],
                  "trainer": [{"count": 1, "set": "AAA", "number": "2", "name": "Card Two"}], "energy": []}},
    {"player": "two", "name": "Player 2", "placing": 2, "record": {}, "drop": None},
    {"player": "three", "name": "Player 3", "placing": 3, "record": {}, "drop": None},
    {"player": "four", "name": "Player 4", "placing": 4, "record": {}, "drop": 2},
    {"player": "five", "name": "Player 5", "placing": 5, "record": {}, "drop": 1},
]  # fmt: skip
LIMITLESS_PAIRINGS = [
    {"round": 1, "phase": 1, "table": 1, "player1": "one", "player2": "two", "winner": "one"},
    {"round": 1, "phase": 1, "table": 2, "player1": "three", "player2": "four", "winner": 0},
    {"round": 1, "phase": 1, "player1": "five", "winner": -1},
    {"round": 2, "phase": 1, "table": 1, "player1": "one", "player2": "three", "winner": "one"},
    {"round": 2, "phase": 1, "player1": "two", "winner": "two"},
    {"phase": 2, "round": 3, "match": "T4-1", "player1": "one", "player2": "four", "winner": "one"},
    {"phase": 2, "round": 3, "match": "T4-2", "player1": "two", "player2": "three", "winner": "two"},
    {"phase": 2, "round": 3, "match": "T2-1", "player1": "one", "player2": "two", "winner": "one"},
]
LIMITLESS = json.dumps({
    "details": LIMITLESS_DETAILS,
    "standings": LIMITLESS_STANDINGS,
    "pairings": LIMITLESS_PAIRINGS,
}).encode()


def _table(number: int | str, *players: int, winner: int | None = None, **more: object) -> dict[str, object]:
    return {
        "table": number,
        "players": [{"name": f"Player {each}", "id": f"u{each}"} for each in players],
        "winner": f"Player {winner}" if winner else None,
        "winner_id": f"u{winner}" if winner else None,
        "status": "Completed",
        **more,
    }


TOPDECK = json.dumps([{
    "TID": "abc",
    "tournamentName": "Harbour Open",
    "swissNum": 2,
    "startDate": 1795719600,
    "game": "Magic: The Gathering",
    "format": "Modern",
    "averageElo": 1500.5,
    "topCut": 4,
    "eventData": {"city": "Nantes", "location": "The Harbour", "lat": 47.2, "lng": -1.5},
    "standings": [
        {"standing": 1, "name": "Player 1", "id": "u1", "points": 6, "winRate": 1,
         "decklist": "~~Mainboard~~\n3 Card One\n1 Card Two\n\n~~Sideboard~~\n2 Card Three"},
        {"standing": 2, "name": "Player 2", "id": "u2", "points": 3, "decklist": "https://example.org/decks/2"},
        {"standing": 3, "name": "Player 3", "id": "u3", "points": 3, "deckObj": {
            "Mainboard": {"Card One": {"id": "x", "count": 4}}, "Sideboard": {"Card Four": {"id": "y", "count": 1}},
            "metadata": {"game": "Magic: The Gathering"}}},
        {"standing": 4, "name": "Player 4", "id": "u4", "points": 1},
        {"standing": 5, "name": "Player 5", "id": "u5", "points": 1},
    ],
    "rounds": [
        {"round": 1, "tables": [
            _table(1, 1, 2, winner=1, winner_games=2, loser_games=1),
            _table(2, 3, 4, winner=4, winner_games=2, loser_games=0),
            _table("Byes", 5, status="Bye"),
        ]},
        {"round": 2, "tables": [
            _table(1, 4, 1, winner=1, winner_games=2, loser_games=0),
            _table(2, 5, 2, winner_id="Draw"),
            _table("Byes", 3, status="Bye"),
        ]},
        {"round": "Top 4", "tables": [
            _table(1, 1, 3, winner=1, winner_games=2, loser_games=0),
            _table(2, 2, 4, winner=2, winner_games=2, loser_games=1),
        ]},
        {"round": "Top 2", "tables": [_table(1, 1, 2, status="Active")]},
    ],
}]).encode()  # fmt: skip

MELEE_STANDINGS = b"""\
Rank,Username,FirstName,LastName,Email,Points,MatchWins,MatchLoses,MatchDraws,OMW,Country
1,player_1,Player,1,one@example.org,6,2,0,0,0.5,FR
2,player_2,Player,2,,3,1,1,0,0.5,FR
1,player_2,Player,2,,6,2,1,0,0.5,FR
2,player_1,Player,1,one@example.org,6,2,1,0,0.5,FR
"""
MELEE_PAIRINGS = """\
Round;Table;Player 1;Player 2;Result
Round 1;1;Player 1;Player 2;Player 1 won 2-1-0
Round 1;2;Player 3;Player 4;0-0-3 Draw
Round 2;1;Player 1;Player 3;Player 3 won 2-0-0
Round 2;2;Player 4;Player 2;Player 4 forfeited the match
Semifinals;1;Player 1;Player 4;Player 1 won 2-0-0
Semifinals;2;Player 3;Player 2;Player 2 won 2-1-0
Finals;1;Player 1;Player 2;Not reported
""".encode("utf-16")
_CARDS = (
    '{"l":"card-one","n":"Card One","s":null,"q":3,"c":0,"t":"Unit"}|{"n":"Card Two","s":"Of Two Names","q":1,"c":6}'
)
_CARDS += '|{"n":"Card Three","s":"AB1","q":2,"c":99}'
MELEE_DECKLISTS = (
    "Name,OwnerDisplayName,OwnerUsername,Records\r\n"
    + 'A deck,Player 1,player_1,"{}"\r\n'.format(_CARDS.replace('"', '""'))
    + "Another deck,Player 2,player_2,none\r\n"
).encode()

CHALLONGE_PARTICIPANTS = b"Name,Seed,Misc,Email\nPlayer 1,1,,one@example.org\nPlayer 2,2,late,\n"
CHALLONGE_MATCHES = b"""\
Identifier,Round,Player 1,Player 2,Scores,Winner
A,1,Player 1,Player 4,2-0,Player 1
B,1,Player 2,Player 3,1-2,Player 3
C,2,Player 1,Player 3,2-1,Player 1
D,0,Player 4,Player 2,2-0,Player 4
"""
STARTGG = b"""\
Id,GamerTag,Short GamerTag,First Name,Last Name,Email,Checked In,Venue Type
101,TEAM | Player 1,Player 1,Ada,Lune,one@example.org,1,Competitor
102,Player 2,Player 2,,,,0,Spectator
"""
ROSTER = b"First name,Last name,Club\nAda,Lune,Corbeaux\nBo,Corbeau,\n"
