"""Form for an announcement."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.announcements.services import LONGEST, MINUTES, MOST_MINUTES
from tournaments.events.models import Stage
from tournaments.web.forms.choices import choice_field


class AnnouncementForm(forms.Form):
    """An announcement: its text, its audience (everybody, a stage or a table), and how many minutes it is shown."""

    text = forms.CharField(
        label=gettext_lazy("Announcement"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )
    stage = forms.TypedChoiceField(label=gettext_lazy("Show to"), coerce=int, empty_value=None, required=False)
    table = forms.IntegerField(
        label=gettext_lazy("Or to a single table"),
        help_text=gettext_lazy("Only the players at that table can see it, on their own pages."),
        required=False,
        min_value=1,
        max_value=9999,
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Show for (minutes)"), initial=MINUTES, min_value=1, max_value=MOST_MINUTES
    )

    def __init__(self, *args: Any, stages: Sequence[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        numbered = [(stage.number, _("Stage %(number)d") % {"number": stage.number}) for stage in stages]
        choice_field(self, "stage").choices = [("", _("Everybody")), *numbered]
