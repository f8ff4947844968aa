"""What serializers need to know about the reader, to decide what to show."""

from typing import Any

from tournaments.events.access import may
from tournaments.events.models import Entrant, Event


def reader_of(user: Any, event: Event) -> dict[str, Any]:
    """Return the context for serializers.

    `staff` is whether the account is staff of the event, `own` the primary keys of its own entrants there.
    """
    if not user.is_authenticated:
        return {"staff": False, "own": frozenset()}
    own = Entrant.objects.filter(event=event, member__person__account=user).values_list("pk", flat=True)
    return {"staff": may(user, event, "view_staff_pages"), "own": frozenset(own)}
