"""The lines of single matches in the pairings, rendered once per language and shared by streams and pages of a process.

A result changes one line. The streams send it to several audiences, and every page of pairings that is kept is brought
up to date with it (`web.patched_pages`). A line is the same for all of them, and stays as it is until the ledger says
something else about its match. So a line is kept under the number of the last entry about the match.
"""

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping

from django.template.loader import get_template
from django.utils import timezone, translation

from tournaments.audits.axes import Axes, axes_of
from tournaments.events.zones import zone_of
from tournaments.play.loading import matches_named
from tournaments.play.models import Match, Round
from tournaments.profiles.links import links_in

MOST_KEPT = 3_000  # lines; the one used longest ago is forgotten
Key = tuple[object, ...]

_kept: OrderedDict[Key, str] = OrderedDict()
_lock = threading.Lock()


class Lines:
    """Lines of one round: those of the matches in `numbers`, each with the number of the last ledger entry about it."""

    def __init__(self, round_: Round, numbers: Mapping[str, int]) -> None:
        self._round = round_
        self._numbers = numbers
        self._event = round_.stage.event
        self._read: dict[str, Match] = {}
        self._axes: dict[int, Axes] = {}

    def shown(self, language: str) -> dict[str, str]:
        """The lines in a language, by element id. Matches of other rounds have none.

        No query if all of them are kept and the links to profiles are known; else at most seven for all languages.
        """
        links = links_in(self._event.public_id)
        about = (self._round.pk, self._event.time_zone, language, links.digest)
        keys = {name: (name, number, *about) for name, number in self._numbers.items()}
        with _lock:
            found = {name: _kept[key] for name, key in keys.items() if key in _kept}
            for name in found:
                _kept.move_to_end(keys[name])
        missing = keys.keys() - found.keys()
        if missing:
            made = self._rendered(missing, language, links.by_entrant)
            found |= made
            self._keep({keys[name]: made[name] for name in missing})
        return {f"line-{name}": line for name, line in found.items() if line}

    def read(self, wanted: Collection[str]) -> tuple[list[Match], Mapping[int, Axes]]:
        """Those of these matches that are in this round, and the axes by match key. Each is read once."""
        unread = [name for name in wanted if name not in self._read]
        if unread:
            read = {match.public_id: match for match in matches_named(unread) if match.round_id == self._round.pk}
            self._read |= read
            self._axes |= axes_of(read.values()) if read else {}
        return [self._read[name] for name in wanted if name in self._read], self._axes

    def _rendered(self, wanted: Collection[str], language: str, links: Mapping[int, str]) -> dict[str, str]:
        """The lines of these matches; empty for one that is not in this round."""
        matches, axes = self.read(wanted)
        context = {"axes": axes, "links": links}
        template = get_template("web/public/_pairings_line.html")
        with translation.override(language), timezone.override(zone_of(self._event)):
            lines = {match.public_id: template.render({"match": match, **context}).strip() for match in matches}
        return dict.fromkeys(wanted, "") | lines

    def _keep(self, made: Mapping[Key, str]) -> None:
        with _lock:
            _kept.update(made)
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)


def forget_lines() -> None:
    """Forget all lines, for tests."""
    with _lock:
        _kept.clear()
