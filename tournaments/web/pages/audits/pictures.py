"""Pictures of boards to share: a log at a move, a saved board, a what-if branch, with the access of their pages."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.audits.access import branch_for_judge, position_for_signer, replay_for_reader
from tournaments.paper import positions


@login_required
@never_cache
@require_safe
def audit_picture(request: HttpRequest, log_id: str, n: int) -> HttpResponse:
    """The board of a log after move `n` as a PNG; players see the cards that their seat sees."""
    log = replay_for_reader(request.user, log_id)
    return _picture(positions.log_picture(request.user, log, n), f"{log.public_id}-{n}")


@login_required
@never_cache
@require_safe
def position_picture(request: HttpRequest, position_id: str) -> HttpResponse:
    """A saved board as a PNG; players see the cards that their seat sees."""
    signer = position_for_signer(request.user, position_id)
    return _picture(positions.position_picture(signer), signer.position.public_id)


@login_required
@never_cache
@require_safe
def branch_picture(request: HttpRequest, key: int, n: int) -> HttpResponse:
    """The board of a what-if branch after move `n` as a PNG."""
    branch = branch_for_judge(request.user, key)
    return _picture(positions.branch_picture(branch, n), f"{branch.log.public_id}-what-if-{branch.pk}-{n}")


def _picture(png: bytes | None, name: str) -> HttpResponse:
    if png is None:
        raise Http404
    answer = HttpResponse(png, content_type="image/png")
    answer["Content-Disposition"] = f'inline; filename="{name}.png"'
    return answer
