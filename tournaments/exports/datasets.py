"""The tables of an event that can be exported (`TABLES`).

Column names are the same in all languages. Draft pairings are never included.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404

from tournaments.common.csv_tables import Row, Table
from tournaments.decks.access import lists_are_open
from tournaments.decks.engine_gate import card_names
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_lists
from tournaments.events.models import Answer, Event, Member, Stage
from tournaments.events.selectors import (
    current_stage,
    full_names,
    members_named,
    off_stream,
    public_names,
    stages_begun,
)
from tournaments.events.visibility import STAFF
from tournaments.play.access import shown_rounds
from tournaments.play.models import Board, Seat
from tournaments.standings.awards import awards_of
from tournaments.standings.boards import board_standings
from tournaments.standings.metagame import Group
from tournaments.standings.selectors import final_rows, stage_to_show, standings_of
from tournaments.standings.statistics import BY, metagame_of


def as_json(event: Event, table: Table) -> bytes:
    """A table as a JSON document: the event, the name of the table, its rows."""
    document = {"event": event.public_id, "table": table.name, "rows": table.as_dicts()}
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def exported_stage(event: Event, number: int | None) -> Stage:
    """The stage of this number whose standings are exported, or the newest with results; 404 if it has not begun."""
    if number is None:
        return stage_to_show(event)
    found = next((stage for stage in stages_begun(event) if stage.number == number), None)
    if found is None:
        raise Http404
    return found


def table_of(event: Event, name: str, readers: Collection[str], stage: int | None = None) -> Table:
    """The current table `name` of an event, without the rounds that readers of these kinds may not see.

    `stage` is the number of the stage whose standings are wanted, by default the newest with results.

    `readers` are those of `events.access.readers_of`. Only staff get the names of players who chose to stay off
    streams. Raises KeyError for an unknown table.
    """
    table = _standings(event, readers, stage) if name == "standings" else TABLES[name](event, readers)
    if "entrant" not in table.columns:
        return table
    withheld = set() if STAFF in readers else set(off_stream(event).values())
    who, at = table.columns.index("entrant"), table.columns.index("name")
    # The row stays, with its id, so that results and standings in the file still add up.
    rows = tuple((*row[:at], "", *row[at + 1 :]) if row[who] in withheld else row for row in table.rows)
    return replace(table, rows=rows)


def _names(event: Event, readers: Collection[str]) -> dict[str, str]:
    """The names of entrants by public id, as these readers may see them."""
    return full_names(event) if STAFF in readers else public_names(event)


def _entrants(event: Event, readers: Collection[str]) -> Table:
    names = _names(event, readers)
    of_entrant = ("status", "registered_at", "checked_in_at", "dropped_after")
    columns = ("entrant", "name", *of_entrant)
    found = event.entrants.order_by("registered_at", "pk").values_list("public_id", *of_entrant)
    rows = ((public_id, names[public_id], *said) for public_id, *said in found)
    return Table("entrants", columns, tuple(rows))


def _answers(event: Event, readers: Collection[str]) -> Table:
    """A row per entrant: how a consent was given, and the answers to the event's questions, removed ones included."""
    names = full_names(event)
    asked = list(event.questions.order_by("position", "number"))
    given: dict[int, dict[int, str]] = defaultdict(dict)
    found = Answer.objects.filter(question__event=event)
    for person, question, text in found.values_list("person", "question", "text"):
        given[person][question] = text
    consents = dict(event.consents.values_list("person", "how"))
    columns = ("entrant", "name", "status", "consent", *(f"{each.number}. {each.label}" for each in asked))
    members = Member.objects.filter(event=event).order_by("entrant__registered_at", "pk")
    rows = (
        (public_id, names[public_id], status, consents.get(person), *(given[person].get(each.pk) for each in asked))
        for public_id, status, person in members.values_list("entrant__public_id", "entrant__status", "person")
    )
    return Table("answers", columns, tuple(rows))


SEATED = ("stage", "round", "table", "match", "seat", "entrant", "name")
ORDER = ("match__round__stage__number", "match__round__number", "match__table", "match", "number")


def _seats(event: Event, readers: Collection[str], *figures: str, **where: object) -> Iterator[Row]:
    """Yield a row per seat, followed by its `figures`. It takes two queries and loads no models, however large."""
    names = _names(event, readers)
    seats = Seat.objects.filter(match__round__in=shown_rounds(event, readers), **where).order_by(*ORDER)
    seated = (*ORDER[:3], "match__public_id", "number", "entrant__public_id")
    for row in seats.values_list(*seated, *figures):
        at, (entrant, *said) = row[: len(seated) - 1], row[len(seated) - 1 :]
        yield (*at, entrant, names[entrant], *said)


def _pairings(event: Event, readers: Collection[str]) -> Table:
    """A row per seat; a bye has one seat and no table."""
    return Table("pairings", SEATED, tuple(_seats(event, readers)))


def _results(event: Event, readers: Collection[str]) -> Table:
    """A row per seat of the matches that have an undisputed result."""
    columns = (*SEATED, "kind", "authority", "games_won", "games_drawn", "points", "rank", "score")
    figures = ("match__kind", "match__authority", "games_won", "match__games_drawn", "points", "rank", "score")
    counts = {"match__games_drawn__isnull": False, "match__disputed": False}
    return Table("results", columns, tuple(_seats(event, readers, *figures, **counts)))


def _standings(event: Event, readers: Collection[str], number: int | None = None) -> Table:
    """The newest standings of a stage. `round` is the last closed round that they include.

    Each tiebreak has two columns: a decimal for spreadsheets, and the exact fraction.
    """
    stage = exported_stage(event, number)
    state = standings_of(stage)
    names, after = _names(event, readers), stage.first_round - 1 + state.round_number
    exact = [f"{term}_exact" for term in state.terms]
    columns = (*RANKED, *state.terms, *exact, "stage", "round")
    rows = (
        (
            *_ranked(row, names),
            *(row[term] for term in state.terms),
            *(_survives(row["exact"][term]) for term in state.terms),
            stage.number,
            after,
        )
        for row in state.rows
    )
    return Table("standings", columns, tuple(rows))


def _final(event: Event, readers: Collection[str]) -> Table:
    """One ranking over all stages; `stage` and `structure` are those of the stage that decided the rank."""
    names = _names(event, readers)
    kinds = dict(event.stages.values_list("number", "kind"))
    rows = ((*_ranked(row, names), row["stage"], kinds.get(row["stage"], "")) for row in final_rows(event))
    return Table("final", (*RANKED, "stage", "structure"), tuple(rows))


def _categories(event: Event, readers: Collection[str]) -> Table:
    """A row per winner of a prize category; `group` is the club or faction whose best it is."""
    names = _names(event, readers)
    columns = ("category", "category_name", "rule", "group", "rank", "entrant", "name")
    rows = (
        (award.category.number, award.category.name, award.category.rule, award.group, award.rank, who, names.get(who))
        for award in awards_of(event, decks=lists_are_open(event, readers))
        for who in award.entrants
    )
    return Table("categories", columns, tuple(rows))


RANKED = ("rank", "entrant", "name", "points", "won", "lost", "drawn", "byes")


def _ranked(row: Mapping[str, Any], names: Mapping[str, str]) -> Row:
    """The columns that all standings have. Wins, losses and draws are split: spreadsheets take `2-1-0` for a date."""
    who = row["entrant"]
    return (row["rank"], who, names.get(who, ""), row["points"], *row["record"], row.get("byes", 0))


def _survives(fraction: str) -> str:
    """An exact fraction in a form that no spreadsheet takes for a date: `2 ÷ 3` for `2/3`."""
    return fraction.replace("/", " ÷ ")


def _decks(event: Event, readers: Collection[str]) -> Table:
    """A row per card of the current decklists; `part` is `commander`, `main` or `side`.

    In a team event `member` and `member_name` say whose list it is.
    """
    lists = current_lists(current_stage(event)).select_related("entrant", "member__person")
    lists = lists.order_by("entrant__registered_at", "pk")
    found, players = list(lists), _names(event, readers)
    names = card_names(event) if found else {}
    columns: tuple[str, ...] = ("entrant", "name", "version", "digest", "legal", "part", "card", "card_name", "copies")
    if event.is_team_event:
        columns = (*columns, "member", "member_name")
    rows = (
        (
            each.entrant.public_id,
            players[each.entrant.public_id],
            each.version,
            each.digest,
            each.legal,
            part,
            ref,
            names.get(ref, ref),
            copies,
            *_member(each),
        )
        for each in found
        for part, value in each.cards.items()
        if value
        # The commander is a single reference, the other parts are copies by reference.
        for ref, copies in (value.items() if isinstance(value, dict) else ((str(value), 1),))
    )
    return Table("decks", columns, tuple(rows))


def _member(decklist: Decklist) -> tuple[str, ...]:
    """The person whose list it is, and the public name; empty for an entrant of one."""
    if decklist.member is None:
        return ()
    decklist.member.entrant = decklist.entrant  # its name depends on the entrant, which is loaded already
    return decklist.member.person.public_id, decklist.member.name


def _rate(group: Group) -> tuple[float | None, ...]:
    """The win rate and its bounds; None if no match was decisive."""
    return (group.rate, *(group.interval or (None, None)))


def _metagame(event: Event, readers: Collection[str]) -> Table:
    """A row per leader and a row per set of factions, with the win rate of decisive matches and its 95 % interval."""
    columns = ("by", "name", "decks", "share", "won", "lost", "drawn", "rate", "low", "high")
    rows = (
        (
            by,
            group.name,
            group.decks,
            round(group.share, 4),
            group.won,
            group.lost,
            group.drawn,
            *(None if figure is None else round(figure, 4) for figure in _rate(group)),
        )
        for by in BY
        for group in metagame_of(event, by, "en").groups
    )
    return Table("metagame", columns, tuple(rows))


def _boards(event: Event, readers: Collection[str]) -> Table:
    """The board standings of the current stage of a team event: a row per member and board."""
    columns = (
        *("board", "rank", "person", "name", "entrant", "team", "team_rank", "points", "won", "lost", "drawn"),
        *("games_won", "games_lost"),
    )
    rows = (
        (
            row.board,
            row.rank,
            row.person,
            row.name,
            row.entrant,
            row.team,
            row.team_rank,
            float(row.points),
            row.tally.won,
            row.tally.lost,
            row.tally.drawn,
            row.tally.games_won,
            row.tally.games_lost,
        )
        for row in board_standings(stage_to_show(event))
    )
    return Table("boards", columns, tuple(rows))


def _board_results(event: Event, readers: Collection[str]) -> Table:
    """The boards of a team event: a row per member who sits at one. Games are empty until the match has a result."""
    columns = (
        *("stage", "round", "table", "match", "board", "seat", "entrant", "team", "name"),
        *("games_won", "games_lost", "games_drawn"),
    )
    teams = _names(event, readers)
    members = members_named(Member.objects.filter(event=event), full=STAFF in readers)
    boards = Board.objects.filter(match__round__in=shown_rounds(event, readers)).order_by(*ORDER)
    placed = ("match__public_id", "match__disputed", "games_drawn")
    sides = [(side, f"{side}__entrant__public_id", f"{side}_games") for side in ("first", "second")]
    rows: list[Row] = []
    for stage, round_, table, _match, number, match, disputed, drawn, *seated in boards.values_list(
        *ORDER, *placed, *sides[0], *sides[1]
    ):
        first, second = seated[:3], seated[3:]
        for seat, (own, other) in enumerate(((first, second), (second, first)), start=1):
            games = (None, None, None) if disputed else (own[2], other[2], drawn)
            who = (own[1], teams[own[1]], members[own[0]].name)
            rows.append((stage, round_, table, match, number, seat, *who, *games))
    return Table("board_results", columns, tuple(rows))


TABLES: Mapping[str, Callable[[Event, Collection[str]], Table]] = {
    "entrants": _entrants,
    "answers": _answers,
    "pairings": _pairings,
    "results": _results,
    "standings": _standings,
    "final": _final,
    "categories": _categories,
    "boards": _boards,
    "board_results": _board_results,
    "decks": _decks,
    "metagame": _metagame,
}
