"""URL patterns of public profiles and of what an account follows."""

from django.urls import URLPattern, path

from tournaments.web.pages.profiles import following, profiles

urlpatterns: list[URLPattern] = [
    path("players/<str:who>/", profiles.profile, name="profile"),
    path("players/<str:who>/against/<str:other>/", profiles.against, name="head_to_head"),
    path("players/<str:who>/follow/", following.player_follow, name="player_follow"),
    path("e/<str:event_id>/follow/", following.event_follow, name="event_follow"),
    path("account/following/", following.following, name="following"),
    path("account/persons/<str:person_id>/profile/", profiles.own_profile, name="own_profile"),
]
