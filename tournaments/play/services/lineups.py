"""Which member of a team sits at which board."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.models import User
from tournaments.common.refusals import InvalidInput, Refusal
from tournaments.decks.selectors import members_without_legal_list
from tournaments.events.models import Entrant, Event, Member
from tournaments.events.selectors import current_stage
from tournaments.play.models import Round
from tournaments.play.selectors import last_round_of
from tournaments.play.services.entries import record

_BEFORE_START = (Event.Status.DRAFT, Event.Status.REGISTRATION, Event.Status.LOCKED, Event.Status.CHECK_IN)


def change_lineup(*, team: Entrant, boards: Sequence[str], by: User, now: datetime) -> None:
    """Seat members of a team, given by the public ids of their persons, at the boards from 1 on. Idempotent.

    The others are substitutes. Before the start, the order is free. Afterwards it changes between rounds only, and only
    by substitutes: members who stay keep their boards. The boards of a published round stay as they are.

    Raises InvalidInput `not_in_team`, `lineup_invalid`; Refusal `event_state`, `round_open` while a round is published,
    `boards_kept` if a member would change boards after the start, `not_ready` if a substitute lacks a required legal
    decklist then.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=team.event_id)
        team = Entrant.objects.select_for_update().get(pk=team.pk)
        if event.status not in (*_BEFORE_START, Event.Status.RUNNING):
            raise Refusal("event_state", _("The event is over."))
        members = {member.person.public_id: member for member in Member.objects.filter(entrant=team)}
        before = _boards(members.values())
        wanted = list(boards)
        _check(event, members.keys(), wanted)
        if wanted == before:
            return
        if event.status == Event.Status.RUNNING:
            _refuse_during_round(event)
            _refuse_moves(before, wanted)
            _refuse_without_list(event, [members[person] for person in wanted if person not in before])
        # All boards are freed first: two members must not have the same one, not even for a moment.
        Member.objects.filter(entrant=team).update(board=None)
        for number, person in enumerate(wanted, 1):
            Member.objects.filter(pk=members[person].pk).update(board=number)
        was, new = {"boards": before}, {"boards": wanted}
        record(event, by, "entrant.lineup_changed", now, object=team.public_id, before=was, after=new)


def _boards(members: Iterable[Member]) -> list[str]:
    seated = [member for member in members if member.board is not None]
    return [member.person.public_id for member in sorted(seated, key=lambda member: member.board or 0)]


def _check(event: Event, known: Collection[str], wanted: Sequence[str]) -> None:
    strangers = [person for person in wanted if person not in known]
    if strangers:
        raise InvalidInput("not_in_team", _("This person is not in the team."), details=strangers)
    # A team that is not complete yet has as many boards as members.
    if len(set(wanted)) != len(wanted) or len(wanted) != min(event.team_size, len(known)):
        raise InvalidInput("lineup_invalid", _("Give each board one member, and no member two boards."))


def _refuse_during_round(event: Event) -> None:
    last = last_round_of(event)
    if last is not None and last.status == Round.Status.PUBLISHED:
        raise Refusal("round_open", _("A round is being played: change the boards before the next one is published."))


def _refuse_moves(before: Sequence[str], wanted: Sequence[str]) -> None:
    moved = [person for person in wanted if person in before and before.index(person) != wanted.index(person)]
    if moved:
        raise Refusal(
            "boards_kept", _("Members who play on keep their boards: only substitutes come in."), details=moved
        )


def _refuse_without_list(event: Event, coming: Collection[Member]) -> None:
    """Refuse substitutes who would play without the legal decklist that the event requires."""
    if event.lists != Event.Lists.REQUIRED or not coming:
        return
    lacking = members_without_legal_list(current_stage(event)).filter(pk__in=[member.pk for member in coming])
    if missing := [member.person.public_id for member in lacking]:
        message = _("This substitute has no legal decklist. The head judge can reopen it.")
        raise Refusal("not_ready", message, details=missing)
