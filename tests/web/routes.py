"""The routes of the site as `docs/routes.md` lists them, and their addresses in a scene."""

import re
from collections.abc import Callable
from typing import Any

from django.core.signing import Signer
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tests.api.scenes import Scene
from tests.contracts.project import ROOT
from tournaments.accounts.addresses import ADDRESS_TOKENS, reset_token
from tournaments.accounts.services import create_token, make_sign_in_link
from tournaments.audits.branches import open_branch
from tournaments.audits.models import MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import clock
from tournaments.decks.models import Decklist, Pool
from tournaments.events.invitations import secret_of
from tournaments.events.joining import join_signature
from tournaments.events.models import Invitation, StaffRole
from tournaments.events.seats import seat_signature
from tournaments.notices.services import SALT

ROLES = ("visitor", "stranger", "player", "scorekeeper", "judge", "organizer")
# What stands in the place of a parameter: by route and name, or by name alone.
VALUES: dict[str, Callable[[Scene], Any]] = {
    "event_id": lambda scene: scene.event.public_id,
    "number": lambda scene: 1,
    "n": lambda scene: 1,
    "match_id": lambda scene: scene.match.public_id,
    "entrant_id": lambda scene: scene.entrant.public_id,
    "log_id": lambda scene: scene.log,
    "other_id": lambda scene: _second_log(scene),
    "key": lambda scene: _branch(scene),
    "verification_id": lambda scene: scene.verification,
    "webhook_id": lambda scene: scene.webhook,
    "delivery_id": lambda scene: scene.delivery,
    "format_id": lambda scene: scene.format,
    "call_id": lambda scene: scene.call,
    "penalty_id": lambda scene: scene.penalty,
    "check_id": lambda scene: scene.check,
    "bulk_id": lambda scene: scene.bulk,
    "position_id": lambda scene: scene.position,
    "photo_id": lambda scene: scene.photo,
    "recording_id": lambda scene: scene.recording,
    "announcement_id": lambda scene: scene.announcement,
    "file_id": lambda scene: scene.file,
    "paper_id": lambda scene: scene.paper,
    "league_id": lambda scene: scene.league,
    "person_id": lambda scene: scene.entrant.member_set.get().person.public_id,
    "signature": lambda scene: seat_signature(scene.entrant),
    "step": lambda scene: "finish",
    "what": lambda scene: "pairings",
    "kind": lambda scene: "seats",
    "table": lambda scene: "entrants",
    "form": lambda scene: "csv",
    "public_id": lambda scene: scene.cast.player.public_id,
    "invitation_id": lambda scene: scene.invitation,
    "import_id": lambda scene: scene.entry_import,
    "name": lambda scene: "player",
    "reset uidb64": lambda scene: urlsafe_base64_encode(force_bytes(scene.cast.player.pk)),
    "reset token": lambda scene: reset_token(scene.cast.player),
    "address token": lambda scene: ADDRESS_TOKENS.make_token(scene.cast.player),
    "unsubscribe kind": lambda scene: "pairing",
    "unsubscribe signature": lambda scene: Signer(salt=SALT).signature(f"{scene.cast.player.public_id}:pairing"),
    "invitation secret": lambda scene: secret_of(Invitation(public_id=scene.invitation)),
    "staff_import_end gesture": lambda scene: "discard",
    "join signature": lambda scene: join_signature(scene.event),
    "claim_entry entrant_id": lambda scene: scene.other,
    "claim_entry signature": lambda scene: scene.signature,
    "staff_pairing_unbye number": lambda scene: 2,
    "link secret": lambda scene: make_sign_in_link(user=scene.cast.player, now=clock.now()),
    "token_revoke pk": lambda scene: (
        create_token(user=scene.cast.player, name="mine", scopes=("read",), now=clock.now())[0].pk
    ),
    "staff_revoke pk": lambda scene: StaffRole.objects.get(event=scene.event, user=scene.cast.scorekeeper).pk,
    "staff_deck pk": lambda scene: Decklist.objects.get(entrant=scene.entrant).pk,
    "catalogue pk": lambda scene: scene.catalogue,
    "catalogue_delete pk": lambda scene: scene.catalogue,
    "upload_id": lambda scene: scene.cards,
    "catalogue_upload_end gesture": lambda scene: "keep",
    "pool pk": lambda scene: Pool.objects.get(entrant=scene.entrant).pk,
    "staff_pairing_allow pk": lambda scene: scene.pair,
    "staff_pairing_add what": lambda scene: "bye",
    "staff_prize gesture": lambda scene: "given",
    "staff_entrant gesture": lambda scene: "drop",
    "staff_undo gesture": lambda scene: "unpublish",
    "staff_hand gesture": lambda scene: "swap",
    "staff_draft_clock gesture": lambda scene: "start",
    "staff_clock gesture": lambda scene: "start",
    "staff_lateness gesture": lambda scene: "empty",
    "call_step gesture": lambda scene: "claim",
    "webhook_gesture gesture": lambda scene: "test",
}


def _second_log(scene: Scene) -> str:
    whole = MoveLog.objects.get(public_id=scene.log)
    document = (whole.document + " ").encode()
    return submit_log(game=whole.game, document=document, by=scene.cast.opponent, now=clock.now()).public_id


def _branch(scene: Scene) -> int:
    log = MoveLog.objects.get(public_id=scene.log)
    return open_branch(log=log, n=1, correction="undo", by=scene.cast.judge, now=clock.now()).pk


def table() -> dict[tuple[str, str], dict[str, str]]:
    """The rows of `docs/routes.md`: by the route's name and its methods, what each role meets."""
    rows = {}
    for line in (ROOT / "docs" / "routes.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 + len(ROLES):
            rows[cells[0].strip("`"), cells[1]] = dict(zip(ROLES, cells[3:], strict=True))
    return rows


def address(pattern: Any, scene: Scene, **said: object) -> str:
    """A route's address with what stands in the scene; `said` goes before it."""
    names = re.findall(r"<\w+:(\w+)>", str(pattern.pattern))
    values = {name: said[name] if name in said else _value(pattern.name, name)(scene) for name in names}
    return reverse(f"web:{pattern.name}", kwargs=values)


def _value(route: str, name: str) -> Callable[[Scene], Any]:
    return VALUES.get(f"{route} {name}") or VALUES[name]
