"""Forms for the ban list of an organizer."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.bans import LONGEST_REASON
from tournaments.web.forms.moments import day_field


class BanForm(forms.Form):
    """Why a person is banned, and until when."""

    reason = forms.CharField(
        label=_("Reason"), help_text=_("Only you can read it."), required=False, max_length=LONGEST_REASON
    )
    until = day_field(_("Last day"), _("Leave blank for no end date."))


class BanAddressForm(BanForm):
    """An e-mail address to ban."""

    email = forms.EmailField(
        label=_("E-mail address"), help_text=_("It is not stored: nobody can read it here later."), max_length=254
    )
    field_order = ("email", "reason", "until")
