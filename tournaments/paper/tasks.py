"""Job handlers: draw a requested PDF, and delete it after a day."""

from tournaments.common.jobs import RunningJob, handler
from tournaments.paper.services import draw_paper, forget_paper


@handler("paper.draw")
def draw(job: RunningJob) -> None:
    """Draw a PDF. Payload: `paper` (its key)."""
    draw_paper(paper_id=job.payload["paper"], progress=job.progress)


@handler("paper.forget")
def forget(job: RunningJob) -> None:
    """Delete a PDF. Payload: `paper` (its key)."""
    forget_paper(paper_id=job.payload["paper"])
