"""What can be done about a mistake in a round that is paired: several ways, each with its cost, fewest tables first.

The truth is what the event knows now: results corrected, entrants who left or came since. A repair compares the
pairings as they are seated with what that truth would pair.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from django.utils.translation import gettext as _

from tournaments.common.refusals import Refusal
from tournaments.events.models import Entrant, Stage
from tournaments.play.field import entered, field_of
from tournaments.play.models import Match, Round, Seat
from tournaments.play.wishes import Wishes, awarded_in, cannot_pair, wishes_of
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
    entrants = list(entered(round_.stage))
    wishes = wishes_now(round_, entrants)
    field = wishes.on(field_of(round_.stage, before=round_.number, entrants=entrants))
    try:
        choices = repair(
            field,
            published(round_),
            seed=round_.seed,
            forbidden=wishes.forbidden,
            options=wishes.options,
            places=wishes.places,
        )
    except SwissError as error:
        raise cannot_pair(error)
    return [Way(_key(choice), choice) for choice in choices if choice.changes]


def wishes_now(round_: Round, entrants: Sequence[Entrant] | None = None) -> Wishes:
    """What holds now for a round that is paired; its awarded byes are those it was paired with."""
    entrants = list(entered(round_.stage)) if entrants is None else entrants
    wishes = wishes_of(round_.stage, round_.number, entrants)
    there = {entrant.public_id for entrant in entrants if entrant.status == Entrant.Status.REGISTERED}
    awarded = {player: kind for player, kind in awarded_in(round_).items() if player in there}
    return replace(wishes, options=replace(wishes.options, awarded=awarded))


def published(round_: Round) -> Published:
    """The round as it is seated; who missed it or was awarded a bye is not to be paired."""
    awarded = awarded_in(round_)
    pairs: list[tuple[str, str]] = []
    tables: list[int] = []
    byes: list[str] = []
    seats = Seat.objects.filter(match__round=round_).order_by("match__table", "match", "number")
    rows = seats.values_list("match", "match__table", "match__kind", "entrant__public_id")
    for (_match, table, kind), group in groupby(rows, itemgetter(0, 1, 2)):
        ids = [row[3] for row in group]
        if table is not None:
            pairs.append((ids[0], ids[1]))
            tables.append(table)
        elif kind == Match.Kind.BYE and ids[0] not in awarded:
            byes += ids
    if len(byes) > 1:
        raise Refusal("no_repair", _("Byes were given by hand: seat two of them together first."))
    return Published(tuple(pairs), tuple(tables), byes[0] if byes else None)


def _key(choice: Choice) -> str:
    told = [choice.pairing.pairs, choice.pairing.tables, choice.pairing.bye]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
