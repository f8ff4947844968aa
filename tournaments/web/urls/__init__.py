"""Addresses of the pages, split by who they are for."""

from tournaments.web.urls import account, catalogues, floor, judge, leagues, player, public, staff

app_name = "web"
urlpatterns = [
    *public.urlpatterns,
    *account.urlpatterns,
    *player.urlpatterns,
    *staff.urlpatterns,
    *judge.urlpatterns,
    *floor.urlpatterns,
    *leagues.urlpatterns,
    *catalogues.urlpatterns,
]
