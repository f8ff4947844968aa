"""The edition of a game's rules that an event is played by, of those the engine can replay."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from engine import face
from tournaments.accounts.models import User
from tournaments.audits.models import MoveLog, Recording
from tournaments.common import ledger
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.events.models import Event


def rulesets_of(event: Event) -> list[str]:
    """The ids of the rulesets that the event's game can be replayed by, the newest last; none without an engine."""
    return face.audits.rulesets(event.game) if event.has_engine else []


def ruleset_of(event: Event) -> str:
    """The id of the ruleset that games of the event are recorded and audited by.

    An event may have the edition of its deck rules, which the engine cannot replay: it is then the newest ruleset.
    """
    known = rulesets_of(event)
    return event.ruleset if event.ruleset in known else known[-1]


def choose_ruleset(*, event: Event, ruleset: str, by: User, now: datetime) -> None:
    """Choose the rules that an event is played by, as long as no game of it was recorded. Idempotent.

    Refused: `ruleset_unknown` (with the ids that exist), `games_recorded`.
    """
    known = rulesets_of(event)
    if ruleset not in known:
        raise InvalidInput("ruleset_unknown", _("The engine does not know these rules for this game."), details=known)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        before = event.ruleset
        if before == ruleset:
            return
        games = {"game__match__round__stage__event": event}
        if MoveLog.objects.filter(**games).exists() or Recording.objects.filter(**games).exists():
            message = _("Games of this event have already been recorded, so its rules can no longer change.")
            raise Refusal("games_recorded", message)
        event.ruleset = ruleset
        event.save(update_fields=["ruleset"])
        ledger.record(
            chain=event.public_id,
            actor=by.public_id,
            code="event.ruleset_chosen",
            object=event.public_id,
            now=now,
            before=before,
            after=ruleset,
        )
