"""Who starts a match after a cut, chosen by the player with the higher seed."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, NotAllowed, Refusal
from tournaments.events.access import may
from tournaments.play.access import seat_of
from tournaments.play.models import Match, Round
from tournaments.play.selectors import chooser_of, seats_said
from tournaments.play.services.entries import record


def choose_start(*, match: Match, seat: int, by: User, now: datetime) -> Match:
    """Record which seat (its number) starts a match. Idempotent; can be changed until the match has a result.

    The player with the higher seed chooses, or the desk, except at its own table. Raises Refusal `no_choice` if nobody
    chooses at this match, `round_state`; NotAllowed `not_your_choice`, `not_your_table`; InvalidInput `seat_unknown`.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        match.round = Round.objects.select_related("stage__event").get(pk=match.round_id)
        event = match.round.stage.event
        chooser = chooser_of(match)
        if chooser is None:
            raise Refusal("no_choice", _("Nobody chooses who starts at this table."))
        if match.round.status != Round.Status.PUBLISHED or match.games_drawn is not None:
            raise Refusal("round_state", _("This round is not open."))
        own = seat_of(by, match)
        if own is not None and own.pk != chooser.pk:
            raise NotAllowed("not_your_choice", _("The higher seed chooses who starts."))
        if own is None and not may(by, event, "run_desk"):
            raise NotAllowed("not_your_table", _("Only the players at this table can report its result."))
        chosen = match.seats.filter(number=seat).select_related("entrant").first()
        if chosen is None:
            raise InvalidInput("seat_unknown", seats_said(match), details=[seat])
        if match.starts != seat:
            match.starts = seat
            match.save(update_fields=["starts"])
            after = {"seat": seat, "entrant": chosen.entrant.public_id}
            record(event, by, "match.start_chosen", now, object=match.public_id, after=after)
    return match
