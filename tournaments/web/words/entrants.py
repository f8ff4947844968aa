"""Words for the states of an entrant, and for the columns and errors of an entrant file."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from tournaments.events.entry_invitations import State
from tournaments.events.models import Application, Consent, Entrant, Question
from tournaments.web.words.meaning import described


def missing_words(missing: int) -> str:
    """How many players a team lacks: `1 player missing`."""
    return ngettext("%(n)d player missing", "%(n)d players missing", missing) % {"n": missing}


ENTRANT_STATES: Mapping[str, Promise] = {
    Entrant.Status.REGISTERED: _("Registered"),
    Entrant.Status.WAITING: _("Waiting list"),
    Entrant.Status.DROPPED: _("Dropped"),
}


# For the columns of an entrant file; IMPORT_FAULTS says why a line of it was not imported.
IMPORT_FIELDS: Mapping[str, Promise] = {
    "": _("not used"),
    "given_name": _("first name"),
    "family_name": _("last name"),
    "name": _("full name"),
    "name_last_first": _("full name, last name first"),
    "club": _("club"),
    "table": _("fixed table"),
    "email": _("e-mail address"),
    "decklist": _("decklist"),
}


IMPORT_DELIMITERS: Mapping[str, Promise] = {
    "comma": _("comma"),
    "semicolon": _("semicolon"),
    "tab": _("tab"),
    "bar": _("vertical bar"),
}


IMPORT_FAULTS: Mapping[str, Promise] = {
    "quotes_open": _("a quotation mark that is never closed"),
    "control_character": _("a character that names cannot have"),
    "name_missing": _("neither a first name nor a full name"),
    "name_is_address": _("an e-mail address in the place of a name"),
    "name_too_long": _("a name of more than 80 letters"),
    "name_twice": _("this name is already in the event"),
    "player_twice": _("this player is already in the event"),
    "no_name": _("this does not look like a name"),
    "left_out": _("left out"),
    "above_titles": _("above the titles of the columns"),
    "titles_again": _("the titles of the columns again"),
    "table_wrong": _("a table that is not a number from 1 to 9999"),
    "table_outside": _("a table at which this event is not played"),
    "table_taken": _("a table that is reserved for somebody else"),
}


# What to look at in a line that will be entered.
IMPORT_DOUBTS: Mapping[str, Promise] = {
    "name_split": _("check where the last name begins"),
    "email_wrong": _("the e-mail address cannot be read"),
    "known": _("known from an earlier event: say whether it is the same player"),
    "banned": _("may be on the organizer’s ban list"),
    "twin": _("looks like another name, but is spelled otherwise"),
}


# Why a decklist that came in with an entrant is not submitted.
LIST_PROBLEMS: Mapping[str, Promise] = {
    "deck_unreadable": _("some lines cannot be read"),
    "deck_too_large": _("longer than 64 KiB"),
    "list_there": _("the player has already submitted a list"),
    "entrant_gone": _("the entry was merged with another"),
    "entrant_dropped": _("the player has dropped"),
    "decks_locked": _("decklists are locked"),
    "lists_not_collected": _("this event collects no decklists"),
    "pool_missing": _("the pool has to be registered first"),
    "staff_who_play": _("staff who play in an event cannot enter the lists of others"),
    "too_many_versions": _("the list was changed a hundred times"),
    "list_outdated": _("the cards or rules of the event were changed meanwhile"),
    "catalog_unknown": _("the card catalogue of the event is not installed"),
}


ENTRANT = described(
    ENTRANT_STATES,
    registered=(_("In the event."), "ok"),
    waiting=(_("The event is full: you get a place when somebody drops."), "warn"),
    dropped=(_("No longer paired; results so far stay."), ""),
)


TEAM = described(
    {
        Entrant.Status.REGISTERED: pgettext_lazy("a team", "Registered"),
        Entrant.Status.WAITING: _("Waiting list"),
        Entrant.Status.DROPPED: pgettext_lazy("a team", "Dropped"),
    },
    registered=(_("In the event."), "ok"),
    waiting=(_("The event is full: you get a place when somebody drops."), "warn"),
    dropped=(_("No longer paired; results so far stay."), ""),
)


INVITATION = described(
    {
        State.NO_ADDRESS: _("no address"),
        State.NOT_INVITED: _("not invited"),
        State.SENDING: _("being sent"),
        State.INVITED: _("invited"),
        State.OPENED: _("link opened"),
        State.TAKEN_OVER: _("taken over"),
        State.ACCOUNT: _("own account"),
    },
    not_invited=(_("The address is known, but no e-mail was sent."), "warn"),
    sending=(_("The e-mail is on its way."), "info"),
    invited=(_("The e-mail was sent."), "info"),
    opened=(_("The link was opened, but the entry is not taken over yet."), "info"),
    taken_over=(_("The player has taken over the entry with an account."), "ok"),
    account=(_("The entry belongs to an account."), "ok"),
)


APPLICATION = described(
    {
        Application.Status.WAITING: _("Application sent"),
        Application.Status.APPROVED: _("Approved"),
        Application.Status.DECLINED: _("Declined"),
        Application.Status.WITHDRAWN: _("Withdrawn"),
    },
    waiting=(_("The organizer will decide. The answer will be on this page."), "info"),
    approved=("", "ok"),
    declined=(_("The organizer did not accept this registration."), "warn"),
)


QUESTION_KINDS: Mapping[str, Promise] = {
    Question.Kind.TEXT: _("Text"),
    Question.Kind.CHOICE: _("One of several options"),
    Question.Kind.CONSENT: _("A sentence to tick"),
}


CONSENTS: Mapping[str, Promise] = {
    "": _("Consent missing"),
    Consent.How.OF_AGE: _("Says they are old enough"),
    Consent.How.GUARDIAN: _("Guardian consented"),
    Consent.How.PAPER: _("Consent on paper"),
}


PLAYING = Entrant.Status.REGISTERED
