"""What becomes of the players of a final ranking who could enter another event."""

from django.utils.translation import gettext_lazy as _

from tournaments.standings.qualification import State
from tournaments.web.words.meaning import described

QUALIFICATION = described(
    {
        State.ENTERS: _("Enters"),
        State.QUALIFIED: _("Entered by qualification"),
        State.ENTERED: _("Already in the event"),
        State.DROPPED: _("Dropped"),
        State.DECLINED: _("Declines"),
        State.DISQUALIFIED: _("Disqualified"),
    },
    enters=("", "ok"),
    qualified=("", "info"),
    disqualified=("", "bad"),
)
