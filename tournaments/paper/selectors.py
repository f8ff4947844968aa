"""Read queries on requested PDFs, for pages and the API."""

from dataclasses import dataclass

from tournaments.common import jobs
from tournaments.paper.models import Paper


@dataclass(frozen=True)
class PaperState:
    """The state of a PDF: `ready`, failed (`error` is a code), or being drawn (`progress` in percent)."""

    ready: bool
    progress: int
    error: str


def state_of(paper: Paper) -> PaperState:
    """The state of a PDF. The document itself is not loaded."""
    if Paper.objects.filter(pk=paper.pk, document__isnull=False).exists():
        return PaperState(True, 100, "")
    job = jobs.state_of("paper.draw", str(paper.pk))
    failed = job is not None and job.status == "failed"
    return PaperState(False, job.progress if job else 0, job.error if job and failed else "")


def document_of_paper(paper: Paper) -> bytes | None:
    """The bytes of a PDF; None until it is drawn."""
    found = Paper.objects.filter(pk=paper.pk).values_list("document", flat=True).first()
    return bytes(found) if found is not None else None


def file_name(paper: Paper) -> str:
    """The file name under which a PDF is downloaded."""
    number = f"-{paper.round.number}" if paper.round else ""
    return f"{paper.event.public_id}-{paper.kind}{number}.pdf"
