"""Permissions for printed sheets: staff may print what they may read on pages, and nothing more."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.common.refusals import NotAllowed
from tournaments.events.access import event_for_staff, plays, require
from tournaments.events.models import Event
from tournaments.paper.models import Paper
from tournaments.play.access import round_for_staff
from tournaments.play.models import Round

ROUND_KINDS = frozenset({Paper.Kind.ROUND, Paper.Kind.SLIPS, Paper.Kind.BY_NAME, Paper.Kind.BY_TABLE})


def event_for_paper(user: Any, event_id: str, kind: str, number: int | None) -> tuple[Event, Round | None]:
    """The event, and for a kind of `ROUND_KINDS` the round with this number, if the user may print that kind of sheet.

    404 for somebody without a role, for an unknown round, and for a draft if the user plays in the event. Refused:
    `role_too_low`, `staff_who_play` (decklists).
    """
    if kind not in ROUND_KINDS:
        event = event_for_staff(user, event_id, _action(kind))
        _refuse_decks(user, event, kind)
        return event, None
    if number is None:
        raise Http404
    round_ = round_for_staff(user, event_id, number, "view_staff_pages")
    _refuse_draft(user, round_)
    return round_.stage.event, round_


def paper_for_staff(user: Any, public_id: str) -> Paper:
    """A requested PDF, for staff of its event who may read what is on it. `document` is deferred: it may be large."""
    paper = (
        Paper.objects.filter(public_id=public_id).select_related("event", "round__stage__event").defer("document")
    ).first()
    if paper is None:
        raise Http404
    require(user, paper.event, _action(paper.kind))
    _refuse_decks(user, paper.event, paper.kind)
    if paper.round is not None:
        _refuse_draft(user, paper.round)
    return paper


def _action(kind: str) -> str:
    """The action that a role must cover to print a kind. Seat links let their holder check in, so only the desk may."""
    return "run_desk" if kind == Paper.Kind.SEAT_LINKS else "view_staff_pages"


def _refuse_decks(user: Any, event: Event, kind: str) -> None:
    if kind != Paper.Kind.DECKS:
        return
    require(user, event, "read_decks")
    if plays(user, event):
        raise NotAllowed("staff_who_play", _("Staff who play in an event cannot read other players’ lists."))


def _refuse_draft(user: Any, round_: Round) -> None:
    if round_.status == Round.Status.DRAFT and plays(user, round_.stage.event):
        raise Http404
