"""Reads Challonge: the JSON of its API, version 1 and 2.1, and tables of participants or of matches as CSV.

Source: api.challonge.com, "Tournaments", "Participants", "Matches". Challonge documents no CSV: the columns are named
after the fields of the API, as public programs have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.transfers.brought import ROUND_ROBIN, SWISS, Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import check_count, unreadable
from tournaments.transfers.formats.brackets import Numbered, guessed_kind, kind_of, stage_of
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import are_games, decided, scored, unfinished
from tournaments.transfers.formats.source import Sheet, Source
from tournaments.transfers.formats.values import Value

MOST_LIKELY_GAMES = 9  # a single score above this is points of a game, not games of a match
_SCORE = re.compile(r"\s*(-?[0-9]{1,6})\s*[-–:]\s*(-?[0-9]{1,6})\s*")
_SET_END = re.compile(r"[,;]")

PLAYER = ("id", "name", "display_name", "username", "challonge_username", "email", "invite_email", "seed", "active")
PLAYER_FOLLOWS = ("group_player_ids", "tournament_id", "group_id", "checked_in", "created_at", "updated_at", "states")
LOST_OF_PLAYER = {
    **dict.fromkeys(("final_rank", "ranked_member_id"), "ranks"),
    **dict.fromkeys(("email_hash", "participatable_or_invitation_attached", "user_id", "clinch"), "ids"),
}
TOURNAMENT = ("name", "tournament_type", "started_at", "start_at", "starts_at", "timestamps", "participants", "matches")

NAME = ("name", "participant", "participantname", "displayname", "player")
ACCOUNT = ("challongeusername", "challongeaccount")
LISTED = ("seed", "misc", "finalrank", "checkedin", *ACCOUNT)
ROUND, FIRST, SECOND = ("round",), ("player1", "participant1"), ("player2", "participant2")
SCORE, WINNER, ORDER = ("scores", "score", "scorescsv"), ("winner",), ("match", "identifier", "matchid", "id")
EMAIL = ("email", "emailaddress")


@dataclass
class _Event:
    """What the parts of a file say, whatever the version of the API."""

    name: str = ""
    kind: str = ""
    starts_at: datetime | None = None
    players: dict[str, BroughtPlayer] = field(default_factory=dict)
    seeds: dict[str, int] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)  # ids in groups
    inactive: set[str] = field(default_factory=set)
    seated: dict[str, bool] = field(default_factory=dict)  # who is in a match, in order: whether in one of a group
    groups: list[Numbered] = field(default_factory=list)
    matches: list[Numbered] = field(default_factory=list)
    losses: Losses = field(default_factory=Losses)


def recognizes(source: Source) -> bool:
    """Whether a file is an answer of the API or one of the two tables."""
    document = source.json
    for key in ("tournament", "participant", "match"):
        if document.items_hold(key) and _is_ours(Value(document.raw[0]).at(key)):
            return True
    if _is_ours(document.part("tournament")):
        return True
    if any(_is_ours_21(value) for value in _resources(document)):
        return True
    if document.holds("participants", "matches") and (
        document.at("participants").items_hold("participant") or document.at("matches").items_hold("match")
    ):
        return True
    return _is_matches(source.sheet) or _is_participants(source.sheet)


def _is_ours(value: Value) -> bool:
    return value.holds("id") and not value.keys().isdisjoint((
        "tournament_type",
        "tournament_id",
        "player1_id",
        "scores_csv",
        "participants_count",
    ))


def _is_ours_21(value: Value) -> bool:
    return (
        value.holds("type", "attributes")
        and isinstance(value.raw["type"], str)
        and value.raw["type"] in ("tournament", "participant", "match")
    )


def _resources(document: Value) -> Iterator[Value]:
    """The resources of an answer of version 2.1, and of several answers joined in one object."""
    for key in ("data", "included", "tournament", "participants", "matches"):
        part = document.part(key)
        if part.holds("data"):
            yield from _resources(part)
        elif isinstance(part.raw, list):
            yield from part.each()
        elif part.keys():
            yield part


def _is_matches(sheet: Sheet) -> bool:
    return sheet.has_any(*FIRST) and sheet.has_any(*SECOND) and sheet.has_any(*WINNER) and sheet.has_any(*SCORE)


def _is_participants(sheet: Sheet) -> bool:
    return sheet.has_any(*NAME) and len({*LISTED} & sheet.titles.keys()) >= 2 and not sheet.has_any("gamertag")


def read(source: Source) -> Brought:
    """Read a file."""
    event = _Event()
    if not source.looks_like_json:
        _read_table(source.sheet, event)
    elif any(_is_ours_21(value) for value in _resources(source.document)):
        _read_21(source.document, event)
    else:
        _read_1(source.document, event)
    return _made(event)


def _made(event: _Event) -> Brought:
    losses = event.losses
    players = list(event.players.values())
    if not players:
        players = [BroughtPlayer(key, key) for key in event.seated]
    if not event.matches and not event.groups:
        losses.add("matches_missing")
    stages: list[BroughtStage] = []
    if event.groups:
        losses.add("groups")
        stages.append(stage_of(ROUND_ROBIN, event.groups, players, (), losses))
    if event.matches:
        if not event.kind:
            losses.add("structure")
        kind = event.kind or guessed_kind(event.matches)
        stages.append(stage_of(kind, event.matches, players, _seeds(event, kind, players, stages), losses))
    stages = [replace(stage, rounds=structure.with_byes(stage.rounds)) for stage in stages]
    every = [matches for stage in stages for matches in stage.rounds]
    last = {key: number for number, matches in enumerate(every, 1) for key in structure.players_of([matches])}
    players = [
        replace(player, dropped_after=last.get(player.key, 0)) if player.key in event.inactive else player
        for player in players
    ]
    return assembled(
        "challonge",
        players,
        stages,
        losses,
        name=event.name,
        starts_at=event.starts_at,
    )


def _seeds(
    event: _Event, kind: str, players: Sequence[BroughtPlayer], before: Sequence[BroughtStage]
) -> tuple[str, ...]:
    """Who entered the last stage, best first: by the standings of the groups, or else by the seeds of the file."""
    entered = tuple(key for key, grouped in event.seated.items() if not grouped)
    if before:
        return structure.seeded(entered, players, before[0].rounds)
    if kind in (SWISS, ROUND_ROBIN):
        return ()
    return tuple(sorted(entered, key=lambda key: event.seeds.get(key, len(players) + 1)))


def _read_1(document: Value, event: _Event) -> None:
    """The answers of version 1: every object is in another one that names its kind."""
    tournament = document.part("tournament") or document
    if document.items_hold("tournament"):
        if len(document.raw) > 1:
            raise unreadable(_("The file has several tournaments: export one at a time."))
        tournament = next(document.each()).at("tournament")
    if isinstance(document.raw, list):
        participants = document if document.items_hold("participant") else Value(None)
        matches = document if document.items_hold("match") else Value(None)
    else:
        participants = tournament.at("participants") or document.at("participants")
        matches = tournament.at("matches") or document.at("matches")
    if tournament.keys():
        _read_tournament(tournament, event)
    for value in participants.each():
        _add_player(value.at("participant"), event)
    found = [value.at("match") for value in matches.each()]
    for number, value in enumerate(found):
        order = value.at("suggested_play_order").whole()
        _add_match(
            event,
            _Told(
                round=_first_unless(value.at("round").whole()),
                order=number if order is None else order,
                players=(value.at("player1_id").key(), value.at("player2_id").key()),
                winner=value.at("winner_id").key(),
                done=value.at("state").text() == "complete",
                score=value.at("scores_csv").text(),
                forfeit=bool(value.at("forfeited").flag()),
                grouped=value.at("group_id").raw is not None,
                path=value.path,
            ),
        )


def _read_tournament(value: Value, event: _Event) -> None:
    event.name = value.at("name").text()
    told = value.at("tournament_type").text()
    event.kind = kind_of(told)
    if told and not event.kind:
        raise unreadable(_("Events of this kind cannot be read: %(kind)s.") % {"kind": told}, value.path)
    stamps = value.part("timestamps")
    when = (value.at("start_at"), value.at("started_at"), stamps.at("starts_at"), stamps.at("started_at"))
    event.starts_at = next((found for each in when if (found := each.moment())), None)


def _add_player(value: Value, event: _Event, key: str = "") -> None:
    event.losses.keys(value, (*PLAYER, *PLAYER_FOLLOWS), LOST_OF_PLAYER)
    key = key or value.at("id").key()
    if key in event.players:
        raise unreadable(_("“%(key)s” is in the list of players twice.") % {"key": key}, value.path)
    name = value.first("name", "display_name", "username", "challonge_username").text()
    account = value.first("challonge_username", "username", "display_name").text()
    email = value.first("email", "invite_email").text()
    event.players[key] = BroughtPlayer(key, name or account or key, email=email)
    event.seeds[key] = value.at("seed").whole() or len(event.players)
    for alias in value.at("group_player_ids").each():
        event.aliases[alias.key()] = key
    active = value.at("active").flag()
    if active is False or (value.part("states").at("active").flag() is False):
        event.inactive.add(key)


@dataclass(frozen=True, slots=True)
class _Told:
    """A match as either version tells it."""

    round: int
    order: int
    players: tuple[str, str]
    winner: str
    done: bool
    score: str
    forfeit: bool
    grouped: bool
    path: str


def _first_unless(number: int | None) -> int:
    """The number of a round, the first one if it is missing; 0 is the match for the third place."""
    return 1 if number is None else number


def _add_match(event: _Event, told: _Told) -> None:
    first, second = (event.aliases.get(key, key) if told.grouped else key for key in told.players)
    # A player may wait for an opponent in the only match that the file has of them.
    for key in filter(None, (first, second)):
        event.seated[key] = told.grouped and event.seated.get(key, True)
    if not first or not second:
        event.losses.add("open_matches")
        return
    winner = event.aliases.get(told.winner, told.winner) if told.grouped else told.winner
    if winner and winner not in (first, second):
        raise unreadable(_("The winner is neither of the two players."), told.path)
    made = _result(first, second, winner, told, event.losses) if told.done else unfinished(first, second)
    (event.groups if told.grouped else event.matches).append(Numbered(told.round, told.order, made))


def _result(first: str, second: str, winner: str, told: _Told, losses: Losses) -> BroughtMatch:
    sets = [_SCORE.fullmatch(part) for part in _SET_END.split(told.score) if part.strip()]
    pairs = [(int(found[1]), int(found[2])) for found in sets if found]
    # A negative score is how organizers mark somebody who did not come.
    if told.forfeit or any(min(pair) < 0 for pair in pairs):
        return decided(first, second, winner, kind="forfeit") if winner else decided(first, second, "")
    if len(pairs) > 1:
        games = (sum(a > b for a, b in pairs), sum(b > a for a, b in pairs), sum(a == b for a, b in pairs))
        losses.add("game_points")
    else:
        games = (*pairs[0], 0) if pairs else (0, 0, 0)
        if max(games) > MOST_LIKELY_GAMES:
            losses.add("game_points")
            games = (0, 0, 0)
    leads = first if games[0] > games[1] else second if games[0] < games[1] else ""
    if any(games) and leads == winner and are_games(*games):
        return scored(first, second, games)
    return decided(first, second, winner)


def _read_21(document: Value, event: _Event) -> None:
    """The answers of version 2.1: resources with a type and attributes."""
    matches: list[Value] = []
    for value in _resources(document):
        kind, attributes = value.at("type").text(), value.at("attributes")
        if kind == "tournament":
            _read_tournament(attributes, event)
        elif kind == "participant":
            _add_player(attributes, event, value.at("id").key())
        elif kind == "match":
            matches.append(value)
    for number, value in enumerate(matches):
        attributes = value.at("attributes")
        order = attributes.at("suggested_play_order").whole()
        points = list(attributes.at("points_by_participant").each())
        linked = [value.part("relationships").part(key).part("data").part("id").key() for key in ("player1", "player2")]
        scored_by = [each.at("participant_id").key() for each in points]
        first, second = (here or there for here, there in zip(linked, [*scored_by, "", ""], strict=False))
        group = value.part("relationships").part("group").part("data") or attributes.at("group_id")
        _add_match(
            event,
            _Told(
                round=_first_unless(attributes.at("round").whole()),
                order=number if order is None else order,
                players=(first, second),
                winner=attributes.at("winner_id").key(),
                done=attributes.at("state").text() == "complete",
                score=_score_21(attributes),
                forfeit=bool(attributes.at("forfeited").flag()),
                grouped=group.raw is not None,
                path=value.path,
            ),
        )


def _score_21(attributes: Value) -> str:
    """The sets of a match as version 1 writes them."""
    sets = [[each.whole() or 0 for each in pair.each()] for pair in attributes.at("score_in_sets").each()]
    if sets and all(len(pair) == 2 for pair in sets):
        return ",".join(f"{first}-{second}" for first, second in sets)
    return attributes.at("scores").text()


def _read_table(sheet: Sheet, event: _Event) -> None:
    if _is_matches(sheet):
        _read_matches(sheet, event)
        return
    if not _is_participants(sheet):
        raise unreadable(_("These are not the columns of a file from Challonge."))
    event.losses.columns(sheet, (*NAME, *ACCOUNT, *EMAIL, "seed"), {"finalrank": "ranks"})
    for row in sheet.rows():
        name = row.text(*NAME) or row.text(*ACCOUNT)
        if name in event.players:
            raise unreadable(_("“%(key)s” is in the list of players twice.") % {"key": name}, row.where)
        event.players[name] = BroughtPlayer(name, name, email=row.text(*EMAIL))
        check_count(len(event.players))


def _read_matches(sheet: Sheet, event: _Event) -> None:
    event.losses.columns(sheet, (*ROUND, *FIRST, *SECOND, *SCORE, *WINNER, *ORDER, "state"), {})
    for number, row in enumerate(sheet.rows()):
        first, second, winner = row.text(*FIRST), row.text(*SECOND), row.text(*WINNER)
        score = row.text(*SCORE)
        done = bool(winner or score) and row.text("state") in ("", "complete")
        _add_match(
            event,
            _Told(
                _first_unless(row.whole(*ROUND)), number, (first, second), winner, done, score, False, False, row.where
            ),
        )
