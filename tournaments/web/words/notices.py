"""Words for the kinds of notification."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.notices.models import Kind

NOTICES: Mapping[str, Promise] = {
    Kind.PAIRING: _("Pairings: my table, each round"),
    Kind.EVENT: _("The event: new place or time, check-in, start, cancellation"),
    Kind.DECK: _("A missing decklist, or one that is no longer legal"),
    Kind.ANNOUNCEMENT: _("Announcements by the staff"),
    Kind.DISPUTE: _("Disputes and rulings at my table"),
    Kind.PLACE: _("A place: approved, declined, or given from the waiting list"),
    Kind.FOLLOWED: _("Events that I follow: registration opens, start, final standings"),
    Kind.CALL: _("A judge is on the way to my table"),
}
