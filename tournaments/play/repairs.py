"""What can be done about a mistake in a round that is paired: several ways, each with its cost, fewest tables first.

The truth is what the event knows now: results corrected, entrants who left or came since. A repair compares the
pairings as they are seated with what that truth would pair.
"""

import hashlib
import json
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal
from tournaments.events.models import Stage
from tournaments.play.field import field_of
from tournaments.play.models import Match, Round
from tournaments.swiss.field import SwissError
from tournaments.swiss.repair import Choice, Published, repair


@dataclass(frozen=True)
class Way:
    """One way to mend a round: its key names exactly these tables, so nobody applies another than was read."""

    key: str
    choice: Choice


def ways_to_mend(round_: Round) -> list[Way]:
    """The ways to mend a Swiss round that is not closed, the fewest tables disturbed first; none when all is well."""
    if round_.stage.kind != Stage.Kind.SWISS:
        raise Refusal("no_repair", _("Only the pairings of a Swiss round are mended so."))
    if round_.status == Round.Status.CLOSED:
        raise Refusal("round_state", _("This round is closed."))
    field = field_of(round_.stage, before=round_.number)
    try:
        choices = repair(field, published(round_), seed=round_.seed)
    except SwissError as error:
        raise Refusal("cannot_pair", _("This field cannot be paired."), details=[error.code])
    return [Way(_key(choice), choice) for choice in choices if choice.changes]


def published(round_: Round) -> Published:
    """The round as it is seated; who missed it is not seated."""
    pairs: list[tuple[str, str]] = []
    tables: list[int] = []
    byes: list[str] = []
    for match in round_.matches.prefetch_related("seats__entrant").order_by("table", "pk"):
        ids = [seat.entrant.public_id for seat in sorted(match.seats.all(), key=lambda seat: seat.number)]
        if match.table is not None:
            pairs.append((ids[0], ids[1]))
            tables.append(match.table)
        elif match.kind == Match.Kind.BYE:
            byes += ids
    if len(byes) > 1:
        raise Refusal("no_repair", _("Byes were given by hand: seat two of them together first."))
    return Published(tuple(pairs), tuple(tables), byes[0] if byes else None)


def _key(choice: Choice) -> str:
    told = [choice.pairing.pairs, choice.pairing.tables, choice.pairing.bye]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
