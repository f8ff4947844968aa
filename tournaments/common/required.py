"""What to enter in a field that must not be empty, by the name of the field: pages and the API say the same."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

ENTER: Mapping[str, Any] = {
    "name": _("Enter a name."),
    "team_name": _("Enter a name for the team."),
    "given_name": _("Enter a first name or a nickname."),
    "password": _("Enter a password."),
    "oldpassword": _("Enter your password."),
    "password1": _("Enter a new password."),
    "password2": _("Enter the new password again."),
    "new_password1": _("Enter a new password."),
    "new_password2": _("Enter the new password again."),
    "code": _("Enter the code."),
    "label": _("Enter the question, or the sentence to tick."),
    "reason": _("Enter a reason."),
    "teams": _("Enter at least one team."),
    "url": _("Enter a web address, such as https://example.org."),
    "table": _("Enter a table number."),
    "tables": _("Enter a number of tables."),
    "minutes": _("Enter a number of minutes."),
    "count": _("Enter a number."),
}
