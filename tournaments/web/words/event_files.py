"""Words for why an event file cannot be read, by code."""

from django.utils.translation import gettext_lazy as _

BROKEN = _("The file is cut short or was changed by hand, so that it is no event file any more.")
REASONS = {
    "not_an_event_file": _("This is no event file."),
    "unknown_version": _("The file is of a version that is not known here."),
    "too_large": _("The file is too large for this page; the command verify_event takes larger ones."),
    "too_long": _("It would take too long here; the command verify_event takes its time."),
}
