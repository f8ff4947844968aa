"""Labels in front of what they name: French has a space before the colon."""

from django.utils.translation import gettext as _


def with_colon(label: object) -> str:
    """A label with a colon after it: `Answers:`."""
    return _("%(label)s:") % {"label": label}


def labelled(label: object, text: object) -> str:
    """A label, a colon, and what it names: `Misplay: Warning`."""
    return f"{with_colon(label)} {text}"
