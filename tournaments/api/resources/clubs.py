"""Clubs and conventions."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.accounts.models import ApiToken
from tournaments.api.addresses import CLUB, CONVENTION
from tournaments.api.resource import Resource, operation
from tournaments.api.serializers.base import NothingInput
from tournaments.api.serializers.catalogues import OwnCatalogueSerializer
from tournaments.api.serializers.clubs import (
    ClubDetailSerializer,
    ClubEventInput,
    ClubEventSerializer,
    ClubHandOverInput,
    ClubInput,
    ClubRoleInput,
    ClubRoleSerializer,
    ClubSerializer,
    ConventionInput,
    ConventionSerializer,
    NewClubInput,
    NewConventionInput,
    OwningClubInput,
    SeriesInput,
    VenueInput,
    VenueSerializer,
)
from tournaments.api.serializers.events import SavedFormatSerializer
from tournaments.clubs import belongings, conventions, series, services
from tournaments.clubs.access import (
    club_for_staff,
    club_for_viewer,
    convention_for_staff,
    convention_for_viewer,
    event_of_club,
    role_of_club,
    roles_in,
    venue_of_club,
)
from tournaments.clubs.models import Club, Convention
from tournaments.clubs.selectors import all_clubs, conventions_shown, events_of, team_of
from tournaments.common.mail import address_of
from tournaments.decks.access import catalogue_for_owner
from tournaments.events.access import event_for_staff, format_for_owner
from tournaments.exports.calendars import club_link

ORGANIZE = ApiToken.Scope.ORGANIZE


def _club(club: Club, user: Any) -> dict[str, Any]:
    names = ("public_id", "name", "place", "about", "contact", "link", "penalty_months")
    return {
        **{name: getattr(club, name) for name in names},
        "venues": club.venues.all(),
        "conventions": conventions_shown(club, user),
        "calendar": address_of(club_link(club)),
        "roles": sorted(roles_in(user, club)),
    }


def _convention(convention: Convention, user: Any) -> dict[str, Any]:
    names = ("public_id", "club", "name", "about", "place", "hall", "first_day", "last_day", "is_public")
    seen = set(events_of(convention.club, user).values_list("pk", flat=True))
    shares = [share.seen_by(seen) for share in conventions.shares_of(convention) if share.event.pk in seen]
    return {**{name: getattr(convention, name) for name in names}, "events": shares}


class Belongings(Resource):
    """Formats and card catalogues that belong to a club instead of an account."""

    scopes = (ORGANIZE,)
    account_needed = True

    @operation(
        "PUT",
        "formats/<slug:format_id>/club/",
        name="format_club",
        takes=OwningClubInput,
        answers=SavedFormatSerializer,
    )
    def formats_give(self, request: Request, format_id: str) -> Response:
        """Give a format to a club that you manage, or with null back to the account that saved it. Idempotent."""
        saved = format_for_owner(self.user, format_id)
        return self.answer(belongings.give_format(saved=saved, club=self._wanted(), by=self.user, now=self.now))

    @operation(
        "PUT", "catalogues/<int:pk>/club/", name="catalogue_club", takes=OwningClubInput, answers=OwnCatalogueSerializer
    )
    def catalogues_give(self, request: Request, pk: int) -> Response:
        """Give all versions of a catalogue to a club that you manage, or with null back to the uploader. Idempotent."""
        catalogue = catalogue_for_owner(self.user, pk)
        return self.answer(
            belongings.give_catalogue(catalogue=catalogue, club=self._wanted(), by=self.user, now=self.now)
        )

    def _wanted(self) -> Club | None:
        club_id = self.read()["club"]
        return club_for_staff(self.user, club_id, "manage") if club_id else None


class Clubs(Resource):
    """The clubs."""

    scopes = (ORGANIZE,)

    @operation("GET", "clubs/", name="clubs", pages=ClubSerializer)
    def clubs_list(self, request: Request) -> Response:
        """All clubs, by name."""
        return self.answer(all_clubs())

    @operation("POST", "clubs/", takes=NewClubInput, answers=ClubDetailSerializer, status=201)
    def clubs_create(self, request: Request) -> Response:
        """Create a club; you become its owner."""
        return self.answer(_club(services.create_club(**self.arguments()), self.user))

    @operation("GET", CLUB, name="club", answers=ClubDetailSerializer)
    def clubs_read(self, request: Request, club_id: str) -> Response:
        """A club with its venues and conventions. For everybody."""
        return self.answer(_club(club_for_viewer(club_id), self.user))

    @operation("PATCH", CLUB, takes=ClubInput, answers=ClubDetailSerializer)
    def clubs_change(self, request: Request, club_id: str) -> Response:
        """Change what a club says about itself. For its owners and organizers."""
        club = club_for_staff(self.user, club_id, "manage")
        return self.answer(_club(services.change_club(club=club, **self.arguments()), self.user))

    @operation("DELETE", CLUB)
    def clubs_delete(self, request: Request, club_id: str) -> Response:
        """Delete a club. Its events stay, with the staff they have. For its owners."""
        services.delete_club(club=club_for_staff(self.user, club_id, "give_roles"), **self.arguments())
        return self.answer()

    @operation("GET", f"{CLUB}events/", name="club_events", pages=ClubEventSerializer)
    def clubs_events(self, request: Request, club_id: str) -> Response:
        """The events of a club that you may find, newest first."""
        return self.answer(events_of(club_for_viewer(club_id), self.user))

    @operation("POST", f"{CLUB}events/", takes=ClubEventInput, answers=ClubDetailSerializer)
    def clubs_add_event(self, request: Request, club_id: str) -> Response:
        """Add an event that you own to the club. Idempotent. For its owners and organizers."""
        club = club_for_staff(self.user, club_id, "manage")
        event = event_for_staff(self.user, self.read()["event"], "invite_staff")
        services.add_event(club=club, event=event, by=self.user, now=self.now)
        return self.answer(_club(club, self.user))

    @operation("DELETE", f"{CLUB}events/<slug:event_id>/", name="club_event")
    def clubs_remove_event(self, request: Request, club_id: str, event_id: str) -> Response:
        """Remove an event from the club, with the roles that the club gave there. For owners of the club."""
        club = club_for_staff(self.user, club_id, "give_roles")
        services.remove_event(club=club, event=event_of_club(club, event_id), **self.arguments())
        return self.answer()

    @operation("POST", f"{CLUB}series/", name="club_series", takes=SeriesInput, lists=ClubEventSerializer)
    def clubs_series(self, request: Request, club_id: str) -> Response:
        """Create a series of draft events with the settings of one of the club's. For its owners and organizers."""
        club = club_for_staff(self.user, club_id, "manage")
        wanted = self.read()
        template = event_of_club(club, wanted.pop("template"))
        return self.answer(series.make_series(club=club, template=template, by=self.user, now=self.now, **wanted))

    @operation("POST", f"{CLUB}venues/", name="club_venues", takes=VenueInput, answers=VenueSerializer)
    def clubs_save_venue(self, request: Request, club_id: str) -> Response:
        """Add a venue, or replace the one with this name. For owners and organizers of the club."""
        club = club_for_staff(self.user, club_id, "manage")
        return self.answer(services.save_venue(club=club, **self.arguments()))

    @operation("DELETE", f"{CLUB}venues/<int:pk>/", name="club_venue")
    def clubs_delete_venue(self, request: Request, club_id: str, pk: int) -> Response:
        """Delete a venue. For owners and organizers of the club."""
        club = club_for_staff(self.user, club_id, "manage")
        services.delete_venue(venue=venue_of_club(club, pk), **self.arguments())
        return self.answer()


class ClubStaff(Resource):
    """The staff of a club."""

    scopes = (ORGANIZE,)
    account_needed = True

    @operation("GET", f"{CLUB}roles/", name="club_roles", lists=ClubRoleSerializer)
    def clubs_roles(self, request: Request, club_id: str) -> Response:
        """Who has which role in a club. For its owners."""
        return self._roles(club_for_staff(self.user, club_id, "give_roles"))

    @operation("POST", f"{CLUB}roles/", takes=ClubRoleInput, lists=ClubRoleSerializer)
    def clubs_grant(self, request: Request, club_id: str) -> Response:
        """Give the account with this e-mail address a role in the club and at its events. Idempotent. For owners."""
        club = club_for_staff(self.user, club_id, "give_roles")
        services.grant_role(club=club, **self.arguments())
        return self._roles(club)

    @operation("DELETE", f"{CLUB}roles/<int:pk>/", name="club_role")
    def clubs_revoke(self, request: Request, club_id: str, pk: int) -> Response:
        """Revoke a role in the club and at its events. For owners."""
        club = club_for_staff(self.user, club_id, "give_roles")
        services.revoke_role(role=role_of_club(club, pk), **self.arguments())
        return self.answer()

    @operation("POST", f"{CLUB}hand-over/", name="club_hand_over", takes=ClubHandOverInput)
    def clubs_hand_over(self, request: Request, club_id: str) -> Response:
        """Make another account the owner of the club in your place; its events follow. For owners."""
        services.hand_over(club=club_for_staff(self.user, club_id, "give_roles"), **self.arguments())
        return self.answer()

    def _roles(self, club: Club) -> Response:
        return self.answer([{"held": held, "name": name} for held, name in team_of(club)])


class Conventions(Resource):
    """The conventions of a club."""

    scopes = (ORGANIZE,)

    @operation(
        "POST",
        f"{CLUB}conventions/",
        name="club_conventions",
        takes=NewConventionInput,
        answers=ConventionSerializer,
        status=201,
    )
    def clubs_convention(self, request: Request, club_id: str) -> Response:
        """Create a convention of a club. For its owners and organizers."""
        club = club_for_staff(self.user, club_id, "manage")
        return self.answer(_convention(conventions.create_convention(club=club, **self.arguments()), self.user))

    @operation("GET", CONVENTION, name="convention", answers=ConventionSerializer)
    def conventions_read(self, request: Request, convention_id: str) -> Response:
        """A convention with its events and their tables. For everybody, unless only staff see it yet."""
        return self.answer(_convention(convention_for_viewer(self.user, convention_id), self.user))

    @operation("PATCH", CONVENTION, takes=ConventionInput, answers=ConventionSerializer)
    def conventions_change(self, request: Request, convention_id: str) -> Response:
        """Change a convention. For owners and organizers of the club."""
        convention = convention_for_staff(self.user, convention_id, "manage")
        changed = conventions.change_convention(convention=convention, **self.arguments())
        return self.answer(_convention(changed, self.user))

    @operation("DELETE", CONVENTION)
    def conventions_delete(self, request: Request, convention_id: str) -> Response:
        """Delete a convention. Its events stay as they are. For owners and organizers of the club."""
        convention = convention_for_staff(self.user, convention_id, "manage")
        conventions.delete_convention(convention=convention, **self.arguments())
        return self.answer()

    @operation(
        "POST",
        f"{CONVENTION}events/",
        name="convention_events",
        takes=ClubEventInput,
        answers=ConventionSerializer,
    )
    def conventions_add_event(self, request: Request, convention_id: str) -> Response:
        """Add an event of the club to the convention. Idempotent. For owners and organizers of the club."""
        convention = convention_for_staff(self.user, convention_id, "manage")
        event = event_of_club(convention.club, self.read()["event"])
        conventions.include(convention=convention, event=event, by=self.user, now=self.now)
        return self.answer(_convention(convention, self.user))

    @operation("DELETE", f"{CONVENTION}events/<slug:event_id>/", name="convention_event")
    def conventions_remove_event(self, request: Request, convention_id: str, event_id: str) -> Response:
        """Take an event out of the convention. For owners and organizers of the club."""
        convention = convention_for_staff(self.user, convention_id, "manage")
        event = event_of_club(convention.club, event_id)
        conventions.leave_out(convention=convention, event=event, **self.arguments())
        return self.answer()

    @operation(
        "POST",
        f"{CONVENTION}tables/",
        name="convention_tables",
        takes=NothingInput,
        answers=ConventionSerializer,
    )
    def conventions_tables(self, request: Request, convention_id: str) -> Response:
        """Assign the tables of the hall to the events that have not begun. For owners and organizers of the club."""
        convention = convention_for_staff(self.user, convention_id, "manage")
        conventions.share_out(convention=convention, **self.arguments())
        return self.answer(_convention(convention, self.user))
