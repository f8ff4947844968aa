"""Reads what melee.gg hands out: tables of standings, of pairings and of decklists as CSV, and matches as JSON.

None of them is documented by melee.gg. The columns of standings and decklists and the keys of matches are those that
public programs read; the columns of pairings are the words that its pages use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournaments.common.letters import folded
from tournaments.transfers.brought import Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats import decks
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import MAX_DECKLIST, check_count, unreadable
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import agreed, alone, are_games, both_lost, decided, scored, unfinished
from tournaments.transfers.formats.source import Row, Sheet, Source
from tournaments.transfers.formats.values import Value

GIVEN, FAMILY = ("firstname", "ownerfirstname"), ("lastname", "ownerlastname")
NAME = ("displayname", "name", "player", "playername", "team", "fullname")
USER = ("username", "playerusername")
OWNER_NAME, OWNER_USER = ("ownernamefirstlast", "ownerdisplayname"), ("ownerusername",)
EMAIL = ("email", "emailaddress", "owneremail")
RECORDS = "records"
ROUND, TABLE, RESULT = ("round", "roundnumber", "roundname"), ("table", "tablenumber"), ("result", "resultstring")
FIRST, SECOND = ("player1", "team1", "competitor1"), ("player2", "team2", "competitor2")
POINTS = ("rank", "points", "matchwins", "matchloses", "matchlosses", "matchdraws", "matchrecord", "gamerecord")
LOST_COLUMNS = {
    **dict.fromkeys(POINTS, "ranks"),
    **dict.fromkeys(("omw", "omwp", "tgw", "ogw", "opponentmatchwinpercentage", "teamgamewinpercentage"), "ranks"),
    "opponentgamewinpercentage": "ranks",
    **dict.fromkeys(("decklistname", "archetype"), "deck_names"),
    **dict.fromkeys(("guid", "id", "decklistid", "tournamentid", "playerid", "linktodecklist"), "ids"),
    **dict.fromkeys(("pronouns",), "pronouns"),
    **dict.fromkeys(("country", "region", "state", "city"), "federations"),
}
LEADER, BASE, MAIN, SIDE = 6, 7, 0, 99  # categories of cards
_SCORE = re.compile(r"([0-9]{1,3})\s*[-–]\s*([0-9]{1,3})(?:\s*[-–]\s*([0-9]{1,3}))?")
_SET = re.compile(r"[A-Z0-9]{2,5}")
BYE, DRAW, FORFEIT, LOSS = "bye", "draw", "forfeit", "loss"


def recognizes(source: Source) -> bool:
    """Whether a file is a table of standings, pairings or decklists of melee.gg, or its matches as JSON."""
    document = source.json
    if document.holds("Matches"):
        document = document.at("Matches")
    elif document.holds("data", "recordsTotal"):
        document = document.at("data")
    if document.items_hold("Competitors"):
        return True
    sheet = source.sheet
    return _is_decklists(sheet) or _is_standings(sheet) or _is_pairings(sheet)


def _is_decklists(sheet: Sheet) -> bool:
    return sheet.has(RECORDS) and sheet.has_any(*OWNER_NAME, *OWNER_USER)


def _is_standings(sheet: Sheet) -> bool:
    named = sheet.has_any(*NAME, *USER) or sheet.has("firstname", "lastname")
    return named and sheet.has("rank", "points") and sheet.has_any("matchwins", "matchrecord", "matchloses")


def _is_pairings(sheet: Sheet) -> bool:
    return sheet.has_any(*FIRST) and sheet.has_any(*SECOND) and sheet.has_any(*RESULT) and sheet.has_any(*ROUND, *TABLE)


def read(source: Source) -> Brought:
    """Read a file. Standings and decklists have players only, pairings and matches have both."""
    if source.looks_like_json:
        return _read_json(source.document)
    sheet, losses = source.sheet, Losses()
    if _is_decklists(sheet):
        losses.columns(sheet, (*OWNER_NAME, *OWNER_USER, *EMAIL, *GIVEN, *FAMILY, RECORDS), LOST_COLUMNS)
        return assembled("melee", _from_decklists(sheet, losses), losses=losses)
    if _is_standings(sheet):
        losses.columns(sheet, (*NAME, *USER, *EMAIL, *GIVEN, *FAMILY), LOST_COLUMNS)
        losses.add("matches_missing")
        return assembled("melee", _from_standings(sheet), losses=losses)
    if not _is_pairings(sheet):
        raise unreadable(_("These are not the columns of a file from melee.gg."))
    losses.columns(sheet, (*ROUND, *TABLE, *RESULT, *FIRST, *SECOND), LOST_COLUMNS)
    return _from_pairings(sheet, losses)


def _person(row: Row, name: Sequence[str], user: Sequence[str]) -> BroughtPlayer:
    given, family = row.text(*GIVEN), row.text(*FAMILY)
    whole = row.text(*name) or f"{given} {family}".strip() or row.text(*user)
    key = row.text(*user) or whole
    return BroughtPlayer(key, whole, given, family, email=row.text(*EMAIL))


def _from_standings(sheet: Sheet) -> list[BroughtPlayer]:
    """The players of a table that may have several phases below each other: there the ranks begin again."""
    found: dict[str, BroughtPlayer] = {}
    seen: set[str] = set()
    before = 0
    for row in sheet.rows():
        rank = row.number_in("rank") or 0
        if rank < before:
            seen = set()
        before = rank
        player = _person(row, NAME, USER)
        if player.key in seen:
            raise unreadable(_("“%(key)s” is in the list of players twice.") % {"key": player.key}, row.where)
        seen.add(player.key)
        found.setdefault(player.key, player)
        check_count(len(found))
    return list(found.values())


def _from_decklists(sheet: Sheet, losses: Losses) -> list[BroughtPlayer]:
    found: dict[str, BroughtPlayer] = {}
    for row in sheet.rows():
        player = _person(row, OWNER_NAME, OWNER_USER)
        if player.key in found:
            losses.add("decklists", player.name)  # a second list of the same player, for another format
            continue
        decklist = _decklist(row.cells.get(RECORDS, ""))
        if not decklist:
            losses.add("decklists")
        found[player.key] = BroughtPlayer(
            player.key, player.name, player.given_name, player.family_name, email=player.email, decklist=decklist
        )
    return list(found.values())


def _decklist(records: str) -> str:
    """The text of a list whose cards are objects `n` (name), `s` (subtitle or set), `q` (number), `c` (category)."""
    if len(records) > 4 * MAX_DECKLIST:
        return ""
    text = records.strip()
    try:
        cards = json.loads(text if text.startswith("[") else "[" + re.sub(r"\}\s*\|\s*\{", "},{", text) + "]")
    except (ValueError, RecursionError):
        return ""
    zones: dict[bool, list[str]] = {False: [], True: []}
    for card in cards:
        if not isinstance(card, dict):
            return ""
        count, name, more = card.get("q"), card.get("n"), card.get("s")
        if not isinstance(count, int) or not isinstance(name, str):
            return ""
        if isinstance(more, str) and more and not _SET.fullmatch(more):
            name = f"{name} | {more}"
        zones[card.get("c") == SIDE].append(decks.line(count, name))
    return decks.listed(zones[False], zones[True])


def _from_pairings(sheet: Sheet, losses: Losses) -> Brought:
    players: dict[str, BroughtPlayer] = {}
    found: list[tuple[str, BroughtMatch]] = []
    for row in sheet.rows():
        first, second = row.text(*FIRST), row.text(*SECOND)
        if folded(second) in (BYE, "-", ""):
            second = ""
        if not first:
            raise unreadable(_("The first player of this match is missing."), row.where)
        for name in filter(None, (first, second)):
            players.setdefault(name, BroughtPlayer(name, name))
        check_count(len(players))
        found.append((row.text(*ROUND), _told(first, second, row.text(*RESULT), row.number_in(*TABLE))))
    rounds = structure.grouped(found)
    return _assembled(players, rounds, losses)


def _assembled(
    players: dict[str, BroughtPlayer], rounds: dict[str, structure.Round], losses: Losses, name: str = ""
) -> Brought:
    cut_named = [label for label in rounds if structure.is_cut(label)]
    every = tuple(rounds.values())
    at = len(rounds) - len(cut_named) if cut_named else structure.split_at_cut(every)
    if not cut_named:
        losses.add("structure")
    swiss, cut = structure.with_byes(every[:at]), every[at:]
    stages = [BroughtStage(rounds=swiss)]
    if cut:
        seeds = structure.seeded(structure.players_of(cut), list(players.values()), swiss)
        stages.append(structure.bracket(cut, seeds))
    return assembled("melee", players.values(), stages, losses, name=name)


def _told(first: str, second: str, result: str, table: int | None) -> BroughtMatch:
    """A match from the sentence of its result, such as `Player 12 won 2-1-0` or `0-0-3 Draw`."""
    plain = folded(result)
    if not second:
        return alone(first, "zero_bye" if LOSS in plain or FORFEIT in plain else "bye")
    starts = {seat: plain.startswith(folded(seat)) for seat in (first, second)}
    named = max((seat for seat in (first, second) if starts[seat]), key=len, default="")
    # The name may have a score or "draw" in it.
    plain = plain[len(folded(named)) :] if named else plain
    score = _SCORE.search(plain)
    games = (int(score[1]), int(score[2]), int(score[3] or 0)) if score else None
    if games and not are_games(*games):
        games = None
    if FORFEIT in plain and named:
        return decided(first, second, second if named == first else first, table, "forfeit")
    if "double" in plain or "both" in plain:
        return both_lost(first, second, table)
    if games and games[:2] == (0, 0) and games[2]:
        return agreed(first, second, table, games)
    if DRAW in plain and not games:
        return decided(first, second, "", table)
    if not games:
        return unfinished(first, second, table)
    one, two, drawn = games
    # Beside a name, the score is the winner's.
    turned = (named == second and one > two) or (named == first and one < two)
    return scored(first, second, (two, one, drawn) if turned else games, table)


def _read_json(document: Value) -> Brought:
    losses = Losses()
    name = ""
    if document.keys():
        losses.keys(document, ("Matches", "data", "Name", "recordsTotal", "recordsFiltered", "draw"), {"ID": "ids"})
        name = document.at("Name").text()
        document = document.first("Matches", "data")
    players: dict[str, BroughtPlayer] = {}
    found: list[tuple[tuple[int, int], BroughtMatch]] = []
    for value in document.each():
        if match := _match(value, players, losses):
            at = value.at("RoundNumber").whole() or 0
            found.append(((at, value.at("RoundId").whole() or at), match))
    rounds = structure.grouped(found)
    ordered = {str(number): rounds[key] for number, key in enumerate(sorted(rounds, key=lambda key: (key[1], key[0])))}
    return _assembled(players, ordered, losses, name)


def _match(value: Value, players: dict[str, BroughtPlayer], losses: Losses) -> BroughtMatch | None:
    competitors = sorted(value.at("Competitors").each(), key=lambda each: each.at("SortOrder").whole() or 0)
    keys = []
    for each in competitors:
        members = list(each.at("Team").at("Players").each())
        if len(members) != 1:
            raise unreadable(_("Teams of several players cannot be read."), each.path)
        key = members[0].first("Username", "ID").key()
        shown = members[0].first("DisplayName", "Username").text() or key
        players.setdefault(key, BroughtPlayer(key, shown))
        if each.at("Decklists"):
            losses.add("deck_links")
        keys.append(key)
    if not keys:
        losses.add("open_matches")
        return None
    result, table = folded(value.at("ResultString").text()), value.at("TableNumber").whole()
    if len(keys) == 1:
        told = result + folded(value.at("ByeReasonDescription").text())
        return alone(keys[0], "zero_bye" if LOSS in told or FORFEIT in told else "bye")
    if len(keys) > 2:
        raise unreadable(_("A match has at most two players."), value.path)
    if not value.at("HasResult").flag():
        return unfinished(keys[0], keys[1], table)
    wins = [each.at("GameWins").whole() or 0 for each in competitors]
    games = (wins[0], wins[1], value.at("GameDraws").whole() or 0)
    return _with_games(keys, [players[key].name for key in keys], games, result, table)


def _with_games(
    keys: Sequence[str], names: Sequence[str], games: tuple[int, int, int], result: str, table: int | None
) -> BroughtMatch:
    first, second = keys
    if FORFEIT in result:
        named = [result.startswith(folded(name)) for name in names]
        if named[0] != named[1]:
            return decided(first, second, second if named[0] else first, table, "forfeit")
    if "double" in result:
        return both_lost(first, second, table)
    if games[:2] == (0, 0) and games[2]:
        return agreed(first, second, table, games)
    return scored(first, second, games, table)
