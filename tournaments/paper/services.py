"""Actions on PDFs: request, draw and delete. Printing changes nothing of an event, so it is not in the ledger."""

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
AT_ONCE = 128  # up to so many entrants a PDF is drawn within the request, in a fraction of a second


def request_pdf(
    *, event: Event, kind: str, round_: Round | None, language: str, by: User, now: datetime, site: str = ""
) -> Paper:
    """Request a PDF of the current state: for a small event it is drawn immediately, for a large one by a job.

    It is in `language`; `site` is the origin for links, such as `https://example.org`. It is deleted after `KEPT`.
    """
    with transaction.atomic():
        paper = Paper.objects.create(
            event=event, kind=kind, round=round_, language=language, site=site, asked_by=by, asked_at=now
        )
        large = event.entrants.count() > AT_ONCE
        if large:
            jobs.enqueue("paper.draw", str(paper.pk), payload={"paper": paper.pk}, now=now)
        jobs.enqueue("paper.forget", str(paper.pk), payload={"paper": paper.pk}, now=now, run_after=now + KEPT)
    if not large:  # outside of the transaction, so that no lock is held while drawing
        draw_paper(paper_id=paper.pk)
        paper.refresh_from_db(fields=["document"])
    return paper


def draw_paper(*, paper_id: int, progress: Progress = unseen) -> None:
    """Draw a requested PDF from the current state of the database; does nothing if it was deleted already."""
    paper = Paper.objects.filter(pk=paper_id).select_related("event", "round__stage__event").first()
    if paper is None:
        return
    with translation.override(paper.language):
        document = document_of(sheets_of(paper.event, paper.round, paper.kind, paper.site), progress)
    Paper.objects.filter(pk=paper_id).update(document=document)


def forget_paper(*, paper_id: int) -> None:
    """Delete a PDF. Idempotent."""
    Paper.objects.filter(pk=paper_id).delete()
