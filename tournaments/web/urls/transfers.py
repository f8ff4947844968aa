"""URL patterns for importing the files of other programs."""

from django.urls import URLPattern, path

from tournaments.web.pages.transfers import transfers

urlpatterns: list[URLPattern] = [
    path("import/", transfers.transfer_new, name="transfer_new"),
    path("import/<str:transfer_id>/", transfers.transfer, name="transfer"),
    path("import/<str:transfer_id>/<slug:action>/", transfers.transfer_end, name="transfer_end"),
]
