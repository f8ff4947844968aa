"""URL patterns of an organizer's own card catalogues."""

from django.urls import URLPattern, path

from tournaments.web.pages.cards import catalogues, effect_files, effects
from tournaments.web.pages.clubs import belongings

_EFFECTS = "catalogues/<slug:game>/<str:catalog>/effects"
_UPLOAD = "catalogue-uploads/<str:upload_id>/"

urlpatterns: list[URLPattern] = [
    path("catalogues/", catalogues.catalogues, name="catalogues"),
    path("catalogues/<int:pk>/", catalogues.catalogue, name="catalogue"),
    path("catalogues/<int:pk>/club/", belongings.catalogue_club, name="catalogue_club"),
    path("catalogues/<int:pk>/delete/", catalogues.catalogue_delete, name="catalogue_delete"),
    path(_EFFECTS + "/", effects.catalogue_effects, name="catalogue_effects"),
    path(_EFFECTS + ".json", effect_files.effects_download, name="effects_download"),
    path(_EFFECTS + "/apply/", effect_files.effects_apply, name="effects_apply"),
    path(_EFFECTS + "/cards/<str:ref>/", effects.card_effects, name="card_effects"),
    path(_UPLOAD, catalogues.catalogue_upload, name="catalogue_upload"),
    path(_UPLOAD + "<slug:action>/", catalogues.catalogue_upload_end, name="catalogue_upload_end"),
]
