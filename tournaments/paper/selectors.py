"""What pages and the API read of papers."""

from dataclasses import dataclass

from tournaments.common import jobs
from tournaments.paper.models import Paper


@dataclass(frozen=True)
class PaperState:
    """How far a paper is: `ready`, `failed` with the error's code, or under way by `progress` percent."""

    ready: bool
    progress: int
    error: str


def state_of(paper: Paper) -> PaperState:
    """How far a paper is; the document itself is not read."""
    if Paper.objects.filter(pk=paper.pk, document__isnull=False).exists():
        return PaperState(True, 100, "")
    job = jobs.state_of("paper.draw", str(paper.pk))
    failed = job is not None and job.status == "failed"
    return PaperState(False, job.progress if job else 0, job.error if job and failed else "")


def document_of_paper(paper: Paper) -> bytes | None:
    """The PDF, once it is drawn."""
    found = Paper.objects.filter(pk=paper.pk).values_list("document", flat=True).first()
    return bytes(found) if found is not None else None


def file_name(paper: Paper) -> str:
    """What the PDF is called on the disk of who downloads it."""
    number = f"-{paper.round.number}" if paper.round else ""
    return f"{paper.event.public_id}-{paper.kind}{number}.pdf"
