"""Words for the codes of an event: its states, staff roles, decklist settings and API scopes."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, npgettext
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


def state_of(event: Event, now: datetime) -> Meaning:
    """The state of an event as players see it now: a name, a sentence and a look.

    It takes into account when registration opens and closes, mentions decklists only if they are collected, and says
    teams where teams play.
    """
    state = EVENT[event.status]
    collects = event.lists != Event.Lists.NONE
    when = registration_at(event, now)
    if event.status == Event.Status.REGISTRATION and when == "later":
        return Meaning(_("Registration not open yet"), _("Registration is not open yet."), "info")
    if event.status == Event.Status.REGISTRATION and when == "closed":
        return Meaning(_("Registration closed"), _("Registration is closed."), "info")
    if event.status == Event.Status.LOCKED and not collects:
        return Meaning(_("Registration closed"), _("Registration is closed."), state.look)
    if event.status == Event.Status.REGISTRATION and event.is_team_event:
        return state._replace(long=_("Teams can register."))
    if event.status == Event.Status.REGISTRATION and not collects:
        return state._replace(long=_("Players can register."))
    if event.status == Event.Status.CHECK_IN and event.is_team_event:
        return state._replace(long=_("Teams can check in."))
    return state


def counted(event: Event, number: int) -> str:
    """How many play in an event: `8 players`, or `8 teams`."""
    if event.is_team_event:
        return npgettext("players", "%(n)d team", "%(n)d teams", number) % {"n": number}
    return ngettext("%(n)d player", "%(n)d players", number) % {"n": number}


def entrants_name(event: Event) -> str:
    """What those who enter an event are called, as a heading: `Entrants`, or `Teams`."""
    return gettext("Teams") if event.is_team_event else gettext("Entrants")
