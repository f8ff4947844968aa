"""What the formats of files are called, and what is not read from them."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FORMATS: Mapping[str, Promise] = {
    "event_file": _("Arbitre event file"),
    "trf": _("TRF file"),
    "nrtm": _("Cobra or NRTM file"),
    "limitless": _("Limitless file"),
    "topdeck": _("TopDeck.gg file"),
    "melee": _("melee.gg file"),
    "challonge": _("Challonge file"),
    "startgg": _("start.gg file"),
    "tom": _("TOM file (.tdf)"),
    "roster": _("List of players"),
}

LOST: Mapping[str, Promise] = {
    "matches_missing": _("Results: the file has players, but no matches"),
    "ranks": _("Ranks, points and tiebreaks: they are computed again from the results"),
    "structure": _("Structure: the file does not name it, so it is guessed from the matches"),
    "missing_rounds": _("Rounds in which a player has no match: the file does not say whether it was a bye"),
    "late_losses": _("Losses for being late: they count as rounds without points"),
    "game_points": _("Points scored inside matches: only the result is kept"),
    "multiplayer": _("Tables of more than two players"),
    "third_place": _("Matches for third place"),
    "open_matches": _("Matches whose players are not known yet"),
    "groups": _("Groups: they are read as one round robin"),
    "divisions": _("Age divisions: their rounds are read as one event"),
    "cuts": _("Cuts of several age divisions: only one cut can be read"),
    "waiting": _("Players on the waiting list"),
    "decklists": _("Decklists that cannot be read"),
    "deck_links": _("Links to decklists: only lists in the file itself are read"),
    "deck_names": _("Names of decks"),
    "identities": _("Identities, factions and sides"),
    "ratings": _("Ratings"),
    "titles": _("Titles of players"),
    "genders": _("Genders"),
    "pronouns": _("Pronouns"),
    "birth_dates": _("Dates of birth"),
    "federations": _("Federations, countries and addresses"),
    "teams": _("Teams"),
    "ids": _("Ids and links of the other program"),
    "contacts": _("Phone numbers and accounts on other sites"),
    "staff": _("Organizers and arbiters"),
    "game": _("The game and its format"),
    "lines": _("Other lines"),
    "columns": _("Other columns"),
    "keys": _("Other data"),
}
