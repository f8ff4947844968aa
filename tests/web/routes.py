"""The routes listed in `docs/routes.md`, and how to build the address of each one for a scene of `tests.api.scenes`."""

import re
from collections.abc import Callable
from typing import Any

from allauth.usersessions.models import UserSession
from django.core.signing import Signer
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tests.api.scenes import Scene
from tests.contracts.project import ROOT
from tournaments.accounts.addresses import ADDRESS_TOKENS, reset_token
from tournaments.accounts.calendar_links import calendar_signature, make_calendar_link
from tournaments.accounts.models import User
from tournaments.accounts.services import create_token, make_sign_in_link, own_person
from tournaments.audits.branches import open_branch
from tournaments.audits.models import MoveLog
from tournaments.audits.services import submit_log
from tournaments.common import clock
from tournaments.decks.models import Decklist, Pool
from tournaments.events import entry_invitations
from tournaments.events.invitations import secret_of
from tournaments.events.joining import join_signature
from tournaments.events.models import EntryInvitation, Invitation, StaffRole
from tournaments.events.seats import seat_signature
from tournaments.notices.services import SALT
from tournaments.profiles.services import show_profile
from tournaments.web import urls
from tournaments.web.urls import allauth

PATTERNS = [*urls.urlpatterns, *allauth.urlpatterns]
"""The URL patterns of all pages. Those of allauth have no namespace."""

ROLES = ("visitor", "stranger", "player", "scorekeeper", "judge", "organizer")
# The value of each URL parameter in a scene. A key is "route parameter", or just the parameter's name.
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
    "device_id": lambda scene: scene.device,
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
    "club_id": lambda scene: scene.club,
    "convention_id": lambda scene: scene.convention,
    "club_venue_delete pk": lambda scene: scene.venue,
    "club_role_revoke pk": lambda scene: scene.club_role,
    "person_id": lambda scene: scene.members()[0],
    "who": lambda scene: _profile(scene.cast.player),
    "other": lambda scene: _profile(scene.cast.opponent),
    "signature": lambda scene: seat_signature(scene.entrant),
    "tier_id": lambda scene: scene.price,
    "code_id": lambda scene: scene.code,
    "payment_id": lambda scene: scene.payment,
    "provider": lambda scene: "stripe",
    "step": lambda scene: "finish",
    "what": lambda scene: "pairings",
    "kind": lambda scene: "seats",
    "table": lambda scene: "entrants",
    "form": lambda scene: "csv",
    "organizer_ics account_id": lambda scene: scene.cast.organizer.public_id,
    "account_ics account_id": lambda scene: scene.cast.player.public_id,
    "account_ics signature": lambda scene: _calendar(scene),
    "public_id": lambda scene: scene.cast.player.public_id,
    "invitation_id": lambda scene: scene.invitation,
    "import_id": lambda scene: scene.entry_import,
    "name": lambda scene: "player",
    "reset uidb64": lambda scene: urlsafe_base64_encode(force_bytes(scene.cast.player.pk)),
    "reset token": lambda scene: reset_token(scene.cast.player),
    "address token": lambda scene: ADDRESS_TOKENS.make_token(scene.cast.player),
    "guardian token": lambda scene: "no-token",
    "unsubscribe kind": lambda scene: "pairing",
    "unsubscribe signature": lambda scene: Signer(salt=SALT).signature(f"{scene.cast.player.public_id}:pairing"),
    "invitation secret": lambda scene: secret_of(Invitation(public_id=scene.invitation)),
    "staff_entry_invitation entrant_id": lambda scene: scene.other,
    "entry_invitation invitation_id": lambda scene: scene.entry_invitation,
    "entry_invitation secret": lambda scene: entry_invitations.secret_of(
        EntryInvitation(public_id=scene.entry_invitation)
    ),
    "staff_import_end action": lambda scene: "discard",
    "join signature": lambda scene: join_signature(scene.event),
    "team_join signature": lambda scene: scene.signature,
    "claim_entry entrant_id": lambda scene: scene.other,
    "claim_entry signature": lambda scene: scene.signature,
    "staff_pairing_unbye number": lambda scene: 2,
    "link secret": lambda scene: make_sign_in_link(user=scene.cast.player, now=clock.now()),
    "mfa_edit_webauthn pk": lambda scene: 1,  # whose it is, is looked up only after the password
    "mfa_remove_webauthn pk": lambda scene: 1,
    "provider_id": lambda scene: "club",
    "provider_disconnect pk": lambda scene: 1,
    "browser_end pk": lambda scene: _browser(scene),
    "token_revoke pk": lambda scene: (
        create_token(user=scene.cast.player, name="mine", scopes=("read",), now=clock.now())[0].pk
    ),
    "staff_revoke pk": lambda scene: StaffRole.objects.get(event=scene.event, user=scene.cast.scorekeeper).pk,
    "staff_deck pk": lambda scene: Decklist.objects.get(entrant=scene.entrant).pk,
    "catalogue pk": lambda scene: scene.catalogue,
    "catalogue_club pk": lambda scene: scene.catalogue,
    "catalogue_delete pk": lambda scene: scene.catalogue,
    "game": lambda scene: "star-safir",
    "catalog": lambda scene: "own",
    "ref": lambda scene: "OWN-1",
    "application_id": lambda scene: scene.application,
    "ban_lift pk": lambda scene: scene.ban,
    "upload_id": lambda scene: scene.cards,
    "transfer_id": lambda scene: scene.transfer,
    "transfer_end action": lambda scene: "discard",
    "catalogue_upload_end action": lambda scene: "keep",
    "pool pk": lambda scene: Pool.objects.get(entrant=scene.entrant).pk,
    "staff_pairing_allow pk": lambda scene: scene.pair,
    "staff_pairing_add what": lambda scene: "bye",
    "staff_prize action": lambda scene: "given",
    "staff_category_prize action": lambda scene: "given",
    "staff_entrant action": lambda scene: "drop",
    "staff_undo action": lambda scene: "unpublish",
    "staff_hand action": lambda scene: "swap",
    "staff_draft_clock action": lambda scene: "start",
    "staff_clock action": lambda scene: "start",
    "staff_lateness action": lambda scene: "empty",
    "call_step action": lambda scene: "claim",
    "webhook_action action": lambda scene: "test",
    "device_action action": lambda scene: "test",
}


def _second_log(scene: Scene) -> str:
    whole = MoveLog.objects.get(public_id=scene.log)
    # The same document again would not make a second log: the space gives it another digest.
    document = (whole.document + " ").encode()
    return submit_log(game=whole.game, document=document, by=scene.cast.opponent, now=clock.now()).public_id


def _browser(scene: Scene) -> int:
    return UserSession.objects.create(user=scene.cast.player, ip="::", session_key="x", user_agent="Browser").pk


def _profile(user: User) -> str:
    return show_profile(person=own_person(user), now=clock.now()).address


def _calendar(scene: Scene) -> str:
    make_calendar_link(user=scene.cast.player)
    return calendar_signature(scene.cast.player)


def _branch(scene: Scene) -> int:
    log = MoveLog.objects.get(public_id=scene.log)
    return open_branch(log=log, n=1, correction="undo", by=scene.cast.judge, now=clock.now()).pk


def table() -> dict[tuple[str, str], dict[str, str]]:
    """Read `docs/routes.md`: {(route name, methods): {role: expected answer}}."""
    rows = {}
    for line in (ROOT / "docs" / "routes.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 + len(ROLES):
            rows[cells[0].strip("`"), cells[1]] = dict(zip(ROLES, cells[3:], strict=True))
    return rows


def address(pattern: Any, scene: Scene, **said: object) -> str:
    """Return the address of a route for this scene. Parameters given in `said` override the scene's."""
    names = re.findall(r"<\w+:(\w+)>", str(pattern.pattern))
    values = {name: said[name] if name in said else _value(pattern.name, name)(scene) for name in names}
    return reversed_path(pattern.name, values)


def reversed_path(name: str, values: dict[str, Any]) -> str:
    """Return the path of a page by its URL name, with or without the namespace of our own pages."""
    ours = {pattern.name for pattern in urls.urlpatterns}
    return reverse(f"web:{name}" if name in ours else name, kwargs=values)


def _value(route: str, name: str) -> Callable[[Scene], Any]:
    return VALUES.get(f"{route} {name}") or VALUES[name]
