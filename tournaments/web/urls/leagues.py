"""URL patterns of leagues and of the player book."""

from django.urls import URLPattern, path

from tournaments.web.pages.leagues import bans, book, leagues, namesakes
from tournaments.web.pages.public import sharing

_LEAGUE = "leagues/<str:league_id>/"

urlpatterns: list[URLPattern] = [
    path("leagues/", leagues.leagues, name="leagues"),
    path("leagues/new/", leagues.league_new, name="league_new"),
    path(_LEAGUE, leagues.league, name="league"),
    path(_LEAGUE + "players/<str:person_id>/", leagues.league_player, name="league_player"),
    path(_LEAGUE + "ratings/", leagues.league_ratings, name="league_ratings"),
    path(_LEAGUE + "preview.png", sharing.league_preview_picture, name="league_preview"),
    path(_LEAGUE + "standings.<slug:form>", leagues.league_export, name="league_export"),
    path(_LEAGUE + "manage/", leagues.league_manage, name="league_manage"),
    path(_LEAGUE + "events/add/", leagues.league_event_add, name="league_event_add"),
    path(_LEAGUE + "events/<str:event_id>/remove/", leagues.league_event_remove, name="league_event_remove"),
    path(_LEAGUE + "namesakes/", namesakes.league_namesakes, name="league_namesakes"),
    path(_LEAGUE + "delete/", leagues.league_delete, name="league_delete"),
    path("bans/", bans.bans, name="bans"),
    path("bans/<int:pk>/lift/", bans.ban_lift, name="ban_lift"),
    path("book/", book.book, name="book"),
    path("book/<str:person_id>/", book.book_entry, name="book_entry"),
    path("book/<str:person_id>/ban/", bans.ban_person, name="ban_person"),
    path("book/<str:person_id>/merge/", book.book_merge, name="book_merge"),
    path("book/<str:person_id>/split/", book.book_split, name="book_split"),
]
