"""Words for how a match ended, seen from one player."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from tournaments.profiles.history import DRAWN, LOST, WON
from tournaments.web.words.meaning import described

_SHORT: Mapping[str, Promise] = {
    WON: pgettext_lazy("a match", "Won"),
    LOST: pgettext_lazy("a match", "Lost"),
    DRAWN: pgettext_lazy("a match", "Drawn"),
}
OUTCOME = described(_SHORT, won=("", "ok"))
