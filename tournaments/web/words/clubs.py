"""Words for the roles in a club and the entries of its ledger."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.clubs.models import ClubRole
from tournaments.clubs.series import FORTNIGHTLY, MONTHLY, WEEKLY

ROLES: Mapping[str, Promise] = {
    ClubRole.Role.OWNER: _("Owner"),
    ClubRole.Role.ORGANIZER: _("Organizer"),
    ClubRole.Role.SCOREKEEPER: _("Scorekeeper"),
    ClubRole.Role.HEAD_JUDGE: _("Head judge"),
    ClubRole.Role.JUDGE: _("Judge"),
}

EVERY: Mapping[str, Promise] = {
    WEEKLY: _("Every week"),
    FORTNIGHTLY: _("Every two weeks"),
    MONTHLY: _("Every month, on the same weekday"),
}

CLUB_ENTRIES: Mapping[str, Promise] = {
    "club.created": _("Club created"),
    "club.changed": _("Club settings changed"),
    "club.deleted": _("Club deleted"),
    "club.role_granted": _("Role given"),
    "club.role_revoked": _("Role revoked in the club"),
    "club.handed_over": _("Club handed over"),
    "club.event_added": _("Event added"),
    "club.event_removed": _("Event removed"),
    "club.venue_saved": _("Venue saved"),
    "club.venue_deleted": _("Venue deleted"),
    "club.format_given": _("Format received"),
    "club.format_returned": _("Format returned"),
    "club.catalogue_given": _("Card catalogue received"),
    "club.catalogue_returned": _("Card catalogue returned"),
    "club.series_made": _("Series of events created"),
    "club.convention_created": _("Convention created"),
    "club.convention_changed": _("Convention changed"),
    "club.convention_deleted": _("Convention deleted"),
    "club.convention_event_added": _("Event added to a convention"),
    "club.convention_event_removed": _("Event removed from a convention"),
    "club.tables_shared_out": _("Tables of a convention assigned"),
}
