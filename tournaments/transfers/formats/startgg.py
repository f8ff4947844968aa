"""Reads start.gg: the table of attendees as CSV, and answers of its GraphQL API with entrants and sets.

Source: developer.start.gg, "Sets in Event", "Event Entrants". The columns of the table are those that public programs
read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments.transfers.brought import SINGLE_ELIMINATION, SWISS, Brought, BroughtMatch, BroughtPlayer, BroughtStage
from tournaments.transfers.formats import rounds as structure
from tournaments.transfers.formats.assembly import assembled
from tournaments.transfers.formats.bounds import check_count, unreadable
from tournaments.transfers.formats.brackets import Numbered, guessed_kind, kind_of, stage_of
from tournaments.transfers.formats.losses import Losses
from tournaments.transfers.formats.matches import are_games, decided, scored, unfinished
from tournaments.transfers.formats.source import Sheet, Source
from tournaments.transfers.formats.values import Value

TAG, ID, EMAIL = ("shortgamertag", "gamertag"), ("id",), ("email", "emailaddress")
GIVEN, FAMILY = ("firstname",), ("lastname",)
LOST_COLUMNS = {
    **dict.fromkeys(("pronouns", "genderpronoun"), "pronouns"),
    **dict.fromkeys(("phone", "phonenumber", "discord", "discordid", "twitter", "connect"), "contacts"),
    **dict.fromkeys(("country", "state", "city", "zipcode", "address"), "federations"),
    **dict.fromkeys(("birthday", "dateofbirth"), "birth_dates"),
}
FINISHED, DISQUALIFIED = 3, -1
_SCORES = re.compile(r"^(?P<one>.+?) (?P<first>[0-9]{1,3}) - (?P<two>.+) (?P<second>[0-9]{1,3})$")
_BRACKET = re.compile(r"winners|losers|grand|quarter|semi|final", re.IGNORECASE)


def recognizes(source: Source) -> bool:
    """Whether a file is a table with gamer tags, or an answer with sets or entrants of an event."""
    event = _event(source.json)
    if event.part("sets").holds("nodes") or event.part("entrants").holds("nodes"):
        return True
    sheet = source.sheet
    return sheet.has("shortgamertag") or sheet.has("gamertag", "id")


def _event(document: Value) -> Value:
    """The event of an answer, with or without what is around it; a phase or a phase group in its place."""
    data = document.part("data") if document.holds("data") else document
    found = (data.part(key) for key in ("event", "phase", "phaseGroup"))
    return next((event for event in found if event.keys()), Value(None))


def read(source: Source) -> Brought:
    """Read a file."""
    if source.looks_like_json:
        return _read_json(_event(source.document))
    losses = Losses()
    losses.columns(source.sheet, (*TAG, *ID, *EMAIL, *GIVEN, *FAMILY), LOST_COLUMNS)
    return assembled("startgg", _attendees(source.sheet), losses=losses)


def _attendees(sheet: Sheet) -> list[BroughtPlayer]:
    if not sheet.has_any(*TAG):
        raise unreadable(_("These are not the columns of a file from start.gg."))
    found: dict[str, BroughtPlayer] = {}
    for row in sheet.rows():
        given, family = row.text(*GIVEN), row.text(*FAMILY)
        name = row.text(*TAG) or f"{given} {family}".strip()
        key = row.text(*ID) or name
        if key in found:
            raise unreadable(_("“%(key)s” is in the list of players twice.") % {"key": key}, row.where)
        found[key] = BroughtPlayer(key, name, given, family, email=row.text(*EMAIL))
        check_count(len(found))
    return list(found.values())


@dataclass
class _Phase:
    """The sets of a phase, and what it is."""

    kind: str = ""
    order: int = 0
    labels: list[str] = field(default_factory=list)
    matches: list[Numbered] = field(default_factory=list)


def _read_json(event: Value) -> Brought:
    losses = Losses()
    read = ("name", "startAt", "sets", "entrants", "tournament", "bracketType")
    losses.keys(event, read, {"id": "ids", "slug": "ids", "videogame": "game", "standings": "ranks", "state": "keys"})
    players = _entrants(event.at("entrants"), losses)
    listed = bool(players)
    phases: dict[str, _Phase] = {}
    for number, value in enumerate(event.at("sets").at("nodes").each()):
        seats = [slot.at("entrant") for slot in value.at("slots").each()]
        keys = [seat.at("id").key() for seat in seats]
        if not listed:  # also those who wait for an opponent
            for key, seat in zip(keys, seats, strict=True):
                if key:
                    players.setdefault(key, BroughtPlayer(key, seat.at("name").text() or key))
        if len(keys) != 2 or not all(keys):
            losses.add("open_matches")
            continue
        phase = _phase(value, phases, event)
        phase.labels.append(value.at("fullRoundText").text())
        made = Numbered(value.at("round").whole() or 1, number, _match(value, keys, seats))
        phase.matches.append(made)
    _check_whole(event, losses)
    if not phases:
        losses.add("matches_missing")
    stages = _stages(phases, list(players.values()), losses)
    tournament = event.at("tournament")
    name = " – ".join(filter(None, (tournament.part("name").text(), event.at("name").text())))
    return assembled(
        "startgg",
        players.values(),
        stages,
        losses,
        name=name,
        starts_at=event.at("startAt").moment(),
    )


def _check_whole(event: Value, losses: Losses) -> None:
    """The API answers in pages. A page alone would be an event with holes."""
    for key in ("sets", "entrants"):
        pages = event.at(key).part("pageInfo")
        total, here = pages.part("total").whole(), len(list(event.at(key).part("nodes").each()))
        if total is not None and total > here:
            why = _("This is one page of several: it has %(here)d of %(total)d. Ask for all of them in one answer.")
            raise unreadable(why % {"here": here, "total": total}, key)


def _entrants(value: Value, losses: Losses) -> dict[str, BroughtPlayer]:
    found: dict[str, BroughtPlayer] = {}
    for entrant in value.at("nodes").each():
        members = list(entrant.at("participants").each())
        if len(members) > 1:
            raise unreadable(_("Teams of several players cannot be read."), entrant.path)
        losses.keys(entrant, ("id", "name", "participants"), {"standing": "ranks", "seeds": "ranks"})
        key = entrant.at("id").key()
        tag = members[0].part("gamerTag").text() if members else ""
        email = members[0].part("email").text() if members else ""
        if key in found:
            raise unreadable(_("“%(key)s” is in the list of players twice.") % {"key": key}, entrant.path)
        found[key] = BroughtPlayer(key, tag or entrant.at("name").text() or key, email=email)
    return found


def _phase(value: Value, phases: dict[str, _Phase], event: Value) -> _Phase:
    group = value.part("phaseGroup")
    phase = group.part("phase")
    key = phase.part("id").key() or group.part("id").key()
    if key not in phases:
        told = [group.part("bracketType"), phase.part("bracketType"), event.part("bracketType")]
        kind = next((found for each in told if (found := kind_of(each.text()))), "")
        order = phase.part("phaseOrder").whole()
        phases[key] = _Phase(kind, len(phases) if order is None else order)
    return phases[key]


def _match(value: Value, keys: Sequence[str], seats: Sequence[Value]) -> BroughtMatch:
    first, second = keys
    winner, state = value.at("winnerId").key(), value.at("state").raw
    if winner and winner not in keys:
        raise unreadable(_("The winner is neither of the two players."), value.path)
    if not winner and state not in (FINISHED, "COMPLETED"):
        return unfinished(first, second)
    shown = value.at("displayScore").text()
    scores = _scores(value, shown, [seat.at("name").text() for seat in seats])
    if shown.upper() == "DQ" or (scores and min(scores) == DISQUALIFIED):
        return decided(first, second, winner, kind="forfeit") if winner else unfinished(first, second)
    if scores and any(scores) and are_games(*scores):
        leads = first if scores[0] > scores[1] else second if scores[0] < scores[1] else ""
        if leads == winner:
            return scored(first, second, (scores[0], scores[1], 0))
    return decided(first, second, winner)


def _scores(value: Value, shown: str, names: Sequence[str]) -> tuple[int, int] | None:
    found = [
        slot.part("standing").part("stats").part("score").part("value").whole() for slot in value.at("slots").each()
    ]
    if len(found) == 2 and found[0] is not None and found[1] is not None:
        return found[0], found[1]
    told = _SCORES.match(shown)
    if not told:
        return None
    first, second = int(told["first"]), int(told["second"])
    return (second, first) if told["one"] == names[1] and told["two"] == names[0] else (first, second)


def _stages(phases: dict[str, _Phase], players: Sequence[BroughtPlayer], losses: Losses) -> list[BroughtStage]:
    stages: list[BroughtStage] = []
    rounds: list[structure.Round] = []
    for phase in sorted(phases.values(), key=lambda phase: phase.order):
        kind = phase.kind
        if not kind:
            losses.add("structure")
            kind = guessed_kind(phase.matches)
            if kind == SINGLE_ELIMINATION and not any(map(_BRACKET.search, phase.labels)):
                kind = SWISS
        entered = structure.players_of([tuple(each.match for each in phase.matches)])
        seeds = structure.seeded(entered, players, rounds) if stages or kind not in (SWISS, "round_robin") else ()
        # In a later Swiss phase, those who did not advance have no match.
        there = [player for player in players if player.key in entered] if stages else players
        stage = stage_of(kind, phase.matches, there, seeds, losses)
        stages.append(BroughtStage(stage.kind, structure.with_byes(stage.rounds), seeds=stage.seeds))
        rounds += stage.rounds
    return stages
