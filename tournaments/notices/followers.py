"""The e-mail notifications that the followers of an event get, by the ledger entry that causes each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.models import LedgerEntry
from tournaments.events.models import Entrant, Event
from tournaments.events.visibility import PUBLIC
from tournaments.profiles.selectors import followers_of
from tournaments.standings.access import shows_all_standings


@dataclass(frozen=True)
class Followed:
    """The notification that a ledger entry causes for the followers of its event.

    `is_true` says whether it still holds when the e-mails are sent; `page` is the name of the URL that they link to.
    Texts are functions, because they are translated when the e-mail is written, in the reader's language.
    """

    subject: Callable[[], str]
    line: Callable[[], str]
    is_true: Callable[[Event], bool]
    page: str = "web:event"
    audience: Callable[[Event], QuerySet[User]] = followers_of


def _not_players(event: Event) -> QuerySet[User]:
    """The followers who do not play: players get a notification of their own."""
    playing = Entrant.objects.filter(event=event).exclude(status=Entrant.Status.DROPPED)
    return followers_of(event).exclude(pk__in=playing.filter(members__account__isnull=False).values("members__account"))


FOLLOWED: Mapping[str, Followed] = {
    "event.opened": Followed(
        lambda: _("Registration is open: %(event)s"),
        lambda: _("Registration is open on the event’s page."),
        lambda event: event.status == Event.Status.REGISTRATION,
    ),
    "event.started": Followed(
        lambda: _("%(event)s has started"),
        lambda: _("Its pages show the pairings, results and standings."),
        lambda event: event.status == Event.Status.RUNNING,
        audience=_not_players,
    ),
    "event.finished": Followed(
        lambda: _("Final standings: %(event)s"),
        lambda: _("The event is over, and its final standings are published."),
        lambda event: event.is_over and shows_all_standings({PUBLIC}, event),
        page="web:final",
    ),
}


def due_at(event: Event, entry: LedgerEntry) -> datetime:
    """When the e-mails of an entry are due: at once, or when registration opens."""
    if entry.code == "event.opened" and event.registration_opens_at is not None:
        return max(entry.at, event.registration_opens_at)
    return entry.at
