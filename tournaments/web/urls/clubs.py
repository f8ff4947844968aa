"""URL patterns of clubs and conventions."""

from django.urls import URLPattern, path

from tournaments.web.pages.clubs import clubs, conventions
from tournaments.web.pages.exports import calendars

_CLUB = "clubs/<str:club_id>/"
_CONVENTION = "conventions/<str:convention_id>/"

urlpatterns: list[URLPattern] = [
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/new/", clubs.club_new, name="club_new"),
    path(_CLUB, clubs.club, name="club"),
    path(_CLUB + "events.ics", calendars.club_ics, name="club_ics"),
    path(_CLUB + "manage/", clubs.club_manage, name="club_manage"),
    path(_CLUB + "delete/", clubs.club_delete, name="club_delete"),
    path(_CLUB + "events/add/", clubs.club_event_add, name="club_event_add"),
    path(_CLUB + "events/<str:event_id>/remove/", clubs.club_event_remove, name="club_event_remove"),
    path(_CLUB + "venues/", clubs.club_venue_save, name="club_venue_save"),
    path(_CLUB + "venues/<int:pk>/delete/", clubs.club_venue_delete, name="club_venue_delete"),
    path(_CLUB + "team/", clubs.club_team, name="club_team"),
    path(_CLUB + "team/hand-over/", clubs.club_hand_over, name="club_hand_over"),
    path(_CLUB + "team/<int:pk>/revoke/", clubs.club_role_revoke, name="club_role_revoke"),
    path(_CLUB + "series/", clubs.club_series, name="club_series"),
    path(_CLUB + "conventions/new/", conventions.convention_new, name="convention_new"),
    path(_CONVENTION, conventions.convention, name="convention"),
    path(_CONVENTION + "manage/", conventions.convention_manage, name="convention_manage"),
    path(_CONVENTION + "events/add/", conventions.convention_event_add, name="convention_event_add"),
    path(
        _CONVENTION + "events/<str:event_id>/remove/",
        conventions.convention_event_remove,
        name="convention_event_remove",
    ),
    path(_CONVENTION + "tables/", conventions.convention_tables, name="convention_tables"),
    path(_CONVENTION + "delete/", conventions.convention_delete, name="convention_delete"),
]
