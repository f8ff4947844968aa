"""Who reads a log and its audit: who submitted it, and judges who do not play the event; these open branches.

A log holds the hands and the lists of both players, so the opponent does not read it; the evidence alone is public.
"""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.audits.models import Branch, MoveLog
from tournaments.common.refusals import NotAllowed
from tournaments.events.access import plays
from tournaments.play.access import match_for_judge, match_for_viewer


def log_for_reader(user: Any, public_id: str) -> MoveLog:
    """A submitted log with its audit and its game."""
    log = (
        MoveLog.objects
        .filter(public_id=public_id)
        .select_related("audit", "game__match__round__stage__event", "uploaded_by")
        .defer("document", "audit__report")  # up to 8 MiB each, which a board does not need
        .first()
    )
    if log is None or not user.is_authenticated:
        raise Http404
    match = log.game.match = match_for_viewer(user, log.game.match.public_id)
    if log.uploaded_by_id != user.pk:
        match_for_judge(user, match.public_id)
        if plays(user, match.round.stage.event):
            raise NotAllowed("staff_who_play", _("Staff who play an event do not read the logs of others."))
    return log


def log_for_judge(user: Any, public_id: str) -> MoveLog:
    """A log with whose match the account may deal as a judge, and which it may read."""
    log = log_for_reader(user, public_id)
    match_for_judge(user, log.game.match.public_id)
    if plays(user, log.game.match.round.stage.event):
        raise NotAllowed("staff_who_play", _("Staff who play an event do not read the logs of others."))
    return log


def branch_for_judge(user: Any, key: int) -> Branch:
    """A branch of a log that the account may judge."""
    branch = Branch.objects.filter(pk=key).select_related("log", "dispute", "by").first()
    if branch is None:
        raise Http404
    branch.log = log_for_judge(user, branch.log.public_id)
    return branch
