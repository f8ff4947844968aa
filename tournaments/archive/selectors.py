"""What pages and the API read of verifications."""

from dataclasses import dataclass
from typing import Any

from tournaments.archive.models import Export, Verification
from tournaments.common import jobs


@dataclass(frozen=True)
class ExportState:
    """How far the file of an event is: `ready`, `error` when the job failed, or under way by `progress` percent."""

    ready: bool
    progress: int
    error: str


def state_of_export(export: Export) -> ExportState:
    """How far a file is; the file itself is not read."""
    if Export.objects.filter(pk=export.pk, document__isnull=False).exists():
        return ExportState(True, 100, "")
    job = jobs.state_of("archive.export", str(export.pk))
    failed = job is not None and job.status == "failed"
    return ExportState(False, job.progress if job else 0, (job.error or "failed") if job and failed else "")


def document_of(export: Export) -> bytes | None:
    """The packed file, once it is written."""
    found = Export.objects.filter(pk=export.pk).values_list("document", flat=True).first()
    return bytes(found) if found is not None else None


def file_name(export: Export) -> str:
    """What the file is called on the disk of who downloads it."""
    return f"{export.event.public_id}{'' if export.names else '-without-names'}.jsonl.gz"


@dataclass(frozen=True)
class VerificationState:
    """How far a verification is: `report` once it is done, `error` when the job failed."""

    progress: int
    report: dict[str, Any] | None
    error: str

    @property
    def ready(self) -> bool:
        """Whether nothing more is to come."""
        return self.report is not None or bool(self.error)


def state_of(verification: Verification) -> VerificationState:
    """How far a verification is."""
    if verification.report is not None:
        return VerificationState(100, verification.report, "")
    job = jobs.state_of("archive.verify", str(verification.pk))
    failed = job is not None and job.status == "failed"
    return VerificationState(job.progress if job else 0, None, (job.error or "failed") if job and failed else "")
