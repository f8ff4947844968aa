"""What pages and the API read of event files, verifications and checks."""

from dataclasses import dataclass
from typing import Any

from tournaments.archive.models import Check, Export, Verification
from tournaments.common import jobs
from tournaments.common.models import Job
from tournaments.events.models import Event

CHECK = "archive.check_event"  # the kind of the job that checks one event


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


@dataclass(frozen=True)
class CheckState:
    """The last check of an event, and how far the one that was asked for is.

    `state` is `none`, `asked`, `running`, `done` or `failed`; `error` is the code of the refusal that stopped it, or
    `failed`.
    """

    check: Check | None
    state: str
    progress: int = 0
    error: str = ""

    @property
    def busy(self) -> bool:
        """Whether a check waits for a worker, or is being made."""
        return self.state in ("asked", "running")


def state_of_check(event: Event) -> CheckState:
    """The last check of an event, by night or asked for, and the one under way."""
    check = Check.objects.filter(event=event).first()
    job = jobs.state_of(CHECK, str(event.pk))
    if job is not None and job.status in (Job.Status.PENDING, Job.Status.RUNNING):
        return CheckState(check, "running" if job.status == Job.Status.RUNNING else "asked", job.progress)
    if job is not None and job.status == Job.Status.FAILED and not _was_checked_since(check, job.id):
        return CheckState(check, "failed", error=job.error if job.error.isidentifier() else "failed")
    return CheckState(check, "done" if check else "none")


def _was_checked_since(check: Check | None, job_id: int) -> bool:
    return check is not None and Job.objects.filter(pk=job_id, finished_at__lt=check.at).exists()
