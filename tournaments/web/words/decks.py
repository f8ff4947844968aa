"""Words for deck formats, and for what the engine's check of a card catalogue finds."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DECK_FORMATS: Mapping[str, Promise] = {
    "": _("not checked"),
    "altered-standard": _("Standard"),
    "altered-no-unique": _("Standard without uniques"),
    "altered-sealed": _("Sealed"),
    "altered-draft": _("Booster Draft"),
    "safir-v2": _("Star Safir"),
    "stellar-1.4": _("Stellar Nexus"),
    "wakfu-2008": _("Wakfu 2008"),
    "wakfu-2011": _("Wakfu 2011"),
    "seiya-base": _("Starting packet"),
}


RULESETS: Mapping[str, Promise] = {
    "altered-2024@1": _("Rules of September 2024"),
    "altered-2025@1": _("Complete Rules 3.0 (June 2025)"),
    "safir-v2@1": _("Rules, version 2"),
    "seiya-base@1": _("Rules of the base game"),
    "stellar-1.4@1": _("Rules, version 1.4"),
    "wakfu-2008@1": _("Rules of June 2008"),
}

LINT: Mapping[str, Promise] = {
    "SCHEMA": _("it has the wrong structure"),
    "ABILITY": _("an ability is not written in words that the engine knows"),
    "MISPLACED": _("a keyword is for other kinds of cards"),
    "UNKNOWN-TOKEN": _("it creates a token that is not in the list"),
    "UNKNOWN-GAME": _("the game is unknown"),
    "UNKNOWN-KIND": _("the game has no such kind of card"),
    "UNKNOWN-FACTION": _("the game has no such faction"),
    "UNKNOWN-KEYWORD": _("the game has no such keyword"),
    "MISSING-FIGURE": _("a value is missing"),
    "EXTRA-FIGURE": _("a value does not belong to this kind of card"),
    "DUPLICATE-REF": _("another card has the same reference"),
    "SAME-CARD": _("another card has the same name and the same values"),
    "TEXT-ONLY": _("no ability carries out its text: a game stops there for a ruling"),
    "UNBOUND": _("an ability whose usual keyword is not on the card; it works all the same"),
}

CARD_FILES: Mapping[str, Promise] = {
    "catalogue": _("A whole catalogue"),
    "altered": _("The community’s list of Altered cards"),
    "saint-seiya": _("The community’s list of Saint Seiya cards"),
    "wakfu": _("The cards of Wakfu"),
    "table": _("A list of cards in Arbitre’s format"),
    "spreadsheet": _("A spreadsheet with a header"),
}

CARDS_LACK: Mapping[str, Promise] = {
    "texts": _(
        "Card texts: what the engine does not know about a card is left to judges. Decklists are still checked."
    ),
    "suspensions": _("Suspensions and bans: decklists with such cards pass. Send the history of suspensions as well."),
    "costs": _("Costs and mana: games cannot be replayed."),
    "figures": _("Force and Drop of most cards: they count as 0."),
    "copies": _("How many copies of a card the box has."),
}
