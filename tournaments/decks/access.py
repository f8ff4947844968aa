"""Permissions for decklists, pools and card catalogues: the functions through which views get them.

An account may read its own lists, in a team not those of team mates. Staff may read those of their event, unless they
play in it. Others may read them once the event's visibility settings open them.
"""

from collections.abc import Collection
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.accounts.owning import owned_by, owns
from tournaments.common.refusals import InvalidInput, NotAllowed
from tournaments.decks.models import Catalogue, CatalogueUpload, Decklist, Pool
from tournaments.decks.selectors import current_list, events_with, newest_owned
from tournaments.events.access import event_for_viewer, is_shown, may_read_hidden, own_entrants, readers_of, require
from tournaments.events.models import Entrant, Event, Member, StaffRole, Stage
from tournaments.events.selectors import current_stage
from tournaments.events.teams import member_named
from tournaments.events.visibility import DECKLISTS, PLAYERS, PUBLIC, Moment, part_of, read_visibility, shows


def catalogue_for_reader(user: Any, pk: int) -> Catalogue:
    """A catalogue, if it is the user's or they are staff of an event that uses it; a shared one, for every account."""
    found = Catalogue.objects.filter(pk=pk).defer("document").first() if user.is_authenticated else None
    if found is None or not (found.shared or owns(user, found) or _uses(user, found)):
        raise Http404
    return found


def _uses(user: Any, catalogue: Catalogue) -> bool:
    return StaffRole.objects.filter(user=user, event__in=events_with(catalogue)).exists()


def catalogue_for_owner(user: Any, pk: int) -> Catalogue:
    """A catalogue that belongs to the account, or to a club it manages; else 404."""
    found = Catalogue.objects.filter(owned_by(user), pk=pk).defer("document").first()
    if found is None:
        raise Http404
    return found


def newest_for_owner(user: Any, game: str, catalog: str) -> Catalogue:
    """The newest version of a catalogue of the account or of a club it manages, without its document; else 404."""
    found = newest_owned(user, game, catalog)
    if found is None:
        raise Http404
    return found


def upload_for_owner(user: Any, public_id: str) -> CatalogueUpload:
    """A card list that the account uploaded; else 404."""
    mine = CatalogueUpload.objects.filter(owner=user, public_id=public_id) if user.is_authenticated else None
    found = mine.defer("document").first() if mine is not None else None
    if found is None:
        raise Http404
    return found


def decklist_for_reader(user: Any, pk: int) -> Decklist:
    """One version of a decklist.

    Any version: for the entrant's own account, and for staff who do not play (staff who do: `staff_who_play`). The
    current version: also for everybody to whom the event shows decklists now.
    """
    decklist = decklist_of_key(pk)
    if decklist is None:
        raise Http404
    event = decklist.entrant.event
    if is_current(decklist) and is_shown(user, event) and lists_are_open(event, readers_of(user, event)):
        return decklist
    _require_reader(user, decklist.entrant, decklist.member)
    return decklist


def decklist_of_key(pk: int) -> Decklist | None:
    """One version of a decklist with all that access to it depends on, for the access functions."""
    return Decklist.objects.filter(pk=pk).select_related("entrant__event", "stage", "member__person").first()


def reads_history(user: Any, decklist: Decklist) -> bool:
    """Whether an account may read every version of this list: its own, or as staff who do not play."""
    entrant = decklist.entrant
    return _is_own(user, entrant, decklist.member) or may_read_hidden(user, entrant.event, "read_decks")


def _is_own(user: Any, entrant: Entrant, member: Member | None) -> bool:
    """Whether a list is the account's own, or that of somebody it is guardian of; team mates' lists are not."""
    if member is not None:
        return bool(user.is_authenticated and member.person.account_id == user.pk)
    return entrant in own_entrants(user, entrant.event)


def member_for_list(user: Any, entrant: Entrant, person_id: str = "") -> Member | None:
    """The member of a team whose list is meant: by the public id of a person, or the account's own; None for a player.

    It grants nothing: `submit_decklist` refuses the lists of team mates. Raises InvalidInput `not_in_team`, and
    `member_missing` if the account has nobody in the team and names nobody.
    """
    if not entrant.event.is_team_event:
        if person_id:
            raise InvalidInput("not_in_team", _("This person is not in the team."))
        return None
    if person_id:
        return member_named(entrant, person_id)
    own = entrant.member_set.filter(person__account=user).order_by("pk").first()
    if own is None:
        raise InvalidInput("member_missing", _("Each member of a team has a decklist: say whose this is."))
    return own


def is_current(decklist: Decklist) -> bool:
    """Whether this version of a list is the one that counts."""
    return current_list(decklist.entrant, current_stage(decklist.entrant.event), decklist.member) == decklist


def lists_are_open(event: Event, readers: Collection[str]) -> bool:
    """Whether all current decklists of an event are open to readers of these kinds (`events.access.readers_of`).

    They are open once they are locked, if the visibility settings say so. Staff read them by their role instead.
    """
    return event.status not in LISTS_CLOSED and lists_are_open_in(current_stage(event), event, readers)


LISTS_CLOSED = (Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.CANCELLED)


def lists_are_open_in(stage: Stage, event: Event, readers: Collection[str]) -> bool:
    """`lists_are_open` without a query, for lists of events; `stage` is the event's current one."""
    if event.status in LISTS_CLOSED:
        return False
    moment = Moment(part_of(stage.number), round_over=False, event_over=event.is_over)
    return shows(read_visibility(event.visibility), DECKLISTS, set(readers) & {PUBLIC, PLAYERS}, moment)


def pool_for_reader(user: Any, pk: int) -> Pool:
    """One version of a pool: for everybody who may see the event once the stage shows its pools, else as a decklist."""
    pool = Pool.objects.filter(pk=pk).select_related("entrant__event", "stage__event").first()
    if pool is None:
        raise Http404
    if not pools_are_open(pool.stage):
        _require_reader(user, pool.entrant)
    else:
        event_for_viewer(user, pool.entrant.event.public_id)
    return pool


def pools_are_open(stage: Stage) -> bool:
    """Whether everybody may read the pools of a stage now, as the organizer chose (`Stage.PoolsShown`)."""
    over = {Event.Status.FINISHED, Event.Status.ARCHIVED}
    locked = over | {Event.Status.LOCKED, Event.Status.CHECK_IN, Event.Status.RUNNING}
    when = {Stage.PoolsShown.OVER: over, Stage.PoolsShown.LOCKED: locked}
    return stage.event.status in when.get(Stage.PoolsShown(stage.pools_shown), ())


def _require_reader(user: Any, entrant: Entrant, member: Member | None = None) -> None:
    if _is_own(user, entrant, member):
        return
    require(user, entrant.event, "read_decks")
    if own_entrants(user, entrant.event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read other players’ lists."))
