"""URL patterns of all pages, one module for each group of users."""

from tournaments.web.urls import (
    account,
    catalogues,
    clubs,
    floor,
    judge,
    leagues,
    player,
    profiles,
    public,
    staff,
    transfers,
)

app_name = "web"
# Order matters: `calls/<id>/withdraw/` of the player must come before `calls/<id>/<action>/` of the judge.
urlpatterns = [
    *public.urlpatterns,
    *account.urlpatterns,
    *player.urlpatterns,
    *staff.urlpatterns,
    *judge.urlpatterns,
    *floor.urlpatterns,
    *clubs.urlpatterns,
    *leagues.urlpatterns,
    *profiles.urlpatterns,
    *catalogues.urlpatterns,
    *transfers.urlpatterns,
]
