"""Seeds of the players before an event starts, such as by the ratings of a league.

A bracket or another first stage with seeds is drawn by them, and a first Swiss stage can be paired by them.
Players without a seed come after all others, by chance.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import Refusal
from tournaments.events.models import Entrant, Event, Stage
from tournaments.events.services import record

BEFORE = (Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)
BY_SEED = (Stage.Order.FOLD, Stage.Order.SLIDE)


def seeds_of(event: Event) -> list[str]:
    """The public ids of the entrants who have a seed, best first; those who dropped are left out."""
    seeded = event.entrants.filter(seed__isnull=False).exclude(status=Entrant.Status.DROPPED)
    return list(seeded.order_by("seed", "pk").values_list("public_id", flat=True))


def set_seeds(*, event: Event, order: Sequence[str], by: User, now: datetime, source: str = "") -> list[str]:
    """Give the entrants with these public ids the seeds 1, 2, 3 and so on, and nobody else; [] removes all seeds.

    Ids of no entrant are ignored. `source` is the public id of what the order was taken from, for the ledger.
    Idempotent.

    Refused: `event_state` once the event runs, `seeds_needed` if nobody would have a seed in a first stage paired
    by seeds.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.status not in BEFORE:
            raise Refusal("event_state", _("The event has started: seeds can no longer be changed."))
        entrants = {entrant.public_id: entrant for entrant in event.entrants.all()}
        order = [each for each in dict.fromkeys(order) if each in entrants]
        if not order and event.stages.filter(number=1, pairing_order__in=BY_SEED).exists():
            raise Refusal("seeds_needed", _("The first stage is paired by seeds: choose another order first."))
        before = {each: entrant.seed for each, entrant in entrants.items() if entrant.seed is not None}
        after = {each: seed for seed, each in enumerate(order, 1)}
        if before == after:
            return order
        changed = [entrants[each] for each in {**before, **after}]
        for entrant in changed:
            entrant.seed = after.get(entrant.public_id)
        Entrant.objects.bulk_update(changed, ["seed"], batch_size=200)
        record(event, by, "stage.seeded", now, object="s1", after={"seeds": order, "from": source})
    return order
