"""Words for what webhooks send, by topic, and for why one has stopped."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FORMATS: Mapping[str, Promise] = {
    "arbitre": _("A program of yours: ids and codes, signed"),
    "discord": _("A Discord channel, in words"),
    "slack": _("A Slack channel, in words"),
}
TOLD: Mapping[str, Promise] = {
    "event": _("The event: opened, started, finished"),
    "staff": _("Roles granted and revoked"),
    "entrant": _("Entrants: registered, checked in, dropped"),
    "meeting": _("The player meeting"),
    "deck": _("Decklists submitted"),
    "decks": _("Decklists locked"),
    "pool": _("Pools registered"),
    "stage": _("Stages"),
    "pair": _("Entrants kept apart"),
    "bye": _("Byes"),
    "round": _("Rounds: paired, published, closed"),
    "clock": _("The clock"),
    "table": _("Tables: more time, late players"),
    "result": _("Results"),
    "standings": _("The order of the standings"),
    "call": _("Judge calls"),
    "penalty": _("Penalties"),
    "check": _("Deck checks"),
    "dispute": _("Disputes"),
    "log": _("Move logs submitted"),
    "game": _("Games audited"),
    "recording": _("Recordings of games"),
    "bulk": _("Audits of all logs"),
    "announcement": _("Announcements made"),
    "prize": _("Prizes"),
    "webhook": _("Webhooks of the event"),
    "position": _("Boards saved, photographed, signed"),
    "application": _("Applications for a place"),
    "question": _("Registration questions"),
    "payment": _("Prices and payments"),
    "answers": _("Answers to these questions"),
    "consent": _("Consent of guardians"),
}


DELIVERY_STATES: Mapping[str, Promise] = {
    "pending": _("to be sent"),
    "delivered": _("accepted"),
    "failed": _("abandoned"),
}


DISABLED_FOR: Mapping[str, Promise] = {
    "failing": _("turned off: two days of failures"),
    "gone": _("turned off: it answered 410, gone"),
    "asked": _("turned off"),
}


UNREACHABLE: Mapping[str, Promise] = {
    "unresolved": _("its name cannot be resolved"),
    "address_refused": _("its address is not public"),
    "url_refused": _("its address cannot be used"),
    "timeout": _("no answer in ten seconds"),
    "tls_failed": _("its certificate is not valid"),
    "refused": _("no connection"),
    "no_answer": _("no readable answer"),
}
