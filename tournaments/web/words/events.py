"""Words for the codes of an event: its states, staff roles, decklist settings and API scopes."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.accounts.models import ApiToken
from tournaments.events.models import Event, Invitation, StaffRole, Stage
from tournaments.events.selectors import registration_at
from tournaments.web.words.meaning import Meaning, described

EVENT_STATES: Mapping[str, Promise] = {
    Event.Status.DRAFT: _("Draft"),
    Event.Status.REGISTRATION: _("Registration open"),
    Event.Status.LOCKED: _("Decklists locked"),
    Event.Status.CHECK_IN: _("Check-in"),
    Event.Status.RUNNING: _("Running"),
    Event.Status.FINISHED: _("Finished"),
    Event.Status.ARCHIVED: _("Archived"),
    Event.Status.CANCELLED: _("Cancelled"),
}


ROLES: Mapping[str, Promise] = {
    StaffRole.Role.OWNER: _("Owner"),
    StaffRole.Role.ORGANIZER: _("Organizer"),
    StaffRole.Role.SCOREKEEPER: _("Scorekeeper"),
    StaffRole.Role.HEAD_JUDGE: _("Head judge"),
    StaffRole.Role.JUDGE: _("Judge"),
    StaffRole.Role.SCRIBE: _("Scribe"),
}


def role_words(held: StaffRole | Invitation) -> str:
    """What a role is called, with the table of a scribe who has one."""
    if held.table is None:
        return str(ROLES[held.role])
    return gettext("Scribe of table %(table)d") % {"table": held.table}


LISTS: Mapping[str, Promise] = {
    Event.Lists.REQUIRED: _("Required"),
    Event.Lists.OPTIONAL: _("Optional"),
    Event.Lists.NONE: _("Not collected"),
}


LISTINGS: Mapping[str, Promise] = {
    Event.Listing.PUBLIC: _("Everybody: it is on the home page and in searches"),
    Event.Listing.UNLISTED: _("Anyone with the link: it is not listed anywhere"),
    Event.Listing.PRIVATE: _("Only staff, players, and people who opened the join link"),
}


TEAM_PLAYS: Mapping[str, Promise] = {
    Event.TeamPlay.TOGETHER: _("Together: one result per team, as in Two-Headed Giant"),
    Event.TeamPlay.BOARDS: _("By boards: each player has an opponent, and the results add up"),
}


POOLS_SHOWN: Mapping[str, Promise] = {
    Stage.PoolsShown.STAFF: _("Staff who do not play"),
    Stage.PoolsShown.LOCKED: _("Everybody, once decklists are locked"),
    Stage.PoolsShown.OVER: _("Everybody, once the event is over"),
}


EVENT = described(
    EVENT_STATES,
    draft=(_("Only staff can see this event."), "warn"),
    registration=(_("Players register and submit their decklists."), "ok"),
    locked=(_("Registration is closed, and decklists can no longer change."), "info"),
    check_in=(_("Players can check in."), "info"),
    running=(_("Rounds are being played."), "ok"),
    finished=(_("The standings are final."), ""),
    archived=(_("The event is over and archived."), ""),
    cancelled=(_("The event will not take place."), "bad"),
)


SCOPE: Mapping[str, Meaning] = {
    ApiToken.Scope.READ: Meaning(_("Read"), _("Read what this account may see.")),
    ApiToken.Scope.PLAY: Meaning(_("Play"), _("Register, submit decklists, report results.")),
    ApiToken.Scope.JUDGE: Meaning(_("Judge"), _("Rule on results and read audits.")),
    ApiToken.Scope.ORGANIZE: Meaning(_("Organize"), _("Create and run events.")),
}


# Groups of statuses that pages ask about.
OVER = (Event.Status.FINISHED, Event.Status.ARCHIVED, Event.Status.CANCELLED)


BEFORE_PLAY = (Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)


def game_words(event: Event) -> str:
    """What the game of an event is called."""
    return event.game_name or game_title(event.game)


def game_title(game: str) -> str:
    """The name of a game of the engine: `Star Safir` for `star-safir`."""
    return game.replace("-", " ").title()


def state_words(event: Event, now: datetime) -> str:
    """What the state of an event means to players now.

    It takes into account when registration opens and closes, and mentions decklists only if they are collected.
    """
    collects = event.lists != Event.Lists.NONE
    when = registration_at(event, now)
    if event.status == Event.Status.REGISTRATION and when == "later":
        return str(_("Registration is not open yet."))
    if event.status == Event.Status.REGISTRATION and when == "closed":
        return str(_("Registration is closed."))
    if event.status == Event.Status.REGISTRATION and not collects:
        return str(_("Players can register."))
    if event.status == Event.Status.LOCKED and not collects:
        return str(_("Registration is closed."))
    return str(EVENT[event.status].long)
