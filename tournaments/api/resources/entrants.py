"""Entrants: registration, check-in, drops, names, entries without an account, and decklists."""

from collections.abc import Sequence
from typing import Any

from django.forms.models import model_to_dict
from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.guardians import person_for_guardian
from tournaments.accounts.models import ApiToken, Person
from tournaments.accounts.services import own_person
from tournaments.api.addresses import ENTRANT, EVENT
from tournaments.api.permissions import require_scope
from tournaments.api.resource import Resource, operation
from tournaments.api.resources.reader import reader_of
from tournaments.api.resources.rounds import clock_shown
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.decks import DecklistQuery, DecklistSerializer, MemberDecklistInput
from tournaments.api.serializers.events import (
    DropInput,
    EnteredSerializer,
    EntrantInput,
    EntrantNameInput,
    EntrantSerializer,
    EntrantsQuery,
    EntryClaimInput,
    MergeEntrantsInput,
    ReasonInput,
    SeatLinkSerializer,
    SeveralInput,
    SeveralSerializer,
)
from tournaments.api.serializers.progress import ProgressSerializer
from tournaments.common.names import found_in
from tournaments.common.refusals import InvalidInput
from tournaments.decks.access import member_for_list
from tournaments.decks.models import Decklist
from tournaments.decks.selectors import current_list
from tournaments.decks.services import submit_decklist
from tournaments.events import services
from tournaments.events.access import (
    entrant_for_player,
    entrant_for_staff,
    entrant_for_viewer,
    event_for_staff,
    event_for_viewer,
    may,
    readers_of,
)
from tournaments.events.claims import claim_address, claim_entry, entrant_for_claim
from tournaments.events.models import Entrant, Event
from tournaments.events.registration import register_person
from tournaments.events.renaming import rename_entrant
from tournaments.events.selectors import current_stage, entrants_of, names_of
from tournaments.events.twins import twins_of
from tournaments.leagues.known import KnownPlayer, known_person, known_players, of_name
from tournaments.paper.sheets import seat_address
from tournaments.play import services as play
from tournaments.play.access import decklist_for_viewer
from tournaments.standings.progress import progress_of

PLAY, JUDGE, ORGANIZE = ApiToken.Scope.PLAY, ApiToken.Scope.JUDGE, ApiToken.Scope.ORGANIZE


def entrant_of_request(request: Request, public_id: str) -> Entrant:
    """Return the account's own entrant (scope `play`) or, for the desk, any entrant (scope `organize`).

    Raises a 404 or NotAllowed (403) for anybody else.
    """
    # Own entrants first: staff who play need the scope `play` for theirs, like any other player.
    try:
        entrant = entrant_for_player(request.user, public_id)
    except Http404:
        entrant = entrant_for_staff(request.user, public_id, "run_desk")
        require_scope(request, ORGANIZE)
    else:
        require_scope(request, PLAY)
    return entrant


def entrant_answer(view: Resource, entrant: Entrant, *, staff: bool = False) -> Response:
    """Return one entrant as it is in the database now. With `staff`, the full name is included."""
    fresh = entrants_of(entrant.event).get(pk=entrant.pk)
    return view.answer(fresh, staff=staff)


class Entrants(Resource):
    """The entrants of an event."""

    scopes = (PLAY, ORGANIZE)

    @operation("GET", f"{EVENT}entrants/", name="entrants", query=EntrantsQuery, pages=EntrantSerializer)
    def entrants_list(self, request: Request, event_id: str) -> Response:
        """The entrants in the order they entered, filtered by `status` or words of the name. Public."""
        event = event_for_viewer(self.user, event_id)
        staff = may(self.user, event, "view_staff_pages")
        wanted = self.read_query()
        find = wanted.pop("find", "")
        shown = entrants_of(event).filter(**wanted)
        if find:
            names = names_of(shown, full=staff)
            shown = shown.filter(pk__in=[key for key, name in names.items() if found_in(find, name)])
        return self.answer(shown, staff=staff)

    @operation("GET", f"{ENTRANT}progress/", name="progress", answers=ProgressSerializer)
    def entrants_progress(self, request: Request, entrant_id: str) -> Response:
        """The match that an entrant plays now, the earlier ones, and the place in the standings, if not hidden."""
        event = entrant_for_viewer(self.user, entrant_id).event
        entrant = entrants_of(event).get(public_id=entrant_id)
        found = progress_of(entrant, event, readers_of(self.user, event))
        clock = getattr(found.round, "clock", None)
        shown = vars(found) | {"entrant": entrant, "clock": clock and clock_shown(clock, self.now)}
        return self.answer(shown, **reader_of(self.user, event))

    @operation("POST", f"{EVENT}entrants/", takes=EntrantInput, answers=EnteredSerializer, status=201)
    def entrants_create(self, request: Request, event_id: str) -> Response:
        """Register yourself (with an empty body) or a `person` you act for, or enter somebody by name from the desk.

        Once round 1 is paired, an entry from the desk is a late entry. A name that is already in the event is refused
        (`name_taken`) unless `another` says that it belongs to a different person.
        `known` enters a person whom the desk knows from an earlier event; the answer to a name lists them as `known`.
        """
        names = self.read()
        if "given_name" not in names and "known" not in names:
            event = event_for_viewer(self.user, event_id)
            return entrant_answer(self, self._register(request, event, names))
        event = event_for_staff(self.user, event_id, "run_desk")
        require_scope(request, ORGANIZE)
        person = known_person(event, self.user, names["known"]) if "known" in names else None
        typed = {"given_name": names.get("given_name", ""), "family_name": names.get("family_name", "")}
        if person is not None:
            typed = {"given_name": person.given_name, "family_name": person.family_name}
        entrant = play.enter_at_desk(
            event=event, **typed, another=names["another"], by=self.user, now=self.now, person=person
        )
        known = [] if person else of_name(known_players(event, self.user), **typed)
        return self._entered(entrant, known=known)

    def _entered(self, entrant: Entrant, *, staff: bool = False, known: Sequence[KnownPlayer] = ()) -> Response:
        fresh = entrants_of(entrant.event).get(pk=entrant.pk)
        return self.answer(fresh, staff=staff, twins=twins_of(entrant.event, [fresh]), known=known)

    def _register(self, request: Request, event: Event, wanted: dict[str, Any]) -> Entrant:
        require_scope(request, PLAY)
        person = person_of(self.user, wanted.get("person", ""))
        said = {name: wanted[name] for name in ("answers", "consent") if name in wanted}
        return register_person(event=event, person=person, by=self.user, now=self.now, **said)

    @operation(
        "PUT",
        f"{ENTRANT}name/",
        name="entrant_name",
        takes=EntrantNameInput,
        answers=EnteredSerializer,
        scopes=(ORGANIZE,),
    )
    def entrants_rename(self, request: Request, entrant_id: str) -> Response:
        """Correct the name of somebody without an account. The ledger records this without the names. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        person = entrant.members.first()
        stored = model_to_dict(person, list(EntrantNameInput().fields)) if person else {}
        rename_entrant(entrant=entrant, **self.changed(stored), by=self.user, now=self.now)
        return self._entered(entrant, staff=True)

    @operation("POST", f"{ENTRANT}drop/", name="drop", takes=DropInput, answers=EntrantSerializer)
    def entrants_drop(self, request: Request, entrant_id: str) -> Response:
        """Drop out of all later rounds. For the entrant, or the desk. Idempotent.

        With `concede`, and always in a bracket, the opponent wins the match in progress.
        """
        entrant = entrant_of_request(request, entrant_id)
        wanted = self.read()
        play.drop(entrant=entrant, by=self.user, now=self.now, concede_match=wanted["concede"])
        return entrant_answer(self, entrant)

    @operation(
        "POST",
        f"{ENTRANT}disqualify/",
        name="disqualify",
        takes=ReasonInput,
        answers=EntrantSerializer,
        scopes=(JUDGE, ORGANIZE),
    )
    def entrants_disqualify(self, request: Request, entrant_id: str) -> Response:
        """Disqualify an entrant, with a reason. Idempotent.

        For the head judge, organizers and owners who do not play.
        """
        entrant = entrant_for_staff(self.user, entrant_id, "disqualify")
        play.disqualify(entrant=entrant, **self.arguments())
        return entrant_answer(self, entrant)

    @operation("POST", f"{ENTRANT}reinstate/", name="reinstate", takes=NothingInput, answers=EntrantSerializer)
    def entrants_reinstate(self, request: Request, entrant_id: str) -> Response:
        """Undo a drop. For the entrant, until a round is paired without them, or the desk, also later.

        Rounds paired in between count as missed, if the event allows late entries.
        """
        entrant = entrant_of_request(request, entrant_id)
        play.reinstate(entrant=entrant, **self.arguments())
        return entrant_answer(self, entrant)

    @operation("POST", f"{ENTRANT}check-in/", name="check_in", takes=NothingInput, answers=EntrantSerializer)
    def entrants_check_in(self, request: Request, entrant_id: str) -> Response:
        """Record that the entrant is present. For the entrant, or the desk. Idempotent."""
        entrant = entrant_of_request(request, entrant_id)
        services.check_in(entrant=entrant, **self.arguments())
        return entrant_answer(self, entrant)

    @operation("DELETE", f"{ENTRANT}check-in/", answers=EntrantSerializer)
    def entrants_undo_check_in(self, request: Request, entrant_id: str) -> Response:
        """Undo the check-in while check-in is open. For the entrant, or the desk. Idempotent."""
        entrant = entrant_of_request(request, entrant_id)
        services.undo_check_in(entrant=entrant, **self.arguments())
        return entrant_answer(self, entrant)

    @operation(
        "POST",
        f"{EVENT}entrants/several/",
        name="several_entrants",
        takes=SeveralInput,
        answers=SeveralSerializer,
        scopes=(ORGANIZE,),
    )
    def entrants_several(self, request: Request, event_id: str) -> Response:
        """Check in, undo check-in, drop or reinstate up to 500 entrants. For the desk.

        Each one succeeds or is refused separately; `refused` says who was refused, and why.
        """
        event = event_for_staff(self.user, event_id, "run_desk")
        report = play.for_several(event=event, **self.arguments())
        return self.answer(report)

    @operation(
        "GET",
        f"{ENTRANT}decklist/",
        name="decklist",
        query=DecklistQuery,
        answers=DecklistSerializer,
        account_needed=True,
    )
    def decklists_read(self, request: Request, entrant_id: str) -> Response:
        """The newest version of the decklist.

        For the entrant, for staff who may read decklists and do not play, and for anybody the event shows it to. In a
        team, that of the `member` (a person), or your own; team mates cannot read it.
        """
        entrant = Entrant.objects.filter(public_id=entrant_id).select_related("event").first()
        newest = _newest_list(self.user, entrant, self.read_query()["member"]) if entrant else None
        if newest is None:
            raise Http404
        return self.answer(decklist_for_viewer(self.user, newest.pk))

    @operation("PUT", f"{ENTRANT}decklist/", takes=MemberDecklistInput, answers=DecklistSerializer)
    def decklists_submit(self, request: Request, entrant_id: str) -> Response:
        """Submit a version of the decklist. For the entrant (scope `play`), or the desk, from paper (scope `organize`).

        An illegal decklist is saved with all its faults; an unreadable one is refused. In a team each member submits
        their own, and the desk says whose it is (`member`).
        """
        entrant = entrant_of_request(request, entrant_id)
        wanted = self.read()
        member = member_for_list(self.user, entrant, wanted.get("member", ""))
        decklist = submit_decklist(entrant=entrant, member=member, text=wanted["text"], by=self.user, now=self.now)
        return self.answer(decklist)

    @operation("GET", f"{ENTRANT}claim-link/", name="claim_link", answers=SeatLinkSerializer, account_needed=True)
    def entrants_claim_link(self, request: Request, entrant_id: str) -> Response:
        """The address where an account can claim this entry, once. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        site = f"{request.scheme}://{request.get_host()}"
        return self.answer({"address": claim_address(entrant, site)})

    @operation(
        "POST", f"{ENTRANT}claim/", name="claim_entry", takes=EntryClaimInput, answers=EntrantSerializer, scopes=(PLAY,)
    )
    def entrants_claim(self, request: Request, entrant_id: str) -> Response:
        """Claim the entry for yourself, or for a `person` you act for, with the signature from its claim link."""
        wanted = self.read()
        entrant = entrant_for_claim(entrant_id, wanted["signature"])
        person = person_of(self.user, wanted["person"])
        return entrant_answer(self, claim_entry(entrant=entrant, person=person, by=self.user, now=self.now))

    @operation(
        "POST",
        f"{ENTRANT}merge/",
        name="merge_entrants",
        takes=MergeEntrantsInput,
        answers=EntrantSerializer,
        scopes=(ORGANIZE,),
    )
    def entrants_merge(self, request: Request, entrant_id: str) -> Response:
        """Merge this entrant into another one, which stays. This cannot be undone. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        into = entrant_for_staff(self.user, self.read()["into"], "run_desk")
        return entrant_answer(self, play.merge_entrants(entrant=entrant, into=into, by=self.user, now=self.now))

    @operation("GET", f"{ENTRANT}seat-link/", name="seat_link", answers=SeatLinkSerializer, account_needed=True)
    def entrants_seat_link(self, request: Request, entrant_id: str) -> Response:
        """The address, for a QR code, that shows this seat and can check it in. For the desk."""
        entrant = entrant_for_staff(self.user, entrant_id, "run_desk")
        site = f"{request.scheme}://{request.get_host()}"
        return self.answer({"address": seat_address(entrant, site)})


def _newest_list(user: Any, entrant: Entrant, person_id: str) -> Decklist | None:
    """The list that counts of an entrant, or of the member of a team; None for a list or a member that is not there."""
    try:
        member = member_for_list(user, entrant, person_id)
    except InvalidInput as refused:
        raise Http404 from refused
    return current_list(entrant, current_stage(entrant.event), member)


def person_of(user: Any, person_id: str) -> Person:
    """The person that the account acts for; the account's own person if `person_id` is empty."""
    return person_for_guardian(user, person_id) if person_id else own_person(user)
