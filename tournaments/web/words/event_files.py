"""Words for why an event file cannot be read, by code."""

from django.utils.translation import gettext_lazy as _

BROKEN = _("The file is truncated or was changed by hand, so it is no longer an event file.")
REASONS = {
    "not_an_event_file": _("This is not an event file."),
    "unknown_version": _("The file has a version that is not known here."),
    "too_large": _("The file is too large for this page; the command verify_event can check larger ones."),
    "too_long": _("This check would take too long here; the command verify_event has no time limit."),
}
