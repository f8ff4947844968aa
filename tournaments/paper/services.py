"""Papers asked for, drawn and forgotten. Printing changes nothing of an event, so the ledger is silent about it."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import translation

from tournaments.accounts.models import User
from tournaments.common import jobs
from tournaments.common.jobs import Progress, unseen
from tournaments.events.models import Event
from tournaments.paper.drawing import document_of
from tournaments.paper.models import Paper
from tournaments.paper.sheets import sheets_of
from tournaments.play.models import Round

KEPT = timedelta(days=1)
AT_ONCE = 128  # entrants up to which the page draws the paper itself: a fraction of a second


def ask_for_paper(
    *, event: Event, kind: str, round_: Round | None, language: str, by: User, now: datetime, site: str = ""
) -> Paper:
    """Have a PDF drawn of what stands now: a small one at once, a large one by a job. A day later it is forgotten."""
    with transaction.atomic():
        paper = Paper.objects.create(
            event=event, kind=kind, round=round_, language=language, site=site, asked_by=by, asked_at=now
        )
        large = event.entrants.count() > AT_ONCE
        if large:
            jobs.enqueue("paper.draw", str(paper.pk), payload={"paper": paper.pk}, now=now)
        jobs.enqueue("paper.forget", str(paper.pk), payload={"paper": paper.pk}, now=now, run_after=now + KEPT)
    if not large:
        draw_paper(paper_id=paper.pk)
        paper.refresh_from_db(fields=["document"])
    return paper


def draw_paper(*, paper_id: int, progress: Progress = unseen) -> None:
    """Draw a paper from what stands in the database; nothing happens when it is forgotten already."""
    paper = Paper.objects.filter(pk=paper_id).select_related("event", "round__stage__event").first()
    if paper is None:
        return
    with translation.override(paper.language):
        document = document_of(sheets_of(paper.event, paper.round, paper.kind, paper.site), progress)
    Paper.objects.filter(pk=paper_id).update(document=document)


def forget_paper(*, paper_id: int) -> None:
    """Delete a paper. Twice is once."""
    Paper.objects.filter(pk=paper_id).delete()
