"""Who may see an uploaded file: the account that uploaded it, and nobody else."""

from typing import Any

from django.http import Http404

from tournaments.common import confidential
from tournaments.transfers.models import Transfer


def transfer_for_owner(user: Any, public_id: str) -> Transfer:
    """A file that the account uploaded; 404 for anybody else.

    No browser keeps the answer to the current request: the file names players, as the pages of their event do.
    """
    confidential.mark()
    found = None
    if user.is_authenticated:
        found = Transfer.objects.filter(public_id=public_id, owner=user).select_related("made", "owner").first()
    if found is None:
        raise Http404
    return found
