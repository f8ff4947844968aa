"""Words for the structures and pairing settings of a stage, and for the flags and costs of its pairings."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.events.models import Stage

STRUCTURES: Mapping[str, Promise] = {
    Stage.Kind.SWISS: _("Swiss"),
    Stage.Kind.PODS: _("Draft pods"),
    Stage.Kind.TABLES: _("Multiplayer tables"),
    Stage.Kind.ROUND_ROBIN: _("Round robin"),
    Stage.Kind.SINGLE_ELIMINATION: _("Single elimination"),
    Stage.Kind.DOUBLE_ELIMINATION: _("Double elimination"),
}


ORDERS: Mapping[str, Promise] = {
    Stage.Order.RANDOM: _("Random, from the seed"),
    Stage.Order.FOLD: _("The first seed meets the last"),
    Stage.Order.SLIDE: _("The first seed meets the first of the lower half"),
    Stage.Order.STANDING: _("Neighbours in the standings"),
}


BYES_ON_REQUEST: Mapping[str, Promise] = {
    Stage.ByeOnRequest.NONE: _("no bye"),
    Stage.ByeOnRequest.ZERO_BYE: _("a bye without points"),
    Stage.ByeOnRequest.HALF_BYE: _("a half bye, or one without points"),
    Stage.ByeOnRequest.BYE: _("any bye, even a full one"),
}


PROPOSALS: Mapping[str, Promise] = {
    "format": _("as many as this format has."),
    "table": _("by the table of the Magic Tournament Rules."),
    "winner": _("the smallest number after which at most one player is undefeated."),
}


FLAGS: Mapping[str, Promise] = {
    "pulled_down": _("%(name)s is pulled down: meets somebody with fewer match points."),
    "pulled_up": _("%(name)s is pulled up: meets somebody with more match points."),
    "rematch_forced": _("%(name)s meets an opponent again: no pairing avoids a rematch."),
    "bye_lowest": _("%(name)s has the bye, from the lowest score group."),
    "bye_raised": _("%(name)s has the bye from a higher score group: nobody below could have it."),
    "second_bye": _("%(name)s has a bye again: no pairing avoids it."),
    "bye_asked": _("%(name)s had asked for the bye."),
    "by_hand": _("%(name)s was seated by hand."),
    "bye_not_given": _("%(name)s had asked for the bye; somebody else has it."),
    "bye_awarded": _("%(name)s has a bye awarded by the organizer."),
    "pulled_again": _("%(name)s was moved the same way in an earlier round."),
    "met_often": _("%(name)s has met this opponent more than once."),
    "club_mates": _("%(name)s meets somebody of the same club."),
    "sides_uneven": _("%(name)s could not go first and second equally often."),
    "out_of_order": _("%(name)s does not meet the opponent given by the order of the group."),
    "table_left": _("%(name)s leaves a fixed table for the opponent’s."),
}


COSTS: Mapping[str, Promise] = {
    "rematches": _("Rematches"),
    "second_bye": _("Second byes"),
    "bye_points": _("Match points of the bye"),
    "squares": _("Gaps in points, squared and added"),
    "floats": _("Repeated pull-downs and pull-ups"),
    "wishes": _("Wishes not met"),
    "repeats": _("Pairs who sat together before"),
    "spread": _("Gaps in points at the tables, squared and added"),
    "least_repeats": _("Fewest such pairs possible, as far as proven"),
    "least_spread": _("Least such gaps possible, as far as proven"),
    "places": _("Distances from the order wanted, squared and added"),
}
