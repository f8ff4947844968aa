"""`manage.py jobs [--retry ID]`: list unfinished jobs, or give a failed one a fresh set of attempts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.common import clock, jobs
from tournaments.common.models import Job


class Command(BaseCommand):
    help = "List unfinished jobs; --retry runs a failed one again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--retry", type=int, metavar="ID", help="the number of a failed job")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["retry"] is not None:
            self._retry(options["retry"])
            return
        for job in Job.objects.exclude(status=Job.Status.DONE).order_by("pk"):
            line = f"{job.pk} {job.status} {job.kind} {job.key} attempts={job.attempts} due={job.run_after.isoformat()}"
            self.stdout.write(f"{line} {job.error}".rstrip())

    def _retry(self, job_id: int) -> None:
        if not jobs.retry(job_id, now=clock.now()):
            job = Job.objects.filter(pk=job_id).first()
            if job is None:
                raise CommandError(f"there is no job {job_id}")
            if job.status != Job.Status.FAILED:
                raise CommandError(f"job {job_id} has not failed: it is {job.status}")
            raise CommandError(f"newer work is already pending for {job.kind} {job.key}, so job {job_id} is not needed")
        self.stdout.write(f"job {job_id} will be tried again")
