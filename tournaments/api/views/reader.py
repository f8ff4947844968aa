"""Who reads: what serializers need to know to show or to hide."""

from typing import Any

from tournaments.events.access import may
from tournaments.events.models import Entrant, Event


def reader_of(user: Any, event: Event) -> dict[str, Any]:
    """Whether the account is staff here, and the keys of its own entrants."""
    if not user.is_authenticated:
        return {"staff": False, "own": frozenset()}
    own = Entrant.objects.filter(event=event, member__person__account=user).values_list("pk", flat=True)
    return {"staff": may(user, event, "view_staff_pages"), "own": frozenset(own)}
