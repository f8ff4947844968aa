"""Words for the states of a round, and for the effects that a corrected result has on later rounds."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.play.models import Round
from tournaments.web.words.meaning import described

ROUND_STATES: Mapping[str, Promise] = {
    Round.Status.DRAFT: _("Draft pairings"),
    Round.Status.PUBLISHED: _("In progress"),
    Round.Status.CLOSED: _("Closed"),
}


EFFECTS: Mapping[str, Promise] = {
    "taken_back": _(
        "The next round, in which nothing has happened yet, is undone: it will be paired again after this match."
    ),
    "reseated": _("%(into)s takes the seat of %(out)s at a match that has no result yet."),
    "stands": _("%(out)s has played the next match in place of %(into)s: its result stands."),
    "cut": _(
        "By the standings %(into)s would have qualified for the next stage, and %(out)s would not: "
        "the stage stays as it is."
    ),
}


ROUND = described(
    ROUND_STATES,
    draft=(_("Only staff can see these pairings."), "warn"),
    published=(_("The pairings are public."), "ok"),
    closed=(_("All results are final."), ""),
)


OPEN_ROUND = Round.Status.PUBLISHED
