"""Permissions at an event: the table of who may do what, and the functions that views use to get their objects.

Views reach an object only through these functions. Somebody without any role at the event gets a 404, so that hidden
objects cannot be probed; somebody whose role does not cover the action gets a refusal (403).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.accounts.owning import owned_by
from tournaments.common import confidential
from tournaments.common.prepared import Prepared
from tournaments.common.reading import read_kept, read_once
from tournaments.common.refusals import NotAllowed
from tournaments.events.models import (
    Application,
    Entrant,
    EntryImport,
    Event,
    ForbiddenPair,
    Guest,
    Invitation,
    Question,
    SavedFormat,
    StaffRole,
    Stage,
)
from tournaments.events.seats import opens_seat
from tournaments.events.visibility import PLAYERS, PUBLIC, STAFF

Role = StaffRole.Role
_ORGANIZERS = frozenset({Role.OWNER, Role.ORGANIZER})
_DESK = _ORGANIZERS | {Role.SCOREKEEPER}
_JUDGES = frozenset({Role.HEAD_JUDGE, Role.JUDGE})

ACTIONS: Mapping[str, frozenset[str]] = {
    "view_staff_pages": _DESK | _JUDGES,
    "manage_event": _ORGANIZERS,
    "invite_staff": frozenset({Role.OWNER}),
    "reopen_event": frozenset({Role.OWNER}),
    "run_desk": _DESK,
    "extend_time": _DESK | _JUDGES,
    "note_lateness": _DESK | _JUDGES,
    "announce": _DESK | _JUDGES,
    "feature": _DESK | _JUDGES,
    # Not for organizers: ruling is for judges. An organizer who also judges holds both roles.
    "judge": _JUDGES,
    # A scribe records games and does nothing else: no staff pages, no lists, no rulings, no results.
    "record": _JUDGES | {Role.SCRIBE},
    "disqualify": _ORGANIZERS | {Role.HEAD_JUDGE},
    "reopen_list": frozenset({Role.HEAD_JUDGE}),
    "read_decks": _ORGANIZERS | _JUDGES,
}

# Almost every request runs these three queries, so their SQL is built only once.
_EVENT = Prepared(lambda public_id: Event.objects.filter(public_id=public_id).order_by(), str)
_ROLES = Prepared(lambda event, user: StaffRole.objects.filter(event=event, user=user).order_by(), int, int)
_OWN = Prepared(
    lambda event, user: Entrant.objects.filter(event=event, member__person__account=user).distinct().order_by("pk"),
    int,
    int,
)


def roles_of(user: Any, event: Event) -> frozenset[str]:
    """The roles that an account holds at an event; empty for an anonymous visitor."""
    if not user.is_authenticated:
        return frozenset()
    return read_once(("roles", user.pk, event.pk), lambda: frozenset(_roles(user, event)))


def _roles(user: Any, event: Event) -> Iterable[str]:
    return [held.role for held in _ROLES.rows(event.pk, user.pk)]


def may(user: Any, event: Event, action: str) -> bool:
    """Whether one of the account's roles covers `action`, a key of `ACTIONS`.

    If so, no browser keeps the answer to the current request, which may show what only staff see.
    """
    covered = bool(roles_of(user, event) & ACTIONS[action])
    if covered:
        confidential.mark()
    return covered


def event_for_viewer(user: Any, public_id: str) -> Event:
    """The event with this public id, if this user may see it (`is_shown`); else 404."""
    event = event_named(public_id)
    require_shown(user, event)
    return event


def is_private(event_id: str) -> bool:
    """Whether the event with this public id is private, for pages that are kept for everybody: one query at most."""
    wanted = Event.objects.filter(public_id=event_id, listing=Event.Listing.PRIVATE)
    return read_kept(event_id, "private", wanted.exists)


def event_named(public_id: str) -> Event:
    """The event with this public id, without any check of permissions; 404 if there is none."""
    found = read_once(("event", public_id), lambda: _EVENT.rows(public_id))
    if not found:
        raise Http404
    return found[0]


def is_shown(user: Any, event: Event) -> bool:
    """Whether the user may see the event.

    Staff see every event of theirs, others none that is a draft. A private event is shown to its entrants and
    applicants, their guardians, and accounts that followed its join link.
    """
    if event.is_for_everybody:
        return True
    if roles_of(user, event):
        return True
    return event.is_public and (plays(user, event) or _is_guest(user, event))


def _is_guest(user: Any, event: Event) -> bool:
    if not user.is_authenticated:
        return False
    return read_once(("guest", user.pk, event.pk), lambda: _invited(user, event) or bool(own_applications(user, event)))


def _invited(user: Any, event: Event) -> bool:
    return Guest.objects.filter(event=event, user=user).exists()


def own_applications(user: Any, event: Event) -> list[Application]:
    """The applications of the account's persons to an event that wait or were declined, oldest first."""
    if not user.is_authenticated:
        return []
    open_ = (Application.Status.WAITING, Application.Status.DECLINED)
    found = event.applications.filter(person__account=user, status__in=open_)
    return list(found.select_related("person"))


def application_for_player(user: Any, public_id: str) -> Application:
    """An application of the account's own person, or of one that it is guardian of; else 404."""
    found = (
        Application.objects.filter(public_id=public_id, person__account=user).select_related("event", "person").first()
        if user.is_authenticated
        else None
    )
    if found is None:
        raise Http404
    return found


def application_for_reader(user: Any, public_id: str) -> Application:
    """An application, for whoever made it and for the desk of its event."""
    found = Application.objects.filter(public_id=public_id).select_related("event", "person").first()
    if found is None or not user.is_authenticated:
        raise Http404
    if found.person.account_id != user.pk:
        require(user, found.event, "run_desk")
    return found


def require_shown(user: Any, event: Event) -> None:
    """Raise a 404 if the user may not see the event."""
    if not is_shown(user, event):
        raise Http404


def event_for_staff(user: Any, public_id: str, action: str) -> Event:
    """The event with this public id, if the user may do `action` there (see `require`)."""
    event = event_named(public_id)
    require(user, event, action)
    return event


def require(user: Any, event: Event, action: str) -> None:
    """Raise a 404 if the user has no role at the event, `NotAllowed` (403) if none of their roles covers `action`.

    The answer to the current request is kept by no browser: see `common.confidential`.
    """
    confidential.mark()
    roles = roles_of(user, event)
    if not roles:
        raise Http404
    if not roles & ACTIONS[action]:
        raise NotAllowed("role_too_low", _("Your role at this event does not allow this."))


def question_of(event: Event, number: int) -> Question:
    """A question that the event asks, by its number; else 404."""
    question = event.questions.filter(number=number, removed_at=None).first()
    if question is None:
        raise Http404
    return question


def format_for_owner(user: Any, public_id: str) -> SavedFormat:
    """A format that belongs to the account, or to a club it manages; else 404."""
    saved = SavedFormat.objects.filter(owned_by(user), public_id=public_id).first()
    if saved is None:
        raise Http404
    return saved


def stage_for_viewer(user: Any, event_id: str, number: int) -> Stage:
    """A stage, by its number, of an event that the user may see."""
    return _stage(event_for_viewer(user, event_id), number)


def stage_for_staff(user: Any, event_id: str, number: int, action: str) -> Stage:
    """A stage, by its number, of an event at which the user may do `action`."""
    return _stage(event_for_staff(user, event_id, action), number)


def _stage(event: Event, number: int) -> Stage:
    stage = event.stages.filter(number=number).select_related("event").first()
    if stage is None:
        raise Http404
    return stage


def entrant_for_viewer(user: Any, public_id: str) -> Entrant:
    """An entrant of an event that the account may see; else 404."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    if entrant is None:
        raise Http404
    require_shown(user, entrant.event)
    return entrant


def entrant_for_staff(user: Any, public_id: str, action: str) -> Entrant:
    """An entrant of an event at which the user may do `action`."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    if entrant is None:
        raise Http404
    require(user, entrant.event, action)
    return entrant


def import_for_staff(user: Any, public_id: str, action: str) -> EntryImport:
    """An uploaded file of entrants of an event at which the user may do `action`."""
    entry_import = EntryImport.objects.filter(public_id=public_id).select_related("event").first()
    if entry_import is None:
        raise Http404
    require(user, entry_import.event, action)
    return entry_import


def forbidden_pair_for_staff(user: Any, event_id: str, pk: int, action: str) -> ForbiddenPair:
    """A forbidden pair of an event at which the user may do `action`."""
    event = event_for_staff(user, event_id, action)
    pair = event.forbidden_pairs.filter(pk=pk).select_related("first", "second").first()
    if pair is None:
        raise Http404
    return pair


def invitation_for_staff(user: Any, public_id: str) -> Invitation:
    """A staff invitation of an event at which the user may invite staff."""
    found = Invitation.objects.filter(public_id=public_id).select_related("event").first()
    if found is None:
        raise Http404
    require(user, found.event, "invite_staff")
    return found


def entrant_for_player(user: Any, public_id: str) -> Entrant:
    """An entrant of which the account's own person, or one that it is guardian of, is a member; else 404."""
    entrant = (
        Entrant.objects.filter(public_id=public_id, member__person__account=user).select_related("event").first()
        if user.is_authenticated
        else None
    )
    if entrant is None:
        raise Http404
    return entrant


def entrant_for_seat_link(public_id: str, signature: str) -> Entrant:
    """The entrant of a seat link; 404 if the signature is wrong or the event is a draft."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    if entrant is None or not entrant.event.is_public or not opens_seat(entrant, signature):
        raise Http404
    return entrant


def own_entrants(user: Any, event: Event) -> list[Entrant]:
    """The account's entrants at an event, oldest first. A guardian may have several."""
    if not user.is_authenticated:
        return []
    return read_once(("own entrants", user.pk, event.pk), lambda: _OWN.rows(event.pk, user.pk))


def own_entrant(user: Any, event: Event) -> Entrant | None:
    """The account's entrant at an event, or None; for a guardian with several, the oldest."""
    return next(iter(own_entrants(user, event)), None)


def own_parts(user: Any, events: Iterable[Event]) -> tuple[set[int], dict[int, set[str]]]:
    """The keys of the events in which the account plays, and its roles by event key where it has any.

    For lists of events: two queries, however many there are.
    """
    if not user.is_authenticated:
        return set(), {}
    wanted = [event.pk for event in events]
    entrants = Entrant.objects.filter(event__in=wanted, member__person__account=user)
    roles: dict[int, set[str]] = {}
    for event, role in StaffRole.objects.filter(event__in=wanted, user=user).values_list("event_id", "role"):
        roles.setdefault(event, set()).add(role)
    return set(entrants.values_list("event_id", flat=True)), roles


def plays(user: Any, event: Event) -> bool:
    """Whether the account has an entrant at the event, dropped or not.

    Staff who play get no view of what is hidden from other players.
    """
    return bool(own_entrants(user, event))


def readers_of(user: Any, event: Event) -> frozenset[str]:
    """The kinds of reader an account is at an event, for `events.visibility.shows`.

    Staff who play count as players only, and players who were disqualified as the public.
    """
    return readers_as(roles_of(user, event), own_entrants(user, event))


def readers_as(roles: Collection[str], own: Collection[Entrant]) -> frozenset[str]:
    """The kinds of reader that somebody with these roles and own entrants is: see `readers_of`."""
    if own:
        is_out = all(entrant.disqualified for entrant in own)
        return frozenset({PUBLIC}) if is_out else frozenset({PUBLIC, PLAYERS})
    return frozenset({PUBLIC, STAFF}) if ACTIONS["view_staff_pages"] & set(roles) else frozenset({PUBLIC})


def hidden_now() -> NotAllowed:
    """The refusal (`hidden_now`) for what the event's visibility settings do not show to this reader now."""
    return NotAllowed("hidden_now", _("The organizer does not show this, or not yet."))


def may_read_hidden(user: Any, event: Event, action: str) -> bool:
    """Whether the user may do `action` and does not play.

    For decklists, logs and drafts of other players: staff who play must not read them.
    """
    return may(user, event, action) and not plays(user, event)
