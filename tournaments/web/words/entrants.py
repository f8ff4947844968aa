"""Words for the states of an entrant, and for the columns and errors of an entrant file."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.events.models import Entrant
from tournaments.web.words.meaning import described

ENTRANT_STATES: Mapping[str, Promise] = {
    Entrant.Status.REGISTERED: _("Registered"),
    Entrant.Status.WAITING: _("Waiting list"),
    Entrant.Status.DROPPED: _("Dropped"),
}


# For the columns of an entrant file; IMPORT_FAULTS says why a line of it was not imported.
IMPORT_FIELDS: Mapping[str, Promise] = {
    "": _("left aside"),
    "given_name": _("first name"),
    "family_name": _("family name"),
    "name": _("whole name"),
    "club": _("club"),
    "table": _("table that is needed"),
}


IMPORT_DELIMITERS: Mapping[str, Promise] = {
    "comma": _("comma"),
    "semicolon": _("semicolon"),
    "tab": _("tab"),
    "bar": _("vertical bar"),
}


IMPORT_FAULTS: Mapping[str, Promise] = {
    "quotes_open": _("a quotation mark that does not close"),
    "control_character": _("a character that no name holds"),
    "name_missing": _("no first name and no whole name"),
    "name_is_address": _("an e-mail address in the place of a name"),
    "name_too_long": _("a name of more than 80 letters"),
    "name_twice": _("this name is there already"),
    "table_wrong": _("a table that is no number from 1 to 9999"),
    "table_outside": _("a table at which this event is not played"),
    "table_taken": _("a table that is kept for somebody else"),
}


ENTRANT = described(
    ENTRANT_STATES,
    registered=(_("In the event."), "ok"),
    waiting=(_("The event is full: a place is given when somebody drops."), "warn"),
    dropped=(_("Not paired any more; results so far stay."), ""),
)


PLAYING = Entrant.Status.REGISTERED
