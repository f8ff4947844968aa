"""Words for the codes of a league."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.leagues.models import League
from tournaments.web.words.meaning import described

LEAGUE_RESULTS: Mapping[str, Promise] = {
    "counts": _("Counts"),
    "dropped": _("Does not count"),
    "double": _("Entered twice"),
}


LEAGUE_ENTRIES: Mapping[str, Promise] = {
    "league.created": _("League created"),
    "league.changed": _("Name, visibility or rules changed"),
    "league.club_changed": _("Club changed"),
    "league.event_added": _("Event added to the league"),
    "league.event_removed": _("Event removed from the league"),
    "league.players_merged": _("Two entries of the player book merged"),
    "league.players_split": _("An entry of the player book split off"),
}


VISIBILITIES: Mapping[str, Promise] = {
    League.Visibility.PRIVATE: _("Private"),
    League.Visibility.UNLISTED: _("Unlisted"),
    League.Visibility.PUBLIC: _("Public"),
}


VISIBILITY = described(
    VISIBILITIES,
    private=(_("Private: only you"), "warn"),
    unlisted=(_("Unlisted: anyone with the address"), "info"),
    public=(_("Public: everybody, in the list of leagues"), "ok"),
)


LEAGUE_RESULT = described(
    LEAGUE_RESULTS,
    counts=(_("Among the best results, or all results count."), "ok"),
    dropped=(_("The player has enough better results."), ""),
    double=(_("The player was entered twice here: the better entry counts."), "warn"),
)
