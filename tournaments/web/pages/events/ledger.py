"""The lines of the ledger page: codes as words, and ids as names as long as the names exist."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.play.models import Match
from tournaments.web.words.ledger import LEDGER

LISTED = 20  # items of a list; the API has all of them


@dataclass(frozen=True)
class Line:
    """One ledger entry in words."""

    number: int
    at: datetime
    who: str
    what: object
    about: str
    before: str
    after: str
    note: str
    hash: str


def lines_of(event: Event, entries: Sequence[LedgerEntry]) -> list[Line]:
    """Ledger entries in words. The number of queries does not grow with them."""
    names = names_of(entries)
    return [
        Line(
            number=entry.number,
            at=entry.at,
            who=names.get(entry.actor, entry.actor),
            what=LEDGER.get(entry.code, entry.code),
            about="" if entry.object == event.public_id else names.get(entry.object, entry.object),
            before=_compact(entry.before),
            after=_compact(entry.after),
            note=entry.note.text if hasattr(entry, "note") else "",
            hash=entry.hash,
        )
        for entry in entries
    ]


def _compact(value: Any) -> str:
    return "" if value is None else json.dumps(_shortened(value), ensure_ascii=False, sort_keys=True)


def _shortened(value: Any) -> Any:
    """The value, with long lists cut; their last item then says how many were left out, such as `+12`."""
    if not isinstance(value, dict):
        return value
    longer = {name: rows for name, rows in value.items() if isinstance(rows, list) and len(rows) > LISTED}
    return value | {name: [*rows[:LISTED], f"+{len(rows) - LISTED}"] for name, rows in longer.items()}


def names_of(entries: Iterable[LedgerEntry]) -> dict[str, str]:
    """The names of the accounts, entrants, rounds and matches in these entries, by id."""
    ids = {identity for entry in entries for identity in (entry.actor, entry.object)}
    rounds = {
        code: _("Round %(number)s") % {"number": code[1:]} for code in ids if code[:1] == "r" and code[1:].isdigit()
    }
    users = User.objects.filter(public_id__in=ids).prefetch_related("persons")
    accounts = {user.public_id: next((person.name for person in user.persons.all()), user.public_id) for user in users}
    entrants = Entrant.objects.filter(public_id__in=ids).prefetch_related("member_set__person")
    matches = Match.objects.filter(public_id__in=ids).select_related("round")
    tables = {
        match.public_id: _("Round %(round)d, table %(table)s") % {"round": match.round.number, "table": match.table}
        for match in matches
    }
    system = {"system": _("the system")}
    return {**system, **rounds, **accounts, **{entrant.public_id: entrant.full_name for entrant in entrants}, **tables}
