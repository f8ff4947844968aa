"""Who may do what at an event: one table, and the functions through which every object comes.

A stranger gets a 404, a role that is too low a refusal (403).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.reading import read_once
from tournaments.common.refusals import NotAllowed
from tournaments.events.models import (
    Entrant,
    EntryImport,
    Event,
    ForbiddenPair,
    Invitation,
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

GESTURES: Mapping[str, frozenset[str]] = {
    "view_staff_pages": _DESK | _JUDGES,
    "manage_event": _ORGANIZERS,
    "invite_staff": frozenset({Role.OWNER}),
    "reopen_event": frozenset({Role.OWNER}),
    "run_desk": _DESK,
    "extend_time": _DESK | _JUDGES,
    "note_lateness": _DESK | _JUDGES,
    "announce": _DESK | _JUDGES,
    "feature": _DESK | _JUDGES,
    "judge": _JUDGES,
    "disqualify": _ORGANIZERS | {Role.HEAD_JUDGE},
    "reopen_list": frozenset({Role.HEAD_JUDGE}),
    "read_decks": _ORGANIZERS | _JUDGES,
}


def roles_of(user: Any, event: Event) -> frozenset[str]:
    """The roles an account holds at an event; none for a visitor."""
    if not user.is_authenticated:
        return frozenset()
    return read_once(("roles", user.pk, event.pk), lambda: frozenset(_roles(user, event)))


def _roles(user: Any, event: Event) -> Iterable[str]:
    return StaffRole.objects.filter(event=event, user=user).values_list("role", flat=True)


def may(user: Any, event: Event, gesture: str) -> bool:
    """Whether a role of this account covers the gesture."""
    return bool(roles_of(user, event) & GESTURES[gesture])


def event_for_viewer(user: Any, public_id: str) -> Event:
    """An event anybody may look at, or one of the account's own drafts."""
    event = event_named(public_id)
    require_shown(user, event)
    return event


def event_named(public_id: str) -> Event:
    """The event with this public id, whoever asks; 404 when there is none."""
    event = read_once(("event", public_id), lambda: Event.objects.filter(public_id=public_id).first())
    if event is None:
        raise Http404
    return event


def require_shown(user: Any, event: Event) -> None:
    """404 for an event that is not public, to who has no role at it."""
    if not (event.is_public or roles_of(user, event)):
        raise Http404


def event_for_staff(user: Any, public_id: str, gesture: str) -> Event:
    """An event on which the account may make this gesture."""
    event = event_named(public_id)
    require(user, event, gesture)
    return event


def require(user: Any, event: Event, gesture: str) -> None:
    """404 for who has no role here, 403 for a role that does not cover the gesture."""
    roles = roles_of(user, event)
    if not roles:
        raise Http404
    if not roles & GESTURES[gesture]:
        raise NotAllowed("role_too_low", _("Your role at this event does not allow this."))


def format_for_owner(user: Any, public_id: str) -> SavedFormat:
    """A format that the account saved."""
    saved = SavedFormat.objects.filter(owner=user, public_id=public_id).first() if user.is_authenticated else None
    if saved is None:
        raise Http404
    return saved


def stage_for_viewer(user: Any, event_id: str, number: int) -> Stage:
    """A stage of an event anybody may look at."""
    return _stage(event_for_viewer(user, event_id), number)


def stage_for_staff(user: Any, event_id: str, number: int, gesture: str) -> Stage:
    """A stage of an event on which the account may make this gesture."""
    return _stage(event_for_staff(user, event_id, gesture), number)


def _stage(event: Event, number: int) -> Stage:
    stage = event.stages.filter(number=number).select_related("event").first()
    if stage is None:
        raise Http404
    return stage


def entrant_for_staff(user: Any, public_id: str, gesture: str) -> Entrant:
    """An entrant of an event on which the account may make this gesture."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    if entrant is None:
        raise Http404
    require(user, entrant.event, gesture)
    return entrant


def import_for_staff(user: Any, public_id: str, gesture: str) -> EntryImport:
    """A file of entrants of an event on which the account may make this gesture."""
    entry_import = EntryImport.objects.filter(public_id=public_id).select_related("event").first()
    if entry_import is None:
        raise Http404
    require(user, entry_import.event, gesture)
    return entry_import


def forbidden_pair_for_staff(user: Any, event_id: str, pk: int, gesture: str) -> ForbiddenPair:
    """A pair that must not meet, of an event on which the account may make this gesture."""
    event = event_for_staff(user, event_id, gesture)
    pair = event.forbidden_pairs.filter(pk=pk).select_related("first", "second").first()
    if pair is None:
        raise Http404
    return pair


def invitation_for_staff(user: Any, public_id: str) -> Invitation:
    """An invitation to the team of an event whose team the account chooses."""
    found = Invitation.objects.filter(public_id=public_id).select_related("event").first()
    if found is None:
        raise Http404
    require(user, found.event, "invite_staff")
    return found


def entrant_for_player(user: Any, public_id: str) -> Entrant:
    """An entrant whose member the account acts for."""
    entrant = (
        Entrant.objects.filter(public_id=public_id, member__person__account=user).select_related("event").first()
        if user.is_authenticated
        else None
    )
    if entrant is None:
        raise Http404
    return entrant


def entrant_for_seat_link(public_id: str, signature: str) -> Entrant:
    """The entrant whose seat link is held; the event must be one that everybody may see."""
    entrant = Entrant.objects.filter(public_id=public_id).select_related("event").first()
    if entrant is None or not entrant.event.is_public or not opens_seat(entrant, signature):
        raise Http404
    return entrant


def own_entrants(user: Any, event: Event) -> list[Entrant]:
    """The account's entrants at an event, first one first: several for a guardian."""
    if not user.is_authenticated:
        return []
    return read_once(("own entrants", user.pk, event.pk), lambda: list(_own(user, event)))


def _own(user: Any, event: Event) -> QuerySet[Entrant]:
    return Entrant.objects.filter(event=event, member__person__account=user).distinct().order_by("pk")


def own_entrant(user: Any, event: Event) -> Entrant | None:
    """The account's entrant at an event, if it has one (the first, for a guardian of several)."""
    return next(iter(own_entrants(user, event)), None)


def own_parts(user: Any, events: Iterable[Event]) -> tuple[set[int], dict[int, set[str]]]:
    """Of several events, by key: those in which the account plays, and its roles at those where it has some."""
    if not user.is_authenticated:
        return set(), {}
    wanted = [event.pk for event in events]
    entrants = Entrant.objects.filter(event__in=wanted, member__person__account=user)
    roles: dict[int, set[str]] = {}
    for event, role in StaffRole.objects.filter(event__in=wanted, user=user).values_list("event_id", "role"):
        roles.setdefault(event, set()).add(role)
    return set(entrants.values_list("event_id", flat=True)), roles


def plays(user: Any, event: Event) -> bool:
    """Whether the account has an entrant at the event: then it reads nothing hidden of the others."""
    return bool(own_entrants(user, event))


def readers_of(user: Any, event: Event) -> frozenset[str]:
    """What an account is at an event, as `events.visibility` asks; staff who play read as players."""
    return readers_as(roles_of(user, event), playing=plays(user, event))


def readers_as(roles: Collection[str], *, playing: bool) -> frozenset[str]:
    """What one with these roles is, who plays the event or does not."""
    if playing:
        return frozenset({PUBLIC, PLAYERS})
    return frozenset({PUBLIC, STAFF}) if GESTURES["view_staff_pages"] & set(roles) else frozenset({PUBLIC})


def hidden_now() -> NotAllowed:
    """The refusal of what the event's visibility does not show to this reader now."""
    return NotAllowed("hidden_now", _("The organizer does not show this, or not yet."))


def may_read_hidden(user: Any, event: Event, gesture: str) -> bool:
    """Whether a role covers the gesture for one who does not play: decklists, logs, drafts of others."""
    return may(user, event, gesture) and not plays(user, event)
