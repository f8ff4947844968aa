"""Personal parts of a page that is rendered once for all players.

The page is cached with a placeholder ("blank") for each personal part. Before the page is sent, each blank is replaced:

- `csrf`: the CSRF token of the reader's forms
- `account`: the public id of the reader's account
- `own`: the ids of the reader's entrants, which the page's script uses to highlight their lines
- `announcements`: some of them are for one table only
- any other name that the view uses
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString, mark_safe

from tournaments.events.access import own_entrants
from tournaments.events.models import Entrant, Event


@lru_cache(maxsize=50)
def blank(name: str) -> SafeString:
    """The placeholder of a blank.

    It is derived from the site's secret key, so that user input cannot contain it and all processes agree on it.
    """
    return mark_safe(f"blank-{salted_hmac('arbitre.blanks', name).hexdigest()[:32]}")  # noqa: S308 - letters and digits


def leaves_blanks(request: HttpRequest) -> bool:
    """Whether the page being rendered is cached for all players, and so must hold blanks."""
    return bool(getattr(request, "leaves_blanks", False))


def own_in(request: HttpRequest, event: Event) -> list[Entrant]:
    """The reader's own entrants; empty while a page with blanks is rendered."""
    return [] if leaves_blanks(request) else own_entrants(request.user, event)


def own_ids(request: HttpRequest, own: Iterable[Entrant]) -> str:
    """The public ids of the reader's own entrants for the page's script, or their blank."""
    return blank("own") if leaves_blanks(request) else ids_of(own)


def ids_of(entrants: Iterable[Entrant]) -> str:
    """Their public ids, separated by spaces."""
    return " ".join(entrant.public_id for entrant in entrants)


def filled(page: str, values: Mapping[str, str]) -> str:
    """The page with its blanks filled in. `values` maps the name of a blank to trusted HTML."""
    for name, value in values.items():
        page = page.replace(blank(name), value)
    return page


def marked(page: str, own: Iterable[Entrant]) -> SafeString:
    """The page with the reader's own lines highlighted; in later updates `live.js` does that."""
    for entrant in own:
        said = f'data-entrant="{entrant.public_id}"'
        page = page.replace(said, f"{said} data-mine")
    return mark_safe(page)  # noqa: S308 - rendered by a template, and an id of ours
