"""The states of exports, verifications and checks, as pages and the API show them."""

from dataclasses import dataclass
from typing import Any

from tournaments.archive.models import Check, Export, Verification
from tournaments.common import jobs
from tournaments.common.models import Job
from tournaments.events.models import Event

CHECK = "archive.check_event"  # the kind of job that checks one event


@dataclass(frozen=True)
class ExportState:
    """The state of a requested file: `ready`, failed with an `error`, or `progress` percent done."""

    ready: bool
    progress: int
    error: str


def state_of_export(export: Export) -> ExportState:
    """Return the state of a requested file, without loading the file."""
    if Export.objects.filter(pk=export.pk, document__isnull=False).exists():
        return ExportState(True, 100, "")
    job = jobs.state_of("archive.export", str(export.pk))
    failed = job is not None and job.status == "failed"
    return ExportState(False, job.progress if job else 0, (job.error or "failed") if job and failed else "")


def document_of(export: Export) -> bytes | None:
    """Return the file, compressed with gzip; None until it is written."""
    found = Export.objects.filter(pk=export.pk).values_list("document", flat=True).first()
    return bytes(found) if found is not None else None


def file_name(export: Export) -> str:
    """Return the name under which the file is downloaded."""
    return f"{export.event.public_id}{'' if export.names else '-without-names'}.jsonl.gz"


@dataclass(frozen=True)
class VerificationState:
    """The state of a verification: a `report` once it is done, an `error` if its job failed, or `progress` percent."""

    progress: int
    report: dict[str, Any] | None
    error: str

    @property
    def ready(self) -> bool:
        """Whether it is over, with a report or an error."""
        return self.report is not None or bool(self.error)


def state_of(verification: Verification) -> VerificationState:
    """Return the state of a verification."""
    if verification.report is not None:
        return VerificationState(100, verification.report, "")
    job = jobs.state_of("archive.verify", str(verification.pk))
    failed = job is not None and job.status == "failed"
    return VerificationState(job.progress if job else 0, None, (job.error or "failed") if job and failed else "")


@dataclass(frozen=True)
class CheckState:
    """The last check of an event, and the state of the requested one.

    `state` is `none`, `asked`, `running`, `done` or `failed`; `error` is the code of the refusal that stopped it, or
    `failed` for any other error.
    """

    check: Check | None
    state: str
    progress: int = 0
    error: str = ""

    @property
    def busy(self) -> bool:
        """Whether a check is waiting for a worker, or running."""
        return self.state in ("asked", "running")


def state_of_check(event: Event) -> CheckState:
    """Return the last check of an event, nightly or requested, and the state of the requested one."""
    check = Check.objects.filter(event=event).first()
    job = jobs.state_of(CHECK, str(event.pk))
    if job is not None and job.status in (Job.Status.PENDING, Job.Status.RUNNING):
        return CheckState(check, "running" if job.status == Job.Status.RUNNING else "asked", job.progress)
    if job is not None and job.status == Job.Status.FAILED and not _was_checked_since(check, job.id):
        # An identifier is the code of a refusal. Anything else is the text of a crash, which is not shown to people.
        return CheckState(check, "failed", error=job.error if job.error.isidentifier() else "failed")
    return CheckState(check, "done" if check else "none")


def _was_checked_since(check: Check | None, job_id: int) -> bool:
    # Whether a check succeeded after the failed job, for example at night: then the failure is out of date.
    return check is not None and Job.objects.filter(pk=job_id, finished_at__lt=check.at).exists()


def failed_checks() -> int:
    """Count the events whose last check found a problem."""
    return Check.objects.filter(faulty__gt=0).count()
